//! Where the turns of a file begin, what each came after, and the last few in brief.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use quittance_evidence::clip;

use super::tree::{Footing, NodeId};
use crate::options::TurnNumber;
use crate::session::{Past, Turn};
use crate::writes::Observed;

/// How many earlier turns are given in brief: context for a judge, who reads a page and not a book.
const PAST_GIVEN: usize = 8;
/// How many are kept for that: turns that were taken back stand between those of the chain.
const PAST_KEPT: usize = 64;

/// The beginning of a turn.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Mark {
    pub(super) node: NodeId,
    /// The turn it came after, which is not the one before it where something was taken back.
    pub(super) previous: Option<TurnNumber>,
    /// Where the turn's chain stood when it ended.
    pub(super) end: Option<Footing>,
}

/// The turns of a file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Marks {
    marks: Vec<Mark>,
    past: VecDeque<Past>,
    /// Which turns the agent spoke in.
    spoke: Vec<TurnNumber>,
    /// The last verification of each turn that ran one.
    observed: BTreeMap<TurnNumber, Observed>,
}

impl Marks {
    /// Adds a turn.
    pub(super) fn open(&mut self, mark: Mark) -> TurnNumber {
        let number = TurnNumber::after(self.count());
        self.marks.push(mark);
        number
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        self.marks.len() as u64
    }

    /// The turn that a node opens.
    pub(super) fn turn_at(&self, node: NodeId) -> Option<TurnNumber> {
        let at = self.marks.binary_search_by_key(&node, |mark| mark.node).ok()?;
        Some(TurnNumber::after(at as u64))
    }

    /// Notes where a turn's chain stood when it ended.
    pub(super) fn end(&mut self, number: TurnNumber, footing: Footing) {
        if let Some(mark) = self.get_mut(number) {
            mark.end = Some(footing);
        }
    }

    /// Whether a turn's chain ended where another turn goes on.
    pub(super) fn ended_at(&self, number: TurnNumber, footing: Footing) -> bool {
        self.get(number).is_none_or(|mark| mark.end == Some(footing))
    }

    /// Forgets the turn that a node opens and all after it.
    pub(super) fn close_from(&mut self, node: NodeId) {
        let at = self.marks.partition_point(|mark| mark.node < node);
        self.marks.truncate(at);
    }

    /// Keeps a turn in brief.
    pub(super) fn remember<S>(&mut self, turn: &Turn<S>, observed: Option<&Observed>) {
        if !turn.writes.is_empty() {
            self.written();
        }
        if let Some(observed) = observed {
            self.observed.insert(turn.number, observed.clone());
        }
        if turn.spoke {
            self.spoke.push(turn.number);
        }
        self.past.push_back(Past {
            turn: turn.number,
            task: clip::FIELD.apply(&turn.task),
            answer: clip::FIELD.apply(turn.candidate()),
        });
        if self.past.len() > PAST_KEPT {
            self.past.pop_front();
        }
    }

    /// Something was written after all verifications that are kept.
    pub(super) fn written(&mut self) {
        for observed in self.observed.values_mut() {
            observed.written_since = true;
        }
    }

    /// The last turn before this one, on its chain, in which the agent spoke.
    pub(super) fn spoken_before(&self, number: TurnNumber) -> Option<TurnNumber> {
        self.chain(number).find(|turn| self.spoke.binary_search(turn).is_ok())
    }

    /// The last verification before a turn, on its chain.
    pub(super) fn observed_before(&self, number: TurnNumber) -> Option<&Observed> {
        if self.observed.is_empty() {
            return None;
        }
        self.chain(number).find_map(|turn| self.observed.get(&turn))
    }

    /// What came before a turn on its chain, oldest first.
    pub(super) fn history(&self, number: TurnNumber) -> Vec<Past> {
        let chain: Vec<TurnNumber> = self.chain(number).take(PAST_GIVEN).collect();
        self.past.iter().filter(|past| chain.contains(&past.turn)).cloned().collect()
    }

    /// The turns before a turn, the latest first. Each came after an earlier one, so this ends.
    fn chain(&self, number: TurnNumber) -> impl Iterator<Item = TurnNumber> + '_ {
        let previous =
            |turn: &TurnNumber| self.get(*turn)?.previous.filter(|previous| previous < turn);
        std::iter::successors(previous(&number), previous)
    }

    fn get(&self, number: TurnNumber) -> Option<&Mark> {
        self.marks.get(usize::try_from(number.get() - 1).ok()?)
    }

    fn get_mut(&mut self, number: TurnNumber) -> Option<&mut Mark> {
        self.marks.get_mut(usize::try_from(number.get() - 1).ok()?)
    }
}
