//! Where the records of a turn go.

use quittance_evidence::{EvidenceBuilder, ToolCatalogue};
use serde_json::Value;

use crate::catalogue::Catalogue;
use crate::position::RowPosition;

/// Takes the records of one turn, in order, in the message shape `quittance-evidence` normalizes.
pub trait Sink: Sized {
    /// Where a sink stood.
    type Mark: std::fmt::Debug;

    /// Starts before the first record of a turn.
    fn start(catalogue: &Catalogue) -> Self;
    /// Takes the next record, and where it was read.
    fn push(&mut self, record: &Value, at: &RowPosition);
    /// Remembers where the sink stands.
    fn mark(&self) -> Self::Mark;
    /// Forgets the records since a mark; none of them calls or answers anything.
    fn rewind(&mut self, mark: Self::Mark);
}

impl Sink for EvidenceBuilder {
    type Mark = quittance_evidence::builder::Mark;

    fn start(catalogue: &Catalogue) -> Self {
        Self::new(catalogue.for_evidence())
    }

    fn push(&mut self, record: &Value, _at: &RowPosition) {
        Self::push(self, record);
    }

    fn mark(&self) -> Self::Mark {
        Self::mark(self)
    }

    fn rewind(&mut self, mark: Self::Mark) {
        Self::rewind(self, mark);
    }
}

impl Catalogue {
    /// The tools as evidence knows them: what observes, what mutates, what verifies.
    #[must_use]
    pub fn for_evidence(&self) -> ToolCatalogue {
        let tools = ToolCatalogue::from_value(&self.registry(), &Value::Null);
        self.verifying().iter().fold(tools, |tools, (tool, commands)| {
            tools.with_verifying(tool, commands.iter().cloned())
        })
    }
}

/// Gives every record to two sinks, so that one reading serves both.
impl<A: Sink, B: Sink> Sink for (A, B) {
    type Mark = (A::Mark, B::Mark);

    fn start(catalogue: &Catalogue) -> Self {
        (A::start(catalogue), B::start(catalogue))
    }

    fn push(&mut self, record: &Value, at: &RowPosition) {
        self.0.push(record, at);
        self.1.push(record, at);
    }

    fn mark(&self) -> Self::Mark {
        (self.0.mark(), self.1.mark())
    }

    fn rewind(&mut self, mark: Self::Mark) {
        self.0.rewind(mark.0);
        self.1.rewind(mark.1);
    }
}

/// Keeps nothing: for reading what stands around the rows.
#[derive(Debug)]
pub(crate) struct Unkept;

impl Sink for Unkept {
    type Mark = ();

    fn start(_catalogue: &Catalogue) -> Self {
        Self
    }

    fn push(&mut self, _record: &Value, _at: &RowPosition) {}

    fn mark(&self) {}

    fn rewind(&mut self, _mark: ()) {}
}

/// Keeps every record, for tests and for whoever wants to see them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records(
    /// The records in order.
    pub Vec<Value>,
);

impl Sink for Records {
    type Mark = usize;

    fn start(_catalogue: &Catalogue) -> Self {
        Self::default()
    }

    fn push(&mut self, record: &Value, _at: &RowPosition) {
        self.0.push(record.clone());
    }

    fn mark(&self) -> usize {
        self.0.len()
    }

    fn rewind(&mut self, mark: usize) {
        self.0.truncate(mark);
    }
}
