//! The formats, and the one table that chooses among them by content.
//!
//! A new format is a folder, a variant here and its arms below; nothing else names one.

use std::io::{BufRead, Seek};

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::chat::Chat;
use crate::claude_code::{self, ClaudeCode, Progress};
use crate::codex::{self, Codex};
use crate::document::Item;
use crate::error::ReadError;
use crate::gemini_cli::{self, GeminiCli};
use crate::harn::{self, Harn};
use crate::lines::Lines;
use crate::openai_chat::{self, OpenAiChat};
use crate::options::ReadOptions;
use crate::session::{Session, Turn};
use crate::sink::Sink;
use crate::source::LineNumber;

/// What a host writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Format {
    /// Claude Code's session file.
    ClaudeCode,
    /// Codex CLI's rollout.
    Codex,
    /// Gemini CLI's chat file.
    GeminiCli,
    /// Harn's messages and control rows.
    Harn,
    /// Messages by role, as OpenAI's chat interface takes them.
    OpenAiChat,
}

/// How sure it is that an input is of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Likeness {
    No,
    /// What was seen another format may hold as well.
    Shared,
    Certain,
}

/// A piece of an input: a line, or a document that spans lines.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Piece<'a> {
    /// A line, and what it holds if that can be read.
    Line(&'a [u8], Option<&'a Item>),
    Document(&'a Item),
}

impl<'a> Piece<'a> {
    const fn item(self) -> Option<&'a Item> {
        match self {
            Self::Line(_, item) => item,
            Self::Document(item) => Some(item),
        }
    }
}

impl Format {
    /// Every format, in the order they are tried.
    pub const ALL: [Self; 5] =
        [Self::ClaudeCode, Self::Codex, Self::GeminiCli, Self::Harn, Self::OpenAiChat];

    /// The word on the wire and after `--host`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::GeminiCli => "gemini-cli",
            Self::Harn => "harn",
            Self::OpenAiChat => "openai-chat",
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
            Self::Codex => codex::RECOGNISED_BY,
            Self::GeminiCli => gemini_cli::RECOGNISED_BY,
            Self::Harn => harn::RECOGNISED_BY,
            Self::OpenAiChat => openai_chat::RECOGNISED_BY,
        }
    }

    /// Whether a piece of an input is of this format.
    pub(crate) fn recognises(self, piece: Piece<'_>) -> Likeness {
        match (self, piece) {
            (Self::ClaudeCode, Piece::Line(line, _)) if claude_code::recognises(line) => {
                Likeness::Certain
            }
            (Self::Codex, Piece::Line(line, _)) if codex::recognises(line) => Likeness::Certain,
            (Self::GeminiCli, _) => piece.item().map_or(Likeness::No, gemini_cli::recognises),
            (Self::Harn, _) if any_message(piece, harn::recognises) => Likeness::Certain,
            // Harn keeps such messages too.
            (Self::OpenAiChat, _) if any_message(piece, openai_chat::recognises) => {
                Likeness::Shared
            }
            _ => Likeness::No,
        }
    }
}

fn any_message(piece: Piece<'_>, recognises: fn(&Map<String, Value>) -> bool) -> bool {
    piece.item().is_some_and(|item| item.messages().any(recognises))
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
    Codex(Box<Codex<S>>),
    GeminiCli(Box<GeminiCli<S>>),
    Harn(Box<Chat<Harn, S>>),
    OpenAiChat(Box<Chat<OpenAiChat, S>>),
}

impl<S: Sink> HostReader<S> {
    pub(crate) fn new(format: Format, options: &ReadOptions) -> Self {
        match format {
            Format::ClaudeCode => Self::ClaudeCode(Box::new(ClaudeCode::new(options))),
            Format::Codex => Self::Codex(Box::new(Codex::new(options))),
            Format::GeminiCli => Self::GeminiCli(Box::new(GeminiCli::new(options))),
            Format::Harn => Self::Harn(Box::new(Chat::new(options))),
            Format::OpenAiChat => Self::OpenAiChat(Box::new(Chat::new(options))),
        }
    }

    /// Goes on with a reading that was put aside.
    pub(crate) fn going_on(progress: Progress, options: &ReadOptions) -> Self {
        Self::ClaudeCode(Box::new(ClaudeCode::going_on(progress, options)))
    }

    /// The line behind which reading can be put aside.
    pub(crate) fn keepable(&self) -> Option<LineNumber> {
        match self {
            Self::ClaudeCode(reader) => reader.keepable(),
            Self::Codex(_) | Self::GeminiCli(_) | Self::Harn(_) | Self::OpenAiChat(_) => None,
        }
    }

    /// Reads all there is.
    pub(crate) fn read<R: BufRead + Seek>(
        &mut self,
        lines: &mut Lines<R>,
    ) -> Result<(), ReadError> {
        match self {
            Self::ClaudeCode(reader) => reader.read(lines),
            Self::Codex(reader) => reader.read(lines),
            Self::GeminiCli(reader) => reader.read(lines),
            Self::Harn(reader) => reader.read(lines),
            Self::OpenAiChat(reader) => reader.read(lines),
        }
    }

    /// Gives the session as it stands.
    pub(crate) fn session(&mut self) -> Result<Session<S>, ReadError> {
        match self {
            Self::ClaudeCode(reader) => reader.session(),
            Self::Codex(reader) => reader.session(),
            Self::GeminiCli(reader) => reader.session(),
            Self::Harn(reader) => reader.session(),
            Self::OpenAiChat(reader) => reader.session(),
        }
    }

    /// Takes a session's turn back.
    pub(crate) fn resume(&mut self, turn: Turn<S>) {
        match self {
            Self::ClaudeCode(reader) => reader.resume(turn),
            Self::Codex(reader) => reader.resume(turn),
            Self::GeminiCli(reader) => reader.resume(turn),
            Self::Harn(reader) => reader.resume(turn),
            Self::OpenAiChat(reader) => reader.resume(turn),
        }
    }

    /// How many runs the input holds.
    pub(crate) const fn runs(&self) -> u64 {
        match self {
            Self::ClaudeCode(_) | Self::Codex(_) | Self::GeminiCli(_) => 1,
            Self::Harn(reader) => reader.runs(),
            Self::OpenAiChat(reader) => reader.runs(),
        }
    }

    /// The format that the input turned out to be of, if not of this one.
    pub(crate) const fn other(&self) -> Option<Format> {
        match self {
            Self::ClaudeCode(_) | Self::Codex(_) | Self::GeminiCli(_) => None,
            Self::Harn(reader) => reader.other(),
            Self::OpenAiChat(reader) => reader.other(),
        }
    }
}
