//! A ledger to test on, receipts to fill it with, and the hook's part of the protocol.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use quittance_evidence::canonical::Digest;
use quittance_judge::gate::{GateReason, VetoCharge};
use quittance_ledger::store::{
    CommitError, Entry, Loaded, Lookup, Options, Reader, Scope, State, Store, StoreError, Stored,
    TurnKey,
};
use quittance_ledger::{Body, Inputs, OutcomeRecord, Receipt, Template, TurnState};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A ledger in a folder of its own, which goes with it.
pub(crate) struct Ledger {
    folder: TempDir,
}

impl Ledger {
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder().join("own/ledger.db")
    }

    pub(crate) fn open(&self) -> Store {
        Store::open(&self.path(), patient()).unwrap()
    }

    pub(crate) fn read(&self) -> Reader {
        Store::open_read_only(&self.path(), patient()).unwrap()
    }

    /// Opens it, which must fail.
    pub(crate) fn fails(&self) -> StoreError {
        match Store::open(&self.path(), patient()) {
            Ok(_) => panic!("it opens"),
            Err(error) => error,
        }
    }
}

/// Waits as long as it takes on a busy machine.
pub(crate) fn patient() -> Options {
    within(Duration::from_secs(120))
}

pub(crate) fn within(wait: Duration) -> Options {
    Options { wait_until: Instant::now() + wait }
}

pub(crate) fn turn(session: &str, turn: &str) -> TurnKey {
    let [host, session, turn] = ["claude-code", session, turn].map(str::to_owned);
    TurnKey { host, session, turn, agent: None }
}

pub(crate) fn scope(name: &str) -> Scope {
    Scope { turn: turn("session", name), path: "/transcript.jsonl".to_owned() }
}

/// A receipt of this outcome about this content.
pub(crate) fn receipt(status: &str, content: &str) -> Receipt {
    let cause = "judge_veto".to_owned();
    let outcome = OutcomeRecord { status: status.to_owned(), cause, ..OutcomeRecord::default() };
    Receipt::seal(Body {
        run: json!({ "content": content }),
        obligations: Value::Null,
        obligations_digest: String::new(),
        artifacts: None,
        directive: Value::Null,
        standing: Value::Null,
        outcome,
        policy: Value::Null,
        inputs: Inputs {
            writes: None,
            gate: None,
            turn: TurnState::default(),
            candidate: None,
            waiting: Vec::new(),
            deadline_ms: None,
            undecided: None,
            template: Template { version: 1, digest: String::new() },
        },
        tape: Vec::new(),
    })
}

pub(crate) fn entry(receipt: &Receipt) -> Entry<'_> {
    Entry { receipt, recorded_at_ms: 1_000 }
}

/// What one more refusal leaves.
pub(crate) fn refused(state: &State) -> State {
    let mut next = state.clone();
    next.turn.invocations.verification += 1;
    next.turn.vetoes.charge(&VetoCharge { reasons: vec![GateReason::NoSourceWrite] });
    next
}

/// How often a state was refused, by both counts.
pub(crate) fn refusals(state: &State) -> u64 {
    assert_eq!(state.turn.vetoes.total, state.turn.invocations.verification);
    state.turn.vetoes.total
}

/// A hook's part: decides on what is there, commits, and decides again on a conflict.
pub(crate) fn settle(
    store: &mut Store,
    scope: &Scope,
    content: impl Fn(&Loaded) -> String,
) -> Result<Digest, StoreError> {
    let mut loaded = store.load(scope)?;
    loop {
        let receipt = receipt("refused", &content(&loaded));
        let next = refused(&loaded.state);
        match store.commit(scope, loaded.version, &next, &entry(&receipt)) {
            Ok(_) => return Ok(receipt.id()),
            Err(CommitError::Conflict(now)) => loaded = *now,
            Err(CommitError::Store(error)) => return Err(error),
        }
    }
}

/// The receipt of this id, which must be there and be its id's.
pub(crate) fn whole(reader: &Reader, id: &str) -> Stored {
    let Lookup::Found(stored) = reader.find(id).unwrap() else { panic!("{id} is lost") };
    let receipt = Receipt::parse(&stored.text).unwrap();
    assert_eq!(receipt.id().to_string(), id);
    assert_eq!(receipt.supersedes(), stored.summary.supersedes);
    *stored
}
