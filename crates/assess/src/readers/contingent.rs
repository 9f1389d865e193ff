//! Values that only results the model itself set aside carry.
//!
//! A row is this turn's by its stamp, else by the call it was declared on. One that was declared on the
//! answer and has no stamp names no call of its own: on a later turn it is read only from where the
//! ledger shows this turn to begin, or an earlier answer would make this one "not sure".

use super::Facts;
use crate::{
    gathered::Gathered,
    json::{Node, Object},
    pointer::{Place, RowField},
    reason::Reason,
    rows::bounded,
};

/// Every contingent row of this turn.
pub(super) fn rows(facts: &Facts<'_>, gathered: &mut Gathered<'_>) {
    if facts.ledger.contingent.is_empty() {
        return;
    }
    let since = match facts.turn_number {
        Some(turn) if turn > 1.0 => first_row_of_turn(facts, turn),
        _ => Some(0),
    };
    for &(index, row) in &facts.ledger.contingent {
        if of_this_turn(facts, index, row, since) {
            let place = Place::Ledger(index, RowField::Value);
            gathered.fire_at(Reason::ValueContingent, place);
        }
    }
}

fn of_this_turn(facts: &Facts<'_>, index: usize, row: Object<'_>, since: Option<usize>) -> bool {
    let [stamp, on] = row.pick(["turn", "declaredOn"]);
    if let (Some(stamp), Some(turn)) = (stamp.and_then(Node::number), facts.turn_number) {
        return stamp == turn;
    }
    if on.is_some_and(|on| on.is("answer")) {
        return since.is_some_and(|since| index >= since);
    }
    facts.is_call(on.and_then(Node::object).and_then(|on| on.get("toolCallId")))
}

/// The first row that shows this turn: by its stamp, else by naming a call of this turn. The ledger
/// is only ever appended to, so every row after it is this turn's as well.
fn first_row_of_turn(facts: &Facts<'_>, turn: f64) -> Option<usize> {
    facts.ledger.rows.iter().position(|entry| {
        let Some(row) = entry.object() else { return false };
        match row.get("turn").and_then(Node::number) {
            Some(stamp) => stamp == turn,
            None => names_a_call(facts, row),
        }
    })
}

fn names_a_call(facts: &Facts<'_>, row: Object<'_>) -> bool {
    let [own, on, carriers, witnesses] =
        row.pick(["toolCallId", "declaredOn", "carriers", "witnesses"]);
    let inside =
        |entry: Node<'_>| facts.is_call(entry.object().and_then(|object| object.get("toolCallId")));
    facts.is_call(own)
        || on.is_some_and(inside)
        || [carriers, witnesses]
            .into_iter()
            .any(|list| bounded(list).entries.into_iter().any(inside))
}
