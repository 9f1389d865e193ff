//! `[tools."NAME"]`: whole commands of a tool that verify, or that change nothing.

use quittance_hosts::ToolPolicy;

use super::PolicyError;
use super::table::Table;

pub(super) fn read(tools: &Table<'_>) -> Result<ToolPolicy, PolicyError> {
    let mut policy = ToolPolicy::default();
    for (tool, entry) in tools.named() {
        let entry = entry.table()?.only(&["verify", "read_only"])?;
        for command in entry.texts("verify")?.unwrap_or_default() {
            policy = policy.with_verify(tool, &command);
        }
        for command in entry.texts("read_only")?.unwrap_or_default() {
            policy = policy.with_read_only(tool, &command);
        }
    }
    Ok(policy)
}
