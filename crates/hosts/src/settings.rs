//! How our hook is named in a host's own settings: the text before, the text after.
//!
//! [`install`] and [`uninstall`] touch nothing but our own entry and the containers it stands in:
//! order, comments, indentation, line ends and whatever else is there stay as they are, byte for
//! byte. A second `install` changes nothing; `uninstall` after `install` gives the bytes before,
//! but for containers on our path that were there and empty. What cannot be parsed, or is not of
//! the shape the host reads, is refused with its place and never rewritten.
//!
//! Which file, which events and which units are a host's own, in its folder; [`location`] says
//! where the file lies. Reading and writing it is the caller's, and so is every question to the
//! user: trust in particular is written by [`trust`] only, at the user's word.

mod command;
mod entries;
mod error;
mod find;
mod installed;
mod json;
pub(crate) mod line_ends;
mod rules;
mod splice;

pub use error::SettingsError;
pub use installed::{Installed, events, installed, switched_off};
pub use rules::{Location, Place};

pub use crate::codex::trust::{Silenced, TrustEntry, silenced, trust, trust_entries, untrust};

pub(crate) use find::visit;
pub(crate) use rules::{Beside, Nesting, Rules, Shell, Timeout};

use crate::hook::Host;
use command::Command;
use entries::Entries;

/// Whose settings are edited, and so how the program is named in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "settings are a project's or a user's")]
pub enum Scope<'a> {
    /// A project's, which are committed: the bare name, found on each machine's `PATH`.
    Project,
    /// A user's own: the program by its absolute path.
    User {
        /// The path, unquoted.
        program: &'a str,
    },
}

/// A changed settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edit {
    /// The whole file after the change; the text before where nothing changed.
    pub text: String,
    /// Whether it differs from what was there.
    pub changed: bool,
    /// Whether nothing of anybody's is left in it, so that a file nobody else made may go.
    pub empty: bool,
    /// What was done, one line each, for people.
    pub summary: Vec<String>,
}

/// How much longer the host waits than our own deadline, so that our answer always comes first.
pub const HEADROOM_S: u64 = 30;

/// Where a host keeps the settings that name its hook.
#[must_use]
pub const fn location(host: Host, place: Place) -> Location {
    host.settings().location(place)
}

/// Adds our hook to a host's settings, or brings it up to date. `current` is the file as it is, or
/// `None` where there is none.
///
/// # Errors
/// When the file cannot be read as the host's settings, when the host cannot hold the deadline, and
/// when the program's path can stand in no command.
pub fn install(
    host: Host,
    current: Option<&[u8]>,
    scope: Scope<'_>,
    deadline_s: u64,
) -> Result<Edit, SettingsError> {
    let rules = host.settings();
    let timeout = rules.timeout.of(deadline_s)?;
    let command = Command::of(host, scope)?;
    edit(current, |entries| entries.install(host, &command, timeout))
}

/// Removes our hook from a host's settings, and the containers it leaves empty where they hold
/// nothing else.
///
/// # Errors
/// When the file cannot be read as the host's settings.
pub fn uninstall(host: Host, current: Option<&[u8]>) -> Result<Edit, SettingsError> {
    edit(current, |entries| entries.uninstall(host))
}

/// The mark some programs put before UTF-8; what had it keeps it.
const BOM: &str = "\u{feff}";

fn edit(
    current: Option<&[u8]>,
    change: impl FnOnce(&mut Entries) -> Result<(), SettingsError>,
) -> Result<Edit, SettingsError> {
    let before = text(current.unwrap_or_default())?;
    let body = body(before);
    let mut entries = Entries::new(body);
    change(&mut entries)?;
    let changed = entries.text != body;
    let bom = before.strip_suffix(body).unwrap_or_default();
    let empty = entries.is_empty();
    Ok(Edit { text: [bom, &entries.text].concat(), changed, empty, summary: entries.summary })
}

/// A file's text without its mark.
fn body(text: &str) -> &str {
    text.strip_prefix(BOM).unwrap_or(text)
}

/// The bytes of a settings file as text.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, SettingsError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = before.split(|byte| *byte == b'\n').count();
        SettingsError::NotUtf8 { line }
    })
}
