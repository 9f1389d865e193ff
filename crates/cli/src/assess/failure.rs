//! Why an input has no assessment, and which exit code says so.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use quittance_assess::{CallerMistake, DeclarationsError, RecordError};
use quittance_driver::standing::StandingError;
use quittance_evidence::canonical::to_text;
use serde_json::json;

use crate::exit;
use crate::render::escape::foreign;

/// Why something could not be assessed. Each says which file where there may be several.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A file could not be opened, or is no transcript that could be read.
    #[error(transparent)]
    Input(exit::Failure),
    /// The declarations could not be read.
    #[error("obey the declarations `{path}`: {source}")]
    Declarations { path: PathBuf, source: DeclarationsError },
    /// `--rows-at` names no key.
    #[error("obey --rows-at: {0}")]
    RowsAt(CallerMistake),
    /// A record could not be read.
    #[error("{source} (in `{path}`)")]
    Record { path: PathBuf, source: RecordError },
    /// A file holds a record in each of several lines.
    #[error("read one record: `{path}` holds several, one a line; --ndjson answers each")]
    SeveralRecords { path: PathBuf },
    /// A file is neither a record nor a transcript.
    #[error(
        "assess `{path}`: it is no record (no `snapshot`, no `checkpoint`, no key of a committed \
         state) and no transcript of a known format ({found})"
    )]
    Neither { path: PathBuf, found: String },
    /// A turn could not be folded.
    #[error("{source} (in `{path}`)")]
    Standing { path: PathBuf, source: StandingError },
    /// The answer could not be printed.
    #[error("print the answer: {0}")]
    Print(io::Error),
}

impl Failure {
    /// A file that could not be opened or read.
    pub(super) fn open(path: &Path, source: io::Error) -> Self {
        Self::Input(exit::Failure::Open { path: path.to_owned(), source })
    }

    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Self::Input(failure) => failure.code(),
            Self::Print(_) => exit::IO,
            Self::RowsAt(_) => exit::USAGE,
            Self::Declarations { .. }
            | Self::Record { .. }
            | Self::SeveralRecords { .. }
            | Self::Neither { .. }
            | Self::Standing { .. } => exit::UNREADABLE,
        }
    }

    /// The failure as the document that stands in an input's place, or in that of all of them.
    pub(super) fn document(&self, input: Option<&Path>) -> String {
        let error = json!({"exit_code": self.code(), "message": format!("cannot {self}")});
        to_text(&match input {
            Some(input) => json!({"input": input.to_string_lossy(), "error": error}),
            None => json!({"error": error}),
        })
    }

    /// Tells it on stderr, or as the one document that was asked for.
    pub(super) fn tell(&self, as_json: bool) {
        // Nothing is left to tell when the stream itself is gone.
        let _ = if as_json {
            writeln!(io::stdout(), "{}", self.document(None))
        } else {
            let message = foreign(&self.to_string());
            writeln!(anstream::stderr(), "quittance: cannot {message}")
        };
    }
}
