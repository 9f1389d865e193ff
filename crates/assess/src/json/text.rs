//! Text as JavaScript holds it: compared, cut, trimmed and written as it would be there.

use std::{
    borrow::{Borrow, Cow},
    fmt,
};

use super::decode::decode;

/// A string of the record: any sequence of UTF-16 units, a lone surrogate included.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text<'t>(
    /// INVARIANT: WTF-8, every pair of surrogates joined.
    Cow<'t, [u8]>,
);

impl<'t> Text<'t> {
    pub(super) fn plain(bytes: &'t [u8]) -> Self {
        Self(Cow::Borrowed(bytes))
    }

    pub(super) fn decoded(raw: &[u8]) -> Self {
        Self(Cow::Owned(decode(raw)))
    }

    /// The text as WTF-8; as UTF-8, unless a surrogate stands alone in it.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The text, unless a surrogate stands alone in it.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }

    /// The text for people: a lone surrogate becomes replacement characters.
    #[must_use]
    pub fn to_lossy(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// Whether it is the empty string.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same text, free of what it was read from.
    #[must_use]
    pub fn into_owned(self) -> Text<'static> {
        Text(Cow::Owned(self.0.into_owned()))
    }
}

/// A text is ordered and compared as its bytes, so a map keyed by texts can be asked with bytes.
impl Borrow<[u8]> for Text<'_> {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

impl<'t> From<&'t str> for Text<'t> {
    fn from(text: &'t str) -> Self {
        Self(Cow::Borrowed(text.as_bytes()))
    }
}

impl From<String> for Text<'static> {
    fn from(text: String) -> Self {
        Self(Cow::Owned(text.into_bytes()))
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut quoted = String::new();
        quote(self.as_bytes(), &mut quoted);
        f.write_str(&quoted)
    }
}

/// What is left of a text that is cut after a number of UTF-16 units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut<'a> {
    /// The units up to the cut.
    At(&'a [u8]),
    /// The cut parts a pair of surrogates. What is left ends in half a character, so no JSON.
    MidPair,
    /// The text is shorter than that.
    Beyond,
}

/// Cuts `text` after `units` UTF-16 units.
pub(crate) fn cut_units(text: &[u8], units: f64) -> Cut<'_> {
    let mut left = units;
    for (at, &byte) in text.iter().enumerate() {
        let width = match byte {
            0x80..0xC0 => continue,
            0xF0.. => 2.0,
            _ => 1.0,
        };
        if left == 0.0 {
            return text.get(..at).map_or(Cut::Beyond, Cut::At);
        }
        if left < width {
            return Cut::MidPair;
        }
        left -= width;
    }
    if left == 0.0 { Cut::At(text) } else { Cut::Beyond }
}

/// `text` without the blanks at both ends that JavaScript's `trim` takes away. Rust's own takes
/// U+0085, which JavaScript keeps, and keeps U+FEFF, which JavaScript takes.
pub(crate) fn trim(text: &[u8]) -> &[u8] {
    let mut rest = text;
    while let Some(width) = (1..=3).find(|&n| rest.get(..n).is_some_and(is_blank)) {
        rest = rest.get(width..).unwrap_or_default();
    }
    while let Some(end) = (1..=3)
        .filter_map(|n| rest.len().checked_sub(n))
        .find(|&end| rest.get(end..).is_some_and(is_blank))
    {
        rest = rest.get(..end).unwrap_or_default();
    }
    rest
}

/// Whether these bytes are exactly one blank.
fn is_blank(bytes: &[u8]) -> bool {
    matches!(
        bytes,
        [0x09..=0x0D | b' ']
            | [0xC2, 0xA0]
            | [0xE1, 0x9A, 0x80]
            | [0xE2, 0x80, 0x80..=0x8A | 0xA8 | 0xA9 | 0xAF]
            | [0xE2, 0x81, 0x9F]
            | [0xE3, 0x80, 0x80]
            | [0xEF, 0xBB, 0xBF]
    )
}

/// Writes `text` as `JSON.stringify` does: short escapes where there are some, other control
/// characters and lone surrogates as `\u` with lower-case digits, everything else as it is.
pub(crate) fn quote(text: &[u8], out: &mut String) {
    out.push('"');
    let mut rest = text;
    while let Err(invalid) = std::str::from_utf8(rest) {
        let (valid, surrogate) = rest.split_at(invalid.valid_up_to());
        quote_valid(std::str::from_utf8(valid).unwrap_or_default(), out);
        // By the invariant of `Text`, what is no UTF-8 is one surrogate of three bytes.
        let [_, a, b, after @ ..] = surrogate else { break };
        push_escape(0xD000 | (u32::from(a & 0x3F) << 6) | u32::from(b & 0x3F), out);
        rest = after;
    }
    quote_valid(std::str::from_utf8(rest).unwrap_or_default(), out);
    out.push('"');
}

fn quote_valid(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|b| b == b'"' || b == b'\\' || b < b' ') {
        let (run, special) = rest.split_at(at);
        out.push_str(run);
        let mut chars = special.chars();
        match chars.next() {
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some('\u{8}') => out.push_str("\\b"),
            Some('\u{C}') => out.push_str("\\f"),
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some('\t') => out.push_str("\\t"),
            Some(control) => push_escape(u32::from(control), out),
            None => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
}

fn push_escape(unit: u32, out: &mut String) {
    out.push_str("\\u");
    for shift in [12, 8, 4, 0] {
        out.extend(char::from_digit((unit >> shift) & 0xF, 16));
    }
}

#[cfg(test)]
mod tests {
    use super::{Cut, Text, cut_units, quote, trim};

    fn quoted(raw: &[u8]) -> String {
        let mut out = String::new();
        quote(Text::decoded(raw).as_bytes(), &mut out);
        out
    }

    #[test]
    fn text_is_written_as_javascript_writes_it() {
        assert_eq!(
            quoted(br#"a\"\\\/\b\f\n\r\t\u0001\u007f\u00e9"#),
            "\"a\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\u{7f}\u{e9}\""
        );
        assert_eq!(quoted(br"x\uD83Dy\udE00"), r#""x\ud83dy\ude00""#);
    }

    #[test]
    fn cuts_count_utf16_units() {
        let text = "a\u{e9}\u{1f600}".as_bytes();
        assert_eq!(cut_units(text, 0.0), Cut::At(b""));
        assert_eq!(cut_units(text, 2.0), Cut::At("a\u{e9}".as_bytes()));
        assert_eq!(cut_units(text, 3.0), Cut::MidPair);
        assert_eq!(cut_units(text, 4.0), Cut::At(text));
        assert_eq!(cut_units(text, 5.0), Cut::Beyond);
    }

    #[test]
    fn blanks_are_those_of_javascript() {
        let around = "\u{feff}\u{a0}\u{2003}\u{1680}\u{3000}\t";
        let text = format!("{around}x y{around}");
        assert_eq!(trim(text.as_bytes()), b"x y");
        assert_eq!(trim("\u{85}x\u{200b}".as_bytes()), "\u{85}x\u{200b}".as_bytes());
        assert_eq!(trim(b" \n "), b"");
    }
}
