//! What a ledger says: to the judge that must itemize it, and to the agent that must close it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use quittance_evidence::canonical;
use quittance_evidence::clip;
use quittance_evidence::contract::{Contract, EvidenceRole};

use super::cited::PacketIndex;
use super::report::{Report, Row, RowStatus};

/// A row's sentence in feedback: enough to recognize it, the contract holds the rest.
const NAME_CHARS_MAX: usize = 180;

/// The part of the reply schema in which a judge assesses each row. With a packet, only citations
/// that could support some row are offered.
#[must_use]
pub fn assessments_schema(contract: &Contract, packet: Option<&PacketIndex<'_>>) -> Value {
    let refs = match packet.map(|packet| packet.eligible(contract)) {
        None => json!({"type": "array", "items": {"type": "integer"}}),
        Some(eligible) if eligible.is_empty() => {
            json!({"type": "array", "items": {"type": "integer"}, "maxItems": 0})
        }
        Some(eligible) => {
            json!({"type": "array", "items": {"type": "integer", "enum": eligible}})
        }
    };
    json!({
        "type": "array",
        "description": "Assess every required item once. Cite indices of requirement_evidence of \
                        a role that the item allows.",
        "items": {
            "type": "object",
            "properties": {
                "requirement_id": {"type": "string", "enum": ids(contract)},
                "met": {"type": "boolean"},
                "evidence_refs": refs,
            },
            "required": ["requirement_id", "met", "evidence_refs"],
            "additionalProperties": false,
        },
    })
}

/// The contract's ids, in its order.
fn ids(contract: &Contract) -> Vec<&str> {
    contract.requirements().iter().map(quittance_evidence::contract::Requirement::id).collect()
}

/// The contract as a judge reads it, after the goal; empty without one.
#[must_use]
pub fn contract_prompt(contract: Option<&Contract>) -> String {
    let Some(contract) = contract else { return String::new() };
    let rows: Vec<Value> = contract
        .requirements()
        .iter()
        .map(|row| {
            let roles: Vec<_> = row.roles().iter().map(|role| role.as_str()).collect();
            json!({"requirement_id": row.id(), "name": row.name(), "evidence_roles": roles})
        })
        .collect();
    let rows = canonical::to_text(&Value::Array(rows));
    format!(
        "\n\nRequirements, each to be assessed on its own:\n{rows}\nGive `requirement_report` \
         exactly one row for every requirement_id. Call a row met only if requirement_evidence \
         bears it out, and cite the indices of records whose role the row allows."
    )
}

/// What a judge is told that called the work done and assessed no row.
#[must_use]
pub fn itemization_prompt(contract: &Contract) -> String {
    let ids: Vec<String> = ids(contract).into_iter().map(|id| format!("`{id}`")).collect();
    let ids = ids.join(", ");
    format!(
        "\n\nYour last reply called the work done but held no `requirement_report`, so no required \
         item has been assessed and the reply cannot count. Reply once more, with one row for each \
         of {ids}: `met`, and in `evidence_refs` the indices of requirement_evidence that bear it \
         out, of a role the item allows. A row that is not met is a proper answer."
    )
}

/// What the agent is told of rows that are not met.
#[must_use]
pub fn pending_feedback(report: &Report) -> String {
    let own: BTreeSet<&str> = report.rows().iter().map(|row| row.name.as_str()).collect();
    let strays = report.pending_names().iter().filter(|name| !own.contains(name.as_str()));
    let mut phrases: Vec<String> = open_phrases(report).collect();
    phrases.extend(strays.map(|name| format!("{name}.")));
    format!(
        "Not finished: {} of {} acceptance item(s) still pending. {}",
        report.pending_count(),
        report.required_count(),
        phrases.join(" ")
    )
}

/// What is said of rows that the judge, twice asked, did not assess: its omission, not the agent's.
#[must_use]
pub fn unassessed_feedback(report: &Report) -> String {
    let phrases: Vec<String> = open_phrases(report).collect();
    format!(
        "Not finished: the judge gave no assessment for {} of {} acceptance item(s), so nobody has \
         looked at them. {}",
        report.pending_count(),
        report.required_count(),
        phrases.join(" ")
    )
}

fn open_phrases(report: &Report) -> impl Iterator<Item = String> {
    report.rows().iter().filter(|row| !row.met).map(phrase)
}

fn phrase(row: &Row) -> String {
    let status = match row.status {
        RowStatus::Met => "met",
        RowStatus::Unmet => "reported not met",
        RowStatus::Missing => "not assessed",
        RowStatus::Unsupported => "claimed met without usable evidence",
    };
    let head = clip::head(&row.name, NAME_CHARS_MAX);
    let mark = if head.len() < row.name.len() { "…" } else { "" };
    let roles: Vec<&str> = row.evidence_roles.iter().copied().map(EvidenceRole::as_str).collect();
    let (id, roles) = (&row.requirement_id, roles.join(", "));
    format!("`{id}` is {status} — {head}{mark} Accepted evidence kinds: {roles}.")
}
