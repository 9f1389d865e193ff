//! What a boundary needs from outside: a verifier run and a judge's answer, each with the time.
//!
//! [`Live`] has them from real processes and models. A replay has them from a receipt
//! ([`crate::replay()`]); the loop that asks ([`crate::adjudicate()`]) cannot tell the two apart.

use std::time::Duration;

use async_trait::async_trait;
use quittance_judge::machine::{Failure, JudgeQuestion, Reply};
use quittance_judge::policy::PerSlot;
use quittance_ledger::{JudgeKind, TapeEntry, VerifierRecord};
use tokio::time::Instant;

use crate::judge::Judge;
use crate::policy::VerifyPolicy;
use crate::redact::Redactor;

/// What a boundary needs from outside. Times are in ms since the boundary opened.
#[async_trait]
pub trait Effects: Send {
    /// Runs the verifier. It always comes back.
    async fn verify(&mut self, verify: &VerifyPolicy) -> VerifierRecord;

    /// Asks a judge. It always comes back.
    async fn ask(&mut self, question: &JudgeQuestion) -> TapeEntry;
}

/// Runs a verifier's command.
#[async_trait]
pub trait Verifier: Send + Sync {
    /// Runs it for at most `limit`. The record's `after_ms` is the caller's to fill in.
    async fn run(&self, verify: &VerifyPolicy, limit: Duration) -> VerifierRecord;
}

/// The real world.
pub struct Live<'a> {
    opened: Instant,
    deadline: Option<Duration>,
    verifier: &'a dyn Verifier,
    judges: PerSlot<Option<&'a dyn Judge>>,
    redactor: Option<&'a Redactor>,
}

impl std::fmt::Debug for Live<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Live").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}

impl<'a> Live<'a> {
    /// Opens a boundary now. Whatever is not over at the deadline is ended.
    #[must_use]
    pub fn open(
        deadline: Option<Duration>,
        verifier: &'a dyn Verifier,
        judges: PerSlot<Option<&'a dyn Judge>>,
    ) -> Self {
        Self { opened: Instant::now(), deadline, verifier, judges, redactor: None }
    }

    /// The same, with what is taken out of every answer before anything rests on it.
    #[must_use]
    pub fn redacting(self, redactor: Option<&'a Redactor>) -> Self {
        Self { redactor, ..self }
    }

    fn now_ms(&self) -> i64 {
        i64::try_from(self.opened.elapsed().as_millis()).unwrap_or(i64::MAX)
    }

    /// What is left until the deadline, and never more than was asked for.
    fn left(&self, asked: Duration) -> Duration {
        let left = self.deadline.map(|deadline| deadline.saturating_sub(self.opened.elapsed()));
        left.map_or(asked, |left| left.min(asked))
    }
}

#[async_trait]
impl Effects for Live<'_> {
    async fn verify(&mut self, verify: &VerifyPolicy) -> VerifierRecord {
        let record = self.verifier.run(verify, self.left(verify.timeout())).await;
        let record = match self.redactor {
            Some(redactor) => redactor.verifier(record),
            None => record,
        };
        VerifierRecord { after_ms: self.now_ms(), ..record }
    }

    async fn ask(&mut self, question: &JudgeQuestion) -> TapeEntry {
        let before = self.now_ms();
        let limit = u64::try_from(question.provider_timeout_ms).unwrap_or(0);
        let limit = self.left(Duration::from_millis(limit));
        let (kind, reply) = match self.judges.get(question.slot) {
            None => (JudgeKind::Provider, failed(Failure::Environment, "there is no such judge")),
            Some(judge) => {
                let answered = tokio::time::timeout(limit, judge.ask(question)).await;
                let reply = answered.unwrap_or_else(|_| failed(Failure::Timeout, TIMED_OUT));
                (judge.kind(), reply)
            }
        };
        let reply = match self.redactor {
            Some(redactor) => redactor.reply(reply),
            None => reply,
        };
        TapeEntry::new(question, kind, &reply, before, self.now_ms())
    }
}

const TIMED_OUT: &str = "the judge did not answer in time";

fn failed(failure: Failure, message: &str) -> Reply {
    Reply::Failed { failure, message: message.to_owned() }
}
