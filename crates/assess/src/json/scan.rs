//! The grammar: one pass over the text that accepts exactly what `JSON.parse` accepts and leaves one
//! cell for each key and value, in the order of the text.
//!
//! It keeps its own list of open containers, so that no depth of nesting reaches the stack.

use thiserror::Error;

use super::Kind;

/// Where one key or value lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    /// Offset of the first byte; of a string, the byte after its quote.
    pub(super) start: u32,
    /// Offset after the last byte; of a string, its closing quote.
    pub(super) end: u32,
    /// The cell after this value and everything in it.
    pub(super) next: u32,
    pub(super) kind: Kind,
    /// Whether a string holds a backslash.
    pub(super) escaped: bool,
}

/// Why a text could not be read, and at which byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{kind} at byte {at}")]
pub struct Fault {
    /// Offset of the first byte that could not be read, from 0.
    pub at: usize,
    /// What is wrong there.
    pub kind: FaultKind,
}

/// What is wrong with a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// The grammar of JSON does not allow this byte here.
    #[error("no JSON")]
    Syntax,
    /// The text ends within a value.
    #[error("an end within a value")]
    End,
    /// One array or object more than allowed is open.
    #[error("nesting too deep")]
    TooDeep,
    /// The text is longer than an offset can say.
    #[error("a text longer than 4 GiB")]
    TooLong,
}

/// Bytes of text for each cell that is made room for at first. Records have some ten; room that is
/// not used is never touched, and room that is missing costs a copy.
const BYTES_PER_CELL: usize = 16;

/// Fills `cells` with what `text` holds.
pub(super) fn scan(text: &[u8], depth_max: usize, cells: &mut Vec<Cell>) -> Result<(), Fault> {
    // Every cell stands for at least one byte, so this bounds the cells' own numbers as well.
    if u32::try_from(text.len()).is_err() {
        return Err(Fault { at: 0, kind: FaultKind::TooLong });
    }
    cells.clear();
    cells.reserve(text.len() / BYTES_PER_CELL);
    Scanner { text, at: 0, cells, open: Vec::new(), depth_max }.document()
}

struct Scanner<'t, 'c> {
    text: &'t [u8],
    at: usize,
    cells: &'c mut Vec<Cell>,
    /// The cells of the containers that are open, the innermost last.
    open: Vec<u32>,
    depth_max: usize,
}

impl Scanner<'_, '_> {
    fn document(&mut self) -> Result<(), Fault> {
        loop {
            // A container that was opened and is not empty wants its first value next.
            if self.value()? {
                continue;
            }
            if !self.another()? {
                break;
            }
        }
        self.blanks();
        if self.at < self.text.len() { Err(self.fault()) } else { Ok(()) }
    }

    /// Reads one scalar or empty container, or opens a container: whether the latter.
    fn value(&mut self) -> Result<bool, Fault> {
        self.blanks();
        match self.peek() {
            Some(b'"') => self.string().map(|()| false),
            Some(b'{') => self.container(Kind::Object, b'}'),
            Some(b'[') => self.container(Kind::Array, b']'),
            Some(b'-' | b'0'..=b'9') => self.number().map(|()| false),
            Some(b't') => self.literal(b"true", Kind::True).map(|()| false),
            Some(b'f') => self.literal(b"false", Kind::False).map(|()| false),
            Some(b'n') => self.literal(b"null", Kind::Null).map(|()| false),
            _ => Err(self.fault()),
        }
    }

    /// Goes on after a value: whether the innermost open container holds another one.
    fn another(&mut self) -> Result<bool, Fault> {
        while let Some(container) = self.innermost() {
            self.blanks();
            match (self.peek(), container) {
                (Some(b','), Kind::Object) => {
                    self.at += 1;
                    return self.key().map(|()| true);
                }
                (Some(b','), _) => {
                    self.at += 1;
                    return Ok(true);
                }
                (Some(b'}'), Kind::Object) | (Some(b']'), Kind::Array) => self.close(),
                _ => return Err(self.fault()),
            }
        }
        Ok(false)
    }

    fn innermost(&self) -> Option<Kind> {
        let open = *self.open.last()?;
        self.cells.get(open as usize).map(|cell| cell.kind)
    }

    fn container(&mut self, kind: Kind, closing: u8) -> Result<bool, Fault> {
        if self.open.len() >= self.depth_max {
            return Err(Fault { at: self.at, kind: FaultKind::TooDeep });
        }
        self.open.push(offset(self.cells.len()));
        self.push(Cell { start: offset(self.at), end: 0, next: 0, kind, escaped: false });
        self.at += 1;
        self.blanks();
        if self.peek() == Some(closing) {
            self.close();
            return Ok(false);
        }
        if kind == Kind::Object {
            self.key()?;
        }
        Ok(true)
    }

    fn close(&mut self) {
        self.at += 1;
        let (end, next) = (offset(self.at), offset(self.cells.len()));
        let Some(open) = self.open.pop() else { return };
        if let Some(cell) = self.cells.get_mut(open as usize) {
            cell.end = end;
            cell.next = next;
        }
    }

    /// Reads a key and its colon.
    fn key(&mut self) -> Result<(), Fault> {
        self.blanks();
        if self.peek() != Some(b'"') {
            return Err(self.fault());
        }
        self.string()?;
        self.blanks();
        if self.peek() != Some(b':') {
            return Err(self.fault());
        }
        self.at += 1;
        Ok(())
    }

    fn string(&mut self) -> Result<(), Fault> {
        let start = self.at + 1;
        // A variable of its own, which stays in a register: half of a record is strings.
        let mut at = start;
        let mut escaped = false;
        loop {
            at = run_end(self.text, at);
            match self.text.get(at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    at = self.escape(at + 1)?;
                }
                _ => return Err(self.fault_at(at)),
            }
        }
        self.leaf(start, at, Kind::String, escaped);
        self.at = at + 1;
        Ok(())
    }

    /// Passes what follows a backslash.
    #[inline]
    fn escape(&self, at: usize) -> Result<usize, Fault> {
        match self.text.get(at) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 1),
            Some(b'u') => self.hex(at + 1),
            _ => Err(self.fault_at(at)),
        }
    }

    fn hex(&self, from: usize) -> Result<usize, Fault> {
        let digits = from..from + 4;
        let wrong = |at: &usize| !self.text.get(*at).is_some_and(u8::is_ascii_hexdigit);
        match digits.clone().find(wrong) {
            Some(at) => Err(self.fault_at(at)),
            None => Ok(digits.end),
        }
    }

    fn number(&mut self) -> Result<(), Fault> {
        let start = self.at;
        self.pass(b'-');
        if !self.pass(b'0') {
            self.digits()?;
        }
        if self.pass(b'.') {
            self.digits()?;
        }
        if self.pass(b'e') || self.pass(b'E') {
            if !self.pass(b'+') {
                self.pass(b'-');
            }
            self.digits()?;
        }
        self.leaf(start, self.at, Kind::Number, false);
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Fault> {
        let from = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == from { Err(self.fault()) } else { Ok(()) }
    }

    fn literal(&mut self, word: &[u8], kind: Kind) -> Result<(), Fault> {
        let start = self.at;
        for &byte in word {
            if !self.pass(byte) {
                return Err(self.fault());
            }
        }
        self.leaf(start, self.at, kind, false);
        Ok(())
    }

    fn leaf(&mut self, start: usize, end: usize, kind: Kind, escaped: bool) {
        let next = offset(self.cells.len() + 1);
        self.push(Cell { start: offset(start), end: offset(end), next, kind, escaped });
    }

    fn push(&mut self, cell: Cell) {
        self.cells.push(cell);
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn pass(&mut self, byte: u8) -> bool {
        let is = self.peek() == Some(byte);
        self.at += usize::from(is);
        is
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn fault(&self) -> Fault {
        self.fault_at(self.at)
    }

    fn fault_at(&self, at: usize) -> Fault {
        let kind = if at < self.text.len() { FaultKind::Syntax } else { FaultKind::End };
        Fault { at, kind }
    }
}

/// The offset as it is kept. `scan` has refused every text for which this would not fit.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

const ONES: u64 = u64::from_ne_bytes([0x01; 8]);
const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);

/// The offset of the first quote, backslash or control character at or after `at`, or the end.
///
/// Eight bytes at a time: the lowest marked byte of a word is exact, and only it is used.
fn run_end(text: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let word = u64::from_le_bytes(*chunk);
        let below = |limit: u8, x: u64| x.wrapping_sub(ONES * u64::from(limit)) & !x & HIGHS;
        let is = |byte: u8| below(1, word ^ (ONES * u64::from(byte)));
        let marks = is(b'"') | is(b'\\') | below(b' ', word);
        if marks != 0 {
            return at + marks.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while text.get(at).is_some_and(|&b| b != b'"' && b != b'\\' && b >= b' ') {
        at += 1;
    }
    at
}
