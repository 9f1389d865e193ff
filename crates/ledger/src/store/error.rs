//! What can go wrong with a ledger, and how the library's codes fall into it.
//!
//! A code that is not known here is [`StoreError::Failed`], which a hook treats like every other:
//! no ledger.

use std::io;
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use rusqlite::ffi;

use super::document::Loaded;
use super::position::FileIdentity;

/// Why a ledger cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Other processes held it until the deadline.
    #[error("use the ledger: other processes held it for too long")]
    Locked,
    /// A statement did not come to an end before the deadline.
    #[error("use the ledger: a statement took too long")]
    TimedOut,
    /// It, its folder or its file system may not be written.
    #[error("write the ledger: it is read-only")]
    ReadOnly,
    /// The disk is full.
    #[error("write the ledger: the disk is full")]
    Full,
    /// Its content is not what was written, or breaks its own rules.
    #[error("read the ledger: it is damaged: {0}")]
    Damaged(Damage),
    /// The file is of another kind.
    #[error("read the ledger: the file is not a database")]
    NotADatabase(Damage),
    /// The file is a database, and not a ledger. It is never set aside: it is somebody's.
    #[error("read the ledger: the file is a database of another program")]
    Foreign,
    /// It was written by a newer program. Nothing was written.
    #[error("read the ledger: its schema is version {found}, this program knows {known}")]
    NewerSchema {
        /// The file's version.
        found: i64,
        /// The last one known here.
        known: i64,
    },
    /// It waits to be brought forward, which reading does not do.
    #[error(
        "read the ledger: its schema is version {found}, and only a writer brings it to {known}"
    )]
    OlderSchema {
        /// The file's version.
        found: i64,
        /// The last one known here.
        known: i64,
    },
    /// There is none.
    #[error("read the ledger: there is none")]
    Missing,
    /// A path of its own cannot be made, opened or moved.
    #[error("use the ledger: `{}`: {cause}", path.display())]
    Path {
        /// Which.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// The file system cannot hold a ledger that several processes use.
    #[error("use the ledger: the file system has no shared memory for it")]
    FileSystem,
    /// The disk failed.
    #[error("use the ledger: the disk failed: {0}")]
    Disk(String),
    /// What is to be kept is too large.
    #[error("write the ledger: what is to be kept is too large")]
    TooLarge,
    /// Anything else.
    #[error("use the ledger: {0}")]
    Failed(String),
}

/// What was found damaged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct Damage {
    /// What, for people.
    detail: String,
    /// Which file, so that no other is set aside in its place.
    pub(super) file: Option<FileIdentity>,
}

impl StoreError {
    /// The damage, where a new ledger would mend it.
    #[must_use]
    pub const fn damage(&self) -> Option<&Damage> {
        match self {
            Self::Damaged(damage) | Self::NotADatabase(damage) => Some(damage),
            _ => None,
        }
    }

    pub(super) fn path(path: &Path, cause: io::Error) -> Self {
        match cause.kind() {
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full,
            _ => Self::Path { path: path.to_owned(), cause },
        }
    }
}

/// Why a boundary was not committed.
#[derive(Debug, thiserror::Error)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum CommitError {
    /// Somebody else committed since; this is the state now. Decide again.
    #[error("commit: the turn has moved on")]
    Conflict(Box<Loaded>),
    /// The ledger failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Turns the library's errors into ours, knowing which file they are about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failing {
    file: Option<FileIdentity>,
}

impl Failing {
    pub(super) const fn on(file: Option<FileIdentity>) -> Self {
        Self { file }
    }

    /// Damage that we found ourselves.
    pub(super) fn damaged(&self, detail: impl Into<String>) -> StoreError {
        StoreError::Damaged(self.damage(detail))
    }

    fn damage(&self, detail: impl Into<String>) -> Damage {
        Damage { detail: detail.into(), file: self.file }
    }

    /// An error of the library.
    #[expect(clippy::needless_pass_by_value, reason = "handed to `map_err`, which passes by value")]
    pub(super) fn of(&self, error: rusqlite::Error) -> StoreError {
        match error.sqlite_error() {
            Some(code) => self.of_code(*code, &error.to_string()),
            // Our statements are fixed and our values fit: a row of another shape is in the file.
            None => self.damaged(error.to_string()),
        }
    }

    fn of_code(&self, code: ffi::Error, detail: &str) -> StoreError {
        // The file of shared memory could not be made as large as it has to be.
        if code.extended_code == ffi::SQLITE_IOERR_SHMSIZE {
            return StoreError::Full;
        }
        match code.code {
            ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::FileLockingProtocolFailed => StoreError::Locked,
            ErrorCode::OperationInterrupted => StoreError::TimedOut,
            ErrorCode::ReadOnly => StoreError::ReadOnly,
            ErrorCode::DiskFull => StoreError::Full,
            ErrorCode::NotADatabase => StoreError::NotADatabase(self.damage(detail)),
            // `Unknown` is an error in a statement: a table or an index is not there. A constraint
            // only breaks where an index contradicts its table.
            ErrorCode::DatabaseCorrupt
            | ErrorCode::ConstraintViolation
            | ErrorCode::TypeMismatch
            | ErrorCode::Unknown => self.damaged(detail),
            ErrorCode::TooBig => StoreError::TooLarge,
            ErrorCode::SystemIoFailure => StoreError::Disk(detail.to_owned()),
            _ => StoreError::Failed(detail.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failing(code: i32) -> StoreError {
        let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
        Failing::on(None).of(error)
    }

    #[test]
    fn every_error_reads_well_after_cannot() {
        let damage = || Damage { detail: "the state of a turn".to_owned(), file: None };
        let denied = io::Error::from(io::ErrorKind::PermissionDenied);
        let errors = [
            StoreError::Locked,
            StoreError::TimedOut,
            StoreError::ReadOnly,
            StoreError::Full,
            StoreError::Damaged(damage()),
            StoreError::NotADatabase(damage()),
            StoreError::Foreign,
            StoreError::NewerSchema { found: 3, known: 1 },
            StoreError::OlderSchema { found: 1, known: 2 },
            StoreError::Missing,
            StoreError::path(Path::new("/x/ledger.db"), denied),
            StoreError::FileSystem,
            StoreError::Disk("disk I/O error".to_owned()),
            StoreError::TooLarge,
            StoreError::Failed("out of memory".to_owned()),
        ];
        let lines: Vec<_> = errors.iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(lines.join("\n"), @r"
        use the ledger: other processes held it for too long
        use the ledger: a statement took too long
        write the ledger: it is read-only
        write the ledger: the disk is full
        read the ledger: it is damaged: the state of a turn
        read the ledger: the file is not a database
        read the ledger: the file is a database of another program
        read the ledger: its schema is version 3, this program knows 1
        read the ledger: its schema is version 1, and only a writer brings it to 2
        read the ledger: there is none
        use the ledger: `/x/ledger.db`: permission denied
        use the ledger: the file system has no shared memory for it
        use the ledger: the disk failed: disk I/O error
        write the ledger: what is to be kept is too large
        use the ledger: out of memory
        ");
    }

    /// The codes a busy, full, locked or broken disk gives, each with what becomes of it.
    #[test]
    fn every_code_of_the_library_falls_somewhere() {
        let codes = [
            ffi::SQLITE_BUSY,
            ffi::SQLITE_BUSY_SNAPSHOT,
            ffi::SQLITE_LOCKED,
            ffi::SQLITE_PROTOCOL,
            ffi::SQLITE_INTERRUPT,
            ffi::SQLITE_READONLY,
            ffi::SQLITE_READONLY_DIRECTORY,
            ffi::SQLITE_FULL,
            ffi::SQLITE_IOERR_SHMSIZE,
            ffi::SQLITE_IOERR_FSYNC,
            ffi::SQLITE_CORRUPT,
            ffi::SQLITE_CONSTRAINT_UNIQUE,
            ffi::SQLITE_ERROR,
            ffi::SQLITE_NOTADB,
            ffi::SQLITE_TOOBIG,
            ffi::SQLITE_CANTOPEN,
            ffi::SQLITE_NOMEM,
        ];
        let name =
            |code| format!("{:?}", failing(code)).split(['(', ' ']).next().map(str::to_owned);
        let names: Vec<_> = codes.into_iter().filter_map(name).collect();
        insta::assert_snapshot!(names.join(" "), @"Locked Locked Locked Locked TimedOut ReadOnly ReadOnly Full Full Disk Damaged Damaged Damaged NotADatabase TooLarge Failed Failed");
    }
}
