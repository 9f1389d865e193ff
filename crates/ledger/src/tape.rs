//! The tape: every question asked of a judge, in order, and what came back.

use quittance_evidence::canonical::Digest;
use quittance_judge::machine::{Failure, JudgeQuestion, Reply, Usage};
use serde::{Deserialize, Serialize};

/// What kind of thing answered.
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

/// One question and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TapeEntry {
    /// Which judge.
    pub slot: String,
    /// Why it was asked.
    pub why: String,
    /// The digest of prompt and schema.
    pub question: Digest,
    /// The model.
    pub model: String,
    /// What kind of thing answered.
    pub kind: JudgeKind,
    /// What came back.
    pub told: Told,
    /// The clock before, in ms since the boundary opened.
    pub before_ms: i64,
    /// The clock after, in ms since the boundary opened.
    pub after_ms: i64,
}

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case", deny_unknown_fields)]
#[expect(clippy::exhaustive_enums, reason = "an answer is there or it is not")]
pub enum Told {
    /// A reply.
    Replied {
        /// Its text, as received.
        reply: String,
        /// What it cost.
        tokens: Tokens,
    },
    /// None.
    Failed {
        /// Why, as a word: `timeout`, `auth`, `environment` or `other`.
        failure: String,
        /// In words.
        message: String,
    },
}

/// What a reply cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the usual four counts")]
pub struct Tokens {
    pub input: u64,
    pub output: u64,
    pub cache_read: u64,
    pub cache_write: u64,
}

impl TapeEntry {
    /// Records what a judge told.
    #[must_use]
    pub fn new(
        question: &JudgeQuestion,
        kind: JudgeKind,
        reply: &Reply,
        before_ms: i64,
        after_ms: i64,
    ) -> Self {
        Self {
            slot: question.slot.as_str().to_owned(),
            why: question.why.as_str().to_owned(),
            question: question.prompt.digest(),
            model: question.model.clone(),
            kind,
            told: Told::of(reply),
            before_ms,
            after_ms,
        }
    }
}

/// A count as a server told it; one beyond `i64` would be written as a double, and the receipt could
/// not be read back.
fn told(count: u64) -> u64 {
    count.min(i64::MAX.unsigned_abs())
}

impl Told {
    fn of(reply: &Reply) -> Self {
        match reply {
            Reply::Text { text, usage } => Self::Replied {
                reply: text.clone(),
                tokens: Tokens {
                    input: told(usage.input_tokens),
                    output: told(usage.output_tokens),
                    cache_read: told(usage.cache_read_tokens),
                    cache_write: told(usage.cache_write_tokens),
                },
            },
            Reply::Failed { failure, message } => {
                Self::Failed { failure: failure.as_str().to_owned(), message: message.clone() }
            }
        }
    }

    /// The reply as the state machine takes it. A failure whose word is not known is the one that
    /// may answer the next time: it ends nothing early and approves nothing.
    #[must_use]
    pub fn reply(&self) -> Reply {
        match self {
            Self::Replied { reply, tokens } => Reply::Text {
                text: reply.clone(),
                usage: Usage {
                    input_tokens: tokens.input,
                    output_tokens: tokens.output,
                    cache_read_tokens: tokens.cache_read,
                    cache_write_tokens: tokens.cache_write,
                },
            },
            Self::Failed { failure, message } => {
                let known = Failure::ALL.into_iter().find(|known| known.as_str() == failure);
                let failure = known.unwrap_or(Failure::Other);
                Reply::Failed { failure, message: message.clone() }
            }
        }
    }
}
