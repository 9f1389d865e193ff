//! JSON that remembers whether a key was given twice with different values.
//!
//! The usual reader keeps the last value of a repeated key and forgets the rest. In a verdict that
//! would let `"verdict":"continue","verdict":"done"` approve.

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// A parsed value, and whether any object in it contradicts itself.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Strict {
    pub(super) value: Value,
    pub(super) contradicts_itself: bool,
}

impl Strict {
    /// Parses a whole text. Nesting beyond the library's limit of 128 is an error.
    pub(super) fn parse(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    const fn scalar(value: Value) -> Self {
        Self { value, contradicts_itself: false }
    }
}

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Strict;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Strict, E> {
        Ok(Strict::scalar(Value::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Strict, E> {
        Ok(Strict::scalar(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Strict, E> {
        Ok(Strict::scalar(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Strict, E> {
        Ok(Strict::scalar(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Strict, E> {
        Ok(Strict::scalar(value.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Strict, E> {
        Ok(Strict::scalar(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Strict, A::Error> {
        let mut contradicts_itself = false;
        let mut items = Vec::new();
        while let Some(item) = seq.next_element::<Strict>()? {
            contradicts_itself |= item.contradicts_itself;
            items.push(item.value);
        }
        Ok(Strict { value: Value::Array(items), contradicts_itself })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Strict, A::Error> {
        let mut contradicts_itself = false;
        let mut fields = Map::new();
        while let Some((key, field)) = map.next_entry::<String, Strict>()? {
            contradicts_itself |= field.contradicts_itself
                || fields.get(&key).is_some_and(|earlier| *earlier != field.value);
            fields.insert(key, field.value);
        }
        Ok(Strict { value: Value::Object(fields), contradicts_itself })
    }
}
