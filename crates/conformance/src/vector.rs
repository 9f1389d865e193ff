//! One vector: read from a line, run, judged.

use serde::Deserialize;
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
    body: Body,
}

/// What the operation is run on and compared with.
#[derive(Clone, Debug, PartialEq)]
enum Body {
    /// JSON values, compared by value.
    Values { args: Value, expected: Value },
    /// The line itself: key order, number spelling and bytes count.
    Bytes(String),
}

/// The part of a line that every vector has.
#[derive(Deserialize)]
struct Header {
    id: String,
    op: String,
}

/// Why a line is no vector.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VectorError {
    /// The line is no JSON.
    #[error("read a vector: {0}")]
    Json(String),
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
    /// When the line is no JSON object with texts under `id` and `op`.
    pub fn parse(line: &str) -> Result<Self, VectorError> {
        let unreadable = |error: serde_json::Error| VectorError::Json(error.to_string());
        let Header { id, op } = serde_json::from_str(line).map_err(unreadable)?;
        if op == ops::assess::NAME {
            return Ok(Self { id, op, body: Body::Bytes(line.to_owned()) });
        }
        let mut fields: Value = serde_json::from_str(line).map_err(unreadable)?;
        let mut take = |key: &str| fields.get_mut(key).map(Value::take).unwrap_or_default();
        let (args, expected) = (take("args"), take("expected"));
        Ok(Self { id, op, body: Body::Values { args, expected } })
    }

    /// Runs the operation and returns its answer in the form of `expected`.
    #[must_use]
    pub fn answer(&self) -> Value {
        let answer = match &self.body {
            Body::Values { args, .. } => match ops::find(&self.op) {
                None => return json!({"unknown_op": self.op}),
                Some(op) => op(args),
            },
            Body::Bytes(line) => ops::assess::answer(line).map(Value::from),
        };
        match answer {
            Ok(value) => json!({"ok": value}),
            Err(message) => json!({"error": message}),
        }
    }

    /// Runs the operation and compares.
    #[must_use]
    pub fn run(&self) -> Outcome {
        let difference = match &self.body {
            Body::Values { expected, .. } => self.compare(expected),
            Body::Bytes(line) => ops::assess::difference(line),
        };
        difference.map_or(Outcome::Passed, Outcome::Failed)
    }

    fn compare(&self, expected: &Value) -> Option<String> {
        let answer = self.answer();
        // `"error": true` asks only that the operation refuses.
        let refuses = expected.get("error") == Some(&Value::Bool(true));
        if refuses && answer.get("error").is_some() {
            return None;
        }
        difference(expected, &answer)
    }
}
