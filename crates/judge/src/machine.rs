//! One boundary, as a machine: it says what it needs next and takes the answer as a value.
//!
//! [`open`] hands in everything that is known when a run proposes to stop. What comes back is a
//! question or the decision. A question is answered once, by the kind of value it asks for, and
//! gives the next; so a driver with a runtime, a file of recorded answers and a test that tries
//! every answer are the same loop. Time arrives as a number: milliseconds on any clock that does
//! not run backwards.

mod checkpoint;
mod conclude;
mod judging;
mod opening;
mod run;
mod settle;

use std::sync::Arc;

use serde_json::Value;

use quittance_evidence::snapshot::Snapshot;
use quittance_obligations::Obligations;

use crate::abandonment::Findings;
use crate::directive::{Directive, History};
use crate::event::Log;
use crate::gate::{Facts, Gate, VetoCharge, VetoCounts};
use crate::outcome::{Outcome, Standstill};
use crate::plan::Due;
use crate::policy::{PerSlot, Policy, Slot};
use crate::precheck::PrecheckQuestion;
use crate::prompt::{Earlier, Prompt};

pub use checkpoint::{Failure, Reply, Usage};
use judging::{Judging, Waiting};
use run::Run;

/// Everything that is known when a run proposes to stop.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The evidence. A reading that was observed before may be bound to it.
    pub snapshot: Snapshot,
    /// The task as amended.
    pub obligations: Obligations,
    /// Earlier turns of the conversation, which a judge is shown as context.
    pub earlier: Vec<Earlier>,
    /// Who may adjudicate.
    pub policy: Policy,
    /// How often each judge was asked at the turn's earlier boundaries.
    pub invocations: PerSlot<u64>,
    /// The gate's vetoes at the turn's earlier boundaries.
    pub vetoes: VetoCounts,
    /// What the last boundary left to remember.
    pub history: History,
    /// What a judge's records name as what proposed the stop; the stop reason where none is given.
    pub triggers: PerSlot<Option<String>>,
    /// Whether the completion judge's turn has come.
    pub completion_due: Due,
    /// When the boundary must be over, on the clock of the answers; none without a deadline.
    pub deadline_at_ms: Option<i64>,
    /// Whether the host delivers feedback itself.
    pub is_feedback_deferred: bool,
    /// Whether there is a boundary at all.
    pub standstill: Standstill,
    /// What convicts the end of unfinished work. A missing artifact is enough for no judge to be
    /// asked.
    pub findings: Findings,
}

impl Proposal {
    /// A proposal of which nothing more is known: the first boundary of a turn, without deadline.
    #[must_use]
    pub fn new(snapshot: Snapshot, obligations: Obligations, policy: Policy) -> Self {
        Self {
            snapshot,
            obligations,
            earlier: Vec::new(),
            policy,
            invocations: PerSlot::default(),
            vetoes: VetoCounts::default(),
            history: History::default(),
            triggers: PerSlot::default(),
            completion_due: Due::ByCadence,
            deadline_at_ms: None,
            is_feedback_deferred: false,
            standstill: Standstill::Proposed,
            findings: Findings::default(),
        }
    }
}

/// Opens a boundary.
#[must_use]
pub fn open(proposal: Proposal, now_ms: i64) -> Progress {
    Run::open(proposal, now_ms)
}

/// What the machine needs, or what it decided.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum Progress {
    /// The host's own closure is asked.
    Closure(Asked<ClosureQuestion>),
    /// The gate needs the facts.
    Facts(Asked<FactsQuestion>),
    /// The precheck is asked.
    Precheck(Asked<PrecheckAsked>),
    /// A judge is asked.
    Judge(AskedJudge),
    /// The boundary is decided.
    Decided(Box<Decision>),
}

/// A question that waits for its answer.
#[derive(Clone, Debug)]
pub struct Asked<Q> {
    question: Q,
    run: Box<Run>,
}

impl<Q> Asked<Q> {
    const fn new(question: Q, run: Box<Run>) -> Self {
        Self { question, run }
    }

    /// What is asked.
    pub const fn question(&self) -> &Q {
        &self.question
    }

    /// The evidence as it stands.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        self.run.snapshot()
    }

    /// What the run owes.
    #[must_use]
    pub fn obligations(&self) -> &Obligations {
        &self.run.terms.obligations
    }
}

/// Whether the host's closure lets the run stop. It reads the snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClosureQuestion;

/// What was written, and what the verifier says.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FactsQuestion {
    /// The gate, with the contract that still stands.
    pub gate: Gate,
}

/// A precheck before a judge.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PrecheckAsked {
    /// Whose precheck.
    pub slot: Slot,
    /// What is asked.
    pub question: PrecheckQuestion,
}

/// Why a judge is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum Why {
    /// For the first time.
    First,
    /// Its first reply could not be read.
    Retry,
    /// It approved and assessed no row.
    Itemize,
    /// It approved and named a gap.
    Contradiction,
    /// It quoted what is not in the evidence.
    UngroundedQuote,
    /// It refused over the run's own marker.
    DoneSentinel,
}

impl Why {
    /// Every reason, in the order in which they come.
    pub const ALL: [Self; 6] = [
        Self::First,
        Self::Retry,
        Self::Itemize,
        Self::Contradiction,
        Self::UngroundedQuote,
        Self::DoneSentinel,
    ];

    /// The reason's word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Retry => "retry",
            Self::Itemize => "itemize",
            Self::Contradiction => "contradiction",
            Self::UngroundedQuote => "ungrounded_quote",
            Self::DoneSentinel => "done_sentinel",
        }
    }
}

/// A question to a judge.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct JudgeQuestion {
    /// Which judge.
    pub slot: Slot,
    /// Why.
    pub why: Why,
    /// What is asked.
    pub prompt: Prompt,
    /// The model.
    pub model: String,
    /// How long the question may take, in ms.
    pub operation_budget_ms: i64,
    /// How long the provider may take, in ms.
    pub provider_timeout_ms: i64,
}

impl Asked<ClosureQuestion> {
    /// Takes the closure's answer, of any shape.
    #[must_use]
    pub fn answer(self, answer: &Value, now_ms: i64) -> Progress {
        self.run.closure_answered(answer, now_ms)
    }
}

impl Asked<FactsQuestion> {
    /// Takes the facts; none when they cannot be had.
    #[must_use]
    pub fn answer(self, facts: Option<&Facts>, now_ms: i64) -> Progress {
        let vetoes = &self.run.terms.vetoes;
        let answer = match facts {
            Some(facts) => self.question.gate.answer(facts, vetoes),
            None => Gate::without_facts(),
        };
        let mut run = self.run;
        run.charge = answer.charge;
        run.closure_answered(&answer.answer, now_ms)
    }
}

impl Asked<PrecheckAsked> {
    /// Takes the evaluator's answer, of any shape.
    #[must_use]
    pub fn answer(self, answer: &Value, now_ms: i64) -> Progress {
        let result = self.question.question.read(answer);
        self.run.prechecked(self.question.slot, result, now_ms)
    }
}

/// A question to a judge that waits for its reply.
#[derive(Clone, Debug)]
pub struct AskedJudge {
    question: JudgeQuestion,
    waiting: Waiting,
    judging: Box<Judging>,
    run: Box<Run>,
}

impl AskedJudge {
    /// What is asked.
    #[must_use]
    pub const fn question(&self) -> &JudgeQuestion {
        &self.question
    }

    /// The evidence as it stands.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        self.run.snapshot()
    }

    /// Takes the judge's reply, or why there is none.
    #[must_use]
    pub fn answer(self, reply: &Reply, now_ms: i64) -> Progress {
        self.judging.replied(self.run, self.question.why, self.waiting, reply, now_ms)
    }
}

/// A boundary, decided.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Decision {
    /// The word for it.
    pub outcome: Outcome,
    /// Why, as a word.
    pub cause: String,
    /// The directive. Where nobody was declared it accepts for want of an objection: look at
    /// `is_adjudicated`, and write no directive where it is false.
    pub directive: Directive,
    /// Whether there was a boundary and somebody declared to adjudicate it.
    pub is_adjudicated: bool,
    /// What the agent is told: everything that is unmet, in one text. Empty unless the outcome is
    /// `refused` or `abandoned`.
    pub feedback: String,
    /// What happened, in order.
    pub events: Log,
    /// What the next boundary of the turn must know.
    pub history: History,
    /// What the gate's veto costs, when it was one.
    pub charge: Option<VetoCharge>,
    /// The evidence, with what the verifier observed bound to it.
    pub snapshot: Arc<Snapshot>,
}
