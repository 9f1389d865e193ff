//! A golden case is a folder that holds an input and the snapshot it must give.
//!
//! `golden/<area>/<case>/` is one case; an input without a snapshot pins nothing, a snapshot
//! without an input explains nothing. That a test reads a snapshot at all is checked where the
//! tests are run, by `cargo xtask golden --check`.

use std::collections::BTreeMap;

use crate::failure::Finding;

/// The folder all golden cases lie under, with its slash.
pub(crate) const FOLDER: &str = "golden/";

/// How the file of a snapshot ends.
pub(crate) const SNAPSHOT: &str = ".snap";

/// What a case folder holds.
#[derive(Clone, Copy, Debug, Default)]
struct Case {
    input: bool,
    snapshot: bool,
}

/// Finds cases that lack one of the two, and snapshots that lie in no case.
pub(crate) fn orphans(paths: &[String]) -> Vec<Finding> {
    let mut cases: BTreeMap<String, Case> = BTreeMap::new();
    let mut findings = Vec::new();
    for path in paths {
        let Some(below) = path.strip_prefix(FOLDER) else { continue };
        let snapshot = path.ends_with(SNAPSHOT);
        if let Some(case) = case_of(below) {
            let case = cases.entry(case).or_default();
            case.snapshot |= snapshot;
            case.input |= !snapshot;
        } else if snapshot {
            findings.push(Finding::at(path, "a snapshot lies in `golden/<area>/<case>/`"));
        }
    }
    findings.extend(cases.iter().filter_map(|(case, holds)| incomplete(case, *holds)));
    findings
}

/// Finds snapshots beside sources: short ones are written into the test, long ones are golden.
pub(crate) fn misplaced(paths: &[String]) -> Vec<Finding> {
    let beside_source = |path: &&String| {
        path.ends_with(SNAPSHOT) && (path.starts_with("crates/") || path.starts_with("xtask/"))
    };
    let found = paths.iter().filter(beside_source);
    found
        .map(|path| Finding::at(path, "a snapshot lies under `golden/`, not beside sources"))
        .collect()
}

/// The `<area>/<case>` a path below the golden folder belongs to.
fn case_of(below: &str) -> Option<String> {
    let mut parts = below.splitn(3, '/');
    let (area, case, _file) = (parts.next()?, parts.next()?, parts.next()?);
    Some(format!("{area}/{case}"))
}

fn incomplete(case: &str, holds: Case) -> Option<Finding> {
    let place = format!("{FOLDER}{case}");
    match (holds.input, holds.snapshot) {
        (true, true) => None,
        (false, _) => Some(Finding::at(place, "a snapshot without an input beside it")),
        (true, false) => Some(Finding::at(place, "an input without a snapshot beside it")),
    }
}

#[cfg(test)]
mod tests {
    use super::{misplaced, orphans};

    fn found(paths: &[&str]) -> Vec<String> {
        let paths: Vec<_> = paths.iter().map(|path| (*path).to_owned()).collect();
        orphans(&paths).iter().chain(&misplaced(&paths)).map(ToString::to_string).collect()
    }

    #[test]
    fn a_case_with_both_passes() {
        let none: [&str; 0] = [];
        assert_eq!(found(&["golden/a/b/case.json", "golden/a/b/audit.snap"]), none);
        assert_eq!(found(&["golden/a/b/in/deep.json", "golden/a/b/audit.txt.snap"]), none);
        assert_eq!(found(&["golden/README.md", "golden/a/shared.toml", "crates/x/a.json"]), none);
    }

    #[test]
    fn a_case_that_lacks_one_is_found() {
        let told = ["golden/a/b: an input without a snapshot beside it"];
        assert_eq!(found(&["golden/a/b/case.json"]), told);
        let told = ["golden/a/b: a snapshot without an input beside it"];
        assert_eq!(
            found(&["golden/a/b/audit.snap", "golden/a/c/case.json", "golden/a/c/x.snap"]),
            told
        );
    }

    #[test]
    fn a_snapshot_in_no_case_is_found() {
        assert_eq!(found(&["golden/a.snap"]).len(), 1);
        assert_eq!(found(&["golden/a/b.snap"]).len(), 1);
        assert_eq!(found(&["crates/x/tests/snapshots/y.snap"]).len(), 1);
        assert_eq!(found(&["xtask/src/y.snap"]).len(), 1);
    }
}
