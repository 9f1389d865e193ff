//! The three kinds of row a record can become.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a host said of a call's end. An unknown word reads as `unknown`, which neither convicts
/// nor acquits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(
    clippy::exhaustive_enums,
    reason = "an answer: a new outcome must be thought about everywhere"
)]
pub enum Outcome {
    /// The call did what it was asked.
    Ok,
    /// The call failed.
    Error,
    /// The host did not say.
    Unknown,
}

impl Outcome {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Unknown => "unknown",
        }
    }
}

/// Who wrote a tool result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(
    clippy::exhaustive_enums,
    reason = "an answer: a new author must be thought about everywhere"
)]
pub enum Origin {
    /// The tool did; any word but the other reads so.
    Dispatch,
    /// The harness did, to close a call that was never run. Such a result is no evidence.
    HarnessRepair,
}

impl Origin {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dispatch => "dispatch",
            Self::HarnessRepair => "harness_repair",
        }
    }
}

/// One tool call as an assistant row states it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Call {
    /// The call's id, or `""`.
    pub id: String,
    /// The tool's name, never empty.
    pub name: String,
    /// The arguments; text that is no JSON object is kept under `_raw`.
    pub args: Map<String, Value>,
}

/// Token counts and time as recorded: numbers, or whatever stood there (then an issue says so).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Usage {
    /// Tokens read.
    pub input_tokens: Value,
    /// Tokens written.
    pub output_tokens: Value,
    /// Tokens read from a cache.
    pub cache_read_tokens: Value,
    /// Tokens written to a cache.
    pub cache_write_tokens: Value,
    /// Response time in milliseconds.
    pub response_ms: Value,
}

impl Usage {
    /// The names of the counts that are no number.
    #[must_use]
    pub fn unreadable(&self) -> Vec<&'static str> {
        [
            ("input_tokens", &self.input_tokens),
            ("output_tokens", &self.output_tokens),
            ("cache_read_tokens", &self.cache_read_tokens),
            ("cache_write_tokens", &self.cache_write_tokens),
            ("response_ms", &self.response_ms),
        ]
        .into_iter()
        .filter(|(_, count)| !count.is_number())
        .map(|(name, _)| name)
        .collect()
    }
}

/// What the model said, and the calls it placed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AssistantRow {
    /// The model call this row belongs to.
    pub iteration: i64,
    /// Position among the object records.
    pub index: usize,
    /// The visible text.
    pub text: String,
    /// The calls, in order; nameless ones are dropped and reported.
    pub tool_calls: Vec<Call>,
    /// The provider, where recorded.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub provider: Value,
    /// The model, where recorded.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub model: Value,
    /// Counts.
    pub usage: Usage,
}

/// What was said to the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UserRow {
    /// The model call that follows.
    pub iteration: i64,
    /// Position among the object records.
    pub index: usize,
    /// The text.
    pub text: String,
}

/// What a tool, or the harness in its place, answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToolResultRow {
    /// The model call that placed the call.
    pub iteration: i64,
    /// Position among the object records.
    pub index: usize,
    /// The tool's name, or `unknown`.
    pub name: String,
    /// The id of the call answered, or `""`.
    pub tool_call_id: String,
    /// The text.
    pub text: String,
    /// How the call ended.
    pub outcome: Outcome,
    /// Who wrote this.
    pub origin: Origin,
    /// Typed facts of the host.
    pub data: Map<String, Value>,
}

/// One row (`harn.agent.transcript.row.v1`), written with its `kind`; the words for schema and role
/// follow from that and are not repeated in each row.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "the row schema has these three kinds")]
pub enum Row {
    /// An assistant row.
    Assistant(AssistantRow),
    /// A user row.
    User(UserRow),
    /// A tool result row.
    ToolResult(ToolResultRow),
}

impl Row {
    /// The schema of every row.
    pub const SCHEMA: &'static str = "harn.agent.transcript.row.v1";
}
