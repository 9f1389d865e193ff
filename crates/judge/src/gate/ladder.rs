//! The ladder: which of the facts decides. The first rung that holds wins.

use serde::{Deserialize, Serialize};

use super::facts::{Verify, WriteCounts};

/// Why the gate lets a stop pass or refuses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "an answer: a new reason must be thought about")]
pub enum GateReason {
    /// A change was asked for and none was made.
    NoSourceWrite,
    /// The verifier is red.
    VerificationAfterWriteRed,
    /// The verifier is red, and how often in a row is known.
    FailedVerification,
    /// The verifier was red so often that something else should be tried.
    RepeatedVerificationFailures,
    /// The verifier passed over a change.
    VerifiedAfterWrite,
    /// The verifier passed; nothing was changed.
    Verified,
    /// A verifier is expected and has not run.
    MissingVerification,
    /// Nothing was changed and nothing had to be.
    NoWorkspaceWrite,
    /// Something was changed and there is no verifier.
    WroteSourceNoOracle,
    /// The facts are too thin to say anything.
    GateAbstain,
    /// The facts could not be read at all.
    FactsUnavailable,
    /// The verifier cannot run here.
    VerifierUnavailable,
    /// The verifier passed before the last change.
    StaleVerification,
    /// The verifier passes without the change too.
    NonDiscriminatingVerification,
    /// A failure had to be seen before the fix, and was not.
    RequiredFailureUnobserved,
    /// Rows of the gate's own contract are open.
    RequirementsUnmet,
    /// The gate would refuse and has no vetoes left.
    VetoBudgetExhausted,
    /// Our own clock ended the verifier.
    Deadline,
}

impl GateReason {
    /// Every reason.
    pub const ALL: [Self; 18] = [
        Self::NoSourceWrite,
        Self::VerificationAfterWriteRed,
        Self::FailedVerification,
        Self::RepeatedVerificationFailures,
        Self::VerifiedAfterWrite,
        Self::Verified,
        Self::MissingVerification,
        Self::NoWorkspaceWrite,
        Self::WroteSourceNoOracle,
        Self::GateAbstain,
        Self::FactsUnavailable,
        Self::VerifierUnavailable,
        Self::StaleVerification,
        Self::NonDiscriminatingVerification,
        Self::RequiredFailureUnobserved,
        Self::RequirementsUnmet,
        Self::VetoBudgetExhausted,
        Self::Deadline,
    ];

    /// The reason's word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoSourceWrite => "no_source_write",
            Self::VerificationAfterWriteRed => "verification_after_write_red",
            Self::FailedVerification => "failed_verification",
            Self::RepeatedVerificationFailures => "repeated_verification_failures",
            Self::VerifiedAfterWrite => "verified_after_write",
            Self::Verified => "verified",
            Self::MissingVerification => "missing_verification",
            Self::NoWorkspaceWrite => "no_workspace_write",
            Self::WroteSourceNoOracle => "wrote_source_no_oracle",
            Self::GateAbstain => "gate_abstain",
            Self::FactsUnavailable => "facts_unavailable",
            Self::VerifierUnavailable => "verifier_unavailable",
            Self::StaleVerification => "stale_verification",
            Self::NonDiscriminatingVerification => "non_discriminating_verification",
            Self::RequiredFailureUnobserved => "required_failure_unobserved",
            Self::RequirementsUnmet => "requirements_unmet",
            Self::VetoBudgetExhausted => "veto_budget_exhausted",
            Self::Deadline => "deadline",
        }
    }

    /// Whether a pass for this reason says nothing about the work. An answer that carries a word
    /// nobody knows is the host's own and is read for what it confirms.
    #[must_use]
    pub fn abstains(word: &str) -> bool {
        [
            Self::GateAbstain,
            Self::NoWorkspaceWrite,
            Self::WroteSourceNoOracle,
            Self::FactsUnavailable,
        ]
        .iter()
        .any(|reason| reason.as_str() == word)
    }
}

/// How often the verifier was red in a row, and what follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Streak {
    /// Failures in a row after a change; a negative count is none.
    pub failures: i64,
    /// Whether they are getting fewer.
    pub is_converging: bool,
}

/// What the ladder reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    /// What was written; none when nobody can say.
    pub writes: Option<WriteCounts>,
    /// Whether the task must change something.
    pub requires_write: bool,
    /// The combined verdict of the verifiers; none when none is known.
    pub verify: Option<Verify>,
    /// Whether a verifier is declared.
    pub oracle_expected: bool,
    /// The streak, where it is counted.
    pub streak: Option<Streak>,
    /// Failures in a row from which something else is recommended; below 1 reads as 1.
    pub escalation_threshold: i64,
    /// Where to escalate to.
    pub escalation_target: Option<String>,
}

/// What the ladder says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum LadderVerdict {
    /// Nothing stands against the stop.
    Pass(GateReason),
    /// The stop is refused.
    Refusal {
        /// Why.
        reason: GateReason,
        /// Whether no budget may ever turn this into a pass: whatever follows a change.
        is_strict: bool,
        /// What the agent is told.
        feedback: String,
        /// Whether something else is recommended; set for a red verifier with a streak.
        escalation_recommended: Option<bool>,
        /// Where to escalate to, when it is recommended.
        escalation_target: Option<String>,
    },
}

impl LadderVerdict {
    /// A refusal without escalation.
    pub(super) fn refuse(reason: GateReason, is_strict: bool, feedback: impl Into<String>) -> Self {
        Self::Refusal {
            reason,
            is_strict,
            feedback: feedback.into(),
            escalation_recommended: None,
            escalation_target: None,
        }
    }

    /// The reason, whichever way it goes.
    #[must_use]
    pub const fn reason(&self) -> GateReason {
        match self {
            Self::Pass(reason) | Self::Refusal { reason, .. } => *reason,
        }
    }
}

/// Climbs the ladder.
#[must_use]
pub fn climb(derived: &Derived) -> LadderVerdict {
    let source_writes = derived.writes.map(|writes| writes.source);
    let saw_source = source_writes.is_some_and(|count| count > 0);
    let is_unwritten = source_writes.is_some() && !saw_source;
    if is_unwritten && derived.requires_write {
        let is_cosmetic = derived.writes.is_some_and(|writes| writes.cosmetic > 0);
        return LadderVerdict::refuse(GateReason::NoSourceWrite, false, unwritten(is_cosmetic));
    }
    match &derived.verify {
        Some(verify) if !verify.ok => return red(derived, verify),
        Some(_) if saw_source => return LadderVerdict::Pass(GateReason::VerifiedAfterWrite),
        Some(_) => return LadderVerdict::Pass(GateReason::Verified),
        None if derived.oracle_expected => {
            return LadderVerdict::refuse(GateReason::MissingVerification, true, MISSING);
        }
        None => {}
    }
    LadderVerdict::Pass(if is_unwritten {
        GateReason::NoWorkspaceWrite
    } else if saw_source {
        GateReason::WroteSourceNoOracle
    } else {
        GateReason::GateAbstain
    })
}

const MISSING: &str = "The declared verifier has not run since your change. Run the narrowest \
                       check that covers it before you finish.";

const fn unwritten(is_cosmetic: bool) -> &'static str {
    if is_cosmetic {
        "This task asks for a change to the source, and only cosmetic files have been written so \
         far. Make the change itself before you finish."
    } else {
        "This task asks for a change to the source, and nothing has been written yet. Make the \
         change before you finish."
    }
}

fn red(derived: &Derived, verify: &Verify) -> LadderVerdict {
    let findings = if verify.findings.is_empty() {
        String::new()
    } else {
        format!(" It found: {}.", verify.findings)
    };
    let plain =
        format!("The verifier fails on your work.{findings} Mend what it names and run it again.");
    let Some(streak) = &derived.streak else {
        return LadderVerdict::refuse(GateReason::VerificationAfterWriteRed, true, plain);
    };
    let failures = streak.failures.max(0);
    let is_stuck = failures >= derived.escalation_threshold.max(1) && !streak.is_converging;
    let stuck = format!(
        "The verifier has failed {failures} times in a row on your work.{findings} Running it again \
         unchanged will not help: find the cause, mend it, then verify."
    );
    LadderVerdict::Refusal {
        reason: if is_stuck {
            GateReason::RepeatedVerificationFailures
        } else {
            GateReason::FailedVerification
        },
        is_strict: true,
        feedback: if is_stuck { stuck } else { plain },
        escalation_recommended: Some(is_stuck),
        escalation_target: derived.escalation_target.clone().filter(|_| is_stuck),
    }
}
