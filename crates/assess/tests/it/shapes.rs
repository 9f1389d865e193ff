//! What a text is taken for where nobody said what it is.

use quittance_assess::{Declarations, Record, RecordError, Standing, assess};

/// A state with one empty result.
const STATE: &str = r#"{"history":[{"role":"tool","toolCallId":"c1","content":"[]"}]}"#;

fn read(text: &str) -> (bool, Standing) {
    let record = Record::parse_any(text.as_bytes()).unwrap();
    (record.is_recognised(), assess(&record, &Declarations::default()).standing())
}

#[test]
fn a_recording_and_a_state_are_told_by_their_keys() {
    let within = |key: &str| format!(r#"{{"{key}":{{"sharedState":{STATE}}},"runId":"r"}}"#);
    for text in [STATE.to_owned(), within("snapshot"), within("checkpoint")] {
        assert_eq!(read(&text), (true, Standing::NotSure), "{text}");
    }
    // A recording is one whatever state keys stand beside its snapshot.
    let beside = r#"{"snapshot":{},"history":[{"role":"tool","content":"[]"}]}"#;
    assert_eq!(read(beside), (true, Standing::NotAssessed));
    assert_eq!(read(r#"{"pausedToolCallId":"c1"}"#), (true, Standing::Ask));
    for text in ["{}", r#"{"messages":[]}"#, r#"{"sharedState":{"pausedToolCallId":"c1"}}"#] {
        assert_eq!(read(text), (false, Standing::NotAssessed), "{text}");
    }
}

#[test]
fn a_state_by_itself_is_never_taken_for_a_served_one() {
    assert_eq!(read(r#"{"pausedToolCallId":"[REDACTED]"}"#), (true, Standing::Ask));
}

#[test]
fn what_is_no_object_is_the_callers_mistake() {
    for text in ["[]", "null", "7", "\"history\""] {
        let error = Record::parse_any(text.as_bytes()).unwrap_err();
        assert!(matches!(error, RecordError::Caller(_)), "{text}");
    }
}

#[test]
fn many_are_printed_one_after_the_other() {
    let record = Record::parse_any(STATE.as_bytes()).unwrap();
    let assessment = assess(&record, &Declarations::default());
    let mut out = String::from("before\n");
    assessment.write_json(&mut out);
    assert_eq!(out, format!("before\n{}", assessment.to_json()));
}
