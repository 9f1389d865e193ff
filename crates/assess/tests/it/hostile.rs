//! Records nobody meant to write: none may panic, overflow the stack, or be read otherwise than
//! JavaScript reads it.

use proptest::prelude::*;
use quittance_assess::json::{Document, FaultKind};
use quittance_assess::{
    Assessment, Declarations, NESTING_MAX, Record, RecordError, Served, assess, how_sure,
};
use serde::de::IgnoredAny;

fn fold(state: &str) -> String {
    let record = Record::parse_state(state.as_bytes(), Served::AsIs).unwrap();
    let assessment = assess(&record, &Declarations::default());
    assert!(!how_sure(&record, &assessment).line().is_empty());
    assessment.to_json()
}

/// Any JSON under the keys the fold reads.
fn any_json() -> impl Strategy<Value = serde_json::Value> {
    use serde_json::Value;
    let keys = prop::sample::select(vec![
        "snapshot",
        "sharedState",
        "checkpoint",
        "history",
        "findingsLedger",
        "turnNumber",
        "coverageDeclared",
        "argumentAsk",
        "middlewareDecisions",
        "answerValidation",
        "kind",
        "turn",
        "toolCallId",
        "role",
        "content",
        "witnesses",
        "declaredOn",
        "checks",
        "recorders",
        "id",
    ]);
    let words = prop::sample::select(vec![
        "argument",
        "period",
        "conflict",
        "contingent",
        "tool",
        "user",
        "absence",
        "REDACTED",
        "c1",
        "[[]]",
        "{\"af_coverage\":{},\"result\":{}}",
        "passed",
        "agentfootprint.redaction",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        words.prop_map(Value::from),
    ];
    leaf.prop_recursive(7, 96, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(keys.clone().prop_map(str::to_owned), inner, 0..8)
                .prop_map(|members| members.into_iter().collect()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(768))]

    #[test]
    fn any_json_is_read_and_never_refused(value in any_json(), declared in any_json()) {
        let text = value.to_string();
        let declarations = Declarations::parse(declared.to_string().as_bytes()).unwrap_or_default();
        let state = Record::parse_state(text.as_bytes(), Served::UnderPolicy).unwrap();
        let live = Record::parse_live(text.as_bytes()).unwrap();
        let recorded = Record::parse(text.as_bytes());
        prop_assert_eq!(recorded.is_ok(), value.is_object());
        for record in [state, live].iter().chain(recorded.as_ref().ok()) {
            let assessment = assess(record, &declarations);
            let printed = assessment.to_json();
            prop_assert_eq!(Assessment::parse(printed.as_bytes()), Ok(assessment.clone().into_owned()));
            prop_assert!(!how_sure(record, &assessment).clauses.is_empty());
        }
    }

    /// What is JSON is the same here as in the library everybody uses.
    #[test]
    fn the_grammar_is_that_of_json(text in r#"[\[\]{}",:\\/ \n\t0-9eE+.trufalsn\-u\u{1}é]{0,24}"#) {
        let theirs = serde_json::from_str::<IgnoredAny>(&text).is_ok();
        prop_assert_eq!(Document::parse(text.as_bytes(), 512).is_ok(), theirs, "{}", text);
    }

    #[test]
    fn a_json_text_with_one_byte_changed_is_read_the_same(
        value in any_json(),
        at in any::<prop::sample::Index>(),
        byte in prop::sample::select(&b"{}[],:\"\\0.-e \x00tn"[..]),
    ) {
        let mut text = value.to_string().into_bytes();
        let at = at.index(text.len());
        text[at] = byte;
        let Ok(text) = String::from_utf8(text) else { return Ok(()) };
        let theirs = serde_json::from_str::<IgnoredAny>(&text).is_ok();
        prop_assert_eq!(Document::parse(text.as_bytes(), 512).is_ok(), theirs, "{}", text);
    }

    #[test]
    fn any_bytes_are_a_record_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        if let Ok(record) = Record::parse(&bytes) {
            prop_assert!(!assess(&record, &Declarations::default()).to_json().is_empty());
        }
        prop_assert!(Assessment::parse(&bytes).is_err());
    }

    #[test]
    fn strings_are_those_of_the_library(text in any::<String>()) {
        let printed = serde_json::to_string(&text).unwrap();
        let document = Document::parse(printed.as_bytes(), 1).unwrap();
        let read = document.root().string().unwrap();
        prop_assert_eq!(read.as_str(), Some(text.as_str()));
        prop_assert_eq!(format!("{read:?}"), printed);
    }
}

fn nested(depth: usize, inside: &str) -> String {
    format!("{}{inside}{}", "[".repeat(depth), "]".repeat(depth))
}

#[test]
fn a_record_nests_as_deep_as_is_allowed_and_no_deeper() {
    // Three levels hold the history's own entry.
    let deep =
        |depth| format!(r#"{{"history":[{{"role":"tool","content":{}}}]}}"#, nested(depth, ""));
    assert!(fold(&deep(NESTING_MAX - 3)).contains("\"ran\":1"));
    let text = deep(NESTING_MAX - 2);
    let refused = Record::parse_state(text.as_bytes(), Served::AsIs).unwrap_err();
    assert!(
        matches!(refused, RecordError::Text(fault) if fault.kind == FaultKind::TooDeep),
        "{refused}"
    );
    let far = nested(1_000_000, "");
    assert!(Record::parse_state(far.as_bytes(), Served::AsIs).is_err());
    assert!(Assessment::parse(far.as_bytes()).is_err());
    assert!(Declarations::parse(far.as_bytes()).is_err());
}

#[test]
fn a_result_nests_without_limit() {
    let content = nested(200_000, "");
    let shown = fold(&format!(r#"{{"history":[{{"role":"tool","content":"{content}"}}]}}"#));
    assert!(shown.contains(r#""check":"result-shape","ran":1,"of":1"#), "{shown}");
}

#[test]
fn eight_boundaries_are_read_through_and_a_ninth_is_not() {
    let within = |boundaries| {
        let open = r#"{"af_coverage":{},"result":"#.repeat(boundaries);
        let content = format!("{open}[]{}", "}".repeat(boundaries));
        fold(&serde_json::json!({"history": [{"role": "tool", "content": content}]}).to_string())
    };
    assert!(within(8).contains("declared-absent"));
    assert!(!within(9).contains("declared-absent"));
    assert!(within(9).contains(r#""check":"result-shape","ran":0"#));
}

#[test]
fn numbers_are_doubles() {
    let row = |turn: &str, stamp: &str| {
        let row = format!(r#"{{"kind":"time-derived","turn":{stamp}}}"#);
        fold(&format!(r#"{{"turnNumber":{turn},"findingsLedger":[{row}]}}"#))
            .contains("derived-from-reading")
    };
    for same in ["2.0", "2e0", "20E-1", "2"] {
        assert!(row("2", same), "{same}");
    }
    assert!(row("9007199254740993", "9007199254740992"));
    assert!(row("-0", "0") && row("1e999", "2e999"), "past the range is infinite");
    assert!(!row("2", "\"2\"") && !row("2", "null") && !row("1e999", "-1e999"));
    // A number past the range does not make a list unreadable.
    assert!(fold(r#"{"history":[{"role":"tool","content":"[1e999]"}]}"#).contains("\"ran\":1"));
}

#[test]
fn a_lone_surrogate_is_text() {
    let shown =
        fold(r#"{"history":[{"role":"tool","toolCallId":"\uD83Dx","content":"[\"\\ud800\"]"}]}"#);
    assert!(shown.contains(r#""toolCallId":"\ud83dx""#), "{shown}");
    assert!(shown.contains(r#""check":"result-shape","ran":1"#), "{shown}");
    // Two halves that are spelled apart are one character.
    let pair = fold(r#"{"history":[{"role":"tool","toolCallId":"\ud83d\ude00","content":"[1]"}]}"#);
    assert!(pair.contains("\"toolCallId\":\"\u{1f600}\""), "{pair}");
    assert_eq!(Assessment::parse(shown.as_bytes()).unwrap().to_json(), shown);
}

#[test]
fn a_cut_counts_units() {
    let cut = |content: &str, chars: &str| {
        let message = format!(r#"{{"role":"tool","content":{content:?},"toolChars":{chars}}}"#);
        let shown = fold(&format!(r#"{{"history":[{message}]}}"#));
        shown.contains("\"result-shape\",\"ran\":1")
    };
    assert!(cut("[1]tail", "3") && cut("[1]tail", "3.0") && !cut("[1]tail", "4"));
    assert!(cut("['\u{1f600}']x", "0") == cut("x", "0"), "nothing is left of either");
    assert!(!cut("[1]\u{1f600}", "4"), "half a character is left behind the list");
    assert!(
        !cut("[1]x", "9") && !cut("[1]x", "-1") && !cut("[1]x", "1.5") && !cut("[1]x", "1e999")
    );
}

#[test]
fn the_last_of_a_repeated_key_counts() {
    let state = r#"{"pausedToolCallId":"c1","history":[],"pausedToolCallId":""}"#;
    assert!(fold(state).contains("not-assessed"));
    // The key is the same however it is spelled.
    let spelled = r#"{"pausedToolCallId":"","paused\u0054oolCallId":"c1"}"#;
    assert!(fold(spelled).contains("\"asked\""));
}

#[test]
fn many_rows_of_one_call_are_read_once() {
    // Each of these is quadratic when it is read as it is written down; here they take no time.
    let many = 40_000;
    let rows = |row: &str| vec![row; many].join(",");
    let argument = r#"{"kind":"argument","toolCallId":"c1","argument":"w","source":"default","witnesses":[1,2,3]}"#;
    let period = r#"{"kind":"period","toolCallId":"c1","verdict":"unknown","argument":"w"}"#;
    let shown = fold(&format!(r#"{{"findingsLedger":[{argument},{}]}}"#, rows(period)));
    // Three readings of the argument's row, once for each period that names it.
    assert!(shown.contains(&format!(r#""unnamed":{}"#, 3 * many)), "{}", shown.len());
    let filed = rows(r#"{"kind":"ledger","toolCallId":"c1"}"#);
    let results = rows(r#"{"role":"tool","toolCallId":"c1","content":"[]"}"#);
    let shown = fold(&format!(r#"{{"coverageDeclared":[{filed}],"history":[{results}]}}"#));
    assert!(shown.contains(&format!(r#""ran":{many},"of":{many}"#)));
}
