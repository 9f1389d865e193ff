//! What happened at a boundary, in order, as a host is told.

use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::record::Record;
use crate::verdict::JudgeDecision;

/// One event.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// The boundary is being adjudicated.
    TurnPhaseChanged {
        /// `verifying`.
        phase: &'static str,
        /// The candidate text.
        candidate_reply: String,
    },
    /// A judge is about to be asked. A decision always follows.
    JudgeStarted {
        /// The model call that proposed the stop.
        iteration: i64,
        /// What proposed it.
        trigger: Option<String>,
    },
    /// A record worth keeping.
    TypedCheckpoint {
        /// The record.
        record: Record,
    },
    /// A stage has decided.
    JudgeDecision {
        /// How.
        decision: Box<JudgeDecision>,
    },
}

impl Event {
    /// The record of a typed checkpoint; none of another event.
    #[must_use]
    pub const fn record(&self) -> Option<&Record> {
        match self {
            Self::TypedCheckpoint { record } => Some(record),
            Self::TurnPhaseChanged { .. }
            | Self::JudgeStarted { .. }
            | Self::JudgeDecision { .. } => None,
        }
    }
}

/// The events of a boundary, in order. A copy shares them, so that a boundary can be branched.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log(Vec<Arc<Event>>);

impl Log {
    pub(crate) fn push(&mut self, event: Event) {
        self.0.push(Arc::new(event));
    }

    pub(crate) fn record(&mut self, record: Record) {
        self.push(Event::TypedCheckpoint { record });
    }

    /// The events, first to last.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Event> {
        self.0.iter().map(Arc::as_ref)
    }
}

impl Serialize for Log {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}
