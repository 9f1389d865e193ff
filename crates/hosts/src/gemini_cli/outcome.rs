//! How a call ended, by its `status`, and of a command by the lines that the host puts after its
//! output.
//!
//! A command that failed has the status `success`. Below the output the host writes how it ended,
//! and last the process group: only where that line is the last one is this its whole report, so
//! that a report that was shortened tells nothing. A command can make its own end look worse by
//! what it prints, never better.

use serde_json::Value;

use super::tools::SHELL;
use crate::chat::flat_text;
use crate::flow::Told;
use crate::records::ResultOutcome;

/// What became of a call.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    /// It has no end yet.
    Open,
    Ended {
        text: String,
        told: Told,
    },
    /// Its status is a word nobody knows.
    Unknown {
        word: String,
        text: String,
    },
}

/// The last line of a report.
const GROUP: &str = "Process Group PGID: ";
/// The line of a report that says how a command ended; a command that went well may have none.
const EXIT: &str = "Exit Code: ";
/// Other lines of a report below the output.
const BETWEEN: [&str; 2] = ["Background PIDs: ", "Signal: "];

/// Reads what became of a call.
pub(super) fn of(call: &Value) -> Outcome {
    let text = call.get("result").map(result_text).unwrap_or_default();
    let has_result = call.get("result").is_some_and(|result| !result.is_null());
    let outcome = match call.get("status").and_then(Value::as_str) {
        Some("success") if call.get("name").and_then(Value::as_str) == Some(SHELL) => {
            return Outcome::Ended { told: of_command(&text), text };
        }
        Some("success") => ResultOutcome::Ok,
        Some("error") => ResultOutcome::Error,
        Some("cancelled") => ResultOutcome::Unknown,
        Some("validating" | "scheduled" | "executing" | "awaiting_approval") => {
            return Outcome::Open;
        }
        None if !has_result => return Outcome::Open,
        None => ResultOutcome::Unknown,
        Some(word) => return Outcome::Unknown { word: word.to_owned(), text },
    };
    Outcome::Ended { text, told: Told::of(outcome) }
}

fn of_command(report: &str) -> Told {
    let mut lines = report.lines().rev().map(str::trim_end);
    let is_wrapper = |line: &&str| line.is_empty() || line.starts_with("</");
    if !lines.find(|line| !is_wrapper(line)).is_some_and(|line| line.starts_with(GROUP)) {
        return Told::UNKNOWN;
    }
    let mut signal = false;
    for line in lines {
        if let Some(code) = line.strip_prefix(EXIT) {
            return Told::by_exit(code.trim().parse().ok());
        }
        if !BETWEEN.iter().any(|between| line.starts_with(between)) {
            break;
        }
        signal |= line.strip_prefix("Signal: ").is_some_and(|name| !is_none(name));
    }
    // Ended by a signal, it has no exit code; otherwise one of zero is not written.
    if signal { Told::UNKNOWN } else { Told::of(ResultOutcome::Ok) }
}

fn is_none(name: &str) -> bool {
    matches!(name.trim(), "0" | "(none)")
}

/// The text of a result: of each part its response's own words, else its text.
fn result_text(result: &Value) -> String {
    let Value::Array(parts) = result else { return part_text(result) };
    let mut text = String::new();
    for part in parts {
        crate::json::append(&mut text, &part_text(part));
    }
    text
}

fn part_text(part: &Value) -> String {
    let response = part.pointer("/functionResponse/response");
    let keys = ["output", "error", "content"];
    let words = response.and_then(|response| keys.iter().find_map(|key| response.get(*key)));
    match (words, response) {
        (Some(words), _) if words.is_string() => flat_text(words),
        (_, Some(response)) => response.to_string(),
        (_, None) => flat_text(part),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(report: &str) -> (ResultOutcome, Option<i64>) {
        let told = of_command(report);
        (told.outcome, told.exit_code)
    }

    #[test]
    fn only_a_whole_report_tells_how_a_command_ended() {
        use ResultOutcome::{Error, Ok, Unknown};
        for (report, expected) in [
            ("Output: ok\nProcess Group PGID: 5", (Ok, None)),
            ("Output: no\nExit Code: 2\nProcess Group PGID: 5", (Error, Some(2))),
            (
                "Output: a\nExit Code: 0\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 5",
                (Ok, Some(0)),
            ),
            ("Output: a\nSignal: SIGKILL\nProcess Group PGID: 5", (Unknown, None)),
            ("<u>\nOutput: no\nExit Code: 1\nProcess Group PGID: 5\n</u>", (Error, Some(1))),
            ("Output: no\nExit Code: 1", (Unknown, None)),
            ("Command moved to background (PID: 5). Output hidden.", (Unknown, None)),
            ("Exit Code: 0", (Unknown, None)),
            ("Output: Exit Code: 1\nall well\nProcess Group PGID: 5", (Ok, None)),
            ("", (Unknown, None)),
        ] {
            assert_eq!(told(report), expected, "{report}");
        }
    }

    #[test]
    fn a_status_tells_of_other_calls() {
        let outcome = |status: Value| match of(&json!({"name": "write_file", "status": status,
            "result": [{"functionResponse": {"response": {"output": "x"}}}]}))
        {
            Outcome::Open => "open".to_owned(),
            Outcome::Ended { text, told } => format!("{:?} {text}", told.outcome),
            Outcome::Unknown { word, .. } => word,
        };
        let told = ["success", "error", "cancelled", "executing", "completed"];
        let told = told.map(|status| outcome(json!(status)));
        assert_eq!(told, ["Ok x", "Error x", "Unknown x", "open", "completed"]);
        assert_eq!(outcome(Value::Null), "Unknown x");
    }
}
