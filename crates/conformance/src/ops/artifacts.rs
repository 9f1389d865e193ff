//! Operations of `quittance-artifacts`.

use quittance_artifacts::Status;
use serde_json::{Value, json};

use super::text;

pub(super) fn verdict(args: &Value) -> Result<Value, String> {
    Ok(json!(Status::read(text(args, "status")).verdict().as_str()))
}
