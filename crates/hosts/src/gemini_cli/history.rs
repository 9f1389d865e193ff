//! The messages as they stand: each once, in its last version, where its first version stood.

use std::collections::BTreeMap;

use serde_json::Value;

use super::message;
use super::tools::TOOLS;
use crate::catalogue::Catalogue;
use crate::chat::{Fields, text_of};
use crate::flow::write_keys;
use crate::options::ReadOptions;
use crate::position::Position;
use crate::session::RunIds;
use crate::source::LineNumber;
use crate::writes::{Chain, WriteKey};

/// Fields of a message that say nothing a decision rests on, and may be long.
const UNREAD: [&str; 3] = ["thoughts", "tokens", "model"];

/// Fields of a call that only say how it is shown.
const SHOWN: [&str; 3] = ["description", "displayName", "resultDisplay"];

/// A message, and where its last version stands.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) fields: Fields,
    pub(super) at: Position,
}

/// What a file holds.
#[derive(Debug)]
pub(super) struct History {
    pub(super) ids: RunIds,
    /// The messages in their order; none where one was taken back.
    messages: Vec<Message>,
    by_id: BTreeMap<String, usize>,
    /// What messages wrote that do not stand any more.
    pub(super) left: Vec<(WriteKey, LineNumber)>,
    /// How often the history was written anew without something that stood in it.
    pub(super) replaced: u64,
    catalogue: Catalogue,
}

impl History {
    pub(super) fn new(options: &ReadOptions) -> Self {
        Self {
            ids: RunIds::default(),
            messages: Vec::new(),
            by_id: BTreeMap::new(),
            left: Vec::new(),
            replaced: 0,
            catalogue: Catalogue::new(TOOLS, options),
        }
    }

    /// The messages in their order.
    pub(super) fn messages(&self) -> impl Iterator<Item = &Message> {
        self.messages.iter()
    }

    /// The file's own fields; a run that is gone on with names another session in the same file.
    pub(super) fn head(&mut self, fields: &Fields) {
        let session = text_of(fields, "sessionId").map(str::to_owned);
        if session.is_some() {
            self.ids.session = session;
        }
        if text_of(fields, "kind") == Some("subagent") {
            self.ids.agent.clone_from(&self.ids.session);
        }
    }

    /// A message is written, or written again.
    pub(super) fn put(&mut self, mut fields: Fields, at: Position) {
        UNREAD.iter().for_each(|key| drop(fields.remove(*key)));
        let calls = fields.get_mut("toolCalls").and_then(Value::as_array_mut);
        for call in calls.into_iter().flatten().filter_map(Value::as_object_mut) {
            SHOWN.iter().for_each(|key| drop(call.remove(*key)));
        }
        let id = text_of(&fields, "id").unwrap_or_default().to_owned();
        let message = Message { fields, at };
        match self.by_id.get(&id).copied().filter(|_| !id.is_empty()) {
            Some(place) => {
                let kept = self.written_by(&message);
                if let Some(known) = self.messages.get_mut(place) {
                    let before = std::mem::replace(known, message);
                    self.leave(&before, &kept);
                }
            }
            None => {
                self.by_id.insert(id, self.messages.len());
                self.messages.push(message);
            }
        }
    }

    /// The file's own fields change; a list of messages stands for all that were there before.
    pub(super) fn set(&mut self, mut set: Fields, line: LineNumber) {
        self.head(&set);
        let Some(Value::Array(messages)) = set.remove("messages") else { return };
        let before = std::mem::take(&mut self.messages);
        self.by_id.clear();
        for (at, message) in messages.into_iter().enumerate() {
            if let Value::Object(fields) = message {
                self.put(fields, Position::new(line, format!("/$set/messages/{at}")));
            }
        }
        self.drop_all(&before);
    }

    /// Takes back a message and all after it; one that is not there takes back all, as the host
    /// has it.
    pub(super) fn rewind(&mut self, id: &str) {
        let from = self.by_id.get(id).copied().unwrap_or(0);
        let dropped = self.messages.split_off(from.min(self.messages.len()));
        for message in &dropped {
            self.by_id.remove(text_of(&message.fields, "id").unwrap_or_default());
            self.leave(message, &Kept::new());
        }
        self.replaced += u64::from(dropped.iter().any(|message| message::is_said(&message.fields)));
    }

    /// Notes of messages that a list replaced what does not stand any more.
    fn drop_all(&mut self, before: &[Message]) {
        let standing = self.messages.iter().flat_map(|message| self.written_by(message));
        let kept: Kept = standing.collect();
        let is_gone = |message: &Message| {
            let id = text_of(&message.fields, "id").unwrap_or_default();
            !self.by_id.contains_key(id) && message::is_said(&message.fields)
        };
        self.replaced += u64::from(before.iter().any(is_gone));
        for message in before {
            self.leave(message, &kept);
        }
    }

    /// What a message's calls wrote is written, though the message does not stand any more.
    fn leave(&mut self, before: &Message, kept: &Kept) {
        for (id, keys) in self.written_by(before) {
            let kept = kept.get(&id).map_or(&[][..], Vec::as_slice);
            let left = keys.into_iter().filter(|key| !kept.contains(key));
            self.left.extend(left.map(|key| (key, before.at.line)));
        }
    }

    /// What each call of a message wrote, or may have.
    fn written_by(&self, message: &Message) -> Kept {
        let calls = message::calls(&message.fields);
        calls
            .map(|call| (call.id.clone(), write_keys(&call, Chain::Off, &self.catalogue)))
            .collect()
    }
}

/// What the calls that stand wrote, by call.
type Kept = BTreeMap<String, Vec<WriteKey>>;
