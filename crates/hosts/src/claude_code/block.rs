//! What a message holds: text, calls, results.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::json::{Flag, FlatText, Json, Of, Record, Text, Twice};

/// The content of a message in the order it stands.
pub(super) type Content = Vec<Block>;

/// One block of a message.
#[derive(Debug)]
pub(super) enum Block {
    Text(String),
    Call(Call),
    Result(Answer),
    /// Thinking, an image, a document: nothing that was said or done.
    Other,
}

impl Block {
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Call(_) | Self::Result(_) | Self::Other => None,
        }
    }

    pub(super) const fn as_call(&self) -> Option<&Call> {
        match self {
            Self::Call(call) => Some(call),
            Self::Text(_) | Self::Result(_) | Self::Other => None,
        }
    }

    pub(super) const fn as_answer(&self) -> Option<&Answer> {
        match self {
            Self::Result(answer) => Some(answer),
            Self::Text(_) | Self::Call(_) | Self::Other => None,
        }
    }

    fn placed(self, block: usize) -> Self {
        match self {
            Self::Call(call) => Self::Call(Call { block, ..call }),
            Self::Result(answer) => Self::Result(Answer { block, ..answer }),
            Self::Text(_) | Self::Other => self,
        }
    }

    pub(super) fn into_answer(self) -> Option<Answer> {
        match self {
            Self::Result(answer) => Some(answer),
            Self::Text(_) | Self::Call(_) | Self::Other => None,
        }
    }
}

/// A `tool_use` block.
#[derive(Debug)]
pub(super) struct Call {
    /// Its index among the content.
    pub(super) block: usize,
    pub(super) id: String,
    pub(super) name: String,
    pub(super) args: Map<String, Value>,
}

/// A `tool_result` block.
#[derive(Debug)]
pub(super) struct Answer {
    /// Its index among the content.
    pub(super) block: usize,
    pub(super) call_id: String,
    pub(super) text: String,
    pub(super) is_error: bool,
}

/// Reads content in any of its shapes: one text, or a list of blocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Blocks<'a>(pub(super) &'a Twice);

impl<'de> DeserializeSeed<'de> for Blocks<'_> {
    type Value = Content;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Content, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Blocks<'_> {
    type Value = Content;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Content, E> {
        Ok(vec![Block::Text(text.to_owned())])
    }

    fn visit_unit<E: Error>(self) -> Result<Content, E> {
        Ok(Content::new())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Content, E> {
        Ok(Content::new())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Content, E> {
        Ok(Content::new())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Content, E> {
        Ok(Content::new())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Content, E> {
        Ok(Content::new())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Content, A::Error> {
        while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Content::new())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Content, A::Error> {
        let mut blocks = Content::new();
        while let Some(block) = items.next_element_seed(Item(self.0))? {
            blocks.push(block.placed(blocks.len()));
        }
        Ok(blocks)
    }
}

/// Reads one item of a list: a block, or a bare text, which says what it says.
#[derive(Clone, Copy, Debug)]
struct Item<'a>(&'a Twice);

impl<'de> DeserializeSeed<'de> for Item<'_> {
    type Value = Block;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Block, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Item<'_> {
    type Value = Block;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Block, E> {
        Ok(Block::Text(text.to_owned()))
    }

    fn visit_unit<E: Error>(self) -> Result<Block, E> {
        Ok(Block::Other)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Block, E> {
        Ok(Block::Other)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Block, E> {
        Ok(Block::Other)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Block, E> {
        Ok(Block::Other)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Block, E> {
        Ok(Block::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Block, A::Error> {
        let fields = Of::<Fields>::new(self.0).visit_map(fields)?;
        Ok(fields.map_or(Block::Other, Fields::block))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Block, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Block::Other)
    }
}

/// The fields of a block, before its type tells which of them count.
#[derive(Debug, Default)]
struct Fields {
    kind: Option<String>,
    text: Option<String>,
    id: Option<String>,
    name: Option<String>,
    input: Option<Value>,
    call_id: Option<String>,
    content: String,
    is_error: bool,
}

impl<'de> Record<'de> for Fields {
    const KEYS: &'static [&'static str] =
        &["type", "text", "id", "name", "input", "tool_use_id", "content", "is_error"];

    fn set<A: MapAccess<'de>>(
        &mut self,
        key: usize,
        map: &mut A,
        twice: &Twice,
    ) -> Result<(), A::Error> {
        match key {
            0 => self.kind = map.next_value_seed(Text)?,
            1 => self.text = map.next_value_seed(Text)?,
            2 => self.id = map.next_value_seed(Text)?,
            3 => self.name = map.next_value_seed(Text)?,
            4 => self.input = Some(map.next_value_seed(Json(twice))?),
            5 => self.call_id = map.next_value_seed(Text)?,
            6 => self.content = map.next_value_seed(FlatText)?,
            _ => self.is_error = map.next_value_seed(Flag)?,
        }
        Ok(())
    }
}

impl Fields {
    fn block(self) -> Block {
        match self.kind.as_deref() {
            Some("text") => Block::Text(self.text.unwrap_or_default()),
            Some("tool_use") => Block::Call(Call {
                block: 0,
                id: self.id.unwrap_or_default(),
                name: self.name.unwrap_or_default(),
                args: arguments(self.input),
            }),
            Some("tool_result") => Block::Result(Answer {
                block: 0,
                call_id: self.call_id.unwrap_or_default(),
                text: self.content,
                is_error: self.is_error,
            }),
            _ => Block::Other,
        }
    }
}

/// Arguments that are no object keep their value under `_raw`, as evidence does.
fn arguments(input: Option<Value>) -> Map<String, Value> {
    match input {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(args)) => args,
        Some(other) => Map::from_iter([("_raw".to_owned(), other)]),
    }
}
