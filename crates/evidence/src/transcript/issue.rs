//! What could not be read or paired, in the original's words.

use serde::Serialize;
use serde_json::{Map, Value};

/// The kinds of issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum IssueCode {
    /// The records are no list.
    InputNotList,
    /// A record is no object.
    RecordNotObject,
    /// A record has neither a known type nor a known role.
    UnrecognizedRecord,
    /// An assistant's `tool_calls` is no list.
    ToolCallsNotList,
    /// A call is no object.
    ToolCallNotObject,
    /// A call has no name; it is dropped.
    ToolCallMissingName,
    /// A call's arguments are text that is no JSON.
    ToolCallArgsUnparsed,
    /// A call's arguments are no object.
    ToolCallArgsNotObject,
    /// A row does not fit its schema.
    RowSchemaInvalid,
    /// A call has no id.
    ToolCallMissingId,
    /// Several calls share an id.
    DuplicateToolCallId,
    /// A call was not answered.
    ToolCallResultMissing,
    /// A call was answered more than once.
    DuplicateToolResult,
    /// The answer names another tool.
    ToolResultNameMismatch,
    /// An answer belongs to no call.
    OrphanToolResult,
}

impl IssueCode {
    /// Every code with its wire word and its fixed message.
    pub const ALL: [(Self, &'static str, &'static str); 15] = [
        (Self::InputNotList, "input_not_list", "transcript records must be a list"),
        (Self::RecordNotObject, "record_not_object", "transcript record must be an object"),
        (
            Self::UnrecognizedRecord,
            "unrecognized_record",
            "transcript record shape is not recognized",
        ),
        (Self::ToolCallsNotList, "tool_calls_not_list", "assistant tool_calls must be a list"),
        (Self::ToolCallNotObject, "tool_call_not_object", "tool call must be an object"),
        (
            Self::ToolCallMissingName,
            "tool_call_missing_name",
            "tool call is missing a canonical name",
        ),
        (
            Self::ToolCallArgsUnparsed,
            "tool_call_args_unparsed",
            "tool call arguments are not valid JSON",
        ),
        (
            Self::ToolCallArgsNotObject,
            "tool_call_args_not_object",
            "tool call arguments did not normalize to an object",
        ),
        (
            Self::RowSchemaInvalid,
            "row_schema_invalid",
            "a normalized row holds a count that is not a number",
        ),
        (
            Self::ToolCallMissingId,
            "tool_call_missing_id",
            "tool call cannot be paired because it has no id",
        ),
        (Self::DuplicateToolCallId, "duplicate_tool_call_id", "multiple tool calls share one id"),
        (
            Self::ToolCallResultMissing,
            "tool_call_result_missing",
            "tool call has no matching result",
        ),
        (
            Self::DuplicateToolResult,
            "duplicate_tool_result",
            "tool call has multiple matching results",
        ),
        (
            Self::ToolResultNameMismatch,
            "tool_result_name_mismatch",
            "tool result name does not match its call",
        ),
        (Self::OrphanToolResult, "orphan_tool_result", "tool result has no matching call"),
    ];

    fn entry(self) -> (&'static str, &'static str) {
        let found = Self::ALL.into_iter().find(|(code, ..)| *code == self);
        found.map(|(_, word, message)| (word, message)).unwrap_or_default()
    }

    /// The code's word on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.entry().0
    }

    /// The code's message. All but the one of `row_schema_invalid` are the original's, since they
    /// enter evidence ids; that one is its schema checker's there.
    #[must_use]
    pub fn message(self) -> &'static str {
        self.entry().1
    }
}

/// One issue. It accompanies the rows and never replaces them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Issue {
    /// What kind.
    pub code: IssueCode,
    /// The kind's message.
    pub message: &'static str,
    /// Position of the record: in the list as given for what could not be read (-1 for the list
    /// itself), among the object records for what could not be paired.
    pub record_index: i64,
    /// Facts of this case.
    pub details: Map<String, Value>,
}

impl Issue {
    pub(crate) fn new<const N: usize>(
        code: IssueCode,
        record_index: i64,
        details: [(&str, Value); N],
    ) -> Self {
        let details = details.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        Self { code, message: code.message(), record_index, details }
    }
}

/// A position as the wire has it.
pub(crate) fn wire_index(index: usize) -> i64 {
    i64::try_from(index).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_listed_once_and_is_what_serde_writes() {
        for (code, word, message) in IssueCode::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), word);
            assert_eq!((code.as_str(), code.message()), (word, message));
        }
    }
}
