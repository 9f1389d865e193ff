//! Recorded replies: what a line may be, and which question it answers.

use quittance_driver::judge::tape::TapeJudge;
use quittance_driver::judge::{Judge, JudgeKind};
use quittance_judge::machine::{Failure, JudgeQuestion, Reply, Usage};
use quittance_judge::policy::Slot;
use serde_json::json;

use crate::{golden, question};

fn tape(lines: &str) -> TapeJudge {
    TapeJudge::parse("replies.jsonl", lines).unwrap()
}

async fn failure(tape: &TapeJudge, question: &JudgeQuestion) -> String {
    match tape.ask(question).await {
        Reply::Failed { failure: Failure::Other, message } => message,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn lines_answer_once_and_in_order() {
    let tape = tape("{\"reply\": \"a\"}\n\n{\"failed\": \"auth\", \"message\": \"no\"}\r\n");
    assert_eq!(tape.kind(), JudgeKind::Tape);
    let question = question::of(Slot::Completion);
    assert_eq!(tape.ask(&question).await, Reply::text("a"));
    let refused = Reply::Failed { failure: Failure::Auth, message: "no".to_owned() };
    assert_eq!(tape.ask(&question).await, refused);
    assert_eq!(tape.left(), 0);
    for _ in 0..2 {
        assert_eq!(
            failure(&tape, &question).await,
            "the tape `replies.jsonl` holds no more replies for completion"
        );
    }
}

#[tokio::test]
async fn a_line_of_a_slot_waits_for_it() {
    let tape = tape(
        "{\"slot\": \"completion\", \"reply\": \"c\"}\n{\"reply\": \"any\"}\n\
         {\"slot\": \"verification\", \"reply\": \"v\"}",
    );
    let (first, second) = (question::of(Slot::Verification), question::of(Slot::Completion));
    assert_eq!(tape.ask(&first).await, Reply::text("any"));
    assert_eq!(tape.ask(&first).await, Reply::text("v"));
    let exhausted = failure(&tape, &first).await;
    assert!(exhausted.ends_with("no more replies for verification"), "{exhausted}");
    assert_eq!(tape.ask(&second).await, Reply::text("c"));
}

#[tokio::test]
async fn a_line_of_another_question_stops_its_slot() {
    let question = question::of(Slot::Completion);
    let right = json!({"reply": "r", "question_digest": question.prompt.digest().to_string()});
    let wrong = json!({"reply": "w", "question_digest": "sha256:00"});
    let tape = tape(&format!("{right}\n{wrong}\n{{\"reply\": \"next\"}}"));
    assert_eq!(tape.ask(&question).await, Reply::text("r"));
    for _ in 0..2 {
        let said = failure(&tape, &question).await;
        assert_eq!(said, "line 2 of the tape `replies.jsonl` answers another question");
    }
    assert_eq!(tape.left(), 2);
}

#[tokio::test]
async fn what_a_reply_cost_is_replayed() {
    let line = json!({"reply": "r", "usage": {"input_tokens": 5, "cache_read_tokens": 3}});
    let usage = Usage { input_tokens: 5, cache_read_tokens: 3, ..Usage::default() };
    let expected = Reply::Text { text: "r".to_owned(), usage };
    assert_eq!(tape(&line.to_string()).ask(&question::of(Slot::Completion)).await, expected);
}

#[test]
fn a_digest_is_of_what_is_asked() {
    let question = question::of(Slot::Completion);
    let mut other = question.clone();
    other.prompt.user.push('.');
    assert_ne!(question.prompt.digest(), other.prompt.digest());
    assert_ne!(question.prompt.digest(), question::under_contract().prompt.digest());
    let mut same = question.clone();
    same.provider_timeout_ms += 1;
    assert_eq!(question.prompt.digest(), same.prompt.digest());
}

#[test]
fn every_bad_line_is_named() {
    let bad = golden::input("judges/tape_broken_refused", "lines.jsonl");
    let errors = bad.lines().map(|line| {
        let text = format!("{{\"reply\": \"fine\"}}\n{line}\n");
        let error = TapeJudge::parse("replies.jsonl", &text).unwrap_err();
        format!("{line}\n  {error}")
    });
    let told: Vec<String> = errors.collect();
    golden::pin("judges/tape_broken_refused", "errors", &told.join("\n"));
}

#[test]
fn a_file_that_is_none_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let missing = TapeJudge::read(&folder.path().join("replies.jsonl")).unwrap_err();
    assert!(missing.to_string().contains("replies.jsonl"), "{missing}");
    let folder = TapeJudge::read(folder.path()).unwrap_err().to_string();
    assert!(folder.ends_with("it is no file"), "{folder}");
    let deep = format!("{}1", "[".repeat(100_000));
    assert!(TapeJudge::parse("deep", &deep).is_err());
}
