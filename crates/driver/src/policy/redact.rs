//! `[redact]`: what never enters a receipt.

use regex::Regex;
use serde::{Deserialize, Serialize};

use super::table::{Item, Table};
use super::{PolicyError, PolicyProblem};

/// What is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RedactPolicy {
    /// The patterns, in the order in which they are applied.
    pub patterns: Vec<RedactPattern>,
}

/// One thing to leave out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RedactPattern {
    /// What stands in its place: `[redacted:NAME]`.
    pub name: String,
    /// The regular expression.
    pub regex: String,
}

impl RedactPolicy {
    pub(super) fn read(table: Table<'_>) -> Result<Self, PolicyError> {
        let table = table.only(&["patterns"])?;
        let rows = table.item("patterns").map(|item| item.list()).transpose()?;
        let patterns = rows.unwrap_or_default().iter().map(read_row).collect::<Result<_, _>>()?;
        Ok(Self { patterns })
    }
}

fn read_row(row: &Item<'_>) -> Result<RedactPattern, PolicyError> {
    let table = row.table()?.only(&["name", "regex"])?;
    let required = |key| table.text(key)?.ok_or_else(|| table.problem(key, PolicyProblem::Missing));
    let (name, regex) = (required("name")?, required("regex")?);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.chars().all(is_plain) {
        return Err(table.problem("name", PolicyProblem::PatternName));
    }
    let compiled = Regex::new(&regex)
        .map_err(|error| table.problem("regex", PolicyProblem::Pattern(error.to_string())))?;
    // Such a pattern matches between any two letters and would eat the whole record.
    if compiled.is_match("") {
        return Err(table.problem("regex", PolicyProblem::MatchesNothing));
    }
    Ok(RedactPattern { name, regex })
}
