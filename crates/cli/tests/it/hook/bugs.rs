//! What public reports say of hooks that loop, each with an input of our own. The numbers are those
//! of the collection the reports were gathered in.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::going_on::{line, turn};
use super::{Host, is_block, is_notice};

/// Hooks are asked no more often than this before one is let go.
const ROUNDS: usize = 12;

/// Another call and another "done" in the turn of a file, as a client writes them after a refusal.
fn more_work(round: usize) -> String {
    let id = |part: &str| format!("{part}-{round}");
    let before = round.checked_sub(1).map_or("d0".to_owned(), |before| format!("z-{before}"));
    let call = json!({"role": "assistant", "id": id("m"), "content": [{
        "type": "tool_use", "id": id("t"), "name": "Write",
        "input": {"file_path": format!("notes/{round}.md"), "content": "x"},
    }]});
    let result = json!({"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": id("t"), "content": "written"},
    ]});
    let end = json!({"role": "assistant", "id": id("n"), "stop_reason": "end_turn", "content": [
        {"type": "text", "text": format!("Done now, {round}.")},
    ]});
    [
        line("assistant", &id("x"), Some(&before), "p0", &call),
        line("user", &id("y"), Some(&id("x")), "p0", &result),
        line("assistant", &id("z"), Some(&id("y")), "p0", &end),
    ]
    .concat()
}

#[test]
fn b011_the_same_words_on_the_same_evidence_are_let_go_and_new_evidence_is_not() {
    let host = Host::trusted("false-done");
    std::fs::write(host.transcript(), turn(0)).unwrap();
    let again = host.stop("p0", &json!({"stop_hook_active": true})).to_string();
    assert!(is_block(&host.asked("p0")));
    assert!(is_block(&host.answer(again.as_bytes())));
    assert!(is_notice(&host.answer(again.as_bytes()), "repeat"));
    assert_eq!(host.outcomes()[0], ("unverified".to_owned(), "repeat".to_owned()));
    // New evidence: the flag alone decides nothing.
    std::fs::write(host.transcript(), turn(0) + &more_work(0)).unwrap();
    assert!(is_block(&host.answer(again.as_bytes())));
}

#[test]
fn b013_a_hook_that_always_refuses_ends_in_a_receipt_that_says_so() {
    let host = Host::trusted("false-done");
    let answers: Vec<Value> = (0..ROUNDS).map(|_| host.asked("p")).collect();
    assert_eq!(answers.iter().filter(|answer| is_block(answer)).count(), 2);
    assert!(answers.iter().skip(2).all(|answer| is_notice(answer, "repeat")));
    let unmet = &host.last_receipt()["outcome"]["unmet"];
    assert!(unmet.as_str().unwrap().contains("dist/out.js"), "{unmet}");
}

#[test]
fn b014_a_granted_stop_prints_nothing_that_means_go_on() {
    let host = Host::trusted("honest-done");
    host.wrote();
    let answer = host.asked("p");
    assert_eq!(answer, json!({}));
}

#[test]
fn b016_work_between_refusals_resets_no_count() {
    let host = Host::trusted("false-done");
    let mut text = turn(0);
    let mut blocks = 0;
    for round in 0..ROUNDS {
        std::fs::write(host.transcript(), &text).unwrap();
        // Each hook but the first is told that one is active, and then, after a call, that none is.
        let is_active = json!({"stop_hook_active": round % 2 == 1});
        let answer = host.answer(host.stop("p0", &is_active).to_string().as_bytes());
        if !is_block(&answer) {
            assert!(is_notice(&answer, "cap"), "{answer}");
            break;
        }
        blocks += 1;
        text.write_str(&more_work(round)).unwrap();
    }
    assert!((1..8).contains(&blocks), "{blocks} refusals, where the client itself gives up at 8");
    assert_eq!(host.outcomes()[0], ("unverified".to_owned(), "cap".to_owned()));
}

#[test]
fn b017_a_check_that_cannot_be_run_is_neither_passed_nor_asked_for_without_end() {
    let host = Host::with("honest-done");
    let policy = "version = 1\n[verify]\ncommand = \"no-such-check-anywhere\"\n";
    std::fs::write(host.project().join("quittance.toml"), policy).unwrap();
    assert!(host.command(&["trust"]).output().unwrap().status.success());
    let answers: Vec<Value> = (0..ROUNDS).map(|_| host.asked("p")).collect();
    assert!(answers.iter().all(|answer| is_notice(answer, "verifier_unavailable")), "{answers:?}");
    let unverified = ("unverified".to_owned(), "verifier_unavailable".to_owned());
    assert!(host.outcomes().iter().all(|outcome| *outcome == unverified));
}

#[test]
fn a_sub_agent_beside_one_that_still_runs_is_not_at_its_end() {
    let host = Host::trusted("false-done");
    let task = |id: &str| json!({"id": id, "type": "subagent", "status": "running"});
    let stop = |tasks: Value| {
        let fields = json!({
            "hook_event_name": "SubagentStop", "agent_id": "a", "agent_type": "general-purpose",
            "agent_transcript_path": host.transcript(), "background_tasks": tasks,
        });
        host.answer(host.stop("p", &fields).to_string().as_bytes())
    };
    // The client lists the one that stops as running.
    assert_eq!(stop(json!([task("a"), task("b")])), json!({}));
    assert_eq!(host.outcomes()[0], ("waiting".to_owned(), "background".to_owned()));
    assert!(is_block(&stop(json!([task("a")]))));
}

#[test]
fn a_second_place_of_installation_is_told() {
    let host = Host::trusted("false-done");
    let install = |place: &str| {
        let args = ["install", "claude-code", place, "--json"];
        let output = host.command(&args).env_remove("CLAUDE_CONFIG_DIR").output().unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    assert_eq!(install("--user")["also_in"], Value::Null);
    let told = install("--project");
    assert!(told["also_in"].as_str().unwrap().ends_with(".claude/settings.json"), "{told}");
    assert!(install("--user")["also_in"].is_string());
}
