//! The directive of a boundary and its receipt (`harn.completion_directive_receipt.v1`).

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use quittance_evidence::packet::ProjectionStats;
use quittance_evidence::verification::{Observed, VerificationState};

use crate::action::Action;
use crate::feedback::{Composition, StepHistory};
use crate::gap::{Gap, GapClass, unattributed};
use crate::ledger::Report;
use crate::policy::{PerSlot, Slot};
use crate::precheck::PrecheckResult;
use crate::record::{AdmissionReceipt, Envelope, shared, shared_or_null};
use crate::reply::GoalAssessment;
use crate::verdict::{Override, Source, StageVerdict};

/// Who was really asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Invocations {
    /// The deterministic closure.
    pub deterministic: bool,
    /// The verification judge.
    pub verify_completion_judge: bool,
    /// The completion judge.
    pub turn_end_condition: bool,
}

impl Invocations {
    pub(crate) const fn mark(&mut self, slot: Slot, invoked: bool) {
        match slot {
            Slot::Verification => self.verify_completion_judge = invoked,
            Slot::Completion => self.turn_end_condition = invoked,
        }
    }

    /// Whether a judge was asked.
    #[must_use]
    pub const fn judge(self, slot: Slot) -> bool {
        match slot {
            Slot::Verification => self.verify_completion_judge,
            Slot::Completion => self.turn_end_condition,
        }
    }
}

/// What became of the feedback.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum FeedbackDelivery {
    /// There is none, or none that is new.
    None,
    /// The host delivers it.
    Deferred,
    /// It was composed and handed over.
    Delivered,
}

/// Criteria that a judge refused on over a passing verifier, for the next boundary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CriterionRepeat {
    /// The rows named, once each.
    pub ids: Vec<String>,
    /// What had been done by then.
    pub evidence_state: String,
    /// Whether the verifier had passed.
    pub verified: bool,
    /// Which verifier.
    pub verifier: String,
}

/// What the next boundary of the turn must know of this one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    /// The last step asked for.
    pub step: StepHistory,
    /// The criteria last refused on.
    #[serde(default)]
    pub criterion_repeat: Option<CriterionRepeat>,
    /// Digests of the retirements of goal criteria that are on the record already.
    #[serde(default)]
    pub retired_goals: Vec<String>,
}

/// A directive.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Directive {
    /// What happens to the run.
    pub action: Action,
    /// What it was decided on.
    pub evidence_id: String,
    /// What the agent is told.
    pub feedback: Option<String>,
    /// The step that would mend it.
    pub repair: Option<String>,
    /// Everything else.
    #[serde(serialize_with = "shared")]
    pub receipt: Arc<DirectiveReceipt>,
}

/// The receipt of a directive. Every key is written.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the keys of the schema, each a verdict's field of that name")]
pub struct DirectiveReceipt {
    pub schema: &'static str,
    pub evidence_id: String,
    pub action: Action,
    pub trigger: String,
    pub source: Source,
    pub outcome: &'static str,
    pub reason: String,
    pub invoked: Invocations,
    pub feedback_delivery: FeedbackDelivery,
    pub projection: ProjectionStats,
    pub pending_tool_batch_effect_count: usize,
    pub converted_from: Option<String>,
    pub gap_class: Option<GapClass>,
    pub gap_count: usize,
    pub gaps_unattributed: usize,
    pub repeated_verified_criteria: Vec<String>,
    pub verification: Option<VerificationState>,
    #[serde(serialize_with = "shared_or_null")]
    pub admission: Option<Arc<AdmissionReceipt>>,
    #[serde(serialize_with = "shared_or_null")]
    pub checkpoint: Option<Arc<Envelope>>,
    pub precheck: Option<PrecheckResult>,
    pub requirements: Option<Report>,
    pub completion_claim: Option<Value>,
    pub goal_assessment: Option<GoalAssessment>,
    /// DIFFERENCE: the original's receipt shows the last stage's override alone, so that of a first
    /// judge is lost when a second answers or is skipped. Here every one is listed.
    pub overrides: Vec<SlotOverride>,
    /// DIFFERENCE: the original's receipt shows a refusal that names nothing by a count of 0 alone.
    pub refuses_without_gap: bool,
}

/// A judge's answer in whose place a rule put another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SlotOverride {
    /// Which judge.
    pub slot: Slot,
    /// By which rule, and what the judge had said.
    pub overruled: Override,
}

/// A finished evaluation, as the directive reads it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evaluated<'a> {
    pub(crate) verdict: &'a StageVerdict,
    pub(crate) snapshot: &'a quittance_evidence::snapshot::Snapshot,
    pub(crate) invoked: Invocations,
    pub(crate) capped: PerSlot<bool>,
    pub(crate) ledger: &'a Report,
    pub(crate) repeated: &'a [String],
    pub(crate) overrides: &'a [SlotOverride],
    pub(crate) composition: Option<&'a Composition>,
    pub(crate) is_deferred: bool,
}

const REPEATED: &str = "repeated_criterion_over_verified_pass";
const CAP_OVER_PASS: &str = "judge_cap_reached_over_verified_pass";
/// The verification judge's cap, under the name that the original gave it.
const VERIFICATION_CAP: &str = "completion_judge_cap_reached";
const COMPLETION_CAP: &str = "turn_end_judge_cap_reached";

impl Evaluated<'_> {
    fn is_passed(&self) -> bool {
        self.snapshot.verification().is_some_and(|state| state.observed == Observed::Passed)
    }

    fn is_capped(&self) -> bool {
        self.capped.verification || self.capped.completion
    }

    /// A cap says that the judge ran out of turns, not that the work is unfinished: a verifier that
    /// passed with no row open is the stronger answer.
    fn is_verified_at_cap(&self) -> bool {
        self.is_capped()
            && self.verdict.terminal.is_none()
            && self.is_passed()
            && self.ledger.pending_count() == 0
    }

    fn action(&self) -> Action {
        if self.is_verified_at_cap() || !self.repeated.is_empty() {
            Action::StopVerified
        } else if self.verdict.terminal.is_some() || self.is_capped() {
            Action::StopUnverified
        } else if self.verdict.vetoed {
            Action::Continue
        } else {
            Action::Accept
        }
    }

    fn reason(&self) -> String {
        if !self.repeated.is_empty() {
            REPEATED.to_owned()
        } else if self.is_verified_at_cap() {
            CAP_OVER_PASS.to_owned()
        } else if let Some(terminal) = &self.verdict.terminal {
            terminal.clone()
        } else if self.capped.verification {
            VERIFICATION_CAP.to_owned()
        } else if self.capped.completion {
            COMPLETION_CAP.to_owned()
        } else {
            let verdict = self.verdict;
            verdict.reason.clone().or_else(|| verdict.reasoning.clone()).unwrap_or_default()
        }
    }

    fn delivery(&self) -> FeedbackDelivery {
        let has_feedback = self.verdict.vetoed
            && self.verdict.feedback.as_deref().is_some_and(|text| !text.trim().is_empty());
        if self.composition.is_some_and(|composition| !composition.messages.is_empty()) {
            FeedbackDelivery::Delivered
        } else if has_feedback && self.is_deferred {
            FeedbackDelivery::Deferred
        } else {
            FeedbackDelivery::None
        }
    }

    fn outcome(&self, action: Action) -> &'static str {
        let outcome = self.verdict.judge_outcome.map(|outcome| outcome.as_str());
        let word = self.verdict.verdict.map(|word| word.as_str());
        outcome.or(word).unwrap_or_else(|| action.as_str())
    }

    /// Makes the directive.
    pub(crate) fn directive(&self) -> Directive {
        let verdict = self.verdict;
        let boundary = self.snapshot.boundary();
        let action = self.action();
        let (required, pending) = (self.ledger.required_count(), self.ledger.pending_count());
        let is_sealed = matches!(action, Action::Accept | Action::StopVerified);
        let is_shown = required > 0 || pending > 0 || is_sealed;
        let assessment = verdict.goal_assessment.clone();
        let receipt = DirectiveReceipt {
            schema: DirectiveReceipt::SCHEMA,
            evidence_id: self.snapshot.evidence_id().to_string(),
            action,
            trigger: verdict.trigger.clone().unwrap_or_else(|| boundary.stop_reason.clone()),
            source: verdict.source.unwrap_or(Source::Policy),
            outcome: self.outcome(action),
            reason: self.reason(),
            invoked: self.invoked,
            feedback_delivery: self.delivery(),
            projection: self.snapshot.stats().clone(),
            pending_tool_batch_effect_count: boundary.pending_effects,
            converted_from: verdict.converted_from.clone(),
            gap_class: verdict.gap_class,
            gap_count: verdict.gaps.len(),
            gaps_unattributed: unattributed(&verdict.gaps),
            repeated_verified_criteria: self.repeated.to_vec(),
            verification: self.snapshot.verification().cloned(),
            admission: verdict.admission.clone(),
            checkpoint: verdict.checkpoint.clone(),
            precheck: verdict.precheck.clone(),
            requirements: is_shown.then(|| self.ledger.clone()),
            completion_claim: boundary.claim.clone(),
            goal_assessment: assessment.filter(|_| required == 0 && pending == 0),
            overrides: self.overrides.to_vec(),
            refuses_without_gap: verdict.vetoed && verdict.refuses_without_gap,
        };
        Directive {
            action,
            evidence_id: receipt.evidence_id.clone(),
            feedback: verdict.feedback.clone(),
            repair: verdict.next_step.clone(),
            receipt: Arc::new(receipt),
        }
    }

    /// The criteria that a refusal repeats over a verifier that passed, when nothing has been done
    /// since the last refusal on them: a judge that cannot be satisfied, not an agent that did not
    /// try.
    pub(crate) fn repeated_criteria(&self, earlier: Option<&CriterionRepeat>) -> Vec<String> {
        let verdict = self.verdict;
        let Some(earlier) = earlier.filter(|earlier| earlier.verified) else { return Vec::new() };
        let ids = attributed_ids(&verdict.gaps);
        let is_settled = verdict.vetoed
            && verdict.terminal.is_none()
            && self.is_passed()
            && self.ledger.pending_count() == 0
            && self.snapshot.boundary().pending_effects == 0;
        let is_unchanged = self.verifier() == earlier.verifier
            && self.snapshot.substantive_evidence_state().to_string() == earlier.evidence_state;
        if is_settled && is_unchanged && is_same(&ids, &earlier.ids) { ids } else { Vec::new() }
    }

    /// What the next boundary must know of a refusal.
    pub(crate) fn criterion_repeat(&self) -> Option<CriterionRepeat> {
        let ids = attributed_ids(&self.verdict.gaps);
        (self.verdict.vetoed && !ids.is_empty()).then(|| CriterionRepeat {
            ids,
            evidence_state: self.snapshot.substantive_evidence_state().to_string(),
            verified: self.is_passed(),
            verifier: self.verifier().to_owned(),
        })
    }

    fn verifier(&self) -> &str {
        self.snapshot.verification().map(|state| state.command.as_str()).unwrap_or_default()
    }
}

impl DirectiveReceipt {
    /// The receipt's schema.
    pub const SCHEMA: &'static str = "harn.completion_directive_receipt.v1";
}

/// The rows that the gaps name, once each; none as soon as one gap names none.
fn attributed_ids(gaps: &[Gap]) -> Vec<String> {
    if unattributed(gaps) > 0 {
        return Vec::new();
    }
    let mut seen = std::collections::BTreeSet::new();
    let ids = gaps.iter().map(|gap| &gap.requirement_id);
    ids.filter(|id| seen.insert(*id)).cloned().collect()
}

fn is_same(ids: &[String], earlier: &[String]) -> bool {
    let sets = [ids, earlier].map(|ids| ids.iter().collect::<std::collections::BTreeSet<_>>());
    let [ids_set, earlier_set] = &sets;
    !ids.is_empty() && ids.len() == earlier.len() && ids_set == earlier_set
}
