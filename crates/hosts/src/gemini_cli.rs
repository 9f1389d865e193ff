//! Gemini CLI: its chat files, how it speaks with its hook, and where the hook is named.
//!
//! A file is one document, or, since 2026, a record a line: a message that is written again replaces
//! the one with its id, `$set` changes the file's own fields and may replace all messages,
//! `$rewindTo` takes messages back. So what stands at the end is known only at the end: `history`
//! keeps the messages as they stand, each once, and a turn is made of them anew whenever the file
//! was read on. `message` says what one says, `outcome` how a call ended, `telling` which turn it
//! belongs to. No field of the format says who typed a message or that a person stopped a run. The
//! facts rest on recordings of the real client (0.61.0), its source and published files.

mod history;
pub(crate) mod hook;
mod message;
mod outcome;
pub(crate) mod sample;
pub(crate) mod settings;
mod telling;
mod tools;

use std::io::{BufRead, Seek};

use serde_json::Value;

use crate::chat::{Shape, shape, text_of};
use crate::document::{self, Damage, Item, Messages, Node, Object};
use crate::error::ReadError;
use crate::format::{Format, Likeness};
use crate::json;
use crate::lines::{self, Lines, Next, Place};
use crate::options::ReadOptions;
use crate::position::Position;
use crate::session::{Session, Turn};
use crate::sink::Sink;
use crate::source::{LineCause, SourceFacts};
use history::History;
use telling::Telling;

/// What a file of this format is recognised by.
pub(crate) const RECOGNISED_BY: &str =
    "`sessionId` beside `projectHash`, or messages of which one has the `type` `gemini`";

/// Whether a piece of an input is of this format.
pub(crate) fn recognises(item: &Item) -> Likeness {
    let Node::Object(object) = &item.node else { return Likeness::No };
    let has = |key: &str| object.fields.contains_key(key);
    let says = item.messages().any(|message| text_of(message, "type") == Some("gemini"));
    if says || (has("sessionId") && has("projectHash")) {
        return Likeness::Certain;
    }
    let patches = has("$set") || has("$rewindTo");
    let asks = text_of(&object.fields, "type") == Some("user") && has("id") && has("content");
    if patches || asks { Likeness::Shared } else { Likeness::No }
}

/// Reads a chat file.
#[derive(Debug)]
pub(crate) struct GeminiCli<S> {
    options: ReadOptions,
    /// What is known of the lines.
    facts: SourceFacts,
    history: History,
    telling: Telling<S>,
    /// The file is one document, which was read.
    whole: bool,
}

impl<S: Sink> GeminiCli<S> {
    pub(crate) fn new(options: &ReadOptions) -> Self {
        let facts = SourceFacts::new(Format::GeminiCli);
        Self {
            options: options.clone(),
            telling: Telling::new(options, facts.clone()),
            facts,
            history: History::new(options),
            whole: false,
        }
    }

    /// Reads all there is.
    pub(crate) fn read<R: BufRead + Seek>(
        &mut self,
        lines: &mut Lines<R>,
    ) -> Result<(), ReadError> {
        if lines.offset() == 0 || self.whole {
            self.begin(lines)?;
        }
        if !self.whole {
            self.lines(lines)?;
        }
        self.facts.bytes = lines.bytes();
        self.facts.lines = lines.count();
        self.facts.digest = lines.file_digest();
        self.telling = Telling::new(&self.options, self.facts.clone());
        self.telling.all(&self.history);
        Ok(())
    }

    /// Starts over, since a document is rewritten and not appended to.
    fn begin<R: BufRead + Seek>(&mut self, lines: &mut Lines<R>) -> Result<(), ReadError> {
        if self.whole && lines.is_at_end()? {
            return Ok(());
        }
        *self = Self::new(&self.options);
        match shape(lines)? {
            Shape::Lines => lines.restart(),
            Shape::Document(read) => {
                self.whole = true;
                read.repairs.into_iter().for_each(|repair| self.facts.add_repair(repair));
                self.record(read.record);
                Ok(())
            }
        }
    }

    fn lines<R: BufRead + Seek>(&mut self, lines: &mut Lines<R>) -> Result<(), ReadError> {
        loop {
            match lines.next()? {
                Next::Line(place) => self.line(lines.line(), place),
                Next::Tail(place) if json::is_whole(lines.line()) => {
                    lines.take_tail();
                    self.line(lines.line(), place);
                }
                Next::Tail(_) => {
                    self.facts.half_written = true;
                    return Ok(());
                }
                Next::End => {
                    self.facts.half_written = false;
                    return Ok(());
                }
                Next::Rewritten => {
                    *self = Self::new(&self.options);
                    lines.restart()?;
                }
            }
        }
    }

    fn line(&mut self, bytes: &[u8], place: Place) {
        if lines::is_blank(bytes) {
            return;
        }
        match document::read(bytes, place.line) {
            Ok(read) => {
                read.repairs.into_iter().for_each(|repair| self.facts.add_repair(repair));
                self.record(read.record);
            }
            Err(Damage { cause, .. }) => self.facts.add_issue(place.line, cause),
        }
    }

    /// Takes a record: a message, the file's own fields, or what changes either.
    fn record(&mut self, item: Item) {
        let Node::Object(Object { mut fields, messages }) = item.node else {
            return self.facts.add_issue(item.line, LineCause::NotAnObject);
        };
        if let Some(Value::String(id)) = fields.get("$rewindTo") {
            self.history.rewind(id);
        } else if let Some(Value::Object(set)) = fields.remove("$set") {
            self.facts.add_skipped("$set");
            self.history.set(set, item.line);
        } else if fields.contains_key("id") && fields.contains_key("type") {
            self.history.put(fields, Position::new(item.line, ""));
        } else if fields.contains_key("sessionId") || messages.is_some() {
            self.history.head(&fields);
            self.own(messages);
        } else {
            self.facts.add_skipped("(none)");
        }
    }

    /// The messages of a document, or of a line that is one.
    fn own(&mut self, messages: Option<Messages>) {
        let Some(Messages { under, items }) = messages else { return };
        for (at, item) in items.into_iter().enumerate() {
            let place = Position::new(item.line, format!("/{under}/{at}"));
            match item.node {
                Node::Object(object) => self.history.put(object.fields, place),
                Node::List(_) | Node::Other => {
                    self.facts.add_issue(item.line, LineCause::NotAnObject);
                }
            }
        }
    }

    /// Gives the turn that was asked for; [`Self::resume`] takes it back.
    pub(crate) fn session(&mut self) -> Result<Session<S>, ReadError> {
        self.telling.session()
    }

    /// Takes a session's turn back. It is made anew when the file is read on.
    pub(crate) fn resume(&mut self, turn: Turn<S>) {
        self.telling.run.resume(turn);
    }
}
