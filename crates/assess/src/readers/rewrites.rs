//! The arguments that a middleware rewrote before the call ran.

use crate::{
    ids::IdMap,
    json::{Node, Object, Text},
};

/// The last rewrite of an argument.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rewrite {
    /// Its row among the middlewares' decisions.
    pub(super) index: usize,
    /// The middleware declared the value the person's or the app's.
    pub(super) given: bool,
}

/// The last rewrite of each argument of each call.
#[derive(Debug, Default)]
pub(super) struct Rewrites<'r>(IdMap<'r, IdMap<'r, Rewrite>>);

impl<'r> Rewrites<'r> {
    pub(super) fn read(decisions: &[Node<'r>]) -> Self {
        let mut rewrites = Self::default();
        for (index, row) in decisions.iter().enumerate() {
            if let Some(row) = row.object() {
                rewrites.add(index, row);
            }
        }
        rewrites
    }

    pub(super) fn of(&self, call: &Text<'_>, argument: &Text<'_>) -> Option<Rewrite> {
        self.0.get(call)?.get(argument).copied()
    }

    fn add(&mut self, index: usize, row: Object<'r>) {
        let [at, call, changed, from] = row.pick(["at", "toolCallId", "changedKeys", "from"]);
        let changed = changed.and_then(Node::array);
        let (Some(changed), Some(call)) = (changed, call.and_then(Node::string)) else { return };
        if !at.is_some_and(|at| at.is("tool")) {
            return;
        }
        // One map for the row: looking each key up in the text would be quadratic.
        let from = from.and_then(Node::object);
        let mut origins = IdMap::default();
        for (key, origin) in from.into_iter().flat_map(Object::members) {
            origins.insert(key, origin);
        }
        let arguments = self.0.or_insert_with(call, IdMap::default);
        for key in changed.entries().filter_map(Node::string) {
            let origin = origins.get(&key);
            let given = origin.is_some_and(|origin| origin.is("person") || origin.is("app"));
            arguments.insert(key, Rewrite { index, given });
        }
    }
}
