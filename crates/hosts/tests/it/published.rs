//! Every published file and every bug report is read without a panic; how many, and how, is pinned.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use quittance_hosts::{ReadError, ReadOptions};

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
fn files(folder: &Path) -> Vec<PathBuf> {
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
    match read_bytes(bytes, ReadOptions::default()) {
        Ok(session) => {
            // The whole of it must be sayable, not only its reading survive.
            assert!(describe(&session).is_object());
            "understood"
        }
        Err(ReadError::Empty) => "empty",
        Err(ReadError::NoTurn { .. }) => "no turn",
        Err(ReadError::Unknown { .. }) => "unknown format",
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
    let paths = files(&shared.join("corpus/claude-code"));
    let told = tally(paths.iter());
    println!("corpus/claude-code: {told}");
    insta::assert_snapshot!(told, @"2 empty, 2 no turn, 70 understood, 1 unknown format");
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
    insta::assert_snapshot!(told.unwrap_err().to_string(), @"read a transcript: line 1 is of no known format (its keys are `timestamp`, `type`); looked for claude-code (`type` of `user` or `assistant` with a `message`, or another type of Claude Code's)");
    let told = read_bytes(b"\n\nnot json\n", ReadOptions::default());
    insta::assert_snapshot!(told.unwrap_err().to_string(), @"read a transcript: line 3 is of no known format (no JSON); looked for claude-code (`type` of `user` or `assistant` with a `message`, or another type of Claude Code's)");
}
