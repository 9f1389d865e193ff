//! Control rows: what a person did to a running turn, in the shape obligations derive from.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The shape of a row.
pub(crate) const SCHEMA: &str = "harn.session.control.v1";

/// What a person did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "each action has its own rule of derivation")]
pub enum ControlAction {
    /// A message that the agent received while it worked.
    Steer,
    /// A message that was sent and not (yet) received: it obliges nobody.
    Queue,
    /// The turn was ended.
    Stop,
    /// A message that preempted what the agent was doing.
    Interrupt,
    /// A word taken back before it was delivered; what was obliged before stays so.
    Revoke,
    /// A word nobody knows: it grants nothing.
    Unknown,
}

impl ControlAction {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Steer => "steer",
            Self::Queue => "queue",
            Self::Stop => "stop",
            Self::Interrupt => "interrupt",
            Self::Revoke => "revoke",
            Self::Unknown => "unknown",
        }
    }

    /// The action with this name.
    pub(crate) fn named(word: &str) -> Self {
        let known = [Self::Steer, Self::Queue, Self::Stop, Self::Interrupt, Self::Revoke];
        known.into_iter().find(|action| action.as_str() == word).unwrap_or(Self::Unknown)
    }

    /// Whether the agent received what was said.
    pub(crate) const fn is_steer(self) -> bool {
        matches!(self, Self::Steer | Self::Interrupt)
    }

    /// How a row of this action was delivered: a steer between two steps of the agent.
    const fn delivery_mode(self) -> Option<&'static str> {
        match self {
            Self::Steer => Some(crate::records::DELIVERED),
            Self::Interrupt => Some("interrupt_immediate"),
            Self::Queue | Self::Stop | Self::Revoke | Self::Unknown => None,
        }
    }

    const fn status(self) -> &'static str {
        match self {
            Self::Steer | Self::Interrupt => "delivered",
            Self::Queue => "pending",
            Self::Stop => "accepted",
            Self::Revoke | Self::Unknown => "",
        }
    }
}

/// Whether a typed field says so, or the text only looks like it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "only a recorded stop withdraws anything")]
pub enum Provenance {
    /// No field of the line says who did it.
    Heuristic,
    /// A field of the line says it.
    Recorded,
}

impl Provenance {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Heuristic => "heuristic",
            Self::Recorded => "recorded",
        }
    }
}

/// One control row of a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ControlRow {
    /// What was done.
    pub action: ControlAction,
    /// Where the host shows it, as `format.place`.
    pub method: &'static str,
    /// The host's id of the act, or `""`.
    pub control_id: String,
    /// The host's id of the message, or `""`.
    pub message_id: String,
    /// What was said, as it was said.
    pub text: String,
    /// How it is known.
    pub provenance: Provenance,
    /// The row as the host recorded it, where it keeps such rows itself; then this is the row.
    pub recorded: Option<Value>,
}

impl ControlRow {
    /// The row as a record of `harn.session.control.v1`.
    #[must_use]
    pub fn to_value(&self) -> Value {
        if let Some(recorded) = &self.recorded {
            return recorded.clone();
        }
        let mut row = json!({
            "schema": SCHEMA,
            "kind": "control",
            "action": self.action.as_str(),
            "method": self.method,
            "control_id": self.control_id,
            "status": self.action.status(),
            "provenance": self.provenance.as_str(),
        });
        let mode = self.action.delivery_mode().map(|mode| ("delivery_mode", mode.to_owned()));
        let id = Some(("message_id", self.message_id.clone())).filter(|(_, id)| !id.is_empty());
        let text = Some(("text", self.text.clone())).filter(|(_, text)| !text.is_empty());
        if let Some(fields) = row.as_object_mut() {
            let present = [mode, id, text].into_iter().flatten();
            fields.extend(present.map(|(key, value)| (key.to_owned(), Value::String(value))));
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_has_no_delivery_and_a_steer_has() {
        let row = |action| ControlRow {
            action,
            method: "test.place",
            control_id: "c".into(),
            message_id: String::new(),
            text: "t".into(),
            provenance: Provenance::Recorded,
            recorded: None,
        };
        assert_eq!(row(ControlAction::Stop).to_value().get("delivery_mode"), None);
        assert_eq!(row(ControlAction::Queue).to_value().get("delivery_mode"), None);
        assert_eq!(row(ControlAction::Steer).to_value()["delivery_mode"], "finish_step");
    }
}
