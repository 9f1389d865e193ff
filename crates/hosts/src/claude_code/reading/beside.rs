//! What stands beside the conversation: attachments, the queue, lines that say nothing.

use super::super::line::{Kind, Line, QueueOperation};
use super::super::person;
use super::super::steers::Delivered;
use super::super::tree::Part;
use super::{Reading, Step};
use crate::control::Provenance;
use crate::lines::Place;
use crate::position::Position;
use crate::sink::Sink;

impl<S: Sink> Reading<S> {
    pub(super) fn silent(&mut self, line: &Line, place: Place) -> Step {
        if let Some(open) = self.running() {
            open.live.attached(line, place);
        }
        self.alias(line);
        Step::Done
    }

    pub(super) fn alias(&mut self, line: &Line) {
        if self.is_again() {
            return;
        }
        let Some(id) = &line.uuid else { return };
        let parent = self.parent_of(line).or(self.tip);
        if let Some(node) = parent {
            self.tree.alias(id, node, line.kind == Kind::Progress);
        }
    }

    pub(super) fn queue_line(&mut self, line: Line, place: Place) -> Step {
        let turn = self.marks.count();
        let queue = line.queue;
        let word = queue.operation.clone().unwrap_or_default();
        match word.as_str() {
            "enqueue" => self.queue.enqueue(queue.content, queue.command.unwrap_or_default(), turn),
            "dequeue" => self.queue.dequeue(),
            "popAll" => self.queue.pop_all(),
            "remove" => self.removed(queue, place),
            _ => self.facts.add_unknown_word("operation", &word),
        }
        self.alias_queue(line.uuid.as_deref(), line.parent.as_deref());
        Step::Done
    }

    pub(super) fn alias_queue(&mut self, id: Option<&str>, parent: Option<&str>) {
        let node = self.named(parent).or(self.tip);
        if let (Some(id), Some(node), false) = (id, node, self.is_again()) {
            self.tree.alias(id, node, false);
        }
    }

    /// A message left the queue for the running turn. A reason that is not known does not take an
    /// obligation away.
    pub(super) fn removed(&mut self, queue: QueueOperation, place: Place) {
        let queued = self.queue.remove(&queue.content);
        let text = if queue.content.is_empty() {
            queued.map(|queued| queued.text).unwrap_or_default()
        } else {
            queue.content
        };
        if let Some(word) = queue.reason.as_deref().filter(|word| *word != "absorbed_mid_turn") {
            self.facts.add_unknown_word("reason", word);
        }
        if text.trim().is_empty() || person::is_hosts_own(&text) {
            return;
        }
        let typed = queue.reason.is_some();
        if let Some(open) = self.running().filter(|open| !open.is_dirty()) {
            open.live.removed(Delivered {
                text,
                message: queue.command.unwrap_or_default(),
                delivery: queue.delivery.unwrap_or_default(),
                line: String::new(),
                at: Position::new(place.line, "/content"),
                provenance: if typed { Provenance::Recorded } else { Provenance::Heuristic },
            });
        }
    }

    /// A person's message that was attached to the running turn.
    pub(super) fn queued(&mut self, line: &Line, place: Place) -> Step {
        let attachment = &line.attachment;
        let (origin, source) = (attachment.origin.as_deref(), attachment.row_source.as_deref());
        let sender = person::queued(origin, source, attachment.meta, &mut self.facts);
        let text = attachment.prompt.clone();
        let Some(provenance) = sender.filter(|_| !text.trim().is_empty()) else {
            return self.silent(line, place);
        };
        let delivered = Delivered {
            text,
            message: attachment.source.clone().unwrap_or_default(),
            delivery: attachment.delivery.clone().unwrap_or_default(),
            line: line.uuid.clone().unwrap_or_default(),
            at: Position::new(place.line, "/attachment/prompt"),
            provenance,
        };
        let Some(placed) = self.place(line, Part::Words, |_| false) else { return Step::Done };
        self.ensure_turn(line, place, placed);
        if let Some(open) = &mut self.current {
            if placed.on {
                let dirty = open.live.steer(delivered);
                open.soil(dirty);
            } else {
                open.live.left(&delivered);
            }
        }
        Step::Done
    }
}

/// Whether an attachment is a message that a person sent while the agent worked.
pub(super) fn is_steer(line: &Line) -> bool {
    line.attachment.word == "queued_command" && line.attachment.mode.as_deref() == Some("prompt")
}
