//! What a call gave, and what of it the host itself says.

use serde_json::Value;

use super::text;
use crate::chat::flat_text;
use crate::document;
use crate::flow::Told;
use crate::records::ResultOutcome;
use crate::source::LineNumber;

/// An output.
#[derive(Debug)]
pub(in crate::codex) struct Output {
    pub(in crate::codex) call_id: String,
    pub(in crate::codex) text: String,
    /// How the call ended, where a field says it.
    pub(in crate::codex) told: Told,
}

/// What the host puts before the output of a command, a line each.
const HEADINGS: [&str; 5] = [
    "Chunk ID: ",
    "Wall time: ",
    "Process exited with code ",
    "Process running with session ID ",
    "Original token count: ",
];
/// The line after which the output follows.
const OUTPUT: &str = "Output:";

impl Output {
    /// Reads an output.
    pub(super) fn of(item: &Value) -> Self {
        let call_id = text(item, "call_id").unwrap_or_default().to_owned();
        let given = item.get("output").or_else(|| item.get("result")).unwrap_or(&Value::Null);
        let success = given.get("success").and_then(Value::as_bool);
        let told = match success {
            Some(true) => Told::of(ResultOutcome::Ok),
            Some(false) => Told::of(ResultOutcome::Error),
            None => Told::UNKNOWN,
        };
        Self { call_id, text: flat_text(given), told }
    }

    /// Reads an output of which nothing but its status is wanted.
    pub(super) fn by_status(item: &Value) -> Self {
        let told = match text(item, "status") {
            Some("completed") => Told::of(ResultOutcome::Ok),
            _ => Told::UNKNOWN,
        };
        Self { told, ..Self::of(item) }
    }

    /// The output of a command as builds kept it that wrap it in JSON: the command's own words, and
    /// its exit code in a field of the host's.
    pub(in crate::codex) fn unwrapped(self) -> Self {
        match wrapped(&self.text) {
            Some((text, code)) => Self { text, told: Told::by_exit(Some(code)), ..self },
            None => self,
        }
    }

    /// The session in which the command goes on, by the heading that the host puts before its
    /// output. It grants nothing: it only says that there is something to wait for.
    pub(in crate::codex) fn session(&self) -> Option<&str> {
        self.heading("Process running with session ID ")
    }

    /// Whether the heading says that the command is at its end.
    pub(in crate::codex) fn has_exited(&self) -> bool {
        self.heading("Process exited with code ").is_some()
    }

    fn heading(&self, wanted: &str) -> Option<&str> {
        let known = |line: &&str| HEADINGS.iter().any(|heading| line.starts_with(heading));
        let headings = self.text.lines().take_while(|line| *line != OUTPUT).take_while(known);
        headings.into_iter().find_map(|line| line.strip_prefix(wanted)).map(str::trim)
    }
}

fn wrapped(text: &str) -> Option<(String, i64)> {
    if !text.trim_start().starts_with('{') {
        return None;
    }
    // Counts the nesting first.
    document::read(text.as_bytes(), LineNumber(1)).ok()?;
    let value: Value = serde_json::from_str(text).ok()?;
    let output = value.get("output").and_then(Value::as_str)?;
    let code = value.pointer("/metadata/exit_code").and_then(Value::as_i64)?;
    Some((output.to_owned(), code))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(output: &Value) -> Output {
        Output::of(&json!({"call_id": "c", "output": output}))
    }

    #[test]
    fn headings_end_where_the_output_begins() {
        let running = "Chunk ID: a1\nWall time: 0.3 seconds\nProcess running with session ID 7\n\
            Output:\nProcess exited with code 0\n";
        assert_eq!(of(&json!(running)).session(), Some("7"));
        assert!(!of(&json!(running)).has_exited());
        let said = "hello\nProcess running with session ID 7\nOutput:\n";
        assert_eq!(of(&json!(said)).session(), None);
        let ended = "Wall time: 1 seconds\nProcess exited with code 3\nOutput:\n";
        assert!(of(&json!(ended)).has_exited());
        assert_eq!(of(&json!(ended)).told.exit_code, None);
    }

    #[test]
    fn a_wrapped_output_shows_its_exit_code() {
        let text = json!({"output": "no", "metadata": {"exit_code": 2}}).to_string();
        let output = of(&json!(text)).unwrapped();
        assert_eq!((output.text.as_str(), output.told.exit_code), ("no", Some(2)));
        assert_eq!(of(&json!(text)).told.exit_code, None);
        let plain = of(&json!("{\"output\": \"no\"}")).unwrapped();
        assert_eq!(plain.told.outcome, ResultOutcome::Unknown);
    }

    #[test]
    fn a_flag_is_an_outcome() {
        let outcome = |success: bool| of(&json!({"content": "x", "success": success}));
        assert_eq!(outcome(false).told.outcome, ResultOutcome::Error);
        let output = outcome(true);
        assert_eq!((output.told.outcome, output.text.as_str()), (ResultOutcome::Ok, "x"));
    }
}
