//! What the app declares of its tools: the key under which a result keeps its rows.
//!
//! Every other field of a declarations object is ignored.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::{
    caller::CallerMistake,
    json::{Document, Fault, Node, Text},
    record::NESTING_MAX,
};

/// Under which key each tool keeps its rows. Without declarations, no tool keeps any.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Declarations {
    /// INVARIANT: each value is text, not empty, without `/` or `.`.
    rows_at: BTreeMap<Text<'static>, Text<'static>>,
}

/// Why declarations could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DeclarationsError {
    /// The text is no JSON, or nests too deep.
    #[error("read the declarations as JSON: {0}")]
    Text(Fault),
    /// The text is no UTF-8.
    #[error("read the declarations as UTF-8: no character at byte {at}")]
    Encoding {
        /// Offset of the first byte that belongs to no character.
        at: usize,
    },
    /// The caller's mistake, in the original's words.
    #[error(transparent)]
    Caller(CallerMistake),
}

impl Declarations {
    /// Reads a declarations object.
    ///
    /// # Errors
    ///
    /// When the text is no UTF-8, no JSON or not such an object. Of several mistakes the first in the order of
    /// JavaScript's own keys is reported: keys that are array indices ascending, then the others.
    pub fn parse(text: &[u8]) -> Result<Self, DeclarationsError> {
        if let Err(invalid) = std::str::from_utf8(text) {
            return Err(DeclarationsError::Encoding { at: invalid.valid_up_to() });
        }
        let document = Document::parse(text, NESTING_MAX).map_err(DeclarationsError::Text)?;
        Self::read(document.root()).map_err(DeclarationsError::Caller)
    }

    /// Declares that an object result of `tool` keeps its rows under `key`, whatever was declared
    /// of it before.
    ///
    /// # Errors
    ///
    /// When `key` is empty or not a top-level key.
    pub fn declare(&mut self, tool: &str, key: &str) -> Result<(), CallerMistake> {
        let tool = Text::from(tool).into_owned();
        let key = rows_key(&tool, Some(Text::from(key)))?;
        self.rows_at.insert(tool, key);
        Ok(())
    }

    /// The key under which `tool` keeps its rows.
    pub(crate) fn rows_at(&self, tool: &Text<'_>) -> Option<&Text<'static>> {
        self.rows_at.get(tool.as_bytes())
    }

    fn read(root: Node<'_>) -> Result<Self, CallerMistake> {
        let root = root.object().ok_or(CallerMistake::DeclarationsNotAnObject)?;
        let Some(tools) = root.get("tools") else { return Ok(Self::default()) };
        let tools = tools.object().ok_or(CallerMistake::ToolsNotAnObject)?;
        let mut rows_at = BTreeMap::new();
        for (tool, entry) in own_key_order(tools.members()) {
            let tool = tool.into_owned();
            let Some(entry) = entry.object() else {
                return Err(CallerMistake::ToolNotAnObject(tool));
            };
            let Some(key) = entry.get("rowsAt") else { continue };
            let key = rows_key(&tool, key.string())?;
            rows_at.insert(tool, key);
        }
        Ok(Self { rows_at })
    }
}

fn rows_key(tool: &Text<'static>, key: Option<Text<'_>>) -> Result<Text<'static>, CallerMistake> {
    match key {
        Some(key) if key.as_bytes().iter().any(|b| matches!(b, b'/' | b'.')) => {
            Err(CallerMistake::RowsKeyNested(tool.clone()))
        }
        Some(key) if !key.is_empty() => Ok(key.into_owned()),
        _ => Err(CallerMistake::RowsKeyEmpty(tool.clone())),
    }
}

/// Members as JavaScript lists an object's own keys: array indices first and ascending, then the
/// others as they came; a repeated key at its first place with its last value.
fn own_key_order<'r>(
    members: impl Iterator<Item = (Text<'r>, Node<'r>)>,
) -> Vec<(Text<'r>, Node<'r>)> {
    let mut places = BTreeMap::new();
    let mut listed: Vec<(Text<'r>, Node<'r>)> = Vec::new();
    for (key, value) in members {
        let place = *places.entry(key.clone()).or_insert(listed.len());
        match listed.get_mut(place) {
            Some(slot) => slot.1 = value,
            None => listed.push((key, value)),
        }
    }
    listed.sort_by_key(|(key, _)| array_index(key).map_or(u64::MAX, u64::from));
    listed
}

/// The array index a key spells: a canonical decimal up to 2^32 - 2.
fn array_index(key: &Text<'_>) -> Option<u32> {
    let text = key.as_str()?;
    let index: u32 = text.parse().ok()?;
    (index != u32::MAX && index.to_string() == text).then_some(index)
}

#[cfg(test)]
mod tests {
    use super::{Declarations, DeclarationsError};

    #[test]
    fn what_is_no_text_declares_nothing() {
        for (text, at) in [(&b"{\"tools\":{\"\xff\":{}}}"[..], 11), (b"\xed\xa0\x80", 0)] {
            let refused = Declarations::parse(text).unwrap_err();
            assert_eq!(refused, DeclarationsError::Encoding { at });
        }
        assert!(Declarations::parse("{\"tools\":{\"é\":{}}}".as_bytes()).is_ok());
    }
}
