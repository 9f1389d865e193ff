//! Laws of the packet, the id and the incremental builder.

use proptest::prelude::*;
use quittance_evidence::packet::PACKET_CHARS_MAX;
use quittance_evidence::{Boundary, EvidenceBuilder, Snapshot, ToolCatalogue, VerificationState};
use serde_json::{Value, json};

fn catalogue() -> ToolCatalogue {
    let tools = json!([
        {"name": "edit", "annotations": {"kind": "edit"}},
        {"name": "look", "annotations": {"kind": "read"}},
        {"name": "run", "annotations": {"completion_evidence_role": "observation"}},
        {"name": "verify", "annotations": {"completion_evidence_role": "verification"}},
    ]);
    ToolCatalogue::from_value(&tools, &Value::Null)
}

fn boundary() -> Boundary {
    Boundary {
        task: "Task.".to_owned(),
        stop_reason: "natural".to_owned(),
        text: "Done.".to_owned(),
        ..Boundary::default()
    }
}

/// Few ids, tools, paths and handles, so that they collide; calls and results in any order.
fn messages() -> impl Strategy<Value = Vec<Value>> {
    let id = prop::sample::select(vec!["", "a", "b", "c", "d"]);
    let tool = prop::sample::select(vec!["edit", "look", "run", "verify", "wait", ""]);
    let args = prop::sample::select(vec![
        json!({"path": "x"}),
        json!({"path": "y"}),
        json!({"command": "ls"}),
        json!({"handle_id": "h"}),
        json!("{bad"),
        json!(null),
    ]);
    let call = (id.clone(), tool.clone(), args)
        .prop_map(|(id, name, args)| json!({"id": id, "name": name, "args": args}));
    let assistant = prop::collection::vec(call, 0..3)
        .prop_map(|calls| json!({"role": "assistant", "content": "", "tool_calls": calls}));
    let outcome = prop::sample::select(vec!["ok", "error", "odd"]);
    let origin = prop::sample::select(vec!["dispatch", "harness_repair"]);
    let data = prop::sample::select(vec![
        json!({"changed_paths": ["x", "z"]}),
        json!({"handle_id": "h"}),
        json!({"run_outcome": {"handle_id": "h"}}),
        json!({}),
    ]);
    let text = prop::sample::select(vec!["", "one\ntwo", "\u{1}\u{7f}"]);
    let result = (id, tool, outcome, origin, data, text).prop_map(
        |(id, name, outcome, origin, data, text)| {
            json!({
                "role": "tool", "tool_call_id": id, "name": name, "content": text,
                "_harn": {"outcome": outcome, "origin": origin, "data": data},
            })
        },
    );
    let other = prop::sample::select(vec![
        json!({"role": "user", "content": "hi"}),
        json!({"role": "alien"}),
        json!(3),
        json!({"role": "assistant", "usage": {"input_tokens": "x"}, "content": "hm"}),
    ]);
    prop::collection::vec(prop_oneof![4 => assistant, 5 => result, 1 => other], 0..24)
}

fn at_once(messages: &[Value], boundary: Boundary) -> Snapshot {
    EvidenceBuilder::of(&json!(messages), catalogue()).snapshot(boundary)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn incrementally_and_at_once_agree_at_every_prefix(
        messages in messages(),
        cited in prop::sample::subsequence(vec!["a", "b", "zz"], 0..3),
    ) {
        let claim = json!({"requirements": [{"requirement_id": "r", "evidence_refs": cited}]});
        let claimed = Boundary { claim: Some(claim), ..boundary() };
        let mut builder = EvidenceBuilder::new(catalogue());
        for end in 0..=messages.len() {
            let prefix = &messages[..end];
            prop_assert_eq!(builder.snapshot(boundary()), at_once(prefix, boundary()));
            prop_assert_eq!(builder.snapshot(claimed.clone()), at_once(prefix, claimed.clone()));
            if let Some(next) = messages.get(end) {
                builder.push(next);
            }
        }
    }

    #[test]
    fn the_id_names_what_it_says_and_nothing_else(messages in messages()) {
        let id = |boundary: Boundary| at_once(&messages, boundary).evidence_id();
        let same = [
            Boundary { session_id: "another".into(), ..boundary() },
            Boundary { iteration: 7, ..boundary() },
            Boundary { raw_text: "Done. ##DONE##".into(), ..boundary() },
            Boundary { sentinel: "##DONE##".into(), ..boundary() },
            Boundary { obligations: json!({"original_task": "Another."}), ..boundary() },
        ];
        for boundary_ in same {
            prop_assert_eq!(id(boundary_), id(boundary()));
        }
        let other = [
            Boundary { task: "Another.".into(), ..boundary() },
            Boundary { stop_reason: "sentinel".into(), ..boundary() },
            Boundary { text: "Done. ".into(), ..boundary() },
            Boundary { pending_effects: 1, ..boundary() },
            Boundary { obligations_digest: "sha256:ab".into(), ..boundary() },
            Boundary { claim: Some(json!({})), ..boundary() },
        ];
        for boundary_ in other {
            prop_assert_ne!(id(boundary_), id(boundary()));
        }
        let mut bound = at_once(&messages, boundary());
        let state = json!({"observed": "passed", "command": "make", "oracle_expected": true});
        bound.bind(VerificationState::from_value(&state).unwrap().unwrap());
        prop_assert_ne!(bound.evidence_id(), id(boundary()));
    }

    #[test]
    fn an_idle_word_moves_only_the_transcript_digest(messages in messages()) {
        let mut longer = vec![json!({"role": "user", "content": "by the way"})];
        longer.extend(messages.iter().cloned());
        let (short, long) = (at_once(&messages, boundary()), at_once(&longer, boundary()));
        prop_assert_ne!(
            &short.stats().raw_transcript_digest,
            &long.stats().raw_transcript_digest
        );
        // Indices shift by the added message, so only a run without calls keeps its id.
        if messages.is_empty() {
            prop_assert_eq!(short.evidence_id(), long.evidence_id());
        }
    }
}

#[test]
fn the_packet_stays_under_its_bound_whatever_the_run() {
    let long = "\u{1}".repeat(20_000);
    let mut builder = EvidenceBuilder::new(catalogue());
    for number in 0..60 {
        let tool = ["edit", "run", "verify", "look", "unknown"][number % 5];
        let id = format!("{number}{long}");
        builder.push(&json!({"role": "assistant", "content": long, "tool_calls": [
            {"id": id, "name": format!("{tool}"), "args": {"path": format!("{number}{long}"), "x": long}},
            {"id": "shared", "name": long, "args": {"command": long}},
        ]}));
        builder.push(&json!({"role": "tool", "tool_call_id": id, "content": long, "_harn": {
            "outcome": "error", "data": {"changed_paths": [format!("{number}{long}")], "x": long},
        }}));
    }
    let text = long.clone();
    let mut snapshot = builder.snapshot(Boundary { text, ..boundary() });
    let state = json!({"observed": "failed", "command": "make"});
    snapshot.bind(VerificationState::from_value(&state).unwrap().unwrap());
    assert!(snapshot.stats().serialized_chars <= PACKET_CHARS_MAX);
    assert!(snapshot.stats().serialized_chars > PACKET_CHARS_MAX / 20);
}

#[test]
fn a_shared_id_is_linear() {
    // A product of calls and results would be 10^8 steps here.
    let mut builder = EvidenceBuilder::new(catalogue());
    for _ in 0..10_000 {
        builder.push(&json!({"role": "assistant", "tool_calls": [{"id": "x", "name": "run"}]}));
        builder.push(&json!({"role": "tool", "tool_call_id": "x", "content": "y"}));
    }
    let snapshot = builder.snapshot(boundary());
    assert_eq!(snapshot.stats().relevant_call_count, 10_000);
    assert_eq!(snapshot.stats().lifecycle_issue_count, 10_001);
}
