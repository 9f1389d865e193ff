//! Reading an input: once, or again and again as it grows.

use std::collections::BTreeMap;
use std::io::{BufRead, Seek};

use serde::de::IgnoredAny;

use crate::error::ReadError;
use crate::format::{Format, HostReader};
use crate::lines::{self, Lines, Next, Place};
use crate::options::ReadOptions;
use crate::session::Session;
use crate::sink::Sink;

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
        Self { lines: Lines::new(input), options, host: None, session: None }
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
            None => HostReader::new(self.format()?, &self.options),
        };
        let read = host.read(&mut self.lines).and_then(|()| self.give(&mut host));
        self.host = Some(host);
        self.session = Some(read?);
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

    fn give(&self, host: &mut HostReader<S>) -> Result<Session<S>, ReadError> {
        let runs = host.runs();
        match self.options.run {
            Some(asked) if asked.get() > runs => Err(ReadError::NoSuchRun { asked, runs }),
            _ => host.session(),
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
        self.lines.restart()?;
        let mut first: Option<ReadError> = None;
        for _ in 0..LINES_TRIED {
            let place = match self.lines.next()? {
                Next::Line(place) | Next::Tail(place) => place,
                Next::End | Next::Rewritten => break,
            };
            let line = self.lines.line();
            if lines::is_blank(line) {
                continue;
            }
            if let Some(format) = Format::ALL.into_iter().find(|format| format.recognises(line)) {
                return Ok(format);
            }
            first = first.or_else(|| Some(unknown(line, place)));
        }
        Err(first.unwrap_or(ReadError::Empty))
    }
}

fn unknown(line: &[u8], place: Place) -> ReadError {
    let looked_for =
        Format::ALL.map(|format| format!("{} ({})", format.as_str(), format.recognised_by()));
    ReadError::Unknown { line: place.line.0, found: found(line), looked_for: looked_for.join("; ") }
}

/// Says what a line holds: the names of its fields, or what else it is.
fn found(line: &[u8]) -> String {
    let keys = serde_json::from_slice::<BTreeMap<String, IgnoredAny>>(line);
    let Ok(keys) = keys else {
        let json = serde_json::from_slice::<IgnoredAny>(line).is_ok();
        return if json { "no JSON object" } else { "no JSON" }.to_owned();
    };
    let named: Vec<String> = keys
        .keys()
        .take(KEYS_NAMED)
        .map(|key| format!("`{}`", quittance_evidence::clip::LABEL.apply(key)))
        .collect();
    format!("its keys are {}", named.join(", "))
}
