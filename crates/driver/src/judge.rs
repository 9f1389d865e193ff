//! Who answers a judge's question.
//!
//! A judge is asked once and answers once: asking again, and what a reply amounts to, are the
//! state machine's. A harness with a client of its own implements [`Judge`] and leaves the feature
//! `provider` out; everything but the client itself is here without it.

#[cfg(feature = "provider")]
pub mod provider;
pub mod route;
pub mod tape;

#[cfg(unix)]
mod command;

use async_trait::async_trait;
use quittance_judge::machine::{JudgeQuestion, Reply};
pub use quittance_ledger::JudgeKind;

#[cfg(unix)]
pub use command::{CommandJudge, QUESTION_SCHEMA};

/// Answers questions.
#[async_trait]
pub trait Judge: Send + Sync {
    /// What kind of thing it is.
    fn kind(&self) -> JudgeKind;

    /// Answers one question within the question's `provider_timeout_ms`, or says why not. It
    /// always comes back: a judge that cannot answer says so in the [`Reply`].
    ///
    /// Dropping the future ends the exchange and leaves nothing running.
    async fn ask(&self, question: &JudgeQuestion) -> Reply;
}
