//! The bounded packet an authority is shown: records, limits and the statistics beside it.
//!
//! Its text is at most [`PACKET_CHARS_MAX`] characters whatever the run, unless a completion claim
//! cites calls by id, when it grows with what is cited.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::canonical::{self, Digest};
use crate::clip;
use crate::semantics::{ActionRole, ToolSemantics};
use crate::transcript::{Issue, LifecycleStatus};

/// Read-only calls that keep a record of their own; older ones are counted.
pub const RESEARCH_LIMIT: usize = 6;
/// Mutation targets, and distinct commands, that keep their latest call.
pub const TARGET_LIMIT: usize = 6;
/// Issues shown; all are counted.
pub const ISSUE_LIMIT: usize = 3;
/// Changed artifacts named in full or by prefix; the set's digest covers all.
pub const ARTIFACT_SAMPLE: usize = 12;
/// Evidence index of the set of changed artifacts. Indices of calls are 0 and up.
pub const MUTATION_EVIDENCE_INDEX: i64 = -3;

/// The longest packet text, in characters: 14 actions of three fields, 6 reads, 3 issues and 12
/// artifact ids, each at its clip, every character escaped to six.
pub const PACKET_CHARS_MAX: usize =
    6 * (14 * (3 * 4600 + 5 * 220 + 400) + 6 * 900 + 3 * 5200) + 6 * 12 * 260 + 4000;

/// One call with its results, bounded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Action {
    /// Position among all calls.
    pub ordinal: usize,
    /// Index of the call's last result, or of the call.
    pub evidence_index: usize,
    /// The call's id, clipped to a label.
    pub tool_call_id: String,
    /// The tool.
    pub name: String,
    /// What the tool does.
    pub semantics: ToolSemantics,
    /// How the call stands.
    pub lifecycle_status: LifecycleStatus,
    /// Its arguments as JSON, clipped to a field.
    pub arguments: String,
    /// The texts of its real results, clipped to a field.
    pub observation: String,
    /// The typed data of its last real result, as JSON, clipped to a field.
    pub result_facts: String,
    /// Whether any real result is an error.
    pub has_error_result: bool,
    /// Results that the harness wrote, left out of the observation.
    #[serde(skip_serializing_if = "is_zero")]
    pub omitted_harness_authored_result_count: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// One read-only call, in one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Read {
    /// Position among all calls.
    pub ordinal: usize,
    /// Index of the call's last result, or of the call.
    pub evidence_index: usize,
    /// The tool.
    pub name: String,
    /// What was read, clipped to a label.
    pub target: String,
    /// The first line of what was found.
    pub result_digest: String,
    /// Whether any real result is an error.
    pub has_error_result: bool,
}

/// What was read: the last few calls, and counts for the rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Research {
    schema: &'static str,
    read_only_call_count: usize,
    included_count: usize,
    omitted_count: usize,
    reads: Vec<Read>,
}

impl Research {
    /// The record's schema.
    pub const SCHEMA: &'static str = "harn.completion_judge_research_summary.v1";

    /// Makes the summary of the last `reads` of `total`.
    #[must_use]
    pub(crate) fn new(reads: Vec<Read>, total: usize) -> Self {
        let included_count = reads.len();
        let omitted_count = total.saturating_sub(included_count);
        Self {
            schema: Self::SCHEMA,
            read_only_call_count: total,
            included_count,
            omitted_count,
            reads,
        }
    }

    /// Read-only calls with a record.
    #[must_use]
    pub const fn included_count(&self) -> usize {
        self.included_count
    }

    /// Read-only calls that are only counted.
    #[must_use]
    pub const fn omitted_count(&self) -> usize {
        self.omitted_count
    }
}

/// An issue of the transcript, bounded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PacketIssue {
    code: String,
    record_index: i64,
    message: String,
    details: String,
}

impl PacketIssue {
    pub(crate) fn of(issue: &Issue) -> Self {
        let details = canonical::object_to_text(&issue.details);
        Self {
            code: clip::LABEL.apply(issue.code.as_str()),
            record_index: issue.record_index,
            message: clip::LABEL.apply(issue.message),
            details: clip::FIELD.apply(&details),
        }
    }
}

/// Everything a packet is made of.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub(crate) raw_message_count: usize,
    pub(crate) raw_transcript_digest: Digest,
    pub(crate) relevant_call_count: usize,
    pub(crate) omitted_harness_results: usize,
    pub(crate) issue_count: usize,
    pub(crate) issues: Vec<PacketIssue>,
    pub(crate) actions: Vec<Action>,
    pub(crate) research: Research,
    pub(crate) fallback: Vec<Action>,
    pub(crate) requirement_evidence: Vec<Value>,
    pub(crate) claim: Option<Value>,
}

/// An action that was selected, as the statistics list it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Selection {
    /// The tool.
    pub name: String,
    /// What it contributed.
    pub evidence_role: ActionRole,
    /// Where it stands.
    pub evidence_index: usize,
}

/// What was kept and what was left out (`harn.completion_judge_evidence_projection.v1`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProjectionStats {
    schema: &'static str,
    /// Messages in the run's turn.
    pub raw_message_count: usize,
    /// Calls that are neither read-only nor wholly written by the harness.
    pub relevant_call_count: usize,
    /// Actions in the packet.
    pub included_action_count: usize,
    /// Observations shown because no action was selected: one or none.
    pub included_fallback_observation_count: usize,
    /// Reads with a record.
    pub included_read_only_call_count: usize,
    /// Reads that are only counted.
    pub omitted_read_only_call_count: usize,
    /// Relevant calls that are not in the packet.
    pub omitted_older_action_count: usize,
    /// Results that the harness wrote.
    pub omitted_harness_authored_result_count: usize,
    /// Issues of the transcript.
    pub lifecycle_issue_count: usize,
    /// Length of the packet's text, in characters.
    pub serialized_chars: usize,
    /// Digest of the messages' canonical JSON.
    pub raw_transcript_digest: Digest,
    /// The actions in the packet.
    pub selected_actions: Vec<Selection>,
}

/// A packet with its text and statistics.
#[derive(Clone, Debug, PartialEq)]
pub struct Projection {
    /// The packet (`harn.completion_judge_evidence.v2`).
    pub packet: Value,
    /// Its canonical text.
    pub serialized: String,
    /// What was kept.
    pub stats: ProjectionStats,
}

/// The packet's schema.
pub const PACKET_SCHEMA: &str = "harn.completion_judge_evidence.v2";

impl Parts {
    pub(crate) fn project(self) -> Projection {
        let older = self.relevant_call_count.saturating_sub(self.actions.len());
        let selected_actions = self.actions.iter().map(selection).collect();
        let mut stats = ProjectionStats {
            schema: "harn.completion_judge_evidence_projection.v1",
            raw_message_count: self.raw_message_count,
            relevant_call_count: self.relevant_call_count,
            included_action_count: self.actions.len(),
            included_fallback_observation_count: self.fallback.len(),
            included_read_only_call_count: self.research.included_count(),
            omitted_read_only_call_count: self.research.omitted_count(),
            omitted_older_action_count: older,
            omitted_harness_authored_result_count: self.omitted_harness_results,
            lifecycle_issue_count: self.issue_count,
            serialized_chars: 0,
            raw_transcript_digest: self.raw_transcript_digest,
            selected_actions,
        };
        let packet = Value::Object(self.into_packet(older));
        let serialized = canonical::to_text(&packet);
        stats.serialized_chars = serialized.chars().count();
        Projection { packet, serialized, stats }
    }

    fn into_packet(self, older: usize) -> Map<String, Value> {
        let mut packet = Map::new();
        let mut put = |key: &str, value: Value| packet.insert(key.to_owned(), value);
        put("schema", PACKET_SCHEMA.into());
        put("raw_message_count", self.raw_message_count.into());
        put("raw_transcript_digest", self.raw_transcript_digest.to_string().into());
        put("relevant_action_count", self.relevant_call_count.into());
        put("omitted_read_only_call_count", self.research.omitted_count().into());
        put("omitted_older_action_count", older.into());
        if self.omitted_harness_results > 0 {
            put("omitted_harness_authored_result_count", self.omitted_harness_results.into());
        }
        put("lifecycle_issue_count", self.issue_count.into());
        put("lifecycle_issues", json(&self.issues));
        put("actions", json(&self.actions));
        put("research_summary", json(&self.research));
        put("fallback_observations", json(&self.fallback));
        put("requirement_evidence", Value::Array(self.requirement_evidence));
        if let Some(claim) = self.claim {
            put("completion_claim", claim);
        }
        packet
    }
}

fn selection(action: &Action) -> Selection {
    Selection {
        name: action.name.clone(),
        evidence_role: action.semantics.evidence_role,
        evidence_index: action.evidence_index,
    }
}

/// Our records hold only what JSON can, so this cannot fail.
pub(crate) fn json(record: &impl Serialize) -> Value {
    serde_json::to_value(record).unwrap_or_default()
}
