//! What one boundary is decided on, bound to its id.

use serde::Serialize;
use serde_json::{Value, json};

use crate::builder::EvidenceBuilder;
use crate::canonical::{self, Digest};
use crate::id::{EvidenceId, Identity};
use crate::packet::{ProjectionStats, json as as_json};
use crate::requirement_evidence;
use crate::verification::VerificationState;

/// How the model's own "done" marker was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "the schema has these three sources")]
pub enum SignalSource {
    /// No marker is agreed on.
    Disabled,
    /// The host parsed the marker out of the reply.
    ParsedDoneMarker,
    /// The marker was looked for in the raw text.
    RawText,
}

/// Whether the model declared itself done. It is a stop request, never evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CompletionSignal {
    /// Whether the marker was found.
    pub declared: bool,
    /// Where.
    pub source: SignalSource,
}

impl CompletionSignal {
    /// Reads the signal; a blank marker turns it off.
    #[must_use]
    pub fn read(raw_text: &str, sentinel: &str, parsed_marker: &str) -> Self {
        if sentinel.is_empty() {
            return Self { declared: false, source: SignalSource::Disabled };
        }
        if parsed_marker.is_empty() {
            let declared = raw_text.contains(sentinel);
            return Self { declared, source: SignalSource::RawText };
        }
        let declared = parsed_marker.contains(sentinel);
        Self { declared, source: SignalSource::ParsedDoneMarker }
    }
}

/// What a boundary adds to the messages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Boundary {
    /// The session's name; not part of the id.
    pub session_id: String,
    /// The task the turn was opened with.
    pub task: String,
    /// Why the run proposes to stop.
    pub stop_reason: String,
    /// The candidate text as shown.
    pub text: String,
    /// The candidate text before any projection; `""` when it is the same.
    pub raw_text: String,
    /// The agreed "done" marker, or `""`.
    pub sentinel: String,
    /// The marker as the host parsed it, or `""`.
    pub parsed_marker: String,
    /// The model call that proposed the stop.
    pub iteration: i64,
    /// Tool effects that were put off and still wait.
    pub pending_effects: usize,
    /// The obligations as a record, or null, and their digest, or `""`.
    pub obligations: Value,
    /// The obligations' digest, `""` when nothing was amended.
    pub obligations_digest: String,
    /// A completion claim in play.
    pub claim: Option<Value>,
}

/// The evidence of one boundary (`harn.completion_evidence_snapshot.v1`).
///
/// DIFFERENCE: the original also holds the text of all messages under `transcript`; ours writes it
/// on demand ([`write_transcript`]), since the digest of it is in the packet.
///
/// INVARIANT: packet text, statistics and id always agree; only [`Snapshot::bind`] changes them.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    boundary: Boundary,
    bound: Bound,
    stats: ProjectionStats,
    verification: Option<VerificationState>,
    tools_used: String,
    tools_succeeded: String,
    knowledge_state: Digest,
    substantive_evidence_state: Digest,
}

impl EvidenceBuilder {
    /// Takes the snapshot of a boundary. Costs the packet, not the run.
    pub fn snapshot(&mut self, boundary: Boundary) -> Snapshot {
        let mut projection = self.project(boundary.claim.as_ref());
        let events = self.events_digest();
        let knowledge = json!({"latest_text": boundary.text, "tool_events": events.to_string()});
        let substance = json!({
            "obligations": boundary.obligations_digest,
            "task": boundary.task,
            "tool_calls": events.to_string(),
        });
        let bound = Bound::of(projection.packet, &boundary, None);
        projection.stats.serialized_chars = bound.chars;
        Snapshot {
            bound,
            stats: projection.stats,
            verification: None,
            tools_used: self.tools_used().join(", "),
            tools_succeeded: self.tools_succeeded().join(", "),
            knowledge_state: Digest::of(&knowledge),
            substantive_evidence_state: Digest::of(&substance),
            boundary,
        }
    }
}

/// A packet with its requirement evidence, its text and its id, made together.
#[derive(Clone, Debug, PartialEq)]
struct Bound {
    packet: Value,
    text: String,
    chars: usize,
    id: EvidenceId,
}

impl Bound {
    fn of(
        mut packet: Value,
        boundary: &Boundary,
        verification: Option<&VerificationState>,
    ) -> Self {
        let observed = verification.map(|state| state.observed);
        requirement_evidence::bind(&mut packet, &boundary.text, observed);
        let text = canonical::to_text(&packet);
        let state = verification.map(VerificationState::to_value).unwrap_or_default();
        let id = EvidenceId::of(&packet, identity(boundary, &state));
        Self { chars: text.chars().count(), packet, text, id }
    }
}

fn identity<'a>(boundary: &'a Boundary, verification: &'a Value) -> Identity<'a> {
    Identity {
        task: &boundary.task,
        trigger: &boundary.stop_reason,
        candidate: &boundary.text,
        pending_effects: boundary.pending_effects,
        verification,
        obligations_digest: &boundary.obligations_digest,
    }
}

impl Snapshot {
    /// The snapshot's schema.
    pub const SCHEMA: &'static str = "harn.completion_evidence_snapshot.v1";

    /// Binds a gate's reading: evidence, text, statistics and id are made anew, and every later
    /// stage uses them.
    pub fn bind(&mut self, verification: VerificationState) {
        let verification = verification.bound();
        let packet = std::mem::take(&mut self.bound.packet);
        self.bound = Bound::of(packet, &self.boundary, Some(&verification));
        self.stats.serialized_chars = self.bound.chars;
        self.verification = Some(verification);
    }

    /// The id of all this.
    #[must_use]
    pub const fn evidence_id(&self) -> EvidenceId {
        self.bound.id
    }

    /// What the boundary added to the messages.
    #[must_use]
    pub const fn boundary(&self) -> &Boundary {
        &self.boundary
    }

    /// The packet.
    #[must_use]
    pub const fn packet(&self) -> &Value {
        &self.bound.packet
    }

    /// The packet's text, as a judge is shown it.
    #[must_use]
    pub fn judge_evidence(&self) -> &str {
        &self.bound.text
    }

    /// What the packet kept and left out.
    #[must_use]
    pub const fn stats(&self) -> &ProjectionStats {
        &self.stats
    }

    /// The gate's reading, once bound.
    #[must_use]
    pub const fn verification(&self) -> Option<&VerificationState> {
        self.verification.as_ref()
    }

    /// Changes with every new text, call or result; compared only with itself.
    #[must_use]
    pub const fn knowledge_state(&self) -> Digest {
        self.knowledge_state
    }

    /// Stable while the agent only talks; changes with obligations, task, calls and results.
    #[must_use]
    pub const fn substantive_evidence_state(&self) -> Digest {
        self.substantive_evidence_state
    }

    /// The snapshot as the original's record, without `transcript`.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let boundary = &self.boundary;
        let raw_text =
            if boundary.raw_text.is_empty() { &boundary.text } else { &boundary.raw_text };
        let signal = CompletionSignal::read(raw_text, &boundary.sentinel, &boundary.parsed_marker);
        let mut record = json!({
            "schema": Self::SCHEMA,
            "evidence_id": self.bound.id.to_string(),
            "session_id": boundary.session_id,
            "task": boundary.task,
            "stop_reason": boundary.stop_reason,
            "text": boundary.text,
            "visible_text": boundary.text,
            "last_text": boundary.text,
            "raw_text": raw_text,
            "completion_signal": as_json(&signal),
            "judge_evidence": self.bound.text,
            "judge_evidence_packet": self.bound.packet,
            "judge_evidence_projection": as_json(&self.stats),
            "all_tools_used": self.tools_used,
            "successful_tools_used": self.tools_succeeded,
            "iteration": boundary.iteration,
            "knowledge_state": self.knowledge_state.to_string(),
            "substantive_evidence_state": self.substantive_evidence_state.to_string(),
            "pending_tool_batch_effect_count": boundary.pending_effects,
            "verification": self.verification.as_ref().map(VerificationState::to_value),
        });
        if let Some(fields) = record.as_object_mut() {
            if !boundary.obligations.is_null() {
                fields.insert("obligations".to_owned(), boundary.obligations.clone());
            }
            fields
                .extend(boundary.claim.clone().map(|claim| ("completion_claim".to_owned(), claim)));
        }
        record
    }
}

/// Writes the canonical text of a list of messages, one at a time: the original's `transcript`.
///
/// # Errors
/// Passes on the sink's own error and has none of its own.
pub fn write_transcript<'a>(
    messages: impl IntoIterator<Item = &'a Value>,
    out: &mut impl std::fmt::Write,
) -> std::fmt::Result {
    out.write_char('[')?;
    for (position, message) in messages.into_iter().enumerate() {
        if position > 0 {
            out.write_char(',')?;
        }
        canonical::write(message, out)?;
    }
    out.write_char(']')
}
