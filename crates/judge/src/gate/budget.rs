//! How often the gate may refuse before it must let go.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ladder::{GateReason, LadderVerdict};

/// Vetoes of the turn's earlier boundaries, counted by reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VetoCounts {
    /// All of them.
    pub total: u64,
    /// By reason. Their sum may exceed the total: a veto before any write also counts as one for
    /// want of a write.
    pub by_reason: BTreeMap<GateReason, u64>,
}

/// What one veto adds to the counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VetoCharge {
    /// The reasons to add one to; the total grows by one.
    pub reasons: Vec<GateReason>,
}

impl VetoCounts {
    /// Adds a veto.
    pub fn charge(&mut self, charge: &VetoCharge) {
        self.total = self.total.saturating_add(1);
        for reason in &charge.reasons {
            let count = self.by_reason.entry(*reason).or_default();
            *count = count.saturating_add(1);
        }
    }

    /// Vetoes that count now: once source is written, those for want of a write are over.
    #[must_use]
    pub fn used(&self, saw_source: bool) -> u64 {
        let unwritten = self.by_reason.get(&GateReason::NoSourceWrite).copied().unwrap_or(0);
        if saw_source { self.total.saturating_sub(unwritten) } else { self.total }
    }
}

/// A ladder verdict after the budget.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum Budgeted {
    /// It stands. A refusal is charged.
    Stands(LadderVerdict),
    /// It was a refusal; the vetoes are spent and the stop passes, under its own reason.
    Released {
        /// What it would have been refused for.
        converted_from: GateReason,
    },
}

/// Applies the budget. A strict refusal is never released, and a budget of 0 or less is none.
#[must_use]
pub fn apply_budget(verdict: LadderVerdict, used: u64, max_vetoes: i64) -> Budgeted {
    match verdict {
        LadderVerdict::Refusal { reason, is_strict: false, .. } if is_spent(used, max_vetoes) => {
            Budgeted::Released { converted_from: reason }
        }
        LadderVerdict::Pass(_) | LadderVerdict::Refusal { .. } => Budgeted::Stands(verdict),
    }
}

/// Whether the vetoes are spent.
pub(super) fn is_spent(used: u64, max_vetoes: i64) -> bool {
    u64::try_from(max_vetoes).is_ok_and(|max| max > 0 && used >= max)
}
