//! What the host tells: an event, or a typed item that was completed.

use serde_json::Value;

use super::{Completion, Entry, text};
use crate::chat::flat_text;
use crate::codex::ending;
use crate::flow::{Said, Showing};

/// Reads an event.
pub(super) fn read(kind: &str, payload: &Value) -> Entry {
    match kind {
        "task_started" | "turn_started" => Entry::Started,
        "task_complete" | "turn_complete" | "turn_completed" => {
            Entry::Completed(completion(payload))
        }
        "turn_aborted" => Entry::Aborted(text(payload, "reason").unwrap_or_default().to_owned()),
        "thread_rolled_back" => {
            let turns = payload.get("num_turns").and_then(Value::as_u64);
            Entry::RolledBack(turns.unwrap_or_default())
        }
        "error" => Entry::Failed,
        "user_message" => person(text(payload, "message").unwrap_or_default()),
        "agent_message" => {
            let text = text(payload, "message").unwrap_or_default().to_owned();
            Entry::Agent { showing: Showing::Event, text, said: said(payload) }
        }
        "sub_agent_activity" => activity(payload),
        _ => ended(kind, payload),
    }
}

/// Reads a typed item.
pub(super) fn typed(item: &Value) -> Entry {
    let content = || item.get("content").map(flat_text).unwrap_or_default();
    match text(item, "type").unwrap_or_default() {
        "UserMessage" => person(&content()),
        "HookPrompt" => Entry::Hook,
        // A question that waits for nobody is no answer.
        "AgentMessage" if text(item, "delivery") == Some("async") => {
            Entry::Nothing("event_msg.AgentMessage.async".to_owned())
        }
        "AgentMessage" => {
            Entry::Agent { showing: Showing::Event, text: content(), said: said(item) }
        }
        "SubAgentActivity" => activity(item),
        kind => ended(kind, item),
    }
}

fn person(text: &str) -> Entry {
    Entry::Person { showing: Showing::Event, text: text.to_owned(), typed: true }
}

fn ended(kind: &str, fields: &Value) -> Entry {
    match ending::read(kind, fields) {
        Some(ending) => Entry::Ending(Box::new(ending)),
        None => Entry::Nothing(format!("event_msg.{kind}")),
    }
}

fn activity(fields: &Value) -> Entry {
    match ending::activity(fields) {
        Some(activity) => Entry::Activity(activity),
        None => Entry::Nothing("event_msg.SubAgentActivity".to_owned()),
    }
}

fn completion(payload: &Value) -> Completion {
    let last = payload.get("last_agent_message");
    Completion {
        last: last.map(|last| last.as_str().unwrap_or_default().to_owned()),
        failed: payload.get("error").is_some_and(|error| !error.is_null()),
    }
}

/// By the phase that the model itself gave a message, where it did.
pub(super) fn said(fields: &Value) -> Said {
    match text(fields, "phase") {
        Some("commentary") => Said::Commentary,
        _ => Said::Closing,
    }
}
