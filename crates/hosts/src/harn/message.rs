//! What one record of Harn says, by the rules that evidence normalizes it with.

use quittance_evidence::value::display;
use serde_json::Value;

use super::control;
use crate::chat::{Agent, Answered, Call, Delivery, Entry, Fields, Person, arguments};
use crate::chat::{flat_text, text_of};
use crate::control::Provenance;
use crate::records::ResultOutcome;

/// The role of a record, its own or its message's.
pub(super) fn role(record: &Fields) -> Option<&str> {
    let own = text_of(record, "role");
    let inner = || text_of(record.get("message")?.as_object()?, "role");
    own.filter(|role| !role.is_empty()).or_else(inner).filter(|role| !role.is_empty())
}

/// Whether a record is a call's result, whatever its role.
pub(super) fn is_result(record: &Fields) -> bool {
    envelope(record, "kind").and_then(Value::as_str) == Some("tool_result")
}

/// Reads a record.
pub(super) fn entry(record: Fields) -> Entry {
    if is_result(&record) {
        return result(record);
    }
    let word = role(&record).unwrap_or_default().to_owned();
    match word.as_str() {
        "assistant" => agent(record),
        "tool" | "tool_result" => result(record),
        "user" => person(record),
        "system" | "developer" => Entry::Skipped(format!("role.{word}")),
        "" => {
            let kind = ["kind", "type"].iter().find_map(|key| text_of(&record, key));
            Entry::Skipped(kind.unwrap_or("(none)").to_owned())
        }
        _ => Entry::Unknown { field: "role", word },
    }
}

fn person(record: Fields) -> Entry {
    let message_id = record.get("messageId").map(display).unwrap_or_default();
    let mode = record.get("injectedMode").filter(|mode| !mode.is_null()).map(display);
    let content = content(&record).cloned().unwrap_or_default();
    let delivery = match mode.as_deref() {
        None | Some("") => Delivery::Unsaid,
        Some(mode) if control::is_delivered(mode) => {
            let recorded = Provenance::Recorded;
            Delivery::AtWork(control::of_message(&content, &message_id, mode, recorded))
        }
        // A mode that is not known obliges to nothing, and opens nothing.
        Some(_) => Delivery::Late,
    };
    Entry::Person(Person { text: flat_text(&content), message_id, delivery, message: record })
}

impl Person {
    /// What was said, as it was recorded.
    pub(super) fn content(&self) -> &Value {
        content(&self.message).unwrap_or(&Value::Null)
    }
}

fn agent(record: Fields) -> Entry {
    let text = ["text", "content"].iter().find_map(|key| record.get(*key).filter(is_there));
    let text = text.or_else(|| content(&record)).map(flat_text).unwrap_or_default();
    let calls = calls(&record).and_then(Value::as_array).cloned().unwrap_or_default();
    let calls = calls.iter().filter_map(call).collect();
    Entry::Agent(Agent { text, calls, cut: None, message: record })
}

fn call(value: &Value) -> Option<Call> {
    let call = value.as_object()?;
    let function = call.get("function").and_then(Value::as_object);
    let name = [
        text_of(call, "name"),
        function.and_then(|function| text_of(function, "name")),
        text_of(call, "tool_name"),
    ];
    let name = first(&name)?;
    let id = [text_of(call, "id"), text_of(call, "call_id"), text_of(call, "tool_call_id")];
    let args = [
        call.get("args"),
        call.get("arguments"),
        function.and_then(|function| function.get("arguments")),
    ];
    Some(Call {
        id: first(&id).unwrap_or_default().to_owned(),
        name: name.to_owned(),
        args: arguments(args.into_iter().flatten().find(|args| !args.is_null())),
    })
}

fn result(record: Fields) -> Entry {
    let inner = record.get("message").and_then(Value::as_object);
    let inner = |key| inner.and_then(|inner| text_of(inner, key));
    let envelope_text = |key| envelope(&record, key).and_then(Value::as_str);
    let id = [
        envelope_text("tool_call_id"),
        text_of(&record, "tool_call_id"),
        inner("tool_call_id"),
        text_of(&record, "id"),
    ];
    let name = [
        envelope_text("tool_name"),
        text_of(&record, "name"),
        inner("name"),
        text_of(&record, "tool_name"),
    ];
    let typed = is_typed_result(&record);
    let outcome = if typed { text_of(&record, "outcome") } else { envelope_text("outcome") };
    let origin = if typed { text_of(&record, "origin") } else { envelope_text("origin") };
    let data = envelope(&record, "data").or_else(|| record.get("data").filter(|_| typed));
    let exit_code = data.and_then(|data| data.get("exit_code")).and_then(Value::as_i64);
    Entry::Result(Answered {
        id: first(&id).unwrap_or_default().to_owned(),
        name: first(&name).unwrap_or_default().to_owned(),
        text: String::new(),
        outcome: outcome_of(outcome, origin),
        exit_code,
        message: record,
    })
}

/// What the runtime wrote in place of a result says nothing of how the call went.
fn outcome_of(outcome: Option<&str>, origin: Option<&str>) -> ResultOutcome {
    match outcome {
        _ if origin == Some("harness_repair") => ResultOutcome::Unknown,
        Some("ok") => ResultOutcome::Ok,
        Some("error") => ResultOutcome::Error,
        _ => ResultOutcome::Unknown,
    }
}

fn is_typed_result(record: &Fields) -> bool {
    text_of(record, "schema") == Some(super::ROW_SCHEMA)
        && text_of(record, "kind") == Some("tool_result")
}

// ---- rows, as they were recorded but for ids used again

/// The record of a message, its calls under the names they were given.
pub(super) fn renamed_calls(agent: Agent, ids: &[String]) -> Value {
    let Agent { calls: read, message: mut record, .. } = agent;
    if read.iter().zip(ids).any(|(call, id)| call.id != *id) {
        let recorded = calls_mut(&mut record).and_then(Value::as_array_mut);
        // Only calls with a name were read, and named.
        let named = recorded.into_iter().flatten().filter(|value| call(value).is_some());
        for (value, id) in named.zip(ids) {
            if let Some(call) = value.as_object_mut().filter(|_| !id.is_empty()) {
                call.insert("id".to_owned(), id.clone().into());
            }
        }
    }
    Value::Object(record)
}

/// The record of a result, under the name of its call.
pub(super) fn renamed_result(result: Answered, id: String) -> Value {
    let Answered { id: recorded, message: mut record, .. } = result;
    if recorded != id {
        match record.get_mut("_harn").and_then(Value::as_object_mut) {
            Some(envelope) => envelope.insert("tool_call_id".to_owned(), id.into()),
            None => record.insert("tool_call_id".to_owned(), id.into()),
        };
    }
    Value::Object(record)
}

// ---- places of a field

fn envelope<'a>(record: &'a Fields, key: &str) -> Option<&'a Value> {
    record.get("_harn")?.get(key).filter(is_there)
}

fn content(record: &Fields) -> Option<&Value> {
    let own = record.get("content").filter(is_there);
    own.or_else(|| record.get("message")?.get("content").filter(is_there))
}

fn calls(record: &Fields) -> Option<&Value> {
    let own = || record.get("tool_calls").filter(is_there);
    let inner = || record.get("message")?.get("tool_calls").filter(is_there);
    envelope(record, "tool_calls").or_else(own).or_else(inner)
}

/// The same list as [`calls`], to be written to.
fn calls_mut(record: &mut Fields) -> Option<&mut Value> {
    let own = record.get("tool_calls").is_some_and(|value| !value.is_null());
    if envelope(record, "tool_calls").is_some() {
        record.get_mut("_harn")?.get_mut("tool_calls")
    } else if own {
        record.get_mut("tool_calls")
    } else {
        record.get_mut("message")?.get_mut("tool_calls")
    }
}

fn first<'a>(texts: &[Option<&'a str>]) -> Option<&'a str> {
    texts.iter().flatten().copied().find(|text| !text.is_empty())
}

fn is_there(value: &&Value) -> bool {
    !value.is_null()
}
