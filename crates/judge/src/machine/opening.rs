//! Opening a boundary: what a retarget retires, who is asked, and what is owed before anyone is.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::{Value, json};

use quittance_evidence::canonical::Digest;
use quittance_evidence::contract::Requirement;
use quittance_evidence::snapshot::Snapshot;
use quittance_obligations::Obligations;

use super::run::Run;
use super::{Progress, Proposal};
use crate::abandonment::Findings;
use crate::directive::{History, Invocations};
use crate::event::{Event, Log};
use crate::gate::VetoCounts;
use crate::ledger::{Boundary, Report};
use crate::outcome::{ClosureSaid, Standstill};
use crate::plan::{Stage, plan};
use crate::policy::{CadenceReading, Closure, PerSlot, Policy, Slot};
use crate::prompt::Earlier;
use crate::record::Record;
use crate::verdict::StageVerdict;

/// What a boundary was opened with and nothing changes. Shared, so that a run can be branched.
#[derive(Debug)]
pub(super) struct Terms {
    pub(super) obligations: Obligations,
    pub(super) earlier: Vec<Earlier>,
    pub(super) policy: Policy,
    pub(super) invocations: PerSlot<u64>,
    pub(super) vetoes: VetoCounts,
    pub(super) triggers: PerSlot<Option<String>>,
    pub(super) deadline_at_ms: Option<i64>,
    pub(super) is_feedback_deferred: bool,
    pub(super) standstill: Standstill,
    pub(super) findings: Findings,
}

impl Run {
    pub(super) fn open(mut proposal: Proposal, now_ms: i64) -> Progress {
        let mut events = Log::default();
        let candidate_reply = proposal.snapshot.boundary().text.clone();
        events.push(Event::TurnPhaseChanged { phase: "verifying", candidate_reply });
        retire(&mut proposal, &mut events);
        let stages = stages(&proposal);
        let is_declared = !stages.is_empty();
        let reports = unassessed(&proposal);
        let plan = allowed(&proposal, stages);
        let (terms, snapshot, history) = terms(proposal);
        let run = Self {
            terms: Arc::new(terms),
            snapshot: Arc::new(snapshot),
            history,
            plan,
            is_declared,
            verdict: StageVerdict::default(),
            invoked: Invocations::default(),
            capped: PerSlot::default(),
            deterministic_reason: String::new(),
            ledger: reports.report(),
            reports,
            said: ClosureSaid::Nothing,
            judge_done: false,
            overrides: Vec::new(),
            charge: None,
            events,
            now_ms,
        };
        Box::new(run).advance()
    }
}

fn terms(proposal: Proposal) -> (Terms, Snapshot, History) {
    let terms = Terms {
        obligations: proposal.obligations,
        earlier: proposal.earlier,
        policy: proposal.policy,
        invocations: proposal.invocations,
        vetoes: proposal.vetoes,
        triggers: proposal.triggers,
        deadline_at_ms: proposal.deadline_at_ms,
        is_feedback_deferred: proposal.is_feedback_deferred,
        standstill: proposal.standstill,
        findings: proposal.findings,
    };
    (terms, proposal.snapshot, proposal.history)
}

fn stages(proposal: &Proposal) -> Vec<Stage> {
    let boundary = proposal.snapshot.boundary();
    let trigger = proposal.triggers.completion.as_deref().unwrap_or(&boundary.stop_reason);
    let cadence = CadenceReading {
        iteration: boundary.iteration,
        invocations: proposal.invocations.completion,
        trigger,
        is_stalled: boundary.stop_reason == "stalled",
    };
    plan(&proposal.policy, &boundary.stop_reason, proposal.completion_due, cadence)
}

/// The stages that may matter: none where there is no boundary, and no judge once the audit has
/// convicted, whose word no judge can change.
fn allowed(proposal: &Proposal, stages: Vec<Stage>) -> VecDeque<Stage> {
    let convicts = !proposal.findings.missing_artifacts.is_empty();
    stages
        .into_iter()
        .filter(|stage| {
            proposal.standstill == Standstill::Proposed
                && (*stage == Stage::Deterministic || !convicts)
        })
        .collect()
}

fn unassessed(proposal: &Proposal) -> Boundary {
    let report = |slot| {
        let config = proposal.policy.judges.get(slot).as_ref();
        Report::unassessed(config.and_then(|config| config.contract.as_ref()))
    };
    Boundary {
        gate: Report::empty(),
        verification: report(Slot::Verification),
        completion: report(Slot::Completion),
    }
}

/// Applies a retarget to everything that was declared under the old objective, once, before
/// anything reads it, and puts what it retired on the record.
fn retire(proposal: &mut Proposal, events: &mut Log) {
    let obligations = &proposal.obligations;
    let mut retired = Vec::new();
    for slot in Slot::ALL {
        let Some(config) = proposal.policy.judges.get_mut(slot) else { continue };
        let under = obligations.requirements(config.contract.take());
        config.contract = under.contract;
        retired.extend(under.retired.iter().map(|row| retired_row(row, slot)));
    }
    let unassessed = &mut proposal.policy.unassessed;
    *unassessed = obligations.requirements(unassessed.take()).contract;
    if let Closure::Gate(gate) = &mut proposal.policy.closure {
        gate.contract = obligations.requirements(gate.contract.take()).contract;
    }
    let Some(retarget) = obligations.retarget() else { return };
    if !retired.is_empty() {
        events.record(Record::RequirementsRetired(json!({
            "schema": "harn.completion_requirements_retired.v1",
            "kind": "completion_requirements_retired",
            "control_id": retarget.control_id,
            "message_id": retarget.message_id,
            "objective_digest": Digest::of_bytes(retarget.objective.as_bytes()).to_string(),
            "retired": retired,
        })));
    }
}

fn retired_row(row: &Requirement, slot: Slot) -> Value {
    let roles: Vec<&str> = row.roles().iter().map(|role| role.as_str()).collect();
    json!({
        "requirement_id": row.id(),
        "name": row.name(),
        "evidence_roles": roles,
        "adjudicator": slot.option(),
    })
}
