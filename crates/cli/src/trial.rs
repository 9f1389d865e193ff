//! Tries a command as the hook would run it: in the folder, supervised, within its deadline.

use std::path::Path;
use std::time::Duration;

use quittance_driver::policy::{Command, VerifyPolicy};
use quittance_driver::process::Ended;
use quittance_driver::{UserConfig, Verifier as _};
use quittance_evidence::Observed;
use quittance_ledger::VerifierRecord;

use crate::exit::Failure;
use crate::init::Check;
use crate::input;
use crate::processes::Processes;

/// How long a runner may take to say its version.
const NEEDS_MAX: Duration = Duration::from_secs(30);

/// What came of a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trial {
    /// It ran and passed.
    Passed,
    /// It ran and failed. The verifier works; the project is not done.
    Failed {
        /// How it ended, and its last lines.
        findings: String,
    },
    /// It gave no reading.
    CouldNot {
        /// Why, on one line.
        why: String,
    },
    /// Nobody tried.
    Untried,
}

impl Trial {
    /// The word for the document.
    pub(crate) const fn as_str(&self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed { .. } => "failed",
            Self::CouldNot { .. } => "could_not_run",
            Self::Untried => "untried",
        }
    }

    /// Whether the command can be a verifier here.
    pub(crate) const fn is_reading(&self) -> bool {
        matches!(self, Self::Passed | Self::Failed { .. })
    }

    /// What a verifier's record amounts to.
    pub(crate) fn of(record: &VerifierRecord, timeout_s: u32) -> Self {
        match record.reading {
            Observed::Passed => Self::Passed,
            Observed::Failed => Self::Failed { findings: record.findings.clone() },
            _ => Self::CouldNot { why: reason(record, timeout_s) },
        }
    }
}

/// Tries one check, under the policy that would name it.
pub(crate) fn run(
    folder: &Path,
    user: &UserConfig,
    check: &Check,
    verify: &VerifyPolicy,
) -> Result<Trial, Failure> {
    let processes = Processes::of(Some(folder), user);
    input::runtime()?.block_on(async {
        if let Some(needs) = &check.needs {
            let words = needs.iter().map(|word| (*word).to_owned()).collect();
            let needed = Command::Words(words);
            let finished = processes.run_once(&needed, NEEDS_MAX).await;
            if finished.ended != Ended::Exited(0) {
                let why = format!("`{}` does not answer", needed.line());
                return Ok(Trial::CouldNot { why });
            }
        }
        let record = processes.run(verify, verify.timeout()).await;
        Ok(match Trial::of(&record, verify.timeout_s) {
            Trial::Failed { findings } => unless_unrunnable(findings),
            trial => trial,
        })
    })
}

/// `make` has one exit status for a check that fails and for one that it cannot run; only its words
/// tell them apart.
fn unless_unrunnable(findings: String) -> Trial {
    let is_telling = |line: &&str| {
        let has_no_rule = line.contains("No rule to make target") && !line.contains("needed by");
        let found_nothing = ["] Error 126", "] Error 127"].iter().any(|end| line.ends_with(end));
        line.starts_with("make") && (has_no_rule || found_nothing)
    };
    match findings.lines().find(is_telling).map(str::to_owned) {
        Some(why) => Trial::CouldNot { why },
        None => Trial::Failed { findings },
    }
}

fn reason(record: &VerifierRecord, timeout_s: u32) -> String {
    // What npm says of its own versions comes last and tells nothing.
    let tells = |line: &&str| !line.trim().is_empty() && !line.starts_with("npm notice");
    let said = || record.findings.lines().rev().find(tells);
    match record.cause.as_str() {
        "deadline" => format!("it was not done within {timeout_s} s"),
        "no_tests_ran" => "it ran no test".to_owned(),
        "unavailable" => match said() {
            Some(said) => format!("it is not to be had on this machine ({said})"),
            None => "it is not to be had on this machine".to_owned(),
        },
        "interrupted" => "something else ended it".to_owned(),
        _ => "nobody saw how it ended".to_owned(),
    }
}

/// How many of a failing check's last lines are shown.
const LINES: usize = 8;

/// How a check ended, and its last lines.
pub(crate) fn ending(findings: &str) -> Vec<&str> {
    let mut lines = findings.lines();
    let how = lines.next();
    let last: Vec<&str> = lines.collect();
    let skipped = last.len().saturating_sub(LINES);
    how.into_iter().chain(last.into_iter().skip(skipped)).collect()
}
