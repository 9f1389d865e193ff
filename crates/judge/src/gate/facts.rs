//! What a gate is told: what was written, and what the verifiers said.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use quittance_evidence::contract::Contract;
use quittance_evidence::value;

use super::ladder::Streak;

/// What kind of file a write touched. Only a source write counts as the change a task asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum WriteKind {
    /// The change itself.
    Source,
    /// A file that is not the work: notes, changelogs.
    Cosmetic,
    /// Something else: tests, documents, a word nobody knows.
    Other,
}

impl WriteKind {
    /// Reads a kind. A write without one is a source write, so that nobody is refused for a write
    /// that was only not classified; a word nobody knows is not progress.
    #[must_use]
    pub fn read(kind: Option<&Value>) -> Self {
        match kind.filter(|kind| !kind.is_null()) {
            None => Self::Source,
            Some(word) => match value::display(word).as_str() {
                "source" => Self::Source,
                "cosmetic" => Self::Cosmetic,
                _ => Self::Other,
            },
        }
    }
}

/// One write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteFact {
    /// Where, as the run recorded it.
    pub path: String,
    /// What kind of file.
    pub kind: WriteKind,
}

/// Writes, counted by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WriteCounts {
    /// Source writes.
    pub source: u64,
    /// Cosmetic writes.
    pub cosmetic: u64,
    /// Other writes.
    pub other: u64,
}

/// Counts writes by kind.
#[must_use]
pub fn classify_writes(writes: &[WriteFact]) -> WriteCounts {
    let count = |kind| {
        let found = writes.iter().filter(|write| write.kind == kind).count();
        u64::try_from(found).unwrap_or(u64::MAX)
    };
    WriteCounts {
        source: count(WriteKind::Source),
        cosmetic: count(WriteKind::Cosmetic),
        other: count(WriteKind::Other),
    }
}

/// One verifier's verdict, or several combined. One that does not say is red.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Verify {
    /// Whether it passed.
    pub ok: bool,
    /// What it found.
    pub findings: String,
    /// What it ran.
    pub command: String,
}

/// Combines verdicts: green when every one is; the findings of the red ones; the first command.
/// None when there is nothing to combine.
#[must_use]
pub fn combine_verify(verdicts: &[Verify]) -> Option<Verify> {
    if verdicts.is_empty() {
        return None;
    }
    let red = verdicts.iter().filter(|verdict| !verdict.ok);
    let findings: Vec<&str> =
        red.map(|verdict| verdict.findings.as_str()).filter(|found| !found.is_empty()).collect();
    let commands = verdicts.iter().map(|verdict| verdict.command.trim());
    Some(Verify {
        ok: verdicts.iter().all(|verdict| verdict.ok),
        findings: findings.join("; "),
        command: commands.into_iter().find(|command| !command.is_empty()).unwrap_or("").to_owned(),
    })
}

/// How the declared verifiers fared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum VerifierRun {
    /// None ran.
    #[default]
    NotRun,
    /// They ran and said this. An empty list is as good as [`Self::NotRun`].
    Ran(Vec<Verify>),
    /// It cannot run on this machine.
    Unavailable,
    /// Our own clock ended it: the agent cannot mend that.
    Deadline,
}

/// The facts of one boundary. They are written into a receipt, and read back from it as they were.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent readings of one verifier run, each named at every use"
)]
pub struct Facts {
    /// What was written since the last covered write; none when nobody can say.
    pub writes: Option<WriteCounts>,
    /// Whether the task must change something, where the facts know better than the policy.
    pub requires_write: Option<bool>,
    /// How the verifiers fared.
    pub verifier: VerifierRun,
    /// The declared command, for a reading that no verifier named one for.
    pub command: String,
    /// Whether a verifier is declared.
    pub oracle_expected: bool,
    /// Whether the verifier ran after the last write.
    pub is_current: bool,
    /// Whether it would have failed without the change.
    pub discriminates: bool,
    /// Whether a failure had to be seen before the change.
    pub needs_observed_failure: bool,
    /// Whether it was seen.
    pub saw_failure: bool,
    /// Failures in a row, where they are counted.
    pub streak: Option<Streak>,
    /// A contract that is the gate's own to assess.
    #[serde(deserialize_with = "contract")]
    pub contract: Option<Contract>,
    /// What the host reports on its rows, of any shape.
    pub assessments: Value,
    /// The records that those reports cite, of any shape.
    pub evidence: Value,
}

fn contract<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Contract>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Contract::from_value(&value).map_err(serde::de::Error::custom)
}

impl Default for Facts {
    /// Nothing known, nothing declared, and nothing held against a verifier that passes.
    fn default() -> Self {
        Self {
            writes: None,
            requires_write: None,
            verifier: VerifierRun::NotRun,
            command: String::new(),
            oracle_expected: false,
            is_current: true,
            discriminates: true,
            needs_observed_failure: false,
            saw_failure: false,
            streak: None,
            contract: None,
            assessments: Value::Null,
            evidence: Value::Null,
        }
    }
}

impl Facts {
    /// The combined verdict of what ran.
    #[must_use]
    pub fn verify(&self) -> Option<Verify> {
        match &self.verifier {
            VerifierRun::Ran(verdicts) => combine_verify(verdicts),
            VerifierRun::NotRun | VerifierRun::Unavailable | VerifierRun::Deadline => None,
        }
    }

    /// Whether source was written.
    #[must_use]
    pub fn saw_source(&self) -> bool {
        self.writes.is_some_and(|writes| writes.source > 0)
    }
}
