//! A ledger of 100,000 receipts: listing, finding, and a boundary's whole part in it (open, load,
//! commit), as each hook call does it.
//!
//! It is filled in a folder of the system's temporary ones; point `TMPDIR` at a memory file system
//! to see the work without the disk's own time, and at a disk to see what a hook waits for.
#![expect(clippy::disallowed_methods, reason = "a store waits until a moment")]
#![expect(clippy::unwrap_used, reason = "a bench that cannot go on ends")]

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use divan::{Bencher, black_box};
use quittance_judge::outcome::Outcome;
use quittance_ledger::store::{
    DEFAULT_LIMIT, Entry, Filter, Lookup, Options, Reader, Scope, Store, TurnKey,
};
use quittance_ledger::{Body, Inputs, OutcomeRecord, Receipt, Template, TurnState};
use serde_json::{Value, json};
use tempfile::TempDir;

const RECEIPTS: u32 = 100_000;

/// As large as the receipt of a short turn.
const TEXT_BYTES: usize = 2_000;

fn main() {
    divan::main();
    // A static is never dropped.
    if let Some(filled) = LazyLock::get(&FILLED) {
        std::fs::remove_dir_all(filled.folder.path()).unwrap();
    }
}

struct Filled {
    folder: TempDir,
    id: String,
}

static FILLED: LazyLock<Filled> = LazyLock::new(fill);

fn options() -> Options {
    Options { wait_until: Instant::now() + Duration::from_secs(60) }
}

fn key(number: u32) -> TurnKey {
    let host = if number.is_multiple_of(1_000) { "cursor" } else { "claude-code" };
    TurnKey {
        host: host.to_owned(),
        session: format!("session-{}", number / 100),
        turn: format!("turn-{}", number / 4),
        agent: None,
    }
}

fn receipt(number: u32) -> Receipt {
    let status = Outcome::ALL.get(number as usize % 8).unwrap().as_str().to_owned();
    let content = "x".repeat(TEXT_BYTES);
    Receipt::seal(Body {
        run: json!({ "number": number, "content": content }),
        obligations: Value::Null,
        obligations_digest: String::new(),
        artifacts: None,
        directive: Value::Null,
        standing: Value::Null,
        outcome: OutcomeRecord { status, ..OutcomeRecord::default() },
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

fn fill() -> Filled {
    let folder = TempDir::new().unwrap();
    let mut store = Store::open(&folder.path().join("ledger.db"), options()).unwrap();
    let mut id = String::new();
    for number in 0..RECEIPTS {
        let sealed = receipt(number);
        id = sealed.id().to_string();
        let recorded_at_ms = i64::from(number) * 1_000;
        let scope = Scope { turn: key(number), path: String::new() };
        store.record(&scope, &Entry { receipt: &sealed, recorded_at_ms }).unwrap();
    }
    Filled { folder, id }
}

impl Filled {
    fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("ledger.db")
    }

    fn reader(&self) -> Reader {
        Store::open_read_only(&self.path(), options()).unwrap()
    }
}

const FILTERS: [&str; 6] =
    ["newest", "session", "outcome", "host", "host and outcome", "host and outcome, none fits"];

/// A filter, with how many receipts it lists.
fn filter(name: &str) -> (Filter, usize) {
    let all = Filter::default();
    let session = name.contains("session").then(|| "session-500".to_owned());
    let host = name.contains("host").then(|| "cursor".to_owned());
    // Every thousandth receipt is of that host, and each of those has the first outcome.
    let fitting = if name.ends_with("none fits") { Outcome::Verified } else { Outcome::Waiting };
    let outcome = name.contains("outcome").then_some(fitting);
    let listed = if name.ends_with("none fits") { 0 } else { DEFAULT_LIMIT as usize };
    (Filter { host, session, outcome, ..all }, listed)
}

#[divan::bench(args = FILTERS)]
fn list(bencher: Bencher<'_, '_>, name: &str) {
    let (filter, listed) = filter(name);
    let reader = FILLED.reader();
    assert_eq!(reader.list(&filter).unwrap().receipts.len(), listed, "{name}");
    bencher.bench_local(|| reader.list(black_box(&filter)).unwrap());
}

#[divan::bench]
fn find_by_id(bencher: Bencher<'_, '_>) {
    let reader = FILLED.reader();
    bencher.bench_local(|| {
        let found = reader.find(black_box(&FILLED.id)).unwrap();
        assert!(matches!(found, Lookup::Found(_)));
    });
}

/// What `receipts list` does, beside starting.
#[divan::bench]
fn open_and_list(bencher: Bencher<'_, '_>) {
    LazyLock::force(&FILLED);
    bencher.bench_local(|| FILLED.reader().list(&Filter::default()).unwrap());
}

/// What a hook does that decides nothing: the boundary goes on record.
#[divan::bench]
fn open_load_commit(bencher: Bencher<'_, '_>) {
    LazyLock::force(&FILLED);
    let mut number = RECEIPTS;
    bencher.bench_local(|| {
        number += 1;
        let sealed = receipt(number);
        let scope = Scope { turn: key(number), path: String::new() };
        let mut store = Store::open(&FILLED.path(), options()).unwrap();
        let loaded = store.load(&scope).unwrap();
        let recorded_at_ms = i64::from(number) * 1_000;
        let entry = Entry { receipt: &sealed, recorded_at_ms };
        store.commit(&scope, loaded.version, &loaded.state, &entry).unwrap()
    });
}
