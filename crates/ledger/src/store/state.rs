//! What the boundaries of a turn leave for the next: plain records. What they mean is `judge`'s.
//!
//! A field that is added needs a schema version of its own, even where the tables stay as they are:
//! an older program would drop the field on writing, and must refuse instead.

use std::collections::BTreeSet;

use quittance_judge::directive::History;
use quittance_judge::gate::VetoCounts;
use quittance_judge::policy::PerSlot;
use quittance_judge::turn::Refusals;
use serde::{Deserialize, Serialize};

use super::position::FileIdentity;

/// The state that one boundary is decided on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The turn's.
    pub turn: TurnState,
    /// The session's.
    pub session: SessionState,
    /// The transcript's.
    pub file: FileState,
}

/// What the turn's earlier boundaries left.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnState {
    /// How often each judge was asked.
    pub invocations: PerSlot<u64>,
    /// The gate's vetoes.
    pub vetoes: VetoCounts,
    /// What the last boundary asked for.
    pub history: History,
    /// The refusals given.
    pub refusals: Refusals,
}

/// What the session's earlier boundaries left.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionState {
    /// What the user was told that is told once a session.
    pub told: BTreeSet<Notice>,
}

/// Something that the user is told once a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Notice {
    /// The policy is not one that the user trusted, so nothing was run.
    PolicyUntrusted,
    /// The policy file is another than the trusted copy that was obeyed.
    PolicyChanged,
}

/// What earlier boundaries left for whoever reads the same transcript.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileState {
    /// Up to where the writes were covered by a verifier that passed.
    pub covered: Option<Covered>,
}

/// Up to where a file's writes were covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Covered {
    /// The last line, from 1.
    pub line: u64,
    /// The file in which that is a line: of another file it says nothing.
    pub file: FileIdentity,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_has_its_word() {
        for (notice, word) in [
            (Notice::PolicyUntrusted, "policy_untrusted"),
            (Notice::PolicyChanged, "policy_changed"),
        ] {
            assert_eq!(serde_json::to_value(notice).unwrap(), word);
        }
    }
}
