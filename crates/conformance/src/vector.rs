//! One vector: read from a line, run, judged.

use serde_json::{Value, json};

use crate::compare::difference;
use crate::ops;

/// One line of a vector file.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    /// Its id, printed when it fails.
    pub id: String,
    /// The operation.
    pub op: String,
    args: Value,
    expected: Value,
}

/// Why a line is no vector.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VectorError {
    /// The line is no JSON.
    #[error("read a vector: {0}")]
    Json(String),
    /// A key is missing or of the wrong type.
    #[error("read a vector: `{0}` is missing or no string")]
    Key(&'static str),
}

/// What a vector came to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a vector passes or it does not")]
pub enum Outcome {
    /// The answer is the expected one.
    Passed,
    /// It is not; the text says where.
    Failed(String),
}

impl Vector {
    /// Reads one line.
    ///
    /// # Errors
    /// When the line is no JSON object with a string `id` and `op`.
    pub fn parse(line: &str) -> Result<Self, VectorError> {
        let mut fields: Value =
            serde_json::from_str(line).map_err(|error| VectorError::Json(error.to_string()))?;
        let mut take = |key: &str| fields.get_mut(key).map(Value::take).unwrap_or_default();
        let (id, op, args, expected) = (take("id"), take("op"), take("args"), take("expected"));
        let text = |value: Value, key| match value {
            Value::String(text) => Ok(text),
            _ => Err(VectorError::Key(key)),
        };
        Ok(Self { id: text(id, "id")?, op: text(op, "op")?, args, expected })
    }

    /// Runs the operation and returns its answer in the form of `expected`.
    #[must_use]
    pub fn answer(&self) -> Value {
        match ops::find(&self.op) {
            None => json!({"unknown_op": self.op}),
            Some(op) => match op(&self.args) {
                Ok(value) => json!({"ok": value}),
                Err(message) => json!({"error": message}),
            },
        }
    }

    /// Runs the operation and compares.
    #[must_use]
    pub fn run(&self) -> Outcome {
        let answer = self.answer();
        // `"error": true` asks only that the operation refuses.
        let refuses = self.expected.get("error") == Some(&Value::Bool(true));
        if refuses && answer.get("error").is_some() {
            return Outcome::Passed;
        }
        match difference(&self.expected, &answer) {
            None => Outcome::Passed,
            Some(difference) => Outcome::Failed(difference),
        }
    }
}
