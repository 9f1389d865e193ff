//! The standing of a transcript's turn: what the fold says of it, and where its witnesses lie.

use std::fs;
use std::io::{BufReader, Cursor, Write};
use std::path::Path;

use quittance_assess::Declarations;
use quittance_driver::{Standing, StandingRows};
use quittance_evidence::{EvidenceBuilder, canonical};
use quittance_hosts::{ReadOptions, Reader, Session, read};
use serde_json::{Value, json};

use crate::golden;

fn session(case: &Path) -> (Vec<u8>, Session<(EvidenceBuilder, StandingRows)>) {
    let file = ["transcript.jsonl", "transcript.json"].map(|name| case.join(name));
    let file = file.into_iter().find(|file| file.exists()).unwrap();
    let bytes = fs::read(file).unwrap();
    let session = read(Cursor::new(&bytes), ReadOptions::default()).unwrap();
    (bytes, session)
}

fn declarations(case: &Path) -> Declarations {
    let file = case.join("declarations.json");
    if !file.exists() {
        return Declarations::default();
    }
    Declarations::parse(&fs::read(file).unwrap()).unwrap()
}

/// What a place points at: the value beneath the pointer, within its line or else its document.
fn pointed_at(bytes: &[u8], place: &Value) -> Value {
    let text = std::str::from_utf8(bytes).unwrap();
    let line = usize::try_from(place["line"].as_u64().unwrap()).unwrap();
    let line = text.lines().nth(line - 1).unwrap();
    let value: Value =
        serde_json::from_str(line).unwrap_or_else(|_| serde_json::from_str(text).unwrap());
    value.pointer(place["pointer"].as_str().unwrap()).unwrap().clone()
}

/// A short name for what a witness points at, so that a wrong place shows.
fn shown(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let told = ["tool_use_id", "tool_call_id", "id", "type", "_harn"];
            let told = told.into_iter().find_map(|key| fields.get_key_value(key));
            told.map_or(Value::Null, |(key, value)| json!({key: value}))
        }
        Value::Array(items) => json!({"items": items.len()}),
        scalar => scalar.clone(),
    }
}

fn check(case: &Path) {
    let (bytes, session) = session(case);
    let declarations = declarations(case);
    let standing = Standing::of(&session, &session.turn.rows.1, &declarations).unwrap();
    let places = standing.places.to_value();
    let pointed = places.as_object().unwrap().iter();
    let pointed = pointed.map(|(witness, place)| {
        json!({"witness": witness, "place": place, "holds": shown(&pointed_at(&bytes, place))})
    });
    let pointed: Vec<String> = pointed.map(|line| canonical::to_text(&line)).collect();
    let text = [standing.assessment.to_json(), standing.words.to_string(), pointed.join("\n")];
    let name = Path::new("standing").join(case.file_name().unwrap());
    golden::pin(name.to_str().unwrap(), "standing", &text.join("\n\n"));
}

fn cases() -> Vec<std::path::PathBuf> {
    let folder = golden::folder().join("standing");
    let mut cases: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    cases
}

#[test]
fn each_turn_has_its_standing() {
    let cases = cases();
    assert!(cases.len() >= 15, "{}", cases.len());
    cases.iter().for_each(|case| check(case));
}

#[test]
fn every_witness_has_its_place() {
    for case in cases() {
        let (_, session) = session(&case);
        let standing = Standing::of(&session, &session.turn.rows.1, &declarations(&case)).unwrap();
        let fired = standing.assessment.reasons().iter().flat_map(|fired| &fired.witness);
        let checked = standing.assessment.checked().iter().flat_map(|check| &check.witness);
        for witness in fired.chain(checked) {
            assert!(standing.places.get(witness).is_some(), "{witness} of {}", case.display());
        }
    }
}

#[test]
fn two_sinks_take_the_same_rows_as_one() {
    for case in cases() {
        let (bytes, both) = session(&case);
        let alone: Session<StandingRows> =
            read(Cursor::new(&bytes), ReadOptions::default()).unwrap();
        let none = Declarations::default();
        let of_one = Standing::of(&alone, &alone.turn.rows, &none).unwrap();
        let (first, second) = both.split();
        assert_eq!(of_one, Standing::of(&first, &second, &none).unwrap(), "{}", case.display());
    }
}

#[test]
fn rows_that_grow_give_what_the_whole_gives() {
    for case in cases() {
        let (bytes, whole) = session(&case);
        let (whole, rows) = whole.split();
        let none = Declarations::default();
        let expected = Standing::of(&whole, &rows, &none).unwrap();
        let file = tempfile::NamedTempFile::new().unwrap();
        let input = BufReader::new(file.reopen().unwrap());
        let mut growing = Reader::<_, StandingRows>::open(input, ReadOptions::default());
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            file.as_file().write_all(line).unwrap();
            // What is there so far need not be a run yet; the last reading sees the whole file.
            let _ = growing.read_to_end();
        }
        let session = growing.session().unwrap();
        let grown = Standing::of(session, &session.turn.rows, &none).unwrap();
        assert_eq!(grown, expected, "{}", case.display());
    }
}
