//! What came back: results that are empty, and whether their emptiness was declared.

use super::Facts;
use crate::{
    check::{Check, CheckName, count},
    emptiness::Emptiness,
    gathered::Gathered,
    reason::Reason,
    results::TurnResult,
};

/// Every result of the turn. A result that has rows in it keeps a reason from firing and no more.
pub(super) fn shapes<'r>(facts: &Facts<'r>, gathered: &mut Gathered<'r>) {
    let mut readable = Vec::new();
    for result in &facts.results {
        if result.reading.emptiness != Emptiness::Unknown {
            readable.push(result.pointer());
        }
        if let Some(reason) = empty(result) {
            gathered.fire(reason, result.pointer());
        }
        if result.reading.own.is_some_and(|own| own.gap) {
            gathered.fire(Reason::CoverageGap, result.pointer());
        }
    }
    let of = count(facts.results.len());
    if of > 0 {
        let (name, ran) = (CheckName::ResultShape, count(readable.len()));
        gathered.checked.push(Check { name, ran, of, witness: readable });
    }
}

/// Why an empty result is a reason. An absence that a row holds has fired for itself already.
fn empty(result: &TurnResult<'_>) -> Option<Reason> {
    let absence_filed = result.filed.is_some_and(|door| door.absent);
    match result.reading.emptiness {
        Emptiness::DeclaredAbsent if !absence_filed => Some(Reason::DeclaredAbsent),
        Emptiness::UndeclaredEmpty if result.filed.is_none() => Some(Reason::EmptyUndeclared),
        _ => None,
    }
}
