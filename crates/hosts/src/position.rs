//! Where in a transcript something was read: the line, and the value within it; of a packed file,
//! of what it unpacks to.

use serde::Serialize;

use crate::source::LineNumber;

/// Where a value stands in the file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[non_exhaustive]
pub struct Position {
    /// The line it begins in.
    pub line: LineNumber,
    /// The JSON pointer to it: within the line, or, where the file is one document, within that.
    pub pointer: String,
}

impl Position {
    pub(crate) fn new(line: LineNumber, pointer: impl Into<String>) -> Self {
        Self { line, pointer: pointer.into() }
    }
}

/// Where a row was read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RowPosition {
    /// What the row was made of; of an agent's message in several lines, the first of them.
    pub row: Position,
    /// Its calls, in their order in the row: the block of each, or the message they stand in.
    pub calls: Vec<Position>,
}

impl RowPosition {
    /// A row without calls.
    pub(crate) const fn of(row: Position) -> Self {
        Self { row, calls: Vec::new() }
    }
}
