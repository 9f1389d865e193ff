//! Judges that are child processes.

use std::path::Path;

use quittance_driver::judge::{CommandJudge, Judge, JudgeKind, QUESTION_SCHEMA};
use quittance_driver::policy::Command;
use quittance_driver::process::Withheld;
use quittance_evidence::snapshot::Boundary;
use quittance_evidence::{EvidenceBuilder, ToolCatalogue};
use quittance_judge::machine::{Failure, JudgeQuestion, Progress, Proposal, Reply, open};
use quittance_judge::policy::{JudgeConfig, Policy};
use quittance_judge::reply::REPLY_BYTES_MAX;
use quittance_obligations::Obligations;
use serde_json::{Value, json};

use crate::real::{SHORT, mark, supervisor, until_alive, wait_until_gone};

#[expect(clippy::panic, reason = "a helper that cannot go on fails its test")]
fn question() -> JudgeQuestion {
    let boundary = Boundary {
        task: "Fix the parser.".to_owned(),
        stop_reason: "natural".to_owned(),
        text: "Fixed:\n\"it\u{2028}parses\"".to_owned(),
        ..Boundary::default()
    };
    let snapshot = EvidenceBuilder::new(ToolCatalogue::default()).snapshot(boundary);
    let owed = Obligations::of_session(&[], &[], "Fix the parser.");
    let mut policy = Policy::default();
    policy.judges.completion =
        Some(JudgeConfig { model: Some("m".to_owned()), ..JudgeConfig::standard() });
    match open(Proposal::new(snapshot, owed, policy), 0) {
        Progress::Judge(asked) => asked.question().clone(),
        other => panic!("nobody is asked: {other:?}"),
    }
}

fn judge(line: &str, folder: &Path) -> CommandJudge {
    CommandJudge {
        command: Command::Shell(line.to_owned()),
        folder: folder.to_owned(),
        withheld: Withheld::default(),
        supervisor: Some(supervisor()),
    }
}

async fn ask(line: &str) -> Reply {
    judge(line, &std::env::temp_dir()).ask(&question()).await
}

#[expect(clippy::panic, reason = "a helper that cannot go on fails its test")]
async fn failure(line: &str) -> (Failure, String) {
    match ask(line).await {
        Reply::Failed { failure, message } => (failure, message),
        Reply::Text { text, .. } => panic!("`{line}` replied {text}"),
    }
}

#[tokio::test]
async fn the_question_is_one_document_on_standard_input() {
    let question = question();
    let judge = judge("cat", &std::env::temp_dir());
    assert_eq!(judge.kind(), JudgeKind::Command);
    let Reply::Text { text, usage } = judge.ask(&question).await else { panic!("no reply") };
    assert_eq!(usage.input_tokens, 0);
    let document: Value = serde_json::from_str(&text).unwrap();
    let expected = json!({
        "_type": QUESTION_SCHEMA,
        "slot": "completion",
        "why": "first",
        "model": "m",
        "system": *question.prompt.system,
        "user": question.prompt.user,
        "schema": *question.prompt.schema,
        "provider_timeout_ms": question.provider_timeout_ms,
    });
    assert_eq!(document, expected);
    assert!(document["user"].as_str().unwrap().contains("it\u{2028}parses"));
}

#[tokio::test]
async fn the_reply_is_what_is_printed_as_it_is() {
    assert_eq!(
        ask("printf ' {\"verdict\":\"done\"}\\n'; echo no >&2").await,
        Reply::text(" {\"verdict\":\"done\"}\n")
    );
}

#[tokio::test]
async fn whatever_is_no_reply_says_why() {
    let rows = [
        ("exit 0", Failure::Other),
        ("printf ' \\n\\t'", Failure::Other),
        ("echo '{\"verdict\":\"done\"}'; exit 3", Failure::Other),
        ("echo '{\"verdict\":\"done\"}'; kill -KILL $$", Failure::Other),
        ("printf '\\377\\376'", Failure::Other),
        ("exit 127", Failure::Environment),
        ("exit 126", Failure::Environment),
        ("./no-such-judge", Failure::Environment),
    ];
    for (line, expected) in rows {
        let (failure, message) = failure(line).await;
        assert_eq!(failure, expected, "{line}");
        assert!(message.contains("judge"), "{line}: {message}");
    }
}

#[tokio::test]
async fn a_reply_is_never_cut() {
    let of = |bytes: usize| format!("head -c {bytes} /dev/zero | tr '\\0' x");
    assert_eq!(ask(&of(REPLY_BYTES_MAX)).await, Reply::text("x".repeat(REPLY_BYTES_MAX)));
    let (longer, message) = failure(&of(REPLY_BYTES_MAX + 1)).await;
    assert_eq!(longer, Failure::Other);
    assert!(message.contains("longer than"), "{message}");
}

#[tokio::test]
async fn what_it_says_beside_the_reply_is_kept_out_of_the_failure() {
    let (_, message) = failure("echo sk-secret-0123456789 >&2; exit 1").await;
    assert!(!message.contains("sk-secret"), "{message}");
}

#[tokio::test]
async fn it_is_ended_in_time_and_leaves_nothing() {
    let mark = mark();
    let judge =
        judge(&format!("echo '{{}}'; setsid sleep {mark} & sleep {mark}"), &std::env::temp_dir());
    let mut question = question();
    question.provider_timeout_ms = i64::try_from(SHORT.as_millis()).unwrap();
    let Reply::Failed { failure, .. } = judge.ask(&question).await else { panic!("a reply") };
    assert_eq!(failure, Failure::Timeout);
    wait_until_gone(&mark);
    for timeout in [0, -1, i64::MIN] {
        question.provider_timeout_ms = timeout;
        let Reply::Failed { failure, .. } = judge.ask(&question).await else { panic!("a reply") };
        assert_eq!(failure, Failure::Timeout);
    }
    wait_until_gone(&mark);
}

#[tokio::test]
async fn nobody_who_stops_waiting_leaves_it_behind() {
    let mark = mark();
    let judge = judge(&format!("setsid sleep {mark} & sleep {mark}"), &std::env::temp_dir());
    let question = question();
    tokio::select! {
        reply = judge.ask(&question) => panic!("it replied {reply:?}"),
        () = until_alive(&mark, 3) => {}
    }
    wait_until_gone(&mark);
}

#[tokio::test]
async fn it_is_started_once_for_each_question() {
    let folder = tempfile::tempdir().unwrap();
    let judge = judge("echo asked >> log; exit 1", folder.path());
    for asked in 1..=2 {
        assert!(matches!(judge.ask(&question()).await, Reply::Failed { .. }));
        let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
        assert_eq!(log.lines().count(), asked);
    }
}
