//! The evidence id: a digest of exactly what a decision is made on.
//!
//! Named: the task, what triggered the decision, the candidate text as it stands, the actions,
//! research and fallback shown, the requirement evidence, the issues shown, pending effects, the
//! verifier's reading, a completion claim and the obligations' digest where there are any.
//! Left out: the raw transcript's digest, counts, the iteration and the session's name, so that two
//! boundaries that decide on the same evidence share an id.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::canonical::{Digest, Digester};

/// The id of the evidence a decision was made on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EvidenceId(Digest);

impl fmt::Display for EvidenceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What an id is taken over, beside the packet.
#[derive(Clone, Copy, Debug)]
pub struct Identity<'a> {
    /// The task.
    pub task: &'a str,
    /// The stop reason that opened the boundary.
    pub trigger: &'a str,
    /// The candidate text, untrimmed.
    pub candidate: &'a str,
    /// Tool effects that were put off and still wait.
    pub pending_effects: usize,
    /// The verifier's reading as it stands, null before a gate reported.
    pub verification: &'a Value,
    /// The obligations' digest, `""` when nothing was amended.
    pub obligations_digest: &'a str,
}

/// Packet keys that enter an id.
const PACKET_KEYS: [&str; 5] = [
    "actions",
    "research_summary",
    "fallback_observations",
    "requirement_evidence",
    "lifecycle_issues",
];

impl EvidenceId {
    /// Takes the id of a packet under an identity.
    #[must_use]
    pub fn of(packet: &Value, identity: Identity<'_>) -> Self {
        let mut named = Map::new();
        let mut put = |key: &str, value: Value| named.insert(key.to_owned(), value);
        for key in PACKET_KEYS {
            put(key, packet.get(key).cloned().unwrap_or_default());
        }
        put("task", identity.task.into());
        put("trigger", identity.trigger.into());
        put("candidate_text", identity.candidate.into());
        put("pending_tool_batch_effect_count", identity.pending_effects.into());
        put("verification", identity.verification.clone());
        if let Some(claim) = packet.get("completion_claim").filter(|claim| !claim.is_null()) {
            put("completion_claim", claim.clone());
        }
        if !identity.obligations_digest.is_empty() {
            put("obligations_digest", identity.obligations_digest.into());
        }
        let mut digester = Digester::new();
        digester.push(&Value::Object(named));
        Self(digester.finish())
    }
}
