//! One turn being read: lines in, rows and facts out.
//!
//! Whether a line belongs to the turn is decided elsewhere; what comes here does. Pieces of one
//! message of the agent are gathered before they become a row, so the results that came in between
//! wait with them.

mod message;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::background::Background;
use super::block::{Answer as Result, Block, Call};
use super::line::Line;
use super::outcome;
use super::steers::{self, Attached, Delivered, Steers};
use super::tools::ENDERS;
use crate::call_ids::CallIds;
use crate::catalogue::{Catalogue, Effect};
use crate::control::{ControlAction, Provenance};
use crate::lines::Place;
use crate::position::{Position, RowPosition};
use crate::records::{self, CallResult, ResultOutcome};
use crate::session::{StopReason, Turn};
use crate::sink::Sink;
use crate::source::LineNumber;
use crate::writes::{Chain, Observed, ObservedOutcome, WriteKey, result_data};

/// What came last in a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    /// Something the agent has to answer.
    Open,
    Agent,
    Ended(Ended),
}

/// An end that is no natural one, and what shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ended {
    reason: StopReason,
    line: LineNumber,
    pointer: &'static str,
}

/// Where a line keeps what it says.
pub(super) const CONTENT: &str = "/message/content";

/// What a reader shares with the turns it reads.
#[derive(Debug)]
pub(super) struct Shared<'a> {
    pub(super) catalogue: &'a Catalogue,
    pub(super) ids: &'a mut CallIds,
}

/// The agent's message at hand.
#[derive(Debug, Default)]
struct Gathered {
    id: Option<String>,
    text: String,
    /// The text is more than white space.
    says: bool,
    /// The last line of its pieces, if the message as it stands is an answer.
    answers: Option<LineNumber>,
    /// The first line of its pieces.
    begins: LineNumber,
    calls: Vec<Value>,
    /// Where its calls stand.
    called_at: Vec<Position>,
    /// Results that came while the message was gathered.
    results: Vec<(Value, Position)>,
}

/// A call of this turn.
#[derive(Debug)]
struct Made {
    id: String,
    tool: String,
    write: Option<WriteKey>,
    /// The background task it ends.
    ends: Option<String>,
}

/// What was given out only because there was nothing more to read: what belongs to it and comes
/// later makes it wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Early {
    Nothing,
    Rows,
    /// Steers whose attachment may still come, among them.
    Steers,
}

/// A turn being read.
#[derive(Debug)]
pub(super) struct Live<S: Sink> {
    pub(super) turn: Turn<S>,
    pub(super) observed: Option<Observed>,
    /// The last message was given out as it stands, though a piece of it may still come; where the
    /// rows stood before.
    pub(super) lent: Option<S::Mark>,
    pub(super) work: Work,
}

/// What only reading needs to know of a turn.
#[derive(Debug)]
pub(super) struct Work {
    message: Option<Gathered>,
    /// The message whose row was given out last.
    given_out: Option<String>,
    early: Early,
    made: BTreeMap<String, Made>,
    /// Calls of the last message without an answer.
    unanswered: BTreeSet<String>,
    asked: bool,
    /// The call that ran what is observed.
    observed_call: Option<String>,
    steers: Steers,
    /// A stop stands that nothing came after.
    stopped: bool,
    background: Background,
    last: Last,
}

impl<S: Sink> Live<S> {
    pub(super) fn new(turn: Turn<S>) -> Self {
        let work = Work {
            message: None,
            given_out: None,
            early: Early::Nothing,
            made: BTreeMap::new(),
            unanswered: BTreeSet::new(),
            asked: false,
            observed_call: None,
            steers: Steers::default(),
            stopped: false,
            background: Background::default(),
            last: Last::Open,
        };
        Self { turn, observed: None, lent: None, work }
    }

    /// The words the turn opens with.
    pub(super) fn open(&mut self, text: String) {
        if !text.is_empty() {
            let at = Position::new(self.turn.line, CONTENT);
            self.turn.rows.push(&records::prompt(text), &RowPosition::of(at));
        }
    }

    /// Whether a line goes on with the message at hand.
    pub(super) fn continues(&self, id: Option<&str>) -> bool {
        let open = self.work.message.as_ref().and_then(|message| message.id.as_deref());
        id.is_some() && (open == id || self.work.given_out.as_deref() == id)
    }

    /// Whether a piece of a message shows that its row was given out too early.
    pub(super) fn contradicts(&self, id: Option<&str>) -> bool {
        self.work.early > Early::Nothing && id.is_some() && self.work.given_out.as_deref() == id
    }

    /// Whether the turn made a call with this id.
    pub(super) fn made(&self, id: &str) -> bool {
        self.work.made.contains_key(id)
    }

    /// The agent said or called something.
    pub(super) fn agent(&mut self, line: Line, place: Place, shared: &mut Shared<'_>) {
        if is_hosts_words(&line) {
            self.reclaim();
            self.settle();
            if line.api_error {
                self.ended(StopReason::ApiError, place.line, "/isApiErrorMessage");
            }
            return;
        }
        self.reclaim();
        self.spoken();
        self.gather(line.message.id.clone(), place.line);
        let cut = line.message.cut;
        for block in line.message.content {
            match block {
                Block::Text(text) => self.text(&text),
                Block::Call(call) => self.call(call, place.line, shared),
                Block::Result(_) | Block::Other => {}
            }
        }
        self.conclude(place.line, line.aborted);
        if let (Some(reason), Last::Agent) = (cut, self.work.last) {
            self.ended(reason, place.line, "/message/stop_reason");
        }
    }

    /// A call was answered. Answers whether that shows that a steer was given out too early.
    pub(super) fn result(
        &mut self,
        result: Result,
        line: &Line,
        place: Place,
        shared: &Shared<'_>,
    ) -> bool {
        self.reclaim();
        let at = Position::new(place.line, format!("{CONTENT}/{}", result.block));
        let reported = result.reported(line);
        let outcome = outcome::outcome(reported);
        let exit_code = outcome::exit_code(reported);
        let row = match self.work.made.get(&result.call_id) {
            Some(made) => {
                let runs = shared.catalogue.runs_commands(&made.tool);
                let changed = made.write.as_ref().and_then(|write| write.path.as_deref());
                let changed = changed.filter(|_| outcome == ResultOutcome::Ok);
                CallResult {
                    id: made.id.clone(),
                    name: made.tool.clone(),
                    text: result.text,
                    outcome,
                    data: result_data(changed, exit_code.filter(|_| runs)),
                }
            }
            None => CallResult {
                id: shared.ids.result(&result.call_id),
                name: String::new(),
                text: result.text,
                outcome,
                data: result_data(None, None),
            },
        };
        self.answered(&result.call_id, outcome, exit_code, place.line);
        self.work.background.start(&line.twin);
        self.work.last = Last::Open;
        self.push(row.into_record(), at);
        self.work.early == Early::Steers
    }

    /// A person said something that the agent received while it worked. Answers whether that shows
    /// that a steer was given out too early.
    pub(super) fn steer(&mut self, delivered: Delivered) -> bool {
        self.reclaim();
        match self.work.steers.attached(delivered) {
            Attached::New(delivered) => {
                self.flush();
                self.give_out(&delivered);
            }
            Attached::Known => {}
        }
        self.work.early == Early::Steers
    }

    /// A message left the queue for this turn.
    pub(super) fn removed(&mut self, delivered: Delivered) {
        self.work.steers.removed(delivered);
    }

    /// A steer stands on a branch that was left.
    pub(super) fn left(&mut self, delivered: &Delivered) {
        self.work.steers.left(delivered);
    }

    /// The turn was interrupted.
    pub(super) fn interrupt(&mut self, id: Option<&str>, line: LineNumber, provenance: Provenance) {
        self.reclaim();
        self.settle();
        self.work.early = Early::Nothing;
        self.turn.control.push(steers::stop_row(id, provenance));
        self.work.stopped = true;
        self.work.unanswered.clear();
        self.ended(StopReason::Interrupted, line, CONTENT);
    }

    /// The host, a hook or another agent told the agent something.
    pub(super) fn told(&mut self, text: &str, wakes: bool) {
        self.work.background.notified(text);
        if wakes {
            self.work.last = Last::Open;
        }
    }

    /// The host attached something.
    pub(super) fn attached(&mut self, line: &Line, place: Place) {
        match line.attachment.word.as_str() {
            "max_turns_reached" => self.ended(StopReason::MaxTurns, place.line, "/attachment"),
            "hook_stopped_continuation" => {
                self.ended(StopReason::HookStopped, place.line, "/attachment");
            }
            "task_status" => self.work.background.attached(&line.attachment),
            "queued_command" => self.work.background.notified(&line.attachment.prompt),
            _ => {}
        }
    }

    /// Gives out all rows and says how the turn stands.
    pub(super) fn finish(&mut self) {
        self.reclaim();
        if !self.lend() {
            let settled = if self.settle() { Early::Steers } else { Early::Rows };
            self.work.early = self.work.early.max(settled);
        }
        self.turn.stopped_at = match self.work.last {
            Last::Ended(ended) => Some(Position::new(ended.line, ended.pointer)),
            Last::Agent | Last::Open => None,
        };
        self.turn.stop = match self.work.last {
            Last::Ended(ended) => ended.reason,
            Last::Agent if self.work.unanswered.is_empty() => StopReason::Natural,
            Last::Agent | Last::Open => StopReason::Unfinished,
        };
        self.turn.unanswered = self.work.unanswered.iter().cloned().collect();
        self.turn.background = self.work.background.running();
    }

    /// Whether an unanswered call waits for a person.
    pub(super) const fn asks(&self) -> bool {
        self.work.asked
    }

    fn ended(&mut self, reason: StopReason, line: LineNumber, pointer: &'static str) {
        self.work.last = Last::Ended(Ended { reason, line, pointer });
    }

    fn spoken(&mut self) {
        self.turn.spoke = true;
        if std::mem::take(&mut self.work.stopped) {
            // The run went on after the stop, so the stop withdraws nothing.
            for row in &mut self.turn.control {
                if row.action == ControlAction::Stop {
                    row.provenance = Provenance::Heuristic;
                }
            }
        }
    }

    fn answered(
        &mut self,
        call_id: &str,
        outcome: ResultOutcome,
        exit_code: Option<i64>,
        line: LineNumber,
    ) {
        let Some(made) = self.work.made.get(call_id) else { return };
        self.work.unanswered.remove(&made.id);
        let succeeded = outcome == ResultOutcome::Ok;
        if let Some(key) = &made.write {
            self.turn.writes.answer(key, line, succeeded);
        }
        if let (Some(task), true) = (&made.ends, succeeded) {
            self.work.background.end(task);
        }
        let observes = self.work.observed_call.as_deref() == Some(call_id);
        let wrote = made.write.is_some();
        if let (Some(observed), true) = (&mut self.observed, observes) {
            observed.exit_code = exit_code;
            observed.outcome = match outcome {
                ResultOutcome::Ok => ObservedOutcome::Ok,
                ResultOutcome::Error => ObservedOutcome::Error,
                ResultOutcome::Unknown => ObservedOutcome::Unknown,
            };
        } else if wrote {
            // It was still at work when the verification began.
            self.written();
        }
    }

    /// Something was written after what is observed.
    pub(super) fn written(&mut self) {
        if let Some(observed) = &mut self.observed {
            observed.written_since = true;
        }
    }
}

/// Whether an `assistant` line holds the host's words and not the agent's.
pub(super) fn is_hosts_words(line: &Line) -> bool {
    line.api_error || line.sender.hosts_own || line.message.model.as_deref() == Some("<synthetic>")
}

/// What a call wrote, or may have.
pub(super) fn write_key(call: &Call, chain: Chain, catalogue: &Catalogue) -> Option<WriteKey> {
    match catalogue.effect(&call.name, &call.args) {
        Effect::None => None,
        Effect::Wrote { kind, paths } => {
            // No tool of this host names several.
            let path = paths.into_iter().next();
            Some(WriteKey { tool: call.name.clone(), path, kind, chain })
        }
    }
}

/// The background task that a call ends, if it does.
fn ended_task(call: &Call) -> Option<String> {
    let key = ENDERS.iter().filter(|(tool, _)| *tool == call.name).map(|(_, key)| *key);
    key.filter_map(|key| call.args.get(key)).find_map(Value::as_str).map(str::to_owned)
}
