//! `[contract]`: what the run has to show.

use quittance_artifacts::Declared;
use quittance_evidence::contract::{Contract, ContractError, EvidenceRole, Requirement};
use serde_json::Value;

use super::table::{Item, Table};
use super::{PolicyError, PolicyProblem};

/// What the caller declared.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ContractPolicy {
    /// Paths the run has to leave behind.
    pub artifacts: Declared,
    /// Tools of which a call has to have succeeded.
    pub required_tools: Vec<String>,
    /// Rows an adjudicator has to find met.
    pub requirements: Option<Contract>,
}

impl ContractPolicy {
    pub(super) fn read(table: Table<'_>) -> Result<Self, PolicyError> {
        let table = table.only(&["artifacts", "required_tools", "requirements"])?;
        let artifacts = table.texts("artifacts")?.unwrap_or_default();
        let required_tools = table.texts("required_tools")?.unwrap_or_default();
        let requirements = match table.item("requirements") {
            Some(rows) => read_rows(&rows)?,
            None => None,
        };
        let artifacts = Declared::read(&Value::from(artifacts));
        Ok(Self { artifacts, required_tools, requirements })
    }
}

fn read_rows(rows: &Item<'_>) -> Result<Option<Contract>, PolicyError> {
    let items = rows.list()?;
    let read: Vec<Requirement> = items.iter().map(read_row).collect::<Result<_, _>>()?;
    Contract::new(read).map_err(|error| match error {
        ContractError::RepeatedId { position, id } => {
            let cause = format!("id `{id}` is already taken by an earlier row");
            items.get(position).unwrap_or(rows).problem(PolicyProblem::Requirement(cause))
        }
        other => rows.problem(PolicyProblem::Requirement(other.to_string())),
    })
}

fn read_row(row: &Item<'_>) -> Result<Requirement, PolicyError> {
    let table = row.table()?.only(&["id", "name", "evidence"])?;
    let required = |text: Option<String>, key| text.ok_or_else(|| table_problem(row, key));
    let id = required(table.text("id")?, "id")?;
    let name = required(table.text("name")?, "name")?;
    let roles = match table.item("evidence") {
        Some(words) => Some(words.list()?.iter().map(read_role).collect::<Result<_, _>>()?),
        None => None,
    };
    Requirement::new(&id, &name, roles)
        .map_err(|problem| row.problem(PolicyProblem::Requirement(problem.to_string())))
}

fn table_problem(row: &Item<'_>, key: &str) -> PolicyError {
    let mut problem = row.problem(PolicyProblem::Missing);
    problem.key = format!("{}.{key}", problem.key);
    problem
}

fn read_role(word: &Item<'_>) -> Result<EvidenceRole, PolicyError> {
    let text = word.text()?;
    EvidenceRole::parse(&text).ok_or_else(|| word.problem(PolicyProblem::EvidenceKind(text)))
}
