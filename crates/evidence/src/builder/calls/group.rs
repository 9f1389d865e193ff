//! All calls and results that carry one id, kept clipped.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::changed_paths::changed_paths;
use crate::clip::{self, Gather};
use crate::transcript::{Origin, Outcome, ToolResultRow};
use crate::value::{field, text};

/// Everything that carries one id.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) id: String,
    pub(super) calls: Vec<usize>,
    pub(super) results: usize,
    pub(super) dispatched: usize,
    pub(super) last_index: usize,
    pub(super) first_name: String,
    pub(super) first_outcome: Outcome,
    pub(super) observation: Gather,
    pub(super) facts: String,
    pub(super) has_error: bool,
    pub(super) handle: String,
    pub(super) changed: Arc<BTreeSet<String>>,
    /// Results that came before any call.
    pub(super) early: Vec<usize>,
}

impl Group {
    pub(super) fn new(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            calls: Vec::new(),
            results: 0,
            dispatched: 0,
            last_index: 0,
            first_name: String::new(),
            first_outcome: Outcome::Unknown,
            observation: Gather::new(clip::FIELD),
            facts: "{}".to_owned(),
            has_error: false,
            handle: String::new(),
            changed: Arc::default(),
            early: Vec::new(),
        }
    }

    /// Adds a result, with the canonical text of its data.
    pub(super) fn push(&mut self, row: &ToolResultRow, data: &str) {
        if self.results == 0 {
            self.first_name.clone_from(&row.name);
            self.first_outcome = row.outcome;
        }
        self.results += 1;
        self.last_index = row.index;
        if row.origin == Origin::Dispatch {
            self.push_dispatched(row, data);
        }
    }

    fn push_dispatched(&mut self, row: &ToolResultRow, data: &str) {
        self.dispatched += 1;
        self.observation.push(&row.text);
        self.facts = clip::FIELD.apply(data);
        self.has_error |= row.outcome == Outcome::Error;
        let handle = minted_handle(&row.data);
        if !handle.is_empty() {
            self.handle = handle;
        }
        if row.outcome == Outcome::Ok {
            Arc::make_mut(&mut self.changed).extend(changed_paths(&row.data));
        }
    }

    /// Whether every result was written by the harness: then the call was never run.
    pub(super) const fn is_harness_only(&self) -> bool {
        self.results > 0 && self.dispatched == 0
    }

    /// The outcome of a completed call: one call, one result, whoever wrote it.
    pub(super) fn completed(&self) -> Option<Outcome> {
        (self.calls.len() == 1 && self.results == 1 && !self.id.is_empty())
            .then_some(self.first_outcome)
    }
}

/// A background handle that a result hands out: in its run outcome, else in the data itself.
fn minted_handle(data: &Map<String, Value>) -> String {
    let outcome = data.get("run_outcome").filter(|outcome| !outcome.is_null());
    let handle = match outcome {
        Some(outcome) => field(outcome, "handle_id"),
        None => data.get("handle_id"),
    };
    text(handle).trim().to_owned()
}
