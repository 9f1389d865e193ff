//! The words for each reason and each check.

use crate::{check::CheckName, reason::Reason};

/// What a reason is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    /// The calls behind it.
    Calls,
    /// The rows that show it.
    Rows,
}

/// What a reason is counted in, where a number says something.
pub(super) const fn unit(reason: Reason) -> Option<Unit> {
    match reason {
        Reason::CoverageGap
        | Reason::DeclaredAbsent
        | Reason::EmptyUndeclared
        | Reason::PeriodNotHeld
        | Reason::PeriodPartlyHeld
        | Reason::PeriodUnknown
        | Reason::PeriodUndeclared => Some(Unit::Calls),
        Reason::ArgumentAssumed
        | Reason::ArgumentUnverified
        | Reason::ArgumentRead
        | Reason::ValueContingent
        | Reason::SourcesConflict => Some(Unit::Rows),
        _ => None,
    }
}

/// A reason as a clause.
pub(super) const fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::Asked => "the run waits for a person to reply",
        Reason::ArgumentAsked => "values are still asked for, and their calls have not run",
        Reason::ArgumentAssumed => "a call ran with a value that nobody gave",
        Reason::ArgumentUnverified => {
            "a call ran with a value the model chose, or whose stated source did not hold"
        }
        Reason::ArgumentRead => "a call ran with how the model read the person's words",
        Reason::ValueContingent => "a value rests only on results the model itself set aside",
        Reason::CoverageGap => "a tool says there is something it did not or cannot look at",
        Reason::DeclaredAbsent => "a tool says that what was looked for is not there",
        Reason::EmptyUndeclared => "a result came back empty, and no tool said what that means",
        Reason::PeriodNotHeld => "the source does not hold the period that was asked for",
        Reason::PeriodPartlyHeld => "the source holds only part of the period that was asked for",
        Reason::PeriodUnknown => "the source cannot say whether it holds the period",
        Reason::PeriodUndeclared => "a result does not say which period it covers",
        Reason::PeriodDiffersFromAsked => "another period was read than the one asked for",
        Reason::PeriodBeyondRetention => "the period reaches back further than the source keeps",
        Reason::SourcesConflict => "two readings of the same thing disagree",
        Reason::ValueUnsupported => "the answer states values that are in no result",
        Reason::ValueSurvivedRevision => {
            "the answer still states values that are in no result, after it was sent back"
        }
        Reason::DerivedFromReading => "the answer states a time that was computed from a reading",
        Reason::ScriptUnmatched => "the answer shows a script that no call submitted",
        Reason::StoppedEarly => "the run was cut short",
        Reason::StepsUnfinished => "the answer was given before its declared steps were done",
        Reason::NegativeProseUnverified => {
            "the answer says that something is not there, and nothing could check it"
        }
        Reason::ClaimExceedsSearch => "the answer claims more than was searched",
        Reason::DeclarationOverclaimed => "the answer declares more than the record holds",
        Reason::AnswerCheckFailed => "a check of the app failed on the answer",
        Reason::CheckUnreachable => "a check of the app reached no verdict",
    }
}

/// A check in a list of checks.
pub(super) const fn check(name: CheckName) -> &'static str {
    match name {
        CheckName::ArgumentRules => "where arguments came from",
        CheckName::ArgumentSources => "stated sources of arguments",
        CheckName::ToolCoverage => "what tools covered",
        CheckName::ResultShape => "what came back",
        CheckName::ResultPeriod => "which period was read",
        CheckName::NamesAndNumbers => "names and numbers of the answer",
        CheckName::ScriptMatch => "scripts the answer shows",
        CheckName::AnswerChecks => "the app's own checks",
    }
}
