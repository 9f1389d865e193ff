//! Reading an input: once, or again and again as it grows.

use std::io::{BufRead, Seek};

use crate::bookmark::Bookmark;
use crate::chat::{self, Shape};
use crate::claude_code::ClaudeCode;
use crate::document::{self, Item, Node, Object};
use crate::error::ReadError;
use crate::format::{Format, HostReader, Likeness, Piece};
use crate::json;
use crate::lines::{self, Lines, Next};
use crate::options::ReadOptions;
use crate::session::{Session, Waiting};
use crate::sink::{Sink, Unkept};
use crate::source::{LineIssue, LineNumber};

/// Lines that are looked at before an input is of no known format.
const LINES_TRIED: usize = 200;
/// Keys of the first line that an error names.
const KEYS_NAMED: usize = 8;

/// Reads a transcript that may still grow.
///
/// [`Self::read_to_end`] reads what is new; reading again after the file grew costs only that.
#[derive(Debug)]
pub struct Reader<R, S: Sink> {
    lines: Lines<R>,
    options: ReadOptions,
    host: Option<HostReader<S>>,
    session: Option<Session<S>>,
    /// Where reading began, if not at the beginning of the input.
    from: Option<Bookmark>,
    /// The line behind which a bookmark can stand, as far as was read.
    keepable: Option<LineNumber>,
}

/// Reads a transcript at once.
///
/// # Errors
///
/// As [`Reader::read_to_end`] and [`Reader::session`].
pub fn read<R: BufRead + Seek, S: Sink>(
    input: R,
    options: ReadOptions,
) -> Result<Session<S>, ReadError> {
    let mut reader = Reader::open(input, options);
    reader.read_to_end()?;
    reader.into_session()
}

impl<R: BufRead + Seek, S: Sink> Reader<R, S> {
    /// Starts at the beginning of an input; nothing is read yet.
    pub fn open(input: R, options: ReadOptions) -> Self {
        let lines = Lines::new(input);
        Self { lines, options, host: None, session: None, from: None, keepable: None }
    }

    /// Starts behind a bookmark of this input, whose bytes before it are as they were when it was
    /// made; at the beginning where it does not fit the options.
    pub fn resume(input: R, options: ReadOptions, from: Bookmark) -> Self {
        let mut reader = Self::open(input, options);
        if !from.fits(&reader.options) {
            return reader;
        }
        let progress = from.progress.clone();
        if reader.lines.go_behind(&from.consumed) {
            reader.host = Some(HostReader::going_on(progress, &reader.options));
            reader.from = Some(from);
        }
        reader
    }

    /// A bookmark behind the opening of the turn that was read, for a later process; none where
    /// reading began there, or where no bookmark can stand: only Claude Code's files have them, once
    /// the agent spoke in the turn, and not where the file is read along a chain that left an
    /// earlier turn behind.
    ///
    /// What lies between the bookmark that reading began from and the new one is read once more.
    ///
    /// # Errors
    ///
    /// [`ReadError::Io`].
    pub fn bookmark(&mut self) -> Result<Option<Bookmark>, ReadError> {
        let began = self.lines.began();
        let Some(behind) = self.keepable.filter(|line| line.0 > began) else { return Ok(None) };
        let mut lines = Lines::new(self.lines.input());
        let mut host = ClaudeCode::<Unkept>::new(&self.options);
        if let Some(from) = self.from.as_ref().filter(|_| began > 0)
            && lines.go_behind(&from.consumed)
        {
            host = ClaudeCode::going_on(from.progress.clone(), &self.options);
        }
        lines.resume()?;
        let kept = host.keep(&mut lines, behind)?;
        Ok(kept.map(|progress| Bookmark::new(&self.options, lines.consumed(), progress)))
    }

    /// Reads all whole lines that were not read before.
    ///
    /// # Errors
    ///
    /// [`ReadError::Io`], or why the input as it stands is no run; it may become one when it grows.
    pub fn read_to_end(&mut self) -> Result<(), ReadError> {
        if let (Some(session), Some(host)) = (self.session.take(), &mut self.host) {
            host.resume(session.turn);
        }
        if self.lines.resume()? == Next::Rewritten {
            self.host = None;
        }
        let mut host = match self.host.take() {
            Some(host) => host,
            None => {
                let format = self.format().map_err(|error| self.or_damage(error))?;
                HostReader::new(format, &self.options)
            }
        };
        let read = self.read_as(&mut host);
        self.keepable = host.keepable();
        let read = read.and_then(|()| self.give(&mut host));
        self.host = Some(host);
        self.session = Some(read.map_err(|error| self.or_damage(error))?);
        Ok(())
    }

    /// The run as far as it was read.
    ///
    /// # Errors
    ///
    /// [`ReadError::Empty`] before anything was read.
    pub fn session(&self) -> Result<&Session<S>, ReadError> {
        self.session.as_ref().ok_or(ReadError::Empty)
    }

    /// The run as far as it was read, for what its rows need to change to answer.
    ///
    /// # Errors
    ///
    /// [`ReadError::Empty`] before anything was read.
    pub fn session_mut(&mut self) -> Result<&mut Session<S>, ReadError> {
        self.session.as_mut().ok_or(ReadError::Empty)
    }

    /// The run as far as it was read, for good.
    ///
    /// # Errors
    ///
    /// [`ReadError::Empty`] before anything was read.
    pub fn into_session(self) -> Result<Session<S>, ReadError> {
        self.session.ok_or(ReadError::Empty)
    }

    /// Reads on; what turns out to be of another format is read from its beginning as that.
    fn read_as(&mut self, host: &mut HostReader<S>) -> Result<(), ReadError> {
        host.read(&mut self.lines)?;
        let other = host.other().filter(|_| self.options.host.is_none());
        let Some(other) = other else { return Ok(()) };
        *host = HostReader::new(other, &self.options);
        self.lines.restart()?;
        host.read(&mut self.lines)
    }

    fn give(&self, host: &mut HostReader<S>) -> Result<Session<S>, ReadError> {
        let runs = host.runs();
        match self.options.run {
            Some(asked) if asked.get() > runs => Err(ReadError::NoSuchRun { asked, runs }),
            None if runs > 1 => Err(ReadError::SeveralRuns { runs }),
            _ => host.session().map(|session| self.marked(session)),
        }
    }

    /// A session of what came before the damage of a packed input: it ends inside a line there.
    fn marked(&self, mut session: Session<S>) -> Session<S> {
        let Some(LineIssue { line, cause }) = self.lines.damage() else { return session };
        session.source.half_written = true;
        session.source.add_issue(line, cause);
        let is_last = session.turn.number.get() == session.turns;
        let waits = session.waiting.contains(&Waiting::HalfWritten);
        if !waits && (self.options.turn.is_none() || is_last) {
            session.waiting.insert(0, Waiting::HalfWritten);
        }
        session
    }

    /// Why there is no run: the damage of a packed input, where that may have hidden it.
    fn or_damage(&self, error: ReadError) -> ReadError {
        match (self.lines.damage(), &error) {
            (
                Some(LineIssue { line, cause }),
                ReadError::Empty
                | ReadError::Unknown { .. }
                | ReadError::NoTurn { .. }
                | ReadError::Unended { .. }
                | ReadError::Damaged { .. },
            ) => ReadError::Packed { line, cause },
            _ => error,
        }
    }

    /// Chooses the format, and goes back to the beginning.
    fn format(&mut self) -> Result<Format, ReadError> {
        let chosen = self.options.host;
        let format = chosen.map_or_else(|| self.recognise(), Ok);
        self.lines.restart()?;
        format
    }

    fn recognise(&mut self) -> Result<Format, ReadError> {
        if let Shape::Document(read) = chat::shape(&mut self.lines)? {
            let chosen = most_alike(Piece::Document(&read.record)).map(|(_, format)| format);
            return chosen.ok_or_else(|| unknown(read.record.line, found_item(&read.record)));
        }
        self.lines.restart()?;
        self.recognise_lines()
    }

    /// Chooses by the first line that can only be of one format, else by the first that may be of
    /// one.
    fn recognise_lines(&mut self) -> Result<Format, ReadError> {
        let (mut first, mut likely) = (None, None);
        for _ in 0..LINES_TRIED {
            let place = match self.lines.next()? {
                Next::Line(place) | Next::Tail(place) => place,
                Next::End | Next::Rewritten => break,
            };
            let line = self.lines.line();
            if lines::is_blank(line) {
                continue;
            }
            let read = document::read(line, place.line).ok().map(|read| read.record);
            match most_alike(Piece::Line(line, read.as_ref())) {
                Some((Likeness::Certain, format)) => return Ok(format),
                alike => likely = likely.or(alike),
            }
            first = first.or_else(|| Some(unknown(place.line, found(line, read.as_ref()))));
        }
        likely.map(|(_, format)| format).ok_or_else(|| first.unwrap_or(ReadError::Empty))
    }
}

/// The format that a piece of the input is most like.
fn most_alike(piece: Piece<'_>) -> Option<(Likeness, Format)> {
    let alike = Format::ALL.map(|format| (format.recognises(piece), format));
    let alike = alike.into_iter().filter(|(likeness, _)| *likeness > Likeness::No);
    alike.reduce(|best, other| if other.0 > best.0 { other } else { best })
}

/// Says that an input is of no known format, and what was found where one was looked for.
pub(crate) fn unknown(line: LineNumber, found: String) -> ReadError {
    let looked_for =
        Format::ALL.map(|format| format!("{} ({})", format.as_str(), format.recognised_by()));
    ReadError::Unknown { line: line.0, found, looked_for: looked_for.join("; ") }
}

fn found(line: &[u8], item: Option<&Item>) -> String {
    match item {
        Some(item) => found_item(item),
        None if json::is_whole_value(line) => "no JSON that can be read".to_owned(),
        None => "no JSON".to_owned(),
    }
}

/// Says what a value is: the names of its fields, or what else it is.
fn found_item(item: &Item) -> String {
    match &item.node {
        Node::Object(object) => found_object(object),
        Node::List(items) => match items.first() {
            Some(first) => format!("a list; of its first item, {}", found_item(first)),
            None => "an empty list".to_owned(),
        },
        Node::Other => "no JSON object".to_owned(),
    }
}

fn found_object(object: &Object) -> String {
    let label = |text: &str| format!("`{}`", quittance_evidence::clip::LABEL.apply(text));
    if let Some(event) = object.fields.get("hook_event_name") {
        let event = event.as_str().map(|event| format!(", {},", label(event))).unwrap_or_default();
        return format!("what a hook{event} is handed, and no transcript");
    }
    let mut keys: Vec<&str> = object.fields.keys().map(String::as_str).collect();
    keys.extend(object.messages.is_some().then_some("messages"));
    keys.sort_unstable();
    let named: Vec<String> = keys.into_iter().take(KEYS_NAMED).map(label).collect();
    format!("its keys are {}", named.join(", "))
}
