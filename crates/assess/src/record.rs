//! A committed record, read once: where its state lies and whether it was served under a policy.
//!
//! It owns the shapes a record comes in. What the state means is the readers' business.

use thiserror::Error;

use crate::{
    caller::CallerMistake,
    json::{Document, Fault, Node, Object},
    state::{Served, StateKey},
};

/// How deep a record may nest. The fold looks at nine levels; agents' arguments and results nest
/// further, and a limit keeps what is spent on one record in hand. Not the parser's stack: it has
/// none.
pub const NESTING_MAX: usize = 512;

/// The recorder whose row says that a snapshot was served under a redaction policy.
const POLICY_MARKER: &str = "agentfootprint.redaction";

/// A record that can be folded.
#[derive(Debug, Clone)]
pub struct Record<'t> {
    document: Document<'t>,
    shape: Shape,
}

/// Where the state is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Under `snapshot`, else under `checkpoint`; a policy marker counts.
    Recorded,
    /// The text is a running agent's own snapshot, which holds values and never placeholders.
    Live,
    /// The text is the state itself.
    Bare(Served),
}

/// Why a record could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The text is no JSON, or nests deeper than [`NESTING_MAX`].
    #[error("read the record as JSON: {0}")]
    Text(Fault),
    /// The text is no UTF-8.
    #[error("read the record as UTF-8: no character at byte {at}")]
    Encoding {
        /// Offset of the first byte that belongs to no character.
        at: usize,
    },
    /// The caller's mistake, in the original's words.
    #[error(transparent)]
    Caller(CallerMistake),
}

impl<'t> Record<'t> {
    /// Reads a recording, `{ snapshot }` or `{ checkpoint }`. The snapshot's state is folded, else
    /// the checkpoint's, else an empty one.
    ///
    /// # Errors
    ///
    /// When the text is no JSON, nests too deep, or is not an object.
    pub fn parse(text: &'t [u8]) -> Result<Self, RecordError> {
        let record = Self::read(text, Shape::Recorded)?;
        if record.document.root().object().is_none() {
            return Err(RecordError::Caller(CallerMistake::NotARecord));
        }
        Ok(record)
    }

    /// Reads the snapshot of a running agent: its state holds values, so that no text in it is taken
    /// for a placeholder.
    ///
    /// # Errors
    ///
    /// When the text is no JSON or nests too deep.
    pub fn parse_live(snapshot: &'t [u8]) -> Result<Self, RecordError> {
        Self::read(snapshot, Shape::Live)
    }

    /// Reads a committed state by itself.
    ///
    /// # Errors
    ///
    /// When the text is no JSON or nests too deep.
    pub fn parse_state(state: &'t [u8], served: Served) -> Result<Self, RecordError> {
        Self::read(state, Shape::Bare(served))
    }

    /// Reads whichever of these the text holds: an object with a `snapshot` or a `checkpoint` as
    /// [`parse`](Self::parse) reads it; one without either that has a key of the committed state as
    /// the state by itself. Any other object is a record that holds no state.
    ///
    /// # Errors
    ///
    /// As [`parse`](Self::parse).
    pub fn parse_any(text: &'t [u8]) -> Result<Self, RecordError> {
        let mut record = Self::parse(text)?;
        if !record.is_recording() && record.root_has(StateKey::ALL.map(StateKey::as_str)) {
            record.shape = Shape::Bare(Served::AsIs);
        }
        Ok(record)
    }

    fn read(text: &'t [u8], shape: Shape) -> Result<Self, RecordError> {
        if let Err(invalid) = std::str::from_utf8(text) {
            return Err(RecordError::Encoding { at: invalid.valid_up_to() });
        }
        let document = Document::parse(text, NESTING_MAX).map_err(RecordError::Text)?;
        Ok(Self { document, shape })
    }

    /// Whether the record has a state of its own. The fold of one that has none is "not assessed",
    /// which a reader of files may want to tell from a record that holds nothing to check.
    #[must_use]
    pub fn has_state(&self) -> bool {
        self.state().is_some()
    }

    /// Whether the text shows by its keys that it is a record: it has a `snapshot` or a
    /// `checkpoint`, or was read as the state by itself.
    #[must_use]
    pub fn is_recognised(&self) -> bool {
        self.shape != Shape::Recorded || self.is_recording()
    }

    /// The value the whole text holds, for a caller who wants to know what else it might be.
    #[must_use]
    pub fn root(&self) -> Node<'_> {
        self.document.root()
    }

    fn is_recording(&self) -> bool {
        self.root_has(["snapshot", "checkpoint"])
    }

    fn root_has<const N: usize>(&self, keys: [&str; N]) -> bool {
        let root = self.document.root().object();
        root.is_some_and(|root| root.pick(keys).iter().any(Option::is_some))
    }

    pub(crate) fn state(&self) -> Option<Object<'_>> {
        let root = self.document.root();
        match self.shape {
            Shape::Recorded => {
                let root = root.object()?;
                let under = |key| shared_state(root.get(key)?);
                under("snapshot").or_else(|| under("checkpoint"))
            }
            Shape::Live => shared_state(root),
            Shape::Bare(_) => root.object(),
        }
    }

    /// Whether a policy covered the record. The snapshot decides, even when the state that is folded
    /// is the checkpoint's.
    pub(crate) fn served(&self) -> Served {
        match self.shape {
            Shape::Recorded => {
                let root = self.document.root().object();
                let snapshot = root.and_then(|root| root.get("snapshot"));
                if snapshot.is_some_and(marked) { Served::UnderPolicy } else { Served::AsIs }
            }
            Shape::Live => Served::AsIs,
            Shape::Bare(served) => served,
        }
    }
}

fn shared_state(holder: Node<'_>) -> Option<Object<'_>> {
    holder.object()?.get("sharedState")?.object()
}

/// Whether a policy's recorder is among the snapshot's. An array has no `recorders` in JSON.
fn marked(snapshot: Node<'_>) -> bool {
    let recorders = snapshot.object().and_then(|s| s.get("recorders")).and_then(Node::array);
    recorders.is_some_and(|rows| {
        rows.entries().any(|row| {
            row.object().and_then(|row| row.get("id")).is_some_and(|id| id.is(POLICY_MARKER))
        })
    })
}
