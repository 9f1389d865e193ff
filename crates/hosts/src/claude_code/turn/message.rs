//! The agent's message at hand: gathered from its pieces, given out as a row.

use serde_json::Value;

use super::super::block::Call;
use super::super::steers::{self, Delivered};
use super::{CONTENT, Early, Gathered, Last, Live, Made, Shared, ended_task, write_key};
use crate::catalogue::Catalogue;
use crate::json::append;
use crate::position::{Position, RowPosition};
use crate::records;
use crate::session::Answer;
use crate::sink::Sink;
use crate::source::LineNumber;
use crate::writes::{Chain, Observed, ObservedOutcome};

/// Where a line keeps the agent's message.
const MESSAGE: &str = "/message";

impl<S: Sink> Live<S> {
    /// Makes the message at hand the one with this id.
    pub(super) fn gather(&mut self, id: Option<String>, line: LineNumber) {
        let open = self.work.message.as_ref().and_then(|message| message.id.as_deref());
        if id.is_some() && open == id.as_deref() {
            return;
        }
        let continues = self.continues(id.as_deref());
        self.settle();
        self.work.early = Early::Nothing;
        if !continues {
            self.work.unanswered.clear();
            self.work.asked = false;
        }
        self.work.message = Some(Gathered { id, begins: line, ..Gathered::default() });
    }

    pub(super) fn text(&mut self, text: &str) {
        if let Some(message) = &mut self.work.message {
            message.says |= !text.trim().is_empty();
            append(&mut message.text, text);
        }
    }

    pub(super) fn call(&mut self, call: Call, line: LineNumber, shared: &mut Shared<'_>) {
        let id = shared.ids.call(&call.id);
        let write = write_key(&call, Chain::On, shared.catalogue);
        if let Some(key) = &write {
            self.turn.writes.call(key, line);
            self.written();
        }
        self.observe(&call, line, shared.catalogue);
        self.work.asked |= shared.catalogue.asks(&call.name);
        self.work.unanswered.insert(id.clone());
        let made = Made { id: id.clone(), tool: call.name.clone(), write, ends: ended_task(&call) };
        self.work.made.insert(call.id, made);
        let at = Position::new(line, format!("{CONTENT}/{}", call.block));
        let record = records::call(id, call.name, call.args);
        if let Some(message) = &mut self.work.message {
            message.calls.push(record);
            message.called_at.push(at);
        }
    }

    /// Only the last verification is observed; the answer to an earlier one is none to it.
    pub(super) fn observe(&mut self, call: &Call, line: LineNumber, catalogue: &Catalogue) {
        if let Some(command) = catalogue.verification(&call.name, &call.args) {
            self.observed = Some(Observed {
                tool: call.name.clone(),
                command: command.to_owned(),
                line,
                outcome: ObservedOutcome::Unanswered,
                exit_code: None,
                written_since: false,
            });
            self.work.observed_call = Some(call.id.clone());
        } else if self.work.observed_call.as_ref() == Some(&call.id) {
            self.work.observed_call = None;
        }
    }

    /// What the message at hand is, so far.
    pub(super) fn conclude(&mut self, line: LineNumber, aborted: bool) {
        let Some(message) = &mut self.work.message else { return };
        if !message.calls.is_empty() || aborted {
            self.turn.answer = None;
            message.answers = None;
        } else if message.says {
            // Its text is copied once, when the message is given out, not with each piece.
            message.answers = Some(line);
        }
        self.work.last = if aborted { Last::Open } else { Last::Agent };
    }

    /// Adds a result behind the message it belongs to.
    pub(super) fn push(&mut self, record: Value, at: Position) {
        match &mut self.work.message {
            Some(message) => message.results.push((record, at)),
            None => self.turn.rows.push(&record, &RowPosition::of(at)),
        }
    }

    /// Gives out the message at hand, and the steers that nothing more will be heard of.
    /// Answers whether there were any of these.
    pub(super) fn settle(&mut self) -> bool {
        self.flush();
        let settled = self.work.steers.settle();
        for delivered in &settled {
            self.give_out(delivered);
        }
        !settled.is_empty()
    }

    pub(super) fn give_out(&mut self, delivered: &Delivered) {
        let row = steers::steer_row(delivered);
        let record = records::steer(row.text.clone(), row.message_id.clone());
        self.turn.rows.push(&record, &RowPosition::of(delivered.at.clone()));
        self.turn.control.push(row);
        self.work.last = Last::Open;
    }

    /// Gives out a closing message in a way that can be taken back, if that is all there is: at a
    /// boundary it is, and its last piece may be late.
    pub(super) fn lend(&mut self) -> bool {
        let Some(message) = &self.work.message else { return false };
        if !(message.calls.is_empty()
            && message.results.is_empty()
            && self.work.steers.is_settled())
        {
            return false;
        }
        if let Some(line) = message.answers {
            self.turn.answer = Some(Answer { text: message.text.clone(), line });
        }
        self.lent = Some(self.turn.rows.mark());
        let at = RowPosition::of(Position::new(message.begins, MESSAGE));
        self.turn.rows.push(&records::assistant(message.text.clone(), Vec::new()), &at);
        true
    }

    pub(super) fn reclaim(&mut self) {
        if let Some(mark) = self.lent.take() {
            self.turn.rows.rewind(mark);
        }
    }

    pub(super) fn flush(&mut self) {
        let Some(message) = self.work.message.take() else { return };
        if let Some(line) = message.answers {
            self.turn.answer = Some(Answer { text: message.text.clone(), line });
        }
        self.work.given_out = message.id;
        let row = Position::new(message.begins, MESSAGE);
        let at = RowPosition { row, calls: message.called_at };
        self.turn.rows.push(&records::assistant(message.text, message.calls), &at);
        for (result, at) in message.results {
            self.turn.rows.push(&result, &RowPosition::of(at));
        }
    }
}
