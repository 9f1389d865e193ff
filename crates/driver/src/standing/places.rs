//! Where in a transcript the witnesses of a standing lie.

use std::collections::BTreeMap;

use quittance_assess::{Assessment, Place, Pointer};
use quittance_hosts::Position;
use serde_json::{Map, Value, json};

use super::state::State;

/// The place of each witness in the transcript, by the witness.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places(BTreeMap<Pointer<'static>, Position>);

impl Places {
    pub(super) fn of(assessment: &Assessment<'_>, state: &State<'_>) -> Self {
        let fired = assessment.reasons().iter().flat_map(|fired| &fired.witness);
        let checked = assessment.checked().iter().flat_map(|check| &check.witness);
        let placed = fired.chain(checked).filter_map(|witness| {
            let at = match witness {
                Pointer::History { index, .. } => state.result_at(*index),
                Pointer::State(Place::PausedCall) => state.paused_at(),
                Pointer::State(Place::StoppedAt) => state.stopped_at(),
                Pointer::State(_) => None,
            };
            Some((witness.clone().into_owned(), at?.clone()))
        });
        Self(placed.collect())
    }

    /// Where a witness lies.
    #[must_use]
    pub fn get(&self, witness: &Pointer<'static>) -> Option<&Position> {
        self.0.get(witness)
    }

    /// Each witness and where it lies.
    pub fn iter(&self) -> impl Iterator<Item = (&Pointer<'static>, &Position)> {
        self.0.iter()
    }

    /// The places by the witness as people are shown it: `{"history/2": {"line", "pointer"}}`.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let place = |(witness, at): (&Pointer<'static>, &Position)| {
            (witness.to_string(), json!({"line": at.line.0, "pointer": at.pointer}))
        };
        Value::Object(self.0.iter().map(place).collect::<Map<_, _>>())
    }
}
