//! One question to a model: whether it may be put, and what its answer amounts to.

use std::sync::Arc;

use serde_json::Value;

use quittance_evidence::canonical::Digest;

use crate::admit::{Admission, Request, admit};
use crate::event::Log;
use crate::policy::{JudgeConfig, Model, ModelSource};
use crate::record::{AdmissionBudget, AdmissionReceipt, CacheReceipt, Envelope, Record};
use crate::reply::read_live;
use crate::verdict::JudgeOutcome;

/// What a judge's transport gave.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum Reply {
    /// A reply, as received.
    Text {
        /// Its text.
        text: String,
        /// What it cost.
        usage: Usage,
    },
    /// None.
    Failed {
        /// Why.
        failure: Failure,
        /// In words.
        message: String,
    },
}

impl Reply {
    /// A reply of which only the text is known.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into(), usage: Usage::default() }
    }
}

/// Why a judge gave no reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum Failure {
    /// It did not answer in time.
    Timeout,
    /// A key is missing or refused.
    Auth,
    /// Something on this machine keeps it from being reached.
    Environment,
    /// Anything else; it may answer the next time.
    Other,
}

impl Failure {
    /// Every failure.
    pub const ALL: [Self; 4] = [Self::Timeout, Self::Auth, Self::Environment, Self::Other];

    /// The failure's word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Timeout => "timeout",
            Self::Auth => "auth",
            Self::Environment => "environment",
            Self::Other => "other",
        }
    }

    /// What becomes of the judge. Where asking again would meet the same gap, it is unavailable.
    const fn outcome(self) -> JudgeOutcome {
        match self {
            Self::Timeout => JudgeOutcome::Timeout,
            Self::Auth | Self::Environment => JudgeOutcome::RouteUnavailable,
            Self::Other => JudgeOutcome::Error,
        }
    }
}

/// What a reply cost, in tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the usual four counts")]
pub struct Usage {
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub cache_read_tokens: u64,
    pub cache_write_tokens: u64,
}

/// A question that may be put.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Admitted {
    pub(super) model: String,
    pub(super) operation_budget_ms: i64,
    pub(super) provider_timeout_ms: i64,
    pub(super) receipt: Arc<AdmissionReceipt>,
}

/// A question that has been answered, or never will be.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ended {
    /// What it amounts to, the reply included.
    pub(super) envelope: Arc<Envelope>,
    /// What the judge's silence amounts to; of no account beside a reply.
    pub(super) outcome: JudgeOutcome,
    pub(super) admission: Arc<AdmissionReceipt>,
    pub(super) duration_ms: i64,
}

impl Ended {
    /// The reply, when it was certain.
    pub(super) fn reply(&self) -> Option<&Value> {
        self.envelope.data.as_ref()
    }

    fn refused(
        status: &'static str,
        outcome: JudgeOutcome,
        why: String,
        admission: AdmissionReceipt,
        log: &mut Log,
    ) -> Self {
        let admission = Arc::new(admission);
        log.record(Record::Admission(Arc::clone(&admission)));
        let envelope = Arc::new(Envelope::refused(status, why, Arc::clone(&admission)));
        Self { envelope, outcome, admission, duration_ms: 0 }
    }
}

/// When a question is put.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    pub(super) now_ms: i64,
    pub(super) deadline_at_ms: Option<i64>,
}

/// Decides whether a question may be put, and records it. A missing model comes first: the run must
/// not pay for a judge that was never eligible.
pub(super) fn admission(
    model: Model,
    config: &JudgeConfig,
    clock: Clock,
    prompt_chars: usize,
    log: &mut Log,
) -> Result<Admitted, Ended> {
    let (model, source) = match model {
        Model::Named { name, source } => (name, source.as_str()),
        Model::Unconfigured => return Err(unconfigured(log)),
        Model::SchemaUnsupported { name, source } => return Err(unsupported(name, source, log)),
    };
    let admission = admit(Request {
        now_ms: clock.now_ms,
        deadline_at_ms: clock.deadline_at_ms,
        operation_budget_ms: config.operation_timeout_ms.max(1),
        reserve_ms: config.deadline_reserve_ms.max(0),
    });
    let budget = budget(&admission, config.timeout_ms, prompt_chars);
    let receipt =
        AdmissionReceipt::new(admission.outcome, Some(model.clone()), source, Some(budget));
    if !admission.admitted {
        let why = "the judge was not asked: its question does not fit before the deadline";
        let outcome = JudgeOutcome::AdmissionRefused;
        return Err(Ended::refused("admission_refused", outcome, why.to_owned(), receipt, log));
    }
    let receipt = Arc::new(receipt);
    log.record(Record::Admission(Arc::clone(&receipt)));
    Ok(Admitted {
        model,
        operation_budget_ms: budget.operation_budget_ms,
        provider_timeout_ms: budget.provider_timeout_ms,
        receipt,
    })
}

fn budget(admission: &Admission, timeout_ms: Option<i64>, prompt_chars: usize) -> AdmissionBudget {
    let budget = admission.operation_budget_ms;
    AdmissionBudget {
        remaining_ms: admission.remaining_ms,
        operation_budget_ms: budget,
        requested_operation_budget_ms: admission.requested_operation_budget_ms,
        deadline_reserve_ms: admission.deadline_reserve_ms,
        provider_timeout_ms: budget.min(timeout_ms.unwrap_or(budget).max(1)),
        prompt_chars,
        prompt_token_estimate: prompt_chars.div_ceil(4),
    }
}

fn unconfigured(log: &mut Log) -> Ended {
    let why = "the judge was not asked: no model is set for it, and it never takes the run's own, \
               which would be asked the same question twice";
    let receipt = AdmissionReceipt::new("model_unconfigured", None, "unconfigured", None);
    let outcome = JudgeOutcome::ModelUnconfigured;
    Ended::refused("model_unconfigured", outcome, why.to_owned(), receipt, log)
}

fn unsupported(model: String, source: ModelSource, log: &mut Log) -> Ended {
    let why = format!("the judge was not asked: the model `{model}` cannot write a verdict");
    let receipt = AdmissionReceipt::new("schema_unsupported", Some(model), source.as_str(), None);
    Ended::refused("schema_unsupported", JudgeOutcome::ModelUnconfigured, why, receipt, log)
}

/// The stable prefix as a cache knows it, taken once for a stage.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CachedPrefix {
    hash: String,
    chars: usize,
}

impl CachedPrefix {
    pub(super) fn of(system: &str) -> Self {
        let hash = Digest::of_bytes(system.as_bytes()).to_string();
        Self { hash, chars: system.chars().count() }
    }

    fn record(&self, usage: Usage) -> Record {
        Record::Cache(CacheReceipt {
            schema: CacheReceipt::SCHEMA,
            eligible: self.chars > 0,
            stable_prefix_hash: self.hash.clone(),
            stable_prefix_chars: self.chars,
            cache_read_tokens: usage.cache_read_tokens,
            cache_write_tokens: usage.cache_write_tokens,
            cache_used: usage.cache_read_tokens > 0,
        })
    }
}

/// What a question's answer amounts to. Records envelope, cache and the admission's end.
pub(super) fn answered(
    reply: &Reply,
    prefix: &CachedPrefix,
    admission: Arc<AdmissionReceipt>,
    duration_ms: i64,
    log: &mut Log,
) -> Ended {
    let (envelope, outcome, usage) = match reply {
        Reply::Failed { failure, message } => {
            let status = if *failure == Failure::Timeout { "timeout" } else { "error" };
            let category = Some(failure.as_str());
            let envelope = Envelope::unanswered(status, message.clone(), category);
            (envelope, failure.outcome(), Usage::default())
        }
        Reply::Text { text, usage } => (read(text), JudgeOutcome::Error, *usage),
    };
    let ended = Ended { envelope: Arc::new(envelope), outcome, admission, duration_ms };
    log.record(Record::Envelope(Arc::clone(&ended.envelope)));
    log.record(prefix.record(usage));
    let closed = ended.admission.closed(&ended.envelope, duration_ms);
    log.record(Record::Admission(Arc::new(closed)));
    ended
}

fn read(text: &str) -> Envelope {
    match read_live(text) {
        Ok(live) => Envelope::accepted(live.reply, text.to_owned(), live.is_extracted),
        Err(why) => Envelope::unreadable(why.to_string(), text.to_owned()),
    }
}
