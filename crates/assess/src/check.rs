//! What was checked, how much of it, and on what.

use crate::{layer::Layer, pointer::Pointer};

/// The name of a check. The order is the order in which they can appear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum CheckName {
    /// Where the values of a call's arguments came from.
    ArgumentRules,
    /// Whether a value is where the model said it is.
    ArgumentSources,
    /// Whether a call's tool said what it covers.
    ToolCoverage,
    /// Whether a result can be read as rows, or as their absence.
    ResultShape,
    /// Whether the store held the period that was read.
    ResultPeriod,
    /// Whether the names and numbers of the answer are in a result.
    NamesAndNumbers,
    /// Whether a script the answer shows was submitted by a call.
    ScriptMatch,
    /// The app's own checks of the answer.
    AnswerChecks,
}

/// A check that applied to this turn. One that did not is not listed at all.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Check<'r> {
    /// Which check.
    pub name: CheckName,
    /// How often it reached a verdict; never more than `of`.
    pub ran: u64,
    /// How often it was due.
    pub of: u64,
    /// Where the record shows that it ran. May be empty.
    pub witness: Vec<Pointer<'r>>,
}

impl<'r> Check<'r> {
    /// A check that reached a verdict on everything it was due on: once for each witness.
    pub(crate) fn complete(name: CheckName, witness: Vec<Pointer<'r>>) -> Self {
        let times = count(witness.len());
        Self { name, ran: times, of: times, witness }
    }
}

/// A length as it is reported.
pub(crate) fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

impl CheckName {
    /// Every check, in the order in which they can appear.
    pub const ALL: [Self; 8] = [
        Self::ArgumentRules,
        Self::ArgumentSources,
        Self::ToolCoverage,
        Self::ResultShape,
        Self::ResultPeriod,
        Self::NamesAndNumbers,
        Self::ScriptMatch,
        Self::AnswerChecks,
    ];

    /// The check's word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ArgumentRules => "argument-rules",
            Self::ArgumentSources => "argument-sources",
            Self::ToolCoverage => "tool-coverage",
            Self::ResultShape => "result-shape",
            Self::ResultPeriod => "result-period",
            Self::NamesAndNumbers => "names-and-numbers",
            Self::ScriptMatch => "script-match",
            Self::AnswerChecks => "answer-checks",
        }
    }

    /// The layer of the record the check reads.
    #[must_use]
    pub const fn layer(self) -> Layer {
        match self {
            Self::ArgumentRules | Self::ArgumentSources => Layer::Arguments,
            Self::ToolCoverage | Self::ResultShape | Self::ResultPeriod => Layer::Results,
            Self::NamesAndNumbers | Self::ScriptMatch | Self::AnswerChecks => Layer::Answer,
        }
    }
}
