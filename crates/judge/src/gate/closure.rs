//! The answer of a deterministic closure, of any shape, read into one verdict.
//!
//! A host's closure is code that we do not own, so its answer is untrusted: what is no answer ends
//! the run unverified, and only a literal `true` confirms.

use serde_json::Value;

use quittance_evidence::value::{self, field};
use quittance_evidence::verification::VerificationState;

use super::ladder::GateReason;
use crate::outcome::ClosureSaid;

/// Why an answer that is none ends the run.
const INVALID_RESULT: &str = "completion_verifier_invalid_result";
/// Who answered, when the answer does not say.
const DEFAULT_TRIGGER: &str = "verify_completion";

/// What a closure answered.
///
/// INVARIANT: `terminal` is trimmed text that is not empty, or none.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClosureVerdict {
    /// What it said, for the outcome.
    pub said: ClosureSaid,
    /// Whether it refuses.
    pub vetoed: bool,
    /// Whether it confirmed.
    pub confirm: bool,
    /// What the agent is told.
    pub feedback: Option<String>,
    /// What the verifier observed, unbound.
    pub verification: Option<VerificationState>,
    /// The rows it assessed, as given.
    pub requirement_report: Value,
    /// Why, as given.
    pub reason: Option<String>,
    /// What it would have refused for.
    pub converted_from: Option<String>,
    /// Whether something else should be tried, as given.
    pub escalation_recommended: Option<Value>,
    /// Where to escalate to.
    pub escalation_target: Option<String>,
    /// Who answered.
    pub trigger: String,
    /// Why the run ends here.
    pub terminal: Option<String>,
}

impl ClosureVerdict {
    const fn plain(said: ClosureSaid, trigger: String) -> Self {
        Self {
            said,
            vetoed: matches!(said, ClosureSaid::Refused),
            confirm: !matches!(said, ClosureSaid::Refused | ClosureSaid::Ended),
            feedback: None,
            verification: None,
            requirement_report: Value::Null,
            reason: None,
            converted_from: None,
            escalation_recommended: None,
            escalation_target: None,
            trigger,
            terminal: None,
        }
    }

    fn of(said: ClosureSaid) -> Self {
        Self::plain(said, DEFAULT_TRIGGER.to_owned())
    }

    /// An answer that is none. One that tried to end the run is a veto too.
    fn invalid(vetoed: bool) -> Self {
        Self {
            vetoed,
            reason: Some(INVALID_RESULT.to_owned()),
            terminal: Some(INVALID_RESULT.to_owned()),
            ..Self::of(ClosureSaid::Ended)
        }
    }

    /// Reads an answer.
    #[must_use]
    pub fn read(answer: &Value) -> Self {
        match answer {
            Value::Null => Self::of(ClosureSaid::Abstained),
            Value::Bool(true) => Self::of(ClosureSaid::Confirmed),
            Value::Bool(false) => Self::of(ClosureSaid::Refused),
            Value::String(text) if text.is_empty() => Self::of(ClosureSaid::Abstained),
            Value::String(text) => {
                Self { feedback: Some(text.clone()), ..Self::of(ClosureSaid::Refused) }
            }
            Value::Object(_) if field(answer, "action").is_some() => {
                final_refusal(answer).unwrap_or_else(|| Self::invalid(true))
            }
            Value::Object(_) => record(answer).unwrap_or_else(|| Self::invalid(true)),
            Value::Number(_) | Value::Array(_) => Self::invalid(false),
        }
    }
}

fn feedback(answer: &Value) -> Option<String> {
    Some(value::text(field(answer, "message").or_else(|| field(answer, "feedback"))))
}

fn said_text(answer: &Value, key: &str) -> Option<String> {
    field(answer, key).map(value::display)
}

/// The plain form. None when the verifier's reading cannot be read at all.
fn record(answer: &Value) -> Option<ClosureVerdict> {
    let reason = said_text(answer, "reason");
    let word = reason.as_deref().unwrap_or_default();
    let said = if answer.get("confirm") != Some(&Value::Bool(true)) {
        ClosureSaid::Refused
    } else if word == GateReason::VetoBudgetExhausted.as_str() {
        ClosureSaid::BudgetSpent
    } else if GateReason::abstains(word) {
        ClosureSaid::Abstained
    } else {
        ClosureSaid::Confirmed
    };
    let trigger = said_text(answer, "trigger").unwrap_or_else(|| DEFAULT_TRIGGER.to_owned());
    Some(ClosureVerdict {
        feedback: feedback(answer),
        verification: reading(answer)?,
        requirement_report: answer.get("requirement_report").cloned().unwrap_or_default(),
        converted_from: said_text(answer, "converted_from"),
        escalation_recommended: field(answer, "escalation_recommended").cloned(),
        escalation_target: said_text(answer, "escalation_target"),
        reason,
        ..ClosureVerdict::plain(said, trigger)
    })
}

fn reading(answer: &Value) -> Option<Option<VerificationState>> {
    VerificationState::from_value(answer.get("verification").unwrap_or(&Value::Null)).ok()
}

/// The form that ends the run. None when it is not exactly that.
fn final_refusal(answer: &Value) -> Option<ClosureVerdict> {
    let is_stop = field(answer, "action").and_then(Value::as_str) == Some("stop_unverified");
    let is_refusal = answer.get("confirm") == Some(&Value::Bool(false));
    let reason = field(answer, "reason").and_then(Value::as_str)?;
    let is_read = field(answer, "verification").is_none_or(is_verification);
    if !is_stop || !is_refusal || reason.trim().is_empty() || !is_read {
        return None;
    }
    Some(ClosureVerdict {
        vetoed: true,
        feedback: feedback(answer),
        verification: reading(answer)?,
        requirement_report: answer.get("requirement_report").cloned().unwrap_or_default(),
        reason: Some(reason.to_owned()),
        terminal: Some(reason.trim().to_owned()),
        ..ClosureVerdict::of(ClosureSaid::Ended)
    })
}

/// Whether a reading has the types of one; the tolerant reader would let more pass.
fn is_verification(reading: &Value) -> bool {
    let observed = reading.get("observed").and_then(Value::as_str);
    reading.get("oracle_expected").is_some_and(Value::is_boolean)
        && reading.get("command").is_some_and(Value::is_string)
        && matches!(observed, Some("passed" | "failed" | "not_run"))
}
