//! What one message holds.

use serde_json::{Map, Value};

use super::outcome::{self, Outcome};
use crate::chat::{Fields, flat_text, text_of};
use crate::flow::Call;
use crate::hook::without_own_words;

/// How messages begin that the host itself puts into the conversation.
const INJECTED: [&str; 2] = ["<session_context>", "<hook_context>"];

/// Words of a message of the type `user`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// A person's, as far as the format shows: what was typed, and what the agent was given for it.
    Person { typed: String, given: String },
    /// Our own feedback, and nothing else.
    Ours,
    /// The results of calls, which stand with their calls as well.
    Results,
    /// The host's own.
    Host,
}

/// Whether a message is a person's or the agent's.
pub(super) fn is_said(fields: &Fields) -> bool {
    matches!(text_of(fields, "type"), Some("user" | "gemini" | "model"))
}

/// Reads the words of a message of the type `user`.
pub(super) fn words(fields: &Fields) -> Words {
    let content = fields.get("content").or_else(|| fields.get("parts"));
    let text = content.map(flat_text).unwrap_or_default();
    let has_results = content
        .and_then(Value::as_array)
        .is_some_and(|parts| parts.iter().any(|part| part.get("functionResponse").is_some()));
    // What stands beside a result is a tool's as well.
    if has_results {
        return Words::Results;
    }
    if INJECTED.iter().any(|opening| text.trim_start().starts_with(opening)) {
        return Words::Host;
    }
    let given = without_own_words(&text).into_owned();
    if given.trim().is_empty() && !text.trim().is_empty() {
        return Words::Ours;
    }
    let shown = fields.get("displayContent").map(flat_text).unwrap_or_default();
    let typed = if shown.trim().is_empty() { given.clone() } else { shown };
    Words::Person { typed, given }
}

/// The text of the agent's message.
pub(super) fn text(fields: &Fields) -> String {
    let content = fields.get("content").or_else(|| fields.get("parts"));
    content.map(flat_text).unwrap_or_default()
}

/// The calls of the agent's message.
pub(super) fn calls(fields: &Fields) -> impl Iterator<Item = Call> + '_ {
    let calls = fields.get("toolCalls").and_then(Value::as_array);
    calls.into_iter().flatten().map(call)
}

/// The results of its calls: the id of each call, and how it ended; none of one without an end.
pub(super) fn outcomes(fields: &Fields) -> impl Iterator<Item = (String, Outcome)> + '_ {
    let calls = fields.get("toolCalls").and_then(Value::as_array);
    calls.into_iter().flatten().map(|call| (id(call), outcome::of(call)))
}

fn call(call: &Value) -> Call {
    let name = call.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let args = call.get("args").and_then(Value::as_object).cloned().unwrap_or_else(Map::new);
    Call { id: id(call), name, args }
}

fn id(call: &Value) -> String {
    call.get("id").and_then(Value::as_str).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(message: &Value) -> Words {
        words(message.as_object().unwrap())
    }

    #[test]
    fn whose_words_a_message_holds() {
        let person =
            |typed: &str, given: &str| Words::Person { typed: typed.into(), given: given.into() };
        assert_eq!(of(&json!({"content": "go"})), person("go", "go"));
        assert_eq!(of(&json!({"content": [{"text": "go"}]})), person("go", "go"));
        let shown = json!({"content": "go @a: …", "displayContent": "go @a"});
        assert_eq!(of(&shown), person("go @a", "go @a: …"));
        let result = json!({"functionResponse": {"id": "c", "response": {"output": "x"}}});
        assert_eq!(of(&json!({"content": [result, {"text": "of a file"}]})), Words::Results);
        assert_eq!(of(&json!({"content": "<session_context>\n…"})), Words::Host);
    }
}
