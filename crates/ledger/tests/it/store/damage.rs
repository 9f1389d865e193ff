//! Damaged files: never a panic, never a hang, and what is read is what was written.
//!
//! The seals show a value that changed, and two trees that know a turn's last boundary show one
//! that is hidden. What no ledger can show is a log that lost its end: then the state is an older
//! one, with the receipts of that time.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use quittance_ledger::store::{
    Filter, Loaded, Lookup, Options, Position, Store, StoreError, Stored, Summary,
};

use super::ledger::{Ledger, entry, receipt, refused, scope, settle, whole, within};
use super::positions::{file, position};

const TURNS: [&str; 3] = ["a", "b", "c"];
const BOUNDARIES: usize = 3;

/// A ledger, and everything that was ever in it.
struct Truth {
    database: Vec<u8>,
    log: Vec<u8>,
    /// For each turn, its state after each of its boundaries, from none.
    turns: Vec<Vec<Loaded>>,
    receipts: Vec<Stored>,
    position: Position,
}

impl Truth {
    /// With the log carried over into the file, or all of it in the log.
    fn new(is_carried_over: bool) -> Self {
        let ledger = Ledger::new();
        let mut store = ledger.open();
        let load = |store: &Store, turn| store.load(&scope(turn)).unwrap();
        let mut turns = vec![Vec::new(); TURNS.len()];
        let mut ids = Vec::new();
        for round in 0..=BOUNDARIES {
            for (turn, states) in TURNS.iter().zip(&mut turns) {
                states.push(load(&store, turn));
                if round < BOUNDARIES {
                    let content = |_: &_| format!("{turn} {round} {}", "x".repeat(round * 3_000));
                    ids.push(settle(&mut store, &scope(turn), content).unwrap());
                }
            }
        }
        store.save_position(&file("p"), &position("text")).unwrap();
        let receipts = ids.iter().map(|id| whole(store.reader(), &id.to_string())).collect();
        // Whoever closes it last carries the log over.
        let open = if is_carried_over { None } else { Some(ledger.open()) };
        drop(store);
        let database = fs::read(ledger.path()).unwrap();
        let log = fs::read(log_of(&ledger.path())).unwrap_or_default();
        assert_eq!((log.is_empty(), open.is_none()), (is_carried_over, is_carried_over));
        Self { database, log, turns, receipts, position: position("text") }
    }

    /// Lays damaged copies down and holds what can be read of them against the truth.
    fn check(&self, database: &[u8], log: &[u8], may: Hidden) -> Result<(), TestCaseError> {
        let ledger = Ledger::new();
        fs::create_dir(ledger.path().parent().unwrap()).unwrap();
        fs::write(ledger.path(), database).unwrap();
        fs::write(log_of(&ledger.path()), log).unwrap();
        let store = match Store::open(&ledger.path(), in_time()) {
            Ok(store) => store,
            Err(error) => return is_answer(&error),
        };
        self.check_states(&store, may)?;
        self.check_receipts(&store)?;
        let found = store.position(&file("p"));
        prop_assert!(found.is_none_or(|found| found == self.position));
        let _ = store.reader().check().map_err(|error| is_answer(&error)).map(drop);
        check_commit(store)
    }

    fn check_states(&self, store: &Store, may: Hidden) -> Result<(), TestCaseError> {
        for (turn, states) in TURNS.iter().zip(&self.turns) {
            let found = match store.load(&scope(turn)) {
                Ok(found) => found,
                Err(error) => {
                    is_answer(&error)?;
                    continue;
                }
            };
            let known = match may {
                Hidden::Nothing => &states[BOUNDARIES..],
                Hidden::TheLast => &states[..],
            };
            prop_assert!(known.contains(&found), "{}: {:?}", turn, found);
        }
        Ok(())
    }

    fn check_receipts(&self, store: &Store) -> Result<(), TestCaseError> {
        let known = |summary: &Summary| self.receipts.iter().any(|r| r.summary == *summary);
        match store.reader().list(&Filter::default()) {
            Ok(listing) => prop_assert!(listing.receipts.iter().all(known)),
            Err(error) => is_answer(&error)?,
        }
        for stored in &self.receipts {
            match store.reader().find(&stored.summary.id.to_string()) {
                Ok(Lookup::Found(found)) => {
                    prop_assert_eq!((&found.text, &found.summary), (&stored.text, &stored.summary));
                }
                Ok(other) => prop_assert_eq!(other, Lookup::None),
                Err(error) => is_answer(&error)?,
            }
        }
        Ok(())
    }
}

/// What damage may hide without anybody noticing.
#[derive(Clone, Copy, Debug)]
enum Hidden {
    Nothing,
    TheLast,
}

fn in_time() -> Options {
    within(Duration::from_secs(30))
}

fn log_of(path: &Path) -> PathBuf {
    PathBuf::from(format!("{}-wal", path.display()))
}

/// Damage is an answer; that it took too long, or that others held it, is none here.
fn is_answer(error: &StoreError) -> Result<(), TestCaseError> {
    let is_slow = matches!(error, StoreError::Locked | StoreError::TimedOut);
    prop_assert!(!is_slow, "{error:?}");
    Ok(())
}

/// A commit to a damaged ledger fails, or is there.
fn check_commit(mut store: Store) -> Result<(), TestCaseError> {
    let Ok(loaded) = store.load(&scope("a")) else { return Ok(()) };
    let next = refused(&loaded.state);
    let sealed = receipt("refused", "after");
    if let Ok(version) = store.commit(&scope("a"), loaded.version, &next, &entry(&sealed)) {
        let now = store.load(&scope("a"));
        prop_assert!(now.is_ok_and(|now| now.version == version && now.state == next));
    }
    Ok(())
}

/// Where bytes are changed, and into what.
fn flips(most: usize) -> impl Strategy<Value = Vec<(prop::sample::Index, u8)>> {
    prop::collection::vec((any::<prop::sample::Index>(), 1..=u8::MAX), 1..=most)
}

fn flipped(bytes: &[u8], flips: &[(prop::sample::Index, u8)]) -> Vec<u8> {
    let mut damaged = bytes.to_vec();
    for (at, change) in flips {
        damaged[at.index(bytes.len())] ^= change;
    }
    damaged
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

#[test]
fn one_changed_byte_is_noticed_or_changes_nothing() {
    let truth = Truth::new(true);
    proptest!(config(400), |(flips in flips(1))| {
        truth.check(&flipped(&truth.database, &flips), b"", Hidden::Nothing)?;
    });
}

/// Most of a file is free space or text; its structure is in the first bytes of each page.
#[test]
fn changed_bytes_in_the_heads_of_pages_are_noticed_or_change_nothing() {
    let truth = Truth::new(true);
    let pages = truth.database.len() / 4096;
    proptest!(config(400), |(page in 0..pages, at in 0..120_usize, change in 1..=u8::MAX)| {
        let mut damaged = truth.database.clone();
        damaged[page * 4096 + at] ^= change;
        truth.check(&damaged, b"", Hidden::Nothing)?;
    });
}

#[test]
fn many_changed_bytes_give_no_wrong_answer() {
    let truth = Truth::new(true);
    proptest!(config(200), |(flips in flips(64))| {
        truth.check(&flipped(&truth.database, &flips), b"", Hidden::TheLast)?;
    });
}

#[test]
fn a_file_that_was_cut_gives_no_wrong_answer() {
    let truth = Truth::new(true);
    proptest!(config(100), |(at in any::<prop::sample::Index>())| {
        let cut = &truth.database[..at.index(truth.database.len())];
        truth.check(cut, b"", Hidden::TheLast)?;
    });
}

#[test]
fn a_damaged_log_gives_a_state_that_was() {
    let truth = Truth::new(false);
    proptest!(config(200), |(flips in flips(3), cut in any::<prop::sample::Index>(), is_cut: bool)| {
        let mut log = flipped(&truth.log, &flips);
        if is_cut {
            log = truth.log[..cut.index(truth.log.len())].to_vec();
        }
        truth.check(&truth.database, &log, Hidden::TheLast)?;
    });
}

#[test]
fn any_bytes_are_a_file_that_is_no_ledger() {
    let truth = Truth::new(true);
    proptest!(config(100), |(bytes in prop::collection::vec(any::<u8>(), 1..5_000))| {
        truth.check(&bytes, b"", Hidden::TheLast)?;
    });
}

#[test]
fn a_row_that_was_changed_is_counted_and_not_listed() {
    let ledger = Ledger::new();
    let mut store = ledger.open();
    let ids: Vec<_> = ["a", "b", "c"]
        .map(|turn| settle(&mut store, &scope(turn), |_| turn.to_owned()).unwrap().to_string())
        .to_vec();
    drop(store);
    let raw = rusqlite::Connection::open(ledger.path()).unwrap();
    raw.execute("UPDATE receipts SET outcome = 'verified' WHERE id = ?1", [&ids[0]]).unwrap();
    raw.execute("UPDATE receipts SET text = '{}' WHERE id = ?1", [&ids[1]]).unwrap();
    let store = ledger.open();
    let listing = store.reader().list(&Filter::default()).unwrap();
    assert_eq!((listing.receipts.len(), listing.damaged), (2, 1));
    for id in &ids[..2] {
        assert!(matches!(store.reader().find(id), Err(StoreError::Damaged(_))));
    }
    whole(store.reader(), &ids[2]);
    assert_eq!(store.reader().check().unwrap().len(), 2);
}

#[test]
fn a_state_that_was_lost_or_is_an_older_one_is_no_turn_that_begins() {
    for damage in [
        "DELETE FROM documents",
        "UPDATE documents SET version = version - 1",
        "UPDATE documents SET body = replace(body, '\"total\":2', '\"total\":1')",
        "DELETE FROM receipts WHERE turn_version = 2",
    ] {
        let ledger = Ledger::new();
        let mut store = ledger.open();
        for round in ["first", "second"] {
            settle(&mut store, &scope("t"), |_| round.to_owned()).unwrap();
        }
        let raw = rusqlite::Connection::open(ledger.path()).unwrap();
        assert!(raw.execute(damage, []).unwrap() > 0);
        let loaded = store.load(&scope("t"));
        assert!(matches!(loaded, Err(StoreError::Damaged(_))), "{damage}: {loaded:?}");
    }
}
