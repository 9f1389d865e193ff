//! One boundary, as far as record and disk alone can decide it.

mod record;

use quittance_artifacts::{Probe, Survey};
use quittance_evidence::builder::Tally;
use quittance_evidence::{Boundary, EvidenceBuilder, Snapshot};
use quittance_hosts::{Chain, Opening, Repair, Session, StopReason, Turn};
use quittance_judge::abandonment::{CallTallies, Evidence, Findings};
pub use quittance_judge::outcome::Outcome;
use quittance_judge::outcome::{self, Readings, Standstill};
use quittance_obligations::{Obligations, RequirementsUnderObligations};
use serde_json::{Value, json};

use crate::policy::Policy;

/// What was found about one turn, and the outcome.
#[derive(Debug)]
#[non_exhaustive]
pub struct Check {
    /// The turn and where it was read from.
    pub session: Session<EvidenceBuilder>,
    /// What the turn owes.
    pub obligations: Obligations,
    /// The contract's rows in force and those a retarget retired.
    pub requirements: RequirementsUnderObligations,
    /// What became of the declared artifacts.
    pub survey: Survey,
    /// How the calls ended.
    pub tally: Tally,
    /// What convicts the end, if anything.
    pub findings: Findings,
    /// The evidence, bound to its id.
    pub snapshot: Snapshot,
    /// The one word.
    pub outcome: Outcome,
}

impl Check {
    /// Checks the turn of a session against a policy. The probe is asked once for every declared
    /// path and for nothing else.
    pub fn of(
        mut session: Session<EvidenceBuilder>,
        policy: &Policy,
        probe: &(impl Probe + ?Sized),
    ) -> Self {
        let obligations = obligations(&session.turn);
        let requirements = obligations.requirements(policy.contract.requirements.clone());
        let survey = Survey::take(&policy.contract.artifacts, probe);
        let tally = session.turn.rows.tally().clone();
        let mut tallies = call_tallies(&tally);
        if may_lack_calls(&session) {
            tallies.unknown += 1;
            tallies.unknown_tools.extend(policy.contract.required_tools.iter().cloned());
        }
        let findings = Findings::of(&Evidence {
            stop_reason: session.turn.stop.as_str(),
            tallies: &tallies,
            required_tools: &policy.contract.required_tools,
            audit: &survey.audit(),
        });
        let outcome = outcome::read(&Readings {
            standstill: standstill(&session, &obligations),
            decided: None,
            abandonment: findings.abandonment.as_ref().map(|record| record.cause),
            audit_convicts: !findings.missing_artifacts.is_empty(),
        });
        let snapshot = snapshot(&mut session, &obligations);
        Self { session, obligations, requirements, survey, tally, findings, snapshot, outcome }
    }

    /// Why the outcome is what it is: the word of the first thing that decided it.
    #[must_use]
    pub fn cause(&self) -> &'static str {
        match self.outcome {
            Outcome::Waiting => self.session.waiting.first().map_or("", |reason| reason.as_str()),
            Outcome::Stopped => "accepted_stop",
            Outcome::Abandoned => {
                self.findings.abandonment.as_ref().map_or("", |record| record.cause.as_str())
            }
            Outcome::Unadjudicated if self.session.turn.stop != StopReason::Natural => {
                self.session.turn.stop.as_str()
            }
            Outcome::Unadjudicated => "no_adjudicator",
            Outcome::Refused | Outcome::Unverified | Outcome::Verified | Outcome::Accepted => "",
        }
    }
}

/// Where the host's build marks stops, the control rows are the record; elsewhere they show what
/// was delivered, and their silence is no "no stop".
fn obligations(turn: &Turn<EvidenceBuilder>) -> Obligations {
    let rows = turn.control_values();
    if turn.shows_stops {
        return Obligations::from_control_rows(&rows, &turn.task);
    }
    let messages: Vec<Value> = rows.iter().map(delivered).collect();
    Obligations::from_messages(&messages, &turn.task)
}

/// A steer row as the message that delivered it.
fn delivered(row: &Value) -> Value {
    json!({
        "role": "user",
        "content": row.get("text"),
        "injectedMode": row.get("delivery_mode"),
        "messageId": row.get("message_id"),
    })
}

/// What is still waited for comes first: what the user says next may take a stop back.
fn standstill(session: &Session<EvidenceBuilder>, obligations: &Obligations) -> Standstill {
    if !session.waiting.is_empty() {
        Standstill::Waiting
    } else if obligations.accepted_stop().is_some() {
        Standstill::Stopped
    } else {
        Standstill::Proposed
    }
}

/// Whether calls may have been made that the rows do not show: a line could not be read or was
/// taken for one read before, the turn's beginning is not in the file, a result has no call, or a
/// write stands off the chain. Then no count of calls convicts.
fn may_lack_calls(session: &Session<EvidenceBuilder>) -> bool {
    let source = &session.source;
    source.issue_count > 0
        || source.repairs.contains_key(&Repair::RepeatedLine)
        || session.turn.opening == Opening::Unseen
        || session.turn.rows.has_orphans()
        || session.turn.writes.iter().any(|write| write.chain == Chain::Off)
}

fn call_tallies(tally: &Tally) -> CallTallies {
    let total = tally.total();
    let named = |holds: fn(&quittance_evidence::builder::ToolTally) -> bool| {
        tally.tools.iter().filter(|(_, tool)| holds(tool)).map(|(name, _)| name.clone()).collect()
    };
    CallTallies {
        attempted: count(total.ok + total.error),
        succeeded: count(total.ok),
        unknown: count(total.unknown),
        succeeded_tools: named(|tool| tool.ok > 0),
        unknown_tools: named(|tool| tool.unknown > 0),
        last_rejection_category: None,
    }
}

fn count(calls: usize) -> u64 {
    u64::try_from(calls).unwrap_or(u64::MAX)
}

fn snapshot(session: &mut Session<EvidenceBuilder>, obligations: &Obligations) -> Snapshot {
    let boundary = Boundary {
        session_id: session.ids.session.clone().unwrap_or_default(),
        task: session.turn.task.clone(),
        stop_reason: session.turn.stop.as_str().to_owned(),
        text: session.turn.candidate().to_owned(),
        obligations: obligations.to_value(),
        obligations_digest: obligations.digest_text(),
        ..Boundary::default()
    };
    session.turn.rows.snapshot(boundary)
}
