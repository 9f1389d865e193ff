//! A packet for people.

use serde_json::Value;

use super::escape::foreign;
use super::{Page, counted, excerpt, list, number, text};

/// Renders the record of a packet.
pub(crate) fn page(evidence: &Value) -> String {
    let mut page = Page::default();
    page.line("evidence", text(evidence, "/evidence_id"));
    let at = |key: &str| number(evidence, &format!("/projection/{key}"));
    let size = format!(
        "{} of {}, {}",
        counted(at("serialized_chars"), "character"),
        counted(at("raw_message_count"), "message"),
        counted(at("relevant_call_count"), "relevant call"),
    );
    page.line("packet", &size);
    page.line("transcript", text(evidence, "/projection/raw_transcript_digest"));
    page.lines("actions", list(evidence, "/packet/actions").iter().map(action));
    page.lines("fallback", list(evidence, "/packet/fallback_observations").iter().map(action));
    page.lines("reads", list(evidence, "/packet/research_summary/reads").iter().map(read));
    page.lines("records", list(evidence, "/packet/requirement_evidence").iter().map(record));
    page.lines("issues", list(evidence, "/packet/lifecycle_issues").iter().map(issue));
    page.into_text()
}

fn action(action: &Value) -> String {
    let failed = action.get("has_error_result") == Some(&Value::Bool(true));
    format!(
        "[{}] {} {}{}: {}",
        number(action, "/evidence_index"),
        text_at(action, "/name"),
        text_at(action, "/semantics/evidence_role"),
        if failed { ", failed" } else { "" },
        excerpt(text(action, "/arguments")),
    )
}

fn read(read: &Value) -> String {
    let target = excerpt(text(read, "/target"));
    format!("[{}] {} {target}", number(read, "/evidence_index"), text_at(read, "/name"))
}

fn record(record: &Value) -> String {
    let index = record.get("evidence_index").and_then(Value::as_i64).unwrap_or_default();
    format!("[{index}] {}: {}", text_at(record, "/role"), excerpt(text(record, "/summary")))
}

fn issue(issue: &Value) -> String {
    format!("{}: {}", text_at(issue, "/code"), excerpt(text(issue, "/details")))
}

fn text_at(value: &Value, pointer: &str) -> String {
    foreign(text(value, pointer))
}
