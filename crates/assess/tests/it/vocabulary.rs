//! Every word on the wire and every message, listed once.

use quittance_assess::{
    CheckName, Class, Declarations, Reason, Record, RowField, SourceKind, Standing, StateKey,
};

#[test]
fn reasons_are_those_of_the_table() {
    let line = |reason: Reason| {
        let layer = reason.layer().map_or("-".to_owned(), |layer| layer.number().to_string());
        let class = if reason.class() == Class::Ask { "ask" } else { "not-sure" };
        format!("{} {layer} {class} {}", reason.as_str(), reason.source_kind().as_str())
    };
    insta::assert_snapshot!(Reason::ALL.map(line).join("\n"), @r#"
    asked - ask person
    argument-asked 2 ask person
    argument-assumed 2 not-sure calls
    argument-unverified 2 not-sure calls
    argument-read 2 not-sure calls
    value-contingent 2 not-sure calls
    coverage-gap 3 not-sure calls
    declared-absent 3 not-sure calls
    empty-undeclared 3 not-sure calls
    period-not-held 3 not-sure calls
    period-partly-held 3 not-sure calls
    period-unknown 3 not-sure calls
    period-undeclared 3 not-sure calls
    period-differs-from-asked 3 not-sure calls
    period-beyond-retention 3 not-sure calls
    sources-conflict 3 not-sure calls
    value-unsupported 4 not-sure answer
    value-survived-revision 4 not-sure answer
    derived-from-reading 4 not-sure answer
    script-unmatched 4 not-sure answer
    stopped-early 4 not-sure run
    steps-unfinished 4 not-sure run
    negative-prose-unverified 4 not-sure answer
    claim-exceeds-search 4 not-sure checks
    declaration-overclaimed 4 not-sure checks
    answer-check-failed 4 not-sure checks
    check-unreachable - not-sure checks
    "#);
}

#[test]
fn checks_are_those_of_the_table() {
    let line = |name: CheckName| format!("{} {}", name.as_str(), name.layer().number());
    insta::assert_snapshot!(CheckName::ALL.map(line).join("\n"), @r#"
    argument-rules 2
    argument-sources 2
    tool-coverage 3
    result-shape 3
    result-period 3
    names-and-numbers 4
    script-match 4
    answer-checks 4
    "#);
}

#[test]
fn the_other_words_are_listed() {
    let words = [
        Standing::ALL.map(Standing::as_str).join(" "),
        SourceKind::ALL.map(SourceKind::as_str).join(" "),
        StateKey::ALL.map(StateKey::as_str).join(" "),
        RowField::ALL.map(RowField::as_str).join(" "),
    ];
    insta::assert_snapshot!(words.join("\n"), @r#"
    ask not-sure known consistent not-assessed
    person calls answer run checks
    answerValidation argumentAsk coverageDeclared findingsLedger history middlewareDecisions pausedToolCallId stoppedEarly turnNumber unsupportedValues
    argument asked beyondRetention claimed differs kind label value values verdict
    "#);
}

#[test]
fn every_message_reads() {
    let deep = "[".repeat(513);
    let records: [&[u8]; 6] =
        [b"7", b"{\"a\":tru}", b"{\"a\":", deep.as_bytes(), b"{\"a\":\"\xff\"}", b"{} x"];
    let records = records.map(|text| Record::parse(text).unwrap_err().to_string());
    let declared = [
        "[",
        "null",
        r#"{"tools":null}"#,
        r#"{"tools":{"t":null}}"#,
        r#"{"tools":{"t":{"rowsAt":null}}}"#,
        r#"{"tools":{"t":{"rowsAt":"a/b"}}}"#,
    ];
    let declared =
        declared.map(|text| Declarations::parse(text.as_bytes()).unwrap_err().to_string());
    insta::assert_snapshot!(records.join("\n") + "\n" + &declared.join("\n"), @r#"
    assessAnswer: the record must be an object — a recording, { snapshot }, or { checkpoint }
    read the record as JSON: no JSON at byte 8
    read the record as JSON: an end within a value at byte 5
    read the record as JSON: nesting too deep at byte 512
    read the record as UTF-8: no character at byte 6
    read the record as JSON: no JSON at byte 3
    read the declarations as JSON: an end within a value at byte 1
    assessAnswer: declarations must be an object
    assessAnswer: declarations.tools must be an object keyed by tool name
    assessAnswer: declarations.tools.t must be an object
    assessAnswer: declarations.tools.t.rowsAt must be a non-empty key
    assessAnswer: declarations.tools.t.rowsAt must be a top-level key (no "/" or ".")
    "#);
}
