//! How a call ended, by the line of its result.
//!
//! Only `is_error` makes a failure. Text may acquit (a call that was refused, cancelled, or whose
//! result was not kept counts neither as tried nor as failed), never convict.

use super::block::Answer;
use super::line::{Line, Twin};
use crate::records::ResultOutcome;

/// How the host answers a call that a person refused or that was ended before it ran.
const NEVER_RAN: [&str; 6] = [
    "<tool_use_error>Cancelled",
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "User rejected tool use",
    "[Request interrupted by user",
    "[Tool use interrupted",
];

/// How the host begins its answer to a call that nobody allowed yet, or that a hook kept from
/// running, and what else its first line then says.
const KEPT_FROM_RUNNING: [(&str, &[&str]); 2] = [
    ("Claude requested permissions to ", &["but you haven't granted it yet"]),
    ("PreToolUse:", &[" hook", "blocked"]),
];

/// What stands where a result was not kept.
const PLACEHOLDER: [&str; 4] = [
    "Tool result missing",
    "[Old tool result content cleared",
    "[Tool result missing",
    "[tool result missing",
];

/// The fields a result's outcome is read from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reported<'a> {
    pub(super) is_error: bool,
    pub(super) text: &'a str,
    pub(super) denial: Option<&'a str>,
    pub(super) twin: &'a Twin,
}

impl Answer {
    /// A result with the fields of the line it stands in.
    pub(super) fn reported<'a>(&'a self, line: &'a Line) -> Reported<'a> {
        let denial = line.denial.as_deref();
        Reported { is_error: self.is_error, text: &self.text, denial, twin: &line.twin }
    }
}

/// Reads an outcome.
pub(super) fn outcome(reported: Reported<'_>) -> ResultOutcome {
    let starts = |beginnings: &[&str]| {
        beginnings.iter().any(|beginning| reported.text.starts_with(beginning))
    };
    // An answer that only says that the work goes on in the background is no result of the work.
    let goes_on = reported.twin.shell.is_some() || reported.twin.is_async;
    let never_ran = reported.denial.is_some() || starts(&NEVER_RAN) || was_kept(reported.text);
    if goes_on || never_ran || starts(&PLACEHOLDER) {
        ResultOutcome::Unknown
    } else if reported.is_error {
        ResultOutcome::Error
    } else {
        ResultOutcome::Ok
    }
}

fn was_kept(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default();
    KEPT_FROM_RUNNING.iter().any(|(beginning, says)| {
        line.strip_prefix(beginning).is_some_and(|rest| says.iter().all(|say| rest.contains(say)))
    })
}

/// The exit code that the host puts before the output of a command that failed.
pub(super) fn exit_code(reported: Reported<'_>) -> Option<i64> {
    if !reported.is_error {
        return None;
    }
    let line = reported.text.lines().next()?;
    line.strip_prefix("Exit code ")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_acquits_and_never_convicts() {
        let twin = Twin::default();
        for (is_error, text, denial, expected) in [
            (false, "ok", None, ResultOutcome::Ok),
            (false, "Error: everything failed", None, ResultOutcome::Ok),
            (false, "Exit code 1", None, ResultOutcome::Ok),
            (true, "Exit code 1\nno", None, ResultOutcome::Error),
            (true, "any", Some("user-rejected"), ResultOutcome::Unknown),
            (
                true,
                "The user doesn't want to proceed with this tool use.",
                None,
                ResultOutcome::Unknown,
            ),
            (true, "<tool_use_error>Cancelled: x</tool_use_error>", None, ResultOutcome::Unknown),
            (false, "User rejected tool use", None, ResultOutcome::Unknown),
            (
                true,
                "Claude requested permissions to write to /w/a, but you haven't granted it yet.",
                None,
                ResultOutcome::Unknown,
            ),
            (true, "Claude requested permissions to write to /w/a.", None, ResultOutcome::Error),
            (true, "PreToolUse:Write hook error: [x]: blocked", None, ResultOutcome::Unknown),
            (true, "PreToolUse:Bash [x] hook blocked the call", None, ResultOutcome::Unknown),
            (true, "PreToolUse:Write failed", None, ResultOutcome::Error),
            (true, "Exit code 1\nPreToolUse:x hook blocked", None, ResultOutcome::Error),
            (true, "<tool_use_error>No such tool</tool_use_error>", None, ResultOutcome::Error),
            (true, "Tool result missing from saved history", None, ResultOutcome::Unknown),
            (false, "Tool result missing from saved history", None, ResultOutcome::Unknown),
        ] {
            let reported = Reported { is_error, text, denial, twin: &twin };
            assert_eq!(outcome(reported), expected, "{text}");
        }
        let twin = Twin { shell: Some("b".into()), ..Twin::default() };
        let reported = Reported { is_error: false, text: "running", denial: None, twin: &twin };
        assert_eq!(outcome(reported), ResultOutcome::Unknown);
    }

    #[test]
    fn only_a_failure_shows_an_exit_code() {
        let twin = Twin::default();
        let code =
            |is_error, text| exit_code(Reported { is_error, text, denial: None, twin: &twin });
        assert_eq!(code(true, "Exit code 127\nnot found"), Some(127));
        assert_eq!(code(false, "Exit code 0"), None);
        assert_eq!(code(true, "it said\nExit code 0"), None);
        assert_eq!(code(true, "Exit code one"), None);
    }
}
