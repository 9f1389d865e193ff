//! What a disk does: it is full, it is read-only, it is not there.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use quittance_ledger::store::{CommitError, Filter, Store, StoreError};

use super::child::{Job, arguments, told};
use super::ledger::{Ledger, entry, patient, receipt, refusals, refused, scope, settle, whole};

/// Runs a job on a small file system of its own, which only it sees; says so where that cannot be.
fn on_a_small_disk(job: Job) {
    let can = Command::new("unshare").args(["-m", "true"]).output();
    if !can.is_ok_and(|output| output.status.success()) {
        println!("skipped: no mount namespace can be made here");
        return;
    }
    let ledger = Ledger::new();
    let script = "mount -t tmpfs -o size=512k none \"$0\" || exit 77; exec \"$@\"";
    let (program, arguments) = arguments();
    let mut command = Command::new("unshare");
    command.args(["-m", "sh", "-c", script]).arg(ledger.folder()).arg(program).args(arguments);
    told(&mut command, job, &ledger.path());
    let status = command.status().unwrap();
    if status.code() == Some(77) {
        println!("skipped: nothing can be mounted here");
        return;
    }
    assert!(status.success());
}

#[test]
fn a_full_disk_loses_nothing_that_was_reported() {
    on_a_small_disk(Job::Fill);
}

#[test]
fn a_read_only_disk_can_be_read() {
    on_a_small_disk(Job::ReadOnly);
}

fn is_full(error: &StoreError) -> bool {
    matches!(error, StoreError::Full)
}

/// The small disk is full of other things when the ledger is opened; then of receipts.
pub(super) fn fill(path: &Path) {
    let disk = path.parent().unwrap().parent().unwrap();
    let ballast = disk.join("ballast");
    let mut file = fs::File::create(&ballast).unwrap();
    while file.write_all(&[0; 4096]).is_ok() {}
    let refused = Store::open(path, patient()).map(drop).unwrap_err();
    assert!(is_full(&refused), "{refused:?}");

    file.set_len(64 << 10).unwrap();
    let mut store = Store::open(path, patient()).unwrap();
    let mut ids = Vec::new();
    let failed = loop {
        let content = format!("{} {}", ids.len(), "x".repeat(4_000));
        match settle(&mut store, &scope("t"), |_| content.clone()) {
            Ok(id) => ids.push(id.to_string()),
            Err(error) => break error,
        }
        assert!(ids.len() < 1_000, "it never fills");
    };
    assert!(is_full(&failed), "{failed:?}");
    assert!(ids.len() > 3);
    // Still full, for a process that comes now, and all of it is there.
    assert_eq!(refusals(&store.load(&scope("t")).unwrap().state), ids.len() as u64);
    drop(store);
    let mut store = Store::open(path, patient()).unwrap();
    ids.iter().for_each(|id| drop(whole(store.reader(), id)));
    assert_eq!(store.reader().check().unwrap(), [""; 0]);
    let failed = settle(&mut store, &scope("t"), |_| "y".repeat(64 << 10)).unwrap_err();
    assert!(is_full(&failed), "{failed:?}");

    fs::remove_file(ballast).unwrap();
    drop(file);
    settle(&mut store, &scope("t"), |_| "room again".to_owned()).unwrap();
    assert_eq!(refusals(&store.load(&scope("t")).unwrap().state), ids.len() as u64 + 1);
}

/// The disk is made read-only under two ledgers: one that was left, and one that somebody died with.
pub(super) fn read_only(path: &Path) {
    let disk = path.parent().unwrap().parent().unwrap();
    let mut store = Store::open(path, patient()).unwrap();
    let id = settle(&mut store, &scope("t"), |_| "before".to_owned()).unwrap();
    let died = disk.join("died, 50% done?.db");
    for added in ["", "-wal", "-shm"] {
        let file = |path: &Path| format!("{}{added}", path.display());
        fs::copy(file(path), file(&died)).unwrap();
    }
    drop(store);
    let mounted = Command::new("mount").args(["-o", "remount,ro"]).arg(disk).status().unwrap();
    assert!(mounted.success());
    let refused = Store::open(path, patient()).map(drop).unwrap_err();
    assert!(matches!(refused, StoreError::ReadOnly), "{refused:?}");
    let fresh = Store::open(&disk.join("fresh/ledger.db"), patient()).map(drop).unwrap_err();
    assert!(matches!(fresh, StoreError::ReadOnly), "{fresh:?}");
    for path in [path, &died] {
        let reader = Store::open_read_only(path, patient()).unwrap();
        whole(&reader, &id.to_string());
        assert_eq!(reader.list(&Filter::default()).unwrap().receipts.len(), 1);
    }
}

#[test]
fn a_path_that_cannot_be_is_an_error() {
    let ledger = Ledger::new();
    fs::write(ledger.folder().join("file"), "x").unwrap();
    fs::create_dir(ledger.folder().join("folder")).unwrap();
    for name in ["file/ledger.db", "file/below/ledger.db", "folder"] {
        let opened = Store::open(&ledger.folder().join(name), patient());
        let error = opened.map(drop).unwrap_err();
        let is_named = matches!(error, StoreError::Path { .. } | StoreError::Failed(_));
        assert!(is_named, "{name}: {error:?}");
    }
    let nowhere = Store::open(Path::new("/proc/no/ledger.db"), patient()).map(drop);
    assert!(matches!(nowhere, Err(StoreError::Path { .. })), "{nowhere:?}");
}

#[test]
fn reading_makes_nothing() {
    let ledger = Ledger::new();
    let missing = Store::open_read_only(&ledger.path(), patient()).map(drop);
    assert!(matches!(missing, Err(StoreError::Missing)), "{missing:?}");
    assert_eq!(fs::read_dir(ledger.folder()).unwrap().count(), 0);
}

#[test]
fn a_commit_that_fails_half_way_leaves_nothing() {
    let ledger = Ledger::new();
    let mut store = ledger.open();
    let loaded = store.load(&scope("t")).unwrap();
    let raw = rusqlite::Connection::open(ledger.path()).unwrap();
    raw.execute_batch(
        "CREATE TRIGGER no BEFORE INSERT ON receipts BEGIN SELECT RAISE(ABORT, 'no'); END",
    )
    .unwrap();
    let next = refused(&loaded.state);
    let sealed = receipt("refused", "x");
    let failed = store.commit(&scope("t"), loaded.version, &next, &entry(&sealed));
    assert!(matches!(failed, Err(CommitError::Store(StoreError::Damaged(_)))), "{failed:?}");
    // The state went into the same transaction, and is not there either.
    assert_eq!(store.load(&scope("t")).unwrap(), loaded);
}
