//! From a finished evaluation to directive, outcome and the one text the agent is told.

use std::sync::Arc;

use super::Decision;
use super::run::Run;
use crate::abandonment::AbandonmentCause;
use crate::action::Action;
use crate::directive::{CriterionRepeat, Directive, Evaluated};
use crate::feedback::{Candidate, Composition, FeedbackAction, compose};
use crate::ledger::pending_feedback;
use crate::outcome::{self, ClosureSaid, Decided, Outcome, Readings, Standstill, VerifierSaid};
use crate::record::{FeedbackRecord, Record};
use crate::verdict::{Rule, StageVerdict, VerdictWord};
use quittance_evidence::verification::Observed;

impl Run {
    pub(super) fn conclude(mut self) -> Decision {
        let (repeated, history) = self.criteria();
        self.history.criterion_repeat = history;
        self.overlay_open_rows();
        let composition = self.compose(&repeated);
        if let Some(composition) = &composition {
            self.history.step = composition.history.clone();
        }
        let directive = self.evaluated(&repeated, composition.as_ref()).directive();
        self.events.record(Record::Directive(Arc::clone(&directive.receipt)));
        self.decision(directive)
    }

    fn evaluated<'a>(
        &'a self,
        repeated: &'a [String],
        composition: Option<&'a Composition>,
    ) -> Evaluated<'a> {
        Evaluated {
            verdict: &self.verdict,
            snapshot: self.snapshot(),
            invoked: self.invoked,
            capped: self.capped,
            ledger: &self.ledger,
            repeated,
            overrides: &self.overrides,
            composition,
            is_deferred: self.terms.is_feedback_deferred,
        }
    }

    /// Criteria refused on again, and what to remember. Read before open rows are laid over.
    fn criteria(&self) -> (Vec<String>, Option<CriterionRepeat>) {
        let evaluated = self.evaluated(&[], None);
        let earlier = self.history.criterion_repeat.as_ref();
        (evaluated.repeated_criteria(earlier), evaluated.criterion_repeat())
    }

    /// Whoever approved, a declared row that nobody has found met refuses.
    fn overlay_open_rows(&mut self) {
        if !self.can_advance() || self.ledger.pending_count() == 0 {
            return;
        }
        self.verdict = StageVerdict {
            vetoed: true,
            verdict: Some(VerdictWord::Continue),
            reason: Some(Rule::RequirementsPending.as_str().to_owned()),
            feedback: Some(pending_feedback(&self.ledger)),
            requirement_report: serde_json::to_value(&self.ledger).ok(),
            ..std::mem::take(&mut self.verdict)
        };
    }

    /// Composes the feedback and puts it on the record, unless the host delivers it.
    fn compose(&mut self, repeated: &[String]) -> Option<Composition> {
        let content = self.verdict.feedback.clone().filter(|text| !text.is_empty())?;
        if !self.verdict.vetoed || !repeated.is_empty() || self.terms.is_feedback_deferred {
            return None;
        }
        let candidate = Candidate {
            content,
            source: self.verdict.trigger.clone().unwrap_or_else(|| "completion_judge".to_owned()),
            reason: "judge_veto".to_owned(),
            action: FeedbackAction::Continue,
            kind: "verify_completion".to_owned(),
            priority: None,
            next_step: self.verdict.next_step.clone().unwrap_or_default(),
        };
        let knowledge_state = self.snapshot().knowledge_state().to_string();
        let history = &self.history.step;
        let composition = compose(vec![candidate], history, &knowledge_state);
        self.events.record(Record::Feedback(FeedbackRecord {
            schema: FeedbackRecord::SCHEMA,
            messages: composition.messages.clone(),
            suppressed: composition.suppressed.clone(),
            knowledge_state,
            history: composition.history.clone(),
        }));
        Some(composition)
    }

    fn decision(self, directive: Directive) -> Decision {
        let decided = self.decided(&directive);
        let readings = Readings {
            standstill: self.terms.standstill,
            decided: Some(decided).filter(|_| self.is_declared),
            abandonment: self.terms.findings.abandonment.as_ref().map(|record| record.cause),
            audit_convicts: !self.terms.findings.missing_artifacts.is_empty(),
        };
        let outcome = self.unless_withheld(outcome::read(&readings));
        let is_shown = self.is_declared && self.terms.standstill == Standstill::Proposed;
        Decision {
            outcome,
            cause: self.cause(outcome, &directive, decided),
            feedback: self.told(outcome, &directive),
            history: self.history,
            events: self.events,
            charge: self.charge,
            snapshot: self.snapshot,
            is_adjudicated: is_shown,
            directive,
        }
    }

    /// What lets nobody approve, whoever was asked: rows that nobody was there to assess, and what
    /// would have convicted the end, had the run not been kept from going on.
    fn withheld(&self) -> Option<&'static str> {
        let unassessed = self.terms.policy.unassessed.as_ref().map(|_| "requirements_unassessed");
        unassessed.or(self.terms.findings.withheld.map(AbandonmentCause::as_str))
    }

    fn unless_withheld(&self, outcome: Outcome) -> Outcome {
        let is_withheld = self.withheld().is_some();
        if is_withheld && outcome.approves() { Outcome::Unverified } else { outcome }
    }

    fn decided(&self, directive: &Directive) -> Decided {
        Decided {
            action: directive.action,
            closure: self.said,
            judge_done: self.judge_done,
            verifier: self.verifier_said(),
            open_rows: self.ledger.pending_count(),
        }
    }

    /// What a declared verifier observed: one that was expected, or named by its command.
    fn verifier_said(&self) -> VerifierSaid {
        let Some(state) = self.snapshot().verification() else { return VerifierSaid::Nothing };
        let is_declared = state.oracle_expected || !state.command.trim().is_empty();
        let is_read = self.deterministic_reason != "facts_unavailable";
        match state.observed {
            Observed::Passed if is_declared && is_read => VerifierSaid::Passed,
            Observed::Failed => VerifierSaid::Failed,
            Observed::Passed | Observed::NotRun => VerifierSaid::Nothing,
        }
    }

    fn cause(&self, outcome: Outcome, directive: &Directive, decided: Decided) -> String {
        let word = match outcome {
            Outcome::Waiting | Outcome::Stopped => "",
            Outcome::Abandoned => self
                .terms
                .findings
                .abandonment
                .as_ref()
                .map_or(AbandonmentCause::DeclaredArtifactMissing, |record| record.cause)
                .as_str(),
            Outcome::Unadjudicated if decided.closure == ClosureSaid::Nothing => "no_adjudicator",
            Outcome::Unverified
                if matches!(directive.action, Action::Accept | Action::StopVerified)
                    && let Some(withheld) = self.withheld() =>
            {
                withheld
            }
            Outcome::Unverified if directive.action == Action::Accept => match decided.closure {
                ClosureSaid::BudgetSpent if !decided.judge_done => "veto_budget_exhausted",
                _ => "red_verifier_not_confirmed",
            },
            Outcome::Refused
            | Outcome::Unverified
            | Outcome::Unadjudicated
            | Outcome::Verified
            | Outcome::Accepted => return self.reason(directive),
        };
        word.to_owned()
    }

    /// The receipt's reason where it is a word; a judge's sentence is not a cause.
    fn reason(&self, directive: &Directive) -> String {
        let receipt = &directive.receipt;
        let is_sentence = receipt.reason.is_empty()
            || (self.verdict.reason.is_none()
                && receipt.reason == self.verdict.reasoning.as_deref().unwrap_or_default());
        if !is_sentence {
            return receipt.reason.clone();
        }
        match (self.verdict.is_a_models(), directive.action) {
            (true, Action::Continue) => "judge_veto".to_owned(),
            (true, _) => "judge_done".to_owned(),
            (false, _) => "verify_completion".to_owned(),
        }
    }

    /// One text that names everything: what was refused, and what is missing. Never empty, since a
    /// host that blocks a stop must say why.
    fn told(&self, outcome: Outcome, directive: &Directive) -> String {
        if !matches!(outcome, Outcome::Refused | Outcome::Abandoned) {
            return String::new();
        }
        let refusal = directive.feedback.as_deref().unwrap_or_default().trim();
        let found = self.terms.findings.sentence();
        let parts = [refusal, found.as_str()];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        if parts.is_empty() { outcome.sentence().to_owned() } else { parts.join("\n\n") }
    }
}
