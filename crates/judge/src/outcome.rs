//! The one word for a whole boundary, the exit code that goes with it, and the sentence.
//!
//! A directive of an empty plan says `accept`, because nothing stood against the stop. Here that
//! is `unadjudicated`: silence is never approval. The word is read from what was decided and from
//! who really said yes, never from text.

use serde::{Deserialize, Serialize};

use crate::{Action, abandonment::AbandonmentCause};

/// The word for a boundary. The order is the order in which they are matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum Outcome {
    /// There is no boundary yet.
    Waiting,
    /// The user stopped the run.
    Stopped,
    /// The run may not stop; feedback names what is unmet.
    Refused,
    /// The run ends and nobody could verify it.
    Unverified,
    /// The run ended by itself, with positive evidence that the work was not done.
    Abandoned,
    /// Nobody said yes.
    Unadjudicated,
    /// The declared verifier passed and no requirement is open.
    Verified,
    /// A judge that was asked, or a host's own closure, approved.
    Accepted,
}

impl Outcome {
    /// Every outcome, in the order in which they are matched.
    pub const ALL: [Self; 8] = [
        Self::Waiting,
        Self::Stopped,
        Self::Refused,
        Self::Unverified,
        Self::Abandoned,
        Self::Unadjudicated,
        Self::Verified,
        Self::Accepted,
    ];

    /// The outcome's word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Stopped => "stopped",
            Self::Refused => "refused",
            Self::Unverified => "unverified",
            Self::Abandoned => "abandoned",
            Self::Unadjudicated => "unadjudicated",
            Self::Verified => "verified",
            Self::Accepted => "accepted",
        }
    }

    /// The process's exit code. None is 1 or 2: shells and argument parsers use those.
    #[must_use]
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Stopped | Self::Verified | Self::Accepted => 0,
            Self::Refused => 10,
            Self::Unverified => 11,
            Self::Abandoned => 12,
            Self::Unadjudicated => 13,
            Self::Waiting => 14,
        }
    }

    /// What the word means, in one sentence for people.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Waiting => {
                "The run has not reached its end yet: it still waits for a person, for background \
                 work or for the rest of its record."
            }
            Self::Stopped => "The user stopped the run; nothing more is owed.",
            Self::Refused => "The run may not stop yet: something it owes is not met.",
            Self::Unverified => "The run ends, but nobody could verify that its work is done.",
            Self::Abandoned => {
                "The run ended by itself, and the evidence shows that its work was not done."
            }
            Self::Unadjudicated => {
                "Nobody was asked whether the work is done, or nobody could say; that is not an \
                 approval."
            }
            Self::Verified => "The declared verifier passed and no requirement is open.",
            Self::Accepted => "Somebody with the authority to say so called the work done.",
        }
    }

    /// Whether the boundary approves of the stop.
    #[must_use]
    pub const fn approves(self) -> bool {
        matches!(self, Self::Verified | Self::Accepted)
    }
}

/// Whether the run stands at a boundary at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum Standstill {
    /// A person, background work, an undelivered message or the rest of a line is waited for.
    Waiting,
    /// The user stopped the run, as a typed record of the host says.
    Stopped,
    /// The run proposes to stop.
    Proposed,
}

/// What the deterministic closure said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum ClosureSaid {
    /// It was not asked.
    Nothing,
    /// It let the stop pass without saying yes: an empty answer, or a gate that abstained.
    Abstained,
    /// It let the stop pass because its vetoes were spent.
    BudgetSpent,
    /// It confirmed in so many words.
    Confirmed,
    /// It refused.
    Refused,
    /// It ended the run, or its answer was none.
    Ended,
}

/// What a verifier that was declared is known to have observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum VerifierSaid {
    /// None was declared, it did not run, or its facts could not be read.
    Nothing,
    /// It failed.
    Failed,
    /// It passed.
    Passed,
}

/// What was decided, and who said yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided {
    /// What the directive orders.
    pub action: Action,
    /// What the deterministic closure said.
    pub closure: ClosureSaid,
    /// Whether a model judge was asked and `done` is its own or its overruled answer of record.
    pub judge_done: bool,
    /// What a declared verifier observed.
    pub verifier: VerifierSaid,
    /// Requirement rows that are not met.
    pub open_rows: usize,
}

/// What the outcome is read from.
#[derive(Clone, Copy, Debug)]
pub struct Readings {
    /// Whether there is a boundary.
    pub standstill: Standstill,
    /// What was decided; nothing where no adjudicator is declared.
    pub decided: Option<Decided>,
    /// What convicts the end of unfinished work, the first cause.
    pub abandonment: Option<AbandonmentCause>,
    /// Whether the artifact audit convicts it, whatever the first cause is.
    pub audit_convicts: bool,
}

/// Reads the outcome, first match.
///
/// A convicting artifact audit stands before the table: the outcome is `refused` when the gate
/// refuses and `abandoned` otherwise, whatever anyone said.
#[must_use]
pub fn read(readings: &Readings) -> Outcome {
    match readings.standstill {
        Standstill::Waiting => return Outcome::Waiting,
        Standstill::Stopped => return Outcome::Stopped,
        Standstill::Proposed => {}
    }
    if readings.audit_convicts {
        let closure = readings.decided.map_or(ClosureSaid::Nothing, |decided| decided.closure);
        return if closure == ClosureSaid::Refused { Outcome::Refused } else { Outcome::Abandoned };
    }
    let word = readings.decided.map_or(Outcome::Unadjudicated, Decided::word);
    match (word, readings.abandonment) {
        (Outcome::Refused | Outcome::Unverified, _) | (_, None) => word,
        (_, Some(_)) => Outcome::Abandoned,
    }
}

impl Decided {
    /// The word for what was decided, abandonment aside.
    fn word(self) -> Outcome {
        match self.action {
            Action::Continue => Outcome::Refused,
            Action::StopUnverified => Outcome::Unverified,
            Action::StopVerified => Outcome::Verified,
            Action::Accept => self.accepted(),
        }
    }

    /// An acceptance counts for what somebody said, never for the absence of a refusal.
    fn accepted(self) -> Outcome {
        let confirmed = self.closure == ClosureSaid::Confirmed;
        if !confirmed && !self.judge_done {
            return match self.closure {
                ClosureSaid::BudgetSpent => Outcome::Unverified,
                ClosureSaid::Nothing
                | ClosureSaid::Abstained
                | ClosureSaid::Confirmed
                | ClosureSaid::Refused
                | ClosureSaid::Ended => Outcome::Unadjudicated,
            };
        }
        // The machine never accepts over an open row; a record that says so approves nothing.
        if self.open_rows > 0 {
            return Outcome::Unverified;
        }
        match self.verifier {
            VerifierSaid::Passed => Outcome::Verified,
            // A judge cannot talk a red verifier round; a host's own closure may overrule it.
            VerifierSaid::Failed if !confirmed => Outcome::Unverified,
            VerifierSaid::Failed | VerifierSaid::Nothing => Outcome::Accepted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACCEPT: Decided = Decided {
        action: Action::Accept,
        closure: ClosureSaid::Nothing,
        judge_done: false,
        verifier: VerifierSaid::Nothing,
        open_rows: 0,
    };

    const PROPOSED: Readings = Readings {
        standstill: Standstill::Proposed,
        decided: None,
        abandonment: None,
        audit_convicts: false,
    };

    fn word(decided: Decided) -> Outcome {
        read(&Readings { decided: Some(decided), ..PROPOSED })
    }

    #[test]
    fn silence_is_not_approval() {
        assert_eq!(word(ACCEPT), Outcome::Unadjudicated);
        assert_eq!(
            word(Decided { closure: ClosureSaid::Abstained, ..ACCEPT }),
            Outcome::Unadjudicated
        );
        let passed = Decided { verifier: VerifierSaid::Passed, ..ACCEPT };
        assert_eq!(word(passed), Outcome::Unadjudicated);
        assert_eq!(read(&PROPOSED), Outcome::Unadjudicated);
    }

    #[test]
    fn a_spent_budget_is_not_approval_but_a_judge_may_still_say_done() {
        let spent = Decided { closure: ClosureSaid::BudgetSpent, ..ACCEPT };
        assert_eq!(word(spent), Outcome::Unverified);
        assert_eq!(word(Decided { judge_done: true, ..spent }), Outcome::Accepted);
    }

    #[test]
    fn only_a_closure_may_confirm_a_red_reading() {
        let red = Decided { judge_done: true, verifier: VerifierSaid::Failed, ..ACCEPT };
        assert_eq!(word(red), Outcome::Unverified);
        assert_eq!(word(Decided { closure: ClosureSaid::Confirmed, ..red }), Outcome::Accepted);
        assert_eq!(word(Decided { open_rows: 1, ..red }), Outcome::Unverified);
    }

    #[test]
    fn a_missing_artifact_outranks_everyone_but_a_gate_that_refuses() {
        for action in Action::ALL {
            for closure in [ClosureSaid::Nothing, ClosureSaid::Confirmed, ClosureSaid::Ended] {
                let decided = Some(Decided { action, closure, judge_done: true, ..ACCEPT });
                let audit = Readings { decided, audit_convicts: true, ..PROPOSED };
                assert_eq!(read(&audit), Outcome::Abandoned);
            }
            let closure = ClosureSaid::Refused;
            let decided = Some(Decided { action, closure, ..ACCEPT });
            let audit = Readings { decided, audit_convicts: true, ..PROPOSED };
            assert_eq!(read(&audit), Outcome::Refused);
        }
    }

    #[test]
    fn other_causes_take_their_place_in_the_table() {
        for (action, expected) in [
            (Action::Continue, Outcome::Refused),
            (Action::StopUnverified, Outcome::Unverified),
            (Action::StopVerified, Outcome::Abandoned),
            (Action::Accept, Outcome::Abandoned),
        ] {
            let decided = Some(Decided { action, judge_done: true, ..ACCEPT });
            let abandonment = Some(AbandonmentCause::NoToolCallSucceeded);
            assert_eq!(read(&Readings { decided, abandonment, ..PROPOSED }), expected);
        }
    }

    #[test]
    fn a_stop_by_the_user_comes_first() {
        let stopped =
            Readings { standstill: Standstill::Stopped, audit_convicts: true, ..PROPOSED };
        assert_eq!(read(&stopped), Outcome::Stopped);
        assert_eq!(
            read(&Readings { standstill: Standstill::Waiting, ..stopped }),
            Outcome::Waiting
        );
    }

    #[test]
    fn words_codes_and_wire_agree() {
        for outcome in Outcome::ALL {
            assert_eq!(serde_json::to_value(outcome).expect("a word"), outcome.as_str());
            assert!(![1, 2].contains(&outcome.exit_code()));
            assert!(!outcome.approves() || outcome.exit_code() == 0);
            assert!(outcome.sentence().ends_with('.'));
        }
        for action in Action::ALL {
            assert_eq!(serde_json::to_value(action).expect("a word"), action.as_str());
        }
    }
}
