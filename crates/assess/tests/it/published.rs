//! Standings the original's authors publish for records of theirs.

use std::fs;

use quittance_assess::{Assessment, Declarations, Record, Served, TurnFrom, assess};
use serde_json::{Value, json};

fn published() -> Option<Value> {
    let file = crate::shared("vectors/assess-published.json")?;
    Some(serde_json::from_slice(&fs::read(file).unwrap()).unwrap())
}

/// An assessment as the authors list them.
fn listed(assessment: &Assessment<'_>) -> Value {
    let reasons: Vec<_> = assessment.reasons().iter().map(|fired| fired.reason.as_str()).collect();
    let check = |c: &quittance_assess::Check<'_>| json!({"layer": c.name.layer().number(), "check": c.name.as_str(), "ran": c.ran, "of": c.of});
    json!({
        "assessment": assessment.value().as_str(),
        "standing": assessment.standing().as_str(),
        "reasons": reasons,
        "turnFrom": assessment.turn_from().as_str(),
        "checked": assessment.checked().iter().map(check).collect::<Vec<_>>(),
    })
}

#[test]
fn the_published_files_come_out() {
    let Some(published) = published() else { return };
    let files = published["files_here"].as_array().unwrap();
    assert_eq!(files.len(), 5);
    for expected in files {
        let name = expected["file"].as_str().unwrap();
        let folder = "corpus/agentfootprint/footprintjs__agentfootprint";
        let Some(file) = crate::shared(&format!("{folder}/{name}")) else { return };
        let text = fs::read(file).unwrap();
        let record = Record::parse(&text).unwrap();
        let bare = Record::parse_state(&text, Served::AsIs).unwrap();
        let record = if record.has_state() { record } else { bare };
        let mut got = listed(&assess(&record, &Declarations::default()));
        let mut want = expected.clone();
        for key in ["file", "source", "resultsInTurn", "resultsUnreadable"] {
            want.as_object_mut().unwrap().remove(key);
        }
        // Its declarations are not published.
        if name.starts_with("turn2") {
            for listed in [&mut got, &mut want] {
                let checks = listed["checked"].as_array_mut().unwrap();
                checks.retain(|check| check["check"] != "result-shape");
            }
        }
        assert_eq!(got, want, "{name}");
    }
}

/// The probes by the authors' ids, over records of ours, with the published answer.
fn probes() -> [(&'static str, Value, &'static str, &'static str); 9] {
    let asked = json!({"role": "user", "content": "Which VMs run on host-9?"});
    let answered = json!({"role": "assistant", "content": "None."});
    let result = |content: &str| json!({"role": "tool", "toolCallId": "c1", "content": content});
    let rows = json!([asked, result(r#"[{"vm":"a"}]"#), answered]);
    let none = json!([asked, result("[]"), answered]);
    let ledger =
        result(r#"{"af_coverage":{"checked":[{"what":"inventory"}]},"result":[{"vm":"a"}]}"#);
    let filed =
        json!([{"kind": "ledger", "toolCallId": "c1", "notChecked": [], "cannotCover": []}]);
    let passed = json!({"status": "passed", "mode": "enforce", "candidateDigest": "sha256:1f"});
    let observed = json!({"status": "passed", "mode": "observe", "candidateDigest": "sha256:1f"});
    let undigested = json!({"status": "passed", "mode": "enforce"});
    let spoken = json!([asked, answered]);
    [
        ("empty-state", json!({}), "not-applicable", "not-assessed"),
        ("history-only-no-results", json!({"history": spoken}), "not-applicable", "not-assessed"),
        ("rows-nothing-declared", json!({"history": rows}), "unrefuted", "consistent"),
        ("empty-rowset-undeclared", json!({"history": none}), "unknown", "not-sure"),
        (
            "declared-ledger-no-gap-rows",
            json!({"history": [asked, ledger], "coverageDeclared": filed}),
            "unrefuted",
            "consistent",
        ),
        (
            "validation-passed-observe-mode",
            json!({"history": spoken, "answerValidation": observed}),
            "unrefuted",
            "consistent",
        ),
        (
            "validation-passed-no-digest",
            json!({"history": spoken, "answerValidation": undigested}),
            "unrefuted",
            "consistent",
        ),
        (
            "validation-passed-enforce-POSITIVE-CONTROL",
            json!({"history": rows, "answerValidation": passed}),
            "known",
            "known",
        ),
        (
            "validation-passed-but-empty-undeclared",
            json!({"history": none, "answerValidation": passed}),
            "unknown",
            "not-sure",
        ),
    ]
}

#[test]
fn silence_is_never_approval() {
    for (id, state, value, standing) in probes() {
        let text = state.to_string();
        let record = Record::parse_state(text.as_bytes(), Served::AsIs).unwrap();
        let got = assess(&record, &Declarations::default());
        assert_eq!((got.value().as_str(), got.standing().as_str()), (value, standing), "{id}");
        let person = if id == "empty-state" { TurnFrom::WholeHistory } else { TurnFrom::Person };
        assert_eq!(got.turn_from(), person, "{id}");
    }
}

#[test]
fn the_probes_are_the_published_ones() {
    let Some(published) = published() else { return };
    let ours: Vec<_> = probes()
        .into_iter()
        .map(
            |(id, _, value, standing)| json!({"id": id, "assessment": value, "standing": standing}),
        )
        .collect();
    assert_eq!(published["silence_probes"], Value::from(ours));
}
