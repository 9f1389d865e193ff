//! Calls on no chain: on a branch that was left, or of a sub-agent. Only their writes count.

use std::sync::Arc;

use super::super::block::{Answer, Block};
use super::super::line::Line;
use super::super::outcome;
use super::super::turn::write_key;
use super::Reading;
use crate::lines::Place;
use crate::records::ResultOutcome;
use crate::sink::Sink;
use crate::writes::{Chain, Writes};

impl<S: Sink> Reading<S> {
    /// A line of the agent that the chain left: only what it wrote counts, and that it used ids.
    pub(super) fn left_line(&mut self, line: &Line, place: Place) {
        if self.current.as_ref().is_some_and(|open| open.is_dirty()) {
            // The turn will be read again, and this line with it.
            return;
        }
        for call in line.message.content.iter().filter_map(Block::as_call) {
            self.call_ids.call(&call.id);
        }
        self.left_calls(line, place);
    }

    pub(super) fn left_calls(&mut self, line: &Line, place: Place) {
        for call in line.message.content.iter().filter_map(Block::as_call) {
            if let Some(key) = write_key(call, Chain::Off, &self.catalogue) {
                self.left_writes().call(&key, place.line);
                self.left.insert(call.id.clone(), key);
                self.marks.written();
                if let Some(open) = &mut self.current {
                    open.live.written();
                }
            }
        }
    }

    pub(super) fn left_answers<'a>(
        &mut self,
        answers: impl Iterator<Item = &'a Answer>,
        line: &Line,
        place: Place,
    ) {
        for answer in answers {
            let Some(key) = self.left.get(&answer.call_id).cloned() else { continue };
            let succeeded = outcome::outcome(answer.reported(line)) == ResultOutcome::Ok;
            self.left_writes().answer(&key, place.line, succeeded);
        }
    }

    /// Where writes are counted that are on no chain: in the turn they were made in, if it is kept.
    pub(super) fn left_writes(&mut self) -> &mut Writes {
        if self.running().is_none() {
            return Arc::make_mut(&mut self.earlier_writes);
        }
        match &mut self.current {
            Some(open) => &mut open.live.turn.writes,
            None => Arc::make_mut(&mut self.earlier_writes),
        }
    }
}
