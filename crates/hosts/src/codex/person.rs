//! Whose words a message of role `user` holds.
//!
//! A build of today marks each block with its provenance. Where there is no mark, the wrappers that
//! the host puts around its own words are known by how they begin: they make a text nobody's, never
//! anybody's stop.

use serde_json::Value;

use crate::chat;

/// How blocks begin that the host wrote into the conversation itself.
const WRAPPERS: [&str; 17] = [
    "# AGENTS.md instructions",
    "<INSTRUCTIONS>",
    "<environment_context>",
    "<user_instructions>",
    "<user_shell_command>",
    "<turn_aborted>",
    "<permissions instructions>",
    "<permissions>",
    "<skill>",
    "<skills_instructions>",
    "<collaboration_mode>",
    "<subagent_notification>",
    "<model_switch>",
    "<personality_spec>",
    "<image",
    "</image>",
    "<realtime_conversation>",
];
/// How a block begins that holds a hook's words.
const HOOK_WRAPPER: &str = "<hook_prompt";

/// Whose words a message holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Words {
    Person {
        text: String,
        /// A field says that they are.
        typed: bool,
    },
    /// A hook's: the agent has to answer them.
    Hook,
    /// The host's own, or a tool's.
    Host,
    /// A word nobody knows says whose they are.
    Unknown(String),
}

/// Whose a block is.
enum Owner {
    Person,
    Hook,
    Host,
    Unknown(String),
}

/// Reads the words of a message; `line` is all of it.
pub(super) fn words(payload: &Value, line: &Value) -> Words {
    let blocks = blocks(payload.get("content"));
    let metadata = metadata(payload, line, "content_item_metadata");
    let kinds = metadata_words(metadata, payload, line);
    let typed = !kinds.is_empty();
    let (mut text, mut said, mut other) = (String::new(), false, Words::Host);
    for (at, block) in blocks.iter().enumerate() {
        match kinds.get(at).map_or_else(|| by_text(block), typed_owner) {
            Owner::Person => {
                said = true;
                crate::json::append(&mut text, block);
            }
            Owner::Hook => other = Words::Hook,
            Owner::Unknown(word) if other == Words::Host => other = Words::Unknown(word),
            Owner::Host | Owner::Unknown(_) => {}
        }
    }
    if said { Words::Person { text, typed } } else { other }
}

fn blocks(content: Option<&Value>) -> Vec<String> {
    match content {
        Some(Value::Array(blocks)) => blocks.iter().map(chat::flat_text).collect(),
        Some(other) => vec![chat::flat_text(other)],
        None => Vec::new(),
    }
}

/// What a block's mark says, as `type` and whether it is a hook's.
type Mark = (String, bool);

fn metadata_words(metadata: Option<&Value>, payload: &Value, line: &Value) -> Vec<Mark> {
    let mark = |entry: &Value| {
        let provenance = entry.get("provenance")?;
        let kind = provenance.get("type").and_then(Value::as_str)?.to_owned();
        Some((kind, provenance.get("hook") == Some(&Value::Bool(true))))
    };
    let marks: Option<Vec<Mark>> =
        metadata.and_then(Value::as_array).and_then(|all| all.iter().map(mark).collect());
    if let Some(marks) = marks {
        return marks;
    }
    let kinds = self::metadata(payload, line, "content_item_kinds").and_then(Value::as_array);
    let kind = |kind: &Value| {
        let word = kind.as_str()?.split('.').next().unwrap_or_default();
        Some((word.to_owned(), false))
    };
    kinds.and_then(|kinds| kinds.iter().map(kind).collect()).unwrap_or_default()
}

fn typed_owner((kind, hook): &Mark) -> Owner {
    match (kind.as_str(), hook) {
        ("user", _) => Owner::Person,
        ("harness", true) => Owner::Hook,
        ("harness", false) | ("tool" | "agent" | "developer" | "system", _) => Owner::Host,
        (other, _) => Owner::Unknown(other.to_owned()),
    }
}

fn by_text(block: &str) -> Owner {
    let block = block.trim_start();
    if block.starts_with(HOOK_WRAPPER) {
        Owner::Hook
    } else if block.is_empty() || WRAPPERS.iter().any(|wrapper| block.starts_with(wrapper)) {
        Owner::Host
    } else {
        Owner::Person
    }
}

/// Where a line keeps what the host knows of an item.
const PLACES: [&str; 4] = [
    "/payload/internal_chat_message_metadata_passthrough",
    "/payload/metadata",
    "/metadata",
    "/internal_chat_message_metadata_passthrough",
];

/// What the host knows of an item, wherever its build keeps it.
pub(super) fn metadata<'a>(payload: &'a Value, line: &'a Value, key: &str) -> Option<&'a Value> {
    let places = PLACES.iter().filter_map(|place| line.pointer(place)?.get(key));
    payload.get(key).or_else(|| places.into_iter().next())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(content: &Value, metadata: &Value) -> Words {
        let payload = json!({"content": content,
            "internal_chat_message_metadata_passthrough": metadata});
        words(&payload, &json!({"payload": payload}))
    }

    fn marked(provenance: &Value) -> Words {
        of(
            &json!([{"type": "input_text", "text": "go"}]),
            &json!({"content_item_metadata": [{"provenance": provenance}]}),
        )
    }

    fn person(text: &str, typed: bool) -> Words {
        Words::Person { text: text.into(), typed }
    }

    #[test]
    fn a_mark_outranks_the_text() {
        assert_eq!(marked(&json!({"type": "user"})), person("go", true));
        assert_eq!(marked(&json!({"type": "harness", "hook": true})), Words::Hook);
        assert_eq!(marked(&json!({"type": "harness", "hook": false})), Words::Host);
        assert_eq!(marked(&json!({"type": "tool"})), Words::Host);
        assert_eq!(marked(&json!({"type": "telepathy"})), Words::Unknown("telepathy".into()));
        let typed = of(&json!("<turn_aborted>"), &json!({"content_item_kinds": ["user.text"]}));
        assert_eq!(typed, person("<turn_aborted>", true));
    }

    #[test]
    fn wrappers_are_nobodys_where_there_is_no_mark() {
        let text = |text: &str| of(&json!([{"type": "input_text", "text": text}]), &json!({}));
        assert_eq!(text("go"), person("go", false));
        assert_eq!(text("<environment_context>\n<cwd>/w</cwd>"), Words::Host);
        assert_eq!(text("<hook_prompt hook_run_id=\"stop:0\">no</hook_prompt>"), Words::Hook);
        let both =
            json!([{"text": "# AGENTS.md instructions for /w"}, {"text": "go"}, {"text": "on"}]);
        assert_eq!(of(&both, &json!({})), person("go\non", false));
    }
}
