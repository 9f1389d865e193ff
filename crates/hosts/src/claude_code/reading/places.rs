//! Where a line stands in the tree, and whether that is on the chain.

use super::super::line::Line;
use super::super::tree::{NodeId, Part};
use super::held::{Open, Standing};
use super::{Before, Reading};
use crate::lines::Place;
use crate::options::TurnNumber;
use crate::sink::Sink;
use crate::source::Repair;

impl<S: Sink> Reading<S> {
    pub(super) fn before(&self, place: Place) -> Before {
        Before {
            queue: self.queue.clone(),
            tip: self.tip,
            tail: self.tail,
            opened: self.opened.clone(),
            node: self.cursor,
            place,
        }
    }

    pub(super) fn parent_of(&self, line: &Line) -> Option<NodeId> {
        let named = [line.parent.as_deref(), line.logical_parent.as_deref()];
        named.into_iter().find_map(|parent| self.named(parent))
    }

    /// The node that a line above has this id, or stands for.
    pub(super) fn named(&self, id: Option<&str>) -> Option<NodeId> {
        self.tree.find(id).filter(|node| *node < self.cursor)
    }

    /// What the opening of a turn hangs on. One that says it hangs on nothing begins a new tree,
    /// if the lines of this file say such things at all.
    pub(super) fn opening_parent(&self, line: &Line) -> Option<NodeId> {
        let named = self.parent_of(line);
        named.or(self.tip.filter(|_| !self.is_root(line)))
    }

    /// Whether a line says that it hangs on nothing, in a file whose lines say such things at all.
    pub(super) fn is_root(&self, line: &Line) -> bool {
        let silent = line.parent.is_none() && line.logical_parent.is_none();
        silent && self.tree.is_linked(self.cursor)
    }

    /// The opening of the turn that a line hangs in.
    pub(super) fn opening_of(&self, node: NodeId) -> Option<NodeId> {
        self.tree.ancestors(node).find(|node| self.marks.turn_at(*node).is_some())
    }

    /// The turn that an opening came after.
    pub(super) fn previous(&self, opening: NodeId) -> Option<TurnNumber> {
        self.marks.turn_at(self.opening_of(self.tree.parent(opening)?)?)
    }

    /// Puts a line into the tree; `None` if its id was there before.
    pub(super) fn fresh(
        &mut self,
        line: &Line,
        parent: Option<NodeId>,
        part: Part,
    ) -> Option<NodeId> {
        let node = self.cursor;
        if self.tree.node(line.uuid.as_deref()).is_some_and(|known| known < node) {
            if !self.is_again() {
                self.facts.add_repair(Repair::RepeatedLine);
            }
            return None;
        }
        self.cursor = node.following();
        if !self.is_again() {
            if self.parent_of(line).is_some() {
                self.tree.link(node);
            }
            if part == Part::Piece {
                self.piece(line);
            }
            self.tree.add(line.uuid.as_deref(), parent, part);
        }
        self.tip = Some(node);
        Some(node)
    }

    /// Puts a line of the running turn into the tree and says whether it is on the chain. `belongs`
    /// says whether it does wherever it hangs.
    pub(super) fn place(
        &mut self,
        line: &Line,
        part: Part,
        belongs: impl Fn(&Open<S>) -> bool,
    ) -> Option<Placed> {
        let parent = self.parent_of(line).or(self.tip);
        let node = self.fresh(line, parent, part)?;
        // Something else came first: nobody answered the command.
        self.proposal = None;
        let belongs = part != Part::Words && self.current.as_ref().is_some_and(belongs);
        let follows =
            |open: &Open<S>| parent.is_none_or(|parent| self.tree.footing(parent) == open.footing);
        let on = match (&self.chain, &self.current) {
            // Of a message the chain itself knows all pieces.
            (Some(chain), _) => (belongs && part != Part::Piece) || self.tree.is_of(node, chain),
            (None, Some(open)) => {
                let by_place = match part {
                    Part::Words => true,
                    // It would belong to the message at hand, if that were on the chain.
                    Part::Piece => !self.tree.goes_on(node),
                    Part::Answer { .. } | Part::Command => false,
                };
                !open.is_dirty() && (belongs || (by_place && follows(open)))
            }
            (None, None) => true,
        };
        let footing = self.tree.footing(node);
        if let Some(open) = &mut self.current {
            if self.chain.is_none() && open.standing == Standing::Again {
                open.standing = Standing::Clean;
            }
            open.soil(!on && self.chain.is_none());
            if on && part == Part::Words {
                open.footing = footing;
            }
        }
        Some(Placed { node, on })
    }

    /// A piece of a message of the agent: of the one at hand, or of the next.
    pub(super) fn piece(&mut self, line: &Line) {
        if line.message.id.is_none() || self.message != line.message.id {
            self.tree.start_message();
            self.message.clone_from(&line.message.id);
        }
    }
}

/// A line in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    pub(super) node: NodeId,
    pub(super) on: bool,
}
