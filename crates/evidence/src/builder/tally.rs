//! How the calls of a run ended, by tool: what abandonment is read from.
//!
//! Only a call that was run and answered once counts as ended. One that is pending, ambiguous or
//! whose host did not say counts as unknown, and an unknown acquits.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::transcript::Outcome;

/// How the calls of one tool ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ToolTally {
    /// Known to have succeeded.
    pub ok: usize,
    /// Known to have failed.
    pub error: usize,
    /// Not known.
    pub unknown: usize,
}

/// How all calls ended, by tool name. Calls that the harness closed without running are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Tally {
    /// By tool name.
    pub tools: BTreeMap<String, ToolTally>,
}

impl Tally {
    /// The sum over all tools.
    #[must_use]
    pub fn total(&self) -> ToolTally {
        self.tools.values().fold(ToolTally::default(), |sum, tool| ToolTally {
            ok: sum.ok + tool.ok,
            error: sum.error + tool.error,
            unknown: sum.unknown + tool.unknown,
        })
    }

    /// The counter of one tool's calls that ended so.
    pub(super) fn count(&mut self, tool: &str, ended: Option<Outcome>) -> &mut usize {
        let tally = self.tools.entry(tool.to_owned()).or_default();
        match ended {
            Some(Outcome::Ok) => &mut tally.ok,
            Some(Outcome::Error) => &mut tally.error,
            Some(Outcome::Unknown) | None => &mut tally.unknown,
        }
    }
}
