//! The record of what is owed, what it reads as, and its digest.

use quittance_evidence::Digest;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// One directive the user sent mid-run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Steer {
    /// The message that carried it, or `""`.
    pub message_id: String,
    /// How it was delivered; proof that the model saw it.
    pub mode: String,
    /// Its text, trimmed and clipped; never empty.
    pub content: String,
}

/// A stop the session accepted. It ends the loop and delivers no message, so only a control row
/// can show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcceptedStop {
    /// The control's id, or `""`.
    pub control_id: String,
    /// The call that asked for it, or `""`.
    pub method: String,
    /// What the session answered, or `""`.
    pub status: String,
}

/// A steer that replaced the objective. Rows declared for the old one are retired: not owed, and
/// not satisfied either.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retarget {
    /// The control's id, or `""`.
    pub control_id: String,
    /// The message that carried it, or `""`.
    pub message_id: String,
    /// The new objective, trimmed; never empty.
    pub objective: String,
}

/// Where a reading comes from, and so what its silence means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(
    clippy::exhaustive_enums,
    reason = "an answer: a new source must be thought about everywhere"
)]
pub enum Source {
    /// Control rows: no stop means that none was accepted.
    ControlRecord,
    /// Delivered messages: no stop means that none is visible from here.
    DeliveredMessages,
}

/// What a run owes (`harn.completion_obligations.v1`).
///
/// INVARIANT: steers are in the order they were accepted; a retarget or a stop was recorded, never
/// guessed from prose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Obligations {
    #[serde(default = "schema", skip_deserializing)]
    schema: Schema,
    #[serde(default)]
    pub(crate) original_task: String,
    #[serde(default)]
    pub(crate) steers: Vec<Steer>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) accepted_stop: Option<AcceptedStop>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) retarget: Option<Retarget>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<Source>,
}

/// The record's schema, written always and never read: older callers leave it out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
enum Schema {
    #[default]
    #[serde(rename = "harn.completion_obligations.v1")]
    V1,
}

const fn schema() -> Schema {
    Schema::V1
}

impl Obligations {
    pub(crate) fn new(original_task: &str, source: Source) -> Self {
        Self { original_task: original_task.to_owned(), source: Some(source), ..Self::default() }
    }

    /// The task the turn was opened with.
    #[must_use]
    pub fn original_task(&self) -> &str {
        &self.original_task
    }

    /// The steers, oldest first; a later one supersedes what it conflicts with.
    #[must_use]
    pub fn steers(&self) -> &[Steer] {
        &self.steers
    }

    /// The stop, where one was recorded. Nothing clears it.
    #[must_use]
    pub const fn accepted_stop(&self) -> Option<&AcceptedStop> {
        self.accepted_stop.as_ref()
    }

    /// The latest retarget, where one was recorded.
    #[must_use]
    pub const fn retarget(&self) -> Option<&Retarget> {
        self.retarget.as_ref()
    }

    /// Where this reading comes from; older records do not say.
    #[must_use]
    pub const fn source(&self) -> Option<Source> {
        self.source
    }

    /// The objective in force: the latest retarget's, else the task.
    #[must_use]
    pub fn objective<'a>(&'a self, task: &'a str) -> &'a str {
        match &self.retarget {
            Some(retarget) if !retarget.objective.is_empty() => &retarget.objective,
            Some(_) | None => task,
        }
    }

    /// The digest that binds a decision to what was owed; none when nothing was amended, so that an
    /// unsteered run keeps its evidence id. Task, source and schema are not part of it.
    #[must_use]
    pub fn digest(&self) -> Option<Digest> {
        let steers = json!(self.steers);
        let amended = match (&self.accepted_stop, &self.retarget) {
            (None, None) if self.steers.is_empty() => return None,
            // A retarget rides on a steer; a record with neither steer nor stop amends nothing.
            (None, Some(_)) if self.steers.is_empty() => return None,
            (None, None) => steers,
            (Some(stop), None) => json!({"accepted_stop": stop, "steers": steers}),
            (stop, Some(retarget)) => {
                json!({"accepted_stop": stop, "retarget": retarget, "steers": steers})
            }
        };
        Some(Digest::of(&amended))
    }

    /// The digest as the wire has it: `""` when nothing was amended.
    #[must_use]
    pub fn digest_text(&self) -> String {
        self.digest().map(|digest| digest.to_string()).unwrap_or_default()
    }

    /// The record as JSON.
    #[must_use]
    pub fn to_value(&self) -> Value {
        // A record of strings; writing it cannot fail.
        serde_json::to_value(self).unwrap_or_default()
    }
}
