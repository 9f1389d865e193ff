//! What else the state machine was handed, beside the run, the policy and the tape.

use quittance_evidence::canonical::Digest;
use quittance_evidence::verification::Observed;
use quittance_judge::directive::History;
use quittance_judge::gate::{VerifierRun, Verify, VetoCounts, WriteCounts};
use quittance_judge::policy::PerSlot;
use quittance_judge::turn::Refusals;
use serde::{Deserialize, Serialize};

/// Everything else a boundary was decided on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the keys of the schema")]
pub struct Inputs {
    /// What was written and not yet covered by a passed reading; none when nobody can say.
    pub writes: Option<WriteCounts>,
    /// The verifier's answer; none where no gate was asked.
    pub gate: Option<VerifierRecord>,
    /// What the turn's earlier boundaries left behind.
    pub turn: TurnState,
    /// The candidate text that the host itself handed over; none where the file's was taken.
    pub candidate: Option<String>,
    /// What the host itself said is still waited for.
    pub waiting: Vec<String>,
    /// When the boundary had to be over, in ms since it opened.
    pub deadline_ms: Option<i64>,
    /// Why nobody could decide: then nothing was run and nobody was asked, and the stop was allowed,
    /// `unverified`, for this cause. None where somebody could.
    pub undecided: Option<String>,
    /// The sentences that judges are sent.
    pub template: Template,
}

/// The sentences that judges are sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "a version and its digest")]
pub struct Template {
    /// Their version.
    pub version: u32,
    /// The digest of them all.
    pub digest: String,
}

/// What a turn's earlier boundaries left behind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the keys of the schema")]
pub struct TurnState {
    /// How often each judge was asked.
    pub invocations: PerSlot<u64>,
    /// The gate's vetoes.
    pub vetoes: VetoCounts,
    /// Steps and criteria last asked for.
    pub history: History,
    /// The refusals the agent was given.
    pub refusals: Refusals,
    /// Up to where a passed reading covers the session's writes.
    pub covered: Option<Covered>,
}

/// A passed reading, and what it covers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "a place and a command")]
pub struct Covered {
    /// The transcript's last line when the verifier was started.
    pub line: u64,
    /// The command that passed; another one has covered nothing.
    pub command: String,
}

/// How a verifier came to its reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "each leads to another reading")]
pub enum Ended {
    /// It ran and exited.
    Exited,
    /// It ran and a signal ended it.
    Signaled,
    /// Our own clock ended it.
    Deadline,
    /// It could not be started, or the shell found no such command.
    NotStarted,
    /// It was not run: the run's own check was read from the record.
    Observed,
    /// It was not run: an earlier reading still covers everything that was written.
    Carried,
    /// It was not run: it was not due.
    NotDue,
}

/// The verifier's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::exhaustive_structs, reason = "the keys of the schema")]
pub struct VerifierRecord {
    /// The command, as a person would type it; `""` where none is declared.
    pub command: String,
    /// How it came to its reading.
    pub ended: Ended,
    /// The exit status, where it exited.
    pub exit_status: Option<i64>,
    /// The digest of all it printed, where it ran.
    pub output_digest: Option<Digest>,
    /// The reading.
    pub reading: Observed,
    /// Why there is no reading, in a word: `no_tests_ran`, `stale`…; `""` where there is one.
    pub cause: String,
    /// What the agent is told of a failure.
    pub findings: String,
    /// Whether anything was written since it began.
    pub is_stale: bool,
    /// The clock after it, in ms since the boundary opened.
    pub after_ms: i64,
}

impl VerifierRecord {
    /// A verifier that gave no reading without having run.
    #[must_use]
    pub fn without_run(command: &str, ended: Ended) -> Self {
        Self {
            command: command.to_owned(),
            ended,
            exit_status: None,
            output_digest: None,
            reading: Observed::NotRun,
            cause: String::new(),
            findings: String::new(),
            is_stale: false,
            after_ms: 0,
        }
    }

    /// The reading as the gate takes it.
    #[must_use]
    pub fn run(&self) -> VerifierRun {
        let verdict = |ok| {
            let findings = self.findings.clone();
            VerifierRun::Ran(vec![Verify { ok, findings, command: self.command.clone() }])
        };
        match (self.reading, self.ended) {
            (Observed::Passed, _) => verdict(true),
            (Observed::Failed, _) => verdict(false),
            (Observed::NotRun, Ended::Deadline) => VerifierRun::Deadline,
            (Observed::NotRun, Ended::NotStarted) => VerifierRun::Unavailable,
            (Observed::NotRun, _) => VerifierRun::NotRun,
        }
    }
}
