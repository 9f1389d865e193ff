//! One boundary, from a case to a sealed receipt.

use quittance_judge::machine::{Decision, Progress, Proposal, open};
use quittance_judge::outcome::Standstill;
use quittance_judge::turn::Ruling;
use quittance_ledger::{Receipt, TapeEntry, TurnState, VerifierRecord};
use serde_json::{Value, json};

use crate::after::after;
use crate::case::Case;
use crate::effects::Effects;
use crate::facts::{Due, WriteFacts};
use crate::policy::{EffectivePolicy, Policy};
use crate::seal::{Sealing, seal};
use crate::terms::terms;

/// What a boundary is adjudicated under, beside case and policy.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "what a caller hands in")]
pub struct Before {
    /// What the turn's earlier boundaries left behind.
    pub turn: TurnState,
    /// When the boundary must be over, in ms since it opened.
    pub deadline_ms: Option<i64>,
    /// The assessment, which decides nothing here; null where none was made.
    pub standing: Value,
    /// Why nobody may decide, whoever the policy declares: then nothing is run and nobody is asked,
    /// and a run that proposes to stop ends `unverified` for this cause.
    pub undecided: Option<String>,
}

/// A boundary that is over.
#[derive(Debug)]
#[non_exhaustive]
pub struct Adjudicated {
    /// The case it was.
    pub case: Case,
    /// What the machine decided.
    pub decision: Decision,
    /// What became of it once the turn's earlier refusals were counted.
    pub ruling: Ruling,
    /// The sealed record.
    pub receipt: Receipt,
    /// What the turn's next boundary must know.
    pub after: TurnState,
}

/// What was answered from outside.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    pub(crate) gate: Option<VerifierRecord>,
    pub(crate) tape: Vec<TapeEntry>,
}

/// Adjudicates one boundary. The same case, policy, state and answers give the same receipt.
pub async fn adjudicate(
    case: Case,
    policy: &EffectivePolicy,
    before: Before,
    effects: &mut dyn Effects,
) -> Adjudicated {
    let nobody = Policy::default();
    let obeyed = if before.undecided.is_some() { &nobody } else { &policy.policy };
    let verify = obeyed.verify.as_ref();
    let writes = verify.map(|verify| WriteFacts::of(&case, verify, &before.turn));
    let mut answers = Answers::default();
    let mut progress = open(proposal(&case, obeyed, &before), 0);
    let decision = loop {
        progress = match progress {
            Progress::Facts(asked) => match (verify, &writes) {
                (Some(verify), Some(writes)) => {
                    let record = match writes.due(&case, verify) {
                        Due::Run => effects.verify(verify).await,
                        Due::Known(record) => record,
                    };
                    let facts = writes.with(verify, &record);
                    let after_ms = record.after_ms;
                    answers.gate = Some(record);
                    asked.answer(Some(&facts), after_ms)
                }
                _ => asked.answer(None, 0),
            },
            Progress::Judge(asked) => {
                let entry = effects.ask(asked.question()).await;
                let answered = asked.answer(&entry.told.reply(), entry.after_ms);
                answers.tape.push(entry);
                answered
            }
            // No policy declares either. An answer that is none ends the run unverified.
            Progress::Closure(asked) => asked.answer(&json!([]), 0),
            Progress::Precheck(asked) => asked.answer(&Value::Null, 0),
            Progress::Decided(decision) => break *decision,
        };
    };
    let mut after = after(&case, &before.turn, &decision, answers.gate.as_ref());
    let ruling = match &before.undecided {
        Some(cause) if case.standstill == Standstill::Proposed => Ruling::undecided(cause),
        _ => after.refusals.rule(&decision, policy.policy.stop.max_refusals),
    };
    let writes = verify.zip(writes).and_then(|(verify, writes)| writes.counts(verify));
    let sealing = Sealing { case: &case, policy, before, decision: &decision, ruling: &ruling };
    let receipt = seal(sealing, writes, answers);
    Adjudicated { case, decision, ruling, receipt, after }
}

fn proposal(case: &Case, policy: &Policy, before: &Before) -> Proposal {
    let turn = &before.turn;
    let past = case.session.history.iter();
    Proposal {
        earlier: past.map(crate::case::earlier).collect(),
        invocations: turn.invocations,
        vetoes: turn.vetoes.clone(),
        history: turn.history.clone(),
        deadline_at_ms: before.deadline_ms,
        standstill: case.standstill,
        findings: case.findings.clone(),
        ..Proposal::new(case.snapshot.clone(), case.obligations.clone(), terms(policy))
    }
}
