//! What a caller can get wrong. Whatever a record holds is read, never refused; these four are the
//! only errors of the original, and their messages are its own.

use thiserror::Error;

use crate::json::Text;

/// A mistake of the caller: a record that is none, or declarations that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CallerMistake {
    /// The record is not an object.
    #[error(
        "assessAnswer: the record must be an object — a recording, {{ snapshot }}, or {{ checkpoint }}"
    )]
    NotARecord,
    /// The declarations are not an object.
    #[error("assessAnswer: declarations must be an object")]
    DeclarationsNotAnObject,
    /// Their `tools` are not an object.
    #[error("assessAnswer: declarations.tools must be an object keyed by tool name")]
    ToolsNotAnObject,
    /// What is declared of a tool is not an object.
    #[error("assessAnswer: declarations.tools.{} must be an object", .0.to_lossy())]
    ToolNotAnObject(Text<'static>),
    /// The key of a tool's rows is not text, or empty.
    #[error("assessAnswer: declarations.tools.{}.rowsAt must be a non-empty key", .0.to_lossy())]
    RowsKeyEmpty(Text<'static>),
    /// The key of a tool's rows holds a `/` or a `.`.
    #[error(
        "assessAnswer: declarations.tools.{}.rowsAt must be a top-level key (no \"/\" or \".\")",
        .0.to_lossy()
    )]
    RowsKeyNested(Text<'static>),
}
