//! The laws, over generated records.

use std::collections::BTreeSet;

use proptest::prelude::*;
use quittance_assess::{
    Assessment, Declarations, Reason, Record, Standing, StateKey, Value, assess, how_sure,
};

use crate::generated::{Json, served, snapshot, state};

fn declarations() -> Declarations {
    let mut declarations = Declarations::default();
    declarations.declare("vols", "rows").unwrap();
    declarations
}

fn folded<T>(record: &Json, read: impl FnOnce(&Assessment<'_>) -> T) -> T {
    let text = record.printed(0);
    let record = Record::parse(text.as_bytes()).unwrap();
    read(&assess(&record, &declarations()))
}

fn reasons(record: &Json) -> BTreeSet<Reason> {
    folded(record, |got| got.reasons().iter().map(|fired| fired.reason).collect())
}

/// Whether the state holds what alone supports "known", read by another reader.
fn supported(record: &Json) -> bool {
    let value: serde_json::Value =
        serde_json::from_str(&record.printed(0).replace("1e400", "1e40")).unwrap();
    let at = |field| value.pointer(&format!("/snapshot/sharedState/answerValidation/{field}"));
    let says = |field, word| at(field).is_some_and(|value| value == word);
    let digest = at("candidateDigest").is_some_and(serde_json::Value::is_string);
    says("status", "passed") && says("mode", "enforce") && digest
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn the_order_of_keys_changes_nothing(state in state(), turn in 1_usize..24) {
        let record = snapshot(state);
        let (text, turned) = (record.printed(0), record.printed(turn));
        let (one, other) = (Record::parse(text.as_bytes()), Record::parse(turned.as_bytes()));
        let declarations = declarations();
        let one = assess(&one.unwrap(), &declarations).to_json();
        let other = assess(&other.unwrap(), &declarations).to_json();
        prop_assert_eq!(one, other);
    }

    #[test]
    fn known_is_never_without_a_passed_enforcing_report(state in state()) {
        let record = snapshot(state);
        let (value, silent) = folded(&record, |got| (got.value(), got.reasons().is_empty()));
        if value == Value::Known {
            prop_assert!(silent && supported(&record));
        }
    }

    #[test]
    fn a_result_that_fires_nothing_removes_no_reason(
        mut state in state(),
        call in prop::option::of("c[0-9]"),
    ) {
        let before = reasons(&snapshot(state.clone()));
        let mut message = vec![("role", Json::text("tool")), ("content", Json::text("[1]"))];
        message.extend(call.map(|call| ("toolCallId", Json::Text(call))));
        match state.first_mut() {
            Some(("history", Json::List(history))) => history.push(Json::Object(message)),
            other => prop_assert!(false, "{other:?} is no history"),
        }
        let after = reasons(&snapshot(state));
        prop_assert!(before.is_subset(&after), "{:?}", before.difference(&after));
    }

    #[test]
    fn a_kept_out_key_that_is_asked_for_leaves_no_verdict(
        mut state in state(),
        key in prop::sample::select(&StateKey::ALL[..]),
        placeholder in prop::sample::select(&["REDACTED", "[REDACTED]"][..]),
    ) {
        // The one key that is asked for only when there is something to ask it about.
        prop_assume!(key != StateKey::MiddlewareDecisions);
        state.retain(|(name, _)| *name != key.as_str());
        state.push((key.as_str(), Json::text(placeholder)));
        let (standing, kept_out, printed) = folded(&served(state), |got| {
            (got.standing(), got.kept_out().collect::<Vec<_>>(), got.to_json())
        });
        prop_assert_eq!(standing, Standing::NotAssessed);
        prop_assert!(kept_out.contains(&key));
        prop_assert!(printed.contains("\"reasons\":[],\"checked\":[]"));
    }

    #[test]
    fn what_is_printed_is_read_back(state in state(), guarded: bool) {
        let record = if guarded { served(state) } else { snapshot(state) };
        folded(&record, |got| {
            let printed = got.to_json();
            let read = Assessment::parse(printed.as_bytes());
            prop_assert_eq!(read.as_ref(), Ok(got));
            Ok(())
        })?;
    }

    #[test]
    fn what_is_counted_and_said_holds_together(state in state()) {
        let text = snapshot(state).printed(0);
        let record = Record::parse(text.as_bytes()).unwrap();
        let got = assess(&record, &declarations());
        prop_assert!(got.checked().iter().all(|check| check.ran <= check.of && check.of > 0));
        prop_assert!(got.reasons().iter().all(|fired| !fired.witness.is_empty()));
        let words = how_sure(&record, &got);
        prop_assert!(!words.clauses.is_empty());
        let unshown = words.clauses.iter().any(|clause| clause.rests_on.is_empty());
        prop_assert_eq!(unshown, got.standing() == Standing::NotAssessed);
        prop_assert!(words.line().chars().all(|c| !c.is_control()));
    }
}

/// A "consistent" or better needs a check that ran; nothing at all is "not assessed".
#[test]
fn silence_is_not_assessed() {
    for record in [r"{}", r#"{"snapshot":{"sharedState":{}}}"#, r#"{"checkpoint":null}"#] {
        let record = Record::parse(record.as_bytes()).unwrap();
        let got = assess(&record, &Declarations::default());
        assert_eq!(got.standing(), Standing::NotAssessed);
        assert!(got.checked().is_empty());
    }
}
