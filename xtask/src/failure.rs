//! Why a chore did not end well, and the findings it prints.
//!
//! A finding is something a person must mend in the repository; every other failure is something
//! that kept the chore from looking.

use std::fmt;
use std::io;
use std::process::ExitStatus;

/// One thing to mend, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    /// A path relative to the root, with a line where there is one, or a crate's folder.
    pub(crate) place: String,
    /// What is wrong there.
    pub(crate) what: String,
}

impl Finding {
    /// Says what is wrong at a place.
    pub(crate) fn at(place: impl fmt::Display, what: impl fmt::Display) -> Self {
        Self { place: place.to_string(), what: what.to_string() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// Why a chore failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A program could not be started at all.
    #[error("cannot start `{command}`: {cause}")]
    Start {
        /// The command as one would type it.
        command: String,
        /// What the system said.
        cause: io::Error,
    },
    /// A program ran and did not succeed.
    #[error("`{command}` failed ({status}){}", below(said))]
    Ended {
        /// The command as one would type it.
        command: String,
        /// How it ended.
        status: ExitStatus,
        /// What it wrote on stderr, where that was captured.
        said: String,
    },
    /// A file could not be read or written.
    #[error("cannot use `{path}`: {cause}")]
    File {
        /// The file.
        path: String,
        /// What the system said.
        cause: io::Error,
    },
    /// An answer or a manifest has a shape the chore does not know.
    #[error("cannot understand {what}: {cause}")]
    Shape {
        /// What was read.
        what: String,
        /// The reader's complaint.
        cause: String,
    },
    /// The chore looked and found something to mend.
    #[error("{} to mend:{}", .0.len(), listed(.0))]
    Findings(Vec<Finding>),
    /// A step of `ci` failed.
    #[error("step `{step}`: {cause}")]
    Step {
        /// The step's name.
        step: String,
        /// Why it failed.
        cause: Box<Self>,
    },
}

impl Failure {
    /// Turns a list of findings into the answer of a check.
    pub(crate) fn unless_empty(mut findings: Vec<Finding>) -> Result<(), Self> {
        findings.sort();
        findings.dedup();
        if findings.is_empty() { Ok(()) } else { Err(Self::Findings(findings)) }
    }
}

fn below(said: &str) -> String {
    if said.trim().is_empty() { String::new() } else { format!(":\n{}", said.trim_end()) }
}

fn listed(findings: &[Finding]) -> String {
    findings.iter().map(|finding| format!("\n  {finding}")).collect()
}

#[cfg(test)]
mod tests {
    use super::{Failure, Finding};

    #[test]
    fn findings_are_listed_once_and_in_order() {
        let findings =
            vec![Finding::at("b", "two"), Finding::at("a", "one"), Finding::at("a", "one")];
        let failure = Failure::unless_empty(findings).unwrap_err();
        assert_eq!(failure.to_string(), "2 to mend:\n  a: one\n  b: two");
        assert!(Failure::unless_empty(Vec::new()).is_ok());
    }
}
