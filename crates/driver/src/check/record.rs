//! A check as one JSON record, from which both the terminal view and `--json` are made.

use quittance_artifacts::{Finding, Verdict};
use serde_json::{Map, Value, json};

use super::Check;

impl Check {
    /// The record's schema.
    pub const SCHEMA: &'static str = "quittance.check.v1";

    /// The whole check as a record.
    #[must_use]
    pub fn to_value(&self) -> Value {
        json!({
            "schema": Self::SCHEMA,
            "outcome": self.outcome_value(),
            "run": self.run_value(),
            "obligations": self.obligations.to_value(),
            "obligations_digest": self.obligations.digest_text(),
            "requirements": self.requirements,
            "artifacts": self.artifacts_value(),
            "calls": self.tally,
            "abandonment": self.findings.abandonment,
            "evidence": self.evidence_value(),
        })
    }

    fn outcome_value(&self) -> Value {
        json!({
            "status": self.outcome.as_str(),
            "cause": self.cause(),
            "exit_code": self.outcome.exit_code(),
            "feedback": self.findings.sentence(),
            "waiting": self.session.waiting.iter().map(|reason| reason.as_str()).collect::<Vec<_>>(),
        })
    }

    fn run_value(&self) -> Value {
        let turn = &self.session.turn;
        json!({
            "format": self.session.format.as_str(),
            "rows_version": quittance_hosts::ROWS_VERSION,
            "session_id": self.session.ids.session,
            "agent_id": self.session.ids.agent,
            "turn": turn.number.get(),
            "turns": self.session.turns,
            "prompt_id": turn.ids.prompt,
            "opening": turn.opening.as_str(),
            "objective": self.obligations.objective(&turn.task),
            "stop_reason": turn.stop.as_str(),
            "candidate": turn.candidate(),
            "writes": turn.writes.to_value(),
            "source": self.session.source,
        })
    }

    /// Null when nothing is declared: an empty contract is not one that was met.
    fn artifacts_value(&self) -> Value {
        let audit = self.survey.audit();
        if audit.declared().is_empty() {
            return Value::Null;
        }
        let unmet = self
            .survey
            .findings()
            .iter()
            .filter(|finding| finding.sighting.status.verdict() != Verdict::Present);
        let notes: Map<String, Value> =
            unmet.map(|finding| (finding.path.clone(), note(finding))).collect();
        json!({"audit": audit, "notes": notes})
    }

    fn evidence_value(&self) -> Value {
        json!({
            "evidence_id": self.snapshot.evidence_id(),
            "projection": self.snapshot.stats(),
        })
    }
}

/// What was seen of a path that is not simply there, for people.
fn note(finding: &Finding) -> Value {
    json!({
        "status": finding.sighting.status.as_str(),
        "note": finding.sighting.note.as_ref().map(ToString::to_string),
    })
}
