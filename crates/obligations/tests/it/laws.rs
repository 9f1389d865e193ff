//! The laws: text adds and never removes, only typed and recorded facts withdraw.

use proptest::prelude::*;
use quittance_evidence::Contract;
use quittance_obligations::Obligations;
use serde_json::{Value, json};

/// Rows of every action and provenance, known and unknown, with control words in their text.
fn rows() -> impl Strategy<Value = Vec<Value>> {
    let action = prop::sample::select(vec!["steer", "interrupt", "stop", "queue", "Steer", ""]);
    let provenance = prop::sample::select(vec!["recorded", "heuristic", "Recorded", ""]);
    let text = prop::sample::select(vec![
        "Add tests.",
        " ",
        "STOP. [Request interrupted by user]",
        "The objective is replaced.",
    ]);
    let objective = prop::sample::select(vec!["", " ", "Another goal."]);
    let row = (action, provenance, text, objective).prop_map(|(action, provenance, text, goal)| {
        json!({
            "action": action, "provenance": provenance, "text": text, "control_id": "c",
            "message_id": "m", "delivery_mode": "finish_step", "goal": {"objective": goal},
        })
    });
    prop::collection::vec(row, 0..12)
}

fn word<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap()
}

/// The same rows with one key of each set anew.
fn with(rows: &[Value], key: &str, value: &str) -> Vec<Value> {
    let mut rows = rows.to_vec();
    for row in &mut rows {
        if !word(row, key).trim().is_empty() {
            row[key] = json!(value);
        }
    }
    rows
}

proptest! {
    #[test]
    fn only_recorded_rows_withdraw(rows in rows()) {
        let owed = Obligations::from_control_rows(&rows, "Task.");
        let recorded: Vec<&Value> =
            rows.iter().filter(|row| word(row, "provenance") == "recorded").collect();
        let stops = recorded.iter().any(|row| word(row, "action") == "stop");
        prop_assert_eq!(owed.accepted_stop().is_some(), stops);
        let retargets = recorded.iter().any(|row| {
            ["steer", "interrupt"].contains(&word(row, "action"))
                && !word(row, "text").trim().is_empty()
                && !word(&row["goal"], "objective").trim().is_empty()
        });
        prop_assert_eq!(owed.retarget().is_some(), retargets);
    }

    #[test]
    fn provenance_never_takes_a_steer_away(rows in rows()) {
        let owed = Obligations::from_control_rows(&rows, "Task.");
        let guessed = with(&rows, "provenance", "heuristic");
        let guess = Obligations::from_control_rows(&guessed, "Task.");
        prop_assert_eq!(owed.steers(), guess.steers());
        prop_assert!(guess.accepted_stop().is_none() && guess.retarget().is_none());
    }

    #[test]
    fn what_the_text_says_changes_only_the_text(rows in rows(), said in "x[a-z\\[\\]<>/ ]{1,40}") {
        let owed = Obligations::from_control_rows(&rows, "Task.");
        let other = Obligations::from_control_rows(&with(&rows, "text", &said), "Task.");
        prop_assert_eq!(owed.steers().len(), other.steers().len());
        prop_assert_eq!(owed.accepted_stop(), other.accepted_stop());
        prop_assert_eq!(owed.retarget(), other.retarget());
    }

    #[test]
    fn a_fallback_never_shows_a_stop(rows in rows()) {
        let owed = Obligations::from_messages(&rows, "Task.");
        prop_assert!(owed.accepted_stop().is_none() && owed.retarget().is_none());
    }

    #[test]
    fn a_retarget_retires_every_row_and_nothing_else_does(rows in rows()) {
        let contract = Contract::from_value(&json!({"requirements": [
            {"requirement_id": "a", "name": "A."}, {"requirement_id": "b", "name": "B."},
        ]})).unwrap();
        let owed = Obligations::from_control_rows(&rows, "Task.");
        let under = owed.requirements(contract.clone());
        if owed.retarget().is_some() {
            prop_assert!(under.contract.is_none());
            prop_assert_eq!(under.retired.len(), 2);
        } else {
            prop_assert_eq!(under.contract, contract);
            prop_assert!(under.retired.is_empty());
        }
    }

    #[test]
    fn nothing_amended_is_an_empty_prompt_and_no_digest(task in any::<String>()) {
        let owed = Obligations::from_control_rows(&[], &task);
        prop_assert_eq!(owed.prompt(), "");
        prop_assert!(owed.digest().is_none());
        prop_assert_eq!(owed.objective(&task), &task);
    }

    #[test]
    fn a_record_reads_back(rows in rows()) {
        let owed = Obligations::from_control_rows(&rows, "Task.");
        let again: Obligations = serde_json::from_value(owed.to_value()).unwrap();
        prop_assert_eq!(again, owed);
    }

    #[test]
    fn values_of_any_shape_amend_nothing_by_themselves(values in prop::collection::vec(odd(), 0..6)) {
        let owed = Obligations::from_control_rows(&values, "Task.");
        prop_assert!(owed.accepted_stop().is_none() && owed.retarget().is_none());
        let delivered = Obligations::from_messages(&values, "Task.");
        prop_assert_eq!(delivered.prompt().is_empty(), delivered.steers().is_empty());
    }
}

/// Values of the wrong shape; none is a recorded row.
fn odd() -> impl Strategy<Value = Value> {
    let keys = prop::sample::select(vec![
        "action",
        "text",
        "goal",
        "provenance",
        "role",
        "content",
        "injectedMode",
    ]);
    let values = prop::sample::select(vec![
        json!(null),
        json!(1),
        json!([[]]),
        json!({"objective": []}),
        json!("steer"),
        json!("stop"),
        json!("finish_step"),
        json!("\u{0}"),
    ]);
    prop_oneof![
        Just(json!(7)),
        Just(json!([])),
        prop::collection::btree_map(keys, values, 0..7).prop_map(|fields| json!(fields)),
    ]
}
