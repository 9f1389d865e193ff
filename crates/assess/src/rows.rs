//! Lists within a row, read as far as the original reads them.

use crate::json::Node;

/// How many entries of a list within a row are read. The original stops somewhere too, so that one
/// row cannot make the fold read without end.
///
/// RECONSTRUCTED: the number. The original's is not stored.
pub(crate) const ENTRIES_MAX: usize = 1000;

/// The entries of a list that are read, and how many are not.
#[derive(Debug, Default)]
pub(crate) struct Bounded<'r> {
    pub(crate) entries: Vec<Node<'r>>,
    pub(crate) unread: u64,
    /// Whether there is a list at all.
    pub(crate) list: bool,
}

impl Bounded<'_> {
    /// Whether there is a list and nothing of it was left unread.
    pub(crate) fn whole(&self) -> bool {
        self.list && self.unread == 0
    }
}

/// The first [`ENTRIES_MAX`] entries of a value, if it is a list.
pub(crate) fn bounded(value: Option<Node<'_>>) -> Bounded<'_> {
    let Some(list) = value.and_then(Node::array) else { return Bounded::default() };
    let mut rest = list.entries();
    let entries = rest.by_ref().take(ENTRIES_MAX).collect();
    Bounded { entries, unread: crate::check::count(rest.count()), list: true }
}
