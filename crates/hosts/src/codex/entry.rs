//! What one line says.

mod event;
mod item;
mod output;

use serde_json::Value;

use super::ending::{Activity, Ending};
use super::person::metadata;
use crate::flow::{Call, Said, Showing, Told};

pub(super) use output::Output;

/// What a line says, of which turn, and where in the line it stands.
#[derive(Debug)]
pub(super) struct Spoken {
    pub(super) entry: Entry,
    /// The host's id of the turn.
    pub(super) turn: Option<String>,
    /// The JSON pointer to it.
    pub(super) pointer: &'static str,
}

/// What a line says.
#[derive(Debug)]
pub(super) enum Entry {
    Meta(Meta),
    /// A turn began.
    Started,
    /// A turn is over.
    Completed(Completion),
    /// A turn was ended, and why.
    Aborted(String),
    /// So many turns were taken back.
    RolledBack(u64),
    /// The model's server failed.
    Failed,
    Person {
        showing: Showing,
        text: String,
        /// A field says that it was a person.
        typed: bool,
    },
    /// A hook said something, which the agent has to answer.
    Hook,
    Agent {
        showing: Showing,
        text: String,
        said: Said,
    },
    /// Another agent said something.
    Other(String),
    /// The agent called something; of what its provider runs, with its end.
    Call(Call, Option<Told>),
    Output(Output),
    Ending(Box<Ending>),
    Activity(Activity),
    /// Nothing that a decision rests on, counted under a word.
    Nothing(String),
    /// A word decides what it says, and is not known.
    Unknown {
        field: &'static str,
        word: String,
    },
}

/// The first line of a file.
#[derive(Debug, Default)]
pub(super) struct Meta {
    pub(super) session: Option<String>,
    /// The sub-agent, where the file is one's.
    pub(super) agent: Option<String>,
    pub(super) version: Option<String>,
}

/// The end of a turn.
#[derive(Debug)]
pub(super) struct Completion {
    /// The closing message as the host names it; empty where it says that there is none.
    pub(super) last: Option<String>,
    /// The model's server failed.
    pub(super) failed: bool,
}

const PAYLOAD: &str = "/payload";

impl Spoken {
    /// Reads a line.
    pub(super) fn of(line: &Value) -> Self {
        let Some(payload) = line.get("payload") else {
            return Self { entry: item::read(line, line), turn: None, pointer: "" };
        };
        match text(line, "type").unwrap_or_default() {
            "session_meta" => Self::at(PAYLOAD, None, Entry::Meta(meta(payload))),
            "event_msg" => event(payload),
            _ => {
                let turn = metadata(payload, line, "turn_id").and_then(Value::as_str);
                Self::at(PAYLOAD, turn, item::read(payload, line))
            }
        }
    }

    fn at(pointer: &'static str, turn: Option<&str>, entry: Entry) -> Self {
        Self { entry, turn: turn.map(str::to_owned), pointer }
    }
}

fn event(payload: &Value) -> Spoken {
    let turn = text(payload, "turn_id").or_else(|| text(payload, "turnId"));
    match (text(payload, "type"), payload.get("item")) {
        (Some("item_completed"), Some(item)) => {
            Spoken::at("/payload/item", turn, event::typed(item))
        }
        (Some(kind), _) => Spoken::at(PAYLOAD, turn, event::read(kind, payload)),
        (None, _) => Spoken::at(PAYLOAD, turn, Entry::Nothing("event_msg".to_owned())),
    }
}

fn meta(payload: &Value) -> Meta {
    let owned = |key| text(payload, key).map(str::to_owned);
    let id = owned("id");
    let source = payload.get("source").and_then(|source| source.get("subagent"));
    let parent = source.and_then(|source| source.pointer("/thread_spawn/parent_thread_id"));
    let parent = owned("parent_thread_id").or(parent.and_then(Value::as_str).map(str::to_owned));
    let is_agents = source.is_some() || text(payload, "thread_source") == Some("subagent");
    let root = owned("session_id");
    Meta {
        session: if is_agents { root.or(parent) } else { id.clone().or(root) },
        agent: id.filter(|_| is_agents),
        version: owned("cli_version"),
    }
}

fn text<'a>(fields: &'a Value, key: &str) -> Option<&'a str> {
    fields.get(key).and_then(Value::as_str)
}
