//! The records of Codex and Gemini CLI, wherever the program reads one: for its hook, in a check, and
//! packed.

use std::fs;
use std::path::PathBuf;

use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::{Value, json};

use crate::hook::{Host, is_block};
use crate::run::{quittance, top};

fn golden(case: &str) -> PathBuf {
    top().join("golden").join(case).join("transcript.jsonl")
}

/// The lines of a case up to the one that holds a text.
fn before(case: &str, text: &str) -> String {
    let lines = fs::read_to_string(golden(case)).unwrap();
    let lines: Vec<&str> = lines.lines().take_while(|line| !line.contains(text)).collect();
    lines.join("\n") + "\n"
}

fn codex(host: &Host, answer: &Value) -> Value {
    let stdin = json!({"session_id": "th-1", "turn_id": "t1", "transcript_path": host.transcript(),
        "cwd": host.project(), "hook_event_name": "Stop", "model": "gpt-5.5",
        "permission_mode": "bypassPermissions", "stop_hook_active": false,
        "last_assistant_message": answer});
    host.answer_to("codex", &stdin)
}

fn gemini(host: &Host) -> Value {
    gemini_saying(host, "…")
}

fn gemini_saying(host: &Host, said: &str) -> Value {
    let stdin = json!({"session_id": "g-1", "transcript_path": host.transcript(),
        "cwd": host.project(), "hook_event_name": "AfterAgent", "timestamp": "t",
        "prompt": "Write dist/out.js", "prompt_response": said, "stop_hook_active": false});
    host.answer_to("gemini-cli", &stdin)
}

fn outcomes(host: &Host) -> Vec<String> {
    host.outcomes().into_iter().map(|(outcome, _)| outcome).collect()
}

#[test]
fn the_hook_of_codex_reads_its_rollout() {
    let host = Host::trusted("false-done");
    // The hook runs before the turn is told to be complete.
    let rollout = before("codex/hook_feedback_is_no_message", "HookPrompt");
    fs::write(host.transcript(), rollout).unwrap();
    assert!(is_block(&codex(&host, &json!("All done."))));
    host.wrote();
    fs::write(host.transcript(), before("codex/hook_feedback_is_no_message", "task_complete"))
        .unwrap();
    assert_eq!(codex(&host, &json!("Now it is written.")), json!({}));
    assert_eq!(outcomes(&host), ["verified", "abandoned"]);
}

#[test]
fn a_command_of_codex_that_goes_on_lets_no_stop_pass() {
    let host = Host::trusted("false-done");
    fs::copy(golden("codex/command_goes_on_listed_not_waited_for"), host.transcript()).unwrap();
    assert!(is_block(&codex(&host, &json!("The server runs."))));
}

#[test]
fn the_hook_of_gemini_cli_reads_its_chat_file() {
    let host = Host::trusted("false-done");
    let chat = before("gemini_cli/hook_feedback_shown_as_the_prompt", "\"id\":\"u2\"");
    fs::write(host.transcript(), &chat).unwrap();
    let answer = gemini(&host);
    assert!(is_block(&answer), "{answer}");
    // It keeps our words as a person's, and they open no turn.
    let words = json!({"id": "u2", "type": "user", "content": [{"text": answer["reason"]}]});
    let said = json!({"id": "a2", "type": "gemini", "content": "Now it is."});
    host.wrote();
    fs::write(host.transcript(), format!("{chat}{words}\n{said}\n")).unwrap();
    assert_eq!(gemini(&host), json!({}));
    assert_eq!(outcomes(&host)[1], "abandoned");
    assert_eq!(outcomes(&host).len(), 2);
}

/// It was seen to write its history anew without the closing message, and to end with none.
#[test]
fn a_chat_file_without_the_closing_message_lets_no_stop_pass() {
    let chat = before("gemini_cli/hook_feedback_shown_as_the_prompt", "\"type\":\"gemini\"");
    for (said, candidate) in [("Done. All of it.", "Done. All of it."), ("[no response text]", "")]
    {
        let host = Host::trusted("false-done");
        fs::write(host.transcript(), &chat).unwrap();
        assert!(is_block(&gemini_saying(&host, said)), "{said}");
        assert_eq!(outcomes(&host), ["abandoned"]);
        assert_eq!(host.last_receipt()["inputs"]["candidate"], candidate);
        host.wrote();
        // No call of the turn wrote it, so no verifier is due.
        assert_eq!(gemini_saying(&host, said), json!({}));
        assert_eq!(outcomes(&host), ["unadjudicated", "abandoned"]);
    }
}

#[test]
fn a_packed_rollout_checks_as_the_plain_one() {
    let folder = tempfile::tempdir().unwrap();
    let plain = fs::read(golden("codex/script_shows_its_command")).unwrap();
    fs::write(folder.path().join("rollout.jsonl"), &plain).unwrap();
    let packed = compress_to_vec(&plain[..], CompressionLevel::Fastest);
    fs::write(folder.path().join("rollout.jsonl.zst"), &packed).unwrap();
    let (one, other) = plain.split_at(plain.len() / 2);
    let pack = |bytes: &[u8]| compress_to_vec(bytes, CompressionLevel::Fastest);
    let cut = [pack(one), pack(other)].concat();
    fs::write(folder.path().join("cut.jsonl.zst"), &cut[..cut.len() - 9]).unwrap();
    let run = |args: &[&str]| quittance(folder.path(), args);
    for command in ["check", "evidence"] {
        let of = |name| run(&[command, name, "--json"]).stdout;
        assert_eq!(of("rollout.jsonl.zst"), of("rollout.jsonl"), "{command}");
    }
    let assessed = |name| run(&["assess", name]).stdout.replace(".zst", "");
    assert_eq!(assessed("rollout.jsonl.zst"), assessed("rollout.jsonl"));
    let cut = run(&["check", "cut.jsonl.zst"]);
    assert_eq!(cut.code, 14, "{}", cut.text());
    assert!(cut.stdout.contains("could not be read: packed_cut"), "{}", cut.text());
}
