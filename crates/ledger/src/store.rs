//! The ledger: receipts, and what one process must leave for the next, in one SQLite file.
//!
//! Every hook call is a new process, and two may decide on one turn at once. Deciding may take
//! minutes, so nothing is locked meanwhile, and it is best to drop the store: [`Store::load`] gives the state with its [`Version`],
//! and [`Store::commit`] writes the new state and the receipt in one transaction, if the version
//! still stands. If it does not, [`CommitError::Conflict`] hands over the state as it stands now:
//! the caller decides again on the new counters (the answers it has are on its tape) and commits
//! again, until its own deadline. Of those who conflict one always gets through, so counts are
//! exact and somebody always moves.
//!
//! **What a commit means.** It returns once the bytes are on the disk: from then on the receipt is
//! there whole, whatever is killed. Before, it is not there at all. When a commit fails with
//! another error than a conflict, it is open whether it took place; the caller must then act as
//! if it had not.
//!
//! **What counts.** Each commit is one boundary and one version of its turn; a receipt's id does not
//! count. So two boundaries that came out byte for byte the same are two, and one commit that is
//! tried twice is one: its second try meets a version that has moved.
//!
//! # When there is no ledger
//!
//! A hook that cannot count refusals must not refuse, and an approval that is not on record is none.
//! So whatever fails, on reading or on committing, the stop is allowed, `unverified`, for the cause
//! [`LEDGER_UNAVAILABLE`], and the user is told. There is no second place in which to count: what
//! breaks the ledger would break that too, and one count in two places is two counts.
//!
//! | failure | what the hook does beside that |
//! |---|---|
//! | [`StoreError::Locked`], [`StoreError::TimedOut`] | nothing: the next boundary tries again |
//! | [`StoreError::Damaged`], [`StoreError::NotADatabase`] | [`Store::set_aside`], then opens a new ledger and commits this boundary's `unverified` to it. This one is allowed all the same: the turn's counts are lost, and a disk that damages every ledger must not give a turn new refusals for ever |
//! | every other | nothing: a person has to look |
//!
//! # What this module does not do
//!
//! It decides nothing, and reads no receipt's content. It takes wall-clock times as numbers; its own
//! clock only bounds how long it waits. It does not delete receipts.

mod aside;
mod check;
mod connect;
mod document;
mod error;
mod insert;
mod key;
mod position;
mod read;
mod row;
mod schema;
mod state;

use std::path::Path;
use std::time::Instant;

use rusqlite::{Connection, Transaction, TransactionBehavior};

pub use aside::SetAside;
use connect::{Access, Guard};
use document::Next;
pub use document::{Loaded, Version};
use error::Failing;
pub use error::{CommitError, Damage, StoreError};
pub use insert::Entry;
use insert::Place;
pub use key::{FileKey, Scope, TurnKey};
pub use position::{FileIdentity, PAYLOAD_BYTES_MAX, Position};
pub use read::{DEFAULT_LIMIT, Filter, Listing, Lookup, Reader, Stored, Summary};
pub use schema::SCHEMA_VERSION;
pub use state::{Notice, SessionState, State};

/// The cause of a boundary that ends `unverified` because the ledger failed.
pub const LEDGER_UNAVAILABLE: &str = "ledger_unavailable";

/// How a ledger is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// When waiting ends: for another process that holds the ledger, and for a statement that does
    /// not come to an end. What needs no waiting is still done afterwards.
    pub wait_until: Instant,
}

/// A ledger that can be written.
#[derive(Debug)]
pub struct Store {
    reader: Reader,
    /// Held as long as the connection, so that nobody moves the file from under it.
    _guard: Guard,
}

impl Store {
    /// Opens a ledger, making it (mode 0600, missing folders 0700) or bringing its schema forward
    /// where needed.
    ///
    /// # Errors
    /// Every [`StoreError`] but [`StoreError::Missing`] and [`StoreError::OlderSchema`].
    pub fn open(path: &Path, options: Options) -> Result<Self, StoreError> {
        connect::make_folder(path)?;
        let guard = Guard::shared(path, options.wait_until)?;
        let (mut conn, failing) = connect::open(path, Access::Write, options.wait_until)?;
        connect::persist(options.wait_until, || {
            schema::bring_forward(&mut conn, schema::MIGRATIONS, &failing)
        })?;
        Ok(Self { reader: Reader::new(conn, failing), _guard: guard })
    }

    /// Opens a ledger to read it. Nothing is made and nothing is changed.
    ///
    /// # Errors
    /// [`StoreError::Missing`] where there is none; otherwise as [`Self::open`] says.
    pub fn open_read_only(path: &Path, options: Options) -> Result<Reader, StoreError> {
        let attempt = |access| {
            let (conn, failing) = connect::open(path, access, options.wait_until)?;
            connect::persist(options.wait_until, || schema::require_current(&conn, &failing))?;
            Ok(Reader::new(conn, failing))
        };
        match attempt(Access::Read) {
            // Nothing can be made beside it. Without a log, the file is all there is.
            Err(StoreError::ReadOnly | StoreError::Failed(_)) if !connect::has_log(path) => {
                attempt(Access::ReadAlone)
            }
            answer => answer,
        }
    }

    /// Moves the end of all waiting, say when the decision is made and it is to be committed.
    ///
    /// # Errors
    /// When the library refuses, which it does only for a lost connection.
    pub fn wait_until(&mut self, wait_until: Instant) -> Result<(), StoreError> {
        let failing = &self.reader.failing;
        connect::be_patient(&mut self.reader.conn, wait_until).map_err(|error| failing.of(error))
    }

    /// The ledger, to be read.
    #[must_use]
    pub const fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Loads what the boundaries of a turn left for the next.
    ///
    /// # Errors
    /// When it cannot be read, or is not what was written.
    pub fn load(&self, scope: &Scope) -> Result<Loaded, StoreError> {
        let failing = &self.reader.failing;
        // One snapshot: three documents of one moment.
        let snapshot =
            self.reader.conn.unchecked_transaction().map_err(|error| failing.of(error))?;
        document::load(&snapshot, scope, failing)
    }

    /// Commits a boundary: its receipt, and what it leaves for the next.
    ///
    /// # Errors
    /// [`CommitError::Conflict`] when somebody else committed since the state was loaded.
    pub fn commit(
        &mut self,
        scope: &Scope,
        expected: Version,
        state: &State,
        entry: &Entry<'_>,
    ) -> Result<Version, CommitError> {
        let (begun, failing) = begin(&mut self.reader)?;
        let now = document::load(&begun, scope, failing)?;
        if now.version != expected {
            return Err(CommitError::Conflict(Box::new(now)));
        }
        Ok(add(begun, scope, &now, state, entry, failing)?)
    }

    /// Records a boundary that leaves everything as it is, whatever was committed meanwhile: one
    /// that was given up, say since others kept committing until the deadline.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn record(&mut self, scope: &Scope, entry: &Entry<'_>) -> Result<Version, StoreError> {
        let (begun, failing) = begin(&mut self.reader)?;
        let now = document::load(&begun, scope, failing)?;
        add(begun, scope, &now, &now.state, entry, failing)
    }

    /// How far a transcript was read. A cache: none as soon as anything is amiss with it, and then
    /// the file is read from its start.
    #[must_use]
    pub fn position(&self, file: &FileKey) -> Option<Position> {
        position::read(&self.reader.conn, file)
    }

    /// Keeps how far a transcript was read.
    ///
    /// # Errors
    /// When it cannot be written, which costs the next process time and nothing else, or when its
    /// payload is larger than [`PAYLOAD_BYTES_MAX`].
    pub fn save_position(&mut self, file: &FileKey, position: &Position) -> Result<(), StoreError> {
        let (begun, failing) = begin(&mut self.reader)?;
        position::write(&begun, file, position, failing)?;
        finish(begun, failing)
    }

    /// Sets a damaged ledger aside, keeping it as `….corrupt-1`, `-2`…, so that a new one can be
    /// opened in its place. It needs the error that found the damage: where another process has
    /// set that same file aside already, nothing is done. Drop this process's own ledger first.
    ///
    /// # Errors
    /// [`StoreError::Locked`] while others have it open; otherwise when it cannot be moved.
    pub fn set_aside(
        path: &Path,
        found: &StoreError,
        options: Options,
    ) -> Result<SetAside, StoreError> {
        aside::set_aside(path, found, options.wait_until)
    }
}

/// Writes a boundary's state and receipt, and makes them stand.
fn add(
    begun: Transaction<'_>,
    scope: &Scope,
    now: &Loaded,
    state: &State,
    entry: &Entry<'_>,
    failing: &Failing,
) -> Result<Version, StoreError> {
    let next = Next { state, receipt: entry.receipt.id() };
    let version = document::store(&begun, scope, now, next, failing)?;
    let supersedes = now.last_receipt;
    let place = Place { turn: &scope.turn, version: version.turn(), supersedes };
    insert::insert(&begun, place, entry, failing)?;
    // In a damaged file something may be written where nobody will find it.
    let back = document::load(&begun, scope, failing)?;
    if back.version != version || back.state != *state {
        return Err(failing.damaged("what is written cannot be read back"));
    }
    finish(begun, failing)?;
    Ok(version)
}

/// Begins to write, waiting for whoever writes now.
fn begin(reader: &mut Reader) -> Result<(Transaction<'_>, &Failing), StoreError> {
    let Reader { conn, failing } = reader;
    let begun = immediate(conn).map_err(|error| failing.of(error))?;
    Ok((begun, failing))
}

fn immediate(conn: &mut Connection) -> rusqlite::Result<Transaction<'_>> {
    conn.transaction_with_behavior(TransactionBehavior::Immediate)
}

fn finish(begun: Transaction<'_>, failing: &Failing) -> Result<(), StoreError> {
    begun.commit().map_err(|error| failing.of(error))
}

#[cfg(test)]
mod tests;
