//! Which paths a result says it changed: the many places hosts write them.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::value::{at, display, field, text};

/// Keys that hold changed paths directly under the data, in the original's order.
const BUCKETS: [&str; 5] =
    ["changed_paths", "changedPaths", "files_written", "filesWritten", "paths"];
/// The same under an iteration's summary, without `paths`.
const NESTED_BUCKETS: [&str; 4] =
    ["changed_paths", "changedPaths", "files_written", "filesWritten"];
/// Tools whose own arguments may be trusted to name what a successful call wrote.
const WRITING_TOOLS: [&str; 5] = ["edit", "scaffold", "run_codemod", "write", "write_file"];

/// Collects the changed paths of one result's data, trimmed, sorted, each once.
#[must_use]
pub fn changed_paths(data: &Map<String, Value>) -> BTreeSet<String> {
    let mut paths = BTreeSet::new();
    for key in BUCKETS {
        push_bucket(data.get(key), &mut paths);
    }
    for summary in ["iteration_info", "iterationInfo"] {
        for key in NESTED_BUCKETS {
            push_bucket(data.get(summary).and_then(|summary| field(summary, key)), &mut paths);
        }
    }
    let results = data.get("tool_results").filter(|found| !found.is_null());
    match results.or_else(|| data.get("toolResults")) {
        Some(Value::Array(results)) => {
            results.iter().for_each(|result| push_result(result, &mut paths));
        }
        Some(result) => push_result(result, &mut paths),
        None => {}
    }
    paths
}

fn push_bucket(bucket: Option<&Value>, paths: &mut BTreeSet<String>) {
    match bucket {
        Some(Value::Array(items)) => paths.extend(items.iter().filter_map(path)),
        Some(one) => paths.extend(path(one)),
        None => {}
    }
}

fn path(item: &Value) -> Option<String> {
    const KEYS: [&str; 8] =
        ["path", "name", "file", "file_path", "filePath", "target_path", "targetPath", "target"];
    let spelled = match item {
        Value::String(text) => text.clone(),
        Value::Object(_) => text(KEYS.iter().find_map(|key| field(item, key))),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => return None,
    };
    let trimmed = spelled.trim();
    (!trimmed.is_empty()).then(|| trimmed.to_owned())
}

fn push_result(result: &Value, paths: &mut BTreeSet<String>) {
    for carrier in [Some(result), field(result, "result"), field(result, "raw_output")] {
        for keys in [["changed_paths", "changedPaths"], ["files_written", "filesWritten"]] {
            let bucket =
                carrier.and_then(|carrier| keys.iter().find_map(|key| field(carrier, key)));
            push_bucket(bucket, paths);
        }
    }
    let tool = text(field(result, "tool_name").or_else(|| field(result, "name")));
    if WRITING_TOOLS.contains(&tool.trim().to_lowercase().as_str()) && succeeded(result) {
        paths.extend(written_path(result));
    }
}

fn succeeded(result: &Value) -> bool {
    for key in ["ok", "success"] {
        if let Some(flag) = field(result, key) {
            return is_truthy(flag);
        }
    }
    let status = text(field(result, "status")).trim().to_lowercase();
    !matches!(status.as_str(), "error" | "failed" | "failure")
        && !field(result, "rejected").is_some_and(is_truthy)
}

/// The original's truth of a value: null, false, zero and empty are false.
fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}

/// The path a writing call was given, else the first word of its answer that looks like one.
fn written_path(result: &Value) -> Option<String> {
    const CARRIERS: [&[&str]; 7] = [
        &["params"],
        &["args"],
        &["arguments"],
        &["tool_args"],
        &["input"],
        &["raw_input"],
        &["function", "arguments"],
    ];
    const KEYS: [&str; 8] =
        ["path", "file", "file_path", "filePath", "target", "target_path", "targetPath", "folder"];
    let given = CARRIERS.iter().filter_map(|carrier| at(result, carrier)).find_map(|carrier| {
        let path = text(KEYS.iter().find_map(|key| field(carrier, key))).trim().to_owned();
        (!path.is_empty()).then_some(path)
    });
    given.or_else(|| path_in_answer(result))
}

fn path_in_answer(result: &Value) -> Option<String> {
    let keys = ["observation", "result", "rendered_result", "raw_output"];
    let body = keys.iter().find_map(|key| field(result, key)).map(display).unwrap_or_default();
    let first_line = body.trim().lines().next().unwrap_or_default();
    first_line.split(' ').map(strip_quoting).find(|token| looks_like_path(token)).map(str::to_owned)
}

fn strip_quoting(token: &str) -> &str {
    let opened = token.trim().trim_start_matches(['`', '\'', '"', '(', '[']);
    opened.trim_end_matches(['`', '\'', '"', ')', ']', ':', ',', '.'])
}

fn looks_like_path(token: &str) -> bool {
    let extension = token.rsplit_once('.').map_or(
        "",
        |(stem, extension)| {
            if stem.is_empty() { "" } else { extension }
        },
    );
    !token.is_empty() && (token.contains('/') || !extension.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_place_is_read() {
        let data = json!({
            "changed_paths": ["b.rs", " a.rs ", {"file_path": "c.rs"}, 5, ""],
            "filesWritten": "d.rs",
            "path": "not-a-changed-path.rs",
            "iteration_info": {"changedPaths": ["e.rs"], "paths": ["no.rs"]},
            "tool_results": [
                {"result": {"files_written": ["f.rs"]}},
                {"tool_name": "Write", "ok": true, "args": {"path": "g.rs"}},
                {"tool_name": "write", "ok": false, "args": {"path": "no.rs"}},
                {"name": "edit", "result": "`h/i.rs`: changed"},
            ],
        });
        let paths = changed_paths(data.as_object().unwrap());
        let expected = ["a.rs", "b.rs", "c.rs", "d.rs", "e.rs", "f.rs", "g.rs", "h/i.rs"];
        assert_eq!(paths.into_iter().collect::<Vec<_>>(), expected);
    }
}
