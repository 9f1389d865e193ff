//! The operation of `quittance-assess`, whose answers compare byte for byte.
//!
//! Key order and the spelling of numbers matter in the record too, so the line is read by the
//! fold's own reader and never becomes a value of another library.

use quittance_assess::json::{Document, Node};
use quittance_assess::{Declarations, Record, assess};

/// The operation's name.
pub(crate) const NAME: &str = "assess.fold";

/// Deepest nesting of a vector: a record may be as deep as the fold allows, and stands two below.
const NESTING_MAX: usize = quittance_assess::NESTING_MAX + 2;

/// What we print, or the message of a caller's mistake.
pub(crate) fn answer(line: &str) -> Result<String, String> {
    let document = Document::parse(line.as_bytes(), NESTING_MAX).map_err(|e| e.to_string())?;
    let args = member(document.root(), "args").ok_or("no `args`")?;
    let record = member(args, "record").ok_or("no `record`")?;
    let record = Record::parse(record.raw()).map_err(|error| error.to_string())?;
    let declarations = match member(args, "declarations") {
        Some(found) => Declarations::parse(found.raw()).map_err(|error| error.to_string())?,
        None => Declarations::default(),
    };
    Ok(assess(&record, &declarations).to_json())
}

/// Where our answer differs from the expected one, if it does.
pub(crate) fn difference(line: &str) -> Option<String> {
    let wanted = match expected(line) {
        Ok(wanted) => wanted,
        Err(unreadable) => return Some(unreadable),
    };
    let got = answer(line);
    (got != wanted).then(|| format!("expected {wanted:?}, got {got:?}"))
}

/// The text the original prints, or the message it throws.
fn expected(line: &str) -> Result<Result<String, String>, String> {
    let document = Document::parse(line.as_bytes(), NESTING_MAX).map_err(|e| e.to_string())?;
    let expected = member(document.root(), "expected").ok_or("no `expected`")?;
    if let Some(printed) = member(expected, "ok") {
        return Ok(Ok(String::from_utf8_lossy(printed.raw()).into_owned()));
    }
    let thrown = member(expected, "error").and_then(|error| error.string());
    thrown.map(|message| Err(message.to_lossy().into_owned())).ok_or_else(|| "no answer".to_owned())
}

fn member<'t>(node: Node<'t>, key: &str) -> Option<Node<'t>> {
    node.object().and_then(|object| object.get(key))
}
