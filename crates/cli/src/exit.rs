//! Exit codes of failures, and the one place that maps them. Outcomes carry their own code.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;

use quittance_driver::policy::{PolicyError, RecordError};
use quittance_driver::standing::StandingError;
use quittance_driver::user::{KeyError, UserConfigError};
use quittance_hosts::ReadError;
use quittance_ledger::ReceiptError;
use quittance_ledger::store::StoreError;

use crate::install;

/// The record holds no turn at all.
pub(crate) const NO_TURN: u8 = 15;
/// What was compared differs.
pub(crate) const DIFFERS: u8 = 21;
/// The doctor found something amiss.
pub(crate) const AMISS: u8 = 22;
/// The command line is wrong. The codes from here on are those of sysexits.
pub(crate) const USAGE: u8 = 64;
/// The transcript cannot be understood.
pub(crate) const UNREADABLE: u8 = 65;
/// There is no such file.
pub(crate) const NO_INPUT: u8 = 66;
/// A service that is needed is not there.
pub(crate) const UNAVAILABLE: u8 = 69;
/// We failed inside.
pub(crate) const INTERNAL: u8 = 70;
/// The system failed us.
pub(crate) const IO: u8 = 74;
/// The policy file is wrong.
pub(crate) const BAD_POLICY: u8 = 78;

/// Runs a command. What unwinds has been told on standard error, with its place; it never ends in a
/// code that says something of a run.
pub(crate) fn guarded(command: impl FnOnce() -> ExitCode) -> ExitCode {
    catch_unwind(AssertUnwindSafe(command)).unwrap_or_else(|_| ExitCode::from(INTERNAL))
}

/// Why a command has no answer. Each names the file; the cause follows the colon.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A file could not be opened or read.
    #[error("open `{path}`: {source}")]
    Open { path: PathBuf, source: std::io::Error },
    /// What is no regular file could not be kept in a temporary one.
    #[error("keep the transcript in a temporary file: {0}")]
    Spool(std::io::Error),
    /// The policy file is no text.
    #[error("obey the policy `{path}`: it is not UTF-8")]
    PolicyText { path: PathBuf },
    /// The policy file is wrong.
    #[error("obey the policy `{path}`: {source}")]
    Policy { path: PathBuf, source: PolicyError },
    /// The turn could not be folded.
    #[error("assess the turn: {source} (in `{path}`)")]
    Standing { path: PathBuf, source: StandingError },
    /// The receipt is none, or was changed.
    #[error("{source} (in `{path}`)")]
    Receipt { path: PathBuf, source: ReceiptError },
    /// The receipt says only why no record was read.
    #[error("replay `{path}`: it was made of no record; it only says why none was read")]
    NoRecord { path: PathBuf },
    /// The receipt's policy is none.
    #[error("{source} (in `{path}`)")]
    RecordedPolicy { path: PathBuf, source: RecordError },
    /// A file could not be written.
    #[error("write `{path}`: {source}")]
    Write { path: PathBuf, source: std::io::Error },
    /// The hook was put in, and what had to follow was not done.
    #[error("{source}; before that, the hook was put into `{}`", done.display())]
    InPart { done: PathBuf, source: Box<Self> },
    /// A policy was written, and hooks do not obey it.
    #[error("trust `{path}`, which was written: {source}; once that is mended, `quittance trust`")]
    Untrusted { path: PathBuf, source: Box<Self> },
    /// A file is there that would be replaced.
    #[error("write `{}`: it is there already; --force replaces it", path.display())]
    Exists { path: PathBuf },
    /// The user's own configuration cannot be obeyed.
    #[error("obey your own configuration: {0}")]
    User(UserConfigError),
    /// The key that signs what is left out cannot be had.
    #[error("sign what is left out: {0}")]
    RedactionKey(KeyError),
    /// There is no folder of the user's own.
    #[error("find your own folders: this user has no home folder")]
    NoHome,
    /// The runtime could not be started.
    #[error("start: {0}")]
    Runtime(std::io::Error),
    /// A judge that is declared cannot be asked.
    #[error("ask the {slot} judge: {cause}")]
    Judge { slot: &'static str, cause: String },
    /// The tape of replies cannot be read.
    #[error("{0}")]
    Tape(String),
    /// The transcript could not be read.
    #[error("{source} (in `{path}`){}", cause(source))]
    Transcript { path: PathBuf, source: ReadError },
    /// A host's settings are left as they are.
    #[error(transparent)]
    Install(#[from] install::Failure),
    /// The ledger cannot be read.
    #[error("{source} (at `{}`)", path.display())]
    Ledger { path: PathBuf, source: StoreError },
    /// The ledger holds no such receipt.
    #[error("find the receipt `{id}`: {cause}")]
    NoReceipt { id: String, cause: String },
    /// What was typed names no one receipt.
    #[error("find the receipt `{id}`: {cause}")]
    BadReceiptId { id: String, cause: String },
    /// The root is no folder that can be looked into.
    #[error("look into the root `{path}`: {cause}")]
    Root { path: PathBuf, cause: String },
}

impl Failure {
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Open { source, .. } if source.kind() == std::io::ErrorKind::NotFound => NO_INPUT,
            Self::Open { .. }
            | Self::Spool(_)
            | Self::Write { .. }
            | Self::Runtime(_)
            | Self::NoHome => IO,
            Self::Standing { .. }
            | Self::Receipt { .. }
            | Self::NoRecord { .. }
            | Self::RecordedPolicy { .. }
            | Self::Tape(_) => UNREADABLE,
            Self::InPart { source, .. } | Self::Untrusted { source, .. } => source.code(),
            Self::Judge { .. } => UNAVAILABLE,
            Self::Policy { .. }
            | Self::PolicyText { .. }
            | Self::User(_)
            | Self::RedactionKey(_) => BAD_POLICY,
            Self::Install(source) => source.code(),
            Self::Ledger { source, .. } => ledger(source),
            Self::BadReceiptId { .. } | Self::Exists { .. } => USAGE,
            Self::Root { .. } | Self::NoReceipt { .. } => NO_INPUT,
            Self::Transcript { source, .. } => match source {
                ReadError::Empty | ReadError::NoTurn { .. } => NO_TURN,
                ReadError::NoSuchTurn { .. } | ReadError::NoSuchRun { .. } => USAGE,
                ReadError::Io { .. } => IO,
                // The list of read errors will grow with the formats.
                ReadError::Unknown { .. } | _ => UNREADABLE,
            },
        }
    }
}

const fn ledger(error: &StoreError) -> u8 {
    match error {
        StoreError::Missing => NO_INPUT,
        StoreError::Locked | StoreError::TimedOut => UNAVAILABLE,
        StoreError::Damaged(_)
        | StoreError::NotADatabase(_)
        | StoreError::Foreign
        | StoreError::NewerSchema { .. }
        | StoreError::OlderSchema { .. } => UNREADABLE,
        // What else a disk can do.
        _ => IO,
    }
}

fn cause(error: &ReadError) -> String {
    std::error::Error::source(error).map(|cause| format!(": {cause}")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_unwinds_ends_in_its_own_code() {
        assert_eq!(guarded(|| ExitCode::SUCCESS), ExitCode::SUCCESS);
        let failing = || -> ExitCode { panic!("on purpose") };
        assert_eq!(guarded(failing), ExitCode::from(INTERNAL));
    }
}
