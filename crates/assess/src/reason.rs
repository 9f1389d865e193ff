//! Why an answer is not simply taken: the twenty-seven reasons, in the order they are reported.
//!
//! It owns each reason's word, layer, class and what kind of thing it rests on. When a reason fires is
//! the readers' business.

use crate::layer::Layer;

/// A reason the standing is not better than it is. The order is the order of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The turn ended in a pause that waits for a person.
    Asked,
    /// The turn ended with values of arguments still asked for.
    ArgumentAsked,
    /// A call ran with a value nobody gave.
    ArgumentAssumed,
    /// A call ran with a value the model chose, or whose stated source did not hold.
    ArgumentUnverified,
    /// A call ran with the model's reading of what the person said.
    ArgumentRead,
    /// A value rests on results that the model itself set aside.
    ValueContingent,
    /// A tool says there is something it did not, or cannot, look at.
    CoverageGap,
    /// A tool says that what was looked for is not there.
    DeclaredAbsent,
    /// A result came back empty, and no tool said what that means.
    EmptyUndeclared,
    /// The store did not hold the period that was asked for.
    PeriodNotHeld,
    /// The store held part of the period.
    PeriodPartlyHeld,
    /// The store could not say whether it held the period.
    PeriodUnknown,
    /// The result says nothing about its period, though its tool takes one.
    PeriodUndeclared,
    /// The period that was read is not the one that was asked for.
    PeriodDiffersFromAsked,
    /// The period reaches back further than the source keeps.
    PeriodBeyondRetention,
    /// Two readings of one thing disagree.
    SourcesConflict,
    /// The answer states values that are in no result.
    ValueUnsupported,
    /// It still did after it was sent back.
    ValueSurvivedRevision,
    /// The answer states a time that was computed from a reading.
    DerivedFromReading,
    /// The answer shows a script that no call submitted.
    ScriptUnmatched,
    /// The turn was cut short.
    StoppedEarly,
    /// The answer was given before its declared steps were done.
    StepsUnfinished,
    /// The answer says in prose that something is not there, and nothing could check it.
    NegativeProseUnverified,
    /// The answer claims more than was searched.
    ClaimExceedsSearch,
    /// The answer's declaration says more than the record holds.
    DeclarationOverclaimed,
    /// A check of the app failed on the answer.
    AnswerCheckFailed,
    /// A check of the app reached no verdict.
    CheckUnreachable,
}

/// What a reason leaves to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum Class {
    /// A person has to reply; there is no answer before.
    Ask,
    /// There is an answer, and it is not to be relied on as it stands.
    NotSure,
}

/// What kind of thing a reason rests on.
///
/// RECONSTRUCTED: the original's module is not stored. Only the word `calls` and the field `unnamed`
/// are in its surviving text; the other words, and which reason has which, are this project's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "each kind is printed in a shape of its own")]
pub enum SourceKind {
    /// A person's reply.
    Person,
    /// Calls of tools.
    Calls,
    /// The answer's own text.
    Answer,
    /// How the run went.
    Run,
    /// The app's checks.
    Checks,
}

impl Reason {
    /// Every reason, in the order of the report.
    ///
    /// RECONSTRUCTED: the places of [`Self::ScriptUnmatched`], [`Self::NegativeProseUnverified`],
    /// [`Self::ClaimExceedsSearch`] and [`Self::DeclarationOverclaimed`], and that their layer is 4.
    pub const ALL: [Self; 27] = [
        Self::Asked,
        Self::ArgumentAsked,
        Self::ArgumentAssumed,
        Self::ArgumentUnverified,
        Self::ArgumentRead,
        Self::ValueContingent,
        Self::CoverageGap,
        Self::DeclaredAbsent,
        Self::EmptyUndeclared,
        Self::PeriodNotHeld,
        Self::PeriodPartlyHeld,
        Self::PeriodUnknown,
        Self::PeriodUndeclared,
        Self::PeriodDiffersFromAsked,
        Self::PeriodBeyondRetention,
        Self::SourcesConflict,
        Self::ValueUnsupported,
        Self::ValueSurvivedRevision,
        Self::DerivedFromReading,
        Self::ScriptUnmatched,
        Self::StoppedEarly,
        Self::StepsUnfinished,
        Self::NegativeProseUnverified,
        Self::ClaimExceedsSearch,
        Self::DeclarationOverclaimed,
        Self::AnswerCheckFailed,
        Self::CheckUnreachable,
    ];

    /// The reason's word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::ArgumentAsked => "argument-asked",
            Self::ArgumentAssumed => "argument-assumed",
            Self::ArgumentUnverified => "argument-unverified",
            Self::ArgumentRead => "argument-read",
            Self::ValueContingent => "value-contingent",
            Self::CoverageGap => "coverage-gap",
            Self::DeclaredAbsent => "declared-absent",
            Self::EmptyUndeclared => "empty-undeclared",
            Self::PeriodNotHeld => "period-not-held",
            Self::PeriodPartlyHeld => "period-partly-held",
            Self::PeriodUnknown => "period-unknown",
            Self::PeriodUndeclared => "period-undeclared",
            Self::PeriodDiffersFromAsked => "period-differs-from-asked",
            Self::PeriodBeyondRetention => "period-beyond-retention",
            Self::SourcesConflict => "sources-conflict",
            Self::ValueUnsupported => "value-unsupported",
            Self::ValueSurvivedRevision => "value-survived-revision",
            Self::DerivedFromReading => "derived-from-reading",
            Self::ScriptUnmatched => "script-unmatched",
            Self::StoppedEarly => "stopped-early",
            Self::StepsUnfinished => "steps-unfinished",
            Self::NegativeProseUnverified => "negative-prose-unverified",
            Self::ClaimExceedsSearch => "claim-exceeds-search",
            Self::DeclarationOverclaimed => "declaration-overclaimed",
            Self::AnswerCheckFailed => "answer-check-failed",
            Self::CheckUnreachable => "check-unreachable",
        }
    }

    /// The layer of the record the reason was read in; the two that belong to all have none.
    #[must_use]
    pub const fn layer(self) -> Option<Layer> {
        match self {
            Self::Asked | Self::CheckUnreachable => None,
            Self::ArgumentAsked
            | Self::ArgumentAssumed
            | Self::ArgumentUnverified
            | Self::ArgumentRead
            | Self::ValueContingent => Some(Layer::Arguments),
            Self::CoverageGap
            | Self::DeclaredAbsent
            | Self::EmptyUndeclared
            | Self::PeriodNotHeld
            | Self::PeriodPartlyHeld
            | Self::PeriodUnknown
            | Self::PeriodUndeclared
            | Self::PeriodDiffersFromAsked
            | Self::PeriodBeyondRetention
            | Self::SourcesConflict => Some(Layer::Results),
            Self::ValueUnsupported
            | Self::ValueSurvivedRevision
            | Self::DerivedFromReading
            | Self::ScriptUnmatched
            | Self::StoppedEarly
            | Self::StepsUnfinished
            | Self::NegativeProseUnverified
            | Self::ClaimExceedsSearch
            | Self::DeclarationOverclaimed
            | Self::AnswerCheckFailed => Some(Layer::Answer),
        }
    }

    /// What the reason leaves to be done. Only the two that wait for a person are [`Class::Ask`].
    #[must_use]
    pub const fn class(self) -> Class {
        match self {
            Self::Asked | Self::ArgumentAsked => Class::Ask,
            _ => Class::NotSure,
        }
    }

    /// What kind of thing the reason rests on (reconstructed, see [`SourceKind`]).
    #[must_use]
    pub const fn source_kind(self) -> SourceKind {
        match self {
            Self::Asked | Self::ArgumentAsked => SourceKind::Person,
            Self::ValueUnsupported
            | Self::ValueSurvivedRevision
            | Self::DerivedFromReading
            | Self::ScriptUnmatched
            | Self::NegativeProseUnverified => SourceKind::Answer,
            Self::StoppedEarly | Self::StepsUnfinished => SourceKind::Run,
            Self::ClaimExceedsSearch
            | Self::DeclarationOverclaimed
            | Self::AnswerCheckFailed
            | Self::CheckUnreachable => SourceKind::Checks,
            _ => SourceKind::Calls,
        }
    }
}

impl SourceKind {
    /// Every kind.
    pub const ALL: [Self; 5] = [Self::Person, Self::Calls, Self::Answer, Self::Run, Self::Checks];

    /// The kind's word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Calls => "calls",
            Self::Answer => "answer",
            Self::Run => "run",
            Self::Checks => "checks",
        }
    }
}
