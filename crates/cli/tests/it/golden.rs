//! Whole checks, each as JSON and as people read it, from one value.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::run::{quittance, top};

/// The records of a case; `case.json` is the judge's part of it.
fn records(case: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(case).unwrap().map(|entry| entry.unwrap().path());
    let mut records: Vec<PathBuf> = files
        .filter(|file| file.is_file())
        .filter(|file| file.extension().is_some_and(|ending| ending == "jsonl" || ending == "json"))
        .filter(|file| !file.ends_with("case.json"))
        .collect();
    records.sort();
    records
}

fn check(policy: &Path) {
    let case = policy.parent().unwrap();
    for record in records(case) {
        let name = record.file_name().unwrap().to_str().unwrap();
        let stem = record.file_stem().unwrap().to_str().unwrap();
        let json = quittance(case, &["check", name, "--policy", "quittance.toml", "--json"]);
        let people = quittance(case, &["check", name, "--policy", "quittance.toml"]);
        assert_eq!(json.code, people.code, "{}", record.display());
        let document: Value = serde_json::from_str(&json.stdout).unwrap();
        pinned(case, || {
            insta::assert_json_snapshot!(format!("{stem}.check"), document);
            insta::assert_snapshot!(format!("{stem}.txt"), people.text());
        });
    }
}

/// Runs assertions whose snapshots stand in a case's own folder.
pub(crate) fn pinned(case: &Path, assertions: impl FnOnce()) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(case);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    // With the model client in the build, a JSON object keeps the order in which it was made.
    settings.set_sort_maps(true);
    settings.remove_snapshot_suffix();
    settings.remove_input_file();
    settings.bind(assertions);
}

#[test]
fn checks() {
    insta::glob!(top().join("golden"), "{check,bugs}/*/quittance.toml", check);
}

#[test]
fn a_line_of_25_megabytes_hides_nothing() {
    let case = top().join("golden/bugs/B051");
    let made: Value =
        serde_json::from_str(&std::fs::read_to_string(case.join("make.json")).unwrap()).unwrap();
    let repeated = "A".repeat(usize::try_from(made["repeat"].as_u64().unwrap()).unwrap());
    let lines = made["lines"].as_array().unwrap().iter();
    let lines: Vec<String> =
        lines.map(|line| line.to_string().replace("<A repeated>", &repeated)).collect();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("huge.jsonl"), lines.join("\n") + "\n").unwrap();
    let run = quittance(folder.path(), &["check", "huge.jsonl", "--json"]);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(document["run"]["candidate"], "after");
    pinned(&case, || insta::assert_json_snapshot!("huge.check", document));
}

#[test]
fn text_and_json_name_the_same_evidence() {
    let case = top().join("examples/false-done");
    let of = |command: &str| {
        let run = quittance(&case, &[command, "session.jsonl", "--json"]);
        let document: Value = serde_json::from_str(&run.stdout).unwrap();
        document
    };
    assert_eq!(of("check")["evidence"]["evidence_id"], of("evidence")["evidence_id"]);
    assert_eq!(of("check")["evidence"]["projection"], of("evidence")["projection"]);
}

#[test]
fn a_repeated_name_moves_the_source_digest_and_not_the_evidence() {
    let case = top().join("golden/bugs/B053");
    let of = |name: &str| {
        let run = quittance(&case, &["check", name, "--json"]);
        let document: Value = serde_json::from_str(&run.stdout).unwrap();
        document
    };
    let (a, b) = (of("a.jsonl"), of("b.jsonl"));
    assert_eq!(a["evidence"]["evidence_id"], b["evidence"]["evidence_id"]);
    assert_ne!(a["run"]["source"]["digest"], b["run"]["source"]["digest"]);
}
