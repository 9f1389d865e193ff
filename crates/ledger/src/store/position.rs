//! How far a transcript was read: a cache, which is believed only where everything fits.

use quittance_evidence::canonical::{Digest, DigestState};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::error::{Failing, StoreError};
use super::key::FileKey;

/// The largest payload that is kept. Beyond that, reading the file again costs no more than this.
pub const PAYLOAD_BYTES_MAX: usize = 32 << 20;

/// How many positions are kept; the one saved longest ago goes first. A session reads its own file
/// and those of its sub-agents.
const POSITIONS_MAX: i64 = 256;

/// Which file a path led to, while it existed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileIdentity {
    /// The device's number.
    pub device: u64,
    /// The file's number on it.
    pub inode: u64,
}

/// How far a transcript was read, and what the reader needs to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// Bytes that were read, up to the end of a line.
    pub bytes_read: u64,
    /// The file they were read from.
    pub file: FileIdentity,
    /// Digest of the last [`Self::TAIL_BYTES`] of them, or of all where there are fewer: a file that
    /// was written anew in place has the number and the size to fit.
    pub tail: Digest,
    /// The running digest of all of them.
    pub digest: DigestState,
    /// The reader's own.
    pub payload: Vec<u8>,
}

impl Position {
    /// How many bytes before the position its `tail` is taken over.
    pub const TAIL_BYTES: u64 = 4096;

    /// Whether reading may go on in this file of this size, provided that the tail is still the
    /// same. A shorter file was cut, and begins anew.
    #[must_use]
    pub fn is_in(&self, file: FileIdentity, size_bytes: u64) -> bool {
        self.file == file && self.bytes_read <= size_bytes
    }
}

/// A position but its payload, as it is kept.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    bytes_read: u64,
    file: FileIdentity,
    tail: Digest,
    digest: DigestState,
}

/// Reads a position; none where there is none, or anything is amiss with it.
pub(super) fn read(conn: &Connection, file: &FileKey) -> Option<Position> {
    let key = file.digest().to_string();
    let sql = "SELECT head, seal, payload FROM positions WHERE key = ?1";
    let columns = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    let found: Option<(String, String, Vec<u8>)> =
        conn.query_row(sql, [&key], columns).optional().ok()?;
    let (head, sealed, payload) = found?;
    if sealed != seal(&key, &head, &payload) {
        return None;
    }
    let Head { bytes_read, file, tail, digest } = serde_json::from_str(&head).ok()?;
    Some(Position { bytes_read, file, tail, digest, payload })
}

/// Writes a position, and drops those that were saved longest ago.
pub(super) fn write(
    begun: &Connection,
    file: &FileKey,
    position: &Position,
    failing: &Failing,
) -> Result<(), StoreError> {
    let Position { bytes_read, file: identity, tail, digest, payload } = position;
    if payload.len() > PAYLOAD_BYTES_MAX {
        return Err(StoreError::TooLarge);
    }
    let key = file.digest().to_string();
    let head =
        Head { bytes_read: *bytes_read, file: *identity, tail: *tail, digest: digest.clone() };
    let head = serde_json::to_string(&head).map_err(|e| StoreError::Failed(e.to_string()))?;
    let sealed = seal(&key, &head, payload);
    // `REPLACE` gives the row a new number, so the numbers are the order of saving.
    begun
        .execute(
            "REPLACE INTO positions (key, head, seal, payload) VALUES (?1, ?2, ?3, ?4)",
            params![key, head, sealed, payload],
        )
        .and_then(|_| {
            begun.execute(
                "DELETE FROM positions WHERE seq <= (SELECT seq FROM positions ORDER BY seq DESC \
             LIMIT 1 OFFSET ?1)",
                [POSITIONS_MAX],
            )
        })
        .map(drop)
        .map_err(|error| failing.of(error))
}

/// Whether a row of key, head, seal and payload is what was written.
pub(super) fn is_whole(row: &rusqlite::Row<'_>) -> bool {
    let columns = || Some((row.get(0).ok()?, row.get(1).ok()?, row.get(2).ok()?, row.get(3).ok()?));
    columns().is_some_and(|(key, head, sealed, payload): (String, String, String, Vec<u8>)| {
        sealed == seal(&key, &head, &payload)
    })
}

fn seal(key: &str, head: &str, payload: &[u8]) -> String {
    Digest::of(&json!([key, head, Digest::of_bytes(payload)])).to_string()
}
