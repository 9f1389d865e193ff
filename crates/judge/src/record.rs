//! The records a boundary leaves, under the schemas that the original gave them.
//!
//! They are made as the boundary goes and written out only when somebody serializes them; a copy
//! shares them.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use serde_json::Value;

use quittance_evidence::packet::ProjectionStats;

use crate::directive::DirectiveReceipt;
use crate::feedback::{Message, StepHistory, Suppressed};
use crate::machine::Why;

/// The name under which a judge's questions are recorded.
pub const CHECKPOINT_NAME: &str = "agent.completion_judge";

/// The schema of the packet's statistics, which `quittance-evidence` writes.
const PROJECTION_SCHEMA: &str = "harn.completion_judge_evidence_projection.v1";

/// Writes what an [`Arc`] holds.
pub(crate) fn shared<T: Serialize, S: Serializer>(
    value: &Arc<T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.as_ref().serialize(serializer)
}

/// Writes what an [`Arc`] holds, or null.
#[expect(clippy::ref_option, reason = "serde asks for a reference to the field")]
pub(crate) fn shared_or_null<T: Serialize, S: Serializer>(
    value: &Option<Arc<T>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.as_deref().serialize(serializer)
}

/// One record.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Record {
    /// What a judge is about to be shown.
    Projection(ProjectionStats),
    /// Whether a question may be put, and how it ended.
    #[serde(serialize_with = "shared")]
    Admission(Arc<AdmissionReceipt>),
    /// What a question's answer amounts to.
    #[serde(serialize_with = "shared")]
    Envelope(Arc<Envelope>),
    /// What a cache made of the prefix.
    Cache(CacheReceipt),
    /// A further question for a report.
    Itemization(ItemizationRetry),
    /// A further question about the reply itself.
    Reask(ReaskRetry),
    /// Rows that a retarget retired.
    RequirementsRetired(Value),
    /// Criteria of a goal that a retarget retired.
    GoalCriteriaRetired(Value),
    /// What the agent is told, and what was left out of it.
    Feedback(FeedbackRecord),
    /// The directive's receipt.
    #[serde(serialize_with = "shared")]
    Directive(Arc<DirectiveReceipt>),
}

impl Record {
    /// The record's schema; of an envelope, which carries none, its type.
    #[must_use]
    pub fn schema(&self) -> &str {
        match self {
            Self::Projection(_) => PROJECTION_SCHEMA,
            Self::Admission(_) => AdmissionReceipt::SCHEMA,
            Self::Envelope(_) => Envelope::TYPE,
            Self::Cache(_) => CacheReceipt::SCHEMA,
            Self::Itemization(_) => ItemizationRetry::SCHEMA,
            Self::Reask(_) => ReaskRetry::SCHEMA,
            Self::RequirementsRetired(record) | Self::GoalCriteriaRetired(record) => {
                record.get("schema").and_then(Value::as_str).unwrap_or_default()
            }
            Self::Feedback(_) => FeedbackRecord::SCHEMA,
            Self::Directive(_) => DirectiveReceipt::SCHEMA,
        }
    }
}

/// Whether a question may be put (`harn.completion_judge_admission.v1`). Times in milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AdmissionReceipt {
    schema: &'static str,
    checkpoint_name: &'static str,
    /// Whether it may.
    pub admitted: bool,
    /// Why not, or how it ended.
    pub outcome: &'static str,
    /// The model, where there is one.
    pub judge_model: Option<String>,
    /// Who named it.
    pub judge_model_source: &'static str,
    /// What the clock allows; nothing where it was not asked.
    #[serde(flatten)]
    pub budget: Option<AdmissionBudget>,
    /// How long the answer took, once there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<i64>,
}

impl AdmissionReceipt {
    /// The record's schema.
    pub const SCHEMA: &'static str = "harn.completion_judge_admission.v1";

    pub(crate) const fn new(
        outcome: &'static str,
        judge_model: Option<String>,
        judge_model_source: &'static str,
        budget: Option<AdmissionBudget>,
    ) -> Self {
        Self {
            schema: Self::SCHEMA,
            checkpoint_name: CHECKPOINT_NAME,
            admitted: matches!(budget, Some(AdmissionBudget { operation_budget_ms: 1.., .. })),
            outcome,
            judge_model,
            judge_model_source,
            budget,
            duration_ms: None,
        }
    }

    /// The admission again, with how its question ended.
    pub(crate) fn closed(&self, envelope: &Envelope, duration_ms: i64) -> Self {
        Self {
            outcome: if envelope.ok { "completed" } else { envelope.status },
            duration_ms: Some(duration_ms),
            ..self.clone()
        }
    }
}

/// What the clock allows a question. Times in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the keys of the schema, as the admission names them")]
pub struct AdmissionBudget {
    pub remaining_ms: Option<i64>,
    pub operation_budget_ms: i64,
    pub requested_operation_budget_ms: i64,
    pub deadline_reserve_ms: i64,
    pub provider_timeout_ms: i64,
    pub prompt_chars: usize,
    pub prompt_token_estimate: usize,
}

/// What a question's answer amounts to (`typed_output_checkpoint`).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Envelope {
    #[serde(rename = "_type")]
    kind: &'static str,
    version: u8,
    name: &'static str,
    /// Whether there is a reply.
    pub ok: bool,
    /// `accepted`, or what became of the question.
    pub status: &'static str,
    /// The reply.
    pub data: Option<Value>,
    /// Its text, as received.
    pub raw_text: String,
    /// Why there is none.
    pub error: Option<String>,
    /// What kind of failure that is.
    pub error_category: Option<&'static str>,
    /// How often it was sent: this crate puts a question once and counts each anew.
    pub attempts: u8,
    /// Whether the reply had to be taken out of other text.
    pub extracted_json: bool,
    /// The admission, of a question that was never put.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "shared_or_null")]
    pub receipt: Option<Arc<AdmissionReceipt>>,
}

impl Envelope {
    /// What stands in place of a schema.
    pub const TYPE: &'static str = "typed_output_checkpoint";

    /// The envelope of a text that holds no certain verdict.
    pub(crate) fn unreadable(error: String, raw_text: String) -> Self {
        Self { raw_text, ..Self::unanswered("schema_rejected", error, None) }
    }

    pub(crate) fn unanswered(
        status: &'static str,
        error: String,
        error_category: Option<&'static str>,
    ) -> Self {
        Self {
            kind: Self::TYPE,
            version: 1,
            name: CHECKPOINT_NAME,
            ok: false,
            status,
            data: None,
            raw_text: String::new(),
            error: Some(error),
            error_category,
            attempts: 1,
            extracted_json: false,
            receipt: None,
        }
    }

    /// The envelope of a question that was never put.
    pub(crate) fn refused(
        status: &'static str,
        error: String,
        receipt: Arc<AdmissionReceipt>,
    ) -> Self {
        Self { attempts: 0, receipt: Some(receipt), ..Self::unanswered(status, error, None) }
    }

    pub(crate) fn accepted(data: Value, raw_text: String, extracted_json: bool) -> Self {
        Self {
            ok: true,
            data: Some(data),
            raw_text,
            error: None,
            extracted_json,
            ..Self::unanswered("accepted", String::new(), None)
        }
    }
}

/// What a cache made of the prefix (`harn.completion_judge_cache.v1`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the keys of the schema")]
pub struct CacheReceipt {
    pub schema: &'static str,
    pub eligible: bool,
    pub stable_prefix_hash: String,
    pub stable_prefix_chars: usize,
    pub cache_read_tokens: u64,
    pub cache_write_tokens: u64,
    pub cache_used: bool,
}

impl CacheReceipt {
    /// The record's schema.
    pub const SCHEMA: &'static str = "harn.completion_judge_cache.v1";
}

/// A further question for a report (`harn.completion_judge_itemization_retry.v1`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the keys of the schema")]
pub struct ItemizationRetry {
    pub schema: &'static str,
    pub required_count: usize,
    pub reask_status: &'static str,
    pub itemized_after_reask: bool,
}

impl ItemizationRetry {
    /// The record's schema.
    pub const SCHEMA: &'static str = "harn.completion_judge_itemization_retry.v1";

    pub(crate) const fn new(
        required_count: usize,
        reask_status: &'static str,
        itemized_after_reask: bool,
    ) -> Self {
        Self { schema: Self::SCHEMA, required_count, reask_status, itemized_after_reask }
    }
}

/// A further question about the reply itself (`harn.completion_judge_contradiction_retry.v1`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the keys of the schema")]
pub struct ReaskRetry {
    pub schema: &'static str,
    pub reask_status: &'static str,
    pub reask_readable: bool,
    pub reask_reason: &'static str,
}

impl ReaskRetry {
    /// The record's schema.
    pub const SCHEMA: &'static str = "harn.completion_judge_contradiction_retry.v1";

    pub(crate) const fn new(why: Why, reask_status: &'static str, reask_readable: bool) -> Self {
        Self { schema: Self::SCHEMA, reask_status, reask_readable, reask_reason: why.as_str() }
    }
}

/// What the agent is told, and what was left out of it (`harn.agent_feedback_composition.v1`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the keys of the schema")]
pub struct FeedbackRecord {
    pub schema: &'static str,
    pub messages: Vec<Message>,
    pub suppressed: Vec<Suppressed>,
    pub knowledge_state: String,
    pub history: StepHistory,
}

impl FeedbackRecord {
    /// The record's schema.
    pub const SCHEMA: &'static str = "harn.agent_feedback_composition.v1";
}
