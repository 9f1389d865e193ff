//! Operations of `quittance-evidence`.

use quittance_evidence::builder::EvidenceBuilder;
use quittance_evidence::canonical;
use quittance_evidence::id::{EvidenceId, Identity};
use quittance_evidence::transcript::LifecycleReport;
use quittance_evidence::{
    Contract, Digest, ToolCatalogue, VerificationState, requirement_evidence,
};
use serde_json::{Map, Value, json};

use super::{arg, text};

pub(super) fn canonical_json(args: &Value) -> Result<Value, String> {
    let value = arg(args, "value");
    Ok(json!({"text": canonical::to_text(value), "sha256": Digest::of(value).hex()}))
}

pub(super) fn contract(args: &Value) -> Result<Value, String> {
    let contract = Contract::from_value(arg(args, "value")).map_err(|error| error.to_string())?;
    Ok(json!(contract))
}

pub(super) fn lifecycle(args: &Value) -> Result<Value, String> {
    let report = json!(LifecycleReport::of(arg(args, "messages")));
    let calls = picked(arg(&report, "calls"), &CALL_KEYS).into_iter().map(|mut call| {
        let results = call.get("results").map(|rows| picked(rows, &RESULT_KEYS));
        call.insert("results".to_owned(), json!(results));
        call
    });
    Ok(json!({
        "ok": report.get("ok"),
        "invalid_count": report.get("invalid_count"),
        "issues": report.get("issues"),
        "calls": calls.collect::<Vec<_>>(),
        "unmatched": picked(arg(&report, "unmatched_results"), &UNMATCHED_KEYS),
    }))
}

/// Keys of a call that vectors show.
const CALL_KEYS: [&str; 9] = [
    "args",
    "evidence_index",
    "name",
    "ordinal",
    "result_count",
    "results",
    "row_index",
    "status",
    "tool_call_id",
];
/// Keys of a result that vectors show.
const RESULT_KEYS: [&str; 6] = ["data", "index", "name", "origin", "outcome", "text"];
/// Keys of an unmatched result that vectors show.
const UNMATCHED_KEYS: [&str; 3] = ["index", "name", "tool_call_id"];

fn picked(rows: &Value, keys: &[&str]) -> Vec<Map<String, Value>> {
    let pick = |row: &Value| {
        keys.iter().filter_map(|key| Some(((*key).to_owned(), row.get(*key)?.clone()))).collect()
    };
    rows.as_array().into_iter().flatten().map(pick).collect()
}

pub(super) fn projection(args: &Value) -> Result<Value, String> {
    let opts = arg(args, "opts");
    let catalogue = ToolCatalogue::from_value(arg(opts, "tools"), arg(opts, "policy"));
    let claim = opts.get("_completion_claim").filter(|claim| !claim.is_null());
    let projection = EvidenceBuilder::of(arg(args, "messages"), catalogue).project(claim);
    Ok(json!({
        "packet": projection.packet,
        "serialized": projection.serialized,
        "stats": projection.stats,
    }))
}

pub(super) fn id(args: &Value) -> Result<Value, String> {
    let verification = arg(args, "verification");
    let state = VerificationState::from_value(verification).map_err(|error| error.to_string())?;
    let mut packet = arg(args, "packet").clone();
    let candidate = text(args, "text");
    requirement_evidence::bind(&mut packet, candidate, state.map(|state| state.observed));
    let pending = arg(args, "pending").as_u64().unwrap_or_default();
    let identity = Identity {
        task: text(args, "task"),
        trigger: text(args, "stop_reason"),
        candidate,
        pending_effects: usize::try_from(pending).unwrap_or(usize::MAX),
        verification,
        obligations_digest: text(args, "obligations_digest"),
    };
    Ok(json!({"evidence_id": EvidenceId::of(&packet, identity).to_string(), "packet": packet}))
}

pub(super) fn verification_state(args: &Value) -> Result<Value, String> {
    let state = VerificationState::from_value(arg(args, "value")).map_err(|e| e.to_string())?;
    Ok(json!(state.as_ref().map(VerificationState::to_value)))
}
