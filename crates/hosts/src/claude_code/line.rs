//! The typed fields of one line, and nothing else of it.
//!
//! `toolUseResult` may repeat whole files, `prompt_snapshot` the whole system prompt, `api-request*`
//! whole conversations: of these only the fields named here are read, the rest is skipped unread.

use serde::de::{IgnoredAny, MapAccess};

use super::block::{Blocks, Content};
use crate::json::{Flag, FlatText, Of, Record, Text, Twice};
use crate::session::StopReason;

/// What kind of line it is, as far as a decision may rest on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    User,
    Assistant,
    Attachment,
    System,
    Queue,
    /// Stands in the tree now and then, by the million in some files; says nothing.
    Progress,
    /// Known to say nothing here, or not known at all.
    #[default]
    Other,
}

impl Kind {
    fn of(word: &str) -> Self {
        match word {
            "user" => Self::User,
            "assistant" => Self::Assistant,
            "attachment" => Self::Attachment,
            "system" => Self::System,
            "queue-operation" => Self::Queue,
            "progress" => Self::Progress,
            _ => Self::Other,
        }
    }
}

/// Types that only this host writes; `user` and `assistant` prove it by their `message`.
const TYPES: [&str; 14] = [
    "ai-title",
    "api-request",
    "api-request-blob",
    "api-request-shape",
    "attachment",
    "custom-title",
    "file-history-snapshot",
    "last-prompt",
    "permission-mode",
    "progress",
    "queue-operation",
    "summary",
    "system",
    "tools-used",
];

/// One line.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) kind: Kind,
    /// The word the kind was read from; of a line without `type`, its `role`.
    pub(super) word: String,
    pub(super) subtype: String,
    pub(super) uuid: Option<String>,
    pub(super) parent: Option<String>,
    pub(super) logical_parent: Option<String>,
    pub(super) sidechain: bool,
    pub(super) agent_id: Option<String>,
    pub(super) session_id: Option<String>,
    pub(super) prompt_id: Option<String>,
    pub(super) version: Option<String>,
    pub(super) sender: Sender,
    pub(super) message: Message,
    pub(super) attachment: Attachment,
    pub(super) queue: QueueOperation,
    pub(super) twin: Twin,
    pub(super) denial: Option<String>,
    pub(super) api_error: bool,
    pub(super) aborted: bool,
    pub(super) timestamp: Option<String>,
}

/// The fields that say who wrote the words of a line.
#[derive(Debug, Default)]
pub(super) struct Sender {
    /// The host marked the line as its own: `isMeta`, `isCompactSummary` or
    /// `isVisibleInTranscriptOnly`.
    pub(super) hosts_own: bool,
    pub(super) origin: Option<String>,
    pub(super) row_source: Option<String>,
    pub(super) prompt_source: Option<String>,
    pub(super) interrupted_message: Option<String>,
    pub(super) by_shutdown: bool,
}

/// A `queue-operation`.
#[derive(Debug, Default)]
pub(super) struct QueueOperation {
    pub(super) operation: Option<String>,
    pub(super) content: String,
    pub(super) reason: Option<String>,
    pub(super) command: Option<String>,
    pub(super) delivery: Option<String>,
}

impl Line {
    /// Whether a line of this shape is this host's.
    pub(super) fn is_ours(&self) -> bool {
        match self.kind {
            Kind::User | Kind::Assistant => self.message.present,
            _ => TYPES.contains(&self.word.as_str()),
        }
    }

    fn set_word(&mut self, word: Option<String>) {
        if let Some(word) = word {
            self.kind = Kind::of(&word);
            self.word = word;
        }
    }
}

const KEYS: &[&str] = &[
    "type",
    "subtype",
    "uuid",
    "parentUuid",
    "logicalParentUuid",
    "isSidechain",
    "agentId",
    "sessionId",
    "promptId",
    "version",
    "isMeta",
    "isCompactSummary",
    "isVisibleInTranscriptOnly",
    "origin",
    "rowSource",
    "promptSource",
    "interruptedMessageId",
    "interruptedByShutdown",
    "message",
    "attachment",
    "operation",
    "content",
    "reason",
    "commandUuid",
    "deliveryId",
    "toolUseResult",
    "toolDenialKind",
    "isApiErrorMessage",
    "isAbortedMidStream",
    "timestamp",
    "role",
];

impl<'de> Record<'de> for Line {
    const KEYS: &'static [&'static str] = KEYS;

    fn set<A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
        twice: &Twice,
    ) -> Result<(), A::Error> {
        match KEYS.get(key).copied().unwrap_or_default() {
            "type" => {
                let word = map.next_value_seed(Text)?;
                self.set_word(word);
            }
            // Some tools write a line's role where this host writes its type.
            "role" if self.word.is_empty() => {
                let word = map.next_value_seed(Text)?;
                self.set_word(word);
            }
            "subtype" => self.subtype = map.next_value_seed(Text)?.unwrap_or_default(),
            "uuid" => self.uuid = id(map)?,
            "parentUuid" => self.parent = id(map)?,
            "logicalParentUuid" => self.logical_parent = id(map)?,
            "isSidechain" => self.sidechain = map.next_value_seed(Flag)?,
            "agentId" => self.agent_id = map.next_value_seed(Text)?,
            "sessionId" => self.session_id = map.next_value_seed(Text)?,
            "promptId" => self.prompt_id = map.next_value_seed(Text)?,
            "version" => self.version = map.next_value_seed(Text)?,
            "toolDenialKind" => self.denial = map.next_value_seed(Text)?,
            "isApiErrorMessage" => self.api_error = map.next_value_seed(Flag)?,
            "isAbortedMidStream" => self.aborted = map.next_value_seed(Flag)?,
            "timestamp" => self.timestamp = map.next_value_seed(Text)?,
            "message" if self.says_something() => {
                self.message = map.next_value_seed(Of::new(twice))?.unwrap_or_default();
            }
            "attachment" if matches!(self.kind, Kind::Attachment | Kind::Other) => {
                self.attachment = map.next_value_seed(Of::new(twice))?.unwrap_or_default();
            }
            "toolUseResult" => self.twin = map.next_value_seed(Of::new(twice))?.unwrap_or_default(),
            "content" if self.kind == Kind::Queue || self.word.is_empty() => {
                self.queue.content = map.next_value_seed(FlatText)?;
            }
            key => return self.set_sender(key, map, twice),
        }
        Ok(())
    }
}

/// Reads an id; an empty one names nothing, and is not the same as another empty one.
fn id<'de, A: MapAccess<'de>>(map: &mut A) -> Result<Option<String>, A::Error> {
    Ok(map.next_value_seed(Text)?.filter(|id| !id.is_empty()))
}

impl Line {
    /// Before its type is known, any line may.
    fn says_something(&self) -> bool {
        self.word.is_empty() || matches!(self.kind, Kind::User | Kind::Assistant)
    }

    fn set_sender<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut A,
        twice: &Twice,
    ) -> Result<(), A::Error> {
        match key {
            "isMeta" | "isCompactSummary" | "isVisibleInTranscriptOnly" => {
                self.sender.hosts_own |= map.next_value_seed(Flag)?;
            }
            "origin" => {
                let origin: Option<Origin> = map.next_value_seed(Of::new(twice))?;
                self.sender.origin = origin.and_then(|origin| origin.kind);
            }
            "rowSource" => self.sender.row_source = map.next_value_seed(Text)?,
            "promptSource" => self.sender.prompt_source = map.next_value_seed(Text)?,
            "interruptedMessageId" => {
                self.sender.interrupted_message = map.next_value_seed(Text)?;
            }
            "interruptedByShutdown" => self.sender.by_shutdown = map.next_value_seed(Flag)?,
            "operation" => self.queue.operation = map.next_value_seed(Text)?,
            "reason" => self.queue.reason = map.next_value_seed(Text)?,
            "commandUuid" => self.queue.command = map.next_value_seed(Text)?,
            "deliveryId" => self.queue.delivery = map.next_value_seed(Text)?,
            _ => drop(map.next_value::<IgnoredAny>()?),
        }
        Ok(())
    }
}

/// Who a message came from.
#[derive(Debug, Default)]
pub(super) struct Origin {
    kind: Option<String>,
}

impl<'de> Record<'de> for Origin {
    const KEYS: &'static [&'static str] = &["kind"];

    fn set<A: MapAccess<'de>>(
        &mut self,
        _key: usize,
        map: &mut A,
        _twice: &Twice,
    ) -> Result<(), A::Error> {
        self.kind = map.next_value_seed(Text)?;
        Ok(())
    }
}

/// Reads `stop_reason`.
fn cut(word: &str) -> Option<StopReason> {
    let reasons = [StopReason::MaxTokens, StopReason::Refusal, StopReason::PauseTurn];
    reasons.into_iter().find(|reason| reason.as_str() == word)
}

/// The message of a line.
#[derive(Debug, Default)]
pub(super) struct Message {
    pub(super) present: bool,
    pub(super) id: Option<String>,
    pub(super) model: Option<String>,
    pub(super) content: Content,
    /// Why the model stopped, where that is no natural end.
    pub(super) cut: Option<StopReason>,
}

impl<'de> Record<'de> for Message {
    const KEYS: &'static [&'static str] = &["id", "model", "content", "stop_reason", "role"];

    fn set<A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
        twice: &Twice,
    ) -> Result<(), A::Error> {
        self.present = true;
        match key {
            0 => self.id = id(map)?,
            1 => self.model = map.next_value_seed(Text)?,
            2 => self.content = map.next_value_seed(Blocks(twice))?,
            3 => self.cut = map.next_value_seed(Text)?.as_deref().and_then(cut),
            _ => drop(map.next_value::<IgnoredAny>()?),
        }
        Ok(())
    }
}

/// What the host attached to the conversation.
#[derive(Debug, Default)]
pub(super) struct Attachment {
    pub(super) word: String,
    pub(super) prompt: String,
    pub(super) mode: Option<String>,
    pub(super) origin: Option<String>,
    pub(super) row_source: Option<String>,
    pub(super) source: Option<String>,
    pub(super) delivery: Option<String>,
    pub(super) meta: bool,
    pub(super) task: Option<String>,
    pub(super) status: Option<String>,
}

impl<'de> Record<'de> for Attachment {
    const KEYS: &'static [&'static str] = &[
        "type",
        "prompt",
        "commandMode",
        "origin",
        "rowSource",
        "source_uuid",
        "delivery_id",
        "isMeta",
        "taskId",
        "status",
    ];

    fn set<A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
        twice: &Twice,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.word = map.next_value_seed(Text)?.unwrap_or_default(),
            1 => self.prompt = map.next_value_seed(FlatText)?,
            2 => self.mode = map.next_value_seed(Text)?,
            3 => {
                let origin: Option<Origin> = map.next_value_seed(Of::new(twice))?;
                self.origin = origin.and_then(|origin| origin.kind);
            }
            4 => self.row_source = map.next_value_seed(Text)?,
            5 => self.source = map.next_value_seed(Text)?,
            6 => self.delivery = map.next_value_seed(Text)?,
            7 => self.meta = map.next_value_seed(Flag)?,
            8 => self.task = map.next_value_seed(Text)?,
            _ => self.status = map.next_value_seed(Text)?,
        }
        Ok(())
    }
}

/// The structured twin of a tool result: only what says that work goes on behind the answer.
#[derive(Debug, Default)]
pub(super) struct Twin {
    pub(super) shell: Option<String>,
    pub(super) is_async: bool,
    pub(super) agent: Option<String>,
    pub(super) task: Option<String>,
}

impl<'de> Record<'de> for Twin {
    const KEYS: &'static [&'static str] = &["backgroundTaskId", "isAsync", "agentId", "taskId"];

    fn set<A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
        _twice: &Twice,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.shell = map.next_value_seed(Text)?,
            1 => self.is_async = map.next_value_seed(Flag)?,
            2 => self.agent = map.next_value_seed(Text)?,
            _ => self.task = map.next_value_seed(Text)?,
        }
        Ok(())
    }
}
