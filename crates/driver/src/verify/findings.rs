//! What an agent is told of a verifier that did not pass: how it ended, and its last lines.

use quittance_evidence::clip::Clip;

use super::hear::Heard;
use super::{NotRun, Reading};
use crate::escape;
use crate::process::{Ended, Finished};

/// How many of the last lines are told. Runners put their summary there.
const LINES: usize = 40;
/// How much of one line.
const LINE: Clip = Clip { limit: 400, noun: "line" };
/// How much of it all: it goes into a feedback that hosts cut at ten thousand.
const ALL: Clip = Clip { limit: 4000, noun: "output" };

/// The findings; `""` for a pass.
pub(super) fn of(finished: &Finished, reading: Reading, heard: &Heard) -> String {
    let lead = match (reading, &finished.ended) {
        (Reading::Passed, _) => return String::new(),
        (Reading::NotRun(NotRun::NoTestsRan), _) => {
            "exit status 0, but no test was executed".into()
        }
        (Reading::NotRun(NotRun::Unavailable), Ended::Exited(0)) => {
            format!("exit status 0, but a program was not found: {}", heard.missing().unwrap_or(""))
        }
        (_, Ended::Exited(status)) => format!("exit status {status}"),
        (_, Ended::Signaled(signal)) => format!("ended by signal {signal}"),
        (_, Ended::Deadline) => "ended by us: its time was over".into(),
        (_, Ended::NotStarted(cause)) => format!("not started: {cause}"),
        (_, Ended::Lost) => "nobody saw how it ended".into(),
    };
    let tail = tail(&finished.output.text());
    let text = if tail.is_empty() { shown(&lead) } else { format!("{}\n{tail}", shown(&lead)) };
    ALL.apply(&text)
}

/// The last lines that say something.
fn tail(output: &str) -> String {
    let lines: Vec<&str> = output.lines().collect();
    let written = lines.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |at| at + 1);
    let last = lines.iter().take(written).skip(written.saturating_sub(LINES));
    last.map(|line| LINE.apply(&shown(line))).collect::<Vec<_>>().join("\n")
}

/// A line without colours, and with everything else that could move or hide text escaped.
fn shown(line: &str) -> String {
    escape::line(plain(line).trim_end())
}

/// A line without the sequences that colour it or move about: `ESC [`, parameters, a letter.
pub(super) fn plain(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        out.push_str(before);
        let parameters = |c: char| matches!(c, '\u{20}'..='\u{3f}');
        let after = after.trim_start_matches(parameters);
        rest = after.strip_prefix(|c| matches!(c, '@'..='~')).unwrap_or(after);
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn nothing_of_any_output_moves_or_hides(output in ".{0,300}\n?.{0,300}") {
            let told = tail(&output);
            prop_assert!(told.lines().count() <= LINES);
            prop_assert!(!told.chars().any(|c| escape::is_unsafe(c) && !matches!(c, '\n' | '\t')), "{told:?}");
        }
    }

    #[test]
    fn the_last_lines_are_told_and_nothing_hides_in_them() {
        let output = (0..100).map(|n| format!("line {n}\n")).collect::<String>();
        let told = tail(&format!("{output}\n\n  \n"));
        assert!(told.starts_with("line 60\n") && told.ends_with("line 99"), "{told}");
        assert_eq!(
            tail("\u{1b}[31mred\u{1b}[0m\ta\u{1b}]0;t\u{7}\u{202e}b"),
            "red\ta\\u{1b}]0;t\\u{7}\\u{202e}b"
        );
        assert_eq!(tail(""), "");
        assert_eq!(tail("\n\n"), "");
    }

    #[test]
    fn colours_end_where_they_end() {
        for (line, expected) in [
            ("", ""),
            ("\u{1b}[", ""),
            ("\u{1b}[1;31", ""),
            ("\u{1b}[1;31mred", "red"),
            ("a\u{1b}[Kb\u{1b}[2Jc", "abc"),
            ("\u{1b}\u{1b}[0m[x", "\u{1b}[x"),
        ] {
            assert_eq!(plain(line), expected, "{line:?}");
        }
    }

    #[test]
    fn one_long_line_is_cut() {
        assert!(tail(&"x".repeat(100_000)).len() < 500);
    }
}
