//! The ledger of a hook: what earlier boundaries left, and the commit of this one.

use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use quittance_hosts::hook::{HookInput, TurnKey as HostTurn};
use quittance_ledger::store::{
    CommitError, Entry, FileIdentity, LEDGER_UNAVAILABLE, Loaded, Options, Position, Scope, State,
    Store, StoreError, TurnKey,
};
use quittance_ledger::{Receipt, TurnState};

use super::Undecided;

/// How long the ledger is waited for at a time.
const PATIENCE: Duration = Duration::from_secs(5);

/// The ledger of one boundary.
pub(super) struct Ledger {
    path: PathBuf,
    scope: Scope,
    /// The turn begins here, whatever an earlier one under the same key left.
    is_fresh: bool,
}

impl Ledger {
    pub(super) fn of(path: PathBuf, input: &HookInput) -> Self {
        let (turn, is_fresh) = match &input.turn {
            HostTurn::Id(id) => (format!("id:{id}"), false),
            HostTurn::Prompt(digest) => (format!("prompt:{digest}"), false),
            HostTurn::FollowUps(count) => ("follow_ups".to_owned(), *count == 0),
            // The session counts as one turn, so that a refusal is never free.
            _ => ("session".to_owned(), false),
        };
        let key = TurnKey {
            host: input.host.as_str().to_owned(),
            session: input.session.clone(),
            turn,
            agent: input.agent.as_ref().map(|agent| agent.id.clone().unwrap_or_default()),
        };
        let scope = Scope { turn: key, path: input.transcript.clone().unwrap_or_default() };
        Self { path, scope, is_fresh }
    }

    fn open(&self) -> Result<Store, StoreError> {
        Store::open(&self.path, Options { wait_until: Instant::now() + PATIENCE })
    }

    /// What the turn's earlier boundaries left. A ledger that is damaged is set aside, kept, and a
    /// new one is begun; this boundary is allowed all the same, since its counts are lost.
    pub(super) fn load(&self) -> Result<Loaded, Undecided> {
        let loaded = self.open().and_then(|store| store.load(&self.scope));
        let mut loaded = loaded.map_err(|error| {
            if error.damage().is_some() {
                let wait_until = Instant::now() + PATIENCE;
                // What cannot be set aside stays where it is, for a person to look at.
                let _ = Store::set_aside(&self.path, &error, Options { wait_until });
            }
            Undecided::cannot(LEDGER_UNAVAILABLE, error)
        })?;
        if self.is_fresh {
            let covered = loaded.state.turn.covered.take();
            loaded.state.turn = TurnState { covered, ..TurnState::default() };
        }
        Ok(loaded)
    }

    /// How far the transcript was read before; none where anything is amiss.
    pub(super) fn position(&self) -> Option<Position> {
        self.open().ok()?.position(&self.scope.file())
    }

    /// Keeps how far the transcript was read. Where it cannot be kept, the next boundary reads more.
    pub(super) fn keep_position(&self, position: &Position) {
        let _ = self.open().and_then(|mut store| store.save_position(&self.scope.file(), position));
    }

    /// Records a boundary that nobody could decide; it leaves everything as it is. Where it cannot be
    /// recorded, the user is told all the same.
    pub(super) fn record(&self, receipt: &Receipt) {
        let entry = Entry { receipt, recorded_at_ms: wall_clock_ms() };
        let _ = self.open().and_then(|mut store| store.record(&self.scope, &entry));
    }

    /// Commits a boundary. [`Kept::MovedOn`] hands over the state that others left meanwhile.
    pub(super) fn commit(&self, loaded: &Loaded, after: &State, receipt: &Receipt) -> Kept {
        let entry = Entry { receipt, recorded_at_ms: wall_clock_ms() };
        let committed = match self.open() {
            Ok(mut store) => store.commit(&self.scope, loaded.version, after, &entry),
            Err(error) => Err(error.into()),
        };
        match committed {
            Ok(_) => Kept::Whole,
            Err(CommitError::Conflict(now)) => Kept::MovedOn(now),
            Err(CommitError::Store(error)) => {
                Kept::Not(Undecided::cannot(LEDGER_UNAVAILABLE, error))
            }
        }
    }
}

/// What became of a commit.
pub(super) enum Kept {
    /// It is on record.
    Whole,
    /// Others committed to the turn since: the boundary is decided again on this.
    MovedOn(Box<Loaded>),
    /// It is not on record, or nobody can tell.
    Not(Undecided),
}

/// What a boundary is decided on, of what is kept. What a verifier covered was covered in one file;
/// of another that took its place it says nothing.
pub(super) fn before(state: &State, file: Option<FileIdentity>) -> TurnState {
    let covered = state.turn.covered.clone().filter(|_| state.file.is_some() && state.file == file);
    TurnState { covered, ..state.turn.clone() }
}

/// Which file a path leads to.
pub(super) fn identity(path: &str) -> Option<FileIdentity> {
    std::fs::metadata(path).ok().as_ref().map(identity_of)
}

/// Which file this is.
pub(super) fn identity_of(found: &std::fs::Metadata) -> FileIdentity {
    FileIdentity { device: found.dev(), inode: found.ino() }
}

pub(super) fn wall_clock_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
