//! Readings of one thing that disagree.
//!
//! A row is this turn's when one of its readings is of a call of this turn. A row stamped with this turn
//! is, unless the record places every one of its readings in an earlier turn: a reading it does not
//! place, a list that is empty, or one too long to be read establishes nothing, so the doubt stays.

use std::cell::OnceCell;

use super::Facts;
use crate::{
    gathered::Gathered,
    ids::IdSet,
    json::{Node, Object, Text},
    pointer::{Place, RowField},
    reason::Reason,
    rows::bounded,
};

/// Every conflict of this turn.
pub(super) fn rows<'r>(facts: &Facts<'r>, gathered: &mut Gathered<'r>) {
    let earlier = Earlier { facts, calls: OnceCell::new() };
    for &(index, row) in &facts.ledger.conflicts {
        if of_this_turn(facts, row, &earlier) {
            gathered.fire_at(Reason::SourcesConflict, Place::Ledger(index, RowField::Kind));
        }
    }
}

fn of_this_turn<'r>(facts: &Facts<'r>, row: Object<'r>, earlier: &Earlier<'_, 'r>) -> bool {
    let [stamp, witnesses] = row.pick(["turn", "witnesses"]);
    let stamp = stamp.and_then(Node::number).zip(facts.turn_number);
    if stamp.is_some_and(|(stamp, turn)| stamp != turn) {
        return false;
    }
    let readings = bounded(witnesses);
    let call = |entry: &Node<'r>| entry.object().and_then(|reading| reading.get("toolCallId"));
    if readings.entries.iter().any(|entry| facts.is_call(call(entry))) {
        return true;
    }
    let placed =
        |entry: &Node<'r>| call(entry).and_then(Node::string).is_some_and(|id| earlier.has(&id));
    let all_earlier =
        readings.whole() && !readings.entries.is_empty() && readings.entries.iter().all(placed);
    stamp.is_some() && !all_earlier
}

/// The calls of earlier turns, collected when the first row asks.
struct Earlier<'f, 'r> {
    facts: &'f Facts<'r>,
    calls: OnceCell<IdSet<'r>>,
}

impl Earlier<'_, '_> {
    fn has(&self, id: &Text<'_>) -> bool {
        self.calls.get_or_init(|| self.facts.turn.earlier_calls()).contains(id)
    }
}
