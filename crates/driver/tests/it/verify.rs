//! Verifiers, run for real: the record each leaves, and what the gate makes of it.

use std::path::Path;
use std::time::Duration;

use quittance_driver::Policy;
use quittance_driver::policy::VerifyPolicy;
use quittance_driver::process::Withheld;
use quittance_driver::verify::CommandVerifier;
use quittance_evidence::Observed;
use quittance_judge::gate::{Facts, Gate, VerifierRun, VetoCounts, WriteCounts};
use quittance_ledger::{Ended, VerifierRecord};
use serde_json::{Value, json};

use crate::golden;
use crate::real::{AMPLE, mark, supervisor, wait_until_gone};

fn verifier(folder: &Path) -> CommandVerifier {
    CommandVerifier {
        folder: folder.to_owned(),
        withheld: Withheld::default(),
        supervisor: Some(supervisor()),
    }
}

/// A policy that declares a command, as its file would.
fn declared(command: &Value, allow_empty: bool) -> VerifyPolicy {
    // An array or a text of JSON is one of TOML.
    let text = format!("version = 1\n[verify]\nallow_empty = {allow_empty}\ncommand = {command}\n");
    Policy::parse(&text).unwrap().verify.unwrap()
}

async fn run(command: &Value, allow_empty: bool, limit: Duration) -> VerifierRecord {
    let folder = tempfile::tempdir().unwrap();
    verifier(folder.path()).run(&declared(command, allow_empty), limit).await
}

#[test]
fn every_verifier_leaves_the_record_it_should() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    insta::glob!(&golden::folder(), "verifier/*/case.json", |file| {
        let case: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        let limit = case["limit_ms"].as_u64().map_or(AMPLE, Duration::from_millis);
        let allow_empty = case["allow_empty"].as_bool().unwrap_or(false);
        let record = runtime.block_on(run(&case["command"], allow_empty, limit));
        let text = serde_json::to_string_pretty(&record).unwrap();
        let back: VerifierRecord = serde_json::from_str(&text).unwrap();
        assert_eq!(back, record);
        let case = file.parent().unwrap().file_name().unwrap().to_str().unwrap();
        insta::with_settings!({snapshot_suffix => ""}, {
            golden::pin(&format!("verifier/{case}"), "record", &text);
        });
    });
}

fn answer(record: &VerifierRecord) -> Value {
    let facts = Facts {
        writes: Some(WriteCounts { source: 1, ..WriteCounts::default() }),
        verifier: record.run(),
        command: record.command.clone(),
        oracle_expected: true,
        ..Facts::default()
    };
    Gate::default().answer(&facts, &VetoCounts::default()).answer
}

/// A file of a reported bug; none where the reports are not at hand.
#[expect(clippy::print_stdout, reason = "a test that skips says so")]
fn reported(path: &str) -> Option<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bugs").join(path);
    let text = std::fs::read_to_string(&file).ok();
    if text.is_none() {
        println!("skipped: there is no {path} beside the workspace");
    }
    text
}

/// B006: the check's program is not there, a pipe and an `echo` hide its status, and `EXIT=0` is
/// printed.
#[tokio::test]
async fn a_masked_status_is_no_pass() {
    let Some(text) = reported("B006/transcript.jsonl") else { return };
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut calls =
        lines.filter_map(|line| line.pointer("/message/content/0/input/command").cloned());
    let command = calls.next_back().unwrap();
    let record = run(&command, false, AMPLE).await;
    assert_eq!((record.exit_status, record.ended), (Some(0), Ended::NotStarted));
    assert_eq!((record.reading, record.cause.as_str()), (Observed::NotRun, "unavailable"));
    assert!(record.findings.contains("EXIT=0"), "{}", record.findings);
    assert_eq!(record.run(), VerifierRun::Unavailable);
    assert_eq!(answer(&record)["confirm"], json!(false));
}

/// B007: status 0, and every test filtered out.
#[tokio::test]
async fn a_run_of_no_test_is_no_pass() {
    let Some(text) = reported("B007/verifier.json") else { return };
    let told: Value = serde_json::from_str(&text).unwrap();
    let script = "printf '%s' \"$1\"; exit $2";
    let status = told["exit_code"].to_string();
    let command = json!(["sh", "-c", script, "sh", told["stdout"], status]);
    let record = run(&command, false, AMPLE).await;
    assert_eq!((record.exit_status, record.reading), (Some(0), Observed::NotRun));
    assert_eq!(record.cause, "no_tests_ran");
    assert_eq!(answer(&record)["confirm"], json!(false));
    let allowed = run(&command, true, AMPLE).await;
    assert_eq!(answer(&allowed)["confirm"], json!(true));
}

/// B010: the edit is keyed by one session and the pass that followed it by another. A record of a
/// verifier names no session, so there is nothing to mismatch.
#[tokio::test]
async fn a_pass_counts_whoever_wrote() {
    let Some(text) = reported("B010/verifier.json") else { return };
    let events: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert_eq!(events[1]["event"], "verify");
    let command = json!(format!("exit {}", events[1]["exit_code"]));
    let record = run(&command, false, AMPLE).await;
    assert_eq!(record.reading, Observed::Passed);
    let told = serde_json::to_value(&record).unwrap();
    assert!(told.as_object().unwrap().keys().all(|key| !key.contains("session")), "{told}");
    let answer = answer(&record);
    assert_eq!(answer["confirm"], json!(true));
    assert_eq!(answer["reason"], json!("verified_after_write"));
}

#[tokio::test]
async fn a_verifier_leaves_nothing_behind() {
    let mark = mark();
    let record = run(&json!(format!("(setsid sleep {mark} &); echo ok")), false, AMPLE).await;
    assert_eq!(record.reading, Observed::Passed);
    wait_until_gone(&mark);
}

#[tokio::test]
async fn a_policy_without_a_command_runs_nothing() {
    let text = "version = 1\n[verify]\nwhen = \"observed\"\n";
    let policy = Policy::parse(text).unwrap().verify.unwrap();
    let record = verifier(Path::new("/")).run(&policy, AMPLE).await;
    assert_eq!((record.ended, record.reading), (Ended::NotDue, Observed::NotRun));
}
