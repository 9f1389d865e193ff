//! What one message of OpenAI's chat format says.

use serde_json::Value;

use super::recognises;
use crate::chat::{Agent, Answered, Call, Delivery, Entry, Fields, Foreign, Person, arguments};
use crate::chat::{flat_text, text_of};
use crate::format::Format;
use crate::harn;
use crate::records::ResultOutcome;

/// Reasons to finish that leave a message whole.
const WHOLE: [&str; 4] = ["stop", "tool_calls", "function_call", "end_turn"];
/// Blocks of Anthropic's format: calls and results that stand in the content.
const FOREIGN_BLOCKS: [&str; 2] = ["tool_use", "tool_result"];

/// Reads a message.
pub(super) fn entry(message: Fields) -> Entry {
    if harn::recognises(&message) {
        return Entry::Foreign(Foreign::Of(Format::Harn));
    }
    if let Some(block) = foreign_block(&message) {
        return Entry::Foreign(Foreign::Unread(format!("a block `{block}` among its content")));
    }
    let role = text_of(&message, "role").unwrap_or_default().to_owned();
    if !recognises(&message) {
        return unread(&message, role);
    }
    match role.as_str() {
        "user" => person(&message),
        "assistant" => agent(message),
        "tool" | "function" => result(&message),
        _ => Entry::Skipped(format!("role.{role}")),
    }
}

/// What is no message is skipped under its type; what has a role that nobody knows says so.
fn unread(message: &Fields, role: String) -> Entry {
    let kind = text_of(message, "type");
    match kind {
        Some(kind) => Entry::Skipped(kind.to_owned()),
        None if role.is_empty() => Entry::Skipped("(none)".to_owned()),
        None => Entry::Unknown { field: "role", word: role },
    }
}

/// The first block of another format among a message's content.
pub(super) fn foreign_block(message: &Fields) -> Option<&'static str> {
    let blocks = message.get("content").and_then(Value::as_array)?;
    blocks.iter().find_map(|block| {
        let kind = block.get("type").and_then(Value::as_str)?;
        FOREIGN_BLOCKS.into_iter().find(|foreign| *foreign == kind)
    })
}

fn person(message: &Fields) -> Entry {
    Entry::Person(Person {
        text: content(message),
        message_id: String::new(),
        delivery: Delivery::Unsaid,
        message: Fields::new(),
    })
}

fn agent(mut message: Fields) -> Entry {
    let text = content(&message);
    let reason = text_of(&message, "finish_reason");
    let cut = reason.filter(|reason| !WHOLE.contains(reason)).map(str::to_owned);
    let mut calls = match message.remove("tool_calls") {
        Some(Value::Array(calls)) => calls,
        _ => Vec::new(),
    };
    // The older way: one call, without an id.
    calls.extend(message.remove("function_call").filter(Value::is_object));
    let calls = calls.iter().filter_map(call).collect();
    Entry::Agent(Agent { text, calls, cut, message: Fields::new() })
}

/// A call; `function` is an object, or the name beside the arguments.
fn call(call: &Value) -> Option<Call> {
    let function = call.get("function");
    let name = [call.get("name"), function.and_then(|function| function.get("name")), function];
    let name =
        name.into_iter().flatten().find_map(Value::as_str).filter(|name| !name.is_empty())?;
    let args = [
        call.get("args"),
        call.get("arguments"),
        function.and_then(|function| function.get("arguments")),
    ];
    let args = args.into_iter().flatten().find(|args| !args.is_null());
    let id = call.get("id").and_then(Value::as_str).unwrap_or_default();
    Some(Call { id: id.to_owned(), name: name.to_owned(), args: arguments(args) })
}

fn result(message: &Fields) -> Entry {
    let id = text_of(message, "tool_call_id").unwrap_or_default();
    Entry::Result(Answered {
        id: id.to_owned(),
        name: text_of(message, "name").unwrap_or_default().to_owned(),
        text: content(message),
        outcome: ResultOutcome::Unknown,
        exit_code: None,
        message: Fields::new(),
    })
}

fn content(message: &Fields) -> String {
    message.get("content").map(flat_text).unwrap_or_default()
}
