//! What period each read covered.
//!
//! Every row counts, also the second under one call: a provider may use an id again, and a later row
//! that is fine must not hide an earlier one that is not. A reason also points at the argument row that
//! chose the period, so that a reader can say whose period it was.

use super::Facts;
use crate::{
    check::{Check, CheckName},
    gathered::Gathered,
    ledger::PeriodRow,
    pointer::{Place, Pointer, RowField},
    reason::Reason,
};

/// Every period row of this turn. A period the store held fires nothing and supports nothing.
pub(super) fn verdicts<'r>(facts: &Facts<'r>, gathered: &mut Gathered<'r>) {
    let rows = &facts.ledger.periods;
    if rows.is_empty() {
        return;
    }
    for row in rows {
        let argument = row.argument.as_ref();
        let chosen_by = argument.and_then(|name| facts.ledger.arguments.of(&row.call, name));
        for (reason, field) in reasons(row) {
            gathered.fire_at(reason, Place::Ledger(row.index, field));
            if let Some(chosen_by) = chosen_by {
                let place = Place::Ledger(chosen_by.index, RowField::Argument);
                gathered.fire_at(reason, place);
            }
        }
    }
    let at = |row: &PeriodRow<'_>| Pointer::State(Place::Ledger(row.index, RowField::Verdict));
    let witness = rows.iter().map(at).collect();
    gathered.checked.push(Check::complete(CheckName::ResultPeriod, witness));
}

fn reasons(row: &PeriodRow<'_>) -> impl Iterator<Item = (Reason, RowField)> {
    let verdict = match row.verdict.as_bytes() {
        b"not-held" => Some(Reason::PeriodNotHeld),
        b"partly-held" => Some(Reason::PeriodPartlyHeld),
        b"unknown" => Some(Reason::PeriodUnknown),
        b"undeclared" => Some(Reason::PeriodUndeclared),
        _ => None,
    };
    let differs = row.differs.then_some((Reason::PeriodDiffersFromAsked, RowField::Differs));
    let beyond =
        row.beyond_retention.then_some((Reason::PeriodBeyondRetention, RowField::BeyondRetention));
    let verdict = verdict.map(|reason| (reason, RowField::Verdict));
    [differs, beyond, verdict].into_iter().flatten()
}
