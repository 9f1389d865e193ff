//! Boundaries in which something of ours fails: the stop is allowed, and that is on record.

use std::process::Command;

use serde_json::{Value, json};

use super::{Host, answered, is_block, is_notice};

fn unreadable() -> (String, String) {
    ("unverified".to_owned(), "record_unreadable".to_owned())
}

#[test]
fn a_record_that_cannot_be_read_leaves_a_receipt_that_says_so() {
    let host = Host::trusted("false-done");
    for path in ["/nowhere/s.jsonl", "/", ""] {
        let stdin = host.stop("p", &json!({"transcript_path": path})).to_string();
        assert!(is_notice(&host.answer(stdin.as_bytes()), path), "{path:?}");
    }
    std::fs::write(host.transcript(), "no transcript\n").unwrap();
    assert!(is_notice(&host.asked("p"), "no JSON"));
    assert_eq!(host.outcomes(), [unreadable(), unreadable(), unreadable(), unreadable()]);
    let receipt = host.last_receipt();
    assert_eq!(receipt["run"]["format"], Value::Null);
    assert_eq!(receipt["run"]["session_id"], "s");
    assert!(receipt["local"]["why"].as_str().unwrap().contains("session.jsonl"));
}

#[test]
fn a_pipe_in_the_place_of_a_record_is_not_waited_for() {
    let host = Host::trusted("false-done");
    let pipe = host.project().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let stdin = host.stop("p", &json!({"transcript_path": pipe})).to_string();
    assert!(is_notice(&host.answer(stdin.as_bytes()), "it is no file"));
    assert_eq!(host.outcomes(), [unreadable()]);
}

#[test]
fn a_receipt_without_a_record_is_explained_and_not_replayed() {
    let host = Host::trusted("false-done");
    let stdin = host.stop("p", &json!({"transcript_path": "/nowhere"})).to_string();
    assert!(is_notice(&host.answer(stdin.as_bytes()), "/nowhere"));
    let file = host.project().join("receipt.json");
    std::fs::write(&file, host.last_receipt().to_string()).unwrap();
    let explained = host.command(&["explain", "receipt.json"]).output().unwrap();
    let text = String::from_utf8(explained.stdout).unwrap();
    assert!(text.contains("The run's record was not read"), "{text}");
    assert!(!text.contains("No path was declared"), "{text}");
    let transcript = host.transcript();
    let replay = ["replay", "receipt.json", "--transcript", transcript.to_str().unwrap()];
    let replayed = host.command(&replay).output().unwrap();
    assert_eq!(replayed.status.code(), Some(65));
    assert!(String::from_utf8_lossy(&replayed.stderr).contains("made of no record"));
}

/// Runs a script in which `$HOME` is a disk of its own, of so many kilobytes; none where no such
/// disk may be made here.
fn on_a_small_disk(host: &Host, kilobytes: u32, script: &str) -> Option<Vec<String>> {
    let whole =
        format!("mount -t tmpfs -o size={kilobytes}k none \"$HOME\" || exit 77; set -e\n{script}");
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "bash", "-c", &whole]);
    command.current_dir(host.project()).env("HOME", host.home());
    command.env("Q", env!("CARGO_BIN_EXE_quittance"));
    let output = command.output().ok()?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(77) || said.contains("unshare") {
        println!("skipped: no disk of its own may be made here: {said}");
        return None;
    }
    assert!(output.status.success(), "{said}");
    Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
}

#[test]
fn a_full_disk_allows_the_stop_unverified_and_counts_again_once_there_is_room() {
    let host = Host::with("false-done");
    let stdin = host.stop("p", &Value::Null).to_string();
    std::fs::write(host.project().join("in.json"), stdin).unwrap();
    let script = r#"
        "$Q" trust >/dev/null
        "$Q" hook claude-code <in.json
        cat /dev/zero >"$HOME/filler" 2>/dev/null || true
        "$Q" hook claude-code <in.json
        rm "$HOME/filler"
        "$Q" hook claude-code <in.json
        "$Q" hook claude-code <in.json
        "$Q" receipts list --json | tr -d '\n'
    "#;
    let Some(lines) = on_a_small_disk(&host, 2000, script) else { return };
    let said: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(is_block(&said[0]));
    assert!(is_notice(&said[1], ""), "{}", said[1]);
    assert!(is_block(&said[2]));
    assert!(is_notice(&said[3], "repeat"), "{}", said[3]);
    // Nothing that was told as kept is lost, and nothing is torn.
    assert_eq!(said[4]["receipts"].as_array().unwrap().len(), 3);
    assert_eq!(said[4]["damaged"], 0);
}

#[test]
fn a_ledger_that_may_not_be_written_allows_the_stop() {
    let host = Host::with("false-done");
    let stdin = host.stop("p", &Value::Null).to_string();
    std::fs::write(host.project().join("in.json"), stdin).unwrap();
    let script = r#"
        "$Q" trust >/dev/null
        "$Q" hook claude-code <in.json
        mount -o remount,ro "$HOME"
        "$Q" hook claude-code <in.json
    "#;
    let Some(lines) = on_a_small_disk(&host, 4000, script) else { return };
    assert!(is_block(&serde_json::from_str(&lines[0]).unwrap()));
    assert!(is_notice(&serde_json::from_str(&lines[1]).unwrap(), ""), "{}", lines[1]);
}

#[test]
fn a_ledger_that_another_process_holds_allows_the_stop_in_time() {
    let host = Host::trusted("false-done");
    assert!(is_block(&host.asked("p")));
    let ledger = super::find(&host.home().join(".local/share/quittance/ledgers")).unwrap();
    let program = "import sqlite3,sys\nc=sqlite3.connect(sys.argv[1],isolation_level=None)\n\
                   c.execute('BEGIN EXCLUSIVE')\nprint('held',flush=True)\nsys.stdin.read()";
    let mut holder = Command::new("python3");
    holder.args(["-c", program]).arg(&ledger);
    holder.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let Ok(mut holder) = holder.spawn() else {
        println!("skipped: there is no python3 to hold the ledger");
        return;
    };
    let mut held = String::new();
    let mut said = std::io::BufReader::new(holder.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut said, &mut held).unwrap();
    assert_eq!(held, "held\n");
    let answer = answered(host.start(host.stop("p", &Value::Null).to_string().as_bytes()));
    assert!(is_notice(&answer, ""), "{answer}");
    drop(holder.stdin.take());
    holder.wait().unwrap();
    assert!(is_block(&host.asked("p")));
}
