//! Setting a damaged ledger aside.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quittance_ledger::store::{SetAside, Store, StoreError};

use super::ledger::{Ledger, patient, scope, settle, within};

fn aside(ledger: &Ledger, nth: u32) -> PathBuf {
    PathBuf::from(format!("{}.corrupt-{nth}", ledger.path().display()))
}

fn log(path: &Path) -> PathBuf {
    PathBuf::from(format!("{}-wal", path.display()))
}

/// Spoils the file, and gives the error that tells of it.
fn spoil(ledger: &Ledger) -> StoreError {
    // While others have it open, what is in the log would still be read.
    if let Ok(raw) = rusqlite::Connection::open(ledger.path()) {
        let _ = raw.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
    }
    fs::write(ledger.path(), "not a database").unwrap();
    let found = ledger.fails();
    assert!(matches!(found, StoreError::NotADatabase(_)), "{found:?}");
    found
}

#[test]
fn a_damaged_ledger_is_kept_beside_the_new_one() {
    let ledger = Ledger::new();
    for nth in 1..=3 {
        settle(&mut ledger.open(), &scope("t"), |_| nth.to_string()).unwrap();
        let found = spoil(&ledger);
        fs::write(log(&ledger.path()), "a log").unwrap();
        let moved = Store::set_aside(&ledger.path(), &found, patient()).unwrap();
        assert_eq!(moved, SetAside::Moved(aside(&ledger, nth)));
        assert_eq!(fs::read(aside(&ledger, nth)).unwrap(), b"not a database");
        assert_eq!(fs::read(log(&aside(&ledger, nth))).unwrap(), b"a log");
        assert_eq!(ledger.open().load(&scope("t")).unwrap().version.boundaries(), 0);
    }
}

#[test]
fn what_another_has_set_aside_is_left_alone() {
    let ledger = Ledger::new();
    drop(ledger.open());
    let [found, again] = [spoil(&ledger), spoil(&ledger)];
    Store::set_aside(&ledger.path(), &found, patient()).unwrap();
    settle(&mut ledger.open(), &scope("t"), |_| "new".to_owned()).unwrap();
    let second = Store::set_aside(&ledger.path(), &again, patient()).unwrap();
    assert_eq!(second, SetAside::NotNeeded);
    assert_eq!(ledger.open().load(&scope("t")).unwrap().version.boundaries(), 1);
}

#[test]
fn only_damage_is_set_aside() {
    let ledger = Ledger::new();
    drop(ledger.open());
    for found in [StoreError::Locked, StoreError::Full, StoreError::Foreign, StoreError::ReadOnly] {
        let answer = Store::set_aside(&ledger.path(), &found, patient()).unwrap();
        assert_eq!(answer, SetAside::NotNeeded);
    }
    assert!(!aside(&ledger, 1).exists());
}

#[test]
fn nobody_moves_a_ledger_that_is_open() {
    let ledger = Ledger::new();
    let open = ledger.open();
    let found = spoil(&ledger);
    let refused = Store::set_aside(&ledger.path(), &found, within(Duration::from_millis(20)));
    assert!(matches!(refused, Err(StoreError::Locked)), "{refused:?}");
    drop(open);
    let moved = Store::set_aside(&ledger.path(), &found, patient()).unwrap();
    assert_eq!(moved, SetAside::Moved(aside(&ledger, 1)));
}

#[test]
fn a_new_ledger_does_not_read_a_log_that_was_left_behind() {
    let ledger = Ledger::new();
    let mut store = ledger.open();
    settle(&mut store, &scope("t"), |_| "old".to_owned()).unwrap();
    let left = fs::read(log(&ledger.path())).unwrap();
    assert!(!left.is_empty());
    drop(store);
    // As if the process had died between moving the file and moving its log.
    fs::rename(ledger.path(), aside(&ledger, 1)).unwrap();
    fs::write(log(&ledger.path()), left).unwrap();
    assert_eq!(ledger.open().load(&scope("t")).unwrap().version.boundaries(), 0);
}
