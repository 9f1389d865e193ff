//! What a line is, before all of it is read: most lines hold nothing that a decision rests on, and
//! some of those repeat the whole conversation.

use serde::de::{DeserializeSeed, MapAccess};
use serde_json::Value;

use crate::json::{self, Json, Of, Read, Record, Text, Twice};
use crate::source::LineCause;

/// Types of a line that wraps a payload.
const WRAPPED: [&str; 12] = [
    "compacted",
    "event_msg",
    "inter_agent_communication",
    "inter_agent_communication_metadata",
    "realtime_item",
    "response_item",
    "retained_context",
    "security_risk_score",
    "session_meta",
    "token_usage_record",
    "turn_context",
    "world_state",
];

/// Items that only this host writes bare.
const BARE: [&str; 6] = [
    "custom_tool_call",
    "custom_tool_call_output",
    "function_call",
    "function_call_output",
    "function_result",
    "local_shell_call",
];

/// What the model saw or said.
const ITEMS: [&str; 13] = [
    "",
    "agent_message",
    "custom_tool_call",
    "custom_tool_call_output",
    "function_call",
    "function_call_output",
    "function_result",
    "image_generation_call",
    "local_shell_call",
    "message",
    "tool_search_call",
    "tool_search_output",
    "web_search_call",
];

/// What the host tells.
const EVENTS: [&str; 16] = [
    "agent_message",
    "dynamic_tool_call_response",
    "error",
    "exec_command_end",
    "item_completed",
    "mcp_tool_call_end",
    "patch_apply_end",
    "sub_agent_activity",
    "task_complete",
    "task_started",
    "thread_rolled_back",
    "turn_aborted",
    "turn_complete",
    "turn_completed",
    "turn_started",
    "user_message",
];

/// Typed items of a turn.
const TYPED: [&str; 9] = [
    "AgentMessage",
    "CollabAgentToolCall",
    "CommandExecution",
    "DynamicToolCall",
    "FileChange",
    "HookPrompt",
    "McpToolCall",
    "SubAgentActivity",
    "UserMessage",
];

/// Whether all of a line has to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Interest {
    Whole,
    /// It is counted under this word.
    None(String),
}

/// The words of a line that say what it is.
#[derive(Debug, Default)]
pub(super) struct Head {
    word: String,
    payload: Option<Inner>,
    record_type: Option<String>,
    role: Option<String>,
    called: bool,
}

#[derive(Debug, Default)]
struct Inner {
    word: String,
    item: Option<String>,
}

impl Head {
    /// Whether a line of this shape is this host's.
    pub(super) fn is_ours(&self) -> bool {
        match (&self.payload, &self.record_type) {
            (Some(_), _) => WRAPPED.contains(&self.word.as_str()),
            (None, Some(_)) => self.record_type.as_deref() == Some("state"),
            (None, None) => self.called && BARE.contains(&self.word.as_str()),
        }
    }

    /// Whether all of the line has to be read.
    pub(super) fn interest(&self) -> Interest {
        let Some(payload) = &self.payload else { return self.bare_interest() };
        let inner = payload.word.as_str();
        let (is_wanted, word) = match (self.word.as_str(), payload.item.as_deref()) {
            ("session_meta", _) => return Interest::Whole,
            ("response_item", _) => (ITEMS.contains(&inner), inner),
            ("event_msg", Some(item)) if inner == "item_completed" => (TYPED.contains(&item), item),
            ("event_msg", _) => (EVENTS.contains(&inner), inner),
            (_, _) => (false, ""),
        };
        let named = if word.is_empty() { String::new() } else { format!(".{word}") };
        if is_wanted { Interest::Whole } else { Interest::None(format!("{}{named}", self.word)) }
    }

    /// A line without a payload: an item of an old file, the file's first line, or a state.
    fn bare_interest(&self) -> Interest {
        let is_item = ITEMS.contains(&self.word.as_str());
        let says = !self.word.is_empty() || self.role.is_some();
        if self.record_type.is_none() && is_item && says {
            return Interest::Whole;
        }
        let word = self.record_type.as_deref().unwrap_or(&self.word);
        Interest::None(if word.is_empty() { "(none)".to_owned() } else { word.to_owned() })
    }
}

impl<'de> Record<'de> for Head {
    const KEYS: &'static [&'static str] =
        &["type", "payload", "record_type", "role", "call_id", "name", "function"];

    fn set<A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
        twice: &Twice,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.word = map.next_value_seed(Text)?.unwrap_or_default(),
            1 => self.payload = map.next_value_seed(Of::new(twice))?,
            2 => self.record_type = map.next_value_seed(Text)?,
            3 => self.role = map.next_value_seed(Text)?,
            _ => {
                self.called = true;
                map.next_value::<serde::de::IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

impl<'de> Record<'de> for Inner {
    const KEYS: &'static [&'static str] = &["type", "item"];

    fn set<A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
        twice: &Twice,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.word = map.next_value_seed(Text)?.unwrap_or_default(),
            _ => {
                let item: Option<Self> = map.next_value_seed(Of::new(twice))?;
                self.item = item.map(|item| item.word);
            }
        }
        Ok(())
    }
}

/// Reads all of a line.
pub(super) fn whole(bytes: &[u8]) -> Result<Read<Value>, LineCause> {
    json::read_with(bytes, |text, twice| {
        let mut json = serde_json::Deserializer::from_str(text);
        // The depth was counted already, and is at most 512.
        json.disable_recursion_limit();
        let read = Json(twice).deserialize(&mut json);
        read.and_then(|value| json.end().map(|()| value)).map_err(|error| json::cause(&error))
    })
}
