//! The fields of a host's JSON, read one by one; whatever is not as expected is absent and noted.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::json::{self, Json, Twice};
use crate::source::{LineCause, Repair};

/// Why what a host sent could not be read. The hook answers all the same, and allows the stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HookError {
    /// Nothing was sent.
    #[error("read what the host sent: it is empty")]
    Empty,
    /// It is not one JSON object.
    #[error("read what the host sent: it is not one object of JSON ({})", cause.as_str())]
    Unreadable {
        /// In which way.
        cause: LineCause,
    },
    /// A field without which nothing can be judged, or no refusal counted, is missing.
    #[error("read what the host sent: `{field}` is missing or is no text")]
    Missing {
        /// The field.
        field: &'static str,
    },
}

impl From<LineCause> for HookError {
    fn from(cause: LineCause) -> Self {
        Self::Unreadable { cause }
    }
}

/// Something in what a host sent that was not as expected, and was read over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HookNote {
    /// The field was of another type and counts as absent.
    WrongType {
        /// The field.
        field: &'static str,
    },
    /// The text was mended before it could be read.
    Repaired(Repair),
}

impl Serialize for HookNote {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::WrongType { field } => {
                serializer.serialize_str(&["wrong_type:", *field].concat())
            }
            Self::Repaired(repair) => repair.serialize(serializer),
        }
    }
}

/// The fields that a dialect asked for.
#[derive(Debug)]
pub(crate) struct Fields {
    values: BTreeMap<&'static str, Value>,
    notes: Vec<HookNote>,
}

/// The mark some programs put before UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";

impl Fields {
    /// Reads the named fields of one JSON object; the others are skipped, not built.
    pub(crate) fn read(bytes: &[u8], keys: &'static [&'static str]) -> Result<Self, HookError> {
        let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Err(HookError::Empty);
        }
        let read = json::read_with(bytes, |text, twice| parse(text, &Asked { keys, twice }))?;
        let notes = read.repairs.into_iter().map(HookNote::Repaired).collect();
        Ok(Self { values: read.record, notes })
    }

    /// A text that is not empty.
    pub(crate) fn text(&mut self, field: &'static str) -> Option<String> {
        self.any_text(field).filter(|text| !text.is_empty())
    }

    /// A text, the empty one too.
    pub(crate) fn any_text(&mut self, field: &'static str) -> Option<String> {
        match self.take(field)? {
            Value::String(text) => Some(text),
            _ => self.wrong_type(field),
        }
    }

    /// Whether the host wrote null there, which is not the same as leaving the field out.
    pub(crate) fn is_null(&self, field: &str) -> bool {
        self.values.get(field).is_some_and(Value::is_null)
    }

    /// A text under the first of several spellings that has one.
    pub(crate) fn text_of(&mut self, fields: &[&'static str]) -> Option<String> {
        fields.iter().find_map(|field| self.text(field))
    }

    /// A text without which nothing can be done.
    pub(crate) fn needed(&mut self, fields: &[&'static str]) -> Result<String, HookError> {
        let field = fields.first().copied().unwrap_or_default();
        self.text_of(fields).ok_or(HookError::Missing { field })
    }

    /// A flag.
    pub(crate) fn flag(&mut self, field: &'static str) -> Option<bool> {
        match self.take(field)? {
            Value::Bool(flag) => Some(flag),
            _ => self.wrong_type(field),
        }
    }

    /// A count.
    pub(crate) fn count(&mut self, field: &'static str) -> Option<u64> {
        let count = self.take(field)?.as_u64();
        count.or_else(|| self.wrong_type(field))
    }

    /// A list; empty where there is none.
    pub(crate) fn list(&mut self, field: &'static str) -> Vec<Value> {
        let list = self.take(field).and_then(|value| match value {
            Value::Array(list) => Some(list),
            _ => self.wrong_type(field),
        });
        list.unwrap_or_default()
    }

    /// What was noted until now.
    pub(crate) fn take_notes(&mut self) -> Vec<HookNote> {
        std::mem::take(&mut self.notes)
    }

    /// A value, where there is one; null is none.
    fn take(&mut self, field: &'static str) -> Option<Value> {
        self.values.remove(field).filter(|value| !value.is_null())
    }

    fn wrong_type<T>(&mut self, field: &'static str) -> Option<T> {
        self.notes.push(HookNote::WrongType { field });
        None
    }
}

fn parse(text: &str, asked: &Asked<'_>) -> Result<BTreeMap<&'static str, Value>, HookError> {
    let mut json = serde_json::Deserializer::from_str(text);
    // The depth was counted already, and is at most 512.
    json.disable_recursion_limit();
    let fields = asked.deserialize(&mut json).and_then(|fields| json.end().map(|()| fields));
    fields.map_err(|error| {
        let cause = if error.is_data() { LineCause::NotAnObject } else { json::cause(&error) };
        HookError::Unreadable { cause }
    })
}

/// Reads an object into the fields that were asked for.
#[derive(Debug)]
struct Asked<'a> {
    keys: &'static [&'static str],
    twice: &'a Twice,
}

impl<'de> DeserializeSeed<'de> for &Asked<'_> {
    type Value = BTreeMap<&'static str, Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &Asked<'_> {
    type Value = BTreeMap<&'static str, Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = BTreeMap::new();
        while let Some(name) = map.next_key::<String>()? {
            let Some(key) = self.keys.iter().find(|key| **key == name) else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            if fields.insert(*key, map.next_value_seed(Json(self.twice))?).is_some() {
                self.twice.note();
            }
        }
        Ok(fields)
    }
}
