//! A process that goes on from another's bookmark gives what one gives that reads it all.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use proptest::prelude::*;
use quittance_hosts::{Bookmark, ReadOptions, Reader, Records, ToolPolicy};
use serde_json::Value;

use crate::describe::{describe, read_bytes};
use crate::growth::run;

type Told = Result<Value, String>;

fn at_once(bytes: &[u8]) -> Told {
    let read = read_bytes(bytes, ReadOptions::default());
    read.map(|session| describe(&session)).map_err(|error| error.to_string())
}

/// What one process reads, and the bookmark it leaves for the next: its own, else the one it had.
fn process(bytes: &[u8], from: Option<&[u8]>) -> (Told, Option<Vec<u8>>) {
    let (input, options) = (Cursor::new(bytes), ReadOptions::default());
    let bookmark = from.map(|bytes| Bookmark::from_bytes(bytes).unwrap());
    let mut reader: Reader<_, Records> = match bookmark {
        Some(bookmark) => Reader::resume(input, options, bookmark),
        None => Reader::open(input, options),
    };
    if let Err(error) = reader.read_to_end() {
        return (Err(error.to_string()), from.map(<[u8]>::to_vec));
    }
    let left = reader.bookmark().unwrap().map(|bookmark| bookmark.to_bytes().unwrap());
    let told = reader.into_session().map(|session| describe(&session));
    (told.map_err(|error| error.to_string()), left.or_else(|| from.map(<[u8]>::to_vec)))
}

/// Processes one after the other, each when the file is as long as one of the cuts.
fn processes(bytes: &[u8], cuts: &[usize]) -> (Told, usize) {
    let (mut bookmark, mut used) = (None, 0);
    let mut told = Err("nothing was read".to_owned());
    for cut in cuts.iter().chain([&bytes.len()]) {
        used += usize::from(bookmark.is_some());
        (told, bookmark) = process(&bytes[..*cut], bookmark.as_deref());
    }
    (told, used)
}

fn spelled(told: Told) -> Result<String, String> {
    told.map(|told| format!("{told:#}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2500))]

    #[test]
    fn going_on_reads_as_reading_at_once(
        bytes in run(),
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 1..6),
    ) {
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.sort_unstable();
        let (told, _) = processes(&bytes, &cuts);
        prop_assert_eq!(
            spelled(told),
            spelled(at_once(&bytes)),
            "{:?} of {}",
            cuts,
            String::from_utf8_lossy(&bytes)
        );
    }

    #[test]
    fn no_bytes_are_a_bookmark_by_chance(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(Bookmark::from_bytes(&bytes).is_none());
    }

    #[test]
    fn a_damaged_bookmark_is_none(at in any::<prop::sample::Index>(), flip in 1_u8..) {
        let mut bytes = process(SESSION.as_bytes(), None).1.unwrap();
        let at = at.index(bytes.len());
        bytes[at] ^= flip;
        prop_assert!(Bookmark::from_bytes(&bytes).is_none());
    }
}

/// Two turns; a bookmark stands behind the opening of the second.
const SESSION: &str = concat!(
    r#"{"type":"user","uuid":"a","promptId":"p1","message":{"content":"first"}}"#,
    "\n",
    r#"{"type":"assistant","uuid":"b","parentUuid":"a","message":{"id":"m1","content":[{"type":"tool_use","id":"t1","name":"Write","input":{"file_path":"x"}}]}}"#,
    "\n",
    r#"{"type":"user","uuid":"c","parentUuid":"b","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}"#,
    "\n",
    r#"{"type":"assistant","uuid":"d","parentUuid":"c","message":{"id":"m2","content":"done"}}"#,
    "\n",
    r#"{"type":"user","uuid":"e","parentUuid":"d","promptId":"p2","message":{"content":"second"}}"#,
    "\n",
    r#"{"type":"assistant","uuid":"f","parentUuid":"e","message":{"id":"m3","content":"done too"}}"#,
    "\n",
);

#[test]
fn a_bookmark_stands_behind_the_opening_of_the_turn() {
    let (told, bytes) = process(SESSION.as_bytes(), None);
    let bookmark = Bookmark::from_bytes(&bytes.clone().unwrap()).unwrap();
    let opening = SESSION.find(r#"{"type":"assistant","uuid":"f""#).unwrap();
    assert_eq!(bookmark.offset(), opening as u64);
    let (again, left) = process(SESSION.as_bytes(), bytes.as_deref());
    assert_eq!((again, left), (told, bytes));
}

#[test]
fn a_bookmark_of_other_tools_is_not_used() {
    let bytes = process(SESSION.as_bytes(), None).1.unwrap();
    let bookmark = Bookmark::from_bytes(&bytes).unwrap();
    let tools = ToolPolicy::default().with_read_only("Bash", "make");
    assert!(bookmark.fits(&ReadOptions::default()));
    assert!(!bookmark.fits(&ReadOptions { tools, ..ReadOptions::default() }));
}

/// Fails when the layout of what is kept changes: then `LAYOUT` has to change with it.
#[test]
fn the_layout_is_the_one_that_is_named() {
    let bytes = process(SESSION.as_bytes(), None).1.unwrap();
    let digest = quittance_evidence::Digest::of_bytes(&bytes);
    insta::assert_snapshot!(digest.to_string(), @"sha256:44c6731cea5d83f5f1fda0f2dd57bf46aa3b415e8c9439a772be078f0657c147");
}

#[test]
fn published_sessions_read_on_as_they_read_at_once() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/claude-code");
    if !folder.is_dir() {
        println!("skipped: the shared material is not here");
        return;
    }
    let (mut files, mut used) = (0, 0);
    for path in crate::published::files(&folder) {
        let bytes = fs::read(&path).unwrap();
        if bytes.len() > 1_000_000 {
            continue;
        }
        let ends: Vec<usize> = bytes
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n')
            .map(|(at, _)| at + 1)
            .collect();
        let cuts: Vec<usize> =
            (1..6).filter_map(|part| ends.get(ends.len() * part / 6).copied()).collect();
        let (told, resumed) = processes(&bytes, &cuts);
        assert_eq!(spelled(told), spelled(at_once(&bytes)), "{}", path.display());
        files += 1;
        used += resumed;
    }
    println!("{files} files read in six processes each, {used} of them from a bookmark");
    assert!(files == 0 || used > files);
}
