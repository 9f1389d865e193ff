//! The receipt: everything one boundary was decided on and what was decided, under one id.

use quittance_artifacts::Audit;
use quittance_evidence::canonical::{self, Digest};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::depth::is_too_deep;
use crate::inputs::Inputs;
use crate::tape::TapeEntry;

/// Everything that is sealed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the keys of the schema")]
pub struct Body {
    /// Host, format, session and turn, and facts about the bytes they were read from.
    pub run: Value,
    /// `harn.completion_obligations.v1`.
    pub obligations: Value,
    /// Their digest; `""` when nothing was amended.
    pub obligations_digest: String,
    /// The audit of what was declared; none when nothing was.
    pub artifacts: Option<Audit>,
    /// `harn.completion_directive_receipt.v1`; null where nobody adjudicated.
    pub directive: Value,
    /// The assessment; null where none was made.
    pub standing: Value,
    /// The one word, and what follows from it.
    pub outcome: OutcomeRecord,
    /// The effective policy.
    pub policy: Value,
    /// What else was handed in.
    pub inputs: Inputs,
    /// Every question asked of a judge, in order.
    pub tape: Vec<TapeEntry>,
}

/// What a boundary came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the keys of the schema")]
pub struct OutcomeRecord {
    /// The outcome's word.
    pub status: String,
    /// Why, as a word.
    pub cause: String,
    /// What the agent is told; none unless it is refused.
    pub feedback: Option<String>,
    /// What stayed unmet when a refusal was let go.
    pub unmet: Option<String>,
    /// `tape` where an approval rests on recorded replies; none elsewhere.
    pub via: Option<String>,
}

/// A sealed receipt (`quittance.receipt.v1`).
///
/// INVARIANT: `id` is the digest of the canonical text of schema and body.
#[derive(Clone, Debug, PartialEq)]
pub struct Receipt {
    id: Digest,
    body: Body,
    supersedes: Option<Digest>,
    local: Map<String, Value>,
}

/// A receipt as it stands in a file.
#[derive(Deserialize)]
struct Written {
    schema: String,
    receipt_id: Digest,
    supersedes: Option<Digest>,
    #[serde(default)]
    local: Map<String, Value>,
    #[serde(flatten)]
    body: Map<String, Value>,
}

impl Receipt {
    /// The schema.
    pub const SCHEMA: &'static str = "quittance.receipt.v1";

    /// Seals a body: from here on its id speaks for it.
    #[must_use]
    pub fn seal(body: Body) -> Self {
        let id = Digest::of(&Value::Object(sealed(&body)));
        Self { id, body, supersedes: None, local: Map::new() }
    }

    /// Names the previous receipt of the same turn, which is no part of what is sealed.
    #[must_use]
    pub fn superseding(self, supersedes: Option<Digest>) -> Self {
        Self { supersedes, ..self }
    }

    /// Says when and where it was made, which is no part of what is sealed.
    #[must_use]
    pub fn made_here(self, local: Map<String, Value>) -> Self {
        Self { local, ..self }
    }

    /// Reads a receipt. Its keys may stand in any order.
    ///
    /// # Errors
    /// When it is no receipt of this schema, or its id is not the digest of what it holds.
    pub fn parse(text: &str) -> Result<Self, ReceiptError> {
        if is_too_deep(text) {
            return Err(ReceiptError::TooDeep);
        }
        let mut reader = serde_json::Deserializer::from_str(text);
        reader.disable_recursion_limit();
        let written = Written::deserialize(&mut reader).map_err(not_a_receipt)?;
        reader.end().map_err(not_a_receipt)?;
        if written.schema != Self::SCHEMA {
            return Err(ReceiptError::Schema(written.schema));
        }
        let body: Body =
            serde_json::from_value(Value::Object(written.body.clone())).map_err(not_a_receipt)?;
        let mut as_written = written.body;
        as_written.insert("schema".to_owned(), written.schema.into());
        // Over what stands there and not over what we made of it, which could differ.
        let computed = Digest::of(&Value::Object(as_written));
        if computed != written.receipt_id {
            return Err(ReceiptError::Id { stated: written.receipt_id, computed });
        }
        let (supersedes, local) = (written.supersedes, written.local);
        Ok(Self { id: computed, body, supersedes, local })
    }

    /// The id.
    #[must_use]
    pub const fn id(&self) -> Digest {
        self.id
    }

    /// What is sealed.
    #[must_use]
    pub const fn body(&self) -> &Body {
        &self.body
    }

    /// The previous receipt of the same turn.
    #[must_use]
    pub const fn supersedes(&self) -> Option<Digest> {
        self.supersedes
    }

    /// When and where it was made.
    #[must_use]
    pub const fn local(&self) -> &Map<String, Value> {
        &self.local
    }

    /// The outcome's word.
    #[must_use]
    pub fn status(&self) -> &str {
        &self.body.outcome.status
    }

    /// The receipt as a value.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut whole = sealed(&self.body);
        whole.insert("receipt_id".to_owned(), self.id.to_string().into());
        let supersedes = self.supersedes.map(|id| id.to_string());
        whole.insert("supersedes".to_owned(), supersedes.into());
        whole.insert("local".to_owned(), Value::Object(self.local.clone()));
        Value::Object(whole)
    }

    /// The receipt as one canonical JSON text.
    #[must_use]
    pub fn to_text(&self) -> String {
        canonical::to_text(&self.to_value())
    }
}

/// What the id is taken over.
fn sealed(body: &Body) -> Map<String, Value> {
    // A struct of this shape always becomes an object.
    let mut fields = match serde_json::to_value(body) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    fields.insert("schema".to_owned(), Receipt::SCHEMA.into());
    fields
}

fn not_a_receipt(error: serde_json::Error) -> ReceiptError {
    ReceiptError::NotAReceipt(error)
}

/// Why a text is not a receipt that can be relied on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReceiptError {
    /// It nests deeper than any receipt.
    #[error("read the receipt: it nests deeper than 512")]
    TooDeep,
    /// It is no JSON, or lacks what a receipt holds.
    #[error("read the receipt: {0}")]
    NotAReceipt(serde_json::Error),
    /// It is of another schema.
    #[error("read the receipt: its schema is `{0}`, not `quittance.receipt.v1`")]
    Schema(String),
    /// It was changed since it was sealed.
    #[error(
        "rely on the receipt: it says that its id is {stated}, but what it holds gives {computed}"
    )]
    Id {
        /// What it says.
        stated: Digest,
        /// What it is.
        computed: Digest,
    },
}
