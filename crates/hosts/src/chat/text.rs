//! Fields of a message whose shape varies from writer to writer, read as evidence reads them.

use serde_json::Value;

use super::Fields;
use crate::document;
use crate::json;
use crate::source::LineNumber;

/// A field that holds a text.
pub(crate) fn text_of<'a>(fields: &'a Fields, key: &str) -> Option<&'a str> {
    fields.get(key).and_then(Value::as_str)
}

/// The text of a text, a list of blocks or a block, as evidence reads it.
pub(crate) fn flat_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let mut text = String::new();
            for item in items {
                json::append(&mut text, &block_text(item));
            }
            text
        }
        Value::Object(fields) => {
            let named = ["text", "content", "body"].iter().filter_map(|key| text_of(fields, key));
            named.into_iter().find(|text| !text.is_empty()).unwrap_or_default().to_owned()
        }
        _ => String::new(),
    }
}

fn block_text(item: &Value) -> String {
    let inner = item.as_object().and_then(|fields| {
        ["text", "content"].iter().filter_map(|key| fields.get(*key)).find(|value| !value.is_null())
    });
    inner.map_or_else(|| item.as_str().unwrap_or_default().to_owned(), flat_text)
}

/// The arguments of a call: an object, or JSON of one in a text; anything else under `_raw`.
pub(crate) fn arguments(value: Option<&Value>) -> Fields {
    let parsed = match value {
        Some(Value::String(text)) => match document::read(text.as_bytes(), LineNumber(1)) {
            Ok(_) => serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone())),
            Err(_) => Value::String(text.clone()),
        },
        Some(other) => other.clone(),
        None => Value::Null,
    };
    match parsed {
        Value::Object(fields) => fields,
        Value::Null => Fields::new(),
        other => Fields::from_iter([("_raw".to_owned(), other)]),
    }
}
