//! `[hook]` and `[receipts]`: what only a hook needs.

use serde::{Deserialize, Serialize};

use super::PolicyError;
use super::table::Table;

/// A hook's own limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct HookPolicy {
    /// When a hook must have answered, in seconds.
    pub deadline_s: u32,
}

/// A verifier of five minutes and two judges of one; below every host's ten minutes.
const DEFAULT_DEADLINE_S: u32 = 420;

impl Default for HookPolicy {
    fn default() -> Self {
        Self { deadline_s: DEFAULT_DEADLINE_S }
    }
}

impl HookPolicy {
    pub(super) fn read(table: Table<'_>) -> Result<Self, PolicyError> {
        let table = table.only(&["deadline_s"])?;
        let deadline_s = table.positive("deadline_s")?.unwrap_or(DEFAULT_DEADLINE_S);
        Ok(Self { deadline_s })
    }
}

/// Where receipts are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReceiptsPolicy {
    /// The ledger's file, relative to the policy's folder; none for the user's data folder.
    pub ledger: Option<String>,
}

impl ReceiptsPolicy {
    pub(super) fn read(table: Table<'_>) -> Result<Self, PolicyError> {
        let table = table.only(&["ledger"])?;
        Ok(Self { ledger: table.text("ledger")? })
    }
}
