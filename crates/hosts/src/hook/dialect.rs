//! What a host's folder says of its hook, and the words all of them share.

use super::fields::{Fields, HookError};
use super::input::HookInput;
use super::plain::Size;

/// What a host's part is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a part is known from one of the two")]
pub enum Basis {
    /// The real client was driven, and this is what it did.
    Measured,
    /// The vendor's documentation or published source says so; no client was driven.
    Documented,
}

impl Basis {
    /// The word for people.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::Documented => "documented",
        }
    }
}

/// Who proposes to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the run itself, or an agent inside it")]
pub enum Stopping {
    /// The run.
    Run,
    /// An agent that the run started; its transcript is its own.
    SubAgent,
}

/// An event at which a host asks whether the run may stop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    /// As the host spells it, in its settings and on standard input.
    pub(crate) name: &'static str,
    pub(crate) stopping: Stopping,
    /// Whether `install` puts the hook there.
    pub(crate) installed: bool,
}

impl Event {
    /// An event that `install` puts the hook on.
    pub(crate) const fn installed(name: &'static str, stopping: Stopping) -> Self {
        Self { name, stopping, installed: true }
    }

    /// An event that is understood when somebody else put the hook there.
    pub(crate) const fn understood(name: &'static str, stopping: Stopping) -> Self {
        Self { name, stopping, installed: false }
    }
}

/// How a host is told to go on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Refusal {
    /// `decision` with this word, and `reason`; exactly these two keys.
    Decision(&'static str),
    /// The words alone, under this key; the host sends them as the next message.
    Message(&'static str),
}

/// How one host speaks with its hook.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dialect {
    pub(crate) basis: Basis,
    pub(crate) events: &'static [Event],
    /// The fields that are read; every other field is skipped.
    pub(crate) keys: &'static [&'static str],
    /// Reads those fields.
    pub(crate) read: fn(&mut Fields) -> Result<HookInput, HookError>,
    pub(crate) refusal: Refusal,
    /// The key whose words the host shows its user beside an allowed stop, if it has one.
    pub(crate) notice: Option<&'static str>,
    /// The longest text that reaches the agent, or the user, whole.
    pub(crate) longest: Size,
}

impl Dialect {
    /// Who proposes to stop at an event of this name; `None` where nobody does.
    pub(crate) fn stopping(&self, name: &str) -> Option<Stopping> {
        self.events.iter().find(|event| event.name == name).map(|event| event.stopping)
    }
}
