//! Bytes into lines: split at 0x0A only, counted and digested as they pass.
//!
//! Nothing here knows what a line holds. A last line that does not end is handed out as such, and
//! is read again with what was appended to it unless the reader takes it.

use std::io::{BufRead, Seek, SeekFrom};

use serde::{Deserialize, Serialize};

use quittance_evidence::canonical::{Digest, DigestState, Digester};

use crate::error::ReadError;
use crate::packed::Damage;
use crate::source::{LineIssue, LineNumber};

/// A line buffer that grew beyond this is given back when the line is done.
const BUFFER_KEPT: usize = 1 << 20;

/// Where a line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place {
    /// The offset of its first byte.
    pub(crate) offset: u64,
    /// Its number.
    pub(crate) line: LineNumber,
}

/// What the next read found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A line that ends.
    Line(Place),
    /// The file ends inside this line; [`Lines::take_tail`] makes it a line.
    Tail(Place),
    /// Nothing more for now.
    End,
    /// The line that was taken from the tail goes on, or the file is shorter than it was: what was
    /// read does not stand there any more.
    Rewritten,
}

/// How far the lines of an input were read, up to the end of one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Consumed {
    /// Bytes.
    pub(crate) offset: u64,
    /// Lines.
    pub(crate) count: u64,
    /// The running digest of the bytes.
    pub(crate) digest: DigestState,
}

/// The lines of an input that may grow.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    input: R,
    /// Bytes consumed.
    offset: u64,
    /// Lines consumed.
    count: u64,
    /// Lines that an earlier process consumed.
    began: u64,
    digester: Digester,
    buffer: Vec<u8>,
    /// Where the line in the buffer starts.
    start: u64,
    /// The last consumed line had no end yet.
    open_end: bool,
    /// The buffer holds a half-written line that was not consumed.
    tail: bool,
    /// Why a packed input goes no further; what came before it is read.
    damage: Option<Damage>,
}

impl<R: BufRead + Seek> Lines<R> {
    pub(crate) fn new(input: R) -> Self {
        Self {
            input,
            offset: 0,
            count: 0,
            began: 0,
            digester: Digester::new(),
            buffer: Vec::new(),
            start: 0,
            open_end: false,
            tail: false,
            damage: None,
        }
    }

    /// Goes behind the lines that an earlier process consumed; false where its digest cannot be gone
    /// on with.
    pub(crate) fn go_behind(&mut self, consumed: &Consumed) -> bool {
        let Ok(digester) = Digester::resume(&consumed.digest) else { return false };
        self.digester = digester;
        self.began = consumed.count;
        self.offset = consumed.offset;
        self.count = consumed.count;
        true
    }

    /// Lines behind which reading began; none once it began anew.
    pub(crate) const fn began(&self) -> u64 {
        self.began
    }

    /// What was consumed so far.
    pub(crate) fn consumed(&self) -> Consumed {
        Consumed { offset: self.offset, count: self.count, digest: self.digester.save() }
    }

    /// The input, for reading in it without losing the place here.
    pub(crate) const fn input(&mut self) -> &mut R {
        &mut self.input
    }

    /// Why a packed input goes no further, if it does not.
    pub(crate) fn damage(&self) -> Option<LineIssue> {
        let line = LineNumber(self.count + u64::from(!self.open_end));
        self.damage.map(|damage| LineIssue { line, cause: damage.cause() })
    }

    /// Goes to where reading stopped; the input may have grown since.
    pub(crate) fn resume(&mut self) -> Result<Next, ReadError> {
        self.tail = false;
        let end = self.seek(SeekFrom::End(0))?;
        if end < self.offset {
            return Ok(Next::Rewritten);
        }
        self.seek(SeekFrom::Start(self.offset))?;
        Ok(Next::End)
    }

    /// Forgets everything and starts over.
    pub(crate) fn restart(&mut self) -> Result<(), ReadError> {
        self.offset = 0;
        self.count = 0;
        self.began = 0;
        self.digester = Digester::new();
        self.open_end = false;
        self.tail = false;
        self.seek(SeekFrom::Start(0)).map(drop)
    }

    /// Reads the next line into the buffer.
    pub(crate) fn next(&mut self) -> Result<Next, ReadError> {
        self.fill()?;
        if self.open_end && !self.buffer.is_empty() {
            if !is_blank(&self.buffer) || self.buffer.last() != Some(&b'\n') {
                let more = self.buffer.iter().any(|byte| !byte.is_ascii_whitespace());
                return Ok(if more { Next::Rewritten } else { self.leave_tail() });
            }
            // Only the end of the line that was read already.
            self.open_end = false;
            self.digest();
            self.fill()?;
        }
        if self.buffer.is_empty() {
            return Ok(Next::End);
        }
        let place = Place { offset: self.offset, line: LineNumber(self.count + 1) };
        self.start = self.offset;
        if self.buffer.last() != Some(&b'\n') {
            self.tail = true;
            return Ok(Next::Tail(place));
        }
        self.consume();
        Ok(Next::Line(place))
    }

    /// Takes the half-written last line as a line: it turned out to be whole.
    pub(crate) fn take_tail(&mut self) {
        self.tail = false;
        self.open_end = true;
        self.consume();
    }

    /// The bytes of the line last read, without its end.
    pub(crate) fn line(&self) -> &[u8] {
        bare(&self.buffer, self.start)
    }

    /// Reads lines again that were consumed before, without counting them: from `from` up to `to`.
    pub(crate) fn again(&mut self, from: Place, to: u64) -> Result<Again<'_, R>, ReadError> {
        self.seek(SeekFrom::Start(from.offset))?;
        Ok(Again { place: from, to, lines: self })
    }

    /// Whether nothing follows what was consumed; nothing is consumed by asking.
    pub(crate) fn is_at_end(&mut self) -> Result<bool, ReadError> {
        self.fill()?;
        let end = self.buffer.is_empty();
        self.seek(SeekFrom::Start(self.offset))?;
        Ok(end)
    }

    /// Bytes consumed, without the tail.
    pub(crate) const fn offset(&self) -> u64 {
        self.offset
    }

    /// Bytes in the file, the tail included.
    pub(crate) fn bytes(&self) -> u64 {
        self.offset + self.tail_bytes().len() as u64
    }

    /// Lines consumed.
    pub(crate) const fn count(&self) -> u64 {
        self.count
    }

    /// The digest of the file so far, the tail included.
    pub(crate) fn file_digest(&self) -> Digest {
        let mut digester = self.digester.clone();
        digester.push_bytes(self.tail_bytes());
        digester.finish()
    }

    fn tail_bytes(&self) -> &[u8] {
        if self.tail { &self.buffer } else { &[] }
    }

    fn leave_tail(&mut self) -> Next {
        self.tail = true;
        Next::End
    }

    fn fill(&mut self) -> Result<(), ReadError> {
        self.buffer.clear();
        self.buffer.shrink_to(BUFFER_KEPT);
        match self.input.read_until(b'\n', &mut self.buffer) {
            Ok(_) => Ok(()),
            Err(source) => match Damage::of(&source) {
                Some(damage) => {
                    self.damage = Some(damage);
                    Ok(())
                }
                None => Err(ReadError::Io { offset: self.offset, source }),
            },
        }
    }

    fn consume(&mut self) {
        self.count += 1;
        self.digest();
    }

    fn digest(&mut self) {
        self.offset += self.buffer.len() as u64;
        self.digester.push_bytes(&self.buffer);
    }

    fn seek(&mut self, to: SeekFrom) -> Result<u64, ReadError> {
        self.input.seek(to).map_err(|source| ReadError::Io { offset: self.offset, source })
    }
}

/// A line without its end and, at the start of the file, without its mark.
fn bare(line: &[u8], offset: u64) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if offset == 0 { line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line) } else { line }
}

/// Whether a line holds nothing.
pub(crate) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

/// Lines read a second time.
#[derive(Debug)]
pub(crate) struct Again<'a, R> {
    place: Place,
    to: u64,
    lines: &'a mut Lines<R>,
}

impl<R: BufRead + Seek> Again<'_, R> {
    /// The next line, or nothing at the end of the stretch.
    pub(crate) fn next(&mut self) -> Result<Option<(Place, &[u8])>, ReadError> {
        if self.place.offset >= self.to {
            return Ok(None);
        }
        self.lines.fill()?;
        let length = self.lines.buffer.len() as u64;
        if length == 0 {
            return Ok(None);
        }
        let place = self.place;
        self.place = Place { offset: place.offset + length, line: LineNumber(place.line.0 + 1) };
        Ok(Some((place, bare(&self.lines.buffer, place.offset))))
    }

    /// Goes back to where reading had been.
    pub(crate) fn done(self) -> Result<(), ReadError> {
        let at = self.lines.offset;
        self.lines.buffer.clear();
        self.lines.seek(SeekFrom::Start(at)).map(drop)
    }
}
