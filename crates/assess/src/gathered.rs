//! What the readers have found so far: reasons with their witnesses, checks, and support.

use std::collections::BTreeMap;

use crate::{
    check::Check,
    json::Text,
    pointer::{Place, Pointer},
    reason::Reason,
};

/// The fold's only state. Readers add to it and never look at it.
#[derive(Debug, Default)]
pub(crate) struct Gathered<'r> {
    /// Keyed in the order of the report; witnesses in the order they were found.
    pub(crate) fired: BTreeMap<Reason, Vec<Pointer<'r>>>,
    pub(crate) checked: Vec<Check<'r>>,
    pub(crate) support: Option<Text<'r>>,
}

impl<'r> Gathered<'r> {
    pub(crate) fn fire(&mut self, reason: Reason, witness: Pointer<'r>) {
        self.fired.entry(reason).or_default().push(witness);
    }

    pub(crate) fn fire_at(&mut self, reason: Reason, place: Place) {
        self.fire(reason, Pointer::State(place));
    }
}
