//! Whether a file is one document that spans lines, or a value a line.
//!
//! A file whose first line is no whole value may be either: a document, or lines of which the first
//! is damaged. It is a document if it parses as one.

use std::io::{BufRead, Seek};

use crate::document::{self, Damage, Item};
use crate::error::ReadError;
use crate::json::{self, Read};
use crate::lines::{self, Lines, Next};
use crate::source::LineNumber;

/// What stops parsing within so many lines after its first was never a document: it is the damaged
/// first line of many.
const LINES_TRIED: u64 = 3;

/// How a file is laid out.
#[derive(Debug)]
pub(crate) enum Shape {
    /// A value a line.
    Lines,
    /// One document, and all of the file was read.
    Document(Read<Item>),
}

/// Finds out how a file is laid out; only of a document all of it was read when this returns.
pub(crate) fn shape<R: BufRead + Seek>(lines: &mut Lines<R>) -> Result<Shape, ReadError> {
    lines.restart()?;
    let Some(first) = first_line(lines)? else { return Ok(Shape::Lines) };
    if !may_open(lines.line()) || json::is_whole_value(lines.line()) {
        return Ok(Shape::Lines);
    }
    let mut bytes = Vec::new();
    gather(lines, &mut bytes, LINES_TRIED)?;
    if document::read(&bytes, first).is_err_and(|damage| !damage.may_go_on()) {
        return Ok(Shape::Lines);
    }
    gather(lines, &mut bytes, u64::MAX)?;
    document::read(&bytes, first).map(Shape::Document).map_err(|damage| match damage {
        Damage { unended: true, .. } => ReadError::Unended { line: LineNumber(lines.count()) },
        Damage { line, cause, .. } => {
            ReadError::Damaged { line: LineNumber(first.0 + line.saturating_sub(1)), cause }
        }
    })
}

/// Reads the first line that holds something.
fn first_line<R: BufRead + Seek>(lines: &mut Lines<R>) -> Result<Option<LineNumber>, ReadError> {
    loop {
        let place = match lines.next()? {
            Next::Line(place) => place,
            Next::Tail(_) | Next::End | Next::Rewritten => return Ok(None),
        };
        if !lines::is_blank(lines.line()) {
            return Ok(Some(place.line));
        }
    }
}

/// Takes the line at hand and up to `count` more.
fn gather<R: BufRead + Seek>(
    lines: &mut Lines<R>,
    bytes: &mut Vec<u8>,
    count: u64,
) -> Result<(), ReadError> {
    let mut gathered = 0;
    if bytes.is_empty() {
        take(lines, bytes);
    }
    while gathered < count {
        match lines.next()? {
            Next::Line(_) => {}
            Next::Tail(_) => lines.take_tail(),
            Next::End | Next::Rewritten => return Ok(()),
        }
        take(lines, bytes);
        gathered += 1;
    }
    Ok(())
}

fn take<R: BufRead + Seek>(lines: &Lines<R>, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(lines.line());
    bytes.push(b'\n');
}

fn may_open(line: &[u8]) -> bool {
    let first = line.iter().find(|byte| !byte.is_ascii_whitespace());
    first.is_some_and(|byte| matches!(byte, b'[' | b'{'))
}
