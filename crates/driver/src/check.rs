//! A boundary as one record for a person or a script: what the receipt says, and what explains it.

use quittance_artifacts::{Finding, Verdict};
use serde_json::{Map, Value, json};

use crate::adjudicate::Adjudicated;

/// The record's schema.
pub const SCHEMA: &str = "quittance.check.v1";

impl Adjudicated {
    /// The boundary as a record (`quittance.check.v1`). The receipt is the record to keep; this one
    /// adds what only explains it.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let body = self.receipt.body();
        json!({
            "schema": SCHEMA,
            "receipt_id": self.receipt.id(),
            "outcome": self.outcome_value(),
            "run": body.run,
            "obligations": body.obligations,
            "obligations_digest": body.obligations_digest,
            "requirements": self.case.requirements,
            "artifacts": self.artifacts_value(),
            "verifier": body.inputs.gate,
            "judges": body.tape,
            "directive": body.directive,
            "standing": body.standing,
            "evidence": {
                "evidence_id": self.decision.snapshot.evidence_id(),
                "projection": self.decision.snapshot.stats(),
            },
        })
    }

    fn outcome_value(&self) -> Value {
        let record = &self.receipt.body().outcome;
        json!({
            "status": record.status,
            "cause": record.cause,
            "exit_code": self.ruling.outcome.exit_code(),
            "feedback": record.feedback.clone().unwrap_or_default(),
            "unmet": record.unmet,
            "via": record.via,
            "waiting": self.case.waiting(),
        })
    }

    fn artifacts_value(&self) -> Value {
        let Some(audit) = self.case.audit() else { return Value::Null };
        let is_unmet = |finding: &&Finding| finding.sighting.status.verdict() != Verdict::Present;
        let unmet = self.case.survey.findings().iter().filter(is_unmet);
        let notes: Map<String, Value> =
            unmet.map(|finding| (finding.path.clone(), note(finding))).collect();
        json!({"audit": audit, "notes": notes})
    }
}

/// What was seen of a path that is not simply there, for people.
fn note(finding: &Finding) -> Value {
    json!({
        "status": finding.sighting.status.as_str(),
        "note": finding.sighting.note.as_ref().map(ToString::to_string),
    })
}
