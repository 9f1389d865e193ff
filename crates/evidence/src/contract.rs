//! The requirement contract: what the caller says a finished run must be able to show.
//!
//! A contract names rows and, for each, the kinds of evidence that may support it. An empty list
//! is no contract. Whether a row is met is the judge's business (`quittance-judge`); which rows a
//! retarget retires is `quittance-obligations`'.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::value;

/// A kind of evidence a requirement row may cite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(
    clippy::exhaustive_enums,
    reason = "an answer: a new kind must be thought about everywhere"
)]
pub enum EvidenceRole {
    /// The agent's final words. Such a row can be talked round.
    AssistantOutput,
    /// What the deterministic verifier observed.
    DeterministicVerification,
    /// The set of artifacts that completed calls changed.
    MutationSummary,
}

impl EvidenceRole {
    /// Every role, in the order of the original.
    pub const ALL: [Self; 3] =
        [Self::AssistantOutput, Self::DeterministicVerification, Self::MutationSummary];
    /// What a row accepts that names no roles; `mutation_summary` is deliberately not among them.
    pub const DEFAULT: [Self; 2] = [Self::AssistantOutput, Self::DeterministicVerification];

    /// The role's word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AssistantOutput => "assistant_output",
            Self::DeterministicVerification => "deterministic_verification",
            Self::MutationSummary => "mutation_summary",
        }
    }

    /// Reads a wire word; an unknown word is no role and so supports nothing.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == word)
    }
}

/// One row of a contract.
///
/// INVARIANT: id and name are trimmed and not empty; roles are distinct and not empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Requirement {
    requirement_id: String,
    name: String,
    evidence_roles: Vec<EvidenceRole>,
}

impl Requirement {
    /// Makes a row; no roles means the default ones.
    ///
    /// # Errors
    /// When id or name is blank, or a role is named twice.
    pub fn new(
        id: &str,
        name: &str,
        roles: Option<Vec<EvidenceRole>>,
    ) -> Result<Self, RequirementProblem> {
        let (id, name) = (id.trim(), name.trim());
        if id.is_empty() {
            return Err(RequirementProblem::BlankId);
        }
        if name.is_empty() {
            return Err(RequirementProblem::BlankName);
        }
        let evidence_roles = roles.unwrap_or_else(|| EvidenceRole::DEFAULT.to_vec());
        if evidence_roles.is_empty() {
            return Err(RequirementProblem::NoRoles);
        }
        let distinct: BTreeSet<_> = evidence_roles.iter().collect();
        if distinct.len() < evidence_roles.len() {
            return Err(RequirementProblem::RepeatedRole);
        }
        Ok(Self { requirement_id: id.to_owned(), name: name.to_owned(), evidence_roles })
    }

    /// The row's id, trimmed.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.requirement_id
    }

    /// The row's sentence, trimmed.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The kinds of evidence that may support the row, in declared order.
    #[must_use]
    pub fn roles(&self) -> &[EvidenceRole] {
        &self.evidence_roles
    }
}

/// A contract in force.
///
/// INVARIANT: at least one row; ids are distinct.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Contract {
    requirements: Vec<Requirement>,
}

impl Contract {
    /// Makes a contract of rows; no rows is no contract.
    ///
    /// # Errors
    /// When two rows share an id.
    pub fn new(requirements: Vec<Requirement>) -> Result<Option<Self>, ContractError> {
        let mut ids = BTreeSet::new();
        for (position, row) in requirements.iter().enumerate() {
            if !ids.insert(row.id()) {
                return Err(ContractError::RepeatedId { position, id: row.id().to_owned() });
            }
        }
        Ok((!requirements.is_empty()).then_some(Self { requirements }))
    }

    /// Reads a contract from JSON of any shape. Null is no contract; extra keys are dropped.
    ///
    /// # Errors
    /// When the value is malformed: a contract that cannot be read must not read as none.
    pub fn from_value(value: &Value) -> Result<Option<Self>, ContractError> {
        if value.is_null() {
            return Ok(None);
        }
        let fields = value.as_object().ok_or(ContractError::NotAnObject)?;
        let rows = fields
            .get("requirements")
            .and_then(Value::as_array)
            .ok_or(ContractError::RequirementsNotAList)?;
        let rows = rows.iter().enumerate().map(|(position, row)| {
            read_row(row).map_err(|problem| ContractError::Row { position, problem })
        });
        Self::new(rows.collect::<Result<_, _>>()?)
    }

    /// The rows, in declared order.
    #[must_use]
    pub fn requirements(&self) -> &[Requirement] {
        &self.requirements
    }

    /// The rows by value, for a caller that retires them.
    #[must_use]
    pub fn into_requirements(self) -> Vec<Requirement> {
        self.requirements
    }
}

fn read_row(row: &Value) -> Result<Requirement, RequirementProblem> {
    if !row.is_object() {
        return Err(RequirementProblem::NotAnObject);
    }
    let id = value::text(row.get("requirement_id"));
    let name = value::text(row.get("name"));
    let roles = value::field(row, "evidence_roles").map(read_roles).transpose()?;
    Requirement::new(&id, &name, roles)
}

fn read_roles(roles: &Value) -> Result<Vec<EvidenceRole>, RequirementProblem> {
    let words = roles.as_array().ok_or(RequirementProblem::RolesNotAList)?;
    words
        .iter()
        .map(|word| {
            word.as_str()
                .and_then(EvidenceRole::parse)
                .ok_or_else(|| RequirementProblem::UnknownRole(value::display(word)))
        })
        .collect()
}

/// Why a contract cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContractError {
    /// The value is neither null nor an object.
    #[error("read the requirement contract: it is not an object")]
    NotAnObject,
    /// `requirements` is missing or no list.
    #[error("read the requirement contract: `requirements` is not a list")]
    RequirementsNotAList,
    /// A row is malformed.
    #[error("read requirement {position}: {problem}")]
    Row {
        /// The row's position, from 0.
        position: usize,
        /// What is wrong with it.
        problem: RequirementProblem,
    },
    /// An id is used by an earlier row.
    #[error("read requirement {position}: id `{id}` is already taken by an earlier row")]
    RepeatedId {
        /// The later row's position, from 0.
        position: usize,
        /// The id.
        id: String,
    },
}

/// What is wrong with one row.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequirementProblem {
    /// The row is no object.
    #[error("it is not an object")]
    NotAnObject,
    /// The id is missing or blank.
    #[error("its `requirement_id` is blank")]
    BlankId,
    /// The name is missing or blank.
    #[error("its `name` is blank")]
    BlankName,
    /// The roles are no list.
    #[error("its `evidence_roles` is not a list")]
    RolesNotAList,
    /// The roles are an empty list.
    #[error("its `evidence_roles` is empty")]
    NoRoles,
    /// A role is not one of the three.
    #[error("its evidence role `{0}` is unknown")]
    UnknownRole(String),
    /// A role is named twice.
    #[error("it names an evidence role twice")]
    RepeatedRole,
}
