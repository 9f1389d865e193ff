//! The deterministic stage: write facts and a verifier's verdict, read by one ladder.
//!
//! The ladder decides, the budget says how often it may refuse, [`Gate::answer`] puts both into
//! the answer that a host's own closure would give, and [`ClosureVerdict`] reads such an answer.
//! Running a verifier, telling source from cosmetic files and counting writes are the caller's.

mod budget;
mod closure;
mod evaluate;
mod facts;
mod ladder;

pub use budget::{Budgeted, VetoCharge, VetoCounts, apply_budget};
pub use closure::ClosureVerdict;
pub use evaluate::{Gate, GateAnswer, OnExhausted};
pub use facts::{
    Facts, VerifierRun, Verify, WriteCounts, WriteFact, WriteKind, classify_writes, combine_verify,
};
pub use ladder::{Derived, GateReason, LadderVerdict, Streak, climb};
