//! The policy file's words as the state machine takes them.

use quittance_judge::gate::Gate;
use quittance_judge::policy::{Closure, JudgeConfig, PerSlot, Policy as Terms, Slot};

use crate::policy::{JudgePolicy, Policy, When};

/// Who may adjudicate under a policy.
#[must_use]
pub fn terms(policy: &Policy) -> Terms {
    let assessor = assessor(policy);
    let rows = &policy.contract.requirements;
    let judge = |slot: Slot| {
        let declared = policy.judges.get(slot).as_ref()?;
        let contract = rows.clone().filter(|_| assessor == Some(slot));
        Some(JudgeConfig { contract, ..config(declared) })
    };
    Terms {
        closure: if has_gate(policy) { Closure::Gate(gate(policy)) } else { Closure::None },
        judges: PerSlot {
            verification: judge(Slot::Verification),
            completion: judge(Slot::Completion),
        },
        refuses_empty_answers: true,
        unassessed: rows.clone().filter(|_| assessor.is_none()),
        ..Terms::default()
    }
}

/// The judge that assesses the contract's rows: the one asked where a run proposes to end.
fn assessor(policy: &Policy) -> Option<Slot> {
    let declared = |slot: &Slot| policy.judges.get(*slot).is_some();
    [Slot::Completion, Slot::Verification].into_iter().find(declared)
}

/// Whether there is a deterministic stage. A verifier that never speaks is none, unless the turn
/// has to change something all the same.
fn has_gate(policy: &Policy) -> bool {
    let verify = policy.verify.as_ref();
    verify.is_some_and(|verify| verify.when != When::Never || verify.requires_write)
}

fn gate(policy: &Policy) -> Gate {
    Gate {
        requires_write: policy.verify.as_ref().is_some_and(|verify| verify.requires_write),
        max_vetoes: policy.gate.max_vetoes.into(),
        on_exhausted: policy.gate.on_exhausted,
        ..Gate::default()
    }
}

fn config(declared: &JudgePolicy) -> JudgeConfig {
    let rubric = declared.rubric.trim();
    JudgeConfig {
        model: Some(declared.model.clone()),
        rubric: (!rubric.is_empty()).then(|| rubric.to_owned()),
        max_invocations: Some(declared.max_invocations.into()),
        operation_timeout_ms: declared.operation_timeout_ms.into(),
        deadline_reserve_ms: declared.deadline_reserve_ms.into(),
        ..JudgeConfig::standard()
    }
}
