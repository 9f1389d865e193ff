//! One run being read: which turn a message belongs to, and which turns are kept.
//!
//! A flat list has no turn ids. A person's message opens a turn, unless the agent was at work when
//! it came: right after a result or a call without one (or after words that came so). Only the
//! turn at hand and one other are held: the one asked for, else the last one in which the agent
//! spoke.

use std::collections::VecDeque;
use std::marker::PhantomData;
use std::sync::Arc;

use quittance_evidence::clip;

use super::live::{Live, Shared, Work};
use super::{Agent, Answered, Delivery, Dialect, Person};
use crate::call_ids::CallIds;
use crate::catalogue::Catalogue;
use crate::control::{ControlAction, ControlRow, Provenance};
use crate::error::ReadError;
use crate::format::Format;
use crate::options::TurnNumber;
use crate::position::Position;
use crate::session::{
    Opening, Past, RunIds, Session, StopReason, Turn, TurnIds, TurnStart, Waiting,
};
use crate::sink::Sink;
use crate::source::{LineNumber, SourceFacts};
use crate::writes::{Observed, Writes};

/// How many earlier turns are given in brief: context for a judge, who reads a page and not a book.
const PAST_GIVEN: usize = 8;

/// What the last row leaves the agent doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tail {
    Other,
    /// It waits for a result or has just got one: words that come now reach it at work.
    AtWork,
}

/// What came before a turn.
#[derive(Clone, Debug)]
struct Before {
    writes: Arc<Writes>,
    history: Vec<Past>,
    observed: Option<Observed>,
}

/// A turn, and what came before it.
#[derive(Debug)]
struct Open<S> {
    live: Live<S>,
    before: Before,
}

/// Which of the held turns a session is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    Current,
    Kept,
}

/// A run being read.
#[derive(Debug)]
pub(super) struct Run<D, S> {
    pub(super) ids: RunIds,
    catalogue: Catalogue,
    asked_for: Option<TurnNumber>,
    call_ids: CallIds,
    turns: u64,
    tail: Tail,
    /// The run keeps control rows, so that it would show a stop.
    keeps_control: bool,
    current: Option<Open<S>>,
    kept: Option<Open<S>>,
    past: VecDeque<Past>,
    writes: Arc<Writes>,
    observed: Option<Observed>,
    parked: Option<(Slot, Work, Before)>,
    dialect: PhantomData<D>,
}

impl<D: Dialect, S: Sink> Run<D, S> {
    pub(super) fn new(catalogue: Catalogue, asked_for: Option<TurnNumber>) -> Self {
        Self {
            ids: RunIds::default(),
            catalogue,
            asked_for,
            call_ids: CallIds::default(),
            turns: 0,
            tail: Tail::Other,
            keeps_control: false,
            current: None,
            kept: None,
            past: VecDeque::new(),
            writes: Arc::default(),
            observed: None,
            parked: None,
            dialect: PhantomData,
        }
    }

    // ---- messages

    /// A person said something.
    pub(super) fn person(&mut self, person: Person, at: &Position) {
        let expected = self.current.as_ref().is_some_and(|open| open.live.expects(&person));
        let by_place = match &person.delivery {
            Delivery::Unsaid => expected || self.is_at_work(),
            Delivery::AtWork(_) | Delivery::Late => true,
        };
        if !by_place {
            let text = person.text.clone();
            self.open(Opening::Person, at, text);
            if let Some(open) = &mut self.current {
                open.live.push(&D::person_row(person, false), at);
            }
            self.tail = Tail::Other;
            return;
        }
        let open = self.at_hand(at);
        let row = match &person.delivery {
            Delivery::Unsaid => Some(D::steer_by_place(&person)),
            Delivery::AtWork(row) => Some(row.clone()),
            Delivery::Late => None,
        };
        let delivered = row.is_some();
        if let Some(row) = row.filter(|_| !person.text.trim().is_empty()) {
            open.live.steer(row);
        }
        open.live.push(&D::person_row(person, delivered), at);
        if delivered {
            open.live.told();
            self.tail = Tail::AtWork;
        }
    }

    /// The agent said or called something.
    pub(super) fn agent(&mut self, agent: Agent, at: &Position, facts: &mut SourceFacts) {
        self.at_hand(at);
        self.tail = if agent.calls.is_empty() { Tail::Other } else { Tail::AtWork };
        self.with_current(facts, |live, shared| live.agent::<D>(agent, at, shared));
    }

    /// A call was answered.
    pub(super) fn result(&mut self, result: Answered, at: &Position, facts: &mut SourceFacts) {
        self.at_hand(at);
        self.tail = Tail::AtWork;
        self.with_current(facts, |live, shared| live.result::<D>(result, at, shared));
    }

    /// The host recorded a control word.
    pub(super) fn control(&mut self, row: ControlRow, at: &Position) {
        self.keeps_control = true;
        let stops = row.action == ControlAction::Stop;
        self.at_hand(at).live.control(row, at);
        if stops {
            self.tail = Tail::Other;
        }
    }

    fn is_at_work(&self) -> bool {
        self.current.is_some() && self.tail == Tail::AtWork
    }

    fn with_current(
        &mut self,
        facts: &mut SourceFacts,
        act: impl FnOnce(&mut Live<S>, &mut Shared<'_>),
    ) {
        if let Some(open) = &mut self.current {
            let ids = &mut self.call_ids;
            act(&mut open.live, &mut Shared { catalogue: &self.catalogue, ids, facts });
        }
    }

    // ---- turns

    /// The turn at hand; what stands before any opening is a turn whose opening was not seen.
    fn at_hand(&mut self, at: &Position) -> &mut Open<S> {
        let open = match self.current.take() {
            Some(open) => open,
            None => self.opened(Opening::Unseen, at.line, String::new()),
        };
        self.current.insert(open)
    }

    fn open(&mut self, opening: Opening, at: &Position, task: String) {
        self.close();
        let open = self.opened(opening, at.line, task);
        self.current = Some(open);
    }

    fn opened(&mut self, opening: Opening, line: LineNumber, task: String) -> Open<S> {
        let number = TurnNumber::after(self.turns);
        self.turns += 1;
        let start = TurnStart {
            number,
            opening,
            provenance: Provenance::Heuristic,
            line,
            ids: TurnIds { session: self.ids.session.clone(), prompt: None },
            task,
        };
        let turn = Turn::starting(start, S::start(&self.catalogue));
        let before = Before {
            writes: Arc::clone(&self.writes),
            history: self.past.iter().cloned().collect(),
            observed: self.observed.clone(),
        };
        Open { live: Live::new(turn), before }
    }

    /// Ends the turn at hand and keeps it where it may still be wanted.
    fn close(&mut self) {
        let Some(mut open) = self.current.take() else { return };
        open.live.finish();
        self.call_ids.close_turn();
        let turn = &open.live.turn;
        self.observed = observed_with(self.observed.take(), &open.live);
        if !turn.writes.is_empty() {
            Arc::make_mut(&mut self.writes).absorb(&turn.writes);
        }
        self.past.push_back(Past {
            turn: turn.number,
            task: clip::FIELD.apply(&turn.task),
            answer: clip::FIELD.apply(turn.candidate()),
        });
        if self.past.len() > PAST_GIVEN {
            self.past.pop_front();
        }
        let wanted = self.asked_for.map_or(turn.spoke, |asked| asked == turn.number);
        if wanted {
            self.kept = Some(open);
        }
    }

    // ---- the end of what can be read

    /// Says of the turns at hand how they stand.
    pub(super) fn finish(&mut self) {
        for open in [&mut self.current, &mut self.kept].into_iter().flatten() {
            open.live.finish();
        }
    }

    /// Gives the turn that was asked for, as a session.
    pub(super) fn session(
        &mut self,
        facts: &SourceFacts,
        format: Format,
    ) -> Result<Session<S>, ReadError> {
        let slot = self.slot(facts)?;
        let waiting = self.waiting(slot, facts);
        let open = match slot {
            Slot::Current => self.current.take(),
            Slot::Kept => self.kept.take(),
        };
        let open = open.ok_or(ReadError::NoTurn { lines: facts.lines })?;
        let Open { live, before } = open;
        let observed = observed_with(before.observed.clone(), &live);
        let Live { mut turn, work } = live;
        turn.shows_stops = self.keeps_control;
        let session = Session {
            format,
            source: facts.clone(),
            ids: self.ids.clone(),
            catalogue: self.catalogue.clone(),
            turn,
            turns: self.turns,
            history: before.history.clone(),
            waiting,
            earlier_writes: Arc::clone(&before.writes),
            observed,
        };
        self.parked = Some((slot, work, before));
        Ok(session)
    }

    /// Takes a session's turn back.
    pub(super) fn resume(&mut self, turn: Turn<S>) {
        let Some((slot, work, before)) = self.parked.take() else { return };
        let open = Some(Open { live: Live { turn, work }, before });
        match slot {
            Slot::Current => self.current = open,
            Slot::Kept => self.kept = open,
        }
    }

    fn slot(&self, facts: &SourceFacts) -> Result<Slot, ReadError> {
        let current = self.current.as_ref().map(|open| &open.live.turn);
        let current = current.ok_or(ReadError::NoTurn { lines: facts.lines })?;
        match self.asked_for {
            Some(asked) if current.number == asked => Ok(Slot::Current),
            Some(_) if self.kept.is_some() => Ok(Slot::Kept),
            Some(asked) => Err(ReadError::NoSuchTurn { asked, turns: self.turns }),
            None if current.spoke || self.kept.is_none() => Ok(Slot::Current),
            None => Ok(Slot::Kept),
        }
    }

    /// What the run waits for. Of a turn that another one followed, only the end of the file is
    /// still open.
    fn waiting(&self, slot: Slot, facts: &SourceFacts) -> Vec<Waiting> {
        let is_last = slot == Slot::Current;
        let mut waiting = Vec::new();
        if facts.half_written && (self.asked_for.is_none() || is_last) {
            waiting.push(Waiting::HalfWritten);
        }
        let Some(open) = self.current.as_ref().filter(|_| is_last) else { return waiting };
        let turn = &open.live.turn;
        if !turn.unanswered.is_empty() {
            waiting.push(Waiting::UnansweredCall);
        }
        if turn.stop == StopReason::Unfinished && turn.unanswered.is_empty() {
            waiting.push(Waiting::Unanswered);
        }
        waiting
    }
}

/// The last verification, of a turn or before it.
fn observed_with<S>(earlier: Option<Observed>, live: &Live<S>) -> Option<Observed> {
    let wrote = !live.turn.writes.is_empty();
    live.work.observed.clone().or_else(|| {
        earlier.map(|earlier| Observed { written_since: earlier.written_since || wrote, ..earlier })
    })
}
