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
    let mut cases: BTreeMap<&str, Case> = BTreeMap::new();
    let mut findings = Vec::new();
    for path in paths {
        let snapshot = path.ends_with(SNAPSHOT);
        if let Some((_, case)) = area_and_case(path) {
            let case = cases.entry(case).or_default();
            case.snapshot |= snapshot;
            case.input |= !snapshot;
        } else if snapshot && path.starts_with(FOLDER) {
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

/// The folders of the area and of the case a golden path lies in, each with its last slash.
pub(crate) fn area_and_case(path: &str) -> Option<(&str, &str)> {
    let below = path.strip_prefix(FOLDER)?;
    let area = FOLDER.len() + below.find('/')? + 1;
    let case = area + path.get(area..)?.find('/')? + 1;
    Some((path.get(..area)?, path.get(..case)?))
}

fn incomplete(case: &str, holds: Case) -> Option<Finding> {
    let place = case.trim_end_matches('/');
    match (holds.input, holds.snapshot) {
        (true, true) => None,
        (false, _) => Some(Finding::at(place, "a snapshot without an input beside it")),
        (true, false) => Some(Finding::at(place, "an input without a snapshot beside it")),
    }
}

#[cfg(test)]
mod tests {
    use super::{area_and_case, misplaced, orphans};

    fn found(paths: &[&str]) -> Vec<String> {
        let paths: Vec<_> = paths.iter().map(|path| (*path).to_owned()).collect();
        orphans(&paths).iter().chain(&misplaced(&paths)).map(ToString::to_string).collect()
    }

    #[test]
    fn a_path_tells_its_area_and_case() {
        let folders = Some(("golden/a/", "golden/a/b/"));
        assert_eq!(area_and_case("golden/a/b/x.snap"), folders);
        assert_eq!(area_and_case("golden/a/b/c/x.snap"), folders);
        assert_eq!(area_and_case("golden/a/x.snap"), None);
        assert_eq!(area_and_case("crates/a/b/x.snap"), None);
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
