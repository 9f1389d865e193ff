//! A judge that is a child process: a question in on standard input, a reply out on standard
//! output.
//!
//! The question is one JSON document, `quittance.question.v1`, and then the end of the input:
//!
//! | key | holds |
//! |---|---|
//! | `_type` | `quittance.question.v1` |
//! | `slot` | `verification` or `completion` |
//! | `why` | `first`, or why it is asked again |
//! | `model` | the policy's model |
//! | `system`, `user` | the prompt's two parts |
//! | `schema` | the JSON schema to answer in |
//! | `provider_timeout_ms` | how long the answer may take |
//!
//! The reply is all it prints, if it exits with status 0; what the reply amounts to is
//! `quittance-judge`'s to say. It is started once for each question and never again for the same
//! one. What it writes to standard error is read and dropped: it may hold a key, and a failure's
//! message goes into a receipt.

use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;
use quittance_evidence::canonical;
use quittance_judge::machine::{Failure, JudgeQuestion, Reply};
use quittance_judge::reply::REPLY_BYTES_MAX;
use serde_json::{Value, json};

use super::{Judge, JudgeKind};
use crate::policy::Command;
use crate::process::{Ended, Finished, Job, Keep, Streams, Supervisor, Withheld, run};

/// The schema of the question.
pub const QUESTION_SCHEMA: &str = "quittance.question.v1";

/// Asks a child process.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "what is run, where, with what, and held by whom")]
pub struct CommandJudge {
    /// What is run.
    pub command: Command,
    /// The folder it is run in.
    pub folder: PathBuf,
    /// Which variables it does not see. Its own key it may need.
    pub withheld: Withheld,
    /// What ends everything it starts.
    pub supervisor: Option<Supervisor>,
}

#[async_trait]
impl Judge for CommandJudge {
    fn kind(&self) -> JudgeKind {
        JudgeKind::Command
    }

    async fn ask(&self, question: &JudgeQuestion) -> Reply {
        let limit = u64::try_from(question.provider_timeout_ms).unwrap_or(0);
        let mut job = Job::new(self.command.clone(), &self.folder, Duration::from_millis(limit));
        job.stdin = Some(canonical::to_text(&document(question)));
        job.withheld = self.withheld.clone();
        job.supervisor = self.supervisor.clone();
        job.streams = Streams::Apart {
            output: Keep { head: REPLY_BYTES_MAX, tail: 0 },
            errors: Keep { head: 0, tail: 0 },
        };
        reply(&run(&job).await)
    }
}

fn document(question: &JudgeQuestion) -> Value {
    json!({
        "_type": QUESTION_SCHEMA,
        "slot": question.slot.as_str(),
        "why": question.why.as_str(),
        "model": question.model,
        "system": *question.prompt.system,
        "user": question.prompt.user,
        "schema": *question.prompt.schema,
        "provider_timeout_ms": question.provider_timeout_ms,
    })
}

/// A shell's words for "not executable" and "not found".
const UNAVAILABLE: [i32; 2] = [126, 127];

fn reply(finished: &Finished) -> Reply {
    match &finished.ended {
        Ended::Exited(0) => printed(finished),
        Ended::Exited(status) if UNAVAILABLE.contains(status) => failed(
            Failure::Environment,
            format!("the judge's command cannot be run: exit status {status}"),
        ),
        Ended::Exited(status) => {
            failed(Failure::Other, format!("the judge's command failed: exit status {status}"))
        }
        Ended::Signaled(signal) => {
            failed(Failure::Other, format!("the judge's command was ended by signal {signal}"))
        }
        Ended::Deadline => failed(Failure::Timeout, "the judge did not answer in time"),
        Ended::NotStarted(cause) => {
            failed(Failure::Environment, format!("the judge's command cannot be run: {cause}"))
        }
        Ended::Lost => failed(Failure::Other, "nobody saw how the judge's command ended"),
    }
}

/// What it printed, as received: a part of a reply is none.
fn printed(finished: &Finished) -> Reply {
    let Some(bytes) = finished.output.whole() else {
        let message = format!("the judge's reply is longer than {REPLY_BYTES_MAX} bytes");
        return failed(Failure::Other, message);
    };
    match String::from_utf8(bytes) {
        Ok(text) if text.trim().is_empty() => failed(Failure::Other, "the judge printed nothing"),
        Ok(text) => Reply::text(text),
        Err(_) => failed(Failure::Other, "the judge's reply is not UTF-8"),
    }
}

fn failed(failure: Failure, message: impl Into<String>) -> Reply {
    Reply::Failed { failure, message: message.into() }
}
