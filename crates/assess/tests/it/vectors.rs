//! The original's answers, byte for byte, where the vectors are at hand.

use std::fs;

use quittance_assess::json::{Document, Node, Object};
use quittance_assess::{Assessment, Declarations, DeclarationsError, Record, RecordError, assess};

/// What the original would print, or the message it would throw.
fn answer(args: Object<'_>) -> Result<String, String> {
    let record = Record::parse(args.get("record").unwrap().raw()).map_err(|error| match error {
        RecordError::Caller(mistake) => mistake.to_string(),
        other => format!("unreadable: {other}"),
    })?;
    let declarations = args.get("declarations").map(Node::raw).map(Declarations::parse);
    let declarations = declarations.unwrap_or_else(|| Ok(Declarations::default()));
    let declarations = declarations.map_err(|error| match error {
        DeclarationsError::Caller(mistake) => mistake.to_string(),
        other => format!("unreadable: {other}"),
    })?;
    let text = assess(&record, &declarations).to_json();
    // Whatever the original prints is read back as what was printed.
    assert_eq!(Assessment::parse(text.as_bytes()).map(|read| read.to_json()), Ok(text.clone()));
    Ok(text)
}

fn expected(line: Object<'_>) -> Result<String, String> {
    let expected = line.get("expected").unwrap().object().unwrap();
    match expected.get("error") {
        Some(message) => Err(message.string().unwrap().as_str().unwrap().to_owned()),
        None => Ok(String::from_utf8(expected.get("ok").unwrap().raw().to_vec()).unwrap()),
    }
}

#[test]
fn every_vector_comes_out_byte_for_byte() {
    let Some(file) = crate::shared("vectors/assess.ndjson") else { return };
    let text = fs::read(file).unwrap();
    let mut wrong = Vec::new();
    let mut lines = 0;
    for line in text.split(|&b| b == b'\n').filter(|line| !line.is_empty()) {
        lines += 1;
        let document = Document::parse(line, 512).unwrap();
        let line = document.root().object().unwrap();
        let (got, want) = (answer(line.get("args").unwrap().object().unwrap()), expected(line));
        if got != want {
            let id = line.get("id").unwrap().string().unwrap();
            wrong.push(format!("{}\n  want {want:?}\n  got  {got:?}", id.to_lossy()));
        }
    }
    assert!(wrong.is_empty(), "{} of {lines} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(lines, 400, "the file holds all its lines");
}
