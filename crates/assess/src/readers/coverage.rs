//! What the tools themselves declared: absences, gaps, and how many calls declared anything.

use super::Facts;
use crate::{
    check::{Check, CheckName, count},
    gathered::Gathered,
    ids::IdSet,
    pointer::{Place, Pointer},
    reason::Reason,
};

/// Every absence and every gap that a row holds.
pub(super) fn rows(facts: &Facts<'_>, gathered: &mut Gathered<'_>) {
    for row in &facts.coverage.rows {
        if row.absence {
            gathered.fire_at(Reason::DeclaredAbsent, Place::Coverage(row.index));
        }
        if row.gap {
            gathered.fire_at(Reason::CoverageGap, Place::Coverage(row.index));
        }
    }
}

/// How many calls of this turn declared what they cover: in a row, or in the result's own bytes. A
/// row or a result that names no call is counted by itself and never merged into another.
pub(super) fn calls<'r>(facts: &Facts<'r>, gathered: &mut Gathered<'r>) {
    let rows = &facts.coverage.rows;
    let mut witness: Vec<_> =
        rows.iter().map(|row| Pointer::State(Place::Coverage(row.index))).collect();
    // The original takes an empty id here for none, though it counts it as a call.
    let filed = rows.iter().filter_map(|row| row.call.clone());
    let mut declared: IdSet<'_> = filed.filter(|call| !call.is_empty()).collect();
    let mut unnamed_declared = 0;
    for result in facts.results.iter().filter(|result| result.reading.own.is_some()) {
        witness.push(result.pointer());
        match &result.call {
            Some(call) => _ = declared.add(call.clone()),
            None => unnamed_declared += 1,
        }
    }
    let unjoined = rows.iter().filter(|row| row.call.is_none()).count();
    let unnamed = facts.results.iter().filter(|result| result.call.is_none()).count();
    let of = count(facts.calls.len() + unjoined + unnamed);
    if of > 0 {
        let ran = count(declared.len() + unjoined + unnamed_declared);
        gathered.checked.push(Check { name: CheckName::ToolCoverage, ran, of, witness });
    }
}
