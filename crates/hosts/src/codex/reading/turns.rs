//! Turns: begun, opened by the first words, over.

use std::collections::BTreeSet;

use super::Reading;
use crate::codex::entry::Completion;
use crate::control::{ControlAction, ControlRow, Provenance};
use crate::flow::{Live, Opened};
use crate::position::Position;
use crate::session::{Opening, StopReason};
use crate::sink::Sink;

/// The ids of turns.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    /// Those of turns that are over, or of the one at hand.
    seen: BTreeSet<String>,
    /// That of the turn at hand.
    current: Option<String>,
    /// A turn began and nobody spoke in it yet.
    begun: Option<String>,
    /// The build says where a turn begins.
    pub(super) says_so: bool,
    /// The turn at hand holds nothing but its opening.
    only_opened: bool,
}

impl Turns {
    /// Whether a turn is another one than the turn at hand, and came before it.
    pub(super) fn is_earlier(&self, turn: &str) -> bool {
        self.current.as_deref() != Some(turn) && self.seen.contains(turn)
    }

    /// Whether a turn began and nobody spoke in it yet.
    pub(super) const fn is_pending(&self) -> bool {
        self.begun.is_some()
    }

    fn opens(&mut self, turn: Option<String>) -> Option<String> {
        let id = self.begun.take().or(turn);
        self.seen.extend(id.clone());
        self.current.clone_from(&id);
        id
    }
}

impl<S: Sink> Reading<S> {
    /// The host began a turn. Words that came just before are its opening.
    pub(super) fn started(&mut self, turn: Option<String>) {
        self.turns.says_so = true;
        self.run.shows_stops = true;
        let id = turn.unwrap_or_default();
        let is_its_opening = self.turns.only_opened && self.turns.current.is_none();
        match self.run.live().filter(|_| is_its_opening) {
            Some(live) => {
                live.turn.ids.prompt = Some(id.clone());
                self.turns.seen.insert(id.clone());
                self.turns.current = Some(id);
            }
            None if self.turns.current.as_ref() == Some(&id) => {}
            None => {
                self.forget();
                self.turns.begun = Some(id);
            }
        }
    }

    /// What belonged to the turn that was at hand is compared with nothing that follows.
    pub(super) fn forget(&mut self) {
        self.people.twins.clear();
        self.agents.clear();
        self.scripts.end();
        self.sessions.clear();
    }

    pub(super) fn open(
        &mut self,
        opening: Opening,
        provenance: Provenance,
        turn: Option<String>,
        words: (String, Position),
    ) {
        let prompt = self.turns.opens(turn).filter(|id| !id.is_empty());
        self.turns.only_opened = true;
        let (text, at) = words;
        self.run.open(Opened { opening, provenance, prompt, text, at });
    }

    /// The turn at hand, which by now says or does something.
    pub(super) fn at_hand(&mut self, at: &Position) -> &mut Live<S> {
        self.turns_at_hand(at);
        self.turns.only_opened = false;
        self.run.or_unseen(at)
    }

    /// Opens the turn that was begun, in which nobody's words came first: the host went on by
    /// itself.
    pub(super) fn turns_at_hand(&mut self, at: &Position) {
        if self.turns.is_pending() {
            let nothing = (String::new(), at.clone());
            self.open(Opening::Machine, Provenance::Recorded, None, nothing);
        } else if self.run.live().is_none() {
            self.open(Opening::Unseen, Provenance::Heuristic, None, (String::new(), at.clone()));
        }
    }

    // ---- words

    /// A hook said something that the agent has to answer.
    pub(super) fn hook(&mut self) {
        if let Some(live) = self.run.live() {
            live.told();
        }
    }

    /// Another agent said something: it opens a turn that was begun, or one where none is at hand.
    pub(super) fn other(&mut self, text: String, at: Position) {
        let opens = self.turns.is_pending() || self.run.live().is_none();
        if opens && !text.trim().is_empty() {
            self.open(Opening::Machine, Provenance::Recorded, None, (text, at));
        }
    }

    // ---- ends

    /// The host says that the turn is over.
    pub(super) fn completed(&mut self, completion: &Completion, at: Position) {
        if completion.failed {
            self.at_hand(&at).ended(StopReason::ApiError, None, at);
        } else if let Some(begun) = self.turns.begun.take() {
            self.turns.seen.insert(begun);
        } else if let Some(live) = self.run.live() {
            if let Some(last) = completion.last.as_ref().filter(|_| !live.is_over()) {
                live.close_with(last, &at);
            }
            live.completed();
        }
    }

    /// The turn was ended. Only an interrupt is a person's stop; another turn in its place is none.
    pub(super) fn aborted(&mut self, reason: &str, turn: String, at: Position) {
        self.run.shows_stops = true;
        if let Some(begun) = self.turns.begun.take() {
            self.turns.seen.insert(begun);
            return;
        }
        if let (Some(key), Some(live)) = (self.scripts.end(), self.run.live()) {
            live.wrote_aside(&key, at.line);
        }
        let stop = ControlRow {
            action: ControlAction::Stop,
            method: "codex.turn_aborted",
            control_id: turn,
            message_id: String::new(),
            text: String::new(),
            provenance: Provenance::Recorded,
            recorded: None,
        };
        let stop = Some(stop).filter(|_| reason == INTERRUPTED);
        let ended = if reason == LIMITED { StopReason::MaxTurns } else { StopReason::Interrupted };
        if let Some(live) = self.run.live() {
            live.ended(ended, stop, at);
        }
    }

    /// The model's server failed; where the agent goes on all the same, the turn did not end.
    pub(super) fn failed(&mut self, at: Position) {
        if let Some(live) = self.run.live().filter(|live| !live.is_over()) {
            live.ended(StopReason::ApiError, None, at);
        }
    }
}

/// Whether a reason is one of the host's.
pub(super) fn is_known(reason: &str) -> bool {
    [INTERRUPTED, LIMITED, "replaced", "review_ended"].contains(&reason)
}

/// The reason of a person's stop.
const INTERRUPTED: &str = "interrupted";
/// The reason of the host's own limit.
const LIMITED: &str = "budget_limited";
