//! What a run owes.
//!
//! A run's target is the task it was opened with, amended by every directive the user sent mid-run
//! and the model received. Every exit authority must read the same amended target, or a steer the
//! user sent becomes invisible to the authority that decides whether the run may stop.
//!
//! ```
//! use quittance_obligations::{Obligations, Source};
//! use serde_json::json;
//!
//! let rows = [json!({
//!     "action": "steer", "text": "Drop the docs.", "provenance": "recorded",
//!     "message_id": "m1", "delivery_mode": "finish_step",
//! })];
//! let owed = Obligations::from_control_rows(&rows, "Fix the parser and update the docs.");
//! assert_eq!(owed.steers()[0].content, "Drop the docs.");
//! assert_eq!(owed.source(), Some(Source::ControlRecord));
//! assert!(owed.accepted_stop().is_none());
//! ```
//!
//! Two derivations exist. Control rows, written by the session as it accepts each control word, are
//! the authority ([`Obligations::from_control_rows`]). Delivered messages are the fallback
//! ([`Obligations::from_messages`]): they show a steer but can never show a stop, so every result
//! says which reading it is, and the fallback's silence is never "no stop".
//!
//! An unknown action, mode or provenance grants nothing: it neither adds a steer nor withdraws
//! work. Text is never searched for control words. The crate does no I/O, reads no host's file
//! (`quittance-hosts` emits the rows) and judges nothing (`quittance-judge` does).

mod derive;
mod prompt;
mod record;
mod requirements;

pub use record::{AcceptedStop, Obligations, Retarget, Source, Steer};
pub use requirements::RequirementsUnderObligations;
