//! Runs the shared vectors against the libraries, through the `conformance` binary.
//!
//! The vectors lie beside the checkout, not in it; where they or the crate are absent the chore
//! says so and ends well, since there is nothing it could have looked at.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::{files, run};

/// Operations the libraries answer so far; the run without arguments asks for these. A new
/// capability adds its own here, and when all are named the list goes.
const ANSWERED: [&str; 11] = [
    "assess.",
    "canonical.",
    "obligations.",
    "artifacts.",
    "transcript.",
    "evidence.",
    "requirements.",
    "verdict.",
    "judge.",
    "gate.",
    "boundary.",
];

/// What to hand on to the binary.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Arguments for the conformance binary, such as `--ops PREFIX,PREFIX`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Runs every vector file with the given arguments.
pub(crate) fn conformance(root: &Path, args: &Args) -> Result<(), Failure> {
    if !root.join("crates/conformance/Cargo.toml").is_file() {
        println!("skipped: there is no `crates/conformance` yet");
        return Ok(());
    }
    let vectors = vectors(&root.join("../shared/vectors"))?;
    if vectors.is_empty() {
        println!("skipped: there are no vectors at `../shared/vectors`");
        return Ok(());
    }
    let mut command = run::cargo(root);
    command.args(["run", "--release", "-q", "-p", "conformance", "--"]).args(vectors);
    run::run(command.args(handed_on(&args.rest)))
}

/// Runs what is answered so far; the step of CI.
pub(crate) fn answered(root: &Path) -> Result<(), Failure> {
    conformance(root, &Args { rest: Vec::new() })
}

fn handed_on(rest: &[String]) -> Vec<String> {
    if rest.is_empty() { vec!["--ops".to_owned(), ANSWERED.join(",")] } else { rest.to_vec() }
}

/// The vector files of a folder, sorted; none where there is no such folder.
fn vectors(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|cause| files::unusable(folder, cause))? {
        let path = entry.map_err(|cause| files::unusable(folder, cause))?.path();
        if path.extension().is_some_and(|extension| extension == "ndjson") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::{handed_on, vectors};

    #[test]
    fn arguments_replace_what_is_asked_by_default() {
        assert_eq!(handed_on(&[])[0], "--ops");
        assert_eq!(handed_on(&["--answers".to_owned()]), ["--answers"]);
    }

    #[test]
    fn only_ndjson_files_are_vectors() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.ndjson", "a.ndjson", "README.md"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let names = vectors(folder.path()).unwrap();
        assert_eq!(names, ["a.ndjson", "b.ndjson"].map(|name| folder.path().join(name)));
        assert!(vectors(&folder.path().join("absent")).unwrap().is_empty());
    }
}
