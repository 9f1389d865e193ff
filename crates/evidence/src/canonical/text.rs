//! The writer: a JSON value to its one text, in any sink.

use std::fmt::{self, Write};

use serde_json::{Map, Number, Value};

use super::float;

/// Returns the canonical text of a value.
#[must_use]
pub fn to_text(value: &Value) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write(value, &mut out);
    out
}

/// Returns the canonical text of an object.
#[must_use]
pub fn object_to_text(fields: &Map<String, Value>) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write_object(fields, &mut out);
    out
}

/// Writes the canonical text of a value into a sink, so that a digest needs no copy of the text.
///
/// # Errors
/// Passes on the sink's own error and has none of its own.
pub fn write(value: &Value, out: &mut impl Write) -> fmt::Result {
    match value {
        Value::Null => out.write_str("null"),
        Value::Bool(true) => out.write_str("true"),
        Value::Bool(false) => out.write_str("false"),
        Value::Number(number) => write_number(number, out),
        Value::String(text) => write_string(text, out),
        Value::Array(items) => write_array(items, out),
        Value::Object(fields) => write_object(fields, out),
    }
}

fn write_array(items: &[Value], out: &mut impl Write) -> fmt::Result {
    out.write_char('[')?;
    for (position, item) in items.iter().enumerate() {
        if position > 0 {
            out.write_char(',')?;
        }
        write(item, out)?;
    }
    out.write_char(']')
}

fn write_object(fields: &Map<String, Value>, out: &mut impl Write) -> fmt::Result {
    let mut sorted: Vec<(&String, &Value)> = fields.iter().collect();
    // Already sorted unless the build has `preserve_order`; then this is one linear pass.
    sorted.sort_unstable_by_key(|(key, _)| *key);
    out.write_char('{')?;
    for (position, (key, value)) in sorted.into_iter().enumerate() {
        if position > 0 {
            out.write_char(',')?;
        }
        write_string(key, out)?;
        out.write_char(':')?;
        write(value, out)?;
    }
    out.write_char('}')
}

/// An integer within i64 keeps its digits; everything else is a double, as the original reads it
/// (2^63 prints as `9.223372036854776e+18`).
fn write_number(number: &Number, out: &mut impl Write) -> fmt::Result {
    match (number.as_i64(), number.as_f64()) {
        (Some(integer), _) => write!(out, "{integer}"),
        (None, Some(double)) => out.write_str(&float::spell(double)),
        (None, None) => out.write_str("null"),
    }
}

/// Quotes, backslash and three short escapes as everywhere; every other control character,
/// U+007F to U+009F included, as four lower-case hex digits.
fn write_string(text: &str, out: &mut impl Write) -> fmt::Result {
    out.write_char('"')?;
    let mut plain_from = 0;
    for (at, byte) in text.bytes().enumerate() {
        if !may_need_escape(byte) {
            continue;
        }
        // Only the first byte of a character is looked at, so both are boundaries.
        let special = text.get(at..).and_then(|rest| rest.chars().next());
        let Some(special) = special.filter(|c| needs_escape(*c)) else { continue };
        out.write_str(text.get(plain_from..at).unwrap_or_default())?;
        write_escape(special, out)?;
        plain_from = at + special.len_utf8();
    }
    out.write_str(text.get(plain_from..).unwrap_or_default())?;
    out.write_char('"')
}

/// Whether a character that needs an escape may begin here. U+0080 to U+009F begin with the byte
/// C2, as do the printable U+00A0 to U+00BF; no byte inside a character matches.
fn may_need_escape(byte: u8) -> bool {
    MAY_NEED_ESCAPE.get(usize::from(byte)).is_some_and(|may| *may)
}

/// Looked up for every byte of every text, which costs less than comparing.
static MAY_NEED_ESCAPE: [bool; 256] = {
    let mut table = [false; 256];
    let mut rest = table.as_mut_slice();
    let mut byte = 0u8;
    while let Some((may, behind)) = rest.split_first_mut() {
        *may = matches!(byte, 0..=0x1f | b'"' | b'\\' | 0x7f | 0xc2);
        byte = byte.wrapping_add(1);
        rest = behind;
    }
    table
};

fn needs_escape(c: char) -> bool {
    matches!(c, '"' | '\\') || c.is_control()
}

fn write_escape(c: char, out: &mut impl Write) -> fmt::Result {
    match c {
        '"' => out.write_str("\\\""),
        '\\' => out.write_str("\\\\"),
        '\n' => out.write_str("\\n"),
        '\r' => out.write_str("\\r"),
        '\t' => out.write_str("\\t"),
        other => write!(out, "\\u{:04x}", u32::from(other)),
    }
}
