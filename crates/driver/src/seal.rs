//! The receipt of a boundary, put together.

use quittance_evidence::canonical;
use quittance_judge::gate::WriteCounts;
use quittance_judge::machine::Decision;
use quittance_judge::prompt::{TEMPLATE_VERSION, template_digest};
use quittance_judge::turn::Ruling;
use quittance_ledger::{Body, Inputs, JudgeKind, OutcomeRecord, Receipt, TapeEntry, Template};
use serde_json::{Value, json};

use crate::adjudicate::{Answers, Before};
use crate::case::Case;
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
