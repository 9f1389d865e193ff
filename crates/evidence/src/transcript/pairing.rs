//! The rules that pair a call with its results, stated over counts so that a report over a whole
//! list and a builder that grows by one message apply the same ones.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::issue::{Issue, IssueCode, wire_index};

/// How a call stands against its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(
    clippy::exhaustive_enums,
    reason = "an answer: a new status must be thought about everywhere"
)]
pub enum LifecycleStatus {
    /// Exactly one call and one result share the id. A result that the harness wrote counts too.
    Completed,
    /// No result yet.
    Pending,
    /// No id, a shared id, or several results: which answers which cannot be told.
    Ambiguous,
}

impl LifecycleStatus {
    /// The status's word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Pending => "pending",
            Self::Ambiguous => "ambiguous",
        }
    }
}

/// What pairing needs to know of one call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallFacts<'a> {
    pub(crate) ordinal: usize,
    pub(crate) row_index: usize,
    pub(crate) name: &'a str,
    pub(crate) id: &'a str,
    /// How many calls carry this id, this one included.
    pub(crate) calls_with_id: usize,
    /// Whether this is the first of them, which alone reports that they share it.
    pub(crate) is_first_with_id: bool,
    pub(crate) results: usize,
    /// Name and row index of the result, looked at only when there is exactly one.
    pub(crate) only_result: Option<(&'a str, usize)>,
}

impl CallFacts<'_> {
    pub(crate) const fn status(&self) -> LifecycleStatus {
        if self.id.is_empty() || self.calls_with_id > 1 || self.results > 1 {
            LifecycleStatus::Ambiguous
        } else if self.results == 0 {
            LifecycleStatus::Pending
        } else {
            LifecycleStatus::Completed
        }
    }

    /// At most two issues: one about the id, one about the results.
    pub(crate) fn issues(&self) -> impl Iterator<Item = Issue> + use<> {
        [self.id_issue(), self.result_issue()].into_iter().flatten()
    }

    fn id_issue(&self) -> Option<Issue> {
        let at = wire_index(self.row_index);
        if self.id.is_empty() {
            let details =
                [("call_ordinal", Value::from(self.ordinal)), ("name", Value::from(self.name))];
            return Some(Issue::new(IssueCode::ToolCallMissingId, at, details));
        }
        (self.calls_with_id > 1 && self.is_first_with_id).then(|| {
            let details = [
                ("call_count", Value::from(self.calls_with_id)),
                ("tool_call_id", Value::from(self.id)),
            ];
            Issue::new(IssueCode::DuplicateToolCallId, at, details)
        })
    }

    fn result_issue(&self) -> Option<Issue> {
        let at = wire_index(self.row_index);
        let id = ("tool_call_id", Value::from(self.id));
        match (self.results, self.only_result) {
            (0, _) if self.id.is_empty() => None,
            (0, _) => {
                let details = [("name", Value::from(self.name)), id];
                Some(Issue::new(IssueCode::ToolCallResultMissing, at, details))
            }
            (1, Some((name, index))) if name != "unknown" && name != self.name => {
                let details =
                    [("call_name", Value::from(self.name)), ("result_name", Value::from(name)), id];
                Some(Issue::new(IssueCode::ToolResultNameMismatch, wire_index(index), details))
            }
            (1, _) => None,
            (count, _) => {
                let details = [("result_count", Value::from(count)), id];
                Some(Issue::new(IssueCode::DuplicateToolResult, at, details))
            }
        }
    }
}

/// The issue of a result that no call asked for; one with an empty id is always such.
pub(crate) fn orphan_issue(name: &str, id: &str, row_index: usize) -> Issue {
    let details = [("name", Value::from(name)), ("tool_call_id", Value::from(id))];
    Issue::new(IssueCode::OrphanToolResult, wire_index(row_index), details)
}
