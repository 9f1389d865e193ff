//! The answer: how an assessed answer stands, why, and what was checked.
//!
//! The standing is worked out from the reasons, the support and the checks each time it is asked for,
//! so that no assessment can say "known" beside a reason.

use std::collections::BTreeSet;

use crate::{
    check::Check,
    json::Text,
    pointer::Pointer,
    reason::{Class, Reason},
    source::{Call, Source},
    state::StateKey,
    turn::TurnFrom,
};

/// What the record says of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum Value {
    /// A reason fired.
    Unknown,
    /// A check that ties the answer's own bytes passed, and no reason fired.
    Known,
    /// Checks ran and none fired.
    Unrefuted,
    /// Nothing could be checked.
    NotApplicable,
}

/// The same in the words people are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum Standing {
    /// A person has to reply before there is an answer.
    Ask,
    /// There is a reason not to rely on the answer as it stands.
    NotSure,
    /// The app's own enforcing check passed this answer.
    Known,
    /// The record holds nothing against it.
    Consistent,
    /// The record shows nothing either way.
    NotAssessed,
}

/// A reason that fired.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fired<'r> {
    /// Which reason.
    pub reason: Reason,
    /// Where the record shows it. Never empty; the same place may be named twice.
    pub witness: Vec<Pointer<'r>>,
    /// What it rests on.
    pub source: Source<'r>,
}

/// How far an answer can be trusted, as its record shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assessment<'r> {
    turn_from: TurnFrom,
    verdict: Verdict<'r>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Verdict<'r> {
    /// INVARIANT: at least one key.
    Withheld(BTreeSet<StateKey>),
    /// INVARIANT: reasons in their order, each once; support only where there is no reason.
    Given { reasons: Vec<Fired<'r>>, support: Option<Text<'r>>, checked: Vec<Check<'r>> },
}

impl<'r> Assessment<'r> {
    /// No verdict: the record keeps out keys that the fold asked for.
    pub(crate) fn withheld(turn_from: TurnFrom, kept_out: BTreeSet<StateKey>) -> Self {
        Self { turn_from, verdict: Verdict::Withheld(kept_out) }
    }

    pub(crate) fn given(
        turn_from: TurnFrom,
        reasons: Vec<Fired<'r>>,
        support: Option<Text<'r>>,
        checked: Vec<Check<'r>>,
    ) -> Self {
        // A reason that fired beats any support, which is then not reported.
        let support = support.filter(|_| reasons.is_empty());
        Self { turn_from, verdict: Verdict::Given { reasons, support, checked } }
    }

    /// By precedence: a reason, else support, else a check that ran, else nothing.
    #[must_use]
    pub fn value(&self) -> Value {
        let Verdict::Given { reasons, support, checked } = &self.verdict else {
            return Value::NotApplicable;
        };
        if !reasons.is_empty() {
            Value::Unknown
        } else if support.is_some() {
            Value::Known
        } else if checked.iter().any(|check| check.ran > 0) {
            Value::Unrefuted
        } else {
            Value::NotApplicable
        }
    }

    /// The value in the words people are shown.
    #[must_use]
    pub fn standing(&self) -> Standing {
        match self.value() {
            Value::Unknown => {
                let waits = self.reasons().iter().any(|fired| fired.reason.class() == Class::Ask);
                if waits { Standing::Ask } else { Standing::NotSure }
            }
            Value::Known => Standing::Known,
            Value::Unrefuted => Standing::Consistent,
            Value::NotApplicable => Standing::NotAssessed,
        }
    }

    /// Why the standing is not better, in the order of the report.
    #[must_use]
    pub fn reasons(&self) -> &[Fired<'r>] {
        match &self.verdict {
            Verdict::Given { reasons, .. } => reasons,
            Verdict::Withheld(_) => &[],
        }
    }

    /// What was checked, in the order in which it was.
    #[must_use]
    pub fn checked(&self) -> &[Check<'r>] {
        match &self.verdict {
            Verdict::Given { checked, .. } => checked,
            Verdict::Withheld(_) => &[],
        }
    }

    /// The digest of the answer that the app's enforcing report passed. There exactly when the
    /// standing is "known".
    #[must_use]
    pub fn support(&self) -> Option<&Text<'r>> {
        match &self.verdict {
            Verdict::Given { support, .. } => support.as_ref(),
            Verdict::Withheld(_) => None,
        }
    }

    /// The keys the record keeps out and the fold asked for, by name. Empty when a verdict was given.
    pub fn kept_out(&self) -> impl Iterator<Item = StateKey> {
        let keys = match &self.verdict {
            Verdict::Given { .. } => None,
            Verdict::Withheld(keys) => Some(keys),
        };
        keys.into_iter().flatten().copied()
    }

    /// What the turn was read from.
    #[must_use]
    pub fn turn_from(&self) -> TurnFrom {
        self.turn_from
    }

    /// The same assessment, free of the record it was read from.
    #[must_use]
    pub fn into_owned(self) -> Assessment<'static> {
        let verdict = match self.verdict {
            Verdict::Withheld(keys) => Verdict::Withheld(keys),
            Verdict::Given { reasons, support, checked } => Verdict::Given {
                reasons: reasons.into_iter().map(Fired::into_owned).collect(),
                support: support.map(Text::into_owned),
                checked: checked.into_iter().map(own_check).collect(),
            },
        };
        Assessment { turn_from: self.turn_from, verdict }
    }
}

impl Fired<'_> {
    fn into_owned(self) -> Fired<'static> {
        let source = match self.source {
            Source::Calls { calls, unnamed } => {
                let own = |call: Call<'_>| Call {
                    id: call.id.into_owned(),
                    tool: call.tool.map(Text::into_owned),
                };
                Source::Calls { calls: calls.into_iter().map(own).collect(), unnamed }
            }
            Source::Person => Source::Person,
            Source::Answer => Source::Answer,
            Source::Run => Source::Run,
            Source::Checks => Source::Checks,
        };
        Fired { reason: self.reason, witness: own_pointers(self.witness), source }
    }
}

fn own_check(check: Check<'_>) -> Check<'static> {
    let Check { name, ran, of, witness } = check;
    Check { name, ran, of, witness: own_pointers(witness) }
}

fn own_pointers(pointers: Vec<Pointer<'_>>) -> Vec<Pointer<'static>> {
    pointers.into_iter().map(Pointer::into_owned).collect()
}

impl Value {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Known => "known",
            Self::Unrefuted => "unrefuted",
            Self::NotApplicable => "not-applicable",
        }
    }
}

impl Standing {
    /// Every standing.
    pub const ALL: [Self; 5] =
        [Self::Ask, Self::NotSure, Self::Known, Self::Consistent, Self::NotAssessed];

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::NotSure => "not-sure",
            Self::Known => "known",
            Self::Consistent => "consistent",
            Self::NotAssessed => "not-assessed",
        }
    }
}
