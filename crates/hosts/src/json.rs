//! One line into typed fields, whatever the line holds.
//!
//! Reads a line as JSON under the rules of every format: nesting is counted before anything is
//! built, bytes that are no UTF-8 and lone surrogates are mended and counted, a name that stands
//! twice is counted and its last value read. What no reader asks for is skipped, not built. Which
//! fields a format has is the format's folder's.

mod depth;
mod record;
mod repair;
mod value;

use std::cell::Cell;

pub(crate) use record::{Flag, FlatText, Of, Record, Text, append};
pub(crate) use value::Json;

use crate::source::{LineCause, Repair};

/// Whether a name stood twice in an object of this line.
#[derive(Debug, Default)]
pub(crate) struct Twice(Cell<bool>);

impl Twice {
    pub(crate) fn note(&self) {
        self.0.set(true);
    }
}

/// A line that was read.
#[derive(Debug)]
pub(crate) struct Read<T> {
    pub(crate) record: T,
    pub(crate) repairs: Vec<Repair>,
}

/// Reads a line into the fields of a record.
pub(crate) fn read<T: for<'de> Record<'de>>(line: &[u8]) -> Result<Read<T>, LineCause> {
    let read = read_with(line, |text, twice| parse::<T>(text, twice))?;
    let record = read.record.ok_or(LineCause::NotAnObject)?;
    Ok(Read { record, repairs: read.repairs })
}

/// Reads bytes with a parser of the caller's, under the rules of every format.
pub(crate) fn read_with<T, E: From<LineCause>>(
    bytes: &[u8],
    parse: impl Fn(&str, &Twice) -> Result<T, E>,
) -> Result<Read<T>, E> {
    if depth::is_too_deep(bytes) {
        return Err(LineCause::TooDeep.into());
    }
    let mut repairs = Vec::new();
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => std::borrow::Cow::Borrowed(text),
        Err(_) => {
            repairs.push(Repair::InvalidUtf8);
            String::from_utf8_lossy(bytes)
        }
    };
    let twice = Twice::default();
    let parsed = parse(&text, &twice).or_else(|cause| {
        let mended = repair::lone_surrogates(&text).ok_or(cause)?;
        repairs.push(Repair::LoneSurrogate);
        parse(&mended, &twice)
    });
    let record = parsed?;
    if twice.0.get() {
        repairs.push(Repair::DuplicateName);
    }
    Ok(Read { record, repairs })
}

/// Whether the bytes are one whole object: then nothing can be missing at their end.
pub(crate) fn is_whole(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    text.trim_end().ends_with('}') && serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok()
}

/// Whether the bytes are one whole value that shows its end: an object or a list.
pub(crate) fn is_whole_value(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    text.trim_end().ends_with(['}', ']'])
        && serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok()
}

fn parse<'de, T: Record<'de>>(text: &'de str, twice: &Twice) -> Result<Option<T>, LineCause> {
    use serde::de::DeserializeSeed as _;
    let mut json = serde_json::Deserializer::from_str(text);
    // The depth was counted already, and is at most 512.
    json.disable_recursion_limit();
    let parsed = Of::<T>::new(twice).deserialize(&mut json);
    parsed.and_then(|record| json.end().map(|()| record)).map_err(|error| cause(&error))
}

/// Why a parser stopped.
pub(crate) fn cause(error: &serde_json::Error) -> LineCause {
    if error.to_string().starts_with("number out of range") {
        LineCause::NumberOutOfRange
    } else {
        LineCause::NotJson
    }
}

#[cfg(test)]
mod tests {
    use serde::de::MapAccess;
    use serde_json::{Value, json};

    use super::*;

    #[derive(Debug, Default, PartialEq)]
    struct Probe {
        name: Option<String>,
        flag: bool,
        text: String,
        value: Value,
    }

    impl<'de> Record<'de> for Probe {
        const KEYS: &'static [&'static str] = &["name", "flag", "text", "value"];

        fn set<A: MapAccess<'de>>(
            &mut self,
            key: usize,
            map: &mut A,
            twice: &Twice,
        ) -> Result<(), A::Error> {
            match key {
                0 => self.name = map.next_value_seed(Text)?,
                1 => self.flag = map.next_value_seed(Flag)?,
                2 => self.text = map.next_value_seed(FlatText)?,
                _ => self.value = map.next_value_seed(Json(twice))?,
            }
            Ok(())
        }
    }

    fn probe(line: &[u8]) -> (Probe, Vec<Repair>) {
        let read = read::<Probe>(line).expect("readable");
        (read.record, read.repairs)
    }

    #[test]
    fn skips_what_nobody_asks_for() {
        let line =
            br#"{"other":{"deep":[1e999,"\ud800"]},"name":"n","flag":true,"value":[1,2.5,null]}"#;
        let (record, repairs) = probe(line);
        assert_eq!((record.name.as_deref(), record.flag), (Some("n"), true));
        assert_eq!((record.value, repairs), (json!([1, 2.5, null]), vec![]));
    }

    #[test]
    fn a_field_of_another_type_is_absent() {
        let (record, _) = probe(br#"{"name":{"a":1},"flag":"true","text":7}"#);
        assert_eq!(record, Probe::default());
    }

    #[test]
    fn flattens_text_of_any_shape() {
        for (text, expected) in [
            (r#""a""#, "a"),
            (
                r#"[{"type":"text","text":"a"},{"type":"image","source":{}},"b",{"content":["c"]}]"#,
                "a\nb\nc",
            ),
            (r#"{"text":"a","content":"b"}"#, "a"),
            ("null", ""),
        ] {
            let line = format!(r#"{{"text":{text}}}"#);
            assert_eq!(probe(line.as_bytes()).0.text, expected);
        }
    }

    #[test]
    fn mends_and_says_so() {
        let (record, repairs) = probe(br#"{"name":"a\ud83d!","text":"\ud83d\ude00"}"#);
        assert_eq!(
            (record.name.as_deref(), record.text.as_str()),
            (Some("a\u{fffd}!"), "\u{1f600}")
        );
        assert_eq!(repairs, [Repair::LoneSurrogate]);
        let (record, repairs) = probe(b"{\"name\":\"caf\xe9\"}");
        assert_eq!(record.name.as_deref(), Some("caf\u{fffd}"));
        assert_eq!(repairs, [Repair::InvalidUtf8]);
        let (record, repairs) = probe(br#"{"name":"a","name":"b","value":{"x":1,"x":2}}"#);
        assert_eq!((record.name.as_deref(), record.value), (Some("b"), json!({"x": 2})));
        assert_eq!(repairs, [Repair::DuplicateName]);
    }

    #[test]
    fn refuses_with_a_cause() {
        let deep = [vec![b'['; 513], vec![b']'; 513]].concat();
        for (line, cause) in [
            (&b"{"[..], LineCause::NotJson),
            (b"{} {}", LineCause::NotJson),
            (b"{\"name\":\"a\x01\"}", LineCause::NotJson),
            (b"[1]", LineCause::NotAnObject),
            (b"42", LineCause::NotAnObject),
            (br#"{"value":1e400}"#, LineCause::NumberOutOfRange),
            (&deep, LineCause::TooDeep),
        ] {
            assert_eq!(read::<Probe>(line).map(|_| ()), Err(cause));
        }
    }

    #[test]
    fn the_deepest_line_is_read() {
        let deep = format!(r#"{{"value":{}{}}}"#, "[".repeat(511), "]".repeat(511));
        assert!(probe(deep.as_bytes()).0.value.is_array());
    }

    #[test]
    fn a_half_written_line_is_never_whole() {
        let line = r#"{"a":[1,{"b":"\"}"}],"c":-1.5e3}"#;
        for end in 0..line.len() {
            assert!(!is_whole(&line.as_bytes()[..end]), "{end}");
        }
        assert!(is_whole(line.as_bytes()));
    }
}
