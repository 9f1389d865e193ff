//! What a deterministic verifier observed, as a record that any authority may read.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::value::{field, text};

/// What the verifier observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(
    clippy::exhaustive_enums,
    reason = "an answer: a new observation must be thought about everywhere"
)]
pub enum Observed {
    /// It ran and was satisfied.
    Passed,
    /// It ran and was not.
    Failed,
    /// It did not run, or what it ran examined nothing.
    NotRun,
}

impl Observed {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::NotRun => "not_run",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        [Self::Passed, Self::Failed, Self::NotRun].into_iter().find(|known| known.as_str() == word)
    }
}

/// A verifier that could not even be looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Discovery {
    state: &'static str,
    detail: String,
}

impl Discovery {
    /// Records why no verifier could be discovered.
    ///
    /// # Errors
    /// When the detail is blank.
    pub fn unavailable(detail: &str) -> Result<Self, VerificationError> {
        if detail.trim().is_empty() {
            return Err(VerificationError::BlankDiscovery);
        }
        Ok(Self { state: "unavailable", detail: detail.to_owned() })
    }

    /// Why.
    #[must_use]
    pub fn detail(&self) -> &str {
        &self.detail
    }
}

/// Where a reading stands among the evidence once a gate reported it.
pub const VERIFICATION_EVIDENCE_INDEX: i64 = -2;

/// A verifier's reading (`CompletionVerificationState`). All five keys are written, absent ones as
/// null, since the whole enters the evidence id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VerificationState {
    /// Whether the caller declared a verifier whose word counts.
    pub oracle_expected: bool,
    /// The command as declared, or `""`.
    pub command: String,
    /// What was observed.
    pub observed: Observed,
    /// [`VERIFICATION_EVIDENCE_INDEX`] once bound to a snapshot, null before.
    pub observed_at_evidence_index: Option<i64>,
    /// Set only where there is no verifier at all.
    pub discovery: Option<Discovery>,
}

impl VerificationState {
    /// Reads untrusted input. An unknown `observed` word makes the whole reading `None`: a reading
    /// that cannot be told is no reading, never a pass.
    ///
    /// # Errors
    /// When `discovery` is present and malformed where it counts.
    pub fn from_value(value: &Value) -> Result<Option<Self>, VerificationError> {
        if !value.is_object() {
            return Ok(None);
        }
        let word = text(field(value, "observed")).trim().to_lowercase();
        let Some(observed) = Observed::parse(&word) else { return Ok(None) };
        let oracle_expected = value.get("oracle_expected") == Some(&Value::Bool(true));
        let command = text(field(value, "command"));
        let has_oracle =
            oracle_expected || !command.trim().is_empty() || observed != Observed::NotRun;
        let discovery = match field(value, "discovery") {
            Some(found) if !has_oracle => Some(read_discovery(found)?),
            Some(_) | None => None,
        };
        Ok(Some(Self {
            oracle_expected,
            command,
            observed,
            observed_at_evidence_index: None,
            discovery,
        }))
    }

    /// The same reading, bound to a snapshot.
    #[must_use]
    pub fn bound(mut self) -> Self {
        self.observed_at_evidence_index = Some(VERIFICATION_EVIDENCE_INDEX);
        self
    }

    /// The record as JSON.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut out = Map::new();
        out.insert("oracle_expected".into(), self.oracle_expected.into());
        out.insert("command".into(), self.command.as_str().into());
        out.insert("observed".into(), self.observed.as_str().into());
        out.insert("observed_at_evidence_index".into(), self.observed_at_evidence_index.into());
        let discovery = self.discovery.as_ref().map(|discovery| {
            Value::Object(Map::from_iter([
                ("state".to_owned(), Value::from(discovery.state)),
                ("detail".to_owned(), Value::from(discovery.detail.as_str())),
            ]))
        });
        out.insert("discovery".into(), discovery.unwrap_or_default());
        Value::Object(out)
    }
}

fn read_discovery(value: &Value) -> Result<Discovery, VerificationError> {
    if value.get("state").and_then(Value::as_str) != Some("unavailable") {
        return Err(VerificationError::MalformedDiscovery);
    }
    Discovery::unavailable(&text(field(value, "detail")))
}

/// Why a reading cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VerificationError {
    /// `discovery` is not `{state: "unavailable", detail}`.
    #[error("read the verification state: `discovery` must hold state `unavailable` and a detail")]
    MalformedDiscovery,
    /// The detail is blank.
    #[error("read the verification state: the `detail` of `discovery` is blank")]
    BlankDiscovery,
}
