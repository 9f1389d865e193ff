//! What people said: each message once, and whose it is.
//!
//! What the model saw may hold words that the host wrote in a person's role, in wrappers that change
//! from build to build. So a message without a mark waits for the event that says that a person typed
//! it; where the file shows such events and none comes, it is nobody's. Of a file that shows none it
//! is a person's, as far as anybody can tell.

use super::Reading;
use crate::control::{ControlAction, ControlRow, Provenance};
use crate::flow::{Showing, Twins};
use crate::position::Position;
use crate::session::Opening;
use crate::sink::Sink;
use crate::source::SourceFacts;

/// Messages that wait for their event at most; of more, the first is taken without.
const WAITING: usize = 64;

/// What is known of people's words.
#[derive(Clone, Debug, Default)]
pub(super) struct People {
    pub(super) twins: Twins,
    /// Without a mark, and without an event so far.
    waiting: Vec<Words>,
    /// The file shows whose words are a person's.
    typed: bool,
    /// The file ended while messages waited, and they were taken for a person's.
    pub(super) guessed: bool,
}

/// Words, of which turn, and where they stand.
#[derive(Clone, Debug)]
pub(super) struct Words {
    pub(super) text: String,
    pub(super) turn: Option<String>,
    pub(super) at: Position,
}

impl People {
    /// The message that an event is the second showing of, if it still waits.
    fn awaited(&mut self, text: &str) -> Option<Words> {
        let same = |words: &Words| words.text.split_whitespace().eq(text.split_whitespace());
        let at = self.waiting.iter().position(same)?;
        Some(self.waiting.remove(at))
    }
}

impl<S: Sink> Reading<S> {
    /// A message in a person's role.
    pub(super) fn person(&mut self, words: Words, showing: Showing, typed: bool) {
        let is_second = self.people.twins.is_second(showing, &words.text);
        self.people.typed |= typed;
        if !typed {
            if !is_second {
                self.people.waiting.push(words);
            }
            if self.people.waiting.len() > WAITING {
                let first = self.people.waiting.remove(0);
                self.said(first, Provenance::Heuristic, Some(Showing::Item));
            }
        } else if !is_second {
            self.said(words, Provenance::Recorded, Some(showing));
        } else if let Some(first) = self.people.awaited(&words.text) {
            let turn = words.turn.or(first.turn);
            self.said(Words { turn, ..first }, Provenance::Recorded, None);
        } else if let Some(live) = self.run.live() {
            live.confirm(&words.text);
        }
    }

    /// Something came after the messages that wait: no event will.
    pub(super) fn settle_people(&mut self, facts: &mut SourceFacts) {
        for words in std::mem::take(&mut self.people.waiting) {
            if self.people.typed {
                facts.add_skipped("response_item.message.untyped");
            } else {
                self.said(words, Provenance::Heuristic, Some(Showing::Item));
            }
        }
    }

    /// The file ends while messages wait.
    pub(super) fn guess_people(&mut self) {
        if !self.people.typed && !self.people.waiting.is_empty() {
            self.people.guessed = true;
            for words in std::mem::take(&mut self.people.waiting) {
                self.said(words, Provenance::Heuristic, Some(Showing::Item));
            }
        }
    }

    /// A person said something: it opens a turn, or reached the agent in one. `shown` is how, where a
    /// second showing may follow.
    fn said(&mut self, words: Words, provenance: Provenance, shown: Option<Showing>) {
        let Words { text, turn, at } = words;
        if self.is_opening() {
            if !self.turns.is_pending() {
                self.forget();
                shown.map(|showing| self.people.twins.is_second(showing, &text));
            }
            let is_agents = self.run.ids.agent.is_some();
            let opening = if is_agents { Opening::Machine } else { Opening::Person };
            return self.open(opening, provenance, turn, (text, at));
        }
        if text.trim().is_empty() {
            return;
        }
        let row = ControlRow {
            action: ControlAction::Steer,
            method: "codex.user_message",
            control_id: String::new(),
            message_id: String::new(),
            text,
            provenance,
            recorded: None,
        };
        self.at_hand(&at).steer(row, at);
    }

    /// Whether a person's words open a turn.
    fn is_opening(&mut self) -> bool {
        let says_so = self.turns.says_so;
        let is_pending = self.turns.is_pending();
        self.run
            .live()
            .is_none_or(|live| is_pending || live.is_over() || (!says_so && !live.is_at_work()))
    }
}
