//! The formats, and the one table that chooses among them by content.
//!
//! A new format is a folder, a variant here and its arms below; nothing else names one.

use std::io::{BufRead, Seek};

use serde::{Serialize, Serializer};

use crate::claude_code::{self, ClaudeCode};
use crate::error::ReadError;
use crate::lines::Lines;
use crate::options::ReadOptions;
use crate::session::{Session, Turn};
use crate::sink::Sink;

/// What a host writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Format {
    /// Claude Code's session file.
    ClaudeCode,
}

impl Format {
    /// Every format, in the order they are tried.
    pub const ALL: [Self; 1] = [Self::ClaudeCode];

    /// The word on the wire and after `--host`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
        }
    }

    /// The format with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == name)
    }

    /// What it is recognised by, for people.
    pub(crate) const fn recognised_by(self) -> &'static str {
        match self {
            Self::ClaudeCode => claude_code::RECOGNISED_BY,
        }
    }

    /// Whether a line is of this format.
    pub(crate) fn recognises(self, line: &[u8]) -> bool {
        match self {
            Self::ClaudeCode => claude_code::recognises(line),
        }
    }
}

impl Serialize for Format {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// The reader of one format.
#[derive(Debug)]
pub(crate) enum HostReader<S: Sink> {
    ClaudeCode(Box<ClaudeCode<S>>),
}

impl<S: Sink> HostReader<S> {
    pub(crate) fn new(format: Format, options: &ReadOptions) -> Self {
        match format {
            Format::ClaudeCode => Self::ClaudeCode(Box::new(ClaudeCode::new(options))),
        }
    }

    /// Reads all there is.
    pub(crate) fn read<R: BufRead + Seek>(
        &mut self,
        lines: &mut Lines<R>,
    ) -> Result<(), ReadError> {
        match self {
            Self::ClaudeCode(reader) => reader.read(lines),
        }
    }

    /// Gives the session as it stands.
    pub(crate) fn session(&mut self) -> Result<Session<S>, ReadError> {
        match self {
            Self::ClaudeCode(reader) => reader.session(),
        }
    }

    /// Takes a session's turn back.
    pub(crate) fn resume(&mut self, turn: Turn<S>) {
        match self {
            Self::ClaudeCode(reader) => reader.resume(turn),
        }
    }

    /// How many runs the input holds.
    pub(crate) const fn runs(&self) -> u64 {
        match self {
            Self::ClaudeCode(_) => 1,
        }
    }
}
