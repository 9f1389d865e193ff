//! The receipt of one boundary.
//!
//! A [`Receipt`] holds every value that the state machine was handed ([`Inputs`], the [`tape`] of
//! what judges answered) and what it decided, sealed under one id: the digest of its canonical
//! text. Whoever has the receipt and the transcript can hand the same values to the same machine
//! and must arrive at the same id; [`differences()`] says where not.
//!
//! A receipt shows what was decided on what. It does not show that the disk, or the place receipts
//! are kept, was left alone: only a log that somebody else has witnessed does.
//!
//! Nothing here decides, reads a transcript, touches a disk or knows a clock, but for one module.
//!
//! # Features
//!
//! `store`, off by default and for Unix only, adds the module `store`: the ledger on a disk, which
//! one process leaves to the next.

mod depth;
pub mod differences;
pub mod inputs;
pub mod receipt;
#[cfg(all(unix, feature = "store"))]
#[expect(clippy::disallowed_methods, reason = "the one part of this crate that is at the edge")]
pub mod store;
pub mod tape;

pub use differences::{Difference, differences};
pub use inputs::{Covered, Ended, Inputs, Template, TurnState, VerifierRecord};
pub use receipt::{Body, OutcomeRecord, Receipt, ReceiptError};
pub use tape::{JudgeKind, TapeEntry, Told};
