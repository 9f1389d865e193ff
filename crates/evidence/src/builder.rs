//! Builds the packet as the run goes: a message costs that message, a snapshot costs the packet.
//!
//! The original reads the whole transcript at every boundary and rebuilds each call in several
//! passes. Here every message is read once; what may still be selected is kept clipped, and the
//! slots of the packet (latest mutation per target, latest observation per command, latest
//! verification, latest problem, last reads) are ordered sets that change only for the calls a
//! message touched.

mod calls;
mod issues;
mod project;
mod slots;
mod tally;

use serde_json::Value;

use crate::canonical::{self, Digest, Digester};
use crate::semantics::ToolCatalogue;
use crate::transcript::{Normalizer, Row};

use calls::Calls;
use issues::IssueTail;
use slots::Slots;
pub use tally::{Tally, ToolTally};

/// Accumulates the messages of one turn.
#[derive(Clone, Debug)]
pub struct EvidenceBuilder {
    catalogue: ToolCatalogue,
    normalizer: Normalizer,
    messages: usize,
    /// The canonical text of the list of messages, still open.
    transcript: Digester,
    /// The calls and results in the order they came.
    events: Digester,
    reading: IssueTail,
    row_schemas: IssueTail,
    calls: Calls,
    slots: Slots,
}

/// Where a builder stood before messages that call nothing and answer nothing.
#[derive(Clone, Debug)]
pub struct Mark {
    normalizer: Normalizer,
    messages: usize,
    transcript: Digester,
}

impl EvidenceBuilder {
    /// Starts before the first message.
    #[must_use]
    pub fn new(catalogue: ToolCatalogue) -> Self {
        Self {
            catalogue,
            normalizer: Normalizer::new(),
            messages: 0,
            transcript: Digester::new(),
            events: Digester::new(),
            reading: IssueTail::default(),
            row_schemas: IssueTail::default(),
            calls: Calls::default(),
            slots: Slots::default(),
        }
    }

    /// Reads all messages of a list; anything else is an empty list with an issue.
    #[must_use]
    pub fn of(messages: &Value, catalogue: ToolCatalogue) -> Self {
        let mut builder = Self::new(catalogue);
        builder.reading.extend(Normalizer::input_issue(messages));
        for message in messages.as_array().into_iter().flatten() {
            builder.push(message);
        }
        builder
    }

    /// Adds the next message, in any shape the transcript module reads.
    pub fn push(&mut self, message: &Value) {
        self.transcript.push_text(if self.messages == 0 { "[" } else { "," });
        self.transcript.push(message);
        self.messages += 1;
        let read = self.normalizer.push(message);
        self.reading.extend(read.issues);
        self.row_schemas.extend(read.row_issues);
        for row in &read.rows {
            self.push_row(row);
        }
    }

    /// Remembers where the builder stands, at the cost of a hash state.
    #[must_use]
    pub fn mark(&self) -> Mark {
        Mark {
            normalizer: self.normalizer.clone(),
            messages: self.messages,
            transcript: self.transcript.clone(),
        }
    }

    /// Goes back to a mark. Only for messages that made no call, answered none and raised no issue:
    /// what a call left in the slots is not taken back.
    pub fn rewind(&mut self, mark: Mark) {
        self.normalizer = mark.normalizer;
        self.messages = mark.messages;
        self.transcript = mark.transcript;
    }

    /// How many messages were pushed.
    #[must_use]
    pub const fn message_count(&self) -> usize {
        self.messages
    }

    /// The digest of the messages' canonical JSON.
    #[must_use]
    pub fn transcript_digest(&self) -> Digest {
        let mut digester = self.transcript.clone();
        digester.push_text(if self.messages == 0 { "[]" } else { "]" });
        digester.finish()
    }

    /// The running digest over calls and results in the order they were pushed.
    #[must_use]
    pub fn events_digest(&self) -> Digest {
        self.events.clone().finish()
    }

    /// How the calls ended, by tool.
    #[must_use]
    pub fn tally(&mut self) -> &Tally {
        self.calls.settle(&mut self.slots);
        &self.slots.tally
    }

    /// Whether a result has no call.
    #[must_use]
    pub fn has_orphans(&self) -> bool {
        self.calls.orphan_count() > 0
    }

    /// Names of the tools called, each once, in call order.
    #[must_use]
    pub fn tools_used(&self) -> Vec<&str> {
        self.calls.tools_used()
    }

    /// Names of the tools of which a call completed with one good result, in call order.
    #[must_use]
    pub fn tools_succeeded(&mut self) -> Vec<&str> {
        self.calls.settle(&mut self.slots);
        self.slots.tools_succeeded()
    }

    fn push_row(&mut self, row: &Row) {
        match row {
            Row::User(_) => {}
            Row::Assistant(row) => {
                for call in &row.tool_calls {
                    let semantics = self.catalogue.semantics(call);
                    let command = self.calls.place(row.index, call, semantics);
                    self.push_event(["call", &call.id, &call.name, &command.hex()]);
                }
            }
            Row::ToolResult(row) => {
                let data = canonical::object_to_text(&row.data);
                let (outcome, origin) = (row.outcome.as_str(), row.origin.as_str());
                let (id, name) = (row.tool_call_id.as_str(), row.name.as_str());
                self.push_event(["result", id, name, outcome, origin, &data, &row.text]);
                self.calls.answer(row, &data);
            }
        }
    }

    /// Each part stands behind its length, so that no two events read alike.
    fn push_event<const N: usize>(&mut self, parts: [&str; N]) {
        for part in parts {
            self.events.push_text(&part.len().to_string());
            self.events.push_text(":");
            self.events.push_text(part);
        }
    }
}
