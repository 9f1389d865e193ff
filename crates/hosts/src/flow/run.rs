//! One run being read: which turns are kept, and how the one that was asked for is given.
//!
//! Only the turn at hand and one other are held: the one asked for, else the last one in which the
//! agent spoke.

use std::collections::VecDeque;
use std::sync::Arc;

use quittance_evidence::clip;

use super::live::{Live, Shared, Work};
use crate::call_ids::CallIds;
use crate::catalogue::Catalogue;
use crate::control::Provenance;
use crate::error::ReadError;
use crate::format::Format;
use crate::options::TurnNumber;
use crate::position::Position;
use crate::session::{
    Opening, Past, RunIds, Session, StopReason, Turn, TurnIds, TurnStart, Waiting,
};
use crate::sink::Sink;
use crate::source::{LineNumber, SourceFacts};
use crate::writes::{Observed, WriteKey, Writes};

/// How many earlier turns are given in brief: context for a judge, who reads a page and not a book.
const PAST_GIVEN: usize = 8;

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
    /// It was taken back, and is no context of what follows.
    taken_back: bool,
}

/// Which of the held turns a session is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    Current,
    Kept,
}

/// How a turn opens.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    pub(crate) opening: Opening,
    pub(crate) provenance: Provenance,
    /// The host's id of the turn.
    pub(crate) prompt: Option<String>,
    pub(crate) text: String,
    pub(crate) at: Position,
}

impl Opened {
    /// A turn whose opening is not in the file.
    pub(crate) const fn unseen(at: Position) -> Self {
        let provenance = Provenance::Heuristic;
        Self { opening: Opening::Unseen, provenance, prompt: None, text: String::new(), at }
    }
}

/// A run being read.
#[derive(Debug)]
pub(crate) struct Run<S> {
    pub(crate) ids: RunIds,
    pub(crate) catalogue: Catalogue,
    /// The build that wrote the lines marks a stop with a typed field.
    pub(crate) shows_stops: bool,
    asked_for: Option<TurnNumber>,
    call_ids: CallIds,
    turns: u64,
    current: Option<Open<S>>,
    kept: Option<Open<S>>,
    past: VecDeque<Past>,
    writes: Arc<Writes>,
    observed: Option<Observed>,
    parked: Option<(Slot, Work, Before, bool)>,
}

impl<S: Sink> Run<S> {
    pub(crate) fn new(catalogue: Catalogue, asked_for: Option<TurnNumber>) -> Self {
        Self {
            ids: RunIds::default(),
            catalogue,
            shows_stops: false,
            asked_for,
            call_ids: CallIds::default(),
            turns: 0,
            current: None,
            kept: None,
            past: VecDeque::new(),
            writes: Arc::default(),
            observed: None,
            parked: None,
        }
    }

    // ---- turns

    /// The turn at hand, if there is one.
    pub(crate) fn live(&mut self) -> Option<&mut Live<S>> {
        self.current.as_mut().map(|open| &mut open.live)
    }

    /// The turn at hand; where there is none, one whose opening is not in the file.
    pub(crate) fn or_unseen(&mut self, at: &Position) -> &mut Live<S> {
        let open = match self.current.take() {
            Some(open) => open,
            None => self.opened(Opened::unseen(at.clone())),
        };
        &mut self.current.insert(open).live
    }

    /// Does something to the turn at hand that needs what its run shares.
    pub(crate) fn with(&mut self, act: impl FnOnce(&mut Live<S>, &mut Shared<'_>)) {
        if let Some(open) = &mut self.current {
            let ids = &mut self.call_ids;
            act(&mut open.live, &mut Shared { catalogue: &self.catalogue, ids });
        }
    }

    /// Ends the turn at hand and opens another.
    pub(crate) fn open(&mut self, opened: Opened) {
        self.close();
        let open = self.opened(opened);
        self.current = Some(open);
    }

    fn opened(&mut self, opened: Opened) -> Open<S> {
        let number = TurnNumber::after(self.turns);
        self.turns += 1;
        let Opened { opening, provenance, prompt, text, at } = opened;
        let ids = TurnIds { session: self.ids.session.clone(), prompt };
        let start =
            TurnStart { number, opening, provenance, line: at.line, ids, task: text.clone() };
        let turn = Turn::starting(start, S::start(&self.catalogue));
        let before = Before {
            writes: Arc::clone(&self.writes),
            history: self.past.iter().cloned().collect(),
            observed: self.observed.clone(),
        };
        let mut live = Live::new(turn);
        live.open(text, at);
        Open { live, before, taken_back: false }
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
        if !open.taken_back {
            self.past.push_back(Past {
                turn: turn.number,
                task: clip::FIELD.apply(&turn.task),
                answer: clip::FIELD.apply(turn.candidate()),
            });
        }
        if self.past.len() > PAST_GIVEN {
            self.past.pop_front();
        }
        let wanted = self.asked_for.map_or(turn.spoke, |asked| asked == turn.number);
        if wanted {
            self.kept = Some(open);
        }
    }

    /// The last turns were taken back: no context any more, though what they wrote is written. The
    /// turn at hand stays the last one until another opens.
    pub(crate) fn roll_back(&mut self, turns: u64) {
        let at_hand = u64::from(self.current.is_some());
        if let Some(open) = self.current.as_mut().filter(|_| turns > 0) {
            open.taken_back = true;
        }
        let past = usize::try_from(turns.saturating_sub(at_hand)).unwrap_or(usize::MAX);
        let left = self.past.len().saturating_sub(past);
        self.past.truncate(left);
    }

    /// An earlier turn turns out to have written something, or to have ended doing so.
    pub(crate) fn wrote_earlier(&mut self, key: &WriteKey, line: LineNumber) {
        Arc::make_mut(&mut self.writes).call(key, line);
        if let Some(observed) = &mut self.observed {
            observed.written_since = true;
        }
        if let Some(open) = &mut self.current {
            open.live.written();
            Arc::make_mut(&mut open.before.writes).call(key, line);
            if let Some(observed) = &mut open.before.observed {
                observed.written_since = true;
            }
        }
    }

    // ---- the end of what can be read

    /// Says of the turns at hand how they stand.
    pub(crate) fn finish(&mut self) {
        for open in [&mut self.current, &mut self.kept].into_iter().flatten() {
            open.live.finish();
        }
    }

    /// Gives the turn that was asked for, as a session; [`Self::resume`] takes it back.
    pub(crate) fn session(
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
        let Open { live, before, taken_back } = open;
        let observed = observed_with(before.observed.clone(), &live);
        let Live { mut turn, work } = live;
        turn.shows_stops = self.shows_stops;
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
        self.parked = Some((slot, work, before, taken_back));
        Ok(session)
    }

    /// Takes a session's turn back, to go on with it.
    pub(crate) fn resume(&mut self, turn: Turn<S>) {
        let Some((slot, work, before, taken_back)) = self.parked.take() else { return };
        let open = Some(Open { live: Live { turn, work }, before, taken_back });
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
            let asks = open.live.asks();
            waiting.push(if asks { Waiting::Question } else { Waiting::UnansweredCall });
        }
        // What still runs in the background opens no turn when it ends, so a run that waited for it
        // would never be asked about again, and a command left running would let any stop pass.
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
