//! A ledger that another process holds: an error at the deadline, and never a hang.

use std::io::BufReader;
use std::process::{Child, ChildStdout};
use std::time::{Duration, Instant};

use quittance_ledger::store::{CommitError, Options, Store, StoreError};

use super::child::{Job, start, wait_for};
use super::ledger::{Ledger, entry, patient, receipt, refusals, refused, scope, settle, within};

/// Long enough for a slow machine to answer after its deadline, and short of a hang.
const AT_ONCE: Duration = Duration::from_secs(20);

struct Holder {
    child: Child,
    /// Held, or the child cannot write to its end.
    _output: BufReader<ChildStdout>,
}

impl Holder {
    fn of(ledger: &Ledger) -> Self {
        let mut child = start(Job::Hold, &ledger.path());
        let mut output = BufReader::new(child.stdout.take().unwrap());
        wait_for(&mut output, "held");
        Self { child, _output: output }
    }

    fn let_go(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn shortly() -> Options {
    within(Duration::from_millis(50))
}

#[test]
fn a_commit_gives_up_at_the_deadline_and_reading_goes_on() {
    let ledger = Ledger::new();
    settle(&mut ledger.open(), &scope("t"), |_| "before".to_owned()).unwrap();
    for release in [Holder::let_go, Holder::kill] {
        let holder = Holder::of(&ledger);
        let begun = Instant::now();
        let mut store = Store::open(&ledger.path(), shortly()).unwrap();
        let loaded = store.load(&scope("t")).unwrap();
        let next = refused(&loaded.state);
        let sealed = receipt("refused", "late");
        let given_up = store.commit(&scope("t"), loaded.version, &next, &entry(&sealed));
        let is_locked = matches!(given_up, Err(CommitError::Store(StoreError::Locked)));
        assert!(is_locked, "{given_up:?}");
        assert!(begun.elapsed() < AT_ONCE);
        release(holder);
        store.wait_until(patient().wait_until).unwrap();
        store.commit(&scope("t"), loaded.version, &next, &entry(&sealed)).unwrap();
    }
    assert_eq!(refusals(&ledger.open().load(&scope("t")).unwrap().state), 3);
}

#[test]
fn a_ledger_that_is_held_while_it_is_made_gives_up_too() {
    let ledger = Ledger::new();
    std::fs::create_dir(ledger.path().parent().unwrap()).unwrap();
    let holder = Holder::of(&ledger);
    let begun = Instant::now();
    let refused = Store::open(&ledger.path(), shortly());
    assert!(matches!(refused, Err(StoreError::Locked)), "{refused:?}");
    assert!(begun.elapsed() < AT_ONCE);
    holder.let_go();
    ledger.open();
}

#[test]
fn a_statement_that_goes_on_ends_at_the_deadline() {
    let ledger = Ledger::new();
    drop(ledger.open());
    let raw = rusqlite::Connection::open(ledger.path()).unwrap();
    // Only a forged file has a view in the place of a table; it stands for one that leads in circles.
    raw.execute_batch(
        "DROP TABLE documents; CREATE VIEW documents AS \
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
         SELECT 'k' || i AS key, 1 AS version, 'b' AS body, 's' AS seal FROM n WHERE i < 0",
    )
    .unwrap();
    let begun = Instant::now();
    let store = Store::open(&ledger.path(), shortly()).unwrap();
    let endless = store.load(&scope("t"));
    assert!(matches!(endless, Err(StoreError::TimedOut)), "{endless:?}");
    assert!(begun.elapsed() < AT_ONCE);
}
