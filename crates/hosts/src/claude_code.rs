//! Claude Code: one JSON object a line, a tree with branches, one message on several lines.
//!
//! `line` and `block` read what a line holds; `person` says who wrote its words, `outcome` how a
//! call ended, `tools` what a tool does; `tree` and `reading` say which lines belong to a turn,
//! `turn` makes rows and facts of them, `queue`, `steers` and `background` watch what goes on
//! beside it. `hook` is how it speaks with its hook, `settings` where the hook is named. The facts
//! rest on recordings of the real client and on published files.

mod background;
mod block;
pub(crate) mod hook;
mod line;
mod marks;
mod outcome;
mod person;
mod queue;
mod reading;
pub(crate) mod settings;
mod steers;
mod tools;
mod tree;
mod turn;

use std::io::{BufRead, Seek};
use std::sync::Arc;

use line::Line;
use reading::{Kept, Open, Parked, Reading, Step, Unsettled, Whose};
use serde::{Deserialize, Serialize};

use crate::error::ReadError;
use crate::format::Format;
use crate::json;
use crate::lines::{self, Lines, Next, Place};
use crate::options::ReadOptions;
use crate::session::{Session, StopReason, Turn, Waiting};
use crate::sink::Sink;
use crate::source::{LineNumber, SourceFacts};
use crate::writes::Observed;

/// What a line of this format is recognised by.
pub(crate) const RECOGNISED_BY: &str =
    "`type` of `user` or `assistant` with a `message`, or another type of Claude Code's";

/// Whether a line is of this format.
pub(crate) fn recognises(line: &[u8]) -> bool {
    json::read::<Line>(line).is_ok_and(|read| read.record.is_ours())
}

/// Reads a transcript of Claude Code.
#[derive(Debug)]
pub(crate) struct ClaudeCode<S: Sink> {
    options: ReadOptions,
    reading: Reading<S>,
    /// What was left of the turn that the session holds.
    parked: Option<(Slot, Parked<S>)>,
}

/// A reading that was put aside behind the opening of a turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Progress(Kept);

/// Which of the held turns a session is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    Current,
    Spoken,
    Asked,
}

impl<S: Sink> ClaudeCode<S> {
    pub(crate) fn new(options: &ReadOptions) -> Self {
        Self {
            options: options.clone(),
            reading: Reading::new(options, Whose::Undecided, facts()),
            parked: None,
        }
    }

    /// Goes on with a reading that was put aside.
    pub(crate) fn going_on(kept: Progress, options: &ReadOptions) -> Self {
        let reading = Reading::kept(kept.0, options);
        Self { options: options.clone(), reading, parked: None }
    }

    /// The line behind which this reading can be put aside, as far as it was read.
    pub(crate) fn keepable(&self) -> Option<LineNumber> {
        self.reading.keepable()
    }

    /// Reads up to a line and puts the reading aside there.
    pub(crate) fn keep<R: BufRead + Seek>(
        mut self,
        lines: &mut Lines<R>,
        behind: LineNumber,
    ) -> Result<Option<Progress>, ReadError> {
        while lines.count() < behind.0 {
            match lines.next()? {
                Next::Line(place) => self.line(lines, place)?,
                Next::Tail(_) | Next::End | Next::Rewritten => return Ok(None),
            }
        }
        Ok(self.reading.keep().map(Progress))
    }

    /// Reads all there is.
    pub(crate) fn read<R: BufRead + Seek>(
        &mut self,
        lines: &mut Lines<R>,
    ) -> Result<(), ReadError> {
        loop {
            match lines.next()? {
                Next::Line(place) => self.line(lines, place)?,
                Next::Tail(place) if json::is_whole(lines.line()) => {
                    lines.take_tail();
                    self.line(lines, place)?;
                }
                Next::Tail(_) => {
                    self.reading.facts.half_written = true;
                    break;
                }
                Next::End => {
                    self.reading.facts.half_written = false;
                    break;
                }
                Next::Rewritten => self.restart(lines, Whose::Undecided)?,
            }
        }
        self.settle(lines)?;
        self.reading.finish();
        let facts = &mut self.reading.facts;
        facts.bytes = lines.bytes();
        facts.lines = lines.count();
        facts.digest = lines.file_digest();
        Ok(())
    }

    fn restart<R: BufRead + Seek>(
        &mut self,
        lines: &mut Lines<R>,
        whose: Whose,
    ) -> Result<(), ReadError> {
        self.reading = Reading::new(&self.options, whose, facts());
        lines.restart()
    }

    fn line<R: BufRead + Seek>(
        &mut self,
        lines: &mut Lines<R>,
        place: Place,
    ) -> Result<(), ReadError> {
        let bytes = lines.line();
        if lines::is_blank(bytes) {
            return Ok(());
        }
        let read = match json::read::<Line>(bytes) {
            Ok(read) => read,
            Err(cause) => {
                self.reading.facts.add_issue(place.line, cause);
                return Ok(());
            }
        };
        for repair in read.repairs {
            self.reading.facts.add_repair(repair);
        }
        match self.reading.take(read.record, place) {
            Step::Done => Ok(()),
            Step::Restart => self.restart(lines, Whose::Main),
            Step::Again(line) => {
                let from = self.reading.turn_again();
                self.again(lines, from, place.offset)?;
                self.reading.take(*line, place);
                Ok(())
            }
        }
    }

    /// Reads again what the chain of parents, now that it is known, may read differently: first the
    /// turn, and where that shows that the chain is another's, everything. Each once.
    fn settle<R: BufRead + Seek>(&mut self, lines: &mut Lines<R>) -> Result<(), ReadError> {
        let to = lines.offset();
        if self.reading.unsettled() == Unsettled::Turn {
            let from = self.reading.turn_again();
            self.again(lines, from, to)?;
        }
        if self.reading.unsettled() == Unsettled::Everything {
            let from = self.reading.all_again();
            self.again(lines, from, to)?;
        }
        Ok(())
    }

    fn again<R: BufRead + Seek>(
        &mut self,
        lines: &mut Lines<R>,
        from: Option<Place>,
        to: u64,
    ) -> Result<(), ReadError> {
        let Some(from) = from else { return Ok(()) };
        let mut again = lines.again(from, to)?;
        while let Some((place, bytes)) = again.next()? {
            if let Ok(read) = json::read::<Line>(bytes) {
                self.reading.take(read.record, place);
            }
        }
        again.done()?;
        self.reading.again_done();
        Ok(())
    }

    /// Gives the turn that was asked for, as a session; [`Self::resume`] takes it back.
    pub(crate) fn session(&mut self) -> Result<Session<S>, ReadError> {
        let slot = self.slot()?;
        let is_last = slot == Slot::Current;
        let waiting = self.waiting(is_last);
        let open = match slot {
            Slot::Current => self.reading.current.take(),
            Slot::Spoken => self.reading.spoken.take(),
            Slot::Asked => self.reading.asked.take(),
        };
        let open = open.ok_or(ReadError::NoTurn { lines: self.reading.facts.lines })?;
        Ok(self.assemble(slot, open, waiting))
    }

    fn assemble(&mut self, slot: Slot, open: Open<S>, waiting: Vec<Waiting>) -> Session<S> {
        let reading = &mut self.reading;
        let number = open.live.turn.number;
        let past = open.past().cloned();
        let observed = open.live.observed.clone().or_else(|| {
            let earlier = reading.marks.observed_before(number).cloned();
            let wrote = !open.live.turn.writes.is_empty();
            earlier.map(|earlier| Observed {
                written_since: earlier.written_since || wrote,
                ..earlier
            })
        });
        let (writes, history) = match past {
            Some(past) => (past.writes, past.history),
            None => (Arc::clone(&reading.earlier_writes), reading.marks.history(number)),
        };
        let (mut turn, parked) = open.park();
        self.parked = Some((slot, parked));
        if slot == Slot::Current {
            turn.control.extend(reading.queue_rows());
        }
        Session {
            format: Format::ClaudeCode,
            source: reading.facts.clone(),
            ids: reading.ids.clone(),
            catalogue: reading.catalogue.clone(),
            turn,
            turns: reading.marks.count(),
            history,
            waiting,
            earlier_writes: writes,
            observed,
        }
    }

    /// Takes a session's turn back, to go on with it.
    pub(crate) fn resume(&mut self, mut turn: Turn<S>) {
        let Some((slot, parked)) = self.parked.take() else { return };
        // What waited then may have been received since.
        turn.control.retain(|row| row.action != crate::control::ControlAction::Queue);
        let open = Some(Open::unpark(turn, parked));
        match slot {
            Slot::Current => self.reading.current = open,
            Slot::Spoken => self.reading.spoken = open,
            Slot::Asked => self.reading.asked = open,
        }
    }

    fn slot(&self) -> Result<Slot, ReadError> {
        let reading = &self.reading;
        let current = reading.current.as_ref().map(|open| &open.live.turn);
        let current = current.ok_or(ReadError::NoTurn { lines: reading.facts.lines })?;
        match self.options.turn {
            Some(asked) if current.number == asked => Ok(Slot::Current),
            Some(_) if reading.asked.is_some() => Ok(Slot::Asked),
            Some(asked) => Err(ReadError::NoSuchTurn { asked, turns: reading.marks.count() }),
            None if current.spoke || reading.spoken.is_none() => Ok(Slot::Current),
            None => Ok(Slot::Spoken),
        }
    }

    /// What the run waits for. Of a turn that another one followed, only the end of the file is
    /// still open.
    fn waiting(&self, is_last: bool) -> Vec<Waiting> {
        let reading = &self.reading;
        let mut waiting = Vec::new();
        if reading.facts.half_written && self.options.turn.is_none_or(|_| is_last) {
            waiting.push(Waiting::HalfWritten);
        }
        let Some(open) = reading.current.as_ref().filter(|_| is_last) else { return waiting };
        if reading.is_pending() {
            waiting.push(Waiting::PendingMessage);
        }
        let turn = &open.live.turn;
        if !turn.unanswered.is_empty() {
            let asks = open.live.asks();
            waiting.push(if asks { Waiting::Question } else { Waiting::UnansweredCall });
        }
        if !turn.background.is_empty() && turn.stop != StopReason::Interrupted {
            waiting.push(Waiting::Background);
        }
        if turn.stop == StopReason::Unfinished && turn.unanswered.is_empty() {
            waiting.push(Waiting::Unanswered);
        }
        waiting
    }
}

fn facts() -> SourceFacts {
    SourceFacts::new(Format::ClaudeCode)
}
