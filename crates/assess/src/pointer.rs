//! Where in the record something is shown.
//!
//! A witness is one of the few places the fold ever looks at, so that no pointer to anywhere else can
//! be written down. It says where the rule looked: the record need not have a leaf there.

use std::fmt;

use crate::{json::Text, state::StateKey};

/// One witness.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the two kinds the wire format has")]
pub enum Pointer<'r> {
    /// A place in the committed state.
    State(Place),
    /// A tool's result.
    History {
        /// Its index in the history, from 0.
        index: usize,
        /// The call it answers, where it names one.
        call: Option<Text<'r>>,
    },
}

/// A place in the committed state. Indices count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the places the fold looks at, and no other")]
pub enum Place {
    /// The call a person's reply is awaited for.
    PausedCall,
    /// The request for values that is still open.
    AwaitedRequest,
    /// A field of a row of the findings ledger.
    Ledger(usize, RowField),
    /// A row of what tools declared to cover.
    Coverage(usize),
    /// The arguments a middleware rewrote.
    Rewrite(usize),
    /// The values of the answer that are in no result.
    Candidates,
    /// Where the turn was cut short.
    StoppedAt,
    /// The status of the app's report on the answer.
    ReportStatus,
    /// One check of that report.
    ReportCheck(usize),
    /// How many of its checks could not be reached.
    ReportUnreachable,
    /// Why one of its validators did not finish.
    ReportReason,
}

/// A field of a ledger row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the fields the fold points at, and no other")]
pub enum RowField {
    /// `argument`
    Argument,
    /// `asked`
    Asked,
    /// `beyondRetention`
    BeyondRetention,
    /// `claimed`
    Claimed,
    /// `differs`
    Differs,
    /// `kind`
    Kind,
    /// `label`
    Label,
    /// `value`
    Value,
    /// `values`
    Values,
    /// `verdict`
    Verdict,
}

impl RowField {
    /// Every field, in alphabetical order.
    pub const ALL: [Self; 10] = [
        Self::Argument,
        Self::Asked,
        Self::BeyondRetention,
        Self::Claimed,
        Self::Differs,
        Self::Kind,
        Self::Label,
        Self::Value,
        Self::Values,
        Self::Verdict,
    ];

    /// The field's name in the record.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Argument => "argument",
            Self::Asked => "asked",
            Self::BeyondRetention => "beyondRetention",
            Self::Claimed => "claimed",
            Self::Differs => "differs",
            Self::Kind => "kind",
            Self::Label => "label",
            Self::Value => "value",
            Self::Values => "values",
            Self::Verdict => "verdict",
        }
    }
}

impl Place {
    /// The key of the committed state the place is under.
    #[must_use]
    pub const fn key(self) -> StateKey {
        match self {
            Self::PausedCall => StateKey::PausedToolCallId,
            Self::AwaitedRequest => StateKey::ArgumentAsk,
            Self::Ledger(..) => StateKey::FindingsLedger,
            Self::Coverage(_) => StateKey::CoverageDeclared,
            Self::Rewrite(_) => StateKey::MiddlewareDecisions,
            Self::Candidates => StateKey::UnsupportedValues,
            Self::StoppedAt => StateKey::StoppedEarly,
            Self::ReportStatus
            | Self::ReportCheck(_)
            | Self::ReportUnreachable
            | Self::ReportReason => StateKey::AnswerValidation,
        }
    }

    /// Writes the JSON pointer beneath that key. Its segments are fixed words and indices, none of
    /// which holds a `~` or a `/`, so nothing needs the escapes of RFC 6901.
    pub(crate) fn write_path(self, out: &mut dyn fmt::Write) -> fmt::Result {
        match self {
            Self::PausedCall => Ok(()),
            Self::AwaitedRequest => out.write_str("/waiting/requestId"),
            Self::Ledger(index, field) => write!(out, "/{index}/{}", field.as_str()),
            Self::Coverage(index) => write!(out, "/{index}/kind"),
            Self::Rewrite(index) => write!(out, "/{index}/changedKeys"),
            Self::Candidates => out.write_str("/candidates"),
            Self::StoppedAt => out.write_str("/iteration"),
            Self::ReportStatus => out.write_str("/status"),
            Self::ReportCheck(index) => write!(out, "/checks/{index}"),
            Self::ReportUnreachable => out.write_str("/unreachable"),
            Self::ReportReason => out.write_str("/reason"),
        }
    }

    /// The place that a key and a JSON pointer name, unless the fold never points there.
    pub(crate) fn named(key: StateKey, path: &str) -> Option<Self> {
        let mut segments = path.split('/').skip(1);
        let (first, second) = (segments.next(), segments.next());
        let index = |segment: Option<&str>| segment?.parse().ok();
        let place = match key {
            StateKey::PausedToolCallId => Self::PausedCall,
            StateKey::ArgumentAsk => Self::AwaitedRequest,
            StateKey::FindingsLedger => {
                let field = RowField::ALL.into_iter().find(|f| Some(f.as_str()) == second)?;
                Self::Ledger(index(first)?, field)
            }
            StateKey::CoverageDeclared => Self::Coverage(index(first)?),
            StateKey::MiddlewareDecisions => Self::Rewrite(index(first)?),
            StateKey::UnsupportedValues => Self::Candidates,
            StateKey::StoppedEarly => Self::StoppedAt,
            StateKey::AnswerValidation => match first? {
                "checks" => Self::ReportCheck(index(second)?),
                "unreachable" => Self::ReportUnreachable,
                "reason" => Self::ReportReason,
                _ => Self::ReportStatus,
            },
            StateKey::History | StateKey::TurnNumber => return None,
        };
        // Whatever was skipped or spelled otherwise shows here.
        let mut spelled = String::new();
        place.write_path(&mut spelled).ok()?;
        (spelled == path).then_some(place)
    }
}

/// As people are shown it: the key and the path, such as `findingsLedger/3/argument`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key().as_str())?;
        self.write_path(f)
    }
}

/// As people are shown it: `findingsLedger/3/argument`, `history/2`.
impl fmt::Display for Pointer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::State(place) => place.fmt(f),
            Self::History { index, .. } => write!(f, "history/{index}"),
        }
    }
}

impl Pointer<'_> {
    /// The same pointer, free of the record it was read from.
    #[must_use]
    pub fn into_owned(self) -> Pointer<'static> {
        match self {
            Self::State(place) => Pointer::State(place),
            Self::History { index, call } => {
                Pointer::History { index, call: call.map(Text::into_owned) }
            }
        }
    }
}
