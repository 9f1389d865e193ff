//! Records to rows, one record at a time.

use serde_json::{Map, Value};

use super::call::{call, call_issues, raw_calls};
use super::issue::{Issue, IssueCode, wire_index};
use super::legacy;
use super::row::{AssistantRow, Origin, Outcome, Row, ToolResultRow, Usage, UserRow};
use crate::value::{at, field, first_text, integer, text, type_name};

/// Reads records in order and remembers only what later records depend on.
#[derive(Clone, Debug)]
pub struct Normalizer {
    /// Position of the next record in the list as given.
    position: usize,
    /// Position of the next record among the object records.
    index: usize,
    rows: usize,
    next_iteration: i64,
    last_assistant: i64,
    legacy_results: usize,
}

/// What one record became.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Normalized {
    /// The rows, usually one.
    pub rows: Vec<Row>,
    /// What could not be read of it.
    pub issues: Vec<Issue>,
    /// Rows that do not fit their schema; the original lists these after all other reading issues.
    pub row_issues: Vec<Issue>,
}

impl Normalizer {
    /// Starts before the first record.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            position: 0,
            index: 0,
            rows: 0,
            next_iteration: 0,
            last_assistant: -1,
            legacy_results: 0,
        }
    }

    /// Reads the next record.
    pub fn push(&mut self, record: &Value) -> Normalized {
        let position = self.position;
        self.position += 1;
        if !record.is_object() {
            let actual = ("actual_type", Value::from(type_name(record)));
            let issue = Issue::new(IssueCode::RecordNotObject, wire_index(position), [actual]);
            return Normalized { issues: vec![issue], ..Normalized::default() };
        }
        let issues = record_issues(record, position);
        let rows = self.rows_of(record);
        let row_issues = self.count_rows(&rows);
        self.index += 1;
        Normalized { rows, issues, row_issues }
    }

    /// The one issue of an input that is no list of records; null raises none.
    #[must_use]
    pub fn input_issue(input: &Value) -> Option<Issue> {
        (!input.is_null() && !input.is_array()).then(|| {
            let actual = ("actual_type", Value::from(type_name(input)));
            Issue::new(IssueCode::InputNotList, -1, [actual])
        })
    }

    fn rows_of(&mut self, record: &Value) -> Vec<Row> {
        let kind = field(record, "type").and_then(Value::as_str);
        let role = role(record);
        if is_tagged_result(record) {
            vec![self.tool_row(record)]
        } else if kind == Some("response") || role == "assistant" {
            vec![self.assistant_row(record)]
        } else if is_result_role(role) {
            vec![self.tool_row(record)]
        } else if kind == Some("request") {
            self.legacy_rows(record)
        } else if role == "user" {
            vec![self.user_row(record)]
        } else {
            Vec::new()
        }
    }

    fn assistant_row(&mut self, record: &Value) -> Row {
        let iteration = field(record, "iteration").and_then(integer).unwrap_or(self.next_iteration);
        self.next_iteration = self.next_iteration.max(iteration.saturating_add(1));
        self.last_assistant = iteration;
        let said = field(record, "text")
            .or_else(|| field(record, "content"))
            .or_else(|| at(record, &["message", "content"]));
        let calls = raw_calls(record).and_then(Value::as_array);
        Row::Assistant(AssistantRow {
            iteration,
            index: self.index,
            text: said.map(content_text).unwrap_or_default(),
            tool_calls: calls.into_iter().flatten().filter_map(call).collect(),
            provider: either(record, &[&["provider"], &["llm", "provider"]]),
            model: either(record, &[&["model"], &["llm", "model"], &["message", "model"]]),
            usage: usage(record),
        })
    }

    fn user_row(&self, record: &Value) -> Row {
        Row::User(UserRow {
            iteration: self.last_assistant.saturating_add(1).max(0),
            index: self.index,
            text: message_text(record),
        })
    }

    fn tool_row(&self, record: &Value) -> Row {
        let name = first_text([
            at(record, &["_harn", "tool_name"]),
            field(record, "name"),
            at(record, &["message", "name"]),
            field(record, "tool_name"),
        ]);
        let id = first_text([
            at(record, &["_harn", "tool_call_id"]),
            field(record, "tool_call_id"),
            at(record, &["message", "tool_call_id"]),
            field(record, "id"),
        ]);
        let iteration = self.last_assistant.max(0);
        self.result_row(record, Answer { name, id, text: message_text(record), iteration })
    }

    fn result_row(&self, record: &Value, answer: Answer<'_>) -> Row {
        let name = if answer.name.is_empty() { "unknown" } else { answer.name };
        Row::ToolResult(ToolResultRow {
            iteration: answer.iteration,
            index: self.index,
            name: name.to_owned(),
            tool_call_id: answer.id.to_owned(),
            text: answer.text,
            outcome: outcome(record),
            origin: origin(record),
            data: data(record),
        })
    }

    /// A request record repeats every earlier result in its text: only what was added counts,
    /// except that a shorter repetition is a new history.
    fn legacy_rows(&mut self, record: &Value) -> Vec<Row> {
        let blocks = legacy::result_blocks(record);
        let known = if blocks.len() > self.legacy_results { self.legacy_results } else { 0 };
        self.legacy_results = blocks.len();
        let iteration = field(record, "iteration").and_then(integer).unwrap_or(0);
        let iteration = iteration.saturating_sub(1).max(0);
        let fresh = blocks.into_iter().skip(known);
        fresh
            .map(|block| {
                let (name, id) = (block.name.as_str(), block.tool_call_id.as_str());
                self.result_row(record, Answer { name, id, text: block.text, iteration })
            })
            .collect()
    }

    fn count_rows(&mut self, rows: &[Row]) -> Vec<Issue> {
        let mut issues = Vec::new();
        for row in rows {
            if let Row::Assistant(row) = row {
                issues.extend(schema_issue(row, self.rows));
            }
            self.rows += 1;
        }
        issues
    }
}

impl Default for Normalizer {
    fn default() -> Self {
        Self::new()
    }
}

struct Answer<'a> {
    name: &'a str,
    id: &'a str,
    text: String,
    iteration: i64,
}

/// The text of a content value: a string, the parts of a list joined by line breaks, or an
/// object's first non-empty of `text`, `content`, `body`.
#[must_use]
pub fn content_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let parts: Vec<String> =
                parts.iter().map(part_text).filter(|text| !text.is_empty()).collect();
            parts.join("\n")
        }
        Value::Object(_) => {
            let keys = ["text", "content", "body"].map(|key| field(content, key));
            first_text(keys).to_owned()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

fn part_text(part: &Value) -> String {
    if part.is_object() {
        let inner = field(part, "text").or_else(|| field(part, "content"));
        return inner.map(content_text).unwrap_or_default();
    }
    content_text(part)
}

fn message_text(record: &Value) -> String {
    let content = field(record, "content").or_else(|| at(record, &["message", "content"]));
    content.map(content_text).unwrap_or_default()
}

fn role(record: &Value) -> &str {
    first_text([field(record, "role"), at(record, &["message", "role"])])
}

fn is_tagged_result(record: &Value) -> bool {
    at(record, &["_harn", "kind"]).and_then(Value::as_str) == Some("tool_result")
}

fn is_result_role(role: &str) -> bool {
    role == "tool" || role == "tool_result"
}

fn is_known_shape(record: &Value) -> bool {
    let kind = field(record, "type").and_then(Value::as_str);
    let role = role(record);
    matches!(kind, Some("response" | "request"))
        || is_tagged_result(record)
        || is_result_role(role)
        || matches!(role, "assistant" | "user")
}

fn record_issues(record: &Value, position: usize) -> Vec<Issue> {
    let at = wire_index(position);
    let mut issues = Vec::new();
    if !is_known_shape(record) {
        let kind = record.get("type").cloned().unwrap_or_default();
        let details = [("record_type", kind), ("role", Value::from(role(record)))];
        issues.push(Issue::new(IssueCode::UnrecognizedRecord, at, details));
    }
    let is_response = field(record, "type").and_then(Value::as_str) == Some("response");
    if !is_response && role(record) != "assistant" {
        return issues;
    }
    match raw_calls(record) {
        None => {}
        Some(Value::Array(calls)) => {
            for (position, call) in calls.iter().enumerate() {
                call_issues(call, position, at, &mut issues);
            }
        }
        Some(_) => issues.push(Issue::new(IssueCode::ToolCallsNotList, at, [])),
    }
    issues
}

fn schema_issue(row: &AssistantRow, row_index: usize) -> Option<Issue> {
    let unreadable = row.usage.unreadable();
    if unreadable.is_empty() {
        return None;
    }
    let paths: Vec<Value> =
        unreadable.into_iter().map(|name| Value::from(format!("usage.{name}"))).collect();
    let details = [("row_index", Value::from(row_index)), ("schema_issues", Value::from(paths))];
    Some(Issue::new(IssueCode::RowSchemaInvalid, wire_index(row.index), details))
}

/// A row that was typed before carries its own outcome, origin and data; a stored message carries
/// them in its `_harn` envelope.
fn is_typed_result(record: &Value) -> bool {
    let word = |key| field(record, key).and_then(Value::as_str);
    word("schema") == Some(Row::SCHEMA) && word("kind") == Some("tool_result")
}

fn typed<'a>(record: &'a Value, key: &str) -> Option<&'a Value> {
    if is_typed_result(record) { field(record, key) } else { at(record, &["_harn", key]) }
}

fn outcome(record: &Value) -> Outcome {
    match typed(record, "outcome").and_then(Value::as_str) {
        Some("ok") => Outcome::Ok,
        Some("error") => Outcome::Error,
        _ => Outcome::Unknown,
    }
}

fn origin(record: &Value) -> Origin {
    if text(typed(record, "origin")) == "harness_repair" {
        Origin::HarnessRepair
    } else {
        Origin::Dispatch
    }
}

fn data(record: &Value) -> Map<String, Value> {
    let own = || is_typed_result(record).then(|| field(record, "data")?.as_object()).flatten();
    at(record, &["_harn", "data"])
        .and_then(Value::as_object)
        .or_else(own)
        .cloned()
        .unwrap_or_default()
}

fn either(record: &Value, paths: &[&[&str]]) -> Value {
    paths.iter().find_map(|path| at(record, path)).cloned().unwrap_or_default()
}

fn usage(record: &Value) -> Usage {
    let count = |paths: &[&[&str]]| {
        paths.iter().find_map(|path| at(record, path)).cloned().unwrap_or_else(|| Value::from(0))
    };
    Usage {
        input_tokens: count(&[
            &["input_tokens"],
            &["usage", "input_tokens"],
            &["llm", "input_tokens"],
        ]),
        output_tokens: count(&[
            &["output_tokens"],
            &["usage", "output_tokens"],
            &["llm", "output_tokens"],
        ]),
        cache_read_tokens: count(&[&["cache_read_tokens"], &["usage", "cache_read_tokens"]]),
        cache_write_tokens: count(&[&["cache_write_tokens"], &["usage", "cache_write_tokens"]]),
        response_ms: count(&[&["response_ms"], &["latency_ms"]]),
    }
}
