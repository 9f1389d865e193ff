//! What boundaries leave for the next. What it means is `judge`'s.
//!
//! A field that is added, here or in the turn's state, needs a schema version of its own, even where
//! the tables stay as they are: an older program would take it for damage.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::position::FileIdentity;
use crate::inputs::TurnState;

/// The state that one boundary is decided on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// What the turn's earlier boundaries left. What a verifier covered is the transcript's, and
    /// stands in the state of every turn that reads it.
    pub turn: TurnState,
    /// What the session's earlier boundaries left.
    pub session: SessionState,
    /// The file of which `turn.covered` names a line; of another file it says nothing.
    pub file: Option<FileIdentity>,
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
