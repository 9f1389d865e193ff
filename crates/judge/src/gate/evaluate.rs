//! Our own gate: facts in, the answer of a closure out.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use quittance_evidence::contract::Contract;

use super::budget::{Budgeted, VetoCharge, VetoCounts, apply_budget, is_spent};
use super::facts::{Facts, VerifierRun, Verify};
use super::ladder::{Derived, GateReason, LadderVerdict, climb};
use crate::ledger::{PacketIndex, Report, pending_feedback};

/// What happens when the gate would refuse and its vetoes are spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum OnExhausted {
    /// The run ends unverified, whatever the refusal was for.
    #[default]
    StopUnverified,
    /// A refusal that is not strict passes, under its own reason; the outcome stays unverified.
    Allow,
}

impl OnExhausted {
    /// Both.
    pub const ALL: [Self; 2] = [Self::StopUnverified, Self::Allow];

    /// The word in a policy file and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::StopUnverified => "stop_unverified",
            Self::Allow => "allow",
        }
    }
}

/// The gate's policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    /// Whether the task must change something.
    pub requires_write: bool,
    /// Vetoes of one turn; 0 or less is no limit.
    pub max_vetoes: i64,
    /// What happens when they are spent.
    pub on_exhausted: OnExhausted,
    /// Failures in a row from which something else is recommended.
    pub escalation_threshold: i64,
    /// Where to escalate to.
    pub escalation_target: Option<String>,
    /// Rows that the gate itself assesses; a retarget retires them.
    pub contract: Option<Contract>,
}

/// How often the gate refuses before it lets go: enough to mend a red verifier twice.
const DEFAULT_MAX_VETOES: i64 = 3;
/// Failures in a row that are more than bad luck.
const DEFAULT_ESCALATION_THRESHOLD: i64 = 3;

impl Default for Gate {
    fn default() -> Self {
        Self {
            requires_write: false,
            max_vetoes: DEFAULT_MAX_VETOES,
            on_exhausted: OnExhausted::default(),
            escalation_threshold: DEFAULT_ESCALATION_THRESHOLD,
            escalation_target: None,
            contract: None,
        }
    }
}

/// What the gate answers.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GateAnswer {
    /// The answer, in the shape of a closure's.
    pub answer: Value,
    /// What the veto costs, when it is one.
    pub charge: Option<VetoCharge>,
}

impl Gate {
    /// The answer where no fact can be had: it confirms nothing and says so.
    #[must_use]
    pub fn without_facts() -> GateAnswer {
        let verification = reading(&Facts::default(), None);
        let reason = GateReason::FactsUnavailable.as_str();
        GateAnswer {
            answer: json!({"confirm": true, "reason": reason, "verification": verification}),
            charge: None,
        }
    }

    /// Reads the facts and answers. `counts` are the vetoes of the turn's earlier boundaries.
    #[must_use]
    pub fn answer(&self, facts: &Facts, counts: &VetoCounts) -> GateAnswer {
        let verify = facts.verify();
        let report = self.report(facts);
        let verdict = overlay(self.verdict(facts, verify.as_ref()), report.as_ref());
        let shown = Shown { verification: reading(facts, verify.as_ref()), report };
        if facts.verifier == VerifierRun::Deadline {
            return shown.ends(GateReason::Deadline, DEADLINE);
        }
        if let LadderVerdict::Refusal {
            reason: GateReason::VerifierUnavailable, feedback, ..
        } = &verdict
        {
            return shown.ends(GateReason::VerifierUnavailable, feedback);
        }
        let used = counts.used(facts.saw_source());
        if let LadderVerdict::Refusal { feedback, .. } = &verdict
            && self.on_exhausted == OnExhausted::StopUnverified
            && is_spent(used, self.max_vetoes)
        {
            return shown.ends(GateReason::VetoBudgetExhausted, feedback);
        }
        match apply_budget(verdict, used, self.max_vetoes) {
            Budgeted::Released { converted_from } => {
                shown.passes(GateReason::VetoBudgetExhausted, Some(converted_from))
            }
            Budgeted::Stands(LadderVerdict::Pass(reason)) => shown.passes(reason, None),
            Budgeted::Stands(refusal) => shown.refuses(&refusal, self.charge(facts, &refusal)),
        }
    }

    fn requires_write(&self, facts: &Facts) -> bool {
        self.requires_write || facts.requires_write.unwrap_or(false)
    }

    /// A veto before any write also counts as one for want of a write.
    fn charge(&self, facts: &Facts, refusal: &LadderVerdict) -> VetoCharge {
        let mut reasons = vec![refusal.reason()];
        let is_unwritten = facts.writes.is_some_and(|writes| writes.source == 0);
        if is_unwritten
            && self.requires_write(facts)
            && refusal.reason() != GateReason::NoSourceWrite
        {
            reasons.push(GateReason::NoSourceWrite);
        }
        VetoCharge { reasons }
    }

    fn report(&self, facts: &Facts) -> Option<Report> {
        let contract = facts.contract.as_ref().or(self.contract.as_ref())?;
        let packet = json!({"requirement_evidence": facts.evidence});
        Some(Report::assess(contract, Some(&facts.assessments), &PacketIndex::of(&packet)))
    }

    fn verdict(&self, facts: &Facts, verify: Option<&Verify>) -> LadderVerdict {
        if let Some(refusal) = before_the_ladder(facts, verify) {
            return refusal;
        }
        let derived = Derived {
            writes: facts.writes,
            requires_write: self.requires_write(facts),
            verify: verify.filter(|_| facts.is_current).cloned(),
            oracle_expected: facts.oracle_expected,
            streak: facts.streak,
            escalation_threshold: self.escalation_threshold,
            escalation_target: self.escalation_target.clone(),
        };
        match climb(&derived) {
            // DIFFERENCE: the original asks the agent to run what cannot run here, unless source
            // was written. Nobody can mend that by another turn; the run ends unverified.
            LadderVerdict::Refusal { reason: GateReason::MissingVerification, .. }
                if facts.verifier == VerifierRun::Unavailable =>
            {
                LadderVerdict::refuse(GateReason::VerifierUnavailable, true, UNAVAILABLE)
            }
            verdict => verdict,
        }
    }
}

const UNAVAILABLE: &str = "The declared verifier cannot run on this machine, so nobody has \
                           verified the change.";
const DEADLINE: &str = "The declared verifier did not finish before the deadline, so nobody has \
                        verified the change.";
const STALE: &str = "The verifier passed before your last change. Run it again before you finish.";
const NON_DISCRIMINATING: &str = "The verifier passes without your change too, so it says nothing \
                                  about it. Show a check of the changed behaviour that fails \
                                  without the change and passes with it.";
const UNOBSERVED: &str = "The task asks for a check that is seen to fail before the fix. Show that \
                          failure, then verify the fix.";

/// What may be wrong with a verifier before its word is taken. Only a change makes it matter.
fn before_the_ladder(facts: &Facts, verify: Option<&Verify>) -> Option<LadderVerdict> {
    if !facts.saw_source() {
        return None;
    }
    let refuse = |reason, feedback: &str| Some(LadderVerdict::refuse(reason, true, feedback));
    if facts.verifier == VerifierRun::Unavailable {
        return refuse(GateReason::VerifierUnavailable, UNAVAILABLE);
    }
    if !verify.is_some_and(|verify| verify.ok) {
        return None;
    }
    if !facts.is_current {
        return refuse(GateReason::StaleVerification, STALE);
    }
    if !facts.discriminates {
        return refuse(GateReason::NonDiscriminatingVerification, NON_DISCRIMINATING);
    }
    if facts.needs_observed_failure && !facts.saw_failure {
        return refuse(GateReason::RequiredFailureUnobserved, UNOBSERVED);
    }
    None
}

/// Open rows of the gate's own contract refuse, whatever the verifier said.
fn overlay(verdict: LadderVerdict, report: Option<&Report>) -> LadderVerdict {
    let Some(report) = report.filter(|report| !report.is_complete()) else { return verdict };
    let pending = pending_feedback(report);
    let feedback = match verdict {
        LadderVerdict::Refusal { feedback, .. } if !feedback.is_empty() => {
            format!("{feedback}\n\n{pending}")
        }
        LadderVerdict::Refusal { .. } | LadderVerdict::Pass(_) => pending,
    };
    LadderVerdict::refuse(GateReason::RequirementsUnmet, true, feedback)
}

/// What the judges are shown of the verifier: a pass only when its word is taken.
fn reading(facts: &Facts, verify: Option<&Verify>) -> Value {
    let is_taken = facts.is_current
        && facts.discriminates
        && (!facts.needs_observed_failure || facts.saw_failure);
    let observed = match verify.filter(|_| is_taken) {
        None => "not_run",
        Some(verify) if verify.ok => "passed",
        Some(_) => "failed",
    };
    let named = verify.map(|verify| verify.command.trim()).filter(|command| !command.is_empty());
    json!({
        "oracle_expected": facts.oracle_expected,
        "command": named.unwrap_or(facts.command.trim()),
        "observed": observed,
        "observed_at_evidence_index": null,
    })
}

/// What every answer carries.
struct Shown {
    verification: Value,
    report: Option<Report>,
}

impl Shown {
    fn passes(&self, reason: GateReason, converted_from: Option<GateReason>) -> GateAnswer {
        let answer = json!({
            "confirm": true,
            "reason": reason.as_str(),
            "converted_from": converted_from.map(GateReason::as_str),
            "verification": self.verification,
            "requirement_report": self.report,
        });
        GateAnswer { answer, charge: None }
    }

    fn ends(&self, reason: GateReason, feedback: &str) -> GateAnswer {
        let answer = json!({
            "confirm": false,
            "action": "stop_unverified",
            "reason": reason.as_str(),
            "message": feedback,
            "verification": self.verification,
            "requirement_report": self.report,
        });
        GateAnswer { answer, charge: None }
    }

    fn refuses(&self, refusal: &LadderVerdict, charge: VetoCharge) -> GateAnswer {
        let (feedback, recommended, target) = match refusal {
            LadderVerdict::Pass(_) => ("", None, None),
            LadderVerdict::Refusal {
                feedback, escalation_recommended, escalation_target, ..
            } => (feedback.as_str(), *escalation_recommended, escalation_target.as_ref()),
        };
        let answer = json!({
            "confirm": false,
            "message": feedback,
            "reason": refusal.reason().as_str(),
            "escalation_recommended": recommended,
            "escalation_target": target,
            "verification": self.verification,
            "requirement_report": self.report,
        });
        GateAnswer { answer, charge: Some(charge) }
    }
}
