//! What the calls of this turn were made with: values still asked for, and values nobody gave.
//!
//! A traced value fires nothing and supports nothing.

use super::{Facts, rewrites::Rewrites};
use crate::{
    arguments::{ArgumentRow, Origin, Sourced},
    check::{Check, CheckName, count},
    gathered::Gathered,
    json::{Node, Object},
    pointer::{Place, Pointer, RowField},
    reason::Reason,
};

/// The turn ended with values still asked for: nothing of the batch has run.
pub(super) fn ask(facts: &Facts<'_>, gathered: &mut Gathered<'_>) {
    let waiting = |ask: Object<'_>| ask.get("waiting").and_then(Node::object).is_some();
    if !facts.argument_ask.and_then(Node::object).is_some_and(waiting) {
        return;
    }
    gathered.fire_at(Reason::ArgumentAsked, Place::AwaitedRequest);
    for row in facts.ledger.arguments.iter().filter(|row| row.asked) {
        gathered.fire_at(Reason::ArgumentAsked, Place::Ledger(row.index, RowField::Asked));
    }
}

/// The verdict on each argument: on the value the call ran with, which a middleware may have
/// rewritten after the row was filed.
pub(super) fn verdicts(facts: &Facts<'_>, gathered: &mut Gathered<'_>) {
    let mut rows = facts.ledger.arguments.iter().peekable();
    if rows.peek().is_none() {
        return;
    }
    let rewrites = Rewrites::read(&facts.decisions);
    let mut judged = 0;
    let (mut witness, mut reached) = (Vec::new(), Vec::new());
    for row in rows {
        witness.push(Pointer::State(Place::Ledger(row.index, RowField::Argument)));
        if let Some((reason, place)) = verdict(row, &rewrites) {
            gathered.fire_at(reason, place);
        }
        judged += u64::from(row.sourced != Sourced::NotStated);
        if row.sourced == Sourced::Verdict {
            reached.push(Pointer::State(Place::Ledger(row.index, RowField::Claimed)));
        }
    }
    gathered.checked.push(Check::complete(CheckName::ArgumentRules, witness));
    if judged > 0 {
        let (name, ran) = (CheckName::ArgumentSources, count(reached.len()));
        gathered.checked.push(Check { name, ran, of: judged, witness: reached });
    }
}

fn verdict(row: &ArgumentRow<'_>, rewrites: &Rewrites<'_>) -> Option<(Reason, Place)> {
    if let Some(rewrite) = rewrites.of(&row.call, &row.argument) {
        // What a middleware fills in earns no more than the same default declared as one.
        return (!rewrite.given)
            .then_some((Reason::ArgumentAssumed, Place::Rewrite(rewrite.index)));
    }
    let reason = match row.origin {
        Origin::Default => Reason::ArgumentAssumed,
        Origin::Model if row.ruled => Reason::ArgumentUnverified,
        _ if row.failed => Reason::ArgumentUnverified,
        Origin::Reading => Reason::ArgumentRead,
        Origin::SetAside => Reason::ValueContingent,
        Origin::Model | Origin::Other => return None,
    };
    Some((reason, Place::Ledger(row.index, RowField::Argument)))
}
