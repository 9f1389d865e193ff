//! Takes one boundary of a run from record and policy to an outcome.
//!
//! [`policy`] reads `quittance.toml`; [`check`] puts together what the cores say of one turn: what
//! is owed, what was left behind, how its calls ended, the evidence it is decided on and the one
//! word for it all. No verifier is run and no judge is asked yet: a run that nothing convicts ends
//! `unadjudicated`, which is no approval.
//!
//! Nothing here opens a transcript or a terminal (the `quittance` program does). What an outcome
//! follows from is `quittance-judge`'s to say; here stands which facts of a session it is told:
//! whether the run is still waiting, and whether calls may be missing from the record.

pub mod check;
pub mod judge;
pub mod policy;
pub mod user;

pub use check::Check;
pub use policy::Policy;
pub use user::UserConfig;
