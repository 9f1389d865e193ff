//! Who decides whether a run may stop.
//!
//! [`machine`] takes one boundary from proposal to decision; everything else is a room of it that
//! can be used alone. `plan` says who is asked, [`gate`] reads facts and a verifier, [`reply`] reads
//! a judge's text, [`ledger`] keeps the rows of the contract, [`arbitrate`] and [`verifier`] hold the
//! only two rules that turn a refusal, [`directive`] writes the receipt, [`outcome`] the one word and
//! [`turn`] sees to it that every turn ends.
//!
//! ```
//! use quittance_evidence::snapshot::Boundary;
//! use quittance_evidence::{EvidenceBuilder, ToolCatalogue};
//! use quittance_judge::machine::{Progress, Proposal, Reply, open};
//! use quittance_judge::outcome::Outcome;
//! use quittance_judge::policy::{JudgeConfig, PerSlot, Policy};
//! use quittance_obligations::Obligations;
//!
//! let boundary = Boundary {
//!     task: "Fix the parser.".to_owned(),
//!     stop_reason: "natural".to_owned(),
//!     text: "Fixed.".to_owned(),
//!     ..Boundary::default()
//! };
//! let snapshot = EvidenceBuilder::new(ToolCatalogue::default()).snapshot(boundary);
//! let owed = Obligations::of_session(&[], &[], "Fix the parser.");
//! let judge = JudgeConfig { model: Some("m".to_owned()), ..JudgeConfig::standard() };
//! let judges = PerSlot { completion: Some(judge), ..PerSlot::default() };
//! let policy = Policy { judges, ..Policy::default() };
//!
//! let progress = open(Proposal::new(snapshot, owed, policy), 0);
//! let Progress::Judge(asked) = progress else { panic!("the judge is asked") };
//! assert!(asked.question().prompt.user.contains("Fixed."));
//! let reply = Reply::text(r#"{"verdict": "continue", "detail": "The tests were not run."}"#);
//! let Progress::Decided(decision) = asked.answer(&reply, 900) else { panic!("one question") };
//! assert_eq!(decision.outcome, Outcome::Refused);
//! assert_eq!(decision.feedback, "The tests were not run.");
//! ```
//!
//! The crate does no I/O, reads no clock, awaits nothing and asks nobody: it says what it needs
//! and takes the answer as a value (`quittance-driver` is one such driver). It never sees a standing
//! (`quittance-assess` gives those): one would come to excuse the other.

pub mod abandonment;
mod action;
pub mod admit;
pub mod arbitrate;
pub mod directive;
pub mod event;
pub mod feedback;
pub mod gap;
pub mod gate;
pub mod ledger;
pub mod machine;
pub mod outcome;
pub mod plan;
pub mod policy;
pub mod precheck;
pub mod prompt;
pub mod record;
pub mod reply;
pub mod turn;
pub mod verdict;
pub mod verifier;
mod words;

pub use action::Action;
