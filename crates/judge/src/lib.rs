//! Who decides whether a run may stop.
//!
//! So far: what convicts a natural end of unfinished work ([`abandonment`]), what a directive may
//! order ([`Action`]) and the one word for a whole boundary ([`outcome`]).
//!
//! The crate does no I/O, reads no clock and awaits nothing. It never sees a standing
//! (`quittance-assess` gives those): one would come to excuse the other.

pub mod abandonment;
mod action;
pub mod gap;
pub mod ledger;
pub mod outcome;
pub mod reply;

pub use action::Action;
