//! Text that may be handed to a host: no character that breaks it, and not longer than it takes.

use quittance_evidence::clip::Clip;

/// How much text a host takes whole.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Size {
    /// In units of UTF-16, as a host written in JavaScript counts.
    Units(usize),
    /// In bytes of UTF-8.
    Bytes(usize),
}

impl Size {
    fn holds(self, text: &str) -> bool {
        match self {
            Self::Units(most) => text.len() <= most || text.encode_utf16().count() <= most,
            Self::Bytes(most) => text.len() <= most,
        }
    }

    const fn number(self) -> usize {
        match self {
            Self::Units(number) | Self::Bytes(number) => number,
        }
    }

    /// This much less, so that something fits beside it.
    pub(crate) const fn less(self, other: usize) -> Self {
        match self {
            Self::Units(most) => Self::Units(most.saturating_sub(other)),
            Self::Bytes(most) => Self::Bytes(most.saturating_sub(other)),
        }
    }
}

/// The statement that something was left out, in the middle, takes no more than this.
const STATEMENT: usize = 64;

/// Makes a text that a host takes whole; where it is cut, it says so and by how much.
pub(crate) fn fitted(text: &str, size: Size) -> String {
    let clean = clean(text);
    if size.holds(&clean) {
        return clean;
    }
    let mut limit = size.number().saturating_sub(STATEMENT);
    loop {
        let cut = Clip { limit, noun: "feedback" }.apply(&clean);
        if size.holds(&cut) || limit == 0 {
            return cut;
        }
        // A character takes several units at most, so a few rounds do.
        limit -= (limit / 4).max(1);
    }
}

/// Keeps lines and tabs; any other character that steers a terminal, ends a text early or turns
/// its direction is spelled out.
fn clean(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text.trim().chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\r' if rest.peek() == Some(&'\n') => {}
            '\n' | '\t' => clean.push(c),
            c if is_unsafe(c) => clean.extend(c.escape_unicode()),
            c => clean.push(c),
        }
    }
    clean
}

const fn is_unsafe(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{2028}' | '\u{2029}' | '\u{feff}'
        | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_breaks_a_host_is_spelled_out() {
        for (text, expected) in [
            ("  a\r\nb\tc \n", "a\nb\tc"),
            ("a\0b\u{1b}[2J", "a\\u{0}b\\u{1b}[2J"),
            ("a\rb", "a\\u{d}b"),
            ("\u{202e}gnp.exe", "\\u{202e}gnp.exe"),
            ("\u{1f600} é", "\u{1f600} é"),
        ] {
            assert_eq!(fitted(text, Size::Bytes(100)), expected);
        }
    }

    #[test]
    fn a_cut_text_says_so_and_fits() {
        let long = "\u{1f600}".repeat(5000);
        let units = fitted(&long, Size::Units(1000));
        assert!(units.encode_utf16().count() <= 1000 && units.encode_utf16().count() > 700);
        assert!(units.contains("chars elided — middle of feedback"));
        let bytes = fitted(&long, Size::Bytes(1000));
        assert!(bytes.len() <= 1000 && bytes.len() > 700, "{}", bytes.len());
        assert_eq!(fitted("short", Size::Units(5)), "short");
    }
}
