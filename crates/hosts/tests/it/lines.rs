//! The bytes around the lines: what is counted, what is mended, what is refused.

use std::collections::BTreeMap;

use quittance_hosts::{LineCause, LineIssue, ReadError, ReadOptions, Repair, TurnNumber, Waiting};

use crate::describe::{describe, read_bytes};

const ASK: &str = r#"{"type":"user","uuid":"u","message":{"role":"user","content":"go"}}"#;
const SAY: &str = r#"{"type":"assistant","uuid":"a","parentUuid":"u","message":{"id":"m","content":[{"type":"text","text":"done"}]}}"#;

fn lines(lines: &[&str]) -> Vec<u8> {
    lines.iter().flat_map(|line| [line.as_bytes(), b"\n"].concat()).collect()
}

#[test]
fn a_mark_and_carriage_returns_change_nothing() {
    let plain = read_bytes(&lines(&[ASK, SAY]), ReadOptions::default()).unwrap();
    let marked = format!("\u{feff}{ASK}\r\n\r\n{SAY}\r\n");
    let marked = read_bytes(marked.as_bytes(), ReadOptions::default()).unwrap();
    assert_eq!(plain.turn.rows, marked.turn.rows);
    assert_eq!((plain.source.lines, marked.source.lines), (2, 3));
    assert_eq!(marked.source.issue_count, 0);
}

#[test]
fn the_digest_is_of_the_bytes_as_they_lie_there() {
    let whole = lines(&[ASK, SAY]);
    for end in [whole.len(), whole.len() - 1, whole.len() - 9] {
        let bytes = &whole[..end];
        let session = read_bytes(bytes, ReadOptions::default()).unwrap();
        assert_eq!(session.source.digest, quittance_evidence::Digest::of_bytes(bytes));
        assert_eq!(session.source.bytes, bytes.len() as u64);
        assert_eq!(session.source.half_written, end == whole.len() - 9);
    }
}

#[test]
fn a_file_cut_anywhere_is_never_a_boundary_in_the_middle_of_a_line() {
    let whole = lines(&[ASK, SAY]);
    for end in 1..whole.len() {
        let Ok(session) = read_bytes(&whole[..end], ReadOptions::default()) else { continue };
        let cut = !matches!(end + 1, at if at == ASK.len() + 1 || at == ASK.len() + 2)
            && end < whole.len() - 1;
        assert_eq!(session.waiting.contains(&Waiting::HalfWritten), cut, "{end}");
        assert!(!session.waiting.is_empty() || !cut, "{end}");
    }
}

#[test]
fn a_damaged_line_is_named_and_the_rest_is_read() {
    let deep = format!(r#"{{"type":"user","x":{}1{}}}"#, "[".repeat(600), "]".repeat(600));
    let huge = r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"X","input":{"n":1e400}}]}}"#;
    let bytes = lines(&[ASK, "{broken", "[1]", &deep, huge, SAY]);
    let session = read_bytes(&bytes, ReadOptions::default()).unwrap();
    let seen: Vec<_> = session
        .source
        .issues
        .iter()
        .map(|LineIssue { line, cause, .. }| (line.0, *cause))
        .collect();
    let expected = [
        (2, LineCause::NotJson),
        (3, LineCause::NotAnObject),
        (4, LineCause::TooDeep),
        (5, LineCause::NumberOutOfRange),
    ];
    assert_eq!(seen, expected);
    assert_eq!(session.turn.candidate(), "done");
}

#[test]
fn what_is_mended_is_counted() {
    let half = r#"{"type":"user","uuid":"u","message":{"role":"user","content":"a\ud83d"}}"#;
    let twice = r#"{"type":"assistant","uuid":"b","message":{"id":"n","id":"m","content":"x"}}"#;
    let mut bytes = lines(&[half, twice, SAY, SAY]);
    bytes.extend_from_slice(b"{\"type\":\"system\",\"content\":\"caf\xe9\"}\n");
    let session = read_bytes(&bytes, ReadOptions::default()).unwrap();
    assert_eq!(session.turn.task, "a\u{fffd}");
    let expected = [
        (Repair::LoneSurrogate, 1),
        (Repair::InvalidUtf8, 1),
        (Repair::DuplicateName, 1),
        (Repair::RepeatedLine, 1),
    ];
    assert_eq!(session.source.repairs, BTreeMap::from(expected));
}

#[test]
fn a_line_of_any_length_is_read() {
    let long = "A".repeat(25_000_000);
    let result = format!(
        r#"{{"type":"user","uuid":"r","parentUuid":"u","message":{{"content":[{{"type":"tool_result","tool_use_id":"t","content":"{long}"}}]}}}}"#
    );
    let bytes = lines(&[ASK, &result, SAY]);
    let session = read_bytes(&bytes, ReadOptions::default()).unwrap();
    assert_eq!((session.source.lines, session.turn.candidate()), (3, "done"));
}

#[test]
fn a_turn_is_chosen_by_its_number() {
    let second = r#"{"type":"user","uuid":"u2","parentUuid":"a","message":{"content":"more"}}"#;
    let bytes = lines(&[ASK, SAY, second]);
    let choose = |number| {
        let turn = TurnNumber::new(number);
        read_bytes(&bytes, ReadOptions { turn, ..ReadOptions::default() })
    };
    assert_eq!(read_bytes(&bytes, ReadOptions::default()).unwrap().turn.number.get(), 1);
    assert_eq!(choose(1).unwrap().turn.task, "go");
    let later = choose(2).unwrap();
    assert_eq!((later.turn.task.as_str(), later.waiting), ("more", vec![Waiting::Unanswered]));
    assert_eq!(later.history.len(), 1);
    assert!(matches!(choose(3), Err(ReadError::NoSuchTurn { turns: 2, .. })));
}

#[test]
fn an_id_used_again_is_another_call() {
    let call = |uuid: &str, message: &str| {
        format!(
            r#"{{"type":"assistant","uuid":"{uuid}","message":{{"id":"{message}","content":[{{"type":"tool_use","id":"t","name":"Bash","input":{{"command":"make"}}}}]}}}}"#
        )
    };
    let result = r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]}}"#;
    let bytes = lines(&[ASK, &call("a1", "m1"), result, &call("a2", "m2")]);
    let session = read_bytes(&bytes, ReadOptions::default()).unwrap();
    let told = describe(&session);
    let ids: Vec<_> = told["turn"]["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["tool_calls"][0]["id"].clone())
        .collect();
    assert_eq!(ids[1], "t");
    assert_eq!(ids[3], "t#2");
    assert_eq!(told["turn"]["rows"][2]["tool_call_id"], "t");
}
