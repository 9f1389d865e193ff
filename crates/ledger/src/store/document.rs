//! The state of a turn, its session and its transcript: three documents, each with a version that
//! grows by one whenever it is written.
//!
//! The turn's document is written by every boundary, so its version is the number of its
//! boundaries, and the receipts know that number too: a document that was lost, or is an older one,
//! is found out instead of being read as a turn that begins.

use quittance_evidence::canonical::Digest;
use rusqlite::{Connection, OptionalExtension, params};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::error::{Failing, StoreError};
use super::key::Scope;
use super::position::FileIdentity;
use super::state::State;
use crate::inputs::{Covered, TurnState};

/// The state of a turn, as it stands.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Loaded {
    /// The state.
    pub state: State,
    /// Its version, which a commit names.
    pub version: Version,
    /// The turn's last receipt, which the next supersedes.
    pub last_receipt: Option<Digest>,
}

/// The version of a state.
///
/// INVARIANT: only a ledger makes one, so it was the version of what was read there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    turn: i64,
    session: i64,
    file: i64,
}

impl Version {
    /// How many boundaries of the turn are committed.
    #[must_use]
    pub const fn boundaries(self) -> u64 {
        self.turn.unsigned_abs()
    }

    pub(super) const fn turn(self) -> i64 {
        self.turn
    }
}

/// Loads a state. To be called within one transaction.
pub(super) fn load(
    conn: &Connection,
    scope: &Scope,
    failing: &Failing,
) -> Result<Loaded, StoreError> {
    let turn_key = scope.turn.digest();
    let turn: Document<Turn> = read(conn, turn_key, failing)?;
    let session = read(conn, scope.turn.session_digest(), failing)?;
    let file: Document<File> = read(conn, scope.file().digest(), failing)?;
    let receipts = receipts(conn, turn_key).map_err(|error| failing.of(error))?;
    if receipts != turn.version {
        let state = turn.version;
        let detail = format!("a turn has {receipts} boundaries on record and {state} in its state");
        return Err(failing.damaged(detail));
    }
    let version = Version { turn: turn.version, session: session.version, file: file.version };
    let File { covered, file } = file.body;
    let Turn { state, last_receipt } = turn.body;
    let turn = TurnState { covered, ..state };
    Ok(Loaded { version, state: State { turn, session: session.body, file }, last_receipt })
}

/// A turn's document. What was covered is in the transcript's.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Turn {
    state: TurnState,
    last_receipt: Option<Digest>,
}

impl Turn {
    fn of(state: &TurnState, last_receipt: Digest) -> Self {
        let state = TurnState { covered: None, ..state.clone() };
        Self { state, last_receipt: Some(last_receipt) }
    }
}

/// A transcript's document.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    covered: Option<Covered>,
    file: Option<FileIdentity>,
}

impl File {
    fn of(state: &State) -> Self {
        Self { covered: state.turn.covered.clone(), file: state.file }
    }
}

/// The last boundary of a turn that a receipt tells of; 0 before the first.
fn receipts(conn: &Connection, turn_key: Digest) -> rusqlite::Result<i64> {
    let sql = "SELECT coalesce(max(turn_version), 0) FROM receipts INDEXED BY receipts_by_turn \
               WHERE turn_key = ?1";
    conn.query_row(sql, [turn_key.to_string()], |row| row.get(0))
}

/// What a boundary leaves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next<'a> {
    pub(super) state: &'a State,
    pub(super) receipt: Digest,
}

/// Writes what changed of a state, and the turn's document in any case.
pub(super) fn store(
    begun: &Connection,
    scope: &Scope,
    was: &Loaded,
    next: Next<'_>,
    failing: &Failing,
) -> Result<Version, StoreError> {
    let Next { state, receipt } = next;
    let mut version = was.version;
    let turn = Turn::of(&state.turn, receipt);
    version.turn = write(begun, scope.turn.digest(), was.version.turn, &turn, failing)?;
    if state.session != was.state.session {
        let key = scope.turn.session_digest();
        version.session = write(begun, key, was.version.session, &state.session, failing)?;
    }
    let file = File::of(state);
    if file != File::of(&was.state) {
        version.file = write(begun, scope.file().digest(), was.version.file, &file, failing)?;
    }
    Ok(version)
}

/// One document; version 0 before it is written.
#[derive(Debug, Default)]
struct Document<T> {
    version: i64,
    body: T,
}

fn read<T: Default + DeserializeOwned>(
    conn: &Connection,
    key: Digest,
    failing: &Failing,
) -> Result<Document<T>, StoreError> {
    let sql = "SELECT version, body, seal FROM documents WHERE key = ?1";
    let columns = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
    let key = key.to_string();
    let found = conn.query_row(sql, [&key], columns).optional();
    let found: Option<(i64, String, String)> = found.map_err(|error| failing.of(error))?;
    let Some((version, text, sealed)) = found else { return Ok(Document::default()) };
    let damaged = || failing.damaged("the state of a turn is not what was written");
    if version < 1 || sealed != seal(&key, version, &text) {
        return Err(damaged());
    }
    let body = serde_json::from_str(&text).map_err(|_| damaged())?;
    Ok(Document { version, body })
}

/// Writes a document; its new version.
fn write<T: Serialize>(
    begun: &Connection,
    key: Digest,
    was: i64,
    body: &T,
    failing: &Failing,
) -> Result<i64, StoreError> {
    let version = was.saturating_add(1);
    // Not canonical: that would round the largest file numbers.
    let text = serde_json::to_string(body).map_err(|e| StoreError::Failed(e.to_string()))?;
    let sql = "INSERT INTO documents (key, version, body, seal) VALUES (?1, ?2, ?3, ?4) \
               ON CONFLICT (key) DO UPDATE SET version = ?2, body = ?3, seal = ?4";
    let key = key.to_string();
    let columns = params![key, version, text, seal(&key, version, &text)];
    begun.execute(sql, columns).map_err(|error| failing.of(error))?;
    Ok(version)
}

/// Whether a row of key, version, body and seal is what was written.
pub(super) fn is_whole(row: &rusqlite::Row<'_>) -> bool {
    let columns = || Some((row.get(0).ok()?, row.get(1).ok()?, row.get(2).ok()?, row.get(3).ok()?));
    columns().is_some_and(|(key, version, text, sealed): (String, i64, String, String)| {
        sealed == seal(&key, version, &text)
    })
}

fn seal(key: &str, version: i64, text: &str) -> String {
    Digest::of(&json!([key, version, text])).to_string()
}
