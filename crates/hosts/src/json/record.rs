//! Typed fields of an object: the named ones are read, the others skipped, none can fail.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::Twice;

/// An object of which some fields are read.
///
/// A field of a type that was not expected reads as absent: hosts change, and a changed field must
/// not hide the rest of its line.
pub(crate) trait Record<'de>: Default {
    /// The names of the fields that are read; at most 64.
    const KEYS: &'static [&'static str];

    /// Reads the field whose name stands at `key` in [`Self::KEYS`].
    fn set<A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
        twice: &Twice,
    ) -> Result<(), A::Error>;
}

/// Reads an object as a record; anything else gives `None`.
#[derive(Debug)]
pub(crate) struct Of<'a, T> {
    twice: &'a Twice,
    record: PhantomData<T>,
}

impl<'a, T> Of<'a, T> {
    pub(crate) const fn new(twice: &'a Twice) -> Self {
        Self { twice, record: PhantomData }
    }
}

impl<'de, T: Record<'de>> DeserializeSeed<'de> for Of<'_, T> {
    type Value = Option<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<T>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Visits everything that is not of the wanted type as absent.
macro_rules! otherwise_absent {
    (numbers) => {
        fn visit_i64<E: Error>(self, _: i64) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }

        fn visit_u64<E: Error>(self, _: u64) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }

        fn visit_f64<E: Error>(self, _: f64) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }

        fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("any value")
        }
    };
    (bool) => {
        fn visit_bool<E: Error>(self, _: bool) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
    };
    (text) => {
        fn visit_str<E: Error>(self, _: &str) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
    };
    (list) => {
        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
            while items.next_element::<IgnoredAny>()?.is_some() {}
            Ok(Self::Value::default())
        }
    };
    (object) => {
        fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
            while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok(Self::Value::default())
        }
    };
}

impl<'de, T: Record<'de>> Visitor<'de> for Of<'_, T> {
    type Value = Option<T>;

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<T>, A::Error> {
        let mut record = T::default();
        let mut seen = 0_u64;
        while let Some(key) = map.next_key_seed(Key(T::KEYS))? {
            let Some(key) = key else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let bit = 1_u64.checked_shl(u32::try_from(key).unwrap_or(u32::MAX)).unwrap_or(0);
            if seen & bit != 0 {
                self.twice.note();
            }
            seen |= bit;
            record.set(key, &mut map, self.twice)?;
        }
        Ok(Some(record))
    }

    otherwise_absent!(numbers);
    otherwise_absent!(bool);
    otherwise_absent!(text);
    otherwise_absent!(list);
}

/// Finds a name among those that are read.
#[derive(Clone, Copy)]
struct Key(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|known| *known == name))
    }
}

/// Reads a text; anything else gives `None`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text;

impl<'de> DeserializeSeed<'de> for Text {
    type Value = Option<String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Text {
    type Value = Option<String>;

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(text.to_owned()))
    }

    otherwise_absent!(numbers);
    otherwise_absent!(bool);
    otherwise_absent!(list);
    otherwise_absent!(object);
}

/// Reads a flag; only a literal `true` is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flag;

impl<'de> DeserializeSeed<'de> for Flag {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Flag {
    type Value = bool;

    fn visit_bool<E: Error>(self, flag: bool) -> Result<bool, E> {
        Ok(flag)
    }

    otherwise_absent!(numbers);
    otherwise_absent!(text);
    otherwise_absent!(list);
    otherwise_absent!(object);
}

/// Reads the text of a text, a list of blocks or a block: `text`, else `content`, joined by line
/// breaks. What is no text (an image, say) is left out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlatText;

impl<'de> DeserializeSeed<'de> for FlatText {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for FlatText {
    type Value = String;

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<String, A::Error> {
        let mut text = String::new();
        while let Some(item) = items.next_element_seed(self)? {
            // Most often there is one block, whose text need not be copied.
            if text.is_empty() {
                text = item;
            } else {
                append(&mut text, &item);
            }
        }
        Ok(text)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<String, A::Error> {
        let (mut text, mut content) = (String::new(), String::new());
        while let Some(key) = fields.next_key_seed(Key(&["text", "content"]))? {
            match key {
                Some(0) => text = fields.next_value_seed(self)?,
                Some(_) => content = fields.next_value_seed(self)?,
                None => {
                    fields.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(if text.is_empty() { content } else { text })
    }

    otherwise_absent!(numbers);
    otherwise_absent!(bool);
}

/// Adds a piece of text on a line of its own; an empty piece adds nothing.
pub(crate) fn append(text: &mut String, piece: &str) {
    if text.is_empty() {
        text.push_str(piece);
    } else if !piece.is_empty() {
        text.push('\n');
        text.push_str(piece);
    }
}
