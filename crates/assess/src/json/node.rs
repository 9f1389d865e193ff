//! One value of a document and the questions the fold asks of it.
//!
//! A question about a value of another type is answered "absent", as the original's type tests do.

use super::{Document, Text, decode::decode_into, scan::Cell};

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the grammar of JSON is closed")]
pub enum Kind {
    /// `null`, which is present: only a missing key is absent.
    Null,
    /// `true`.
    True,
    /// `false`.
    False,
    /// A number, which is a double however it is spelled.
    Number,
    /// Text.
    String,
    /// A list.
    Array,
    /// A record in the original's sense: an object that is neither `null` nor a list.
    Object,
}

/// One value of a [`Document`].
#[derive(Debug, Clone, Copy)]
pub struct Node<'r> {
    document: &'r Document<'r>,
    at: u32,
}

/// A value that is an object.
#[derive(Debug, Clone, Copy)]
pub struct Object<'r>(Node<'r>);

/// A value that is an array.
#[derive(Debug, Clone, Copy)]
pub struct Array<'r>(Node<'r>);

impl<'r> Node<'r> {
    pub(super) fn new(document: &'r Document<'r>, at: u32) -> Self {
        Self { document, at }
    }

    /// What the value is.
    #[must_use]
    pub fn kind(self) -> Kind {
        self.cell().map_or(Kind::Null, |cell| cell.kind)
    }

    /// The value as an object.
    #[must_use]
    pub fn object(self) -> Option<Object<'r>> {
        (self.kind() == Kind::Object).then_some(Object(self))
    }

    /// The value as an array.
    #[must_use]
    pub fn array(self) -> Option<Array<'r>> {
        (self.kind() == Kind::Array).then_some(Array(self))
    }

    /// The value as text.
    #[must_use]
    pub fn string(self) -> Option<Text<'r>> {
        let cell = self.cell().filter(|cell| cell.kind == Kind::String)?;
        let bytes = self.slice(cell.start, cell.end);
        Some(if cell.escaped { Text::decoded(bytes) } else { Text::plain(bytes) })
    }

    /// Whether the value is text that may open with `{` or `[` once blanks are trimmed, as far as its
    /// first byte shows: an escape or a byte past ASCII may be a blank. What is not is never decoded.
    pub(crate) fn may_hold_json(self) -> bool {
        let Some(cell) = self.cell().filter(|cell| cell.kind == Kind::String) else { return false };
        let first = self.slice(cell.start, cell.end).first();
        first.is_some_and(|byte| matches!(byte, b'{' | b'[' | b' ' | b'\\' | 0x80..))
    }

    /// The value as the bytes of its text: the record's own, or decoded into `room`.
    pub(crate) fn text_in<'a>(self, room: &'a mut Vec<u8>) -> Option<&'a [u8]>
    where
        'r: 'a,
    {
        let cell = self.cell().filter(|cell| cell.kind == Kind::String)?;
        let bytes = self.slice(cell.start, cell.end);
        if !cell.escaped {
            return Some(bytes);
        }
        decode_into(bytes, room);
        Some(room)
    }

    /// The value as a number: the nearest double, infinite past their range, as JavaScript reads it.
    #[must_use]
    pub fn number(self) -> Option<f64> {
        (self.kind() == Kind::Number).then(|| std::str::from_utf8(self.raw()).ok()?.parse().ok())?
    }

    /// Whether the value is exactly `true`; 1 and `"true"` are not.
    #[must_use]
    pub fn is_true(self) -> bool {
        self.kind() == Kind::True
    }

    /// Whether the value is exactly this text.
    #[must_use]
    pub fn is(self, word: &str) -> bool {
        self.cell().is_some_and(|cell| cell.kind == Kind::String && self.spells(cell, word))
    }

    /// The value's own text, quotes included.
    #[must_use]
    pub fn raw(self) -> &'r [u8] {
        let Some(cell) = self.cell() else { return &[] };
        let quote = u32::from(cell.kind == Kind::String);
        self.slice(cell.start.saturating_sub(quote), cell.end.saturating_add(quote))
    }

    fn spells(self, cell: &Cell, word: &str) -> bool {
        let bytes = self.slice(cell.start, cell.end);
        if cell.escaped {
            Text::decoded(bytes).as_bytes() == word.as_bytes()
        } else {
            // Most keys differ in length or in their last byte, which is cheaper to see.
            bytes.len() == word.len()
                && bytes.last() == word.as_bytes().last()
                && bytes == word.as_bytes()
        }
    }

    fn cell(self) -> Option<&'r Cell> {
        self.document.cells.get(self.at as usize)
    }

    fn slice(self, start: u32, end: u32) -> &'r [u8] {
        self.document.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The value after this one, unless the container that ends at cell `end` ends first.
    fn sibling(self, at: u32, end: u32) -> Option<Self> {
        (at < end).then_some(Self { document: self.document, at })
    }

    fn next(self) -> u32 {
        self.cell().map_or(u32::MAX, |cell| cell.next)
    }
}

impl<'r> Object<'r> {
    /// The value at `key`: the last one, where the key is repeated.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Node<'r>> {
        let [value] = self.pick([key]);
        value
    }

    /// The values at several keys, in one pass over the members.
    #[must_use]
    pub fn pick<const N: usize>(self, keys: [&str; N]) -> [Option<Node<'r>>; N] {
        let mut found = [None; N];
        for (key, value) in self.pairs() {
            let Some(cell) = key.cell() else { continue };
            for (slot, wanted) in found.iter_mut().zip(keys) {
                if key.spells(cell, wanted) {
                    *slot = Some(value);
                    break;
                }
            }
        }
        found
    }

    /// The value at a key that is not known beforehand.
    pub(crate) fn find(self, key: &Text<'_>) -> Option<Node<'r>> {
        self.members().filter(|(name, _)| name == key).last().map(|(_, value)| value)
    }

    /// The keys and values as the text has them, repetitions included.
    pub fn members(self) -> impl Iterator<Item = (Text<'r>, Node<'r>)> {
        self.pairs().filter_map(|(key, value)| Some((key.string()?, value)))
    }

    fn pairs(self) -> impl Iterator<Item = (Node<'r>, Node<'r>)> {
        let end = self.0.next();
        let mut at = self.0.at + 1;
        std::iter::from_fn(move || {
            // A key is one cell, and its value follows it.
            let key = self.0.sibling(at, end)?;
            let value = self.0.sibling(at + 1, end)?;
            at = value.next();
            Some((key, value))
        })
    }
}

impl<'r> Array<'r> {
    /// Whether nothing is in it.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0.next() == self.0.at + 1
    }

    /// The entries in order.
    pub fn entries(self) -> impl Iterator<Item = Node<'r>> {
        let end = self.0.next();
        let mut at = self.0.at + 1;
        std::iter::from_fn(move || {
            let entry = self.0.sibling(at, end)?;
            at = entry.next();
            Some(entry)
        })
    }
}
