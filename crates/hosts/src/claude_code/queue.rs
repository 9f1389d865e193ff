//! Messages a person sent while the agent worked: queued, delivered, taken back.
//!
//! A delivered message shows as an attachment, as a pair of queue lines, or as both, by the build;
//! it is one steer. `popAll` takes back what nobody received. What is still queued at the end was
//! not delivered.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// A message that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Queued {
    /// What it says, where the line shows it.
    pub(super) text: String,
    /// The host's id of it, where the line has one.
    pub(super) id: String,
    /// In which turn it was sent, counted in openings.
    turn: u64,
}

/// The queue of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Queue {
    waiting: VecDeque<Queued>,
    /// One was taken out to become a turn of its own; which one, its opening will tell.
    taken: bool,
}

/// The most messages that are remembered as waiting; a host's queue holds a handful.
const WAITING_KEPT: usize = 1000;

impl Queue {
    /// A message was sent.
    pub(super) fn enqueue(&mut self, text: String, id: String, turn: u64) {
        self.waiting.push_back(Queued { text, id, turn });
        if self.waiting.len() > WAITING_KEPT {
            self.waiting.pop_front();
        }
    }

    /// The host took the next message to open a turn with it.
    pub(super) fn dequeue(&mut self) {
        self.settle();
        self.taken = true;
    }

    /// A message left the queue for the running turn: what it said, and its id.
    pub(super) fn remove(&mut self, text: &str) -> Option<Queued> {
        self.settle();
        self.take(text)
    }

    /// The person took everything back.
    pub(super) fn pop_all(&mut self) {
        self.waiting.clear();
        self.taken = false;
    }

    /// A turn opens with a text: what was sent before the turn that ends now is lost, since the
    /// host that held it must have ended.
    pub(super) fn open_turn(&mut self, text: &str, turn: u64) {
        self.arrived(text);
        self.waiting.retain(|queued| queued.turn + 1 >= turn);
    }

    /// A message stands in the conversation: if one was taken out, it is that one.
    pub(super) fn arrived(&mut self, text: &str) {
        if std::mem::take(&mut self.taken) {
            self.take(text);
        }
    }

    /// What is waiting now.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &Queued> {
        self.waiting.iter()
    }

    /// Whether anything was sent that the agent has not received.
    pub(super) fn is_pending(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// What was taken out before and opened no turn of a person was the first.
    fn settle(&mut self) {
        if std::mem::take(&mut self.taken) {
            self.waiting.pop_front();
        }
    }

    /// Takes out the message that says this, else the first.
    fn take(&mut self, text: &str) -> Option<Queued> {
        let said = |queued: &Queued| !text.is_empty() && queued.text == text;
        match self.waiting.iter().position(said) {
            Some(at) => self.waiting.remove(at),
            None => self.waiting.pop_front(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(queue: &Queue) -> Vec<&str> {
        queue.waiting().map(|queued| queued.text.as_str()).collect()
    }

    #[test]
    fn the_first_prompt_passes_through() {
        let mut queue = Queue::default();
        queue.enqueue("go".into(), String::new(), 0);
        queue.dequeue();
        queue.open_turn("go", 1);
        assert!(!queue.is_pending());
        queue.dequeue();
        queue.open_turn("nobody queued this", 2);
        assert!(!queue.is_pending());
    }

    #[test]
    fn a_message_of_a_host_that_ended_does_not_wait_for_ever() {
        let mut queue = Queue::default();
        queue.enqueue("lost".into(), String::new(), 1);
        queue.enqueue("again".into(), String::new(), 1);
        queue.dequeue();
        queue.open_turn("again", 2);
        assert_eq!(texts(&queue), ["lost"]);
        queue.open_turn("third", 3);
        assert!(!queue.is_pending());
    }

    #[test]
    fn what_is_taken_back_was_not_sent() {
        let mut queue = Queue::default();
        queue.enqueue("a".into(), String::new(), 1);
        queue.enqueue("b".into(), String::new(), 1);
        assert_eq!(queue.remove("b").map(|queued| queued.text), Some("b".to_owned()));
        queue.pop_all();
        assert!(!queue.is_pending());
        assert_eq!(queue.remove("c"), None);
    }
}
