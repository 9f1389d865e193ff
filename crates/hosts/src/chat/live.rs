//! One turn being read: messages in, rows and facts out.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{Agent, Answered, Call, Dialect, Person};
use crate::call_ids::CallIds;
use crate::catalogue::{Catalogue, Effect};
use crate::control::{ControlAction, ControlRow};
use crate::position::{Position, RowPosition};
use crate::records::ResultOutcome;
use crate::session::{Answer, StopReason, Turn};
use crate::sink::Sink;
use crate::source::{LineNumber, Repair, SourceFacts};
use crate::writes::{Chain, Observed, ObservedOutcome, WriteKey};

/// What a run shares with the turns it reads.
#[derive(Debug)]
pub(super) struct Shared<'a> {
    pub(super) catalogue: &'a Catalogue,
    pub(super) ids: &'a mut CallIds,
    pub(super) facts: &'a mut SourceFacts,
}

/// What came last in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Last {
    /// Something the agent has to answer.
    Open,
    Agent,
    /// By the control row there.
    Stopped(Position),
}

/// How many steers that were shown once are compared with a second showing; one that is missed
/// stands twice, which obliges to nothing new.
const SHOWINGS_COMPARED: usize = 1000;

/// A call of this turn.
#[derive(Debug)]
struct Made {
    tool: String,
    write: Option<WriteKey>,
}

/// A turn being read.
#[derive(Debug)]
pub(super) struct Live<S> {
    pub(super) turn: Turn<S>,
    pub(super) work: Work,
}

/// What only reading needs to know of a turn.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) observed: Option<Observed>,
    /// The call that ran what is observed.
    observed_call: Option<String>,
    made: BTreeMap<String, Made>,
    /// Calls without a result, of any message, and how often each id.
    open: BTreeMap<String, u32>,
    /// Calls without a result, of the last message.
    unanswered: BTreeSet<String>,
    /// The control rows whose message did not come yet, by their place among the rows.
    rows_alone: Vec<usize>,
    /// The control rows that only a message shows.
    messages_alone: Vec<usize>,
    last: Last,
}

impl<S: Sink> Live<S> {
    pub(super) const fn new(turn: Turn<S>) -> Self {
        let work = Work {
            observed: None,
            observed_call: None,
            made: BTreeMap::new(),
            open: BTreeMap::new(),
            unanswered: BTreeSet::new(),
            rows_alone: Vec::new(),
            messages_alone: Vec::new(),
            last: Last::Open,
        };
        Self { turn, work }
    }

    /// Adds a row.
    pub(super) fn push(&mut self, row: &Value, at: &Position) {
        self.turn.rows.push(row, &RowPosition::of(at.clone()));
    }

    /// The agent has something new to answer.
    pub(super) fn told(&mut self) {
        self.work.last = Last::Open;
    }

    // ---- control

    /// Whether a control row announced this message.
    pub(super) fn expects(&self, person: &Person) -> bool {
        let showing = (person.message_id.as_str(), person.text.as_str());
        shown_at(&self.work.rows_alone, &self.turn.control, showing).is_some()
    }

    /// A message shows a steer; its control row may have come before.
    pub(super) fn steer(&mut self, row: ControlRow) {
        let showing = (row.message_id.as_str(), row.text.as_str());
        match shown_at(&self.work.rows_alone, &self.turn.control, showing) {
            Some(at) => {
                self.work.rows_alone.remove(at);
            }
            None => {
                self.work.messages_alone.push(self.turn.control.len());
                self.turn.control.push(row);
            }
        }
    }

    /// The host recorded a control word; the message may have come before.
    pub(super) fn control(&mut self, row: ControlRow, at: &Position) {
        if row.action == ControlAction::Stop {
            self.work.last = Last::Stopped(at.clone());
            self.work.unanswered.clear();
        }
        if !row.action.is_steer() {
            self.turn.control.push(row);
            return;
        }
        let showing = (row.message_id.as_str(), row.text.as_str());
        let known = shown_at(&self.work.messages_alone, &self.turn.control, showing)
            .map(|at| self.work.messages_alone.remove(at));
        match known.and_then(|known| self.turn.control.get_mut(known)) {
            Some(known) => *known = row,
            None => {
                self.work.rows_alone.push(self.turn.control.len());
                self.turn.control.push(row);
            }
        }
    }

    // ---- messages

    /// The agent said or called something.
    pub(super) fn agent<D: Dialect>(
        &mut self,
        agent: Agent,
        at: &Position,
        shared: &mut Shared<'_>,
    ) {
        let line = at.line;
        self.turn.spoke = true;
        self.work.unanswered.clear();
        let ids: Vec<String> =
            agent.calls.iter().map(|call| self.call(call, line, shared)).collect();
        if let Some(word) = &agent.cut {
            shared.facts.add_unknown_word("finish_reason", word);
        }
        if !agent.calls.is_empty() || agent.cut.is_some() {
            self.turn.answer = None;
        } else if !agent.text.trim().is_empty() {
            self.turn.answer = Some(Answer { text: agent.text.clone(), line });
        }
        self.work.last = if agent.cut.is_some() { Last::Open } else { Last::Agent };
        let at = RowPosition { row: at.clone(), calls: vec![at.clone(); ids.len()] };
        self.turn.rows.push(&D::agent_row(agent, &ids), &at);
    }

    fn call(&mut self, call: &Call, line: LineNumber, shared: &mut Shared<'_>) -> String {
        let id = shared.ids.call(&call.id);
        let write = match shared.catalogue.effect(&call.name, &call.args) {
            Effect::None => None,
            Effect::Wrote { kind, paths } => {
                // A record's own annotations name one path at most.
                let path = paths.into_iter().next();
                Some(WriteKey { tool: call.name.clone(), path, kind, chain: Chain::On })
            }
        };
        if let Some(key) = &write {
            self.turn.writes.call(key, line);
            self.written();
        }
        self.observe(call, &id, line, shared.catalogue);
        self.work.unanswered.insert(id.clone());
        *self.work.open.entry(id.clone()).or_default() += 1;
        self.work.made.insert(id.clone(), Made { tool: call.name.clone(), write });
        id
    }

    /// Only the last verification is observed; the answer to an earlier one is none to it.
    fn observe(&mut self, call: &Call, id: &str, line: LineNumber, catalogue: &Catalogue) {
        let Some(command) = catalogue.verification(&call.name, &call.args) else { return };
        self.work.observed = Some(Observed {
            tool: call.name.clone(),
            command: command.to_owned(),
            line,
            outcome: ObservedOutcome::Unanswered,
            exit_code: None,
            written_since: false,
        });
        self.work.observed_call = Some(id.to_owned());
    }

    /// A call was answered.
    pub(super) fn result<D: Dialect>(
        &mut self,
        result: Answered,
        at: &Position,
        shared: &mut Shared<'_>,
    ) {
        let id = self.answered_id(&result.id, shared);
        let tool = self.work.made.get(&id).map(|made| made.tool.clone()).unwrap_or_default();
        let name = if result.name.is_empty() { tool } else { result.name.clone() };
        self.answered(&id, &result, at.line);
        self.work.last = Last::Open;
        self.push(&D::result_row(result, id, name), at);
    }

    /// The call a result answers. A result that names none is given to the only call that waits;
    /// where several do, it stays without a call rather than with a wrong one.
    fn answered_id(&self, id: &str, shared: &mut Shared<'_>) -> String {
        if !id.is_empty() {
            return shared.ids.result(id);
        }
        let mut open = self.work.open.iter();
        if let (Some((only, 1)), None) = (open.next(), open.next())
            && !only.is_empty()
        {
            shared.facts.add_repair(Repair::PairedResult);
            return only.clone();
        }
        shared.facts.add_unknown_word("tool_call_id", "(none)");
        String::new()
    }

    fn answered(&mut self, id: &str, result: &Answered, line: LineNumber) {
        if let Some(waiting) = self.work.open.get_mut(id) {
            *waiting -= 1;
            if *waiting == 0 {
                self.work.open.remove(id);
            }
        }
        self.work.unanswered.remove(id);
        let Some(made) = self.work.made.get(id) else { return };
        if let Some(key) = &made.write {
            self.turn.writes.answer(key, line, result.outcome == ResultOutcome::Ok);
        }
        let observes = self.work.observed_call.as_deref() == Some(id);
        let wrote = made.write.is_some();
        if let (Some(observed), true) = (&mut self.work.observed, observes) {
            observed.exit_code = result.exit_code;
            observed.outcome = match result.outcome {
                ResultOutcome::Ok => ObservedOutcome::Ok,
                ResultOutcome::Error => ObservedOutcome::Error,
                ResultOutcome::Unknown => ObservedOutcome::Unknown,
            };
        } else if wrote {
            // It was still at work when the verification began.
            self.written();
        }
    }

    fn written(&mut self) {
        if let Some(observed) = &mut self.work.observed {
            observed.written_since = true;
        }
    }

    /// Says how the turn stands.
    pub(super) fn finish(&mut self) {
        self.turn.stopped_at = match &self.work.last {
            Last::Stopped(at) => Some(at.clone()),
            Last::Agent | Last::Open => None,
        };
        self.turn.stop = match self.work.last {
            Last::Stopped(_) => StopReason::Interrupted,
            Last::Agent if self.work.unanswered.is_empty() => StopReason::Natural,
            Last::Agent | Last::Open => StopReason::Unfinished,
        };
        self.turn.unanswered = self.work.unanswered.iter().cloned().collect();
    }
}

/// Where among the rows shown once the one stands that a second showing, as id and text, is of.
fn shown_at(alone: &[usize], rows: &[ControlRow], showing: (&str, &str)) -> Option<usize> {
    let from = alone.len().saturating_sub(SHOWINGS_COMPARED);
    let known = alone.iter().enumerate().skip(from);
    let mut same = known.filter(|(_, row)| {
        let row = rows.get(**row);
        row.is_some_and(|row| is_same((&row.message_id, &row.text), showing))
    });
    same.next().map(|(at, _)| at)
}

/// Whether two showings of a steer, as id and text, are of one.
fn is_same(one: (&str, &str), other: (&str, &str)) -> bool {
    if !one.0.is_empty() && !other.0.is_empty() {
        return one.0 == other.0;
    }
    one.1.trim() == other.1.trim()
}
