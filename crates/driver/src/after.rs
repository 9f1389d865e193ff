//! What the next boundary of the turn must know of this one.

use quittance_evidence::verification::Observed as Reading;
use quittance_judge::Action;
use quittance_judge::machine::Decision;
use quittance_judge::policy::Slot;
use quittance_ledger::{Covered, Ended, TurnState, VerifierRecord};

use crate::case::Case;

/// The turn's state after a decision; the refusal itself is counted by whoever rules on it.
pub(crate) fn after(
    case: &Case,
    before: &TurnState,
    decision: &Decision,
    gate: Option<&VerifierRecord>,
) -> TurnState {
    let mut after = before.clone();
    for slot in Slot::ALL {
        let asked = u64::from(decision.directive.receipt.invoked.judge(slot));
        let count = after.invocations.get_mut(slot);
        *count = count.saturating_add(asked);
    }
    if let Some(charge) = decision.charge.as_ref().filter(|_| is_charged(decision)) {
        after.vetoes.charge(charge);
    }
    after.history = decision.history.clone();
    if let Some(covered) = gate.and_then(|record| covered(case, record)) {
        after.covered = Some(covered);
    }
    after
}

/// A veto counts where it held the run.
fn is_charged(decision: &Decision) -> bool {
    decision.directive.action == Action::Continue
}

/// What a verifier that we ran ourselves and that passed covers: every line that was there when it
/// was started.
fn covered(case: &Case, record: &VerifierRecord) -> Option<Covered> {
    let passed = record.ended == Ended::Exited && record.reading == Reading::Passed;
    let command = record.command.clone();
    passed.then_some(Covered { line: case.session.source.lines, command })
}
