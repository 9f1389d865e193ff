//! Operations of `quittance-obligations`.

use quittance_evidence::Contract;
use quittance_obligations::Obligations;
use serde_json::{Value, json};

use super::{arg, items, text};

pub(super) fn control_events(args: &Value) -> Result<Value, String> {
    let task = text(args, "task");
    Ok(readings(&Obligations::from_control_rows(items(args, "events"), task), task))
}

pub(super) fn messages(args: &Value) -> Result<Value, String> {
    let task = text(args, "task");
    Ok(readings(&Obligations::from_messages(items(args, "messages"), task), task))
}

fn readings(owed: &Obligations, task: &str) -> Value {
    json!({
        "obligations": owed,
        "digest": owed.digest_text(),
        "objective": owed.objective(task),
        "prompt_empty": owed.prompt().is_empty(),
    })
}

pub(super) fn requirements(args: &Value) -> Result<Value, String> {
    let contract =
        Contract::from_value(arg(args, "contract")).map_err(|error| error.to_string())?;
    let owed: Option<Obligations> =
        serde_json::from_value(arg(args, "obligations").clone()).map_err(|e| e.to_string())?;
    Ok(json!(owed.unwrap_or_default().requirements(contract)))
}
