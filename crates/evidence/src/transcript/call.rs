//! One tool call of an assistant record, in any of the shapes providers give it.

use serde_json::{Map, Value};

use super::issue::{Issue, IssueCode};
use super::row::Call;
use crate::value::{at, field, first_text};

/// The calls of a record, wherever its store keeps them.
pub(super) fn raw_calls(record: &Value) -> Option<&Value> {
    at(record, &["_harn", "tool_calls"])
        .or_else(|| field(record, "tool_calls"))
        .or_else(|| at(record, &["message", "tool_calls"]))
}

fn call_name(call: &Value) -> &str {
    first_text([field(call, "name"), at(call, &["function", "name"]), field(call, "tool_name")])
}

fn raw_args(call: &Value) -> Option<&Value> {
    field(call, "args")
        .or_else(|| field(call, "arguments"))
        .or_else(|| at(call, &["function", "arguments"]))
}

/// A call as a row states it; a nameless one is none.
pub(super) fn call(raw: &Value) -> Option<Call> {
    let name = call_name(raw);
    if name.is_empty() {
        return None;
    }
    let id = first_text([field(raw, "id"), field(raw, "call_id"), field(raw, "tool_call_id")]);
    let args = raw_args(raw).map(|found| read_args(found).0).unwrap_or_default();
    Some(Call { id: id.to_owned(), name: name.to_owned(), args })
}

/// How a call's arguments read.
enum ArgsShape {
    Object,
    NotAnObject,
    NotJson,
}

fn read_args(raw: &Value) -> (Map<String, Value>, ArgsShape) {
    let parsed = match raw {
        Value::String(text) => match serde_json::from_str::<Value>(text) {
            Ok(parsed) => parsed,
            Err(_) => return (under_raw(raw.clone()), ArgsShape::NotJson),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            raw.clone()
        }
    };
    match parsed {
        Value::Object(fields) => (fields, ArgsShape::Object),
        other => (under_raw(other), ArgsShape::NotAnObject),
    }
}

fn under_raw(value: Value) -> Map<String, Value> {
    Map::from_iter([("_raw".to_owned(), value)])
}

/// What is wrong with one call of a record.
pub(super) fn call_issues(call: &Value, position: usize, at: i64, issues: &mut Vec<Issue>) {
    let mut report = |code| {
        issues.push(Issue::new(code, at, [("call_index", Value::from(position))]));
    };
    if !call.is_object() {
        report(IssueCode::ToolCallNotObject);
        return;
    }
    if call_name(call).is_empty() {
        report(IssueCode::ToolCallMissingName);
    }
    match raw_args(call).map(|raw| read_args(raw).1) {
        None | Some(ArgsShape::Object) => {}
        Some(ArgsShape::NotJson) => report(IssueCode::ToolCallArgsUnparsed),
        Some(ArgsShape::NotAnObject) => report(IssueCode::ToolCallArgsNotObject),
    }
}
