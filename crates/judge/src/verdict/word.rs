//! The words of a verdict: what was said, whose answer it is, and which rule put it there.

use serde::Serialize;

use crate::reply::JudgeWord;

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
    /// Not asked: the answer says nothing.
    SkippedEmptyAnswer,
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
    pub const ALL: [Self; 9] = [
        Self::SkippedVerifiedAfterWrite,
        Self::SkippedLightScrutiny,
        Self::SkippedPrecheck,
        Self::SkippedEmptyAnswer,
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
            Self::SkippedEmptyAnswer => "skipped_empty_answer",
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
            | Self::SkippedPrecheck
            | Self::SkippedEmptyAnswer => None,
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
