//! What one run came to: read from what the driver recorded, from the calls of the hook and from
//! the receipts. What it should have come to is not asked here.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::calls::{self, Answer, Call};
use super::expected::Ended;
use super::play::parse;
use super::receipts;
use super::stage::Stage;
use super::stop::Stop;
use crate::failure::Failure;
use crate::files;

/// What one run came to.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// What the receipts say, oldest first.
    pub(crate) stops: Vec<Stop>,
    /// The calls of the hook; none where nothing stood between it and the client.
    pub(crate) calls: Option<Vec<Call>>,
    /// Files in the project.
    pub(crate) files: Vec<String>,
    /// Who ended the run; none when it had to be ended because its time was up.
    pub(crate) ended: Option<Ended>,
    /// How long the client ran.
    pub(crate) seconds: f64,
    /// All that was new in what the model was sent.
    pub(crate) asked: String,
    /// All that the client printed for whoever started it.
    pub(crate) shown: String,
}

/// What the driver sums up.
#[derive(Debug, Deserialize)]
struct Summary {
    timed_out: Option<bool>,
    #[serde(default)]
    seconds: f64,
    #[serde(default)]
    project_files: Vec<String>,
}

/// A line of the driver's log.
#[derive(Debug, Deserialize)]
struct Event {
    kind: String,
}

impl Seen {
    /// Reads what is kept of a run.
    pub(crate) fn read(kept: &Path, stage: &Stage, is_recorded: bool) -> Result<Self, Failure> {
        let calls = kept.join("calls");
        let calls = if is_recorded { Some(calls::read(&calls)?) } else { None };
        let file = kept.join("summary.json");
        let summary: Summary = parse(&files::read(&file)?, &file)?;
        Ok(Self {
            stops: receipts::stops(stage, kept)?,
            calls,
            ended: ended(summary.timed_out, &text(&kept.join("events.ndjson"))),
            files: summary.project_files,
            seconds: summary.seconds,
            asked: text(&kept.join("requests.ndjson")),
            shown: text(&kept.join("host.stdout")) + &text(&kept.join("host.stderr")),
        })
    }

    /// The reasons with which the run was told to go on.
    pub(crate) fn refusals(&self) -> Vec<&str> {
        self.answers().filter_map(|answer| as_reason(answer)).collect()
    }

    /// What the user was to be told.
    pub(crate) fn notices(&self) -> Vec<&str> {
        self.answers()
            .filter_map(|answer| match answer {
                Answer::Tell(message) => Some(message.as_str()),
                _ => None,
            })
            .collect()
    }

    fn answers(&self) -> impl Iterator<Item = &Answer> {
        self.calls.iter().flatten().filter_map(|call| call.answer.as_ref())
    }
}

fn as_reason(answer: &Answer) -> Option<&str> {
    match answer {
        Answer::Block(reason) => Some(reason),
        _ => None,
    }
}

/// A run that the driver ended before its time is told by its log alone. Where the driver has no
/// word on the time, nobody knows that it ended.
fn ended(timed_out: Option<bool>, events: &str) -> Option<Ended> {
    if timed_out != Some(false) {
        return None;
    }
    let gave_up = events
        .lines()
        .any(|line| serde_json::from_str::<Event>(line).is_ok_and(|event| event.kind == "gave_up"));
    Some(if gave_up { Ended::Driver } else { Ended::Client })
}

/// A file that a client need not write.
fn text(path: &Path) -> String {
    fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Ended, ended};

    #[test]
    fn who_ended_a_run_is_told_by_typed_fields_only() {
        let gave_up = r#"{"t": 1.0, "kind": "gave_up", "after_turns": 4}"#;
        let said = r#"{"t": 1.0, "kind": "steer", "text": "gave_up"}"#;
        assert_eq!(ended(Some(false), said), Some(Ended::Client));
        assert_eq!(ended(Some(false), &[said, gave_up].join("\n")), Some(Ended::Driver));
        assert_eq!(ended(Some(true), ""), None);
        assert_eq!(ended(None, ""), None);
    }
}
