//! Whether a judge may still be asked before the deadline, and for how long. Numbers only.

use serde::Serialize;

/// How long one question may take when the configuration does not say.
pub const DEFAULT_OPERATION_MS: i64 = 60_000;
/// What is kept back before the deadline, to end the turn in order.
pub const DEFAULT_RESERVE_MS: i64 = 5_000;

/// What a judge asks of the clock. All in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Now.
    pub now_ms: i64,
    /// When the boundary must be over, on the same clock; none without a deadline.
    pub deadline_at_ms: Option<i64>,
    /// How long the question may take.
    pub operation_budget_ms: i64,
    /// What is kept back.
    pub reserve_ms: i64,
}

/// Whether a question is admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Admission {
    /// Whether anything is left.
    pub admitted: bool,
    /// Until the deadline; negative when it is over.
    pub remaining_ms: Option<i64>,
    /// What the question may take: what it asked for, or what is left.
    pub operation_budget_ms: i64,
    /// What it asked for.
    pub requested_operation_budget_ms: i64,
    /// What is kept back.
    pub deadline_reserve_ms: i64,
    /// `admitted`, or why not.
    pub outcome: &'static str,
}

/// Admits a question that fits, shortening it when only part of it does.
#[must_use]
pub fn admit(request: Request) -> Admission {
    let remaining_ms =
        request.deadline_at_ms.map(|deadline| deadline.saturating_sub(request.now_ms));
    let requested = request.operation_budget_ms;
    let budget = remaining_ms.map_or(requested, |remaining| {
        requested.min(remaining.saturating_sub(request.reserve_ms).max(0))
    });
    let admitted = budget > 0;
    Admission {
        admitted,
        remaining_ms,
        operation_budget_ms: budget,
        requested_operation_budget_ms: requested,
        deadline_reserve_ms: request.reserve_ms,
        outcome: if admitted { "admitted" } else { "deadline_budget_insufficient" },
    }
}
