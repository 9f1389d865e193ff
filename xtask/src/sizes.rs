//! Prints how large files and functions are, crate by crate.
//!
//! A mirror, not a limit: nothing fails here. Tests are measured apart: files under `tests/`,
//! `benches/`, `examples/` and `fuzz/`, files named after tests, and test modules inside a source.

use std::collections::BTreeMap;
use std::path::Path;

use crate::failure::Failure;
use crate::files::{self, Text};

mod lines;
mod measure;

use measure::Measure;

/// Measures every crate and prints a row for each.
pub(crate) fn sizes(root: &Path) -> Result<(), Failure> {
    let mut paths = files::list(root)?;
    paths.retain(|path| path.ends_with(".rs") && crate_of(path).is_some());
    let measures = measured(&files::texts(root, &paths)?)?;
    println!("{}", heading());
    for (name, measure) in &measures {
        println!("{}", row(name, measure));
    }
    Ok(())
}

fn measured(texts: &[Text]) -> Result<BTreeMap<String, Measure>, Failure> {
    let mut measures: BTreeMap<String, Measure> = BTreeMap::new();
    for text in texts {
        let Some(name) = crate_of(&text.path) else { continue };
        let measure = measures.entry(name.to_owned()).or_default();
        if is_test(&text.path) {
            measure.add_test(&text.text);
        } else {
            measure.add_source(&text.text).map_err(|cause| Failure::Shape {
                what: format!("`{}`", text.path),
                cause: cause.to_string(),
            })?;
        }
    }
    Ok(measures)
}

/// The folder of the crate a path lies in.
fn crate_of(path: &str) -> Option<&str> {
    let mut parts = path.split('/');
    match parts.next()? {
        "crates" => parts.next(),
        "xtask" => Some("xtask"),
        _ => None,
    }
}

fn is_test(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let apart = ["tests", "benches", "examples", "fuzz"];
    folders.split('/').any(|folder| apart.contains(&folder))
        || name == "tests.rs"
        || name.ends_with("_test.rs")
        || name.ends_with("_tests.rs")
}

fn heading() -> String {
    let columns =
        ["code", "files med/p90/max", "fns med/p90/max", "doc", "cmt", "pub doc", "test", "unwrap"];
    let [code, files, functions, doc, cmt, public, test, unwrap] = columns;
    format!(
        "{:<14}{code:>7}{files:>20}{functions:>18}{doc:>6}{cmt:>6}{public:>9}{test:>6}{unwrap:>8}",
        "crate"
    )
}

fn row(name: &str, measure: &Measure) -> String {
    format!(
        "{name:<14}{:>7}{:>20}{:>18}{:>6.2}{:>6.2}{:>9}{:>6.2}{:>8.1}",
        measure.code,
        spread(&measure.files),
        spread(&measure.functions),
        ratio(measure.doc, measure.code),
        ratio(measure.comment, measure.code),
        share(measure.documented, measure.public),
        ratio(measure.test, measure.code),
        1000.0 * ratio(measure.unwraps, measure.code),
    )
}

/// Median, ninetieth percentile and maximum, each by nearest rank.
fn spread(lengths: &[usize]) -> String {
    let mut sorted = lengths.to_vec();
    sorted.sort_unstable();
    let ranked = |percent: usize| {
        let rank = (sorted.len() * percent).div_ceil(100).max(1);
        sorted.get(rank - 1).copied().unwrap_or_default()
    };
    format!("{} / {} / {}", ranked(50), ranked(90), ranked(100))
}

/// One count as a share of another; a dash where there is nothing to share.
fn share(part: usize, whole: usize) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.0}%", 100.0 * ratio(part, whole)) }
}

/// One count per another; zero where there is nothing to divide by.
fn ratio(part: usize, whole: usize) -> f64 {
    let narrow = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    if whole == 0 { 0.0 } else { narrow(part) / narrow(whole) }
}

#[cfg(test)]
mod tests {
    use super::{crate_of, heading, is_test, row, sizes, spread};
    use crate::files;
    use crate::sizes::measure::Measure;

    #[test]
    fn this_repository_is_measured() {
        sizes(&files::root()).unwrap();
    }

    #[test]
    fn a_row_lines_up_with_the_heading() {
        let row = row("evidence", &Measure::default());
        assert_eq!(row.chars().count(), heading().chars().count());
    }

    #[test]
    fn lengths_are_spread_by_nearest_rank() {
        assert_eq!(spread(&[]), "0 / 0 / 0");
        assert_eq!(spread(&[7]), "7 / 7 / 7");
        assert_eq!(spread(&[9, 1, 2, 3, 4, 5, 6, 7, 8, 10]), "5 / 9 / 10");
    }

    #[test]
    fn paths_tell_their_crate_and_whether_they_are_tests() {
        assert_eq!(crate_of("crates/judge/src/lib.rs"), Some("judge"));
        assert_eq!(crate_of("xtask/src/main.rs"), Some("xtask"));
        assert_eq!(crate_of("examples/a.rs"), None);
        assert!(
            is_test("crates/judge/tests/it/main.rs") && is_test("crates/judge/src/plan/tests.rs")
        );
        assert!(!is_test("crates/judge/src/attests.rs"));
    }
}
