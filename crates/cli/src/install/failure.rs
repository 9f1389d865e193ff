//! Why a host's settings are left as they are.

use std::path::{Path, PathBuf};

use quittance_hosts::settings::SettingsError;

use crate::exit;

/// Why a host's settings are left as they are.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// They cannot be read as the host's, or the change does not fit it.
    #[error("{source} (in `{}`)", path.display())]
    Settings { path: PathBuf, source: SettingsError },
    /// The file could not be read.
    #[error("open `{}`: {source}", path.display())]
    Open { path: PathBuf, source: std::io::Error },
    /// The file could not be replaced.
    #[error("write `{}`: {source}", path.display())]
    Write { path: PathBuf, source: std::io::Error },
    /// Somebody else writes it faster than we read it.
    #[error("write `{}`: it kept changing meanwhile", path.display())]
    Busy { path: PathBuf },
    /// The project's policy gives a hook longer than was asked for.
    #[error(
        "wait {asked_s} s for the hook: the policy gives it {policy_s} s, and the host would end \
         it before it answers"
    )]
    Short { asked_s: u64, policy_s: u64 },
    /// The host asks for no trust.
    #[error("trust the hook in {title}'s stead: only Codex asks for that")]
    NoTrust { title: &'static str },
    /// The project's settings are the user's own.
    #[error(
        "put the hook into the project's settings: those here are your own, `{}`; leave out \
         --project",
        path.display()
    )]
    NoProject { path: PathBuf },
    /// Where this program lies cannot be said.
    #[error("name this program in a command: {cause}")]
    Program { cause: String },
}

impl Failure {
    pub(super) fn settings(path: &Path) -> impl Fn(SettingsError) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Settings { path: path.clone(), source }
    }

    pub(crate) const fn code(&self) -> u8 {
        match self {
            Self::Settings { source: SettingsError::Deadline { .. }, .. }
            | Self::Short { .. }
            | Self::NoProject { .. }
            | Self::NoTrust { .. } => exit::USAGE,
            Self::Settings { source: SettingsError::Program { .. }, .. }
            | Self::Program { .. }
            | Self::Open { .. }
            | Self::Write { .. }
            | Self::Busy { .. } => exit::IO,
            Self::Settings { .. } => exit::UNREADABLE,
        }
    }
}
