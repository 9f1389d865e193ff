//! What an agent host wrote, read as turns of a run.
//!
//! The question this crate answers: what did the person ask in this turn, what did they say while
//! the agent worked, what did the agent call and say last, and is anything still being waited for?
//! [`Reader`] streams a transcript and can go on where it stopped, in another process from a
//! [`Bookmark`]; [`read`] reads one at once. The rows of the chosen turn go to a [`Sink`], one record
//! at a time.
//!
//! Control facts (a steer, a stop) come from typed fields of a line, never from its prose. A line
//! of an unknown type is skipped and counted; a line that cannot be parsed is an issue with its
//! number; neither is ever an error. A word that is not known grants no authority: text of an
//! unknown sender opens no turn, a tool nobody knows may have written.
//!
//! [`hook`] holds what hosts tell their hook and take for an answer, [`settings`] how the hook is
//! named in a host's own settings: text in, text out.
//!
//! Formats live in a folder each (`claude_code`, `codex`, `gemini_cli`, `openai_chat`, `harn`); what
//! the flat lists of messages share is in `chat`, what the hosts share whose lines follow one another
//! in `flow`. A file may be packed ([`Input`]). [`Format`] lists them, and one table in `format.rs` chooses by
//! content. A file may be one JSON document, and may hold several runs. The crate opens no file,
//! decides nothing and knows no policy beyond [`ToolPolicy`].

mod bookmark;
mod call_ids;
mod catalogue;
mod chat;
mod claude_code;
mod codex;
mod commands;
mod control;
mod copilot;
mod cursor;
mod document;
mod error;
mod flow;
mod format;
mod gemini_cli;
mod harn;
pub mod hook;
mod json;
mod lines;
mod openai_chat;
mod openhands;
mod options;
mod packed;
mod patch;
mod position;
mod reader;
mod records;
mod session;
pub mod settings;
mod sink;
mod source;
mod writes;

pub use bookmark::Bookmark;
pub use catalogue::{Catalogue, Effect, ToolPolicy};
pub use control::{ControlAction, ControlRow, Provenance};
pub use error::ReadError;
pub use format::Format;
pub use options::{ReadOptions, Rewrite, RunNumber, TurnNumber};
pub use packed::Input;
pub use position::{Position, RowPosition};
pub use reader::{Reader, read};
pub use records::ROWS_VERSION;
pub use session::{Answer, Opening, Past, RunIds, Session, StopReason, Turn, TurnIds, Waiting};
pub use sink::{Records, Sink};
pub use source::{LineCause, LineIssue, LineNumber, Repair, SourceFacts};
pub use writes::{Chain, Observed, ObservedOutcome, Write, WriteKind, Writes};
