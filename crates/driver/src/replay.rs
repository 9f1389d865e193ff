//! A boundary made again from its receipt: no command is run, no disk looked at, no clock read.

use async_trait::async_trait;
use quittance_artifacts::{Recorded, Sighting, Status};
use quittance_evidence::EvidenceBuilder;
use quittance_hosts::Session;
use quittance_judge::machine::{Failure, JudgeQuestion, Reply};
use quittance_ledger::{
    Body, Difference, Ended, JudgeKind, Receipt, TapeEntry, VerifierRecord, differences,
};
use serde_json::Value;

use crate::adjudicate::{Adjudicated, Before, adjudicate};
use crate::case::{Case, HostSays};
use crate::effects::Effects;
use crate::policy::{EffectivePolicy, RecordError, VerifyPolicy};

/// What a replay came to.
#[derive(Debug)]
#[non_exhaustive]
pub struct Replayed {
    /// The boundary as it was made again.
    pub adjudicated: Adjudicated,
    /// Where its receipt differs; empty when it arrived at the same id.
    pub differences: Vec<Difference>,
}

/// Makes a boundary again. The session is read from the transcript with the receipt's own policy
/// ([`recorded_policy`]), up to the bytes that the receipt names; the standing is folded from the
/// same rows, null where the receipt holds none.
///
/// # Errors
/// When the receipt's policy cannot be read.
pub async fn replay(
    receipt: &Receipt,
    session: Session<EvidenceBuilder>,
    standing: Value,
) -> Result<Replayed, RecordError> {
    let body = receipt.body();
    let policy = recorded_policy(receipt)?;
    let host =
        HostSays { candidate: body.inputs.candidate.clone(), waiting: body.inputs.waiting.clone() };
    let case = Case::open(session, host, &policy.policy, &probe(body));
    let before = Before {
        turn: body.inputs.turn.clone(),
        deadline_ms: body.inputs.deadline_ms,
        standing,
        undecided: body.inputs.undecided.clone(),
    };
    let mut effects = FromReceipt::of(body);
    let adjudicated = adjudicate(case, &policy, before, &mut effects).await;
    let differences = differences(receipt, &adjudicated.receipt);
    Ok(Replayed { adjudicated, differences })
}

/// The policy a receipt was made under.
///
/// # Errors
/// When it cannot be read.
pub fn recorded_policy(receipt: &Receipt) -> Result<EffectivePolicy, RecordError> {
    EffectivePolicy::from_value(&receipt.body().policy)
}

/// The probe that repeats a receipt's audit.
fn probe(body: &Body) -> Recorded {
    let Some(audit) = &body.artifacts else { return Recorded::default() };
    let seen = |status: Status| move |path: &String| (path.clone(), Sighting::bare(status.clone()));
    let present =
        audit.present().map(|path| (path.to_owned(), Sighting::bare(Status::PresentFile)));
    let missing = audit.missing().iter().map(seen(Status::Missing));
    let untold = audit.unverifiable().iter().map(seen(Status::StatError));
    present.chain(missing).chain(untold).collect()
}

/// The answers that a receipt holds. What it does not hold is never an approval.
///
/// A boundary whose counters have moved on meanwhile is decided again on these: nothing is run
/// twice for it.
#[derive(Debug)]
pub struct FromReceipt {
    gate: Option<VerifierRecord>,
    tape: std::vec::IntoIter<TapeEntry>,
}

impl FromReceipt {
    /// The answers of a receipt.
    #[must_use]
    pub fn of(body: &Body) -> Self {
        Self { gate: body.inputs.gate.clone(), tape: body.tape.clone().into_iter() }
    }
}

#[async_trait]
impl Effects for FromReceipt {
    async fn verify(&mut self, verify: &VerifyPolicy) -> VerifierRecord {
        let command = verify.command.as_ref().map(crate::policy::Command::line);
        let unrecorded =
            || VerifierRecord::without_run(&command.unwrap_or_default(), Ended::NotStarted);
        self.gate.take().unwrap_or_else(unrecorded)
    }

    async fn ask(&mut self, question: &JudgeQuestion) -> TapeEntry {
        match self.tape.next() {
            // The question is recorded as it is asked now: if it is another, the receipts differ.
            Some(entry) => TapeEntry::new(
                question,
                entry.kind,
                &entry.told.reply(),
                entry.before_ms,
                entry.after_ms,
            ),
            None => {
                let message = "the receipt holds no reply to this question".to_owned();
                let reply = Reply::Failed { failure: Failure::Environment, message };
                TapeEntry::new(question, JudgeKind::Tape, &reply, 0, 0)
            }
        }
    }
}
