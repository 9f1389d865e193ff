//! The rows of a turn: how what was said and done becomes records that ids are taken over.
//!
//! The mapping is fixed and numbered; changing what a record holds changes every evidence id, so it
//! raises [`ROWS_VERSION`], which stands in the receipt. Words of a hook, of the host or of another
//! agent are no rows: they are nobody's message, and our own feedback must not move an id.

use serde_json::{Map, Value, json};

/// The number of this mapping.
pub const ROWS_VERSION: u32 = 1;

/// How a steer reached the agent: between two of its steps.
pub(crate) const DELIVERED: &str = "finish_step";

/// How a call ended, by the host's typed fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultOutcome {
    Ok,
    Error,
    /// It never ran, was ended, or what it gave was not kept.
    Unknown,
}

impl ResultOutcome {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Unknown => "unknown",
        }
    }
}

/// What the person opened the turn with.
pub(crate) fn prompt(text: String) -> Value {
    object([("role", "user".into()), ("content", text.into())])
}

/// What the person said while the agent worked.
pub(crate) fn steer(text: String, message_id: String) -> Value {
    object([
        ("role", "user".into()),
        ("content", text.into()),
        ("messageId", message_id.into()),
        ("injectedMode", DELIVERED.into()),
    ])
}

/// What the agent said and called.
pub(crate) fn assistant(text: String, calls: Vec<Value>) -> Value {
    let mut record = object([("role", "assistant".into()), ("content", text.into())]);
    if let (Some(fields), false) = (record.as_object_mut(), calls.is_empty()) {
        fields.insert("tool_calls".to_owned(), Value::Array(calls));
    }
    record
}

/// One call of the agent.
pub(crate) fn call(id: String, name: String, args: Map<String, Value>) -> Value {
    object([("id", id.into()), ("name", name.into()), ("args", Value::Object(args))])
}

/// What a call gave.
#[derive(Debug)]
pub(crate) struct CallResult {
    pub(crate) id: String,
    /// The tool's name, or `""` where no call has the id.
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) outcome: ResultOutcome,
    pub(crate) data: Map<String, Value>,
}

impl CallResult {
    pub(crate) fn into_record(self) -> Value {
        let harn = json!({
            "kind": "tool_result",
            "tool_name": self.name,
            "tool_call_id": self.id,
            "outcome": self.outcome.as_str(),
            "data": Value::Object(self.data),
        });
        object([
            ("role", "tool".into()),
            ("tool_call_id", self.id.into()),
            ("name", self.name.into()),
            ("content", self.text.into()),
            ("_harn", harn),
        ])
    }
}

fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Object(fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}
