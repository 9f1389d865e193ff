//! Control rows: those the runtime wrote, and those that a delivered message stands for.

use serde_json::{Value, json};

use crate::chat::{Fields, flat_text, text_of};
use crate::control::{ControlAction, ControlRow, Provenance, SCHEMA};

/// The delivery mode of a message that came between two steps.
pub(super) const BETWEEN_STEPS: &str = "finish_step";
/// The delivery mode of a message that preempted a step.
const AT_ONCE: &str = "interrupt_immediate";
/// Where the rows stand.
const METHOD: &str = "harn.control";

/// Whether a record is a control row.
pub(super) fn is_row(fields: &Fields) -> bool {
    text_of(fields, "schema") == Some(SCHEMA) && text_of(fields, "kind") == Some("control")
}

/// A control row as it was written.
pub(super) fn row(fields: Fields) -> ControlRow {
    let text = |key| text_of(&fields, key).unwrap_or_default().to_owned();
    let recorded = text_of(&fields, "provenance") == Some(Provenance::Recorded.as_str());
    ControlRow {
        action: ControlAction::named(&text("action")),
        method: METHOD,
        control_id: text("control_id"),
        message_id: text("message_id"),
        text: fields.get("text").map(flat_text).unwrap_or_default(),
        provenance: if recorded { Provenance::Recorded } else { Provenance::Heuristic },
        recorded: Some(Value::Object(fields)),
    }
}

/// Whether a message with this mode reached the agent while it worked.
pub(super) fn is_delivered(mode: &str) -> bool {
    matches!(mode, BETWEEN_STEPS | AT_ONCE)
}

/// The control row that a delivered message stands for.
pub(super) fn of_message(
    content: &Value,
    message_id: &str,
    mode: &str,
    provenance: Provenance,
) -> ControlRow {
    let action = if mode == AT_ONCE { ControlAction::Interrupt } else { ControlAction::Steer };
    let recorded = json!({
        "schema": SCHEMA,
        "kind": "control",
        "action": action.as_str(),
        "method": "harn.message",
        "control_id": "",
        "status": "delivered",
        "delivery_mode": mode,
        "message_id": message_id,
        "text": content,
        "provenance": provenance.as_str(),
    });
    ControlRow {
        action,
        method: "harn.message",
        control_id: String::new(),
        message_id: message_id.to_owned(),
        text: flat_text(content),
        provenance,
        recorded: Some(recorded),
    }
}
