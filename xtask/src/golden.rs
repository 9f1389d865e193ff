//! Regenerates the golden snapshots, or verifies them.
//!
//! The tests that read `golden/` are found and run; insta writes or compares. A snapshot that no
//! test read and a case that lacks an input or a snapshot are findings either way.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::failure::{Failure, Finding};
use crate::files;
use crate::tidy::goldens;

mod changes;
mod readers;
mod snapshots;

use readers::{Reader, Update};
use snapshots::Snapshots;

/// What to do with which case.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Fail where a snapshot differs instead of writing it
    #[arg(long)]
    check: bool,
    /// Only the cases whose `<area>/<case>` contains this; all others stay as they are
    case: Option<String>,
}

/// Regenerates or verifies.
pub(crate) fn golden(root: &Path, args: &Args) -> Result<(), Failure> {
    match (args.check, &args.case) {
        (true, None) => verify(root),
        (true, Some(case)) => verify_case(root, case),
        (false, case) => regenerate(root, case.as_deref()),
    }
}

/// Verifies every snapshot without writing one.
pub(crate) fn verify(root: &Path) -> Result<(), Failure> {
    let ran = run_readers(root, Update::No)?;
    let findings = incomplete(root, ran)?;
    Failure::unless_empty(findings)
}

/// Rewrites the snapshots, then says which differ from the last commit and which ids in them.
fn regenerate(root: &Path, case: Option<&str>) -> Result<(), Failure> {
    let before = Snapshots::read(root)?;
    let ran = run_readers(root, Update::Always)?;
    if let Some(case) = case {
        before.restore(root, |path| !belongs_to(path, case))?;
    }
    changes::print(root, |path| case.is_none_or(|case| belongs_to(path, case)))?;
    let findings = if case.is_none() { incomplete(root, ran)? } else { ran.findings };
    Failure::unless_empty(findings)
}

/// Rewrites the snapshots, compares those of one case and puts all back as they were.
fn verify_case(root: &Path, case: &str) -> Result<(), Failure> {
    let before = Snapshots::read(root)?;
    let ran = run_readers(root, Update::Always);
    let after = Snapshots::read(root)?;
    before.restore(root, |_| true)?;
    let mut findings = ran?.findings;
    let differing = before.differing(&after);
    let ours = differing.into_iter().filter(|path| belongs_to(path, case));
    findings.extend(ours.map(|path| Finding::at(path, "differs from what the tests give")));
    Failure::unless_empty(findings)
}

/// Whether a path below the golden folder lies in a case whose `<area>/<case>` contains a text.
fn belongs_to(path: &str, case: &str) -> bool {
    let below = path.strip_prefix(goldens::FOLDER).unwrap_or(path);
    let folder = below.rsplit_once('/').map_or("", |(folder, _)| folder);
    folder.contains(case.trim_start_matches(goldens::FOLDER).trim_end_matches('/'))
}

/// What came of running the readers.
#[derive(Debug, Default)]
struct Ran {
    findings: Vec<Finding>,
    /// The snapshots the tests asked for, relative to the root.
    read: BTreeSet<String>,
}

/// Runs every test binary that reads the golden folder, all of them even where one fails.
fn run_readers(root: &Path, update: Update) -> Result<Ran, Failure> {
    let readers = readers::find(root)?;
    if readers.is_empty() {
        println!("no test reads `{}`", goldens::FOLDER);
    }
    let noted = TempDir::new().map_err(|cause| files::unusable(Path::new("temp"), cause))?;
    let noted = noted.path().join("read");
    let mut ran = Ran::default();
    for reader in &readers {
        ran.findings.extend(failed(reader, update, &noted)?);
    }
    ran.read = noted_snapshots(root, &noted)?;
    Ok(ran)
}

fn failed(reader: &Reader, update: Update, noted: &Path) -> Result<Option<Finding>, Failure> {
    let advice = match update {
        Update::No => "where only snapshots differ, `cargo xtask golden` writes them",
        Update::Always => "what differs is no golden snapshot",
    };
    match reader.run(update, noted) {
        Ok(()) => Ok(None),
        Err(Failure::Ended { status, .. }) => {
            Ok(Some(Finding::at(&reader.name, format!("tests fail ({status}); {advice}"))))
        }
        Err(other) => Err(other),
    }
}

/// Reads the list insta kept of the snapshots it was asked for.
fn noted_snapshots(root: &Path, noted: &Path) -> Result<BTreeSet<String>, Failure> {
    if !noted.exists() {
        return Ok(BTreeSet::new());
    }
    let text = String::from_utf8_lossy(&files::read(noted)?).into_owned();
    let root = fs::canonicalize(root).map_err(|cause| files::unusable(root, cause))?;
    let whole = text.lines().filter_map(|line| fs::canonicalize(line).ok());
    Ok(whole.filter_map(|path| files::relative(&root, &path)).collect())
}

/// Adds the cases that lack a part and the snapshots no test asked for. Of a run that failed, the
/// latter say nothing: a test may have stopped before it asked.
fn incomplete(root: &Path, ran: Ran) -> Result<Vec<Finding>, Failure> {
    let paths = files::list(root)?;
    let all_passed = ran.findings.is_empty();
    let mut findings = ran.findings;
    findings.extend(goldens::orphans(&paths));
    if all_passed {
        findings.extend(unread(&paths, &ran.read));
    }
    Ok(findings)
}

/// Finds snapshots nothing asked for. A test may skip a case its machine cannot play, so a case
/// that was left out whole is only mentioned, unless nothing of its area was read either.
fn unread(paths: &[String], read: &BTreeSet<String>) -> Vec<Finding> {
    let some_read_in = |folder: &str| read.iter().any(|path| path.starts_with(folder));
    let mut findings = Vec::new();
    for path in paths.iter().filter(|path| is_golden(path) && !read.contains(*path)) {
        let skipped = goldens::area_and_case(path)
            .is_some_and(|(area, case)| some_read_in(area) && !some_read_in(case));
        if skipped {
            println!("{path}: not read, as its test skips it or nothing tests it");
        } else {
            findings.push(Finding::at(path, "no test reads this snapshot"));
        }
    }
    findings
}

fn is_golden(path: &str) -> bool {
    path.starts_with(goldens::FOLDER) && path.ends_with(goldens::SNAPSHOT)
}

#[cfg(test)]
mod tests {
    use super::{belongs_to, unread};

    #[test]
    fn a_case_is_named_by_a_part_of_its_folder() {
        let path = "golden/check/false_done_abandoned/receipt.snap";
        for case in ["false_done", "check/false", "check/", "golden/check/false_done_abandoned"] {
            assert!(belongs_to(path, case), "{case}");
        }
        for case in ["honest_done", "receipt.snap", "golden/audit"] {
            assert!(!belongs_to(path, case), "{case}");
        }
    }

    fn found(paths: &[&str], read: &[&str]) -> Vec<String> {
        let paths: Vec<_> = paths.iter().map(|path| (*path).to_owned()).collect();
        let read = read.iter().map(|path| (*path).to_owned()).collect();
        unread(&paths, &read).into_iter().map(|finding| finding.place).collect()
    }

    #[test]
    fn a_snapshot_no_test_asked_for_is_found() {
        let paths = ["golden/a/b/x.snap", "golden/a/b/y.snap", "golden/a/b/case.json"];
        assert_eq!(found(&paths, &[paths[0]]), [paths[1]]);
        assert_eq!(found(&paths, &["golden/b/b/x.snap"]), [paths[0], paths[1]]);
    }

    #[test]
    fn a_case_that_was_skipped_whole_is_no_finding() {
        let paths = ["golden/a/b/x.snap", "golden/a/bc/x.snap"];
        let none: [&str; 0] = [];
        assert_eq!(found(&paths, &[paths[0]]), none);
        assert_eq!(found(&paths, &[paths[1]]), none);
    }
}
