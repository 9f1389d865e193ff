//! A disk that is full, played by the library itself: the tests from outside need a disk to fill.

use std::time::{Duration, Instant};

use quittance_evidence::canonical::{Digest, Digester};

use super::{FileIdentity, FileKey, Options, Position, Store, StoreError};

fn file(path: &str) -> FileKey {
    let [host, session, path] = ["host", "session", path].map(str::to_owned);
    FileKey { host, session, path }
}

fn position(payload_bytes: usize) -> Position {
    Position {
        bytes_read: 0,
        file: FileIdentity { device: 1, inode: 1 },
        tail: Digest::of_bytes(b""),
        digest: Digester::new().save(),
        payload: vec![7; payload_bytes],
    }
}

#[test]
fn what_does_not_fit_is_refused_and_what_did_stays() {
    let folder = tempfile::tempdir().unwrap();
    let wait_until = Instant::now() + Duration::from_secs(30);
    let path = folder.path().join("ledger.db");
    let mut store = Store::open(&path, Options { wait_until }).unwrap();
    store.save_position(&file("kept"), &position(10_000)).unwrap();
    // As many pages as there are, and two more.
    let conn = &store.reader.conn;
    let pages: i64 = conn.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
    conn.pragma_update_and_check(None, "max_page_count", pages + 2, |_| Ok(())).unwrap();
    for bytes in [100_000, 20_000] {
        let full = store.save_position(&file("more"), &position(bytes));
        assert!(matches!(full, Err(StoreError::Full)), "{full:?}");
        assert_eq!(store.position(&file("kept")), Some(position(10_000)));
        assert_eq!(store.position(&file("more")), None);
    }
    store.save_position(&file("more"), &position(2_000)).unwrap();
    assert_eq!(store.position(&file("more")), Some(position(2_000)));
    assert_eq!(store.reader().check().unwrap(), [""; 0]);
}
