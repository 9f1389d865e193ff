//! The policy file, `quittance.toml`: what its user declared.
//!
//! Every key is known or an error that names line, key and the nearest known one: a mistyped key
//! that was ignored would read as a promise that nobody keeps.

mod command;
mod contract;
mod gate;
mod hook;
mod judge;
mod locate;
mod record;
mod redact;
pub(crate) mod table;
mod tools;
mod verify;

use quittance_hosts::ToolPolicy;
use quittance_judge::policy::{PerSlot, Slot};

use crate::judge::route::RouteError;

pub use command::Command;
pub use contract::ContractPolicy;
pub use gate::{GatePolicy, StopPolicy};
pub use hook::{HookPolicy, ReceiptsPolicy};
pub use judge::{JudgePolicy, JudgeSource};
pub use locate::{FILE_NAME, locate};
pub use record::{EffectivePolicy, Origin, RecordError, Trust};
pub use redact::{RedactPattern, RedactPolicy};
use table::Table;
pub use verify::{VerifyPolicy, When};

/// The only version of the file there is.
const VERSION: i64 = 1;

/// A policy. The default declares nothing.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Policy {
    /// What the run has to show: `[contract]`.
    pub contract: ContractPolicy,
    /// The deterministic verifier: `[verify]`.
    pub verify: Option<VerifyPolicy>,
    /// The gate's budget: `[gate]`.
    pub gate: GatePolicy,
    /// Who is asked: `[judge.verification]`, `[judge.completion]`.
    pub judges: PerSlot<Option<JudgePolicy>>,
    /// The turn's own cap: `[stop]`.
    pub stop: StopPolicy,
    /// What is added to the host's tool catalogue: `[tools."NAME"]`.
    pub tools: ToolPolicy,
    /// A hook's own limits: `[hook]`.
    pub hook: HookPolicy,
    /// Where receipts are kept: `[receipts]`.
    pub receipts: ReceiptsPolicy,
    /// What never enters a receipt: `[redact]`.
    pub redact: RedactPolicy,
}

const SECTIONS: [&str; 10] = [
    "version", "contract", "verify", "gate", "judge", "stop", "tools", "hook", "receipts", "redact",
];

impl Policy {
    /// Reads the text of a policy file.
    ///
    /// # Errors
    /// On the first thing in it that cannot be read or is not known.
    pub fn parse(text: &str) -> Result<Self, PolicyError> {
        let root = document(text)?;
        let root = Table::root(text, &root).only(&SECTIONS)?;
        version_known(&root)?;
        Ok(Self {
            contract: section(&root, "contract", ContractPolicy::read)?.unwrap_or_default(),
            verify: section(&root, "verify", VerifyPolicy::read)?,
            gate: section(&root, "gate", GatePolicy::read)?.unwrap_or_default(),
            judges: section(&root, "judge", judges)?.unwrap_or_default(),
            stop: section(&root, "stop", StopPolicy::read)?.unwrap_or_default(),
            tools: section(&root, "tools", |table| tools::read(&table))?.unwrap_or_default(),
            hook: section(&root, "hook", HookPolicy::read)?.unwrap_or_default(),
            receipts: section(&root, "receipts", ReceiptsPolicy::read)?.unwrap_or_default(),
            redact: section(&root, "redact", RedactPolicy::read)?.unwrap_or_default(),
        })
    }
}

/// A file of ours as TOML.
pub(crate) fn document(text: &str) -> Result<toml::Spanned<toml::de::DeTable<'_>>, PolicyError> {
    toml::de::DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let cause = PolicyProblem::Syntax(error.message().replace('\n', " "));
        PolicyError { line: line_at(text, at), key: String::new(), cause }
    })
}

/// Fails unless the file says that it is of the version this program reads.
pub(crate) fn version_known(root: &Table<'_>) -> Result<(), PolicyError> {
    match root.integer("version")? {
        Some(VERSION) => Ok(()),
        Some(other) => Err(root.problem("version", PolicyProblem::Version(other))),
        None => Err(root.problem("version", PolicyProblem::Missing)),
    }
}

fn section<T>(
    root: &Table<'_>,
    key: &str,
    read: impl FnOnce(Table<'_>) -> Result<T, PolicyError>,
) -> Result<Option<T>, PolicyError> {
    root.table(key)?.map(read).transpose()
}

fn judges(table: Table<'_>) -> Result<PerSlot<Option<JudgePolicy>>, PolicyError> {
    let table = table.only(&Slot::ALL.map(Slot::as_str))?;
    let judge = |slot: Slot| section(&table, slot.as_str(), JudgePolicy::read);
    Ok(PerSlot { verification: judge(Slot::Verification)?, completion: judge(Slot::Completion)? })
}

/// Why a policy file cannot be obeyed. The caller adds the file's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {}{cause}", if key.is_empty() { String::new() } else { format!("`{key}`: ") })]
pub struct PolicyError {
    /// The line, from 1.
    pub line: usize,
    /// The key, with the tables it stands in; `""` for a fault of syntax.
    pub key: String,
    /// What is wrong.
    pub cause: PolicyProblem,
}

/// What is wrong with a key of a policy file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyProblem {
    /// The file is no TOML.
    #[error("not TOML: {0}")]
    Syntax(String),
    /// The key is unknown.
    #[error("unknown key{}", hint(nearest.as_deref(), known))]
    Unknown {
        /// The nearest known key, where one is near.
        nearest: Option<String>,
        /// Every key that is known there.
        known: Vec<&'static str>,
    },
    /// The key is required and absent.
    #[error("it is missing")]
    Missing,
    /// The value is of another type.
    #[error("expected {expected}, found {found}")]
    Type {
        /// What the key takes.
        expected: &'static str,
        /// What stands there.
        found: &'static str,
    },
    /// The version is not one this program reads.
    #[error("version {0} is not known; this program reads version 1")]
    Version(i64),
    /// The value says nothing.
    #[error("it is blank")]
    Blank,
    /// An evidence kind is not one of the three.
    #[error(
        "unknown evidence kind `{0}`; known are assistant_output, deterministic_verification and mutation_summary"
    )]
    EvidenceKind(String),
    /// A number is out of its range.
    #[error("expected a whole number from {least} to {most}")]
    Range {
        /// The least.
        least: u32,
        /// The most.
        most: u32,
    },
    /// The word is not one of those known there.
    #[error("unknown word `{word}`; known are {}", known.join(", "))]
    Word {
        /// What stands there.
        word: String,
        /// What may.
        known: Vec<&'static str>,
    },
    /// A glob cannot be read.
    #[error("{0}")]
    Glob(String),
    /// A judge has several ways to be reached.
    #[error("give one of a provider or base_url, a command, and a tape")]
    OneSource,
    /// A judge has no way to be reached.
    #[error("it is missing: give a provider or base_url, a command, or a tape")]
    NoSource,
    /// A regular expression cannot be read.
    #[error("not a regular expression: {}", .0.replace('\n', " "))]
    Pattern(String),
    /// A regular expression matches the empty text.
    #[error("it matches where there is nothing, so nothing would be left")]
    MatchesNothing,
    /// A server or provider that cannot be one.
    #[error("{0}")]
    Route(RouteError),
    /// Not the name of a variable. What stands there is not repeated: it may be a key.
    #[error("expected the name of an environment variable: `A` to `Z`, digits and `_`")]
    VariableName,
    /// The same server twice.
    #[error("the same server as `{0}`")]
    SameServer(String),
    /// A pattern's name cannot stand in a record.
    #[error("a name holds letters, digits, `-` and `_`")]
    PatternName,
    /// A requirement row is malformed.
    #[error("{0}")]
    Requirement(String),
}

fn hint(nearest: Option<&str>, known: &[&str]) -> String {
    match nearest {
        Some(nearest) => format!(", did you mean `{nearest}`?"),
        None => format!("; known here: {}", known.join(", ")),
    }
}

/// The line, from 1, in which a byte stands.
fn line_at(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
    1 + before.iter().filter(|byte| **byte == b'\n').count()
}
