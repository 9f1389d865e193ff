//! What goes wrong before a record is understood: the file, the line, the cause, the exit code.

use std::fs;

use crate::run::{Run, quittance};

fn check(files: &[(&str, &str)], args: &[&str]) -> Run {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    // A repository's top folder: no policy above it is looked for.
    fs::create_dir(folder.path().join(".git")).unwrap();
    let mut run = quittance(folder.path(), args);
    let here = folder.path().canonicalize().unwrap().display().to_string();
    run.stderr = run.stderr.replace(&here, "[folder]");
    run
}

#[test]
fn every_failure_says_which_file_and_why() {
    let policy = ("quittance.toml", "version = 1\n[contract]\nartefacts = []\n");
    let turn = (
        "one.jsonl",
        r#"{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"hi"}}"#,
    );
    let runs = [
        check(&[], &["check", "absent.jsonl"]),
        check(&[], &["check", "."]),
        check(&[("empty.jsonl", "")], &["check", "empty.jsonl"]),
        check(&[("other.jsonl", "{\"a\":1,\"b\":2}\n")], &["check", "other.jsonl"]),
        check(&[("text.txt", "hello\n")], &["check", "text.txt"]),
        check(&[policy, turn], &["check", "one.jsonl"]),
        check(&[turn], &["check", "one.jsonl", "--policy", "absent.toml"]),
        check(&[turn], &["check", "one.jsonl", "--root", "absent"]),
        check(&[turn], &["check", "one.jsonl", "--turn", "7"]),
        check(&[turn], &["check", "one.jsonl", "--run", "2"]),
    ];
    let texts: Vec<String> = runs.iter().map(Run::text).collect();
    insta::assert_snapshot!(texts.join("\n"), @r"
    stderr: quittance: cannot open `absent.jsonl`: No such file or directory (os error 2)
    exit: 66
    stderr: quittance: cannot open `.`: is a directory
    exit: 74
    stderr: quittance: cannot read a transcript: the file is empty (in `empty.jsonl`)
    exit: 15
    stderr: quittance: cannot read a transcript: line 1 is of no known format (its keys are `a`, `b`); looked for claude-code (`type` of `user` or `assistant` with a `message`, or another type of Claude Code's); codex (`type` of `session_meta`, `response_item` or `event_msg` with a `payload`, or a bare item); gemini-cli (`sessionId` beside `projectHash`, or messages of which one has the `type` `gemini`); harn (a control row of `harn.session.control.v1`, or messages of which one has `_harn` or `injectedMode`); openai-chat (messages with a `role` and `content` or `tool_calls`, one a line, in a list, or under `messages` or `traj`) (in `other.jsonl`)
    exit: 65
    stderr: quittance: cannot read a transcript: line 1 is of no known format (no JSON); looked for claude-code (`type` of `user` or `assistant` with a `message`, or another type of Claude Code's); codex (`type` of `session_meta`, `response_item` or `event_msg` with a `payload`, or a bare item); gemini-cli (`sessionId` beside `projectHash`, or messages of which one has the `type` `gemini`); harn (a control row of `harn.session.control.v1`, or messages of which one has `_harn` or `injectedMode`); openai-chat (messages with a `role` and `content` or `tool_calls`, one a line, in a list, or under `messages` or `traj`) (in `text.txt`)
    exit: 65
    stderr: quittance: cannot obey the policy `[folder]/quittance.toml`: line 3: `contract.artefacts`: unknown key, did you mean `artifacts`?
    exit: 78
    stderr: quittance: cannot open `absent.toml`: No such file or directory (os error 2)
    exit: 66
    stderr: quittance: cannot look into the root `absent`: open the root `absent`: it is not there
    exit: 66
    stderr: quittance: cannot read turn 7: the run has 1 (in `one.jsonl`)
    exit: 64
    stderr: quittance: cannot read run 2: the file holds 1 (in `one.jsonl`)
    exit: 64
    ");
}

#[test]
fn a_wrong_command_line_is_64() {
    for args in [&["check"][..], &["chekc"], &["check", "a", "--turn", "0"], &[]] {
        assert_eq!(check(&[], args).code, 64, "{args:?}");
    }
    assert_eq!(check(&[], &["--version"]).code, 0);
    assert_eq!(check(&[], &["check", "--help"]).code, 0);
}

#[test]
fn a_failure_is_a_document_too() {
    let run = check(&[("empty.jsonl", "")], &["check", "empty.jsonl", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(document["error"]["exit_code"], run.code);
    assert_eq!(run.stderr, "");
}

#[test]
fn a_policy_that_cannot_be_read_is_never_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join(".git")).unwrap();
    let turn =
        r#"{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"hi"}}"#;
    fs::write(folder.path().join("one.jsonl"), turn).unwrap();
    let policy = folder.path().join("quittance.toml");
    fs::create_dir(&policy).unwrap();
    assert_eq!(quittance(folder.path(), &["check", "one.jsonl"]).code, 74);
    fs::remove_dir(&policy).unwrap();
    fs::write(&policy, b"version = 1\n\xff").unwrap();
    assert_eq!(quittance(folder.path(), &["check", "one.jsonl"]).code, 78);
}

#[cfg(unix)]
#[test]
fn a_dangling_policy_and_a_device_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("nowhere", folder.path().join("quittance.toml")).unwrap();
    fs::write(folder.path().join("one.jsonl"), "{}").unwrap();
    assert_eq!(quittance(folder.path(), &["check", "one.jsonl"]).code, 66);
    fs::remove_file(folder.path().join("quittance.toml")).unwrap();
    assert_eq!(quittance(folder.path(), &["check", "/dev/zero"]).code, 74);
}
