//! This turn: where it begins, what came back in it, and which calls belong to earlier ones.
//!
//! It begins after the last message a person said. A frame of the library (a correction, a notice)
//! is no person's message, or a continued conversation would hide the results before it.

use crate::{
    ids::IdSet,
    json::{Node, Object, Text},
    rows::bounded,
};

/// How a message of the library opens. Case counts, and nothing is trimmed first.
///
/// RECONSTRUCTED: the last one. The original's literal is longer and not stored.
const LIBRARY_OPENINGS: [&str; 8] = [
    "[dropped history",
    "[compacted history",
    "[schema check",
    "[evidence check",
    "[budget exhausted",
    "[steps unrun",
    "[A note from the library that runs the tools",
    "[staged data",
];

/// What the turn was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the two answers of the rule")]
pub enum TurnFrom {
    /// From the last message a person said.
    Person,
    /// No person said anything: from the whole history.
    WholeHistory,
}

impl TurnFrom {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::WholeHistory => "whole-history",
        }
    }
}

/// The history, and the index of the message that opens this turn.
#[derive(Debug)]
pub(crate) struct Turn<'r> {
    history: Vec<Node<'r>>,
    begins: Option<usize>,
}

/// A message of a tool in this turn.
#[derive(Debug)]
pub(crate) struct ToolMessage<'r> {
    pub(crate) index: usize,
    pub(crate) call: Option<Text<'r>>,
    pub(crate) tool: Option<Text<'r>>,
    pub(crate) content: Option<Node<'r>>,
    pub(crate) chars: Option<f64>,
}

impl<'r> Turn<'r> {
    pub(crate) fn read(history: Option<Node<'r>>) -> Self {
        let history: Vec<_> =
            history.and_then(Node::array).into_iter().flat_map(|list| list.entries()).collect();
        let begins = history.iter().rposition(|entry| said_by_person(*entry));
        Self { history, begins }
    }

    pub(crate) fn from(&self) -> TurnFrom {
        if self.begins.is_some() { TurnFrom::Person } else { TurnFrom::WholeHistory }
    }

    /// The tools' messages of this turn, in order.
    pub(crate) fn tool_messages(&self) -> impl Iterator<Item = ToolMessage<'r>> {
        let after = self.begins.map_or(0, |begins| begins + 1);
        self.history.iter().enumerate().skip(after).filter_map(|(index, entry)| {
            let [role, call, tool, content, chars] =
                entry.object()?.pick(["role", "toolCallId", "toolName", "content", "toolChars"]);
            role?.is("tool").then_some(ToolMessage {
                index,
                call: call.and_then(Node::string),
                tool: tool.and_then(Node::string),
                content,
                chars: chars.and_then(Node::number),
            })
        })
    }

    /// The calls that the record places before this turn began.
    pub(crate) fn earlier_calls(&self) -> IdSet<'r> {
        let before = self.history.iter().take(self.begins.unwrap_or(0));
        before.flat_map(|entry| calls_held(*entry)).filter(|id| !id.is_empty()).collect()
    }

    /// Every call the history holds anywhere.
    pub(crate) fn held_calls(&self) -> impl Iterator<Item = Text<'r>> {
        self.history.iter().flat_map(|entry| calls_held(*entry))
    }
}

fn said_by_person(entry: Node<'_>) -> bool {
    let Some(message) = entry.object() else { return false };
    let [role, content, injected] = message.pick(["role", "content", "injectedBy"]);
    let by_user = role.is_some_and(|role| role.is("user")) && injected.is_none();
    by_user
        && content.and_then(Node::string).is_some_and(|content| {
            !LIBRARY_OPENINGS.iter().any(|o| content.as_bytes().starts_with(o.as_bytes()))
        })
}

/// The calls a message holds: the one it answers, and those it asks for whatever its role.
fn calls_held(entry: Node<'_>) -> Vec<Text<'_>> {
    let Some(message) = entry.object() else { return Vec::new() };
    let [role, call, asked] = message.pick(["role", "toolCallId", "toolCalls"]);
    let answered = call.filter(|_| role.is_some_and(|role| role.is("tool")));
    let asked = bounded(asked).entries.into_iter().filter_map(|call| call.object()?.get("id"));
    answered.into_iter().chain(asked).filter_map(Node::string).collect()
}

/// The text that `key` of an object holds.
pub(crate) fn text_at<'r>(object: Object<'r>, key: &str) -> Option<Text<'r>> {
    object.get(key).and_then(Node::string)
}
