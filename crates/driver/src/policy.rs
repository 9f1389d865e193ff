//! The policy file, `quittance.toml`: what its user declared.
//!
//! Every key is known or an error that names line, key and the nearest known one: a mistyped key
//! that was ignored would read as a promise that nobody keeps.

mod contract;
mod locate;
mod table;
mod tools;

use quittance_hosts::ToolPolicy;

pub use contract::ContractPolicy;
pub use locate::{FILE_NAME, locate};
use table::Table;

/// The only version of the file there is.
const VERSION: i64 = 1;

/// A policy. The default declares nothing.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Policy {
    /// What the run has to show: `[contract]`.
    pub contract: ContractPolicy,
    /// What is added to the host's tool catalogue: `[tools."NAME"]`.
    pub tools: ToolPolicy,
}

impl Policy {
    /// Reads the text of a policy file.
    ///
    /// # Errors
    /// On the first thing in it that cannot be read or is not known.
    pub fn parse(text: &str) -> Result<Self, PolicyError> {
        let root = toml::de::DeTable::parse(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let cause = PolicyProblem::Syntax(error.message().replace('\n', " "));
            PolicyError { line: line_at(text, at), key: String::new(), cause }
        })?;
        let root = Table::root(text, &root).only(&["version", "contract", "tools"])?;
        match root.integer("version")? {
            Some(VERSION) => {}
            Some(other) => return Err(root.problem("version", PolicyProblem::Version(other))),
            None => return Err(root.problem("version", PolicyProblem::Missing)),
        }
        let contract = root.table("contract")?.map(ContractPolicy::read).transpose()?;
        let tools = root.table("tools")?.as_ref().map(tools::read).transpose()?;
        Ok(Self { contract: contract.unwrap_or_default(), tools: tools.unwrap_or_default() })
    }
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
