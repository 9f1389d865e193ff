//! Who answers a judge's question.
//!
//! A judge is asked once and answers once: asking again, and what a reply amounts to, are the
//! state machine's. A harness with a client of its own implements [`Judge`] and leaves the feature
//! `provider` out; everything but the client itself is here without it.

#[cfg(feature = "provider")]
pub mod provider;
pub mod route;
pub mod tape;

use async_trait::async_trait;
use quittance_evidence::canonical::Digest;
use quittance_judge::machine::{JudgeQuestion, Reply};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// What kind of thing answers; a receipt says it beside every reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "a receipt's reader must tell all of them apart")]
pub enum JudgeKind {
    /// A model behind a provider's API.
    Provider,
    /// A child process.
    Command,
    /// Replies that were recorded earlier.
    Tape,
}

impl JudgeKind {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Provider => "provider",
            Self::Command => "command",
            Self::Tape => "tape",
        }
    }
}

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

/// The digest of what a question asks: both texts and the schema of the answer, whoever answers.
#[must_use]
pub fn question_digest(question: &JudgeQuestion) -> Digest {
    let prompt = &question.prompt;
    Digest::of(&json!({
        "system": &*prompt.system,
        "user": prompt.user,
        "schema": &*prompt.schema,
    }))
}
