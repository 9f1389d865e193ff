//! OpenAI chat: a flat list of messages by role, as benchmarks and proxies keep them.
//!
//! The format shows no outcome for a call, so no call of it ever failed; it names no sender beyond
//! the role and no stop. It annotates no tool, so each may have written. What a list of messages
//! is, and which turn a message belongs to, is `chat`'s.

mod message;

use serde_json::Value;

use crate::catalogue::Catalogue;
use crate::chat::{Agent, Answered, BY_PLACE, Dialect, Entry, Fields, Person, text_of};
use crate::control::{ControlAction, ControlRow};
use crate::format::Format;
use crate::options::ReadOptions;
use crate::records::{self, CallResult};

/// What a message of this format is recognised by.
pub(crate) const RECOGNISED_BY: &str = "messages with a `role` and `content` or `tool_calls`, one \
                                        a line, in a list, or under `messages` or `traj`";

/// Roles of a message.
const ROLES: [&str; 6] = ["system", "developer", "user", "assistant", "tool", "function"];

/// Whether an object is a message of this format. What has a `type` is of another, whatever else
/// it shares with this one.
pub(crate) fn recognises(fields: &Fields) -> bool {
    let role = text_of(fields, "role").is_some_and(|role| ROLES.contains(&role));
    let says = ["content", "tool_calls", "function_call"];
    role && !fields.contains_key("type")
        && says.iter().any(|key| fields.contains_key(*key))
        && message::foreign_block(fields).is_none()
}

/// How messages of this format are read.
#[derive(Debug)]
pub(crate) struct OpenAiChat;

impl Dialect for OpenAiChat {
    const FORMAT: Format = Format::OpenAiChat;

    fn entry(message: Fields) -> Entry {
        message::entry(message)
    }

    fn catalogue(_run: Option<&Fields>, options: &ReadOptions) -> Catalogue {
        Catalogue::new(&[], options)
    }

    fn person_row(person: Person, as_steer: bool) -> Value {
        if as_steer {
            records::steer(person.text, person.message_id)
        } else {
            records::prompt(person.text)
        }
    }

    fn agent_row(agent: Agent, ids: &[String]) -> Value {
        let calls = agent.calls.into_iter().zip(ids);
        let calls = calls.map(|(call, id)| records::call(id.clone(), call.name, call.args));
        records::assistant(agent.text, calls.collect())
    }

    fn result_row(result: Answered, id: String, name: String) -> Value {
        let Answered { text, outcome, .. } = result;
        CallResult { id, name, text, outcome, data: Fields::new() }.into_record()
    }

    fn steer_by_place(person: &Person) -> ControlRow {
        ControlRow {
            action: ControlAction::Steer,
            method: "openai-chat.user",
            control_id: String::new(),
            message_id: person.message_id.clone(),
            text: person.text.clone(),
            provenance: BY_PLACE,
            recorded: None,
        }
    }
}
