//! The rows of a turn, as far as the fold can look at them.
//!
//! What nobody's answer hangs on is dropped as it is read: the words of a person and of the agent,
//! and a result that cannot be JSON, of which the fold only counts that it came.

use std::collections::BTreeMap;

use quittance_evidence::transcript::{AssistantRow, Normalizer, Row, ToolResultRow};
use quittance_hosts::{Catalogue, Position, RowPosition, Sink};
use serde_json::Value;

/// What evidence names a tool that a result does not name.
const UNNAMED: &str = "unknown";

/// Takes the rows of one turn for [`Standing::of`](super::Standing::of).
#[derive(Clone, Debug, Default)]
pub struct StandingRows {
    normalizer: Normalizer,
    pub(super) rows: Vec<Kept>,
    /// The calls that no result has answered yet.
    pub(super) open_calls: BTreeMap<String, OpenCall>,
}

/// What is kept of a row.
#[derive(Clone, Debug)]
pub(super) enum Kept {
    Person,
    Agent,
    Result(KeptResult),
}

/// What is kept of a result; a text that is empty is none.
#[derive(Clone, Debug)]
pub(super) struct KeptResult {
    pub(super) call: String,
    pub(super) tool: String,
    pub(super) text: String,
    pub(super) at: Position,
}

/// A call that waits for its result.
#[derive(Clone, Debug)]
pub(super) struct OpenCall {
    pub(super) tool: String,
    pub(super) at: Position,
}

/// Where the rows stood, for going back there.
#[derive(Clone, Debug)]
pub struct Mark {
    normalizer: Normalizer,
    rows: usize,
}

impl Sink for StandingRows {
    type Mark = Mark;

    fn start(_catalogue: &Catalogue) -> Self {
        Self::default()
    }

    fn push(&mut self, record: &Value, at: &RowPosition) {
        for row in self.normalizer.push(record).rows {
            let kept = match row {
                Row::User(_) => Kept::Person,
                Row::Assistant(row) => self.said(row, &at.calls),
                Row::ToolResult(row) => self.answered(row, at.row.clone()),
            };
            self.rows.push(kept);
        }
    }

    fn mark(&self) -> Mark {
        Mark { normalizer: self.normalizer.clone(), rows: self.rows.len() }
    }

    fn rewind(&mut self, mark: Mark) {
        self.normalizer = mark.normalizer;
        self.rows.truncate(mark.rows);
    }
}

impl StandingRows {
    fn said(&mut self, row: AssistantRow, at: &[Position]) -> Kept {
        for (call, at) in row.tool_calls.into_iter().zip(at) {
            self.open_calls.insert(call.id, OpenCall { tool: call.name, at: at.clone() });
        }
        Kept::Agent
    }

    fn answered(&mut self, row: ToolResultRow, at: Position) -> Kept {
        self.open_calls.remove(&row.tool_call_id);
        let tool = if row.name == UNNAMED { String::new() } else { row.name };
        let text = if may_be_json(&row.text) { row.text } else { String::new() };
        Kept::Result(KeptResult { call: row.tool_call_id, tool, text, at })
    }
}

/// Whether a text may be a JSON list or object, by its first character that is no blank. Every
/// blank of JavaScript is taken for one, so nothing that the fold could read is dropped.
fn may_be_json(text: &str) -> bool {
    let blank = |c: char| c.is_whitespace() || c == '\u{feff}';
    text.trim_start_matches(blank).starts_with(['[', '{'])
}

#[cfg(test)]
mod tests {
    use super::may_be_json;

    #[test]
    fn only_what_no_reader_could_read_is_dropped() {
        for text in ["[]", " \u{feff}\u{a0}\n{}", "[not json", "\u{85}{}"] {
            assert!(may_be_json(text), "{text:?}");
        }
        for text in ["", "ok", "\"[]\"", "0", "exit []"] {
            assert!(!may_be_json(text), "{text:?}");
        }
    }
}
