//! What a decision is bound to.
//!
//! An exit decision or a standing counts only with an id that says exactly what it was made on.
//! This crate is the ground floor: the one JSON text ids are taken over ([`canonical`]), the one
//! way text is cut ([`clip`]), a run's records read into tool lifecycles ([`transcript`]) and the
//! requirement contract its evidence is cited against ([`contract`]).
//!
//! An input of an unknown shape never raises an error here: it becomes an issue beside the rows
//! that could be read. The crate does no I/O, knows no host's file format (`quittance-hosts` does)
//! and decides nothing (`quittance-judge` does).

pub mod canonical;
pub mod clip;
pub mod value;

pub mod transcript;

pub mod changed_paths;
pub mod semantics;

pub mod contract;
pub mod id;
pub mod packet;
pub mod requirement_evidence;
pub mod verification;

pub mod builder;
pub mod snapshot;

pub use builder::EvidenceBuilder;
pub use canonical::Digest;
pub use contract::{Contract, EvidenceRole, Requirement};
pub use id::EvidenceId;
pub use semantics::ToolCatalogue;
pub use snapshot::{Boundary, Snapshot};
pub use verification::{Observed, VerificationState};
