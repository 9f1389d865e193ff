//! What a refusal is about: the class of a gap, and one itemized gap.
//!
//! A class grants or withholds authority, so every unknown word reads as `other`, which grants
//! none. Whether a gap's quote is really in the evidence is [`crate::reply`]'s to check.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use quittance_evidence::value;

/// The class of a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "an answer: a new class must be thought about")]
pub enum GapClass {
    /// Work or output that is not there.
    MissingArtifact,
    /// A clause on how the work was to be done, or on what was not to be done.
    UnmetMannerClause,
    /// A check that has not run or has not passed: the one class a verifier can answer.
    FailedVerification,
    /// A consequential step that still needs somebody's leave.
    UnresolvedAuthorization,
    /// Anything else, and everything that cannot be read.
    Other,
    /// What an approval says.
    None,
}

impl GapClass {
    /// Every class, in the order of the reply schema.
    pub const ALL: [Self; 6] = [
        Self::MissingArtifact,
        Self::UnmetMannerClause,
        Self::FailedVerification,
        Self::UnresolvedAuthorization,
        Self::Other,
        Self::None,
    ];

    /// The class's word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MissingArtifact => "missing_artifact",
            Self::UnmetMannerClause => "unmet_manner_clause",
            Self::FailedVerification => "failed_verification",
            Self::UnresolvedAuthorization => "unresolved_authorization",
            Self::Other => "other",
            Self::None => "none",
        }
    }

    /// Reads a class; case and space around it do not count, and what is unknown is `other`.
    #[must_use]
    pub fn read(value: Option<&Value>) -> Self {
        let word = folded(value);
        Self::ALL.into_iter().find(|class| class.as_str() == word).unwrap_or(Self::Other)
    }

    /// Whether a reply claims a gap by its class: absent, blank and `none` claim nothing, every
    /// other word does, a misspelt one too.
    #[must_use]
    pub fn is_declared(value: Option<&Value>) -> bool {
        let word = folded(value);
        !word.is_empty() && word != Self::None.as_str()
    }
}

fn folded(value: Option<&Value>) -> String {
    value::text(value).trim().to_lowercase()
}

/// One gap that a refusal itemized.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Gap {
    /// What the gap is against, trimmed and not empty.
    pub criterion: String,
    /// Its class.
    pub gap_class: GapClass,
    /// What is missing and what closes it, trimmed and not empty.
    pub detail: String,
    /// A span of the evidence that shows it, or `""`.
    pub evidence_quote: String,
    /// The contract's row it is against; `""` when none was named, or one the contract never issued.
    pub requirement_id: String,
}

impl Gap {
    /// Reads an itemized gap; one without criterion or detail is none. An id that `is_issued`
    /// does not know is no near miss to repair: the gap is kept, unattributed.
    #[must_use]
    pub fn read(entry: &Value, is_issued: impl Fn(&str) -> bool) -> Option<Self> {
        let trimmed = |key| value::text(value::field(entry, key)).trim().to_owned();
        let (criterion, detail) = (trimmed("criterion"), trimmed("detail"));
        if criterion.is_empty() || detail.is_empty() {
            return None;
        }
        let claimed = trimmed("requirement_id");
        Some(Self {
            criterion,
            gap_class: GapClass::read(entry.get("gap_class")),
            detail,
            evidence_quote: trimmed("evidence_quote"),
            requirement_id: if is_issued(&claimed) { claimed } else { String::new() },
        })
    }

    /// Whether the gap names a row of the contract.
    #[must_use]
    pub fn is_attributed(&self) -> bool {
        !self.requirement_id.is_empty()
    }
}

/// How many gaps name no row of the contract.
#[must_use]
pub fn unattributed(gaps: &[Gap]) -> usize {
    gaps.iter().filter(|gap| !gap.is_attributed()).count()
}
