//! Why a transcript could not be read at all.
//!
//! A damaged line, an unknown line type, an unanswered call are facts about a run that was read;
//! they are in `SourceFacts` and `Turn`, not here.

use crate::options::{RunNumber, TurnNumber};
use crate::source::{LineCause, LineNumber};

/// Why an input is no run, or holds not the one asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The input holds no line at all: zero bytes, or blank lines only.
    #[error("read a transcript: the file is empty")]
    Empty,
    /// No format recognises the input.
    #[error(
        "read a transcript: line {line} is of no known format ({found}); looked for {looked_for}"
    )]
    Unknown {
        /// The line that was looked at first, from 1.
        line: u64,
        /// What that line holds: its keys, or the kind of value it is.
        found: String,
        /// What each format is recognised by.
        looked_for: String,
    },
    /// The format is known, but nobody asked and nobody answered anything.
    #[error("read a transcript: it holds no turn ({lines} lines, none of a person or an agent)")]
    NoTurn {
        /// Lines read.
        lines: u64,
    },
    /// The turn asked for is not in the file.
    #[error("read turn {asked}: the run has {turns}")]
    NoSuchTurn {
        /// The number asked for.
        asked: TurnNumber,
        /// How many turns there are.
        turns: u64,
    },
    /// The run asked for is not in the file.
    #[error("read run {asked}: the file holds {runs}")]
    NoSuchRun {
        /// The number asked for.
        asked: RunNumber,
        /// How many runs there are.
        runs: u64,
    },
    /// The file holds several runs, and nobody said which one.
    #[error("read a run: the file holds {runs}; say which one, from 1")]
    SeveralRuns {
        /// How many runs there are.
        runs: u64,
    },
    /// A document that spans lines is damaged; nothing of it can be told.
    #[error("read a transcript: the document is damaged in line {line} ({})", cause.as_str())]
    Damaged {
        /// The line, from 1.
        line: LineNumber,
        /// Why it could not be read.
        cause: LineCause,
    },
    /// A document that spans lines does not end: it is still being written, or was cut.
    #[error("read a transcript: the document does not end (after line {line})")]
    Unended {
        /// The last line there is, from 1.
        line: LineNumber,
    },
    /// A packed file is damaged, or cut, before anything of a run could be read.
    #[error("unpack a transcript: line {line} cannot be read ({})", cause.as_str())]
    Packed {
        /// The line of what it unpacks to in which it stops, from 1.
        line: LineNumber,
        /// Why it stops.
        cause: LineCause,
    },
    /// The input could not be read any further.
    #[error("read a transcript after byte {offset}")]
    Io {
        /// Bytes read until then.
        offset: u64,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
}
