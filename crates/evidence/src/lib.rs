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
pub mod contract;
pub mod transcript;
pub mod value;
