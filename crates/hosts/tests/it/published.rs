//! Every published file and every bug report is read without a panic; how many, and how, is pinned.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use quittance_hosts::{Format, ReadError, ReadOptions, RunNumber};

use crate::describe::{describe, read_bytes};

/// Where the shared material lies, if it is here.
fn shared() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    if !path.is_dir() {
        println!("skipped: the shared material is not here");
    }
    path.is_dir().then_some(path)
}

/// All files under a folder, sorted.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// What became of a file, in a word.
fn fate(bytes: &[u8]) -> &'static str {
    fate_of(bytes, None)
}

fn fate_of(bytes: &[u8], run: Option<u64>) -> &'static str {
    let run = run.and_then(RunNumber::new);
    match read_bytes(bytes, ReadOptions { run, ..ReadOptions::default() }) {
        Ok(session) => {
            // The whole of it must be sayable, not only its reading survive.
            assert!(describe(&session).is_object());
            match session.format {
                Format::ClaudeCode => "understood",
                other => other.as_str(),
            }
        }
        Err(ReadError::Empty) => "empty",
        Err(ReadError::NoTurn { .. }) => "no turn",
        Err(ReadError::Unknown { found, .. }) if found.starts_with("what a hook") => "a hook's",
        Err(ReadError::Unknown { .. }) => "unknown format",
        Err(ReadError::SeveralRuns { .. }) => "several runs",
        Err(ReadError::Damaged { .. }) => "damaged",
        Err(ReadError::Unended { .. }) => "unended",
        Err(error) => panic!("{error}"),
    }
}

fn tally<'a>(paths: impl Iterator<Item = &'a PathBuf>) -> String {
    let mut fates: BTreeMap<&str, u32> = BTreeMap::new();
    for path in paths {
        *fates.entry(fate(&fs::read(path).unwrap())).or_default() += 1;
    }
    let said: Vec<String> = fates.iter().map(|(fate, count)| format!("{count} {fate}")).collect();
    said.join(", ")
}

#[test]
fn every_published_file_is_read() {
    let Some(shared) = shared() else { return };
    let folders = ["claude-code", "claude-code-hook", "codex", "gemini-cli", "openai-chat", "harn"];
    let told = folders.map(|folder| {
        let paths = files(&shared.join("corpus").join(folder));
        format!("{folder}: {}", tally(paths.iter()))
    });
    let bugs = files(&shared.join("bugs"));
    let told = [&told[..], &[format!("bugs: {}", tally(bugs.iter()))]].concat().join("\n");
    println!("{told}");
    insta::assert_snapshot!(told, @r#"
    claude-code: 2 empty, 2 no turn, 70 understood, 1 unknown format
    claude-code-hook: 40 a hook's
    codex: 16 codex
    gemini-cli: 5 gemini-cli, 1 no turn, 2 unknown format
    openai-chat: 13 openai-chat, 1 several runs, 8 unknown format
    harn: 19 unknown format
    bugs: 2 a hook's, 1 codex, 3 empty, 4 openai-chat, 26 understood, 40 unknown format
    "#);
}

#[test]
fn every_published_folder_of_messages_is_read() {
    let Some(shared) = shared() else { return };
    let mut told = Vec::new();
    for source in ["openai-chat", "harn"] {
        for folder in fs::read_dir(shared.join("corpus").join(source)).unwrap() {
            let folder = folder.unwrap().path();
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            told.push(format!("{source}/{name}: {}", tally(files(&folder).iter())));
        }
    }
    told.sort();
    insta::assert_snapshot!(told.join("\n"), @r#"
    harn/burin-labs__harn: 9 unknown format
    harn/crates.io__harn-cli-0.10.185: 3 unknown format
    harn/crates.io__harn-vm-0.10.185: 7 unknown format
    openai-chat/Liu-Ruotian__agentdojo-luna-trajectories: 9 openai-chat
    openai-chat/MinorJerry__WebVoyager: 3 openai-chat
    openai-chat/OpenHands__software-agent-sdk: 1 openai-chat
    openai-chat/langfuse__langfuse: 6 unknown format
    openai-chat/princeton-pli__hal-harness: 2 unknown format
    openai-chat/sierra-research__tau-bench: 1 several runs
    "#);
}

/// The runs of tau-bench's airline, one file of them.
#[test]
fn every_run_of_a_file_of_runs_is_understood() {
    let Some(shared) = shared() else { return };
    let file = shared.join(
        "corpus/openai-chat/sierra-research__tau-bench/historical_trajectories~gpt-4o-airline.json",
    );
    let bytes = fs::read(file).unwrap();
    let told = read_bytes(&bytes, ReadOptions::default()).unwrap_err().to_string();
    insta::assert_snapshot!(told, @"read a run: the file holds 200; say which one, from 1");
    for run in [1, 200] {
        assert_eq!(fate_of(&bytes, Some(run)), "openai-chat", "{run}");
    }
    let beyond = ReadOptions { run: RunNumber::new(201), ..ReadOptions::default() };
    insta::assert_snapshot!(read_bytes(&bytes, beyond).unwrap_err().to_string(), @"read run 201: the file holds 200");
    // Reading one run costs its whole file, so the others are read from smaller ones.
    let runs: Vec<serde_json::Value> = serde_json::from_slice(&bytes).unwrap();
    let mut understood = 0;
    for some in runs.chunks(10) {
        let file = serde_json::to_vec_pretty(some).unwrap();
        for run in 1..=some.len() {
            assert_eq!(fate_of(&file, Some(run as u64)), "openai-chat", "{run}");
            understood += 1;
        }
    }
    assert_eq!(understood, 200);
}

#[test]
fn every_line_of_a_person_or_an_agent_makes_its_file_understood() {
    let Some(shared) = shared() else { return };
    for path in files(&shared.join("corpus/claude-code")) {
        let bytes = fs::read(&path).unwrap();
        let speaks = bytes.split(|byte| *byte == b'\n').any(|line| {
            let line: Result<serde_json::Value, _> = serde_json::from_slice(line);
            line.is_ok_and(|line| matches!(line["type"].as_str(), Some("user" | "assistant")))
        });
        assert_eq!(fate(&bytes) == "understood", speaks || is_untyped(&path), "{}", path.display());
    }
}

/// One published file has roles where others have types; it is understood all the same.
fn is_untyped(path: &Path) -> bool {
    path.ends_with("es617__claude-replay/test~fixture-paced.jsonl")
}

#[test]
fn every_reported_transcript_is_read() {
    let Some(shared) = shared() else { return };
    let paths = files(&shared.join("bugs"));
    let told = tally(paths.iter().filter(|path| path.ends_with("transcript.jsonl")));
    println!("bugs/*/transcript.jsonl: {told}");
    insta::assert_snapshot!(told, @"1 empty, 23 understood");
}

#[test]
fn files_of_other_hosts_are_read_or_refused() {
    let Some(shared) = shared() else { return };
    for path in files(&shared.join("corpus")).iter().chain(&files(&shared.join("bugs"))) {
        fate(&fs::read(path).unwrap());
    }
}

#[test]
fn an_unknown_file_is_told_what_was_looked_for() {
    let told = read_bytes(br#"{"timestamp":"t","type":"response_item"}"#, ReadOptions::default());
    insta::assert_snapshot!(told.unwrap_err().to_string(), @"read a transcript: line 1 is of no known format (its keys are `timestamp`, `type`); looked for claude-code (`type` of `user` or `assistant` with a `message`, or another type of Claude Code's); codex (`type` of `session_meta`, `response_item` or `event_msg` with a `payload`, or a bare item); gemini-cli (`sessionId` beside `projectHash`, or messages of which one has the `type` `gemini`); harn (a control row of `harn.session.control.v1`, or messages of which one has `_harn` or `injectedMode`); openai-chat (messages with a `role` and `content` or `tool_calls`, one a line, in a list, or under `messages` or `traj`)");
    let told = read_bytes(b"\n\nnot json\n", ReadOptions::default());
    insta::assert_snapshot!(told.unwrap_err().to_string(), @"read a transcript: line 3 is of no known format (no JSON); looked for claude-code (`type` of `user` or `assistant` with a `message`, or another type of Claude Code's); codex (`type` of `session_meta`, `response_item` or `event_msg` with a `payload`, or a bare item); gemini-cli (`sessionId` beside `projectHash`, or messages of which one has the `type` `gemini`); harn (a control row of `harn.session.control.v1`, or messages of which one has `_harn` or `injectedMode`); openai-chat (messages with a `role` and `content` or `tool_calls`, one a line, in a list, or under `messages` or `traj`)");
}
