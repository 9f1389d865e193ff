//! `[gate]` and `[stop]`: how often the gate, and how often anybody, may refuse.

use quittance_judge::gate::OnExhausted;
use quittance_judge::turn::RefusalCap;
use serde::{Deserialize, Serialize};

use super::table::Table;
use super::{PolicyError, PolicyProblem};

/// The gate's budget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct GatePolicy {
    /// Vetoes of one turn; 0 is no limit (the turn's own stays).
    pub max_vetoes: u32,
    /// What happens when they are spent.
    pub on_exhausted: OnExhausted,
}

/// Enough to mend a red verifier twice.
const DEFAULT_MAX_VETOES: u32 = 3;

impl Default for GatePolicy {
    fn default() -> Self {
        Self { max_vetoes: DEFAULT_MAX_VETOES, on_exhausted: OnExhausted::default() }
    }
}

impl GatePolicy {
    pub(super) fn read(table: Table<'_>) -> Result<Self, PolicyError> {
        let table = table.only(&["max_vetoes", "on_exhausted"])?;
        let default = Self::default();
        let on_exhausted = match table.text("on_exhausted")? {
            None => default.on_exhausted,
            Some(word) => {
                table.word("on_exhausted", &word, OnExhausted::ALL, OnExhausted::as_str)?
            }
        };
        let max_vetoes = table.whole("max_vetoes")?.unwrap_or(default.max_vetoes);
        Ok(Self { max_vetoes, on_exhausted })
    }
}

/// The turn's own cap.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct StopPolicy {
    /// How often one turn may be refused, by anyone, busy or idle.
    pub max_refusals: RefusalCap,
}

impl StopPolicy {
    pub(super) fn read(table: Table<'_>) -> Result<Self, PolicyError> {
        let table = table.only(&["max_refusals"])?;
        let Some(number) = table.whole("max_refusals")? else { return Ok(Self::default()) };
        let cap = u8::try_from(number).ok().and_then(|number| RefusalCap::new(number).ok());
        let range = PolicyProblem::Range { least: 1, most: RefusalCap::MAX.into() };
        let max_refusals = cap.ok_or_else(|| table.problem("max_refusals", range))?;
        Ok(Self { max_refusals })
    }
}
