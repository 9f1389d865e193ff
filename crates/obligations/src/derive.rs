//! The two derivations: from control rows, and from delivered messages.

use quittance_evidence::value::{at, field, text};
use quittance_evidence::{canonical, clip};
use serde_json::Value;

use crate::record::{AcceptedStop, Obligations, Retarget, Source, Steer};

/// Delivery modes of a message the model received before the boundary. `audit_only` drains after
/// the last model call and so cannot have changed what was asked.
const DELIVERED_MODES: [&str; 2] = ["finish_step", "interrupt_immediate"];
/// Control words the model is expected to have seen. A `queue` note is not one.
const STEER_ACTIONS: [&str; 2] = ["steer", "interrupt"];
/// The provenance of a row written as the control was accepted; any other was reconstructed.
const RECORDED: &str = "recorded";

impl Obligations {
    /// Derives from the control rows of a turn (`harn.session.control.v1`), in order.
    ///
    /// A row of any provenance may add a steer, which only ever adds an obligation. A stop or a
    /// retarget withdraws work, so it counts only where it was recorded. The latest of each wins.
    #[must_use]
    pub fn from_control_rows<'a>(rows: impl IntoIterator<Item = &'a Value>, task: &str) -> Self {
        let mut owed = Self::new(task, Source::ControlRecord);
        for row in rows {
            let steer = steer_of_row(row);
            if text(field(row, "provenance")) == RECORDED {
                owed.retarget = retarget_of_row(row, steer.as_ref()).or(owed.retarget);
                owed.accepted_stop = stop_of_row(row).or(owed.accepted_stop);
            }
            owed.steers.extend(steer);
        }
        owed
    }

    /// Derives from delivered messages: user messages that the host stamped with a delivery mode.
    /// Sees steers only; neither position nor prose makes one.
    #[must_use]
    pub fn from_messages<'a>(messages: impl IntoIterator<Item = &'a Value>, task: &str) -> Self {
        let mut owed = Self::new(task, Source::DeliveredMessages);
        owed.steers = messages.into_iter().filter_map(steer_of_message).collect();
        owed
    }

    /// Derives as a session reader does: from the control rows when there is any, of any kind, else
    /// from the messages. A store without rows and a session without controls look the same.
    #[must_use]
    pub fn of_session(rows: &[Value], messages: &[Value], task: &str) -> Self {
        if rows.is_empty() {
            Self::from_messages(messages, task)
        } else {
            Self::from_control_rows(rows, task)
        }
    }
}

fn steer_of_row(row: &Value) -> Option<Steer> {
    if !STEER_ACTIONS.contains(&text(field(row, "action")).as_str()) {
        return None;
    }
    Some(Steer {
        message_id: text(field(row, "message_id")),
        mode: text(field(row, "delivery_mode")),
        content: content(field(row, "text"))?,
    })
}

fn steer_of_message(message: &Value) -> Option<Steer> {
    let mode = text(field(message, "injectedMode"));
    let is_user = field(message, "role").and_then(Value::as_str) == Some("user");
    if !is_user || !DELIVERED_MODES.contains(&mode.as_str()) {
        return None;
    }
    let message_id = text(field(message, "messageId"));
    Some(Steer { message_id, mode, content: content(field(message, "content"))? })
}

/// Text is trimmed, anything else is its JSON; empty is no steer. Clipped, since a steer rides in
/// an authority's prompt.
fn content(value: Option<&Value>) -> Option<String> {
    let spelled = match value? {
        Value::String(text) => text.trim().to_owned(),
        other => canonical::to_text(other).trim().to_owned(),
    };
    (!spelled.is_empty()).then(|| clip::STEER.apply(&spelled))
}

fn retarget_of_row(row: &Value, steer: Option<&Steer>) -> Option<Retarget> {
    let objective = text(at(row, &["goal", "objective"])).trim().to_owned();
    let steer = steer.filter(|_| !objective.is_empty())?;
    Some(Retarget {
        control_id: text(field(row, "control_id")),
        message_id: steer.message_id.clone(),
        objective,
    })
}

fn stop_of_row(row: &Value) -> Option<AcceptedStop> {
    (text(field(row, "action")) == "stop").then(|| AcceptedStop {
        control_id: text(field(row, "control_id")),
        method: text(field(row, "method")),
        status: text(field(row, "status")),
    })
}
