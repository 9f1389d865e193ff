//! The whole report over a list of records: rows, every call with its results, what fits nowhere.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::issue::Issue;
use super::normalize::Normalizer;
use super::pairing::{CallFacts, LifecycleStatus, orphan_issue};
use super::row::{AssistantRow, Call, Row, ToolResultRow};

/// One call and what became of it (`harn.agent.transcript.tool_lifecycle.v1`).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lifecycle {
    /// Position among all calls.
    pub ordinal: usize,
    /// The model call that placed it.
    pub iteration: i64,
    /// Index of the row that placed it.
    pub row_index: usize,
    /// Its id, or `""`.
    pub tool_call_id: String,
    /// The tool.
    pub name: String,
    /// Its arguments.
    pub args: Map<String, Value>,
    /// How it stands.
    pub status: LifecycleStatus,
    /// How many results carry its id.
    pub result_count: usize,
    /// Those results, in order, wherever they stand relative to the call. Calls that share an id
    /// share the list, so a hostile record cannot make it quadratic.
    #[serde(serialize_with = "in_full")]
    pub results: Arc<[ToolResultRow]>,
    /// Index of the last of them, or of the call's own row.
    pub evidence_index: usize,
}

impl Lifecycle {
    /// The result, when there is exactly one.
    #[must_use]
    pub fn result(&self) -> Option<&ToolResultRow> {
        match &*self.results {
            [only] => Some(only),
            _ => None,
        }
    }
}

fn in_full<S: Serializer>(rows: &Arc<[ToolResultRow]>, serializer: S) -> Result<S::Ok, S::Error> {
    rows.as_ref().serialize(serializer)
}

/// The report over one list (`harn.agent.transcript.tool_lifecycle_report.v1`).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LifecycleReport {
    /// Whether there is no issue.
    pub ok: bool,
    /// The rows.
    pub rows: Vec<Row>,
    /// The calls, in order.
    pub calls: Vec<Lifecycle>,
    /// Results whose id no call carries.
    pub unmatched_results: Vec<ToolResultRow>,
    /// What could not be read, then what could not be paired: calls in order, then orphans.
    pub issues: Vec<Issue>,
    /// How many issues.
    pub invalid_count: usize,
}

impl LifecycleReport {
    /// The report's schema.
    pub const SCHEMA: &'static str = "harn.agent.transcript.tool_lifecycle_report.v1";

    /// Reads a list of records; anything else is an empty list with an issue.
    #[must_use]
    pub fn of(records: &Value) -> Self {
        let mut issues: Vec<Issue> = Normalizer::input_issue(records).into_iter().collect();
        let mut row_issues = Vec::new();
        let mut rows = Vec::new();
        let mut normalizer = Normalizer::new();
        for record in records.as_array().into_iter().flatten() {
            let read = normalizer.push(record);
            rows.extend(read.rows);
            issues.extend(read.issues);
            row_issues.extend(read.row_issues);
        }
        issues.extend(row_issues);
        Self::pair(rows, issues)
    }

    fn pair(rows: Vec<Row>, mut issues: Vec<Issue>) -> Self {
        let ids = Ids::of(&rows);
        let mut calls = Vec::new();
        for (row, call) in placed(&rows) {
            let lifecycle = ids.lifecycle(row, call, calls.len());
            issues.extend(ids.facts(&lifecycle).issues());
            calls.push(lifecycle);
        }
        let unmatched_results: Vec<ToolResultRow> =
            results(&rows).filter(|row| !ids.is_called(&row.tool_call_id)).cloned().collect();
        issues.extend(
            unmatched_results
                .iter()
                .map(|row| orphan_issue(&row.name, &row.tool_call_id, row.index)),
        );
        let invalid_count = issues.len();
        Self { ok: invalid_count == 0, rows, calls, unmatched_results, issues, invalid_count }
    }
}

fn placed(rows: &[Row]) -> impl Iterator<Item = (&AssistantRow, &Call)> {
    rows.iter()
        .filter_map(|row| match row {
            Row::Assistant(row) => Some(row),
            Row::User(_) | Row::ToolResult(_) => None,
        })
        .flat_map(|row| row.tool_calls.iter().map(move |call| (row, call)))
}

fn results(rows: &[Row]) -> impl Iterator<Item = &ToolResultRow> {
    rows.iter().filter_map(|row| match row {
        Row::ToolResult(row) => Some(row),
        Row::Assistant(_) | Row::User(_) => None,
    })
}

/// Who carries which id; the empty id is carried by nobody.
struct Ids<'a>(BTreeMap<&'a str, Carriers>);

struct Carriers {
    calls: usize,
    first_ordinal: usize,
    results: Arc<[ToolResultRow]>,
}

impl<'a> Ids<'a> {
    fn of(rows: &'a [Row]) -> Self {
        let mut answers: BTreeMap<&str, Vec<ToolResultRow>> = BTreeMap::new();
        for row in results(rows) {
            answers.entry(&row.tool_call_id).or_default().push(row.clone());
        }
        let mut ids: BTreeMap<&str, Carriers> = BTreeMap::new();
        for (ordinal, (_, call)) in placed(rows).enumerate().filter(|(_, (_, c))| !c.id.is_empty())
        {
            let carriers = ids.entry(&call.id).or_insert_with(|| Carriers {
                calls: 0,
                first_ordinal: ordinal,
                results: answers.remove(call.id.as_str()).unwrap_or_default().into(),
            });
            carriers.calls += 1;
        }
        Self(ids)
    }

    fn is_called(&self, id: &str) -> bool {
        self.0.contains_key(id)
    }

    fn lifecycle(&self, row: &AssistantRow, call: &Call, ordinal: usize) -> Lifecycle {
        let carriers = self.0.get(call.id.as_str());
        let results = carriers.map(|carriers| carriers.results.clone()).unwrap_or_default();
        let mut lifecycle = Lifecycle {
            ordinal,
            iteration: row.iteration,
            row_index: row.index,
            tool_call_id: call.id.clone(),
            name: call.name.clone(),
            args: call.args.clone(),
            status: LifecycleStatus::Pending,
            result_count: results.len(),
            evidence_index: results.last().map_or(row.index, |last| last.index),
            results,
        };
        lifecycle.status = self.facts(&lifecycle).status();
        lifecycle
    }

    fn facts<'b>(&self, call: &'b Lifecycle) -> CallFacts<'b> {
        let carriers = self.0.get(call.tool_call_id.as_str());
        CallFacts {
            ordinal: call.ordinal,
            row_index: call.row_index,
            name: &call.name,
            id: &call.tool_call_id,
            calls_with_id: carriers.map_or(0, |carriers| carriers.calls),
            is_first_with_id: carriers
                .is_some_and(|carriers| carriers.first_ordinal == call.ordinal),
            results: call.results.len(),
            only_result: call.result().map(|row| (row.name.as_str(), row.index)),
        }
    }
}
