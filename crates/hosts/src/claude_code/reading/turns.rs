//! Where a turn begins and ends, and which ended turns are kept.

use std::sync::Arc;

use super::super::line::Line;
use super::super::marks::Mark;
use super::super::tree::{NodeId, Part};
use super::super::turn::Live;
use super::held::{BeforeTurn, Open, Standing};
use super::places::Placed;
use super::{Before, Reading, Tail};
use crate::control::Provenance;
use crate::lines::Place;
use crate::options::TurnNumber;
use crate::session::{Opening, Turn, TurnIds, TurnStart};
use crate::sink::Sink;

impl<S: Sink> Reading<S> {
    /// Whether a person's words reach the agent at work instead of opening a turn.
    pub(super) fn steers(&self, line: &Line) -> bool {
        let Some((opening, prompt)) = &self.opened else { return false };
        if self.is_root(line) {
            return false;
        }
        let parent = self.named(line.parent.as_deref());
        match (&line.prompt_id, prompt) {
            // The words of one prompt hang in its turn; elsewhere they are another try at it.
            (Some(id), Some(current)) => id == current && parent.is_none_or(|at| at >= *opening),
            (Some(_), None) => false,
            (None, _) => self.tail == Tail::AtWork && parent.is_none_or(|at| Some(at) == self.tip),
        }
    }

    pub(super) fn prompt(
        &mut self,
        line: &Line,
        place: Place,
        (text, provenance): (String, Provenance),
    ) {
        self.proposal = None;
        let before = self.before(place);
        let parent = self.opening_parent(line);
        let Some(node) = self.fresh(line, parent, Part::Words) else { return };
        self.tail = Tail::Other;
        self.queue.open_turn(&text, self.marks.count() + 1);
        let previous = self.previous(node);
        let opened = Opened {
            opening: Opening::Person,
            provenance,
            text,
            ids: turn_ids(line),
            by_command: false,
        };
        self.open(opened, Before { node, ..before }, previous);
    }

    pub(super) fn propose(
        &mut self,
        line: &Line,
        place: Place,
        text: String,
        provenance: Provenance,
    ) {
        let before = self.before(place);
        let parent = self.parent_of(line).or(self.tip);
        let Some(node) = self.fresh(line, parent, Part::Command) else { return };
        let before = Before { node, ..before };
        let ids = turn_ids(line);
        self.proposal = Some(Proposal { text, provenance, ids, before });
    }

    /// The agent answers a command: it was a prompt.
    pub(super) fn open_proposal(&mut self) {
        let Some(proposal) = self.proposal.take() else { return };
        self.queue.open_turn(&proposal.text, self.marks.count() + 1);
        let Proposal { text, provenance, ids, before } = proposal;
        // Only here: many commands in a row would each walk back to the opening.
        let previous = self.previous(before.node);
        let opening = Opening::Person;
        let opened = Opened { opening, provenance, text, ids, by_command: true };
        self.open(opened, before, previous);
    }

    /// A line needs a turn and nobody opened one.
    pub(super) fn ensure_turn(&mut self, line: &Line, place: Place, placed: Placed) {
        let node = placed.node;
        if self.current.is_some() || !(placed.on || self.opened.is_none()) {
            return;
        }
        let before = Before { node, ..self.before(place) };
        let (opening, provenance) = (Opening::Unseen, Provenance::Heuristic);
        let text = String::new();
        self.open(
            Opened { opening, provenance, text, ids: turn_ids(line), by_command: false },
            before,
            None,
        );
    }

    pub(super) fn open(&mut self, opened: Opened, before: Before, previous: Option<TurnNumber>) {
        let on = self.chain.as_ref().is_none_or(|chain| self.tree.is_of(before.node, chain));
        if !self.is_again() {
            self.tree.open(before.node);
            if opened.opening != Opening::Unseen {
                self.message = None;
            }
        }
        let number = self.number(&opened, before.node, previous);
        if !on {
            return;
        }
        self.close();
        self.tangled |= !self.is_again() && self.leaves_behind(before.node, previous);
        let start = TurnStart {
            number,
            opening: opened.opening,
            provenance: opened.provenance,
            line: before.place.line,
            ids: opened.ids,
            task: opened.text.clone(),
        };
        let turn = Turn::starting(start, S::start(&self.catalogue));
        let mut live = Live::new(turn);
        live.open(opened.text);
        let footing = self.tree.footing(before.node);
        let past = self.past_of_asked(number);
        self.current = Some(Open {
            live,
            before,
            footing,
            standing: Standing::Clean,
            by_command: opened.by_command,
            heard: false,
            past,
        });
    }

    /// Numbers a turn that opens. Openings are numbered as they stand in the file; what a chain
    /// finds between them, hanging on none, goes with the one before.
    fn number(
        &mut self,
        opened: &Opened,
        node: NodeId,
        previous: Option<TurnNumber>,
    ) -> TurnNumber {
        if self.is_again() && opened.opening == Opening::Unseen && self.opened.is_some() {
            return TurnNumber::after(self.marks.count().saturating_sub(1));
        }
        self.opened = Some((node, opened.ids.prompt.clone()));
        self.calls.clear();
        self.left.clear();
        self.marks.open(Mark { node, previous, end: None })
    }

    /// Whether an opening hangs in the middle of an earlier turn: then the rest of that turn is on
    /// no chain.
    pub(super) fn leaves_behind(&self, opening: NodeId, previous: Option<TurnNumber>) -> bool {
        let Some(parent) = self.tree.parent(opening) else { return false };
        match previous {
            Some(previous) => !self.marks.ended_at(previous, self.tree.footing(parent)),
            // What stands before any opening is a turn too, whose opening was not seen.
            None => self.tree.ancestors(parent).any(|node| self.tree.speaks(node)),
        }
    }

    /// Ends the current turn and keeps it where it may still be wanted.
    pub(super) fn close(&mut self) {
        let Some(mut open) = self.current.take() else { return };
        open.live.finish();
        self.call_ids.close_turn();
        self.marks.remember(&open.live.turn, open.live.observed.as_ref());
        self.marks.end(open.live.turn.number, open.footing);
        if open.past.is_some() {
            Arc::make_mut(&mut self.earlier_writes).absorb(&open.live.turn.writes);
            self.asked = Some(open);
        } else if open.live.turn.spoke {
            self.retire_spoken();
            self.spoken = Some(open);
        } else {
            Arc::make_mut(&mut self.earlier_writes).absorb(&open.live.turn.writes);
        }
    }

    /// What came before the turn that was asked for, while it is still at hand.
    pub(super) fn past_of_asked(&mut self, number: TurnNumber) -> Option<BeforeTurn> {
        if Some(number) != self.asked_for {
            return None;
        }
        self.retire_spoken();
        Some(BeforeTurn {
            writes: Arc::clone(&self.earlier_writes),
            history: self.marks.history(number),
        })
    }

    /// The current turn, if it is the one that was opened last: one on a branch that was left may
    /// have been opened since, and then what has no place in the tree is that one's.
    pub(super) fn running(&mut self) -> Option<&mut Open<S>> {
        let opened = self.opened.as_ref().map(|(opening, _)| *opening);
        self.current.as_mut().filter(|open| Some(open.before.node) == opened)
    }
}

/// How a turn opens.
#[derive(Debug)]
pub(super) struct Opened {
    pub(super) opening: Opening,
    pub(super) provenance: Provenance,
    pub(super) text: String,
    pub(super) ids: TurnIds,
    pub(super) by_command: bool,
}

/// A command of the host that opens a turn if the agent answers it next.
#[derive(Debug)]
pub(super) struct Proposal {
    pub(super) text: String,
    pub(super) provenance: Provenance,
    pub(super) ids: TurnIds,
    pub(super) before: Before,
}

/// The ids a turn gets from its first line.
pub(super) fn turn_ids(line: &Line) -> TurnIds {
    TurnIds { session: line.session_id.clone(), prompt: line.prompt_id.clone() }
}
