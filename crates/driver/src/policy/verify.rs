//! `[verify]`: the deterministic verifier.

use std::time::Duration;

use globset::{Glob, GlobSet, GlobSetBuilder};
use serde::{Deserialize, Serialize};

use super::command::Command;
use super::table::Table;
use super::{PolicyError, PolicyProblem};

/// When the verifier is due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "a driver must act on each")]
pub enum When {
    /// At a boundary since whose last passed reading something was written, or may have been.
    #[default]
    AfterWrite,
    /// At every boundary.
    Always,
    /// Never run by us: the last run of it that the record shows is read.
    Observed,
    /// Not at all.
    Never,
}

impl When {
    /// Every word.
    pub const ALL: [Self; 4] = [Self::AfterWrite, Self::Always, Self::Observed, Self::Never];

    /// The word in the file and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AfterWrite => "after_write",
            Self::Always => "always",
            Self::Observed => "observed",
            Self::Never => "never",
        }
    }

    /// Whether we run the command ourselves.
    #[must_use]
    pub const fn runs(self) -> bool {
        matches!(self, Self::AfterWrite | Self::Always)
    }
}

/// The verifier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct VerifyPolicy {
    /// What is run; none where the record alone is read.
    pub command: Option<Command>,
    /// How long it may take, in seconds.
    pub timeout_s: u32,
    /// When it is due.
    pub when: When,
    /// Whether a turn that changed nothing is refused, a question too.
    pub requires_write: bool,
    /// Globs of files that are not the work.
    pub cosmetic: Vec<String>,
    /// Whether a run that says it executed no test may pass.
    pub allow_empty: bool,
}

/// Long enough for a test suite, short enough to leave room for judges before a hook's deadline.
const DEFAULT_TIMEOUT_S: u32 = 300;

const KEYS: [&str; 6] =
    ["command", "timeout_s", "when", "requires_write", "cosmetic", "allow_empty"];

impl VerifyPolicy {
    pub(super) fn read(table: Table<'_>) -> Result<Self, PolicyError> {
        let table = table.only(&KEYS)?;
        let command = table.item("command").map(|item| Command::read(&item)).transpose()?;
        let when = match table.text("when")? {
            None => When::default(),
            Some(word) => table.word("when", &word, When::ALL, When::as_str)?,
        };
        if when.runs() && command.is_none() {
            return Err(table.problem("command", PolicyProblem::Missing));
        }
        let cosmetic = table.texts("cosmetic")?.unwrap_or_default();
        globs(&cosmetic)
            .map_err(|cause| table.problem("cosmetic", PolicyProblem::Glob(cause.to_string())))?;
        Ok(Self {
            command,
            timeout_s: table.positive("timeout_s")?.unwrap_or(DEFAULT_TIMEOUT_S),
            when,
            requires_write: table.flag("requires_write")?.unwrap_or(false),
            cosmetic,
            allow_empty: table.flag("allow_empty")?.unwrap_or(false),
        })
    }

    /// How long it may take.
    #[must_use]
    pub fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout_s.into())
    }

    /// What tells cosmetic files. A glob that cannot be read matches nothing, so that its files
    /// count as the work and are verified.
    #[must_use]
    pub fn cosmetic_files(&self) -> GlobSet {
        globs(&self.cosmetic).unwrap_or_default()
    }
}

fn globs(patterns: &[String]) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(Glob::new(pattern)?);
    }
    set.build()
}
