//! The results of this turn, each read once.

use crate::{
    coverage::Coverage,
    declared::Declarations,
    emptiness::{self, Desk, Door, Reading},
    json::Text,
    pointer::Pointer,
    turn::Turn,
};

/// A result of this turn.
#[derive(Debug)]
pub(crate) struct TurnResult<'r> {
    pub(crate) index: usize,
    pub(crate) call: Option<Text<'r>>,
    pub(crate) tool: Option<Text<'r>>,
    /// What the rows filed for its call declare; none when no row was filed.
    pub(crate) filed: Option<Door>,
    pub(crate) reading: Reading,
}

impl<'r> TurnResult<'r> {
    pub(crate) fn read_all(
        turn: &Turn<'r>,
        coverage: &Coverage<'r>,
        declarations: &Declarations,
    ) -> Vec<Self> {
        let mut desk = Desk::default();
        let read = turn.tool_messages().map(|message| {
            let filed = message.call.as_ref().and_then(|call| coverage.door(call));
            let rows_at = message.tool.as_ref().and_then(|tool| declarations.rows_at(tool));
            let reading = emptiness::read(&message, filed, rows_at, &mut desk);
            Self { index: message.index, call: message.call, tool: message.tool, filed, reading }
        });
        read.collect()
    }

    pub(crate) fn pointer(&self) -> Pointer<'r> {
        Pointer::History { index: self.index, call: self.call.clone() }
    }
}
