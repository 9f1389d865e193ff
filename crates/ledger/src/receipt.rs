//! The receipt: everything one boundary was decided on, sealed under one id.

use quittance_evidence::canonical::{self, Digest};
use serde_json::{Map, Value};

/// A sealed receipt (`quittance.receipt.v1`).
///
/// INVARIANT: `id` is the digest of the canonical text of `body`.
#[derive(Clone, Debug, PartialEq)]
pub struct Receipt {
    id: Digest,
    body: Map<String, Value>,
    supersedes: Option<Digest>,
    local: Map<String, Value>,
}

impl Receipt {
    /// The schema.
    pub const SCHEMA: &'static str = "quittance.receipt.v1";

    /// Seals a body: from here on its id speaks for it.
    #[must_use]
    pub fn seal(mut body: Map<String, Value>) -> Self {
        body.insert("schema".to_owned(), Self::SCHEMA.into());
        let id = Digest::of(&Value::Object(body.clone()));
        Self { id, body, supersedes: None, local: Map::new() }
    }

    /// The id.
    #[must_use]
    pub const fn id(&self) -> Digest {
        self.id
    }

    /// The outcome's word.
    #[must_use]
    pub fn status(&self) -> &str {
        let outcome = self.body.get("outcome").and_then(|outcome| outcome.get("status"));
        outcome.and_then(Value::as_str).unwrap_or_default()
    }

    /// The receipt as one canonical JSON text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut whole = self.body.clone();
        whole.insert("receipt_id".to_owned(), self.id.to_string().into());
        let supersedes = self.supersedes.map(|id| id.to_string());
        whole.insert("supersedes".to_owned(), supersedes.into());
        whole.insert("local".to_owned(), Value::Object(self.local.clone()));
        canonical::to_text(&Value::Object(whole))
    }
}
