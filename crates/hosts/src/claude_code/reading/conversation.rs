//! What a person, the agent and its tools say: `user` and `assistant` lines.

use std::sync::Arc;

use super::super::block::{Answer, Block};
use super::super::line::Line;
use super::super::person;
use super::super::person::Said;
use super::super::steers::Delivered;
use super::super::tree::Part;
use super::super::turn::{CONTENT, Shared, is_hosts_words};
use super::held::Open;
use super::turns::{Opened, turn_ids};
use super::{Before, Reading, Step, Tail, Whose};
use crate::control::Provenance;
use crate::lines::Place;
use crate::position::Position;
use crate::session::Opening;
use crate::sink::Sink;

impl<S: Sink> Reading<S> {
    pub(super) fn assistant(&mut self, line: Line, place: Place) -> Step {
        if line.message.content.is_empty() && is_hosts_words(&line) {
            return self.silent(&line, place);
        }
        // A call of the model that failed shows too that the command reached the agent.
        let reached = line.api_error || !is_hosts_words(&line);
        if reached && self.proposal.is_some() {
            if self.must_read_again() {
                return Step::Again(Box::new(line));
            }
            self.open_proposal();
        }
        let id = line.message.id.clone();
        let calls: Vec<String> = line
            .message
            .content
            .iter()
            .filter_map(Block::as_call)
            .map(|call| call.id.clone())
            .collect();
        let placed = self.place(&line, Part::Piece, |open| open.live.continues(id.as_deref()));
        let Some(placed) = placed else { return Step::Done };
        self.ensure_turn(&line, place, placed);
        self.tail = if calls.is_empty() { Tail::Other } else { Tail::AtWork };
        self.calls.extend(calls.into_iter().map(|call| (call, placed.node)));
        self.hear(&line);
        let Some(open) = self.current.as_mut().filter(|_| placed.on) else {
            self.left_line(&line, place);
            return Step::Done;
        };
        let dirty = open.live.contradicts(id.as_deref());
        open.soil(dirty);
        if !open.live.continues(id.as_deref()) {
            open.footing = self.tree.footing(placed.node);
        }
        let mut shared = Shared { catalogue: &self.catalogue, ids: &mut self.call_ids };
        open.live.agent(line, place, &mut shared);
        Step::Done
    }

    /// The agent speaks in the current turn: the one before is wanted no more.
    pub(super) fn hear(&mut self, line: &Line) {
        let Some(open) = &mut self.current else { return };
        if open.heard || is_hosts_words(line) {
            return;
        }
        open.heard = true;
        self.retire_spoken();
    }

    pub(super) fn retire_spoken(&mut self) {
        if let Some(spoken) = self.spoken.take() {
            Arc::make_mut(&mut self.earlier_writes).absorb(&spoken.live.turn.writes);
        }
    }

    pub(super) fn user(&mut self, mut line: Line, place: Place) -> Step {
        let content = std::mem::take(&mut line.message.content);
        let texts: Vec<&str> = content.iter().filter_map(Block::as_text).collect();
        let said = self.said(&line, &texts);
        let has_results = content.iter().any(|block| matches!(block, Block::Result(_)));
        // Who is not known to be a person asks for more, but not for something else instead.
        let joins = has_results || (self.opened.is_some() && person::is_of_unknown(&line.sender));
        let starts = matches!(said, Said::Prompt { .. }) && !joins && !self.steers(&line);
        if starts && self.must_read_again() {
            line.message.content = content;
            return Step::Again(Box::new(line));
        }
        match said {
            Said::Prompt { text, provenance } if starts => {
                self.prompt(&line, place, (text, provenance));
            }
            Said::Command { text, provenance } if !joins => {
                self.propose(&line, place, text, provenance);
            }
            Said::Machine { text, wakes } if !has_results => {
                self.told(&line, place, text, wakes);
            }
            Said::CommandOutput if !has_results => {
                self.proposal = None;
                self.alias(&line);
            }
            Said::Nothing if !has_results => self.alias(&line),
            said => self.in_turn(&line, place, content, said),
        }
        Step::Done
    }

    /// Results, a steer, an interrupt.
    pub(super) fn in_turn(&mut self, line: &Line, place: Place, content: Vec<Block>, said: Said) {
        let answers: Vec<Answer> = content.into_iter().filter_map(Block::into_answer).collect();
        let known = |open: &Open<S>| {
            !answers.is_empty() && answers.iter().all(|answer| open.live.made(&answer.call_id))
        };
        let is_words = !matches!(said, Said::Nothing | Said::Machine { .. });
        let answered = answers.iter().map(|answer| self.calls.get(&answer.call_id));
        let part = match answered.collect::<Option<Vec<_>>>() {
            Some(calls) if !is_words => Part::Answer { to: calls.into_iter().max().copied() },
            _ => Part::Words,
        };
        if let Said::Prompt { text, .. } | Said::Command { text, .. } = &said {
            self.queue.arrived(text);
        }
        let Some(placed) = self.place(line, part, known) else { return };
        self.ensure_turn(line, place, placed);
        self.tail = match &said {
            Said::Interrupt { .. } => Tail::Other,
            _ if answers.is_empty() => self.tail,
            _ => Tail::AtWork,
        };
        let Some(open) = self.current.as_mut().filter(|_| placed.on) else {
            return self.left_answers(answers.iter(), line, place);
        };
        let shared = Shared { catalogue: &self.catalogue, ids: &mut self.call_ids };
        for answer in answers {
            let dirty = open.live.result(answer, line, place, &shared);
            open.soil(dirty);
        }
        match said {
            Said::Prompt { text, provenance } | Said::Command { text, provenance } => {
                let dirty = open.live.steer(Delivered {
                    text,
                    message: line.uuid.clone().unwrap_or_default(),
                    delivery: String::new(),
                    line: line.uuid.clone().unwrap_or_default(),
                    at: Position::new(place.line, CONTENT),
                    provenance,
                });
                open.soil(dirty);
            }
            Said::Interrupt { provenance } => {
                open.live.interrupt(line.uuid.as_deref(), place.line, provenance);
            }
            Said::Machine { text, .. } => open.live.told(&text, false),
            Said::CommandOutput | Said::Nothing => {}
        }
    }

    /// What a line says; in a sub-agent's file nobody is a person.
    pub(super) fn said(&mut self, line: &Line, texts: &[&str]) -> Said {
        if texts.is_empty() {
            return Said::Nothing;
        }
        match person::said(line, texts, &mut self.facts) {
            Said::Prompt { text, .. } | Said::Command { text, .. }
                if self.whose == Whose::SubAgent =>
            {
                Said::Machine { text, wakes: true }
            }
            said => said,
        }
    }

    pub(super) fn told(&mut self, line: &Line, place: Place, text: String, wakes: bool) {
        if wakes {
            self.queue.arrived(&text);
        }
        if self.opened.is_none() && wakes {
            return self.wake(line, place, text);
        }
        if let Some(open) = self.running() {
            open.live.told(&text, wakes);
        }
        self.alias(line);
    }

    /// A machine makes the agent work before anybody asked for anything.
    pub(super) fn wake(&mut self, line: &Line, place: Place, text: String) {
        let before = self.before(place);
        let parent = self.opening_parent(line);
        let Some(node) = self.fresh(line, parent, Part::Words) else { return };
        let (opening, provenance) = (Opening::Machine, Provenance::Heuristic);
        let opened = Opened { opening, provenance, text, ids: turn_ids(line), by_command: false };
        let previous = self.previous(node);
        self.open(opened, Before { node, ..before }, previous);
    }
}
