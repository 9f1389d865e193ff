//! The verdict of one stage: the answer of record, the judge's own, and who overruled whom.

mod word;

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use crate::gap::{Gap, GapClass};
use crate::gate::ClosureVerdict;
use crate::ledger::Report;
use crate::precheck::PrecheckResult;
use crate::record::{AdmissionReceipt, Envelope};
use crate::reply::GoalAssessment;

pub use word::{JudgeOutcome, Override, Rule, Source, VerdictWord};

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
