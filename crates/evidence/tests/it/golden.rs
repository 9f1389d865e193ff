//! Goldens of lifecycle reports and of snapshots, ids in full.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use quittance_evidence::transcript::{IssueCode, LifecycleReport};
use quittance_evidence::{Boundary, EvidenceBuilder, ToolCatalogue, VerificationState};
use serde_json::{Value, json};

fn case(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn pinned(path: &Path, name: &str, value: &Value) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(path.parent().unwrap());
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    // With the model client in the build, a JSON object keeps the order in which it was made.
    settings.set_sort_maps(true);
    settings.remove_snapshot_suffix();
    settings.remove_input_file();
    settings.bind(|| insta::assert_json_snapshot!(name, value));
}

#[test]
fn lifecycles() {
    insta::glob!("../../../../golden/transcript", "*/case.json", |path| {
        let report = LifecycleReport::of(&case(path)["messages"]);
        pinned(path, "lifecycles", &json!(report));
    });
}

#[test]
fn every_issue_code_is_reached_by_a_golden() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/transcript");
    let mut reached = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let case = case(&entry.unwrap().path().join("case.json"));
        let report = LifecycleReport::of(&case["messages"]);
        reached.extend(report.issues.iter().map(|issue| issue.code.as_str()));
    }
    let all: BTreeSet<&str> = IssueCode::ALL.iter().map(|(_, word, _)| *word).collect();
    assert_eq!(reached, all);
}

#[test]
fn snapshots() {
    insta::glob!("../../../../golden/evidence", "*/case.json", |path| {
        let case = case(path);
        let text = |key: &str| case[key].as_str().unwrap_or_default().to_owned();
        let catalogue = ToolCatalogue::from_value(&case["tools"], &Value::Null);
        let boundary = Boundary {
            session_id: "session-1".to_owned(),
            task: text("task"),
            stop_reason: text("stop_reason"),
            text: text("text"),
            obligations_digest: text("obligations_digest"),
            claim: case.get("claim").cloned(),
            ..Boundary::default()
        };
        let mut snapshot = EvidenceBuilder::of(&case["messages"], catalogue).snapshot(boundary);
        if let Some(state) = VerificationState::from_value(&case["verification"]).unwrap() {
            snapshot.bind(state);
        }
        pinned(path, "snapshot", &snapshot.to_value());
    });
}
