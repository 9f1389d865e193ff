//! What convicts a run that ended by itself of not having done its work.
//!
//! Only positive evidence convicts, and only numbers and typed outcomes are evidence: what the
//! run says of itself is not read here. A call whose outcome the record does not show acquits.
//! Whether the end was natural is read from its stop reason; whether files exist is
//! `quittance-artifacts`' business, whose list of missing ones arrives as a value.

use std::collections::BTreeSet;

use quittance_artifacts::Audit;
use serde::{Deserialize, Serialize};

/// Why a natural end is called abandoned. The order is the order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum AbandonmentCause {
    /// A tool that the contract requires never succeeded.
    RequiredToolMissing,
    /// Calls were made, the outcome of each is known, and every one failed.
    NoToolCallSucceeded,
    /// A declared artifact is not there.
    DeclaredArtifactMissing,
}

impl AbandonmentCause {
    /// Every cause, by precedence.
    pub const ALL: [Self; 3] =
        [Self::RequiredToolMissing, Self::NoToolCallSucceeded, Self::DeclaredArtifactMissing];

    /// The cause's word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RequiredToolMissing => "required_tool_missing",
            Self::NoToolCallSucceeded => "no_tool_call_succeeded",
            Self::DeclaredArtifactMissing => "declared_artifact_missing",
        }
    }
}

/// The turn's tool calls, counted. A call that a person refused or an interrupt ended is not
/// among the attempted; where the record cannot tell, it is among the unknown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallTallies {
    /// Calls whose outcome is known.
    pub attempted: u64,
    /// Of those, the ones that succeeded.
    pub succeeded: u64,
    /// Calls whose outcome the record does not show. One is enough to acquit.
    pub unknown: u64,
    /// Names of tools with at least one call that succeeded.
    pub succeeded_tools: BTreeSet<String>,
    /// Names of tools with at least one call of unknown outcome.
    pub unknown_tools: BTreeSet<String>,
    /// Why the last refused call was refused, where the host says so.
    pub last_rejection_category: Option<String>,
}

impl CallTallies {
    /// Whether a required tool may have been used: it succeeded, or nobody can say it did not.
    fn may_have_used(&self, tool: &str) -> bool {
        self.succeeded_tools.contains(tool) || self.unknown_tools.contains(tool)
    }

    fn every_call_failed(&self) -> bool {
        self.attempted > 0 && self.succeeded == 0 && self.unknown == 0
    }
}

/// What a conviction rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Abandonment {
    /// The first cause that held.
    pub cause: AbandonmentCause,
    /// The reason the run stopped for, unchanged.
    pub natural_stop_reason: String,
    /// Calls of known outcome.
    pub attempted_tool_calls: u64,
    /// Of those, the ones that succeeded.
    pub succeeded_tool_calls: u64,
    /// Why the last refused call was refused.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub last_rejection_category: Option<String>,
}

/// What the contract declared and the record shows.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// The reason the run stopped for.
    pub stop_reason: &'a str,
    /// The turn's calls.
    pub tallies: &'a CallTallies,
    /// Tools that the contract requires, each a name that must have succeeded once.
    pub required_tools: &'a [String],
    /// The audit of declared artifacts; of it only the missing ones convict.
    pub audit: &'a Audit,
}

/// What was found against an end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Findings {
    /// The conviction of a natural end, on the first cause that holds.
    pub abandonment: Option<Abandonment>,
    /// What would have convicted the end, had it been natural. It convicts nobody, since the run
    /// was kept from going on; but what is not there is not there, so nobody may approve.
    pub withheld: Option<AbandonmentCause>,
    /// Required tools that never succeeded.
    pub missing_tools: Vec<String>,
    /// Declared artifacts that are missing.
    pub missing_artifacts: Vec<String>,
}

impl Findings {
    /// Examines an end. One that was not natural is answered by its own reason.
    #[must_use]
    pub fn of(evidence: &Evidence<'_>) -> Self {
        let tallies = evidence.tallies;
        let unused = |tool: &&String| !tallies.may_have_used(tool);
        let found = Self {
            abandonment: None,
            withheld: None,
            missing_tools: evidence.required_tools.iter().filter(unused).cloned().collect(),
            missing_artifacts: evidence.audit.missing().to_vec(),
        };
        if !seals_natural(evidence.stop_reason) {
            return Self { withheld: found.first_cause(tallies), ..Self::default() };
        }
        let abandonment = found.first_cause(tallies).map(|cause| Abandonment {
            cause,
            natural_stop_reason: evidence.stop_reason.to_owned(),
            attempted_tool_calls: tallies.attempted,
            succeeded_tool_calls: tallies.succeeded,
            last_rejection_category: tallies.last_rejection_category.clone(),
        });
        Self { abandonment, ..found }
    }

    fn first_cause(&self, tallies: &CallTallies) -> Option<AbandonmentCause> {
        if !self.missing_tools.is_empty() {
            Some(AbandonmentCause::RequiredToolMissing)
        } else if tallies.every_call_failed() {
            Some(AbandonmentCause::NoToolCallSucceeded)
        } else if self.missing_artifacts.is_empty() {
            None
        } else {
            Some(AbandonmentCause::DeclaredArtifactMissing)
        }
    }

    /// What the agent is told of it; empty when nothing was found.
    #[must_use]
    pub fn sentence(&self) -> String {
        let named = |what: &str, names: &[String]| {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            (!names.is_empty()).then(|| format!("{what}: {}.", names.join(", ")))
        };
        let cause = self.abandonment.as_ref().map(|record| record.cause);
        let failed = (cause == Some(AbandonmentCause::NoToolCallSucceeded)).then(|| {
            "Every tool call of this turn failed, so nothing of it has been done.".to_owned()
        });
        [
            named("Required and never used with success", &self.missing_tools),
            failed,
            named("Declared and not there", &self.missing_artifacts),
        ]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ")
    }
}

/// Stop reasons with which a run ends by itself; every other reason explains its own end.
const NATURAL: [&str; 7] = [
    "",
    "completed",
    "natural",
    "repeated_verified_pass",
    "required_tools_satisfied",
    "sentinel",
    "verified_noop",
];

/// Whether a run that stopped for this reason ended by itself, without error or suspension.
#[must_use]
pub fn seals_natural(stop_reason: &str) -> bool {
    NATURAL.contains(&stop_reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(tools: &[&str]) -> Vec<String> {
        tools.iter().map(ToString::to_string).collect()
    }

    fn audit(missing: &[&str]) -> Audit {
        let lists =
            serde_json::json!({"declared": missing, "missing": missing, "unverifiable": []});
        serde_json::from_value(lists).expect("an audit")
    }

    fn cause(
        tallies: &CallTallies,
        required: &[&str],
        missing: &[&str],
    ) -> Option<AbandonmentCause> {
        let (required, audit) = (names(required), audit(missing));
        let findings = Findings::of(&Evidence {
            stop_reason: "natural",
            tallies,
            required_tools: &required,
            audit: &audit,
        });
        assert_eq!(findings.sentence().is_empty(), findings.abandonment.is_none());
        findings.abandonment.map(|record| record.cause)
    }

    fn failed(count: u64) -> CallTallies {
        CallTallies { attempted: count, ..CallTallies::default() }
    }

    #[test]
    fn the_first_cause_wins() {
        let tallies = failed(2);
        assert_eq!(
            cause(&tallies, &["Write"], &["a"]),
            Some(AbandonmentCause::RequiredToolMissing)
        );
        assert_eq!(cause(&tallies, &[], &["a"]), Some(AbandonmentCause::NoToolCallSucceeded));
        assert_eq!(
            cause(&CallTallies::default(), &[], &["a"]),
            Some(AbandonmentCause::DeclaredArtifactMissing)
        );
        assert_eq!(cause(&CallTallies::default(), &[], &[]), None);
    }

    #[test]
    fn an_unknown_outcome_acquits() {
        let mut tallies = failed(1);
        tallies.unknown = 1;
        tallies.unknown_tools.insert("Write".to_owned());
        assert_eq!(cause(&tallies, &["Write"], &[]), None);
        tallies.unknown_tools.clear();
        assert_eq!(cause(&tallies, &["Write"], &[]), Some(AbandonmentCause::RequiredToolMissing));
    }

    #[test]
    fn one_success_is_enough() {
        let mut tallies = failed(3);
        tallies.succeeded = 1;
        tallies.succeeded_tools.insert("Write".to_owned());
        assert_eq!(cause(&tallies, &["Write"], &[]), None);
        assert_eq!(
            cause(&tallies, &["Write", "Bash"], &[]),
            Some(AbandonmentCause::RequiredToolMissing)
        );
    }

    #[test]
    fn only_a_natural_end_is_convicted() {
        for (reason, natural) in [
            ("sentinel", true),
            ("", true),
            ("stalled", false),
            ("max_iterations", false),
            ("explicit_completion_claim", false),
            ("Natural", false),
        ] {
            assert_eq!(seals_natural(reason), natural, "{reason}");
        }
        let audit = audit(&["a"]);
        let tallies = failed(1);
        let evidence = Evidence {
            stop_reason: "stalled",
            tallies: &tallies,
            required_tools: &[],
            audit: &audit,
        };
        let withheld = Some(AbandonmentCause::NoToolCallSucceeded);
        assert_eq!(Findings::of(&evidence), Findings { withheld, ..Findings::default() });
    }

    #[test]
    fn wire_words_are_the_serialized_ones() {
        for cause in AbandonmentCause::ALL {
            let word = serde_json::to_value(cause).expect("a word");
            assert_eq!(word, cause.as_str());
        }
    }
}
