//! How far a transcript was read: a cache.

use quittance_evidence::canonical::{Digest, Digester};
use quittance_ledger::store::{
    FileIdentity, FileKey, PAYLOAD_BYTES_MAX, Position, Store, StoreError,
};

use super::ledger::Ledger;

pub(crate) fn file(path: &str) -> FileKey {
    let [host, session, path] = ["claude-code", "session", path].map(str::to_owned);
    FileKey { host, session, path }
}

pub(crate) fn position(text: &str) -> Position {
    let mut digester = Digester::new();
    digester.push_text(text);
    Position {
        bytes_read: text.len() as u64,
        file: FileIdentity { device: 1, inode: u64::MAX },
        tail: Digest::of_bytes(text.as_bytes()),
        digest: digester.save(),
        payload: text.as_bytes().repeat(3),
    }
}

fn save(store: &mut Store, path: &str, text: &str) {
    store.save_position(&file(path), &position(text)).unwrap();
}

#[test]
fn the_next_process_goes_on_where_this_one_ended() {
    let ledger = Ledger::new();
    let mut store = ledger.open();
    assert_eq!(store.position(&file("a")), None);
    save(&mut store, "a", "one line\n");
    save(&mut store, "b", "another\n");
    save(&mut store, "a", "one line\ntwo\n");
    drop(store);
    let store = ledger.open();
    let found = store.position(&file("a")).unwrap();
    assert_eq!(found, position("one line\ntwo\n"));
    let mut resumed = Digester::resume(&found.digest).unwrap();
    resumed.push_text("three\n");
    assert_eq!(resumed.finish(), Digest::of_bytes(b"one line\ntwo\nthree\n"));
    assert_eq!(store.position(&file("b")), Some(position("another\n")));
    assert_eq!(store.reader().check().unwrap(), [""; 0]);
}

#[test]
fn a_position_is_of_its_file_and_of_what_was_there() {
    let kept = position("some bytes");
    let size = kept.bytes_read;
    assert!(kept.is_in(kept.file, size));
    assert!(kept.is_in(kept.file, size + 1));
    assert!(!kept.is_in(kept.file, size - 1));
    let other = FileIdentity { inode: 1, ..kept.file };
    assert!(!kept.is_in(other, size));
}

#[test]
fn the_positions_saved_longest_ago_go() {
    let ledger = Ledger::new();
    let mut store = ledger.open();
    let paths: Vec<_> = (0..300).map(|number| number.to_string()).collect();
    for path in &paths {
        save(&mut store, path, path);
    }
    let kept = paths.iter().filter(|path| store.position(&file(path)).is_some());
    assert_eq!(kept.cloned().collect::<Vec<_>>(), paths[44..]);
}

#[test]
fn a_payload_has_a_limit() {
    let ledger = Ledger::new();
    let mut store = ledger.open();
    let mut large = position("x");
    large.payload = vec![0; PAYLOAD_BYTES_MAX + 1];
    assert!(matches!(store.save_position(&file("a"), &large), Err(StoreError::TooLarge)));
    large.payload.truncate(PAYLOAD_BYTES_MAX);
    store.save_position(&file("a"), &large).unwrap();
    assert_eq!(store.position(&file("a")), Some(large));
}

#[test]
fn a_position_that_is_not_what_was_written_is_none() {
    let ledger = Ledger::new();
    save(&mut ledger.open(), "a", "text");
    let damages = [
        "UPDATE positions SET payload = x'00'",
        "UPDATE positions SET head = replace(head, '\"bytes_read\":4', '\"bytes_read\":3')",
        "UPDATE positions SET seal = 'sha256:'",
        "DROP TABLE positions",
    ];
    for damage in damages {
        let raw = rusqlite::Connection::open(ledger.path()).unwrap();
        raw.execute_batch(damage).unwrap();
        assert_eq!(ledger.open().position(&file("a")), None, "{damage}");
    }
}
