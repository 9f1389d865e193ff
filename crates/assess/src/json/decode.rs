//! From the inside of a JSON string to the text it spells.
//!
//! The text is WTF-8: UTF-8 in which a UTF-16 surrogate that has no partner stands by itself, in three
//! bytes. Two texts are equal as bytes exactly when JavaScript's are equal as units.

/// The text that the inside of a JSON string spells. `raw` has passed the scanner.
pub(super) fn decode(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    decode_into(raw, &mut out);
    out
}

/// The same, in a buffer that may have been used before.
pub(super) fn decode_into(raw: &[u8], out: &mut Vec<u8>) {
    out.clear();
    out.reserve(raw.len() + WORD);
    let mut rest = copy_run(raw, out);
    let mut surrogates = false;
    while let Some((&letter, after)) = rest.split_first() {
        rest = after;
        if letter == b'u' {
            let (digits, after) = rest.split_at(rest.len().min(4));
            rest = after;
            let unit = unit(digits);
            surrogates |= (0xD800..0xE000).contains(&unit);
            push_unit(out, unit);
        } else {
            out.push(short(letter));
        }
        rest = copy_run(rest, out);
    }
    if surrogates {
        *out = pair(out);
    }
}

/// Bytes that are looked at and copied at a time.
const WORD: usize = 8;

/// Copies what stands before the next backslash; gives what stands behind it.
///
/// Text within text has an escape every few bytes, so a word at a time is copied and what was too
/// much of it is taken back, which is less than finding out first how much to copy.
fn copy_run<'t>(mut rest: &'t [u8], out: &mut Vec<u8>) -> &'t [u8] {
    while let Some((chunk, after)) = rest.split_first_chunk::<WORD>() {
        out.extend_from_slice(chunk);
        let marks = backslashes(*chunk);
        if marks != 0 {
            let before = marks.trailing_zeros() as usize / 8;
            out.truncate(out.len() - (WORD - before));
            return rest.get(before + 1..).unwrap_or_default();
        }
        rest = after;
    }
    let end = rest.iter().position(|&byte| byte == b'\\').unwrap_or(rest.len());
    let (run, behind) = rest.split_at(end);
    out.extend_from_slice(run);
    behind.get(1..).unwrap_or_default()
}

/// A word whose lowest marked byte is the first backslash.
const fn backslashes(chunk: [u8; WORD]) -> u64 {
    const ONES: u64 = u64::from_ne_bytes([0x01; WORD]);
    const HIGHS: u64 = u64::from_ne_bytes([0x80; WORD]);
    const SLASHES: u64 = u64::from_ne_bytes([b'\\'; WORD]);
    let differs = u64::from_le_bytes(chunk) ^ SLASHES;
    differs.wrapping_sub(ONES) & !differs & HIGHS
}

fn short(letter: u8) -> u8 {
    match letter {
        b'b' => 0x08,
        b'f' => 0x0C,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        itself => itself,
    }
}

fn unit(digits: &[u8]) -> u16 {
    digits.iter().fold(0, |unit, &digit| {
        let value = char::from(digit).to_digit(16).and_then(|d| u16::try_from(d).ok());
        (unit << 4) | value.unwrap_or(0)
    })
}

/// Writes one UTF-16 unit by itself, a surrogate in three bytes.
fn push_unit(out: &mut Vec<u8>, unit: u16) {
    let [_, low] = (unit & 0x3F).to_be_bytes();
    let [_, middle] = ((unit >> 6) & 0x3F).to_be_bytes();
    let [_, high] = (unit >> 12).to_be_bytes();
    match unit {
        0..0x80 => out.push(low | (middle << 6)),
        0x80..0x800 => out.extend([0xC0 | middle | (high << 6), 0x80 | low]),
        _ => out.extend([0xE0 | high, 0x80 | middle, 0x80 | low]),
    }
}

/// Joins each high surrogate with the low one right after it.
fn pair(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, after)) = rest.split_first() {
        if let [0xED, a @ 0xA0..=0xAF, b, 0xED, c @ 0xB0..=0xBF, d, tail @ ..] = rest {
            let half = |x: u8, y: u8| (u32::from(x & 0x0F) << 6) | u32::from(y & 0x3F);
            let scalar = 0x1_0000 + (half(*a, *b) << 10) + half(*c, *d);
            let mut buffer = [0; 4];
            let joined = char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER);
            out.extend_from_slice(joined.encode_utf8(&mut buffer).as_bytes());
            rest = tail;
        } else {
            out.push(first);
            rest = after;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn every_escape_is_its_character() {
        let spelled = decode(br#"\"\\\/\b\f\n\r\tA\u0041\u00e9\u20AC\uD83D\uDE00z"#);
        assert_eq!(spelled, "\"\\/\u{8}\u{c}\n\r\tAA\u{e9}\u{20ac}\u{1f600}z".as_bytes());
    }

    #[test]
    fn runs_of_any_length_are_copied() {
        for before in 0..20 {
            for behind in 0..20 {
                let (a, b) = ("é".repeat(before), "b".repeat(behind));
                let spelled = decode(format!(r"{a}\\\n{b}\t").as_bytes());
                assert_eq!(spelled, format!("{a}\\\n{b}\t").as_bytes());
            }
        }
    }

    #[test]
    fn a_surrogate_alone_stands_by_itself() {
        assert_eq!(decode(br"\ud83dx"), [0xED, 0xA0, 0xBD, b'x']);
        assert_eq!(decode(br"\ude00\ud83d"), [0xED, 0xB8, 0x80, 0xED, 0xA0, 0xBD]);
        // Half of the pair was in the text already.
        assert_eq!(decode(b"\xED\xA0\xBD\\ude00"), "\u{1f600}".as_bytes());
    }
}
