//! Setting a damaged ledger aside. It is kept: what can still be read from it is somebody's record.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::connect::{self, Guard};
use super::error::StoreError;

/// How many damaged ledgers may lie beside one. A disk that damages more needs a person.
const ASIDE_MAX: u32 = 100;

/// What became of a damaged ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum SetAside {
    /// It lies there now, with its log.
    Moved(PathBuf),
    /// Nothing was moved: the error tells of no damage, or another process moved the file before.
    NotNeeded,
}

pub(super) fn set_aside(
    path: &Path,
    found: &StoreError,
    wait_until: Instant,
) -> Result<SetAside, StoreError> {
    let Some(damaged) = found.damage().and_then(|damage| damage.file) else {
        return Ok(SetAside::NotNeeded);
    };
    // Looked at twice: those who come late need not wait until nobody has the new one open.
    let is_there = || Ok(connect::identity(path)? == Some(damaged));
    if !is_there()? {
        return Ok(SetAside::NotNeeded);
    }
    let _alone = Guard::exclusive(path, wait_until)?;
    if !is_there()? {
        return Ok(SetAside::NotNeeded);
    }
    let aside = free_place(path)?;
    // The file first: beside an empty one, a log that was left behind is not read.
    for added in ["", "-wal", "-shm"] {
        shift(&connect::beside(path, added), &connect::beside(&aside, added))?;
    }
    Ok(SetAside::Moved(aside))
}

fn free_place(path: &Path) -> Result<PathBuf, StoreError> {
    let mut places = (1..=ASIDE_MAX).map(|nth| connect::beside(path, &format!(".corrupt-{nth}")));
    let free = places.find(|place| fs::symlink_metadata(place).is_err());
    let full = || io::Error::new(io::ErrorKind::AlreadyExists, "too many were set aside before");
    free.ok_or_else(|| StoreError::path(path, full()))
}

fn shift(from: &Path, to: &Path) -> Result<(), StoreError> {
    match fs::rename(from, to) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(StoreError::path(from, cause)),
        _ => Ok(()),
    }
}
