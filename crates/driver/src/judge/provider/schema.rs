//! The verdict schema as a provider takes it.
//!
//! What a reply is held to is the schema in the prompt, and the reader; on the wire goes as much of
//! it as the provider's decoder knows. What is taken away here only lets more through to the
//! reader, who refuses it.

use genai::adapter::AdapterKind;
use serde_json::{Map, Value};

/// Bounds that at least one provider answers with an error.
const UNKNOWN: [&str; 2] = ["minLength", "maxItems"];

/// What a provider makes of a property that may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// It may be left out.
    Optional,
    /// There is none: every property is required, and one to be left out is null. The client
    /// library requires them all by itself; without the null a judge would have to make up a gap
    /// or name a row.
    AllRequired,
}

impl Dialect {
    pub(super) const fn of(form: AdapterKind) -> Self {
        match form {
            AdapterKind::Anthropic
            | AdapterKind::MiniMax
            | AdapterKind::Gemini
            | AdapterKind::GeminiIx
            | AdapterKind::Vertex
            | AdapterKind::Cohere
            | AdapterKind::Ollama
            | AdapterKind::OllamaCloud
            | AdapterKind::BedrockApi => Self::Optional,
            _ => Self::AllRequired,
        }
    }
}

/// The schema on the wire.
pub(super) fn wire(schema: &Value, dialect: Dialect) -> Value {
    let Some(given) = schema.as_object() else { return schema.clone() };
    let mut out = Map::new();
    for (key, value) in given.iter().filter(|(key, _)| !UNKNOWN.contains(&key.as_str())) {
        let value = match (key.as_str(), value) {
            ("properties", Value::Object(fields)) => {
                Value::Object(properties(fields, given, dialect))
            }
            ("items", items) => wire(items, dialect),
            (_, other) => other.clone(),
        };
        out.insert(key.clone(), value);
    }
    Value::Object(out)
}

fn properties(
    fields: &Map<String, Value>,
    schema: &Map<String, Value>,
    dialect: Dialect,
) -> Map<String, Value> {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required =
        |name: &str| required.is_some_and(|names| names.iter().any(|known| known == name));
    let sent = fields.iter().map(|(name, field)| {
        let sent = wire(field, dialect);
        let sent = match dialect {
            Dialect::AllRequired if !is_required(name) => nullable(sent),
            Dialect::AllRequired | Dialect::Optional => sent,
        };
        (name.clone(), sent)
    });
    sent.collect()
}

/// The schema of a value that may also be null.
fn nullable(mut schema: Value) -> Value {
    if let Some(fields) = schema.as_object_mut() {
        if let Some(kind) = fields.get_mut("type") {
            *kind = Value::Array(vec![kind.take(), "null".into()]);
        }
        if let Some(words) = fields.get_mut("enum").and_then(Value::as_array_mut) {
            words.push(Value::Null);
        }
    }
    schema
}
