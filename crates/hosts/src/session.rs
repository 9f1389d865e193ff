//! A run as it was read: one turn of it, and what surrounds it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::catalogue::Catalogue;
use crate::control::{ControlRow, Provenance};
use crate::format::Format;
use crate::options::TurnNumber;
use crate::position::Position;
use crate::source::{LineNumber, SourceFacts};
use crate::writes::{Observed, Writes};

/// A run, with the turn that was asked for.
#[derive(Debug)]
#[non_exhaustive]
pub struct Session<S> {
    /// How it was read.
    pub format: Format,
    /// The bytes it was read from.
    pub source: SourceFacts,
    /// The run's ids.
    pub ids: RunIds,
    /// The tools of the host, under the policy.
    pub catalogue: Catalogue,
    /// The turn.
    pub turn: Turn<S>,
    /// How many turns the file holds, those that were taken back included.
    pub turns: u64,
    /// What was said before this turn, oldest first: context, never an obligation.
    pub history: Vec<Past>,
    /// What the run waits for; empty at a boundary.
    pub waiting: Vec<Waiting>,
    /// What earlier turns wrote.
    pub earlier_writes: Arc<Writes>,
    /// The last verification that the run itself ran, in this turn or before.
    pub observed: Option<Observed>,
}

impl<S> Session<S> {
    /// The same session with its rows as something else.
    pub fn map_rows<T>(self, change: impl FnOnce(S) -> T) -> Session<T> {
        self.part_rows(|rows| (change(rows), ())).0
    }

    /// The same session with a part of its rows, and the other part.
    fn part_rows<T, U>(self, part: impl FnOnce(S) -> (T, U)) -> (Session<T>, U) {
        let (turn, other) = self.turn.part_rows(part);
        let session = Session {
            format: self.format,
            source: self.source,
            ids: self.ids,
            catalogue: self.catalogue,
            turn,
            turns: self.turns,
            history: self.history,
            waiting: self.waiting,
            earlier_writes: self.earlier_writes,
            observed: self.observed,
        };
        (session, other)
    }
}

impl<A, B> Session<(A, B)> {
    /// The same session for each of the two sinks that took its rows: whole for the first.
    pub fn split(self) -> (Session<A>, B) {
        self.part_rows(|rows| rows)
    }
}

/// The ids of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunIds {
    /// The session.
    pub session: Option<String>,
    /// The sub-agent, where the file is a sub-agent's.
    pub agent: Option<String>,
}

/// The ids of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TurnIds {
    /// The session that the turn's opening names.
    pub session: Option<String>,
    /// The host's id of the prompt; in hooks `prompt_id`.
    pub prompt: Option<String>,
}

/// Who opened a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Opening {
    /// A person's prompt.
    Person,
    /// Another agent, a timer, a channel: nobody else had asked for anything.
    Machine,
    /// The file begins inside the turn, so nobody knows what was asked.
    Unseen,
}

impl Opening {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Machine => "machine",
            Self::Unseen => "unseen",
        }
    }
}

/// How a turn ended, if it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// The agent had nothing more to call.
    Natural,
    /// It was interrupted.
    Interrupted,
    /// The model's server failed.
    ApiError,
    /// The host's limit of turns was reached.
    MaxTurns,
    /// A hook ended it.
    HookStopped,
    /// The model's answer was cut at its limit of tokens.
    MaxTokens,
    /// The model's provider refused to go on.
    Refusal,
    /// The model paused, to be asked to go on.
    PauseTurn,
    /// It has not ended.
    Unfinished,
}

impl StopReason {
    /// The word on the wire; `natural` is what a decision knows as a natural end.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Natural => "natural",
            Self::Interrupted => "interrupted",
            Self::ApiError => "api_error",
            Self::MaxTurns => "max_turns",
            Self::HookStopped => "hook_stopped",
            Self::MaxTokens => "max_tokens",
            Self::Refusal => "refusal",
            Self::PauseTurn => "pause_turn",
            Self::Unfinished => "unfinished",
        }
    }
}

/// What a run waits for, so that it has no boundary yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Waiting {
    /// The file ends inside a line.
    HalfWritten,
    /// A message was sent that the agent has not received.
    PendingMessage,
    /// The agent asked a person something.
    Question,
    /// A call has no answer: it runs, or a person is asked to allow it.
    UnansweredCall,
    /// Something runs in the background.
    Background,
    /// The agent has not answered what came last.
    Unanswered,
}

impl Waiting {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::HalfWritten => "half_written",
            Self::PendingMessage => "pending_message",
            Self::Question => "question",
            Self::UnansweredCall => "unanswered_call",
            Self::Background => "background",
            Self::Unanswered => "unanswered",
        }
    }
}

/// The agent's closing message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// What it says.
    pub text: String,
    /// The line its last piece stands in.
    pub line: LineNumber,
}

/// One turn: a prompt, and all that followed until the next.
#[derive(Debug)]
#[non_exhaustive]
pub struct Turn<S> {
    /// Its ordinal in the file.
    pub number: TurnNumber,
    /// Who opened it.
    pub opening: Opening,
    /// Whether a field says that it was a person.
    pub provenance: Provenance,
    /// The line it opens with.
    pub line: LineNumber,
    /// Its ids.
    pub ids: TurnIds,
    /// What was asked; `""` where the opening was not seen.
    pub task: String,
    /// Its rows.
    pub rows: S,
    /// What the person did while it ran, in file order.
    pub control: Vec<ControlRow>,
    /// Whether this host's build marks a stop with a typed field, so that no stop means no stop.
    pub shows_stops: bool,
    /// Whether the agent said or called anything.
    pub spoke: bool,
    /// The closing message, if the turn has one.
    pub answer: Option<Answer>,
    /// How it ended.
    pub stop: StopReason,
    /// What shows how it ended, where that is no natural end.
    pub stopped_at: Option<Position>,
    /// Calls of the last message without an answer, by id.
    pub unanswered: Vec<String>,
    /// What it started in the background and did not see end, by the host's id.
    pub background: Vec<String>,
    /// What it wrote, on the chain and off it.
    pub writes: Writes,
}

/// What is known of a turn when it opens.
#[derive(Debug)]
pub(crate) struct TurnStart {
    pub(crate) number: TurnNumber,
    pub(crate) opening: Opening,
    pub(crate) provenance: Provenance,
    pub(crate) line: LineNumber,
    pub(crate) ids: TurnIds,
    pub(crate) task: String,
}

impl<S> Turn<S> {
    /// A turn of which nothing but its opening was read.
    pub(crate) fn starting(start: TurnStart, rows: S) -> Self {
        Self {
            number: start.number,
            opening: start.opening,
            provenance: start.provenance,
            line: start.line,
            ids: start.ids,
            task: start.task,
            rows,
            control: Vec::new(),
            shows_stops: false,
            spoke: false,
            answer: None,
            stop: StopReason::Unfinished,
            stopped_at: None,
            unanswered: Vec::new(),
            background: Vec::new(),
            writes: Writes::default(),
        }
    }

    /// The control rows as records of `harn.session.control.v1`.
    pub fn control_values(&self) -> Vec<Value> {
        self.control.iter().map(ControlRow::to_value).collect()
    }

    /// The text that a decision is asked about; `""` where there is none.
    #[must_use]
    pub fn candidate(&self) -> &str {
        self.answer.as_ref().map_or("", |answer| &answer.text)
    }
}

impl<S> Turn<S> {
    fn part_rows<T, U>(self, part: impl FnOnce(S) -> (T, U)) -> (Turn<T>, U) {
        let (rows, other) = part(self.rows);
        let turn = Turn {
            number: self.number,
            opening: self.opening,
            provenance: self.provenance,
            line: self.line,
            ids: self.ids,
            task: self.task,
            rows,
            control: self.control,
            shows_stops: self.shows_stops,
            spoke: self.spoke,
            answer: self.answer,
            stop: self.stop,
            stopped_at: self.stopped_at,
            unanswered: self.unanswered,
            background: self.background,
            writes: self.writes,
        };
        (turn, other)
    }
}

/// An earlier turn, clipped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Past {
    /// Its ordinal.
    pub turn: TurnNumber,
    /// What was asked.
    pub task: String,
    /// How the agent answered.
    pub answer: String,
}

impl Past {
    /// The turn as a record.
    #[must_use]
    pub fn to_value(&self) -> Value {
        json!({"turn": self.turn.get(), "task": self.task, "answer": self.answer})
    }
}
