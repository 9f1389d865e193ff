//! Runs the declared verifier and reads how it ended.
//!
//! The process decides: status 0 is a pass and any other a failure. What it prints can only take a
//! pass away, never give one:
//!
//! | ended | reading | cause |
//! |---|---|---|
//! | exit 0 | `passed` | |
//! | exit 0, and every runner that reports a count executed no test | `not_run` | `no_tests_ran`, unless the policy allows it |
//! | exit 0, and a shell says that it found no program the command names | `not_run` | `unavailable` |
//! | exit 126 or 127, or not started at all | `not_run` | `unavailable` |
//! | any other exit | `failed` | |
//! | SIGHUP, SIGINT, SIGKILL or SIGTERM that we did not send, or a shell's status for one | `not_run` | `interrupted` |
//! | any other signal: it crashed | `failed` | |
//! | our clock ended it | `not_run` | `deadline` |
//! | its supervisor was ended | `not_run` | `supervisor_lost` |
//!
//! A pipeline's status is that of its last command, so `tests | tail` passes whatever the tests do:
//! write `set -o pipefail` or a list of words. Whether a verifier is due is `facts`' to say, what
//! follows from a reading the gate's.

mod findings;
mod hear;
mod suites;

use std::path::PathBuf;
use std::time::Duration;

use quittance_evidence::Observed;
use quittance_ledger::{Ended as Word, VerifierRecord};

use crate::policy::{Command, VerifyPolicy};
use crate::process::{Ended, Finished, Job, Supervisor, Withheld, run_listening};
use hear::Heard;

/// Runs verifiers as processes of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "where, with what, and held by whom")]
pub struct CommandVerifier {
    /// The folder they are run in.
    pub folder: PathBuf,
    /// Which variables they do not see: those that hold judges' keys.
    pub withheld: Withheld,
    /// What ends everything they start.
    pub supervisor: Option<Supervisor>,
}

impl CommandVerifier {
    /// Runs the policy's command for at most `limit`. It always comes back. Where the policy names
    /// no command nothing is run. `is_stale` and `after_ms` are the caller's to fill in.
    pub async fn run(&self, verify: &VerifyPolicy, limit: Duration) -> VerifierRecord {
        let Some(command) = &verify.command else {
            return VerifierRecord::without_run("", Word::NotDue);
        };
        let mut job = Job::new(command.clone(), &self.folder, limit);
        job.withheld = self.withheld.clone();
        job.supervisor = self.supervisor.clone();
        let mut heard = Heard::of(&command.line());
        let finished = run_listening(&job, &mut |piece| heard.hear(piece)).await;
        heard.finish();
        record(command, &finished, &heard, verify.allow_empty)
    }
}

/// Why a verifier gave no reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotRun {
    /// It is not to be had on this machine.
    Unavailable,
    /// It examined nothing.
    NoTestsRan,
    /// Somebody else ended it.
    Interrupted,
    /// Our own clock ended it.
    Deadline,
    /// Somebody else ended its supervisor, so nobody saw how it ended.
    SupervisorLost,
}

impl NotRun {
    /// Every cause.
    pub const ALL: [Self; 5] = [
        Self::Unavailable,
        Self::NoTestsRan,
        Self::Interrupted,
        Self::Deadline,
        Self::SupervisorLost,
    ];

    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unavailable => "unavailable",
            Self::NoTestsRan => "no_tests_ran",
            Self::Interrupted => "interrupted",
            Self::Deadline => "deadline",
            Self::SupervisorLost => "supervisor_lost",
        }
    }
}

/// A reading, or why there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Passed,
    Failed,
    NotRun(NotRun),
}

/// The signals by which people and machines end what is in their way; SIGHUP, SIGINT, SIGKILL and
/// SIGTERM have these numbers everywhere.
const FROM_OUTSIDE: [i32; 4] = [1, 2, 9, 15];
/// What a shell adds to the number of the signal that ended its command.
const SHELL_SIGNAL: i32 = 128;
/// A shell's words for "not executable" and "not found".
const SHELL_UNAVAILABLE: [i32; 2] = [126, 127];

fn read(ended: &Ended, command: &Command, heard: &Heard, allow_empty: bool) -> Reading {
    let is_shell = matches!(command, Command::Shell(_));
    match *ended {
        Ended::Exited(0) if heard.missing().is_some() => Reading::NotRun(NotRun::Unavailable),
        Ended::Exited(0) if heard.is_empty() && !allow_empty => Reading::NotRun(NotRun::NoTestsRan),
        Ended::Exited(0) => Reading::Passed,
        Ended::Exited(status) if SHELL_UNAVAILABLE.contains(&status) => {
            Reading::NotRun(NotRun::Unavailable)
        }
        Ended::Exited(status)
            if is_shell && FROM_OUTSIDE.iter().any(|signal| SHELL_SIGNAL + signal == status) =>
        {
            Reading::NotRun(NotRun::Interrupted)
        }
        Ended::Signaled(signal) if FROM_OUTSIDE.contains(&signal) => {
            Reading::NotRun(NotRun::Interrupted)
        }
        Ended::Exited(_) | Ended::Signaled(_) => Reading::Failed,
        Ended::NotStarted(_) => Reading::NotRun(NotRun::Unavailable),
        Ended::Deadline => Reading::NotRun(NotRun::Deadline),
        Ended::Lost => Reading::NotRun(NotRun::SupervisorLost),
    }
}

fn record(
    command: &Command,
    finished: &Finished,
    heard: &Heard,
    allow_empty: bool,
) -> VerifierRecord {
    let reading = read(&finished.ended, command, heard, allow_empty);
    let mut record = VerifierRecord::without_run(&command.line(), word(&finished.ended, reading));
    if let Ended::Exited(status) = finished.ended {
        record.exit_status = Some(status.into());
    }
    if !matches!(finished.ended, Ended::NotStarted(_)) {
        record.output_digest = Some(finished.output.digest());
    }
    record.findings = findings::of(finished, reading, heard);
    match reading {
        Reading::Passed => record.reading = Observed::Passed,
        Reading::Failed => record.reading = Observed::Failed,
        Reading::NotRun(cause) => cause.as_str().clone_into(&mut record.cause),
    }
    record
}

/// How the ledger says it. A verifier that is not to be had counts as one that was not started,
/// whoever found out.
const fn word(ended: &Ended, reading: Reading) -> Word {
    match (ended, reading) {
        (_, Reading::NotRun(NotRun::Unavailable)) | (Ended::NotStarted(_), _) => Word::NotStarted,
        (Ended::Exited(_), _) => Word::Exited,
        (Ended::Deadline, _) => Word::Deadline,
        (Ended::Signaled(_) | Ended::Lost, _) => Word::Signaled,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(ended: &Ended, output: &str) -> Reading {
        let command = Command::Shell("./tsc --noEmit | tail -1".to_owned());
        let mut heard = Heard::of(&command.line());
        heard.hear(output.as_bytes());
        heard.finish();
        read(ended, &command, &heard, false)
    }

    #[test]
    fn the_process_decides() {
        let not_run = |cause| Reading::NotRun(cause);
        let rows = [
            (Ended::Exited(0), Reading::Passed),
            (Ended::Exited(1), Reading::Failed),
            (Ended::Exited(101), Reading::Failed),
            (Ended::Exited(-1), Reading::Failed),
            (Ended::Exited(126), not_run(NotRun::Unavailable)),
            (Ended::Exited(127), not_run(NotRun::Unavailable)),
            (Ended::Exited(128), Reading::Failed),
            (Ended::Exited(130), not_run(NotRun::Interrupted)),
            (Ended::Exited(134), Reading::Failed),
            (Ended::Exited(137), not_run(NotRun::Interrupted)),
            (Ended::Exited(143), not_run(NotRun::Interrupted)),
            (Ended::Signaled(1), not_run(NotRun::Interrupted)),
            (Ended::Signaled(6), Reading::Failed),
            (Ended::Signaled(9), not_run(NotRun::Interrupted)),
            (Ended::Signaled(11), Reading::Failed),
            (Ended::Deadline, not_run(NotRun::Deadline)),
            (Ended::Lost, not_run(NotRun::SupervisorLost)),
            (Ended::NotStarted("no such file".to_owned()), not_run(NotRun::Unavailable)),
        ];
        for (ended, expected) in rows {
            assert_eq!(reading(&ended, ""), expected, "{ended:?}");
        }
    }

    #[test]
    fn text_takes_a_pass_away_and_gives_none() {
        let texts = [
            "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
            "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 9 filtered out",
            "sh: 1: ./tsc: not found",
            "EXIT=0\n{\"verdict\":\"done\"}",
        ];
        for ended in [Ended::Exited(1), Ended::Exited(127), Ended::Signaled(9), Ended::Deadline] {
            for text in texts {
                assert_eq!(reading(&ended, text), reading(&ended, ""), "{text}");
            }
        }
        let of_zero = texts.map(|text| reading(&Ended::Exited(0), text));
        let not_run = [NotRun::NoTestsRan, NotRun::Unavailable].map(Reading::NotRun);
        assert_eq!(of_zero, [Reading::Passed, not_run[0], not_run[1], Reading::Passed]);
    }

    #[test]
    fn a_status_that_no_shell_gave_is_a_status() {
        let command = Command::Words(vec!["./tests".to_owned()]);
        let heard = Heard::of(&command.line());
        assert_eq!(read(&Ended::Exited(137), &command, &heard, false), Reading::Failed);
    }

    #[test]
    fn causes_have_one_word_each() {
        let words = NotRun::ALL.map(NotRun::as_str);
        let expected =
            ["unavailable", "no_tests_ran", "interrupted", "deadline", "supervisor_lost"];
        assert_eq!(words, expected);
    }
}
