//! The receipt of a boundary, put together.

use quittance_evidence::canonical;
use quittance_judge::gate::WriteCounts;
use quittance_judge::machine::Decision;
use quittance_judge::outcome::Outcome;
use quittance_judge::prompt::{TEMPLATE_VERSION, template_digest};
use quittance_judge::turn::Ruling;
use quittance_ledger::{
    Body, Inputs, JudgeKind, OutcomeRecord, Receipt, TapeEntry, Template, TurnState,
};
use serde_json::{Value, json};

use crate::adjudicate::{Answers, Before};
use crate::case::{Case, HostSays};
use crate::policy::EffectivePolicy;

/// What is sealed.
pub(crate) struct Sealing<'a> {
    pub(crate) case: &'a Case,
    pub(crate) policy: &'a EffectivePolicy,
    pub(crate) before: Before,
    pub(crate) decision: &'a Decision,
    pub(crate) ruling: &'a Ruling,
}

pub(crate) fn seal(parts: Sealing<'_>, writes: Option<WriteCounts>, answers: Answers) -> Receipt {
    let Sealing { case, policy, before, decision, ruling } = parts;
    Receipt::seal(Body {
        run: run(case),
        obligations: case.obligations.to_value(),
        obligations_digest: case.obligations.digest_text(),
        artifacts: case.audit(),
        directive: directive(decision),
        standing: canonical::settled(before.standing),
        outcome: outcome(case, ruling, &answers.tape),
        policy: policy.to_value(),
        inputs: Inputs {
            writes,
            gate: answers.gate,
            turn: before.turn,
            candidate: case.host.candidate.clone(),
            waiting: case.host.waiting.clone(),
            deadline_ms: before.deadline_ms,
            undecided: before.undecided,
            template: Template { version: TEMPLATE_VERSION, digest: template_digest() },
        },
        tape: answers.tape,
    })
}

/// A boundary whose record could not be read, or in which we failed ourselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "what a host says of a boundary, and why it failed")]
pub struct Unread {
    /// The session, as the host names it.
    pub session: String,
    /// The sub-agent, where one proposed to stop.
    pub agent: Option<String>,
    /// What the host itself said.
    pub host: HostSays,
    /// Why nobody could decide, as a word.
    pub cause: String,
}

/// The receipt of such a boundary: it was let go, `unverified`, and no record stands behind it. Its
/// `run` names no format, and it cannot be replayed.
#[must_use]
pub fn unread(policy: &EffectivePolicy, boundary: Unread) -> Receipt {
    let Unread { session, agent, host, cause } = boundary;
    Receipt::seal(Body {
        run: json!({ "format": null, "session_id": session, "agent_id": agent }),
        obligations: Value::Null,
        obligations_digest: String::new(),
        artifacts: None,
        directive: Value::Null,
        standing: Value::Null,
        outcome: OutcomeRecord {
            status: Outcome::Unverified.as_str().to_owned(),
            cause: cause.clone(),
            ..OutcomeRecord::default()
        },
        policy: policy.to_value(),
        inputs: Inputs {
            writes: None,
            gate: None,
            turn: TurnState::default(),
            candidate: host.candidate,
            waiting: host.waiting,
            deadline_ms: None,
            undecided: Some(cause),
            template: Template { version: TEMPLATE_VERSION, digest: template_digest() },
        },
        tape: Vec::new(),
    })
}

/// The directive's own receipt; nothing where nobody adjudicated. A judge's reply stands in it, with
/// whatever numbers the judge chose.
fn directive(decision: &Decision) -> Value {
    let receipt = Some(&decision.directive.receipt).filter(|_| decision.is_adjudicated);
    let value = receipt.and_then(|receipt| serde_json::to_value(receipt.as_ref()).ok());
    canonical::settled(value.unwrap_or_default())
}

fn outcome(case: &Case, ruling: &Ruling, tape: &[TapeEntry]) -> OutcomeRecord {
    let is_recorded = tape.iter().any(|entry| entry.kind == JudgeKind::Tape);
    OutcomeRecord {
        status: ruling.outcome.as_str().to_owned(),
        cause: case.cause(ruling),
        feedback: ruling.block.clone(),
        unmet: ruling.unmet.clone(),
        via: (is_recorded && ruling.outcome.approves()).then(|| "tape".to_owned()),
    }
}

/// Which run and turn this was, and the bytes it was read from.
fn run(case: &Case) -> Value {
    let session = &case.session;
    let turn = &session.turn;
    json!({
        "format": session.format.as_str(),
        "rows_version": quittance_hosts::ROWS_VERSION,
        "session_id": session.ids.session,
        "agent_id": session.ids.agent,
        "turn": turn.number.get(),
        "turns": session.turns,
        "prompt_id": turn.ids.prompt,
        "opening": turn.opening.as_str(),
        "objective": case.obligations.objective(&turn.task),
        "stop_reason": turn.stop.as_str(),
        "candidate": case.snapshot.boundary().text,
        "evidence_id": case.snapshot.evidence_id(),
        "waiting": case.waiting(),
        "calls": case.tally,
        "abandonment": case.findings.abandonment,
        "writes": turn.writes.to_value(),
        "source": session.source,
    })
}
