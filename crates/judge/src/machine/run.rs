//! The evaluation: stage after stage, until nothing can change the answer.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::Value;

use quittance_evidence::snapshot::Snapshot;
use quittance_evidence::verification::Observed;

use super::judging::Judging;
use super::opening::Terms;
use super::{Asked, ClosureQuestion, FactsQuestion, PrecheckAsked, Progress};
use crate::arbitrate::arbitrate;
use crate::directive::{History, Invocations, SlotOverride};
use crate::event::{Event, Log};
use crate::gate::{ClosureVerdict, VetoCharge};
use crate::ledger::{Boundary, Report};
use crate::outcome::ClosureSaid;
use crate::plan::Stage;
use crate::policy::{Closure, PerSlot, Slot};
use crate::precheck::{PrecheckAction, PrecheckReading, PrecheckResult, prepare};
use crate::record::Record;
use crate::verdict::{JudgeOutcome, Source, StageVerdict, VerdictWord};
use crate::verifier::{TerminalReading, VerifierReading};

/// A boundary being evaluated.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) terms: Arc<Terms>,
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) history: History,
    pub(super) plan: VecDeque<Stage>,
    /// Whether anybody is there to adjudicate, whom the audit may have kept from being asked.
    pub(super) is_declared: bool,
    pub(super) verdict: StageVerdict,
    pub(super) invoked: Invocations,
    pub(super) capped: PerSlot<bool>,
    pub(super) deterministic_reason: String,
    pub(super) reports: Boundary,
    pub(super) ledger: Report,
    pub(super) said: ClosureSaid,
    pub(super) judge_done: bool,
    pub(super) overrides: Vec<SlotOverride>,
    pub(super) charge: Option<VetoCharge>,
    pub(super) events: Log,
    pub(super) now_ms: i64,
}

impl Run {
    pub(super) fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Whether another stage could still change the answer.
    pub(super) const fn can_advance(&self) -> bool {
        let capped = self.capped.verification || self.capped.completion;
        !self.verdict.vetoed && self.verdict.terminal.is_none() && !capped
    }

    pub(super) fn advance(mut self: Box<Self>) -> Progress {
        while self.can_advance() {
            match self.plan.pop_front() {
                None => break,
                Some(Stage::Deterministic) => return self.ask_closure(),
                Some(Stage::Judge(slot)) => match self.enter(slot) {
                    Entered::Skipped => {}
                    Entered::Precheck(asked) => {
                        return Progress::Precheck(Asked::new(*asked, self));
                    }
                    Entered::Judge(precheck) => return self.judge(slot, precheck),
                },
            }
        }
        Progress::Decided(Box::new(self.conclude()))
    }

    fn ask_closure(self: Box<Self>) -> Progress {
        match &self.terms.policy.closure {
            Closure::Gate(gate) => {
                let question = FactsQuestion { gate: gate.clone() };
                Progress::Facts(Asked::new(question, self))
            }
            Closure::Host | Closure::None => Progress::Closure(Asked::new(ClosureQuestion, self)),
        }
    }

    pub(super) fn closure_answered(mut self: Box<Self>, answer: &Value, now_ms: i64) -> Progress {
        self.now_ms = now_ms;
        let closure = ClosureVerdict::read(answer);
        self.verdict = StageVerdict::of_closure(&closure);
        self.reports.gate = Report::from_host(&closure.requirement_report);
        self.ledger = self.reports.report();
        self.said = closure.said;
        self.invoked.deterministic = true;
        self.deterministic_reason = closure.reason.unwrap_or_default();
        self.decide();
        if let Some(state) = closure.verification {
            Arc::make_mut(&mut self.snapshot).bind(state);
        }
        self.advance()
    }

    /// Puts the stage's decision on the record.
    fn decide(&mut self) {
        let iteration = self.snapshot().boundary().iteration;
        let decision = Box::new(self.verdict.decision(iteration));
        self.events.push(Event::JudgeDecision { decision });
    }

    pub(super) fn verifier(&self) -> VerifierReading<'_> {
        let state = self.snapshot().verification();
        VerifierReading {
            deterministic_invoked: self.invoked.deterministic,
            deterministic_reason: &self.deterministic_reason,
            oracle_expected: state.is_some_and(|state| state.oracle_expected),
            observed: state.map_or(Observed::NotRun, |state| state.observed),
        }
    }

    /// Whether a judge's stage ends without asking it.
    fn enter(&mut self, slot: Slot) -> Entered {
        let asked = *self.terms.invocations.get(slot);
        if self.terms.policy.cap(slot).is_some_and(|cap| asked >= cap) {
            *self.capped.get_mut(slot) = true;
            return Entered::Skipped;
        }
        if let Some(verdict) = self.skip(slot) {
            self.verdict = verdict;
            self.decide();
            return Entered::Skipped;
        }
        if self.terms.policy.refuses_empty_answers && says_nothing(&self.snapshot().boundary().text)
        {
            self.verdict = self.empty_answer(slot);
            self.decide();
            return Entered::Skipped;
        }
        let config = self.terms.policy.judges.get(slot).as_ref();
        let Some(config) = config.and_then(|config| config.precheck.as_ref()) else {
            return Entered::Judge(None);
        };
        let obligations = &self.terms.obligations;
        let reading = PrecheckReading {
            config,
            ledger: &self.ledger,
            verification: self.snapshot().verification(),
            last_claim: &self.snapshot().boundary().text,
            is_amended: !obligations.steers().is_empty() || obligations.accepted_stop().is_some(),
        };
        match prepare(reading) {
            Ok(question) => Entered::Precheck(Box::new(PrecheckAsked { slot, question })),
            Err(handed_over) => Entered::Judge(Some(handed_over)),
        }
    }

    /// The verdict in place of a judge that can decide nothing more. The ledger is looked at here
    /// too: a judge that is skipped would have taken the open rows with it.
    fn skip(&self, slot: Slot) -> Option<StageVerdict> {
        let boundary = self.snapshot().boundary();
        let terminal = TerminalReading {
            verifier: self.verifier(),
            stop_reason: &boundary.stop_reason,
            final_text: &boundary.text,
            pending_effects: boundary.pending_effects,
            open_rows: self.ledger.pending_count(),
        };
        let trigger = self.terms.triggers.get(slot).clone();
        if terminal.is_typed_green() {
            let outcome = JudgeOutcome::SkippedVerifiedAfterWrite;
            let skipped = StageVerdict::skipped(outcome, Source::Gate, trigger, &self.ledger);
            let reason = Some("verified_after_write".to_owned());
            return Some(StageVerdict { reason, ..skipped });
        }
        let is_light = self.terms.policy.review.is_light
            && slot == Slot::Verification
            && self.ledger.pending_count() == 0
            && self.invoked.deterministic
            && !self.verdict.vetoed
            && boundary.stop_reason == "sentinel";
        let outcome = JudgeOutcome::SkippedLightScrutiny;
        is_light.then(|| StageVerdict::skipped(outcome, Source::Catalog, trigger, &self.ledger))
    }

    /// The refusal of an answer that says nothing.
    fn empty_answer(&self, slot: Slot) -> StageVerdict {
        StageVerdict {
            vetoed: true,
            verdict: Some(VerdictWord::Continue),
            source: Some(Source::Gate),
            judge_outcome: Some(JudgeOutcome::SkippedEmptyAnswer),
            reason: Some("empty_answer".to_owned()),
            feedback: Some(EMPTY_ANSWER.to_owned()),
            next_step: Some(EMPTY_ANSWER.to_owned()),
            trigger: self.terms.triggers.get(slot).clone(),
            requirement_report: serde_json::to_value(&self.ledger).ok(),
            ..StageVerdict::default()
        }
    }

    pub(super) fn prechecked(
        mut self: Box<Self>,
        slot: Slot,
        result: PrecheckResult,
        now_ms: i64,
    ) -> Progress {
        self.now_ms = now_ms;
        let is_stop = match result.action {
            PrecheckAction::FullJudge => return self.judge(slot, Some(Box::new(result))),
            PrecheckAction::Continue => false,
            PrecheckAction::ControlStop => true,
        };
        let gap = result.gap_name.clone().unwrap_or_default();
        self.verdict = StageVerdict {
            vetoed: !is_stop,
            verdict: Some(VerdictWord::Continue),
            source: Some(Source::CompletionPrecheck),
            judge_outcome: Some(JudgeOutcome::SkippedPrecheck),
            reason: Some(result.reason.clone()),
            feedback: Some(if is_stop {
                String::new()
            } else {
                format!("Still missing, to be done and shown: {gap}")
            }),
            next_step: Some(gap),
            trigger: self.terms.triggers.get(slot).clone(),
            terminal: is_stop.then(|| format!("completion_precheck_{}", result.reason)),
            requirement_report: serde_json::to_value(&self.ledger).ok(),
            precheck: Some(result),
            ..StageVerdict::default()
        };
        self.decide();
        self.advance()
    }

    fn judge(mut self: Box<Self>, slot: Slot, precheck: Option<Box<PrecheckResult>>) -> Progress {
        let trigger = self.terms.triggers.get(slot).clone();
        let iteration = self.snapshot().boundary().iteration;
        self.events.push(Event::JudgeStarted { iteration, trigger });
        self.events.record(Record::Projection(self.snapshot.stats().clone()));
        Judging::begin(self, slot, precheck)
    }

    /// Takes a judge's verdict, arbitrates it and goes on.
    pub(super) fn judged(
        mut self: Box<Self>,
        slot: Slot,
        verdict: StageVerdict,
        report: Option<Report>,
        precheck: Option<Box<PrecheckResult>>,
    ) -> Progress {
        let arbitrated = arbitrate(verdict, &self.verifier());
        self.verdict = StageVerdict {
            trigger: self.terms.triggers.get(slot).clone(),
            precheck: precheck.map(|result| *result),
            ..arbitrated
        };
        let overruled = self.verdict.overruled;
        self.overrides.extend(overruled.map(|overruled| SlotOverride { slot, overruled }));
        self.decide();
        if let Some(report) = report {
            match slot {
                Slot::Verification => self.reports.verification = report,
                Slot::Completion => self.reports.completion = report,
            }
            self.ledger = self.reports.report();
        }
        let outcome = self.verdict.judge_outcome;
        self.invoked.mark(slot, outcome != Some(JudgeOutcome::AdmissionRefused));
        let is_done = self.verdict.verdict == Some(VerdictWord::Done);
        self.judge_done |= is_done && !self.verdict.vetoed && self.verdict.is_a_models();
        self.advance()
    }
}

/// Letters by their class that nobody sees: the fillers of Hangul.
const BLANK_LETTERS: [char; 4] = ['\u{115f}', '\u{1160}', '\u{3164}', '\u{ffa0}'];

/// Whether a text holds neither a letter nor a digit that can be seen.
fn says_nothing(text: &str) -> bool {
    !text.chars().any(|c| c.is_alphanumeric() && !BLANK_LETTERS.contains(&c))
}

const EMPTY_ANSWER: &str = "Your last message says nothing. Say in words what was done and what \
shows it, or what is still missing.";

enum Entered {
    Skipped,
    Precheck(Box<PrecheckAsked>),
    Judge(Option<Box<PrecheckResult>>),
}
