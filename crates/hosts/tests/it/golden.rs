//! Transcripts written by hand, and the session each must give.

use std::fs;
use std::path::Path;

use quittance_evidence::canonical;
use quittance_hosts::{ReadOptions, ToolPolicy};
use serde_json::Value;

use crate::describe::{describe, read_bytes};

/// A value to be read, its keys in order: with the model client in the build, a JSON object keeps
/// the order in which it was made.
fn pretty(value: &Value) -> String {
    let ordered: Value = serde_json::from_str(&canonical::to_text(value)).unwrap();
    serde_json::to_string_pretty(&ordered).unwrap()
}

/// The cases, a folder a format.
const FOLDERS: &str = "{claude_code,codex,gemini_cli,harn,openai_chat}/*/transcript.{json,jsonl}";

#[test]
fn every_case_reads_as_recorded() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden");
    insta::glob!(&cases, FOLDERS, |file| {
        let bytes = fs::read(file).unwrap();
        let tools = ["Bash", "exec_command", "shell", "run_shell_command"];
        let policy = tools
            .into_iter()
            .fold(ToolPolicy::default(), |policy, tool| policy.with_verify(tool, "cargo test"));
        let options = ReadOptions { tools: policy, ..ReadOptions::default() };
        let told = match read_bytes(&bytes, options) {
            Ok(session) => pretty(&describe(&session)),
            Err(error) => format!("cannot {error}"),
        };
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(file.parent().unwrap());
        settings.set_prepend_module_to_snapshot(false);
        settings.remove_snapshot_suffix();
        settings.remove_input_file();
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!("session", told));
    });
}
