//! The vectors as a workspace test, so that they meet the features the program is built with.
#![expect(clippy::unwrap_used, reason = "a helper that cannot go on fails its test")]
#![expect(clippy::print_stdout, reason = "a test that cannot run here says so")]

use std::path::Path;

use conformance::{Outcome, Vector};

fn check(file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vectors").join(file);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: {} is not beside this checkout", path.display());
        return;
    };
    let failed: Vec<String> = text
        .lines()
        .map(|line| Vector::parse(line).unwrap())
        .filter_map(|vector| match vector.run() {
            Outcome::Passed => None,
            Outcome::Failed(difference) => Some(format!("{}: {difference}", vector.id)),
        })
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn completion() {
    check("completion.ndjson");
}

#[test]
fn assess() {
    check("assess.ndjson");
}
