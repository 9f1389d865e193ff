//! What the client told our hook and what it answered, as the recorder kept it.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::files;

/// One call of the hook.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// Where it is kept.
    pub(crate) folder: PathBuf,
    /// What it answered; none where it was ended before it could.
    pub(crate) answer: Option<Answer>,
    /// Whether it was asked about a compaction, which is no run and leaves no receipt.
    pub(crate) is_compaction: bool,
}

/// What has to be known of what a client tells the hook.
#[derive(Deserialize)]
struct Told {
    hook_event_name: Option<String>,
    agent_type: Option<String>,
}

/// What the hook answered, as far as it keeps to the one form that no client loses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The run may stop.
    Allow,
    /// The run goes on, with this reason.
    Block(String),
    /// The run may stop, and the user is told this.
    Tell(String),
    /// Something that some client loses: what is wrong with it.
    Unfit(String),
}

/// Reads the calls in the order in which they began.
pub(crate) fn read(folder: &Path) -> Result<Vec<Call>, Failure> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder).map_err(|cause| files::unusable(folder, cause))? {
        folders.push(entry.map_err(|cause| files::unusable(folder, cause))?.path());
    }
    // Named by the clock, in digits of one length.
    folders.sort();
    folders.into_iter().map(Call::read).collect()
}

impl Call {
    fn read(folder: PathBuf) -> Result<Self, Failure> {
        let is_compaction = is_compaction(&folder);
        let exit = folder.join("exit");
        if !exit.exists() {
            return Ok(Self { folder, answer: None, is_compaction });
        }
        let status = String::from_utf8_lossy(&files::read(&exit)?).trim().to_owned();
        let answer = match status.as_str() {
            "0" => Answer::of(&files::read(&folder.join("stdout"))?),
            other => Answer::Unfit(format!("it ended with {other}")),
        };
        Ok(Self { folder, answer: Some(answer), is_compaction })
    }
}

/// Claude Code asks about a compaction as about a sub-agent without a type.
fn is_compaction(folder: &Path) -> bool {
    let told = files::read(&folder.join("stdin")).ok();
    let told: Option<Told> = told.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    told.is_some_and(|told| {
        told.hook_event_name.as_deref() == Some("SubagentStop")
            && told.agent_type.as_deref() == Some("")
    })
}

impl Answer {
    /// One JSON object, `{}` or two known keys or one, and nothing beside it.
    fn of(stdout: &[u8]) -> Self {
        let fields: Map<String, Value> = match serde_json::from_slice(stdout) {
            Ok(fields) => fields,
            Err(cause) => return Self::Unfit(format!("its answer is no JSON object: {cause}")),
        };
        let text =
            |key| fields.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
        match (fields.len(), text("decision"), text("reason"), text("systemMessage")) {
            (0, ..) => Self::Allow,
            (2, Some("block"), Some(reason), _) => Self::Block(reason.to_owned()),
            (1, _, _, Some(message)) => Self::Tell(message.to_owned()),
            _ => Self::Unfit(format!("its answer is `{}`", String::from_utf8_lossy(stdout).trim())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, read};

    #[test]
    fn only_what_every_client_takes_is_an_answer() {
        let block = br#"{"decision":"block","reason":"write it"}"#;
        assert_eq!(Answer::of(b"{}"), Answer::Allow);
        assert_eq!(Answer::of(block), Answer::Block("write it".to_owned()));
        assert_eq!(Answer::of(br#"{"systemMessage":"so"}"#), Answer::Tell("so".to_owned()));
        for lost in [
            &b""[..],
            b"[]",
            b"{} {}",
            b"note\n{}",
            br#"{"decision":"block","reason":" "}"#,
            br#"{"decision":"approve"}"#,
            br#"{"decision":"block","reason":"x","continue":true}"#,
            br#"{"systemMessage":""}"#,
            b"\xef\xbb\xbf{}",
        ] {
            assert!(matches!(Answer::of(lost), Answer::Unfit(_)), "{lost:?}");
        }
    }

    #[test]
    fn a_compaction_is_told_by_its_typed_fields() {
        let folder = tempfile::tempdir().unwrap();
        for (name, stdin, expected) in [
            ("1", r#"{"hook_event_name":"SubagentStop","agent_type":""}"#, true),
            ("2", r#"{"hook_event_name":"SubagentStop","agent_type":"general-purpose"}"#, false),
            ("3", r#"{"hook_event_name":"Stop","last_assistant_message":"agent_type"}"#, false),
        ] {
            let call = folder.path().join(name);
            std::fs::create_dir(&call).unwrap();
            std::fs::write(call.join("stdin"), stdin).unwrap();
            assert_eq!(super::is_compaction(&call), expected, "{stdin}");
        }
    }

    #[test]
    fn a_call_that_was_ended_has_no_answer_and_one_that_failed_an_unfit_one() {
        let folder = tempfile::tempdir().unwrap();
        for (name, exit) in [("1-a", None), ("2-b", Some("3\n")), ("3-c", Some("0\n"))] {
            let call = folder.path().join(name);
            std::fs::create_dir(&call).unwrap();
            std::fs::write(call.join("stdout"), "{}").unwrap();
            if let Some(exit) = exit {
                std::fs::write(call.join("exit"), exit).unwrap();
            }
        }
        let answers: Vec<_> =
            read(folder.path()).unwrap().into_iter().map(|call| call.answer).collect();
        let failed = Answer::Unfit("it ended with 3".to_owned());
        assert_eq!(answers, [None, Some(failed), Some(Answer::Allow)]);
    }
}
