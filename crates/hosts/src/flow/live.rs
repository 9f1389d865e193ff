//! One turn being read: what was said and done goes in, rows and facts come out.

mod calls;

pub(crate) use calls::write_keys;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::call_ids::CallIds;
use crate::catalogue::Catalogue;
use crate::control::{ControlAction, ControlRow, Provenance};
use crate::position::{Position, RowPosition};
use crate::records::{self, ResultOutcome};
use crate::session::{Answer, StopReason, Turn};
use crate::sink::Sink;
use crate::writes::{Observed, WriteKey};

/// What a run shares with the turns it reads.
#[derive(Debug)]
pub(crate) struct Shared<'a> {
    pub(crate) catalogue: &'a Catalogue,
    pub(crate) ids: &'a mut CallIds,
}

/// A call as the host shows it.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The host's id of it, or `""`.
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) args: Map<String, Value>,
}

/// How a call ended, as far as typed fields tell it.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) outcome: ResultOutcome,
    pub(crate) exit_code: Option<i64>,
    /// What the host says was changed.
    pub(crate) paths: Vec<String>,
}

impl Told {
    /// Nothing tells how it ended.
    pub(crate) const UNKNOWN: Self =
        Self { outcome: ResultOutcome::Unknown, exit_code: None, paths: Vec::new() };

    /// An end without anything else.
    pub(crate) const fn of(outcome: ResultOutcome) -> Self {
        Self { outcome, exit_code: None, paths: Vec::new() }
    }

    /// The end of a command. A code below zero is the host's own, for a command that has none.
    pub(crate) fn by_exit(code: Option<i64>) -> Self {
        let outcome = match code {
            Some(0) => ResultOutcome::Ok,
            Some(1..) => ResultOutcome::Error,
            Some(..0) | None => ResultOutcome::Unknown,
        };
        Self { outcome, exit_code: code.filter(|code| *code >= 0), paths: Vec::new() }
    }
}

/// What a message of the agent is by the host's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// It may be the last one.
    Closing,
    /// More follows.
    Commentary,
}

/// How far back a second showing looks for the first.
const CONFIRMED: usize = 2 * super::twins::COMPARED;

/// What came last in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Last {
    /// Something the agent has to answer.
    Open,
    Agent,
    /// The host says that the turn is over.
    Complete,
    /// An end that is no natural one, and what shows it.
    Ended(StopReason, Position),
}

/// A call of this turn.
#[derive(Debug)]
struct Made {
    /// Its name among the calls of the run.
    id: String,
    tool: String,
    writes: Vec<WriteKey>,
    /// How typed fields say that it ended.
    told: Option<Told>,
    answered: bool,
}

/// A turn being read.
#[derive(Debug)]
pub(crate) struct Live<S> {
    pub(crate) turn: Turn<S>,
    pub(super) work: Work,
}

/// What only reading needs to know of a turn.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) observed: Option<Observed>,
    /// The call that ran what is observed, by the host's id.
    observed_call: Option<String>,
    /// By the host's id; an id that is used again is the later call's.
    made: BTreeMap<String, Made>,
    /// Calls of the agent's last step without an answer.
    unanswered: BTreeSet<String>,
    asked: bool,
    /// An answer came since the last call: what the agent says now is another step.
    answers_came: bool,
    background: BTreeSet<String>,
    stopped: bool,
    last: Last,
}

impl<S: Sink> Live<S> {
    pub(super) const fn new(turn: Turn<S>) -> Self {
        let work = Work {
            observed: None,
            observed_call: None,
            made: BTreeMap::new(),
            unanswered: BTreeSet::new(),
            asked: false,
            answers_came: false,
            background: BTreeSet::new(),
            stopped: false,
            last: Last::Open,
        };
        Self { turn, work }
    }

    /// The words the turn opens with.
    pub(super) fn open(&mut self, text: String, at: Position) {
        if !text.is_empty() {
            self.push(&records::prompt(text), at);
        }
    }

    fn push(&mut self, record: &Value, at: Position) {
        self.turn.rows.push(record, &RowPosition::of(at));
    }

    // ---- what is said

    /// The agent said something. Nothing but blanks is no row, and takes the answer before it back.
    pub(crate) fn say(&mut self, text: String, said: Said, at: Position) {
        self.spoken();
        self.work.last = match said {
            Said::Closing => Last::Agent,
            Said::Commentary => Last::Open,
        };
        if text.trim().is_empty() {
            self.turn.answer = None;
            return;
        }
        self.turn.answer = Some(Answer { text: text.clone(), line: at.line });
        self.push(&records::assistant(text, Vec::new()), at);
    }

    /// The message that the host says is the turn's last, where it shows it nowhere else.
    pub(crate) fn close_with(&mut self, text: &str, at: &Position) {
        let known = self.turn.candidate();
        if text.trim() != known.trim() {
            let answer = Answer { text: text.to_owned(), line: at.line };
            self.turn.answer = Some(answer).filter(|answer| !answer.text.trim().is_empty());
        }
    }

    /// A person said something that the agent received while it worked.
    pub(crate) fn steer(&mut self, row: ControlRow, at: Position) {
        self.push(&records::steer(row.text.clone(), row.message_id.clone()), at);
        self.turn.control.push(row);
        self.told();
    }

    /// A second showing of a person's words, in a typed field.
    pub(crate) fn confirm(&mut self, words: &str) {
        let same = |text: &str| text.split_whitespace().eq(words.split_whitespace());
        if same(&self.turn.task) {
            self.turn.provenance = Provenance::Recorded;
        }
        let mut last = self.turn.control.iter_mut().rev().take(CONFIRMED);
        if let Some(row) = last.find(|row| same(&row.text)) {
            row.provenance = Provenance::Recorded;
        }
    }

    /// The agent has something new to answer.
    pub(crate) fn told(&mut self) {
        if !matches!(self.work.last, Last::Ended(..)) {
            self.work.last = Last::Open;
        }
    }

    // ---- how it ends

    /// The turn ended otherwise than by itself; a stop of the person's is a control row as well.
    pub(crate) fn ended(&mut self, reason: StopReason, stop: Option<ControlRow>, at: Position) {
        self.work.stopped |= stop.is_some();
        self.turn.control.extend(stop);
        self.work.unanswered.clear();
        self.work.last = Last::Ended(reason, at);
    }

    /// The host says that the turn is over.
    pub(crate) fn completed(&mut self) {
        self.work.unanswered.clear();
        if !matches!(self.work.last, Last::Ended(..)) {
            self.work.last = Last::Complete;
        }
    }

    /// Whether the host said that the turn is over.
    pub(crate) const fn is_over(&self) -> bool {
        matches!(self.work.last, Last::Complete | Last::Ended(..))
    }

    /// Whether the agent waits for an answer to a call, or has just got one.
    pub(crate) fn is_at_work(&self) -> bool {
        !self.is_over() && (self.work.answers_came || !self.work.unanswered.is_empty())
    }

    fn spoken(&mut self) {
        self.turn.spoke = true;
        if std::mem::take(&mut self.work.answers_came) {
            self.work.unanswered.clear();
            self.work.asked = false;
        }
        if std::mem::take(&mut self.work.stopped) {
            // The run went on after the stop, so the stop withdraws nothing.
            let stops = self.turn.control.iter_mut();
            for row in stops.filter(|row| row.action == ControlAction::Stop) {
                row.provenance = Provenance::Heuristic;
            }
        }
    }

    /// Something goes on behind the conversation.
    pub(crate) fn starts(&mut self, task: String) {
        self.work.background.insert(task);
    }

    /// It does not any more.
    pub(crate) fn ends(&mut self, task: &str) {
        self.work.background.remove(task);
    }

    /// Whether an unanswered call waits for a person.
    pub(super) const fn asks(&self) -> bool {
        self.work.asked
    }

    /// Says how the turn stands.
    pub(super) fn finish(&mut self) {
        let unanswered = !self.work.unanswered.is_empty();
        let (stop, at) = match &self.work.last {
            Last::Ended(reason, at) => (*reason, Some(at.clone())),
            Last::Complete => (StopReason::Natural, None),
            Last::Agent if !unanswered => (StopReason::Natural, None),
            Last::Agent | Last::Open => (StopReason::Unfinished, None),
        };
        self.turn.stop = stop;
        self.turn.stopped_at = at;
        self.turn.unanswered = self.work.unanswered.iter().cloned().collect();
        self.turn.background = self.work.background.iter().cloned().collect();
    }
}
