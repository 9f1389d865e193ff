//! What tools declared to have covered: the rows the run filed, and the calls they were filed for.

use crate::{
    emptiness::{Door, lists_something},
    ids::IdMap,
    json::{Node, Text},
};

/// The rows of the run. Unlike the ledger, they are never carried into a next turn.
#[derive(Debug, Default)]
pub(crate) struct Coverage<'r> {
    /// Every row as it is, whatever it is.
    pub(crate) raw: Vec<Node<'r>>,
    pub(crate) rows: Vec<CoverageRow<'r>>,
    by_call: IdMap<'r, Door>,
}

/// A row that can be read.
#[derive(Debug)]
pub(crate) struct CoverageRow<'r> {
    pub(crate) index: usize,
    /// An absence; otherwise a boundary.
    pub(crate) absence: bool,
    pub(crate) call: Option<Text<'r>>,
    /// It lists something that was not, or cannot be, looked at.
    pub(crate) gap: bool,
}

impl<'r> Coverage<'r> {
    pub(crate) fn read(value: Option<Node<'r>>) -> Self {
        let raw: Vec<_> =
            value.and_then(Node::array).into_iter().flat_map(|list| list.entries()).collect();
        let rows: Vec<_> =
            raw.iter().enumerate().filter_map(|(i, row)| CoverageRow::read(i, *row)).collect();
        let mut by_call: IdMap<'_, Door> = IdMap::default();
        for row in &rows {
            let Some(call) = &row.call else { continue };
            let door = by_call.or_insert_with(call.clone(), Door::default);
            door.absent |= row.absence;
            door.bounded |= !row.absence;
        }
        Self { raw, rows, by_call }
    }

    /// The door of the rows filed for a call; none when no row was.
    pub(crate) fn door(&self, call: &Text<'_>) -> Option<Door> {
        self.by_call.get(call).copied()
    }
}

impl<'r> CoverageRow<'r> {
    fn read(index: usize, row: Node<'r>) -> Option<Self> {
        let [kind, call, not_checked, cannot_cover] =
            row.object()?.pick(["kind", "toolCallId", "notChecked", "cannotCover"]);
        let absence = kind?.is("absence");
        (absence || kind?.is("ledger")).then(|| Self {
            index,
            absence,
            call: call.and_then(Node::string),
            gap: lists_something(not_checked) || lists_something(cannot_cover),
        })
    }
}
