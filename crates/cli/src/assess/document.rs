//! Answers as JSON text. The assessment stands in them byte for byte as the fold prints it, so they
//! are put together as text; whatever is ours is canonical, so that the same input gives the same bytes
//! however the program was built.

use std::fmt::Write;
use std::path::Path;

use quittance_assess::Assessment;
use quittance_driver::Standing;
use quittance_evidence::canonical::to_text;
use quittance_hosts::Session;
use serde_json::{Value, json};

/// The schema of the document of one input.
const SCHEMA: &str = "quittance.assess.v1";

/// The document of a file that holds a record.
pub(super) fn of_record(path: &Path, assessment: &Assessment<'_>) -> String {
    let mut out = opened(path);
    out.push_str(",\"standing\":");
    assessment.write_json(&mut out);
    out.push_str("}\n");
    out
}

/// The document of a file that holds a transcript.
pub(super) fn of_transcript<S>(path: &Path, session: &Session<S>, standing: &Standing) -> String {
    let mut out = opened(path);
    push(&mut out, "run", &run(session));
    out.push_str(",\"standing\":");
    standing.assessment.write_json(&mut out);
    push(&mut out, "places", &standing.places.to_value());
    out.push_str("}\n");
    out
}

/// The line of a transcript among lines: the assessment, with the places as its last key.
pub(super) fn push_line(out: &mut String, standing: &Standing) {
    standing.assessment.write_json(out);
    out.pop();
    push(out, "places", &standing.places.to_value());
    out.push_str("}\n");
}

/// The line in place of one that cannot be read. The file is named where there are several.
pub(super) fn push_bad_line(out: &mut String, file: Option<&Path>, line: u64, message: &str) {
    let mut error = json!({"line": line, "message": message});
    if let (Some(file), Some(fields)) = (file, error.as_object_mut()) {
        fields.insert("file".to_owned(), shown(file));
    }
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{}", to_text(&json!({"error": error})));
}

/// What is said of the run that a transcript holds.
pub(super) fn run<S>(session: &Session<S>) -> Value {
    json!({
        "format": session.format.as_str(),
        "session_id": session.ids.session,
        "agent_id": session.ids.agent,
        "turn": session.turn.number.get(),
        "turns": session.turns,
        "stop_reason": session.turn.stop.as_str(),
        "waiting": session.waiting.iter().map(|reason| reason.as_str()).collect::<Vec<_>>(),
    })
}

fn opened(path: &Path) -> String {
    let mut out = format!("{{\"schema\":\"{SCHEMA}\"");
    push(&mut out, "input", &shown(path));
    out
}

fn push(out: &mut String, key: &str, value: &Value) {
    // Writing to a string cannot fail.
    let _ = write!(out, ",\"{key}\":{}", to_text(value));
}

fn shown(path: &Path) -> Value {
    Value::String(path.to_string_lossy().into_owned())
}
