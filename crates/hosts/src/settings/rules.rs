//! What a host's folder says of its settings.

use super::HEADROOM_S;
use super::error::SettingsError;

/// Whose settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "settings are a project's or a user's")]
pub enum Place {
    /// A project's.
    Project,
    /// A user's.
    User,
}

/// Where a settings file lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The folder, relative to the project's root or to the user's home.
    pub folder: &'static str,
    /// The variable that names another folder in its stead, where the host knows one.
    pub folder_variable: Option<&'static str>,
    /// The file, relative to that folder.
    pub file: &'static str,
}

impl Location {
    pub(crate) const fn new(folder: &'static str, file: &'static str) -> Self {
        Self { folder, folder_variable: None, file }
    }

    pub(crate) const fn or_in(self, variable: &'static str) -> Self {
        Self { folder_variable: Some(variable), ..self }
    }
}

/// How a host keeps the hooks of one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nesting {
    /// A list of groups, each an object with its own list `hooks`.
    Grouped,
    /// A list of hooks.
    Flat,
}

/// Which shell runs a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shell {
    Posix,
    PowerShell,
}

/// A field that an entry of ours has beside command and timeout, when it is made.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Beside {
    Text(&'static str),
    Number(u64),
}

/// How a host is told how long to wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timeout {
    pub(crate) key: &'static str,
    /// How many of the host's units are a second.
    pub(crate) per_second: u64,
    /// The longest it can wait, in seconds.
    pub(crate) longest_s: u64,
}

/// A timer counted in a signed 32-bit number of milliseconds: beyond that Node's fires at once, and
/// Python's raises.
pub(crate) const LONGEST_OF_MILLISECONDS_S: u64 = 2_147_483;

impl Timeout {
    pub(crate) const fn seconds(key: &'static str) -> Self {
        Self { key, per_second: 1, longest_s: LONGEST_OF_MILLISECONDS_S }
    }

    pub(crate) const fn milliseconds(key: &'static str) -> Self {
        Self { key, per_second: 1000, longest_s: LONGEST_OF_MILLISECONDS_S }
    }

    /// The timeout to write for a deadline of ours, in the host's unit.
    pub(super) fn of(self, deadline_s: u64) -> Result<u64, SettingsError> {
        let refusal = SettingsError::Deadline { deadline_s, longest_s: self.longest_s };
        let whole = deadline_s.checked_add(HEADROOM_S).filter(|whole| *whole <= self.longest_s);
        whole.and_then(|whole| whole.checked_mul(self.per_second)).ok_or(refusal)
    }
}

/// How one host names its hooks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) project: Location,
    pub(crate) user: Location,
    pub(crate) nesting: Nesting,
    /// Whether the file says `"version": 1`, and is read only if it does.
    pub(crate) versioned: bool,
    /// The fields that hold the command, each for its shell.
    pub(crate) commands: &'static [(&'static str, Shell)],
    pub(crate) timeout: Timeout,
    pub(crate) beside: &'static [(&'static str, Beside)],
    /// The field that keeps the host from running any hook where it is true, where it has one.
    pub(crate) off: Option<&'static str>,
}

impl Rules {
    pub(crate) const fn location(&self, place: Place) -> Location {
        match place {
            Place::Project => self.project,
            Place::User => self.user,
        }
    }
}
