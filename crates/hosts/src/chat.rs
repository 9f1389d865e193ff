//! Runs that are kept as a flat list of messages: what the formats of that kind share.
//!
//! `input` finds the messages of a file, be it one document or a value a line, and the runs they
//! belong to; `run` says which turn a message belongs to, `live` makes rows and facts of a turn.
//! What a message means is the [`Dialect`]'s, in the folder of its format.

mod input;
mod live;
mod run;
mod text;

use std::fmt;
use std::io::{BufRead, Seek};

use serde_json::{Map, Value};

pub(crate) use input::{Shape, shape};
pub(crate) use text::{arguments, flat_text, text_of};

use crate::catalogue::Catalogue;
use crate::control::{ControlRow, Provenance};
use crate::document::{self, Damage, Item, Messages, Node, Object};
use crate::error::ReadError;
use crate::format::Format;
use crate::json;
use crate::lines::{self, Lines, Next, Place};
use crate::options::ReadOptions;
use crate::position::Position;
use crate::records::ResultOutcome;
use crate::session::{Session, Turn};
use crate::sink::Sink;
use crate::source::SourceFacts;
use run::Run;

/// The fields of a message.
pub(crate) type Fields = Map<String, Value>;

/// How the messages of one format are read and written.
pub(crate) trait Dialect: fmt::Debug {
    /// The format.
    const FORMAT: Format;

    /// What a message says.
    fn entry(message: Fields) -> Entry;
    /// The tools of a run, from the object that holds it.
    fn catalogue(run: Option<&Fields>, options: &ReadOptions) -> Catalogue;
    /// The row of a person's words.
    fn person_row(person: Person, as_steer: bool) -> Value;
    /// The row of the agent's words and calls, under the names that the calls were given.
    fn agent_row(agent: Agent, ids: &[String]) -> Value;
    /// The row of a result, under the name of its call.
    fn result_row(result: Answered, id: String, name: String) -> Value;
    /// The control row of words that reached the agent at work, as far as their place shows it.
    fn steer_by_place(person: &Person) -> ControlRow;
}

/// What a message says.
#[derive(Debug)]
pub(crate) enum Entry {
    Person(Person),
    Agent(Agent),
    Result(Answered),
    Control(ControlRow),
    /// It says nothing that a decision rests on; counted under a word.
    Skipped(String),
    /// A word decides what it says, and is not known.
    Unknown {
        field: &'static str,
        word: String,
    },
    /// It is of another format, whose calls this one would not see.
    Foreign(Foreign),
}

/// What else a message is.
#[derive(Debug)]
pub(crate) enum Foreign {
    /// A message of this format.
    Of(Format),
    /// A message of no format that is read here, and what shows it.
    Unread(String),
}

/// A person's words.
#[derive(Debug)]
pub(crate) struct Person {
    pub(crate) text: String,
    pub(crate) message_id: String,
    pub(crate) delivery: Delivery,
    pub(crate) message: Fields,
}

/// What a message itself says of how it reached the agent.
#[derive(Debug)]
pub(crate) enum Delivery {
    /// Nothing.
    Unsaid,
    /// While it worked.
    AtWork(ControlRow),
    /// Too late to change what it did.
    Late,
}

/// The agent's words and calls.
#[derive(Debug)]
pub(crate) struct Agent {
    pub(crate) text: String,
    pub(crate) calls: Vec<Call>,
    /// A field says that the message was cut or withheld.
    pub(crate) cut: Option<String>,
    pub(crate) message: Fields,
}

/// A call.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) args: Fields,
}

/// A call's result.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) outcome: ResultOutcome,
    pub(crate) exit_code: Option<i64>,
    pub(crate) message: Fields,
}

/// Reads a file of one dialect.
#[derive(Debug)]
pub(crate) struct Chat<D, S> {
    options: ReadOptions,
    facts: SourceFacts,
    run: Run<D, S>,
    /// Runs seen.
    runs: u64,
    /// The run that the messages outside of any run's own list make up.
    loose: Option<u64>,
    /// The file is one document, which was read.
    whole: bool,
    /// The file turned out to be of another format.
    other: Option<Format>,
}

impl<D: Dialect, S: Sink> Chat<D, S> {
    pub(crate) fn new(options: &ReadOptions) -> Self {
        Self {
            options: options.clone(),
            facts: SourceFacts::new(D::FORMAT),
            run: Run::new(D::catalogue(None, options), options.turn),
            runs: 0,
            loose: None,
            whole: false,
            other: None,
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
        self.run.finish();
        self.facts.bytes = lines.bytes();
        self.facts.lines = lines.count();
        self.facts.digest = lines.file_digest();
        Ok(())
    }

    /// The format that the file turned out to be of.
    pub(crate) const fn other(&self) -> Option<Format> {
        self.other
    }

    /// How many runs the file holds.
    pub(crate) const fn runs(&self) -> u64 {
        self.runs
    }

    /// Gives the turn that was asked for; [`Self::resume`] takes it back.
    pub(crate) fn session(&mut self) -> Result<Session<S>, ReadError> {
        self.run.session(&self.facts, D::FORMAT)
    }

    /// Takes a session's turn back, to go on with it.
    pub(crate) fn resume(&mut self, turn: Turn<S>) {
        self.run.resume(turn);
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
                for repair in read.repairs {
                    self.facts.add_repair(repair);
                }
                let at = Position::new(read.record.line, "");
                self.value(read.record, &at)
            }
        }
    }

    fn lines<R: BufRead + Seek>(&mut self, lines: &mut Lines<R>) -> Result<(), ReadError> {
        loop {
            match lines.next()? {
                Next::Line(place) => self.line(lines.line(), place)?,
                Next::Tail(place) if json::is_whole_value(lines.line()) => {
                    lines.take_tail();
                    self.line(lines.line(), place)?;
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

    fn line(&mut self, bytes: &[u8], place: Place) -> Result<(), ReadError> {
        if lines::is_blank(bytes) {
            return Ok(());
        }
        match document::read(bytes, place.line) {
            Ok(read) => {
                for repair in read.repairs {
                    self.facts.add_repair(repair);
                }
                let at = Position::new(place.line, "");
                self.value(read.record, &at)
            }
            Err(Damage { cause, .. }) => {
                self.facts.add_issue(place.line, cause);
                Ok(())
            }
        }
    }

    // ---- runs

    /// Takes a value that stands at the top of the file, or of its list.
    fn value(&mut self, item: Item, at: &Position) -> Result<(), ReadError> {
        match item.node {
            Node::Object(Object { fields, messages: Some(messages) }) => {
                self.own_run(&fields, messages, at)
            }
            Node::Object(object) => self.loose(object.fields, at),
            Node::List(items) if items.iter().any(Item::is_run) => {
                placed(items, &at.pointer).try_for_each(|(item, at)| self.value(item, &at))
            }
            Node::List(items) => self.listed(placed(items, &at.pointer), None),
            Node::Other => {
                self.facts.add_issue(at.line, crate::source::LineCause::NotAnObject);
                Ok(())
            }
        }
    }

    fn own_run(
        &mut self,
        fields: &Fields,
        messages: Messages,
        at: &Position,
    ) -> Result<(), ReadError> {
        let Messages { under, items } = messages;
        let line = items.last().map_or(at.line, |item| item.line);
        let answer = answer_of(fields).map(|fields| {
            let node = Node::Object(Object { fields, messages: None });
            let pointer = format!("{}{ANSWER}", at.pointer);
            (Item { line, node }, Position::new(line, pointer))
        });
        let list = format!("{}/{under}", at.pointer);
        self.listed(placed(items, &list).chain(answer), Some(fields))
    }

    fn listed(
        &mut self,
        items: impl Iterator<Item = (Item, Position)>,
        fields: Option<&Fields>,
    ) -> Result<(), ReadError> {
        self.runs += 1;
        if !self.is_chosen(self.runs) {
            return Ok(());
        }
        let catalogue = D::catalogue(fields, &self.options);
        self.run = Run::new(catalogue, self.options.turn);
        let id = fields.and_then(|fields| text_of(fields, "session_id"));
        self.run.ids.session = id.map(str::to_owned);
        for (item, at) in items {
            match item.node {
                Node::Object(object) => self.message(object.fields, &at)?,
                Node::List(_) | Node::Other => {
                    self.facts.add_issue(at.line, crate::source::LineCause::NotAnObject);
                }
            }
        }
        Ok(())
    }

    /// A message that stands in no run's own list.
    fn loose(&mut self, fields: Fields, at: &Position) -> Result<(), ReadError> {
        let number = match self.loose {
            Some(number) => number,
            None => {
                self.runs += 1;
                *self.loose.insert(self.runs)
            }
        };
        if self.is_chosen(number) { self.message(fields, at) } else { Ok(()) }
    }

    fn is_chosen(&self, number: u64) -> bool {
        self.options.run.map_or(1, crate::options::RunNumber::get) == number
    }

    fn message(&mut self, fields: Fields, at: &Position) -> Result<(), ReadError> {
        match D::entry(fields) {
            Entry::Person(person) => self.run.person(person, at),
            Entry::Agent(agent) => self.run.agent(agent, at, &mut self.facts),
            Entry::Result(result) => self.run.result(result, at, &mut self.facts),
            Entry::Control(row) => self.run.control(row, at),
            Entry::Skipped(word) => self.facts.add_skipped(&word),
            Entry::Unknown { field, word } => self.facts.add_unknown_word(field, &word),
            Entry::Foreign(Foreign::Of(format)) => self.other = Some(format),
            Entry::Foreign(Foreign::Unread(found)) => {
                return Err(crate::reader::unknown(at.line, found));
            }
        }
        Ok(())
    }
}

impl Item {
    /// Whether an item of a list is a run and no message.
    pub(crate) fn is_run(&self) -> bool {
        match &self.node {
            Node::Object(object) => object.messages.is_some(),
            Node::List(_) => true,
            Node::Other => false,
        }
    }

    /// The messages of an item, wherever it keeps them.
    pub(crate) fn messages(&self) -> Box<dyn Iterator<Item = &Fields> + '_> {
        match &self.node {
            Node::Object(Object { messages: Some(Messages { items, .. }), .. })
            | Node::List(items) => Box::new(items.iter().flat_map(Self::messages)),
            Node::Object(Object { fields, messages: None }) => Box::new(std::iter::once(fields)),
            Node::Other => Box::new(std::iter::empty()),
        }
    }
}

/// Items of a list with their positions, by the JSON pointer to the list.
fn placed(items: Vec<Item>, list: &str) -> impl Iterator<Item = (Item, Position)> {
    items.into_iter().enumerate().map(move |(index, item)| {
        let at = Position::new(item.line, format!("{list}/{index}"));
        (item, at)
    })
}

/// Where a log keeps the answer.
const ANSWER: &str = "/response/choices/0/message";

/// The answer of a log that keeps what was asked of a model beside what it said, if it said one
/// thing only.
fn answer_of(fields: &Fields) -> Option<Fields> {
    let choices = fields.get("response")?.get("choices")?.as_array()?;
    let [choice] = choices.as_slice() else { return None };
    let mut message = choice.get("message")?.as_object()?.clone();
    if let Some(reason) = choice.get("finish_reason") {
        message.insert("finish_reason".to_owned(), reason.clone());
    }
    Some(message)
}

/// A message whose place alone shows that it reached the agent at work.
pub(crate) const BY_PLACE: Provenance = Provenance::Heuristic;
