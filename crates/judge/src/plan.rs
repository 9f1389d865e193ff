//! The ordered stages of one boundary, and whether anybody is there to adjudicate it.

use crate::policy::{CadenceReading, Closure, Policy, Slot};

/// One stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum Stage {
    /// The deterministic closure is asked.
    Deterministic,
    /// A judge is asked.
    Judge(Slot),
}

/// Whether the completion judge's turn has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum Due {
    /// As its cadence says.
    #[default]
    ByCadence,
    /// As the host says.
    Given(bool),
}

/// Stop reasons with which a run proposes to be done; at others the completion judge has no say.
pub const COMPLETION_REASONS: [&str; 4] =
    ["sentinel", "natural", "stalled", "explicit_completion_claim"];

/// Makes the plan of a boundary.
#[must_use]
pub fn plan(
    policy: &Policy,
    stop_reason: &str,
    due: Due,
    cadence: CadenceReading<'_>,
) -> Vec<Stage> {
    let mut stages = Vec::new();
    if policy.closure != Closure::None {
        stages.push(Stage::Deterministic);
    }
    if policy.judges.verification.is_some() {
        stages.push(Stage::Judge(Slot::Verification));
    }
    let is_due = policy.judges.completion.as_ref().is_some_and(|config| match due {
        Due::ByCadence => config.cadence.is_due(cadence),
        Due::Given(is_due) => is_due,
    });
    if is_due && COMPLETION_REASONS.contains(&stop_reason) {
        stages.push(Stage::Judge(Slot::Completion));
    }
    stages
}
