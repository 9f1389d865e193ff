//! JSON text as JavaScript reads it, without a value ever being built.
//!
//! The fold's answer has to be the original's byte for byte, so its input has to be read as the
//! original reads it: object keys in their order, a repeated key at its first place with its last
//! value, every number a double however it is spelled, text in UTF-16 units with lone surrogates
//! allowed. `serde_json` gives none of these for certain: key order hangs on a feature another crate
//! may turn on, a number past the range of a double and a lone surrogate are errors to it. So this
//! is a reader of our own. It checks the whole grammar in one loop, counts nesting instead of
//! recursing, and leaves a flat list of cells that point into the text: nothing is copied, nothing is
//! decoded before it is asked for, and dropping it frees one block however deep the text was.
//!
//! It owns reading and the spelling of strings; what a key means is not its business.

mod decode;
mod node;
mod scan;
mod text;

use scan::Cell;

pub use node::{Array, Kind, Node, Object};
pub use scan::{Fault, FaultKind};
pub use text::Text;

pub(crate) use text::{Cut, cut_units, quote, trim};

/// Room for the cells of one document after another.
#[derive(Debug, Default)]
pub(crate) struct Room(Vec<Cell>);

/// One JSON text and the cells that say where its values lie.
#[derive(Debug, Clone)]
pub struct Document<'t> {
    text: &'t [u8],
    /// INVARIANT: what [`scan::scan`] left for `text`: at least one cell, the root first.
    cells: Vec<Cell>,
}

impl<'t> Document<'t> {
    /// Reads `text`, which may nest `depth_max` arrays and objects within each other.
    ///
    /// `text` is expected to be UTF-8, or WTF-8 where it was decoded from another JSON string; its
    /// encoding is not looked at here.
    ///
    /// # Errors
    ///
    /// Where the text stops being JSON (`JSON.parse` would throw there too), where it nests deeper
    /// than `depth_max`, or when it is longer than 4 GiB.
    pub fn parse(text: &'t [u8], depth_max: usize) -> Result<Self, Fault> {
        let mut cells = Vec::new();
        scan::scan(text, depth_max, &mut cells)?;
        Ok(Self { text, cells })
    }

    /// Reads a text that nests however deep, its cells in room that earlier documents used.
    pub(crate) fn parse_in(text: &'t [u8], room: &mut Room) -> Result<Self, Fault> {
        scan::scan(text, usize::MAX, &mut room.0)?;
        Ok(Self { text, cells: std::mem::take(&mut room.0) })
    }

    /// Gives the room back for the next document.
    pub(crate) fn leave(self, room: &mut Room) {
        room.0 = self.cells;
    }

    /// The value the text holds.
    #[must_use]
    pub fn root(&self) -> Node<'_> {
        Node::new(self, 0)
    }
}
