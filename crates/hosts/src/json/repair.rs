//! Lone surrogates: what `JSON.stringify` writes of a text that was cut inside a character.

use std::ops::RangeInclusive;

const HIGH: RangeInclusive<u16> = 0xD800..=0xDBFF;
const LOW: RangeInclusive<u16> = 0xDC00..=0xDFFF;
/// The escape of U+FFFD, after its backslash.
const REPLACEMENT: &str = "ufffd";

/// Replaces each escaped half of a pair by U+FFFD; `None` when there is none.
pub(super) fn lone_surrogates(text: &str) -> Option<String> {
    let mut mended = String::new();
    let mut rest = text;
    let mut found = false;
    while let Some((before, escape)) = rest.split_once('\\') {
        mended.push_str(before);
        let (kept, after, lone) = one_escape(escape);
        found |= lone;
        mended.push('\\');
        mended.push_str(if lone { REPLACEMENT } else { kept });
        rest = after;
    }
    mended.push_str(rest);
    found.then_some(mended)
}

/// What follows a backslash: the rest of the escape, what comes after it, and whether it is
/// half of a pair. Two halves are one escape.
fn one_escape(escape: &str) -> (&str, &str, bool) {
    let Some(unit) = unit(escape) else {
        // Any other escape is one character; of a `\` at the end nothing is left to read.
        let length = escape.chars().next().map_or(0, char::len_utf8);
        return split(escape, length, false);
    };
    if LOW.contains(&unit) {
        return split(escape, 5, true);
    }
    let second = escape.get(5..).and_then(|after| after.strip_prefix('\\')).and_then(self::unit);
    match second {
        Some(second) if HIGH.contains(&unit) && LOW.contains(&second) => split(escape, 11, false),
        _ => split(escape, 5, HIGH.contains(&unit)),
    }
}

fn unit(escape: &str) -> Option<u16> {
    let digits = escape.strip_prefix('u')?.get(..4)?;
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(())?;
    u16::from_str_radix(digits, 16).ok()
}

fn split(escape: &str, length: usize, lone: bool) -> (&str, &str, bool) {
    let (kept, after) = escape.split_at_checked(length).unwrap_or((escape, ""));
    (kept, after, lone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_half_pairs_are_replaced() {
        for (text, expected) in [
            (r"\ud83d", Some(r"\ufffd")),
            (r"\ude00\ud83d\ude00", Some(r"\ufffd\ud83d\ude00")),
            (r"\ud83d\ud83d\ude00", Some(r"\ufffd\ud83d\ude00")),
            (r"a\\ud83d", None),
            (r"\\\ud83d", Some(r"\\\ufffd")),
            (r"\ud83d\n", Some(r"\ufffd\n")),
            (r"\u00e9\ud83", None),
            ("\\", None),
            ("\\é", None),
        ] {
            assert_eq!(lone_surrogates(text).as_deref(), expected, "{text}");
        }
    }
}
