//! The verdict of one stage: the answer of record, the judge's own, and who overruled whom.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use crate::gap::{Gap, GapClass};
use crate::gate::ClosureVerdict;
use crate::ledger::Report;
use crate::precheck::PrecheckResult;
use crate::record::{AdmissionReceipt, Envelope};
use crate::reply::{GoalAssessment, JudgeWord};

/// The word of a stage that asked, or would have asked, a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum VerdictWord {
    /// Finished.
    Done,
    /// Not finished.
    Continue,
    /// The judge could not say.
    Unavailable,
}

impl VerdictWord {
    /// Every word.
    pub const ALL: [Self; 3] = [Self::Done, Self::Continue, Self::Unavailable];

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Continue => "continue",
            Self::Unavailable => "unavailable",
        }
    }
}

impl From<JudgeWord> for VerdictWord {
    fn from(word: JudgeWord) -> Self {
        match word {
            JudgeWord::Done => Self::Done,
            JudgeWord::Continue => Self::Continue,
        }
    }
}

/// Whose answer the verdict of record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum Source {
    /// The deterministic closure's.
    Deterministic,
    /// A model's.
    Llm,
    /// A rule's, over a model or in its place.
    Gate,
    /// The model catalog's.
    Catalog,
    /// The precheck's.
    CompletionPrecheck,
    /// Nobody's: nothing stood against the stop.
    Policy,
}

impl Source {
    /// Every source.
    pub const ALL: [Self; 6] = [
        Self::Deterministic,
        Self::Llm,
        Self::Gate,
        Self::Catalog,
        Self::CompletionPrecheck,
        Self::Policy,
    ];

    /// The source's word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Deterministic => "deterministic",
            Self::Llm => "llm",
            Self::Gate => "gate",
            Self::Catalog => "catalog",
            Self::CompletionPrecheck => "completion_precheck",
            Self::Policy => "policy",
        }
    }
}

/// Why a model's answer is not a plain verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum JudgeOutcome {
    /// Not asked: the verifier passed over a change and nothing is open.
    SkippedVerifiedAfterWrite,
    /// Not asked: the catalog asks for light scrutiny.
    SkippedLightScrutiny,
    /// Not asked: the precheck answered.
    SkippedPrecheck,
    /// Not asked: it does not fit before the deadline.
    AdmissionRefused,
    /// Not asked: there is no model to ask.
    ModelUnconfigured,
    /// It could not be reached for want of a key or of something on this machine.
    RouteUnavailable,
    /// It did not answer in time.
    Timeout,
    /// It answered twice, and neither answer could be read.
    Error,
}

impl JudgeOutcome {
    /// Every outcome.
    pub const ALL: [Self; 8] = [
        Self::SkippedVerifiedAfterWrite,
        Self::SkippedLightScrutiny,
        Self::SkippedPrecheck,
        Self::AdmissionRefused,
        Self::ModelUnconfigured,
        Self::RouteUnavailable,
        Self::Timeout,
        Self::Error,
    ];

    /// The outcome's word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SkippedVerifiedAfterWrite => "skipped_verified_after_write",
            Self::SkippedLightScrutiny => "skipped_light_scrutiny",
            Self::SkippedPrecheck => "skipped_precheck",
            Self::AdmissionRefused => "admission_refused",
            Self::ModelUnconfigured => "model_unconfigured",
            Self::RouteUnavailable => "route_unavailable",
            Self::Timeout => "timeout",
            Self::Error => "error",
        }
    }

    /// The reason for which a judge that could not answer ends the run; none for a skip.
    #[must_use]
    pub const fn terminal_reason(self) -> Option<&'static str> {
        match self {
            Self::SkippedVerifiedAfterWrite
            | Self::SkippedLightScrutiny
            | Self::SkippedPrecheck => None,
            Self::AdmissionRefused => Some("completion_judge_deadline_admission_refused"),
            Self::ModelUnconfigured => Some("completion_judge_model_unconfigured"),
            Self::RouteUnavailable => Some("completion_judge_route_unavailable"),
            Self::Timeout => Some("completion_judge_deadline_timeout"),
            Self::Error => Some("completion_judge_error"),
        }
    }
}

/// A rule that puts its own answer in the place of a judge's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "an answer: a new rule must be thought about")]
pub enum Rule {
    /// Rows are open.
    RequirementsPending,
    /// It approved and named a gap.
    GapContradictsDone,
    /// It refused over a verification that the verifier says has passed.
    FailedVerificationContradicted,
    /// It approved beside an unnamed gap, was asked again, and the verifier has passed.
    ContradictionSurvived,
}

impl Rule {
    /// Every rule.
    pub const ALL: [Self; 4] = [
        Self::RequirementsPending,
        Self::GapContradictsDone,
        Self::FailedVerificationContradicted,
        Self::ContradictionSurvived,
    ];

    /// The rule's name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RequirementsPending => "completion_requirements_pending",
            Self::GapContradictsDone => "completion_judge_gap_contradicts_done",
            Self::FailedVerificationContradicted => "failed_verification_contradicted_by_gate",
            Self::ContradictionSurvived => {
                "gap_contradicts_done_survived_reask_over_passing_verifier"
            }
        }
    }
}

impl Serialize for Rule {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Who overruled a judge, by which rule, and what the judge had said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Override {
    /// Always the gate: no model overrules another.
    pub party: &'static str,
    /// The rule.
    pub rule: Rule,
    /// The judge's own answer.
    pub judge_verdict: VerdictWord,
}

impl Override {
    pub(crate) const fn by(rule: Rule, judge_verdict: VerdictWord) -> Self {
        Self { party: "gate", rule, judge_verdict }
    }
}

/// The verdict of one stage.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct StageVerdict {
    /// Whether it refuses.
    pub vetoed: bool,
    /// Whether it confirmed; the opposite of `vetoed` where it did not say.
    pub confirm: Option<bool>,
    /// The answer of record; none of a closure, which answers without a word.
    pub verdict: Option<VerdictWord>,
    /// What the agent is told.
    pub feedback: Option<String>,
    /// Why, in words.
    pub reasoning: Option<String>,
    /// The step that would mend it.
    pub next_step: Option<String>,
    /// Whose answer it is.
    pub source: Option<Source>,
    /// A model's own answer, whatever became of it.
    pub judge_verdict: Option<VerdictWord>,
    /// Who put another answer in its place.
    pub overruled: Option<Override>,
    /// Who proposed or answered.
    pub trigger: Option<String>,
    /// Why, as a word.
    pub reason: Option<String>,
    /// The class of the gap.
    pub gap_class: Option<GapClass>,
    /// The gaps named, kept even of an answer that was overruled.
    pub gaps: Vec<Gap>,
    /// Whether the judge refused and named nothing.
    pub refuses_without_gap: bool,
    /// Whether the judge was told that it contradicts itself.
    pub contradiction_reasked: bool,
    /// What a pass was converted from.
    pub converted_from: Option<String>,
    /// Whether something else should be tried, as given.
    pub escalation_recommended: Option<Value>,
    /// Where to escalate to.
    pub escalation_target: Option<String>,
    /// How long the first question took, in ms.
    pub judge_duration_ms: i64,
    /// Why there is no plain answer.
    pub judge_outcome: Option<JudgeOutcome>,
    /// Why the run ends here. Trimmed and not empty.
    pub terminal: Option<String>,
    /// The admission of the first question.
    pub admission: Option<Arc<AdmissionReceipt>>,
    /// The envelope of the first question.
    pub checkpoint: Option<Arc<Envelope>>,
    /// The rows assessed, as given.
    pub requirement_report: Option<Value>,
    /// How far the goal was reached.
    pub goal_assessment: Option<GoalAssessment>,
    /// What the precheck said.
    pub precheck: Option<PrecheckResult>,
}

impl StageVerdict {
    /// The verdict of a closure.
    #[must_use]
    pub fn of_closure(closure: &ClosureVerdict) -> Self {
        let report = &closure.requirement_report;
        Self {
            vetoed: closure.vetoed,
            confirm: Some(closure.confirm),
            feedback: closure.feedback.clone(),
            source: Some(Source::Deterministic),
            trigger: Some(closure.trigger.clone()),
            reason: closure.reason.clone(),
            converted_from: closure.converted_from.clone(),
            escalation_recommended: closure.escalation_recommended.clone(),
            escalation_target: closure.escalation_target.clone(),
            terminal: closure.terminal.clone(),
            requirement_report: (!report.is_null()).then(|| report.clone()),
            ..Self::default()
        }
    }

    /// The verdict in place of a judge that need not be asked.
    pub(crate) fn skipped(
        outcome: JudgeOutcome,
        source: Source,
        trigger: Option<String>,
        ledger: &Report,
    ) -> Self {
        Self {
            verdict: Some(VerdictWord::Done),
            source: Some(source),
            judge_outcome: Some(outcome),
            trigger,
            requirement_report: serde_json::to_value(ledger).ok(),
            ..Self::default()
        }
    }

    /// The verdict of a judge that could not answer. It ends the run: a veto that no turn can
    /// answer would only spend the run's other budgets.
    pub(crate) fn unavailable(outcome: JudgeOutcome, why: &str) -> Self {
        let reason = outcome.terminal_reason().map(str::to_owned);
        Self {
            confirm: Some(false),
            verdict: Some(VerdictWord::Unavailable),
            feedback: (outcome == JudgeOutcome::Error).then(|| why.to_owned()),
            reasoning: Some(why.to_owned()),
            next_step: Some(String::new()),
            source: Some(Source::Llm),
            judge_outcome: Some(outcome),
            reason: reason.clone(),
            terminal: reason,
            ..Self::default()
        }
    }

    /// Whether a model gave the answer that this verdict began as.
    #[must_use]
    pub fn is_a_models(&self) -> bool {
        self.judge_verdict.is_some()
    }

    /// The record of the decision, as a host shows it.
    #[must_use]
    pub fn decision(&self, iteration: i64) -> JudgeDecision {
        let word = if self.vetoed { VerdictWord::Continue } else { VerdictWord::Done };
        JudgeDecision {
            iteration,
            verdict: self.verdict.unwrap_or(word),
            reasoning: self.reasoning.clone().unwrap_or_default(),
            next_step: self.next_step.clone().unwrap_or_default(),
            judge_duration_ms: self.judge_duration_ms,
            source: self.source.map_or("unknown", Source::as_str),
            trigger: self.trigger.clone(),
            reason: self.reason.clone(),
            gap_class: self.gap_class,
            confirm: self.confirm.unwrap_or(!self.vetoed),
            converted_from: self.converted_from.clone(),
            escalation_recommended: self.escalation_recommended.clone(),
            escalation_target: self.escalation_target.clone(),
            judge_outcome: self.judge_outcome,
            // Whoever looks at the end of a run wants what it was ended on.
            terminal_evidence_preserved: self.terminal.is_some(),
            requirement_report: self.requirement_report.clone(),
            judge_verdict: self.judge_verdict,
            overruled: self.overruled,
        }
    }
}

/// One decision, as a host shows it (`judge_decision`).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields of the verdict, under its names")]
pub struct JudgeDecision {
    pub iteration: i64,
    pub verdict: VerdictWord,
    pub reasoning: String,
    pub next_step: String,
    pub judge_duration_ms: i64,
    pub source: &'static str,
    pub trigger: Option<String>,
    pub reason: Option<String>,
    pub gap_class: Option<GapClass>,
    pub confirm: bool,
    pub converted_from: Option<String>,
    pub escalation_recommended: Option<Value>,
    pub escalation_target: Option<String>,
    pub judge_outcome: Option<JudgeOutcome>,
    pub terminal_evidence_preserved: bool,
    pub requirement_report: Option<Value>,
    pub judge_verdict: Option<VerdictWord>,
    #[serde(rename = "override")]
    pub overruled: Option<Override>,
}
