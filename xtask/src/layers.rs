//! Which crate may reach which: the table, and the check that holds the build to it.
//!
//! [`TABLE`] is the only place where an edge is allowed; adding a dependency that is not in it
//! fails this check and the tests of this package. What a graph looks like is `graph`'s, what is
//! wrong with one is `rules`', and what a stranger who depends on one crate gets is `downstream`'s.

use std::path::Path;

use crate::failure::{Failure, Finding};

mod downstream;
mod graph;
mod rules;

use downstream::Downstream;
use graph::Graph;

/// What one crate may use directly, as normal or build dependency.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer {
    /// The folder under `crates/`, or `xtask`.
    folder: &'static str,
    /// Folders of the workspace crates it may use; development dependencies count too.
    uses: &'static [&'static str],
    /// Outside crates it may use beside [`COMMON`].
    outside: &'static [&'static str],
    /// Outside crates it may use only behind a feature.
    behind_feature: &'static [&'static str],
    /// Whether it may reach an async runtime or a network.
    awaits: bool,
}

impl Layer {
    /// A crate that uses no other, awaits nothing and needs only [`COMMON`].
    const fn of(folder: &'static str) -> Self {
        Self { folder, uses: &[], outside: &[], behind_feature: &[], awaits: false }
    }

    const fn uses(self, uses: &'static [&'static str]) -> Self {
        Self { uses, ..self }
    }

    const fn outside(self, outside: &'static [&'static str]) -> Self {
        Self { outside, ..self }
    }

    const fn behind_feature(self, behind_feature: &'static [&'static str]) -> Self {
        Self { behind_feature, ..self }
    }

    const fn awaits(self) -> Self {
        Self { awaits: true, ..self }
    }
}

/// Outside crates every crate may use.
const COMMON: [&str; 3] = ["serde", "serde_json", "thiserror"];

/// Outside crates that bring a runtime or a network; only a layer that awaits may reach one.
const RUNTIMES: [&str; 10] = [
    "async-std",
    "futures-executor",
    "genai",
    "hyper",
    "mio",
    "reqwest",
    "smol",
    "socket2",
    "tokio",
    "ureq",
];

/// Crates without I/O of their own: what `driver`, `conformance` and `cli` all stand on.
const PURE: [&str; 7] =
    ["evidence", "obligations", "artifacts", "judge", "assess", "hosts", "ledger"];

/// Who may use whom. A row only names rows above it, so the arrows cannot run in a circle.
///
/// Judge never sees a standing and assess never sees a directive, or one would come to excuse the
/// other; only the ledger's receipt holds both.
const TABLE: &[Layer] = &[
    Layer::of("evidence").outside(&["sha2"]),
    Layer::of("obligations").uses(&["evidence"]),
    // The disk probe is the one file of a lower crate that touches a disk.
    Layer::of("artifacts").behind_feature(&["rustix"]),
    Layer::of("judge").uses(&["evidence", "obligations", "artifacts"]),
    Layer::of("assess"),
    Layer::of("hosts").uses(&["evidence", "obligations"]).outside(&[
        "jsonc-parser",
        "postcard",
        "ruzstd",
        "toml_edit",
    ]),
    Layer::of("ledger")
        .uses(&["evidence", "obligations", "artifacts", "judge", "assess"])
        .outside(&["ct-merkle"])
        .behind_feature(&["rusqlite"]),
    Layer::of("driver")
        .uses(&PURE)
        .outside(&[
            "async-trait",
            "globset",
            "hmac",
            "regex",
            "rustix",
            "sha2",
            "strsim",
            "tokio",
            "toml",
        ])
        .behind_feature(&[
            "genai",
            "reqwest",
            "rustls",
            "rustls-platform-verifier",
            "tempfile",
            "tracing",
        ])
        .awaits(),
    // One of the two, whichever it is built with.
    Layer::of("report")
        .uses(&["evidence", "judge", "assess", "ledger"])
        .outside(&["askama", "maud"]),
    Layer::of("cli")
        .uses(&[
            "evidence",
            "obligations",
            "artifacts",
            "judge",
            "assess",
            "hosts",
            "ledger",
            "driver",
            "report",
        ])
        .outside(&[
            "anstream",
            "anstyle",
            "async-trait",
            "clap",
            "clap_complete",
            "clap_mangen",
            "indicatif",
            "jiff",
            "miette",
            "similar",
            "tempfile",
            "tokio",
        ])
        .awaits(),
    Layer::of("conformance").uses(&PURE).outside(&["clap"]),
    Layer::of("xtask").outside(&[
        "cargo_metadata",
        "clap",
        "proc-macro2",
        "syn",
        "tempfile",
        "toml",
    ]),
];

/// The crates a stranger should be able to take alone, lowest first.
const LEAN: [&str; 2] = ["evidence", "obligations"];

/// A stranger who takes one of [`LEAN`] compiles fewer outside crates than this. Measured: 22 with
/// serde, `serde_json`, sha2 and thiserror; `regex` alone would make it 26.
const LEAN_LIMIT: usize = 25;

/// Holds the workspace against the table and the lean crates against their limit.
pub(crate) fn layers(root: &Path) -> Result<(), Failure> {
    let graph = Graph::read(root)?;
    for (folder, reach) in graph.reaches() {
        println!("{folder:<12} reaches {:>3} outside crates", reach.len());
    }
    let mut findings = rules::check(&graph, TABLE);
    for folder in LEAN.iter().filter(|folder| graph.has(folder)) {
        let outside = alone(root, folder, &graph)?;
        println!("{folder:<12} alone brings {} outside crates", outside.len());
        findings.extend(lean(folder, &outside));
    }
    Failure::unless_empty(findings)
}

/// Builds a stranger's crate on one of ours and names the outside crates that came along.
fn alone(root: &Path, folder: &str, graph: &Graph) -> Result<Vec<String>, Failure> {
    let downstream = Downstream::of(root, folder)?;
    let outside = downstream.outside_crates()?;
    downstream.build(&graph.target_folder)?;
    Ok(outside)
}

/// Says what is wrong with what a lean crate brings along.
fn lean(folder: &str, outside: &[String]) -> Vec<Finding> {
    let mut findings = Vec::new();
    if outside.len() >= LEAN_LIMIT {
        let counted = outside.len();
        let listed = outside.join(", ");
        findings.push(Finding::at(
            folder,
            format!("alone brings {counted} outside crates, {LEAN_LIMIT} or more: {listed}"),
        ));
    }
    let runtimes = outside.iter().filter(|name| RUNTIMES.contains(&name.as_str()));
    findings.extend(runtimes.map(|name| Finding::at(folder, format!("alone brings `{name}`"))));
    findings
}

#[cfg(test)]
mod tests {
    use super::graph::Graph;
    use super::{LEAN, LEAN_LIMIT, TABLE, alone, layers, lean};
    use crate::files;

    #[test]
    fn the_workspace_keeps_to_the_table() {
        if let Err(failure) = layers(&files::root()) {
            panic!("{failure}");
        }
    }

    #[test]
    fn a_stranger_builds_a_lean_crate_alone() {
        let root = files::root();
        let graph = Graph::read(&root).unwrap();
        let present: Vec<_> = LEAN.iter().filter(|folder| graph.has(folder)).collect();
        assert!(!present.is_empty(), "none of {LEAN:?} is in the workspace");
        for folder in present {
            let outside = alone(&root, folder, &graph).unwrap();
            assert!(outside.contains(&"serde".to_owned()), "{outside:?}");
            assert_eq!(lean(folder, &outside), []);
        }
    }

    #[test]
    fn too_many_crates_and_a_runtime_are_found() {
        let many: Vec<String> = (0..LEAN_LIMIT).map(|n| format!("crate{n}")).collect();
        assert_eq!(lean("obligations", &many).len(), 1);
        assert_eq!(lean("obligations", &many[1..]), []);
        let found = lean("obligations", &["serde".to_owned(), "tokio".to_owned()]);
        assert_eq!(found[0].to_string(), "obligations: alone brings `tokio`");
    }

    #[test]
    fn rows_only_name_rows_above_them() {
        for (index, row) in TABLE.iter().enumerate() {
            for used in row.uses {
                let above = TABLE[..index].iter().any(|other| other.folder == *used);
                assert!(above, "`{}` names `{used}`, which is not above it", row.folder);
            }
        }
    }

    #[test]
    fn only_driver_and_cli_await() {
        let awaiting: Vec<_> =
            TABLE.iter().filter(|row| row.awaits).map(|row| row.folder).collect();
        assert_eq!(awaiting, ["driver", "cli"]);
    }
}
