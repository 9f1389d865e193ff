//! Lines of Claude Code's that look like one thing and are another.

use std::time::{Duration, Instant};

use quittance_hosts::ReadOptions;
use serde_json::{Value, json};

use crate::describe::{describe, read_bytes};

fn user(content: &Value) -> Value {
    json!({"type": "user", "message": {"content": content}})
}

fn prompt(words: &str) -> Value {
    user(&json!(words))
}

fn says(id: &str, words: &str) -> Value {
    json!({"type": "assistant", "message": {"id": id, "content": [{"type": "text", "text": words}]}})
}

fn calls(id: &str, call: &str) -> Value {
    json!({"type": "assistant", "message": {"id": id, "content": [
        {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": "make"}}]}})
}

fn result(call: &str) -> Value {
    user(&json!([{"type": "tool_result", "tool_use_id": call, "content": "ok"}]))
}

fn turn(lines: &[Value]) -> Value {
    let bytes: Vec<u8> = lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect();
    describe(&read_bytes(&bytes, ReadOptions::default()).unwrap())["turn"].clone()
}

/// Far more than linear reading takes, and far less than quadratic would.
fn is_quick(lines: &[Value]) -> Value {
    let begun = Instant::now();
    let turn = turn(lines);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    turn
}

#[test]
fn a_message_in_many_pieces_is_read_quickly() {
    let piece = "x".repeat(1000);
    let mut lines = vec![prompt("build it")];
    lines.extend((0..10_000).map(|_| says("m", &piece)));
    let turn = is_quick(&lines);
    assert_eq!(turn["answer"]["line"], 10_001);
    assert_eq!(turn["answer"]["text"].as_str().map(str::len), Some(10_000 * 1001 - 1));
}

#[test]
fn an_interrupt_is_its_marker_alone() {
    for marker in ["[Request interrupted by user]", "[Request interrupted by user for tool use]\n"]
    {
        let interrupted = turn(&[prompt("build it"), says("m", "on it"), prompt(marker)]);
        assert_eq!(
            (&interrupted["stop"], &interrupted["number"]),
            (&json!("interrupted"), &json!(1))
        );
        let words = format!("{marker}\nNow add tests.");
        let asked =
            turn(&[prompt("build it"), says("m", "on it"), prompt(&words), says("n", "done")]);
        assert_eq!((&asked["task"], &asked["control"]), (&json!(words), &json!([])));
        assert_eq!(turn(&[prompt(&words), says("n", "done")])["task"], words);
    }
}

#[test]
fn a_bare_text_among_blocks_is_said() {
    let list = json!(["build it", 7, ["x"], null, {"type": "text", "text": "and test it"}]);
    let turn = turn(&[user(&list), says("m", "done")]);
    assert_eq!(
        (&turn["task"], &turn["opening"]),
        (&json!("build it\nand test it"), &json!("person"))
    );
}

#[test]
fn empty_ids_name_nothing() {
    let mut lines = [
        prompt("build it"),
        says("", "one"),
        prompt("and test it"),
        calls("", "t"),
        result("t"),
        says("", "done"),
    ];
    for line in &mut lines {
        line["uuid"] = json!("");
        line["parentUuid"] = json!("");
    }
    let turn = turn(&lines);
    assert_eq!((&turn["task"], &turn["answer"]["text"]), (&json!("and test it"), &json!("done")));
    assert_eq!(turn["rows"].as_array().map(Vec::len), Some(4));
}

#[test]
fn a_message_that_was_cut_is_no_natural_end() {
    for (reason, stop) in [
        ("end_turn", "natural"),
        ("max_tokens", "max_tokens"),
        ("refusal", "refusal"),
        ("pause_turn", "pause_turn"),
    ] {
        let mut last = says("m", "I was go");
        last["message"]["stop_reason"] = json!(reason);
        assert_eq!(turn(&[prompt("build it"), last.clone()])["stop"], stop);
        let went_on = [prompt("build it"), last, calls("n", "t"), result("t"), says("o", "done")];
        assert_eq!(turn(&went_on)["stop"], "natural");
    }
}

#[test]
fn a_command_whose_first_answer_failed_is_a_prompt() {
    let command = "<command-name>/fix</command-name><command-args>issue 12</command-args>";
    let mut failed = says("m", "API Error: 529");
    failed["isApiErrorMessage"] = json!(true);
    let lines = [prompt("hello"), says("l", "hi"), prompt(command), failed, says("n", "fixed")];
    let turn = turn(&lines);
    assert_eq!((&turn["task"], &turn["number"]), (&json!("/fix issue 12"), &json!(2)));
    assert_eq!((&turn["answer"]["text"], &turn["stop"]), (&json!("fixed"), &json!("natural")));
}

#[test]
fn steers_that_match_no_removal_are_read_quickly() {
    let steer = |at: usize| {
        json!({"type": "attachment", "attachment": {"type": "queued_command",
        "commandMode": "prompt", "prompt": format!("steer {at}")}})
    };
    let removal = |at: usize| {
        json!({"type": "queue-operation", "operation": "remove",
        "content": format!("other {at}")})
    };
    let count = 20_000;
    let mut lines = vec![prompt("build it"), says("m", "on it")];
    lines.extend((0..count).map(steer));
    lines.extend((0..count).map(removal));
    lines.push(says("n", "done"));
    let turn = is_quick(&lines);
    assert!(turn["control"].as_array().is_some_and(|rows| rows.len() >= count));
}

#[test]
fn many_stretches_of_the_host_are_taken_out_quickly() {
    let reminders = "<system-reminder>x</system-reminder>".repeat(100_000);
    let turn = is_quick(&[prompt(&format!("build it {reminders} and test it")), says("m", "done")]);
    assert_eq!(turn["task"], "build it\nand test it");
}

#[test]
fn many_commands_before_any_turn_are_read_quickly() {
    let mut lines = vec![prompt("<command-name>/x</command-name>"); 50_000];
    lines.extend([prompt("build it"), says("m", "done")]);
    let turn = is_quick(&lines);
    assert_eq!((&turn["task"], &turn["number"]), (&json!("build it"), &json!(1)));
}

#[test]
fn words_of_an_unknown_sender_oblige_and_replace_nothing() {
    for (field, word) in [
        ("promptSource", json!("remote")),
        ("rowSource", json!("remote")),
        ("origin", json!({"kind": "remote"})),
    ] {
        let mut asked = prompt("write the docs");
        asked[field] = word;
        let first = turn(&[asked.clone(), says("m", "done")]);
        assert_eq!(
            (&first["task"], &first["opening"]),
            (&json!("write the docs"), &json!("person"))
        );
        assert_eq!(first["provenance"], "heuristic");
        let second = turn(&[prompt("build it"), says("m", "built"), asked, says("n", "done")]);
        assert_eq!((&second["task"], &second["number"]), (&json!("build it"), &json!(1)));
        let steer = &second["control"][0];
        assert_eq!((&steer["action"], &steer["text"]), (&json!("steer"), &json!("write the docs")));
        assert_eq!(steer["provenance"], "heuristic");
    }
    let mut told = prompt("words of a hook");
    told["rowSource"] = json!("hook");
    let turn = turn(&[prompt("build it"), says("m", "built"), told, says("n", "done")]);
    assert_eq!(turn["control"], json!([]));
}
