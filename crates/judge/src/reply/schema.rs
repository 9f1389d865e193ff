//! The JSON Schema a judge answers in.

use serde_json::{Value, json};

use quittance_evidence::contract::{Contract, Requirement};

use super::find::JudgeWord;
use super::goal::GoalAssessment;
use crate::gap::GapClass;
use crate::ledger::{PacketIndex, assessments_schema};

/// The schema of a reply. Rules that depend on the verdict are not in it: a validator cannot see
/// them, and a minimum number of gaps would make an approval invent one.
#[must_use]
pub fn verdict_schema(contract: Option<&Contract>, packet: &PacketIndex<'_>) -> Value {
    let classes = GapClass::ALL.map(GapClass::as_str);
    let mut properties = json!({
        "verdict": {"type": "string", "enum": JudgeWord::ALL.map(JudgeWord::as_str)},
        "detail": {
            "type": "string",
            "minLength": 1,
            "description": "What the verdict rests on, or what is missing and what would mend it. \
                            The first 1000 characters are kept.",
        },
        "gap_class": {
            "type": "string",
            "enum": classes,
            "description": "With `continue`: the kind of gap. With `done`: `none`, or leave it out.",
        },
        "gaps": {
            "type": "array",
            "description": "With `continue`: every gap you see, not just the first. With `done`: \
                            `[]`, or leave it out.",
            "items": gap_schema(contract),
        },
    });
    let mut required = vec!["verdict", "detail"];
    let (key, part) = if let Some(contract) = contract {
        ("requirement_report", assessments_schema(contract, Some(packet)))
    } else {
        required.push("goal_assessment");
        ("goal_assessment", GoalAssessment::schema(packet))
    };
    if let Some(fields) = properties.as_object_mut() {
        fields.insert(key.to_owned(), part);
    }
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn gap_schema(contract: Option<&Contract>) -> Value {
    let mut properties = json!({
        "criterion": {
            "type": "string",
            "minLength": 1,
            "description": "The one thing the task asks for that this gap is against.",
        },
        "gap_class": {"type": "string", "enum": GapClass::ALL.map(GapClass::as_str)},
        "detail": {
            "type": "string",
            "minLength": 1,
            "description": "What is missing, and the next step that closes it.",
        },
        "evidence_quote": {
            "type": "string",
            "description": "A span copied character by character from the evidence that shows the \
                            gap. A span that is not there is sent back.",
        },
    });
    // Attribution is offered only where there are rows to attribute to.
    if let (Some(contract), Some(fields)) = (contract, properties.as_object_mut()) {
        let ids: Vec<&str> = contract.requirements().iter().map(Requirement::id).collect();
        fields.insert(
            "requirement_id".to_owned(),
            json!({
                "type": "string",
                "enum": ids,
                "description": "The row this gap is against. Leave it out if no single row covers \
                                it.",
            }),
        );
    }
    json!({
        "type": "object",
        "required": ["criterion", "gap_class", "detail"],
        "additionalProperties": false,
        "properties": properties,
    })
}
