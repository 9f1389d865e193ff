//! Reading again: when the chain turns out to be another than was read, and from where.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::marks::Marks;
use super::super::queue::Queue;
use super::super::tree::{NodeId, Tree};
use super::held::{Open, Standing};
use super::{Before, Reading, Tail};
use crate::call_ids::CallIds;
use crate::lines::Place;
use crate::sink::Sink;

impl<S: Sink> Reading<S> {
    /// Whether the current turn, which ends now, must be read again first.
    pub(super) fn must_read_again(&mut self) -> bool {
        let Some(open) = &self.current else { return false };
        let wanted = open.heard || Some(open.live.turn.number) == self.asked_for;
        let settled = open.standing == Standing::Again;
        let unsettled = (open.is_dirty() || self.stands_aside(open)) && !settled;
        if !unsettled || !wanted || self.is_again() {
            return false;
        }
        let ends_elsewhere = self.ends_elsewhere();
        self.tangled |= ends_elsewhere;
        !ends_elsewhere
    }

    /// The line that the chain ends in. A command that nobody answered yet is behind it, not on it.
    pub(super) fn end(&self) -> Option<NodeId> {
        self.proposal.as_ref().map_or(self.tip, |proposal| proposal.before.tip)
    }

    /// Whether the last line hangs beside the chain: then the chain that ends in it is another.
    pub(super) fn stands_aside(&self, open: &Open<S>) -> bool {
        self.end().is_some_and(|tip| self.tree.footing(tip) != open.footing)
    }

    /// Whether the last line hangs on another turn than the current one.
    pub(super) fn ends_elsewhere(&self) -> bool {
        let opening = self.end().and_then(|end| self.opening_of(end));
        self.current.as_ref().is_some_and(|open| opening != Some(open.before.node))
    }

    /// Prepares for reading the current turn again: from where, and what to do with its lines.
    pub(in crate::claude_code) fn turn_again(&mut self) -> Option<Place> {
        // What stands before the first turn, between a command and its answer, or in a turn that was
        // left, is counted beside this turn: reading it twice would count it twice.
        let alone = self.running().is_some_and(|open| !open.by_command);
        if self.marks.count() <= 1 || !alone {
            return self.all_again();
        }
        let end = self.end();
        let open = self.current.take()?;
        let tip = end.unwrap_or(open.before.node);
        self.chain = Some(self.tree.chain(tip, Some(open.before.node)));
        self.marks.close_from(open.before.node);
        self.call_ids.reset_turn();
        Some(self.go_back(open.before))
    }

    /// Prepares for reading the whole file again along one chain.
    pub(in crate::claude_code) fn all_again(&mut self) -> Option<Place> {
        let chain = self.tree.chain(self.end()?, None);
        let start = Self::start();
        self.current = None;
        self.spoken = None;
        self.asked = None;
        self.marks = Marks::default();
        self.call_ids = CallIds::default();
        self.earlier_writes = Arc::default();
        self.left = BTreeMap::new();
        self.tangled = false;
        self.retold = true;
        self.chain = Some(chain);
        Some(self.go_back(start))
    }

    pub(super) fn go_back(&mut self, before: Before) -> Place {
        self.words.clone_from(&self.facts.unknown_words);
        self.cursor = before.node;
        self.queue = before.queue;
        self.tip = before.tip;
        self.tail = before.tail;
        self.opened = before.opened;
        self.proposal = None;
        before.place
    }

    /// Ends reading again.
    pub(in crate::claude_code) fn again_done(&mut self) {
        let end = self.end().map(|end| self.tree.footing(end));
        if let Some(open) = &mut self.current {
            open.standing = Standing::Again;
            open.footing = end.unwrap_or(open.footing);
        }
        self.chain = None;
        self.facts.unknown_words = std::mem::take(&mut self.words);
    }

    pub(super) fn start() -> Before {
        Before {
            queue: Queue::default(),
            tip: None,
            tail: Tail::Other,
            opened: None,
            node: Tree::default().next(),
            place: Place { offset: 0, line: crate::source::LineNumber(1) },
        }
    }

    /// What has to be read again before the turn can be given.
    pub(in crate::claude_code) fn unsettled(&self) -> Unsettled {
        let Some(open) = &self.current else { return Unsettled::Nothing };
        if self.tangled || self.ends_elsewhere() {
            return Unsettled::Everything;
        }
        if open.is_dirty() || self.stands_aside(open) {
            return Unsettled::Turn;
        }
        let silent = !open.live.turn.spoke && self.asked_for.is_none();
        let kept = self.spoken.as_ref().map(|spoken| spoken.live.turn.number);
        let wanted = self.marks.spoken_before(open.live.turn.number);
        if silent && self.tree.is_linked(self.cursor) && kept != wanted {
            return Unsettled::Everything;
        }
        Unsettled::Nothing
    }
}

/// What has to be read again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::claude_code) enum Unsettled {
    Nothing,
    Turn,
    Everything,
}
