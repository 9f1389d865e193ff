//! The committed state: the ten keys the fold asks for, and the guard over those a record keeps out.
//!
//! No other key of a record is ever looked at.

use std::collections::BTreeSet;

use crate::json::{Node, Object};

/// A key of the committed state that the fold reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the fold reads these ten and no other")]
pub enum StateKey {
    /// `answerValidation`: the app's report on the answer.
    AnswerValidation,
    /// `argumentAsk`: values asked for.
    ArgumentAsk,
    /// `coverageDeclared`: what tools say they covered.
    CoverageDeclared,
    /// `findingsLedger`: what the run's layers found.
    FindingsLedger,
    /// `history`: the messages.
    History,
    /// `middlewareDecisions`: what middlewares let through or rewrote.
    MiddlewareDecisions,
    /// `pausedToolCallId`: the call that waits for a person.
    PausedToolCallId,
    /// `stoppedEarly`: that the turn was cut short.
    StoppedEarly,
    /// `turnNumber`: which turn of a conversation this is.
    TurnNumber,
    /// `unsupportedValues`: values of the answer that are in no result.
    UnsupportedValues,
}

impl StateKey {
    /// Every key, in alphabetical order.
    pub const ALL: [Self; 10] = [
        Self::AnswerValidation,
        Self::ArgumentAsk,
        Self::CoverageDeclared,
        Self::FindingsLedger,
        Self::History,
        Self::MiddlewareDecisions,
        Self::PausedToolCallId,
        Self::StoppedEarly,
        Self::TurnNumber,
        Self::UnsupportedValues,
    ];

    /// The key in the record.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AnswerValidation => "answerValidation",
            Self::ArgumentAsk => "argumentAsk",
            Self::CoverageDeclared => "coverageDeclared",
            Self::FindingsLedger => "findingsLedger",
            Self::History => "history",
            Self::MiddlewareDecisions => "middlewareDecisions",
            Self::PausedToolCallId => "pausedToolCallId",
            Self::StoppedEarly => "stoppedEarly",
            Self::TurnNumber => "turnNumber",
            Self::UnsupportedValues => "unsupportedValues",
        }
    }
}

/// By name, which is the order in which kept-out keys are reported.
impl Ord for StateKey {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl PartialOrd for StateKey {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Whether a record was served under a policy that keeps values out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_enums, reason = "a record was served under a policy or it was not")]
pub enum Served {
    /// Every value is what it is: a text that reads like a placeholder is that text.
    #[default]
    AsIs,
    /// A placeholder stands for a value that was kept out.
    UnderPolicy,
}

/// What stands where a policy kept a value out.
pub(crate) const PLACEHOLDERS: [&str; 2] = ["REDACTED", "[REDACTED]"];

/// The state as the fold may read it.
///
/// A key that is kept out reads as absent and is noted when it is asked for: a verdict over the
/// placeholder would take a kept-out pause for a pause and a kept-out history for an empty one.
#[derive(Debug)]
pub(crate) struct State<'r> {
    held: [Option<Node<'r>>; 10],
    served: Served,
    asked: BTreeSet<StateKey>,
}

impl<'r> State<'r> {
    pub(crate) fn new(state: Option<Object<'r>>, served: Served) -> Self {
        let held =
            state.map_or([None; 10], |state| state.pick(StateKey::ALL.map(StateKey::as_str)));
        Self { held, served, asked: BTreeSet::new() }
    }

    /// The value at a key, unless the record keeps it out.
    pub(crate) fn ask(&mut self, key: StateKey) -> Option<Node<'r>> {
        let place = StateKey::ALL.iter().position(|&k| k == key)?;
        let value = (*self.held.get(place)?)?;
        if self.served == Served::UnderPolicy && PLACEHOLDERS.iter().any(|word| value.is(word)) {
            self.asked.insert(key);
            return None;
        }
        Some(value)
    }

    /// The kept-out keys that were asked for.
    pub(crate) fn into_kept_out(self) -> BTreeSet<StateKey> {
        self.asked
    }
}
