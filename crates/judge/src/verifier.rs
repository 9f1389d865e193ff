//! What a green verifier entitles to: the one question three rules share, and the rules.
//!
//! A verifier that answered may overrule a model on the one question it answers, or make asking
//! needless. It never answers whether each thing the task asked for is there.

use quittance_evidence::verification::Observed;

use crate::gap::GapClass;
use crate::gate::GateReason;

/// What the deterministic stage is known to have said, as the rules read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifierReading<'a> {
    /// Whether the stage ran. A plan is no proof that anyone answered.
    pub deterministic_invoked: bool,
    /// Its own reason.
    pub deterministic_reason: &'a str,
    /// Whether a verifier was declared. A pass of none is no pass.
    pub oracle_expected: bool,
    /// What it observed.
    pub observed: Observed,
}

impl VerifierReading<'_> {
    /// Whether a declared verifier ran and passed, by a stage that could read its facts.
    #[must_use]
    pub fn answered_pass(&self) -> bool {
        self.deterministic_invoked
            && self.oracle_expected
            && self.deterministic_reason != GateReason::FactsUnavailable.as_str()
            && self.observed == Observed::Passed
    }

    /// Whether a refusal over a failed verification loses: the verifier says that it passed.
    #[must_use]
    pub fn overrules_failed_verification(&self, gap_class: GapClass) -> bool {
        gap_class == GapClass::FailedVerification && self.answered_pass()
    }

    /// Whether an approval that names an unnamed gap stands: it was pointed out once, came back,
    /// and names nothing that anyone could go and check.
    #[must_use]
    pub fn overrules_contradiction(&self, gap_class: GapClass, was_reasked: bool) -> bool {
        gap_class == GapClass::Other && was_reasked && self.answered_pass()
    }
}

/// The rest of what typed-green reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerminalReading<'a> {
    /// The verifier.
    pub verifier: VerifierReading<'a>,
    /// How the turn ended.
    pub stop_reason: &'a str,
    /// The candidate text as shown; a turn that is only the marker shows none.
    pub final_text: &'a str,
    /// Effects that outlive the turn make a reading stale.
    pub pending_effects: usize,
    /// A green verifier does not answer for open rows.
    pub open_rows: usize,
}

impl TerminalReading<'_> {
    /// Whether there is nothing left for a model to decide: the declared verifier passed over a
    /// change, and the turn is the sealed final answer with nothing open.
    #[must_use]
    pub fn is_typed_green(&self) -> bool {
        self.verifier.answered_pass()
            && self.verifier.deterministic_reason == GateReason::VerifiedAfterWrite.as_str()
            && self.stop_reason == "sentinel"
            && !self.final_text.trim().is_empty()
            && self.pending_effects == 0
            && self.open_rows == 0
    }
}
