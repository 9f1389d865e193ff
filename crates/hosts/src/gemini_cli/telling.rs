//! The messages as turns: who opens one, what belongs to it, how it ends.

use super::history::{History, Message};
use super::message::{self, Words};
use super::outcome::Outcome;
use super::tools::TOOLS;
use crate::catalogue::Catalogue;
use crate::chat::text_of;
use crate::control::{ControlAction, ControlRow, Provenance};
use crate::error::ReadError;
use crate::flow::{Opened, Run, Said, Told};
use crate::format::Format;
use crate::options::ReadOptions;
use crate::position::Position;
use crate::session::{Opening, Session, StopReason};
use crate::sink::Sink;
use crate::source::{Repair, SourceFacts};

/// What the host tells the person who stops a request.
const CANCELLED: &str = "Request cancelled.";

/// A run being told from its messages.
#[derive(Debug)]
pub(super) struct Telling<S> {
    pub(super) run: Run<S>,
    facts: SourceFacts,
    /// The words the turn at hand opened with: as they were typed, and as the agent was given them.
    opening: Option<(String, String)>,
}

impl<S: Sink> Telling<S> {
    pub(super) fn new(options: &ReadOptions, facts: SourceFacts) -> Self {
        let run = Run::new(Catalogue::new(TOOLS, options), options.turn);
        Self { run, facts, opening: None }
    }

    /// Tells all messages.
    pub(super) fn all(&mut self, history: &History) {
        self.run.ids = history.ids.clone();
        for message in history.messages() {
            self.message(message);
        }
        for (key, line) in &history.left {
            if let Some(live) = self.run.live() {
                live.wrote_aside(key, *line);
            }
        }
        for _ in 0..history.replaced {
            self.facts.add_repair(Repair::ReplacedHistory);
        }
        self.run.finish();
    }

    /// Gives the turn that was asked for.
    pub(super) fn session(&mut self) -> Result<Session<S>, ReadError> {
        self.run.session(&self.facts, Format::GeminiCli)
    }

    fn message(&mut self, message: &Message) {
        let Message { fields, at } = message;
        let kind = text_of(fields, "type").unwrap_or_default();
        match kind {
            "user" => self.user(message::words(fields), at),
            "gemini" | "model" => self.agent(message),
            "info" if message::text(fields).trim() == CANCELLED => self.cancelled(at),
            "error" => self.failed(at),
            "info" | "warning" => self.facts.add_skipped(kind),
            other => self.facts.add_unknown_word("type", other),
        }
    }

    // ---- a person

    fn user(&mut self, words: Words, at: &Position) {
        match words {
            Words::Person { typed, given } if self.is_a_hooks(&typed, &given) => self.told("hook"),
            Words::Person { typed, given } => self.person(typed, given, at),
            Words::Ours => self.told("hook"),
            Words::Results => self.facts.add_skipped("user.functionResponse"),
            Words::Host => self.facts.add_skipped("user.host"),
        }
    }

    /// The host keeps a hook's words as a person's: shown as what the turn opened with, given as
    /// something else.
    fn is_a_hooks(&self, typed: &str, given: &str) -> bool {
        let spoke = self.opening.as_ref();
        spoke.is_some_and(|(shown, first)| typed != given && shown == typed && first != given)
    }

    fn told(&mut self, word: &str) {
        self.facts.add_skipped(&format!("user.{word}"));
        if let Some(live) = self.run.live() {
            live.told();
        }
    }

    /// What reaches the agent at work is a steer, as far as the place of a message shows it.
    fn person(&mut self, typed: String, given: String, at: &Position) {
        if let Some(live) = self.run.live().filter(|live| live.is_at_work()) {
            if !typed.trim().is_empty() {
                live.steer(row(ControlAction::Steer, "gemini-cli.user", typed), at.clone());
            }
            return;
        }
        self.opening = Some((typed.clone(), given));
        let is_agents = self.run.ids.agent.is_some();
        self.run.open(Opened {
            opening: if is_agents { Opening::Machine } else { Opening::Person },
            provenance: Provenance::Heuristic,
            prompt: None,
            text: typed,
            at: at.clone(),
        });
    }

    // ---- the agent

    fn agent(&mut self, message: &Message) {
        let Message { fields, at } = message;
        let text = message::text(fields);
        let placed = |of: &str, index: usize| {
            Position::new(at.line, format!("{}/toolCalls/{index}{of}", at.pointer))
        };
        let calls: Vec<_> = message::calls(fields)
            .enumerate()
            .map(|(index, call)| (call, placed("", index)))
            .collect();
        let live = self.run.or_unseen(at);
        if calls.is_empty() {
            return live.say(text, Said::Closing, at.clone());
        }
        self.run.with(|live, shared| live.calls(text, calls, at.clone(), shared));
        for (index, (id, outcome)) in message::outcomes(fields).enumerate() {
            let (text, told) = match outcome {
                Outcome::Open => continue,
                Outcome::Ended { text, told } => (text, told),
                Outcome::Unknown { word, text } => {
                    self.facts.add_unknown_word("toolCalls.status", &word);
                    (text, Told::UNKNOWN)
                }
            };
            let at = placed("/result", index);
            self.run.with(|live, shared| live.result(&id, (text, told), at, shared));
        }
    }

    // ---- ends

    /// The host tells the person of the stop in words; no field says it.
    fn cancelled(&mut self, at: &Position) {
        let stop = row(ControlAction::Stop, "gemini-cli.info", String::new());
        if let Some(live) = self.run.live().filter(|live| !live.is_over()) {
            live.ended(StopReason::Interrupted, Some(stop), at.clone());
        }
    }

    /// The host tells of an error; where the agent goes on all the same, the turn did not end.
    fn failed(&mut self, at: &Position) {
        self.facts.add_skipped("error");
        if let Some(live) = self.run.live().filter(|live| !live.is_over()) {
            live.ended(StopReason::ApiError, None, at.clone());
        }
    }
}

fn row(action: ControlAction, method: &'static str, text: String) -> ControlRow {
    ControlRow {
        action,
        method,
        control_id: String::new(),
        message_id: String::new(),
        text,
        provenance: Provenance::Heuristic,
        recorded: None,
    }
}
