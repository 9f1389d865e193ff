//! Codex CLI: its rollout files, how it speaks with its hook, where the hook is named, and how it
//! comes to trust it.
//!
//! A rollout shows most things twice: a `response_item` is what the model saw or said, an
//! `event_msg` what the host tells of it; older files hold bare items. `line` says which lines are
//! looked into, `entry` what one says, `person` whose words a message holds, `ending` how a typed
//! field says that a call ended, `tools` what a tool does; `reading` says which turn it belongs to.
//! A turn goes by its id, not by its place: what a turn left running is told of after later ones.
//!
//! In code mode the agent calls one tool, `exec`, with a script; what the script called is read off
//! the typed items and never off the script. The facts rest on recordings of the real client
//! (0.171.0) and on published files.

mod arguments;
mod ending;
mod entry;
pub(crate) mod hook;
mod line;
mod person;
mod reading;
pub(crate) mod sample;
pub(crate) mod settings;
mod tools;
pub(crate) mod trust;

use std::io::{BufRead, Seek};

use crate::error::ReadError;
use crate::format::Format;
use crate::json;
use crate::lines::{self, Lines, Next, Place};
use crate::options::ReadOptions;
use crate::session::{Session, Turn};
use crate::sink::Sink;
use crate::source::SourceFacts;
use line::{Head, Interest};
use reading::Reading;

/// What a line of this format is recognised by.
pub(crate) const RECOGNISED_BY: &str =
    "`type` of `session_meta`, `response_item` or `event_msg` with a `payload`, or a bare item";

/// Whether a line is of this format.
pub(crate) fn recognises(line: &[u8]) -> bool {
    json::read::<Head>(line).is_ok_and(|read| read.record.is_ours())
}

/// Reads a rollout.
#[derive(Debug)]
pub(crate) struct Codex<S> {
    options: ReadOptions,
    facts: SourceFacts,
    reading: Reading<S>,
}

impl<S: Sink> Codex<S> {
    pub(crate) fn new(options: &ReadOptions) -> Self {
        Self {
            options: options.clone(),
            facts: SourceFacts::new(Format::Codex),
            reading: Reading::new(options),
        }
    }

    /// Reads all there is.
    pub(crate) fn read<R: BufRead + Seek>(
        &mut self,
        lines: &mut Lines<R>,
    ) -> Result<(), ReadError> {
        if self.reading.was_guessed() {
            *self = Self::new(&self.options);
            lines.restart()?;
        }
        loop {
            match lines.next()? {
                Next::Line(place) => self.line(lines.line(), place),
                Next::Tail(place) if json::is_whole(lines.line()) => {
                    lines.take_tail();
                    self.line(lines.line(), place);
                }
                Next::Tail(_) => {
                    self.facts.half_written = true;
                    break;
                }
                Next::End => {
                    self.facts.half_written = false;
                    break;
                }
                Next::Rewritten => {
                    *self = Self::new(&self.options);
                    lines.restart()?;
                }
            }
        }
        self.reading.finish();
        self.facts.bytes = lines.bytes();
        self.facts.lines = lines.count();
        self.facts.digest = lines.file_digest();
        Ok(())
    }

    fn line(&mut self, bytes: &[u8], place: Place) {
        if lines::is_blank(bytes) {
            return;
        }
        let head = match json::read::<Head>(bytes) {
            Ok(head) => head,
            Err(cause) => return self.facts.add_issue(place.line, cause),
        };
        if let Interest::None(word) = head.record.interest() {
            head.repairs.into_iter().for_each(|repair| self.facts.add_repair(repair));
            return self.facts.add_skipped(&word);
        }
        match line::whole(bytes) {
            Ok(read) => {
                read.repairs.into_iter().for_each(|repair| self.facts.add_repair(repair));
                self.reading.take(&read.record, place.line, &mut self.facts);
            }
            Err(cause) => self.facts.add_issue(place.line, cause),
        }
    }

    /// Gives the turn that was asked for; [`Self::resume`] takes it back.
    pub(crate) fn session(&mut self) -> Result<Session<S>, ReadError> {
        self.reading.run.session(&self.facts, Format::Codex)
    }

    /// Takes a session's turn back, to go on with it.
    pub(crate) fn resume(&mut self, turn: Turn<S>) {
        self.reading.run.resume(turn);
    }
}
