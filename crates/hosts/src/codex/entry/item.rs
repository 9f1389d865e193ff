//! What the model saw or said: a response item, wrapped or bare.

use serde_json::{Map, Value};

use super::event::said;
use super::{Entry, Output, text};
use crate::chat::flat_text;
use crate::codex::arguments;
use crate::codex::person::{self, Words};
use crate::codex::tools;
use crate::flow::{Call, Showing, Told};
use crate::records::ResultOutcome;

/// Reads an item; `line` is all of the line it stands in.
pub(super) fn read(item: &Value, line: &Value) -> Entry {
    match text(item, "type").unwrap_or_default() {
        "" | "message" => message(item, line),
        "agent_message" => Entry::Other(content(item)),
        "function_call" => Entry::Call(function(item), None),
        "custom_tool_call" => Entry::Call(custom(item), None),
        "local_shell_call" => Entry::Call(provided(item, "local_shell"), None),
        "tool_search_call" => Entry::Call(searched(item), None),
        "web_search_call" => by_provider(item, "web_search"),
        "image_generation_call" => by_provider(item, "image_generation"),
        "function_call_output" | "custom_tool_call_output" | "function_result" => {
            Entry::Output(Output::of(item))
        }
        "tool_search_output" => Entry::Output(Output::by_status(item)),
        other => Entry::Nothing(format!("response_item.{other}")),
    }
}

fn message(item: &Value, line: &Value) -> Entry {
    match text(item, "role").unwrap_or_default() {
        "user" => match person::words(item, line) {
            Words::Person { text, typed } => Entry::Person { showing: Showing::Item, text, typed },
            Words::Hook => Entry::Hook,
            Words::Host => Entry::Nothing("response_item.message.host".to_owned()),
            Words::Unknown(word) => Entry::Unknown { field: "provenance", word },
        },
        "assistant" => {
            let (showing, text) = (Showing::Item, content(item));
            Entry::Agent { showing, text, said: said(item) }
        }
        role @ ("developer" | "system") => Entry::Nothing(format!("response_item.message.{role}")),
        role => Entry::Unknown { field: "role", word: role.to_owned() },
    }
}

fn content(item: &Value) -> String {
    let content = item.get("content").or_else(|| item.get("message"));
    content.map(flat_text).unwrap_or_default()
}

fn id(item: &Value) -> String {
    let id = text(item, "call_id").or_else(|| text(item, "id"));
    id.unwrap_or_default().to_owned()
}

fn name(item: &Value) -> String {
    let inner = item.pointer("/function/name").and_then(Value::as_str);
    let name = text(item, "name").or(inner).unwrap_or_default();
    tools::named(text(item, "namespace").unwrap_or_default(), name)
}

fn function(item: &Value) -> Call {
    let name = name(item);
    let args = arguments::of_call(&name, item.get("arguments"));
    Call { id: id(item), name, args }
}

fn custom(item: &Value) -> Call {
    let name = name(item);
    let args = arguments::of_input(&name, item.get("input"));
    Call { id: id(item), name, args }
}

/// A call of a tool that is an item type of its own.
fn provided(item: &Value, name: &str) -> Call {
    let args = arguments::of_call(name, item.get("action"));
    Call { id: id(item), name: name.to_owned(), args }
}

fn searched(item: &Value) -> Call {
    let args = arguments::of_call("tool_search", item.get("arguments"));
    Call { id: id(item), name: "tool_search".to_owned(), args }
}

/// What the model's provider ran: its item is its end as well.
fn by_provider(item: &Value, name: &str) -> Entry {
    let call = provided(item, name);
    if call.id.is_empty() {
        return Entry::Nothing(format!("response_item.{name}_call"));
    }
    let outcome = match text(item, "status") {
        Some("completed") => ResultOutcome::Ok,
        Some("failed" | "incomplete") => ResultOutcome::Error,
        _ => ResultOutcome::Unknown,
    };
    let args = if name == "web_search" { call.args } else { Map::new() };
    Entry::Call(Call { args, ..call }, Some(Told::of(outcome)))
}
