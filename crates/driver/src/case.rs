//! What one boundary is about, before anybody is asked: the turn, what it owes, what it left
//! behind, how its calls ended and the evidence of it.

use quittance_artifacts::{Audit, Probe, Survey};
use quittance_evidence::builder::{Tally, ToolTally};
use quittance_evidence::{Boundary, EvidenceBuilder, Snapshot};
use quittance_hosts::{Chain, Opening, Past, Repair, Session, StopReason, Turn, Waiting};
use quittance_judge::abandonment::{CallTallies, Evidence, Findings};
use quittance_judge::outcome::{Outcome, Standstill};
use quittance_judge::prompt::Earlier;
use quittance_judge::turn::Ruling;
use quittance_obligations::{Obligations, RequirementsUnderObligations};
use serde_json::{Value, json};

use crate::policy::Policy;

/// What the host itself says of a boundary, which outranks what its file shows so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "the two things a host hands over")]
pub struct HostSays {
    /// The final message; of a host that hands over only all that was said, that.
    pub candidate: Option<String>,
    /// What is still waited for, in words.
    pub waiting: Vec<String>,
}

/// One turn under a policy.
#[derive(Debug)]
#[non_exhaustive]
pub struct Case {
    /// The turn and where it was read from.
    pub session: Session<EvidenceBuilder>,
    /// What the host itself said.
    pub host: HostSays,
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
    /// Whether there is a boundary at all.
    pub standstill: Standstill,
    /// Whether calls may have been made that the rows do not show. Then no count of calls convicts.
    pub may_lack_calls: bool,
    /// The evidence, before a verifier's reading is bound to it.
    pub snapshot: Snapshot,
}

impl Case {
    /// Opens the case of a turn. The probe is asked once for every declared path and for nothing
    /// else.
    pub fn open(
        mut session: Session<EvidenceBuilder>,
        host: HostSays,
        policy: &Policy,
        probe: &(impl Probe + ?Sized),
    ) -> Self {
        catch_up(&mut session, &host);
        let obligations = obligations(&session.turn);
        let requirements = obligations.requirements(policy.contract.requirements.clone());
        let survey = Survey::take(&policy.contract.artifacts, probe);
        let tally = session.turn.rows.tally().clone();
        let may_lack_calls = may_lack_calls(&session);
        let mut tallies = call_tallies(&tally);
        if may_lack_calls {
            tallies.unknown += 1;
            tallies.unknown_tools.extend(policy.contract.required_tools.iter().cloned());
        }
        let findings = Findings::of(&Evidence {
            stop_reason: session.turn.stop.as_str(),
            tallies: &tallies,
            required_tools: &policy.contract.required_tools,
            audit: &survey.audit(),
        });
        let standstill = standstill(&session, &host, &obligations);
        let snapshot = snapshot(&mut session, &host, &obligations);
        Self {
            session,
            host,
            obligations,
            requirements,
            survey,
            tally,
            findings,
            standstill,
            may_lack_calls,
            snapshot,
        }
    }

    /// The audit of what was declared; none when nothing was, since an empty contract is not one
    /// that was met.
    #[must_use]
    pub fn audit(&self) -> Option<Audit> {
        let audit = self.survey.audit();
        (!audit.declared().is_empty()).then_some(audit)
    }

    /// What is waited for, in words: the record's reasons and the host's.
    #[must_use]
    pub fn waiting(&self) -> Vec<String> {
        let seen = self.session.waiting.iter().map(|reason| reason.as_str().to_owned());
        let mut words: Vec<String> = seen.chain(self.host.waiting.iter().cloned()).collect();
        words.sort();
        words.dedup();
        words
    }
}

impl Case {
    /// Why the outcome is what it is: the word of the first thing that decided it.
    #[must_use]
    pub fn cause(&self, ruling: &Ruling) -> String {
        match ruling.outcome {
            Outcome::Waiting => self.waiting().into_iter().next().unwrap_or_default(),
            Outcome::Stopped => "accepted_stop".to_owned(),
            Outcome::Unadjudicated
                if ruling.cause == "no_adjudicator"
                    && self.session.turn.stop != StopReason::Natural =>
            {
                self.session.turn.stop.as_str().to_owned()
            }
            _ => ruling.cause.clone(),
        }
    }
}

/// An earlier turn as a judge is shown it.
pub(crate) fn earlier(past: &Past) -> Earlier {
    Earlier { task: past.task.clone(), answer: past.answer.clone() }
}

/// A host that hands over the final message knows that the turn is at its end, where its file may
/// lag behind by that message.
fn catch_up(session: &mut Session<EvidenceBuilder>, host: &HostSays) {
    if host.candidate.is_none() {
        return;
    }
    session.waiting.retain(|reason| *reason != Waiting::Unanswered);
    if session.turn.stop == StopReason::Unfinished && session.waiting.is_empty() {
        session.turn.stop = StopReason::Natural;
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
fn standstill(
    session: &Session<EvidenceBuilder>,
    host: &HostSays,
    obligations: &Obligations,
) -> Standstill {
    if !session.waiting.is_empty() || !host.waiting.is_empty() {
        Standstill::Waiting
    } else if obligations.accepted_stop().is_some() {
        Standstill::Stopped
    } else {
        Standstill::Proposed
    }
}

/// A line could not be read or was taken for one read before, the host wrote its history anew and
/// left something out, the turn's beginning is not in the file, a result has no call, or a write
/// stands off the chain.
fn may_lack_calls(session: &Session<EvidenceBuilder>) -> bool {
    let source = &session.source;
    source.issue_count > 0
        || source.repairs.contains_key(&Repair::RepeatedLine)
        || source.repairs.contains_key(&Repair::ReplacedHistory)
        || session.turn.opening == Opening::Unseen
        || session.turn.rows.has_orphans()
        || session.turn.writes.iter().any(|write| write.chain == Chain::Off)
}

fn call_tallies(tally: &Tally) -> CallTallies {
    let total = tally.total();
    let named = |holds: fn(&ToolTally) -> bool| {
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

fn snapshot(
    session: &mut Session<EvidenceBuilder>,
    host: &HostSays,
    obligations: &Obligations,
) -> Snapshot {
    let candidate = host.candidate.as_deref().unwrap_or_else(|| session.turn.candidate());
    let boundary = Boundary {
        session_id: session.ids.session.clone().unwrap_or_default(),
        task: session.turn.task.clone(),
        stop_reason: session.turn.stop.as_str().to_owned(),
        text: candidate.to_owned(),
        obligations: obligations.to_value(),
        obligations_digest: obligations.digest_text(),
        ..Boundary::default()
    };
    session.turn.rows.snapshot(boundary)
}
