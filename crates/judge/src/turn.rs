//! Every turn ends: how often one turn may be refused, by anyone, busy or idle.
//!
//! Whatever the other keys say (no veto budget, no judge cap, a verifier that is red for ever), a
//! turn is refused at most [`RefusalCap`] times; then its stop is allowed, `unverified`. A host that
//! makes a new process of each boundary keeps [`Refusals`] between them.

use serde::{Deserialize, Serialize};

use crate::machine::Decision;
use crate::outcome::Outcome;
use quittance_evidence::canonical::Digest;

/// How often one turn may be refused.
///
/// INVARIANT: 1 to 7. Below eight, where a client gives up by itself and says nothing of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub struct RefusalCap(u8);

impl TryFrom<u8> for RefusalCap {
    type Error = CapOutOfRange;

    fn try_from(cap: u8) -> Result<Self, CapOutOfRange> {
        Self::new(cap)
    }
}

impl From<RefusalCap> for u8 {
    fn from(cap: RefusalCap) -> Self {
        cap.0
    }
}

impl RefusalCap {
    /// The least.
    pub const MIN: u8 = 1;
    /// The most.
    pub const MAX: u8 = 7;
    /// Enough to mend what two checks name, and to be told so twice.
    pub const DEFAULT: Self = Self(4);

    /// Makes a cap.
    ///
    /// # Errors
    /// When it is outside 1 to 7.
    pub const fn new(cap: u8) -> Result<Self, CapOutOfRange> {
        if Self::MIN <= cap && cap <= Self::MAX { Ok(Self(cap)) } else { Err(CapOutOfRange(cap)) }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl Default for RefusalCap {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// A cap that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("refuse a turn {0} times: the cap lies between 1 and 7")]
pub struct CapOutOfRange(pub u8);

/// How often the same words may be said on the same evidence.
const SAME_FEEDBACK_MAX: usize = 2;

/// The refusals of one turn so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusals {
    given: Vec<Given>,
}

/// One refusal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Given {
    evidence_id: String,
    feedback: String,
}

/// What becomes of a boundary once the turn's earlier refusals are counted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ruling {
    /// The word for it.
    pub outcome: Outcome,
    /// Why, as a word.
    pub cause: String,
    /// What the agent is told, when the stop is blocked; none when it is allowed.
    pub block: Option<String>,
    /// What was unmet all the same, when a refusal was let go.
    pub unmet: Option<String>,
}

impl Ruling {
    /// A boundary that nobody could decide, whatever the machine says of it: the stop is allowed,
    /// and that is no approval.
    #[must_use]
    pub fn undecided(cause: &str) -> Self {
        Self { outcome: Outcome::Unverified, cause: cause.to_owned(), block: None, unmet: None }
    }
}

impl Refusals {
    /// How many there were.
    #[must_use]
    pub fn count(&self) -> usize {
        self.given.len()
    }

    /// Rules on a decision, and remembers a refusal.
    pub fn rule(&mut self, decision: &Decision, cap: RefusalCap) -> Ruling {
        let evidence_id = decision.snapshot.evidence_id().to_string();
        self.rule_on(decision.outcome, &decision.cause, &decision.feedback, &evidence_id, cap)
    }

    fn rule_on(
        &mut self,
        outcome: Outcome,
        cause: &str,
        feedback: &str,
        evidence_id: &str,
        cap: RefusalCap,
    ) -> Ruling {
        if !matches!(outcome, Outcome::Refused | Outcome::Abandoned) {
            return Ruling { outcome, cause: cause.to_owned(), block: None, unmet: None };
        }
        let given = Given {
            evidence_id: evidence_id.to_owned(),
            feedback: Digest::of_bytes(feedback.as_bytes()).to_string(),
        };
        let said = self.given.iter().filter(|earlier| **earlier == given).count();
        let release = if self.given.len() >= usize::from(cap.get()) {
            Some("cap")
        } else if said >= SAME_FEEDBACK_MAX {
            Some("repeat")
        } else {
            None
        };
        if let Some(cause) = release {
            let unmet = Some(feedback.to_owned());
            let outcome = Outcome::Unverified;
            return Ruling { outcome, cause: cause.to_owned(), block: None, unmet };
        }
        self.given.push(given);
        let block = Some(feedback.to_owned());
        Ruling { outcome, cause: cause.to_owned(), block, unmet: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn causes(feedbacks: &[&str], cap: u8) -> Vec<String> {
        let mut refusals = Refusals::default();
        let cap = RefusalCap::new(cap).expect("a cap");
        feedbacks
            .iter()
            .map(|feedback| {
                let outcome = Outcome::Refused;
                let ruling = refusals.rule_on(outcome, "judge_veto", feedback, "sha256:aa", cap);
                assert_eq!(ruling.block.is_some(), ruling.outcome == Outcome::Refused);
                ruling.cause
            })
            .collect()
    }

    #[test]
    fn the_same_words_on_the_same_evidence_are_said_twice() {
        assert_eq!(causes(&["a", "a", "a"], 4), ["judge_veto", "judge_veto", "repeat"]);
    }

    #[test]
    fn decisions_are_counted_busy_or_idle() {
        let alternating = ["gap 1", "gap 0", "gap 1", "gap 0", "gap 1"];
        assert_eq!(causes(&alternating, 4).last().map(String::as_str), Some("cap"));
        assert_eq!(causes(&["a", "b"], 1), ["judge_veto", "cap"]);
    }

    #[test]
    fn a_cap_lies_between_one_and_seven() {
        for cap in 0..=9 {
            assert_eq!(RefusalCap::new(cap).is_ok(), (1..=7).contains(&cap));
        }
        assert_eq!(
            CapOutOfRange(9).to_string(),
            "refuse a turn 9 times: the cap lies between 1 and 7"
        );
    }
}
