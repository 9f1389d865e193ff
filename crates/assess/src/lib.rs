//! How far an answer can be trusted, folded from the committed record of its run.
//!
//! [`assess`] is one pure function. It reads no clock, network, model or randomness, and the same record
//! gives the same bytes. The standing comes from what the record can check, never from how sure the
//! model sounds, and never "known" from silence: a reason that fires makes it `unknown`; only a passed,
//! enforcing report over these very bytes supports `known`; checks that ran and fired nothing make it
//! `unrefuted`; a record on which nothing could be checked is `not-applicable`. A check that merely
//! found something keeps a reason from firing and supports nothing.
//!
//! ```
//! use quittance_assess::{Declarations, Record, Standing, assess};
//!
//! let record = br#"{"snapshot":{"sharedState":{"history":[
//!     {"role":"user","content":"Which ports are down?"},
//!     {"role":"tool","toolCallId":"c1","content":"[]"}]}}}"#;
//! let record = Record::parse(record)?;
//! let assessment = assess(&record, &Declarations::default());
//! assert_eq!(assessment.standing(), Standing::NotSure);
//! assert_eq!(assessment.reasons()[0].reason.as_str(), "empty-undeclared");
//! # Ok::<(), quittance_assess::RecordError>(())
//! ```
//!
//! # What is the original's and what is not
//!
//! The rules are those of agentfootprint's `assessAnswer`, and [`Assessment::to_json`] prints its
//! bytes. Parts of the original are not stored anywhere and are rebuilt here; nothing of this is known to
//! be what the original does, and each place is marked RECONSTRUCTED:
//!
//! - the order and layer of four reasons ([`Reason::ALL`]);
//! - which kind of source a reason has, and how sources are spelled ([`source`]);
//! - how many entries of a list within a row are read (1000);
//! - the last of the eight openings of a message by the library;
//! - that reading emptiness, rewrites, tool bytes and the redaction marker has not changed since the
//!   version of them that is stored.
//!
//! # What JSON cannot hold
//!
//! The original also guards against values that only a running program has: holes in arrays, getters,
//! proxies, iterators of a list's own, cycles. JSON text has none, so no rule of theirs is here. A key
//! that is absent and a key that is `null` are told apart wherever the original tells them apart.
//!
//! Where `JSON.parse` and other readers differ this crate reads as `JSON.parse` does ([`json`]): numbers
//! past a double's range are infinite, lone surrogates are text, a repeated key has its last value. Two
//! texts are refused that JavaScript would take: one that nests deeper than [`NESTING_MAX`], and one
//! that is no UTF-8.
//!
//! # What this crate does not do
//!
//! - It reads no transcript: `quittance-hosts` makes a record of one.
//! - It never sees whether a run may stop, and `quittance-judge` never sees a standing: one would come
//!   to excuse the other. `quittance-ledger` holds both in one receipt.
//! - It reads no file and prints nothing; the command is in `quittance`.

mod arguments;
mod assessment;
mod caller;
mod check;
mod coverage;
mod declared;
mod emptiness;
mod fold;
mod gathered;
mod ids;
pub mod json;
mod layer;
mod ledger;
mod pointer;
mod print;
mod read_back;
mod readers;
mod reason;
mod record;
mod results;
mod rows;
pub mod source;
mod state;
mod turn;
pub mod words;

pub use assessment::{Assessment, Fired, Standing, Value};
pub use caller::CallerMistake;
pub use check::{Check, CheckName};
pub use declared::{Declarations, DeclarationsError};
pub use fold::assess;
pub use layer::Layer;
pub use pointer::{Place, Pointer, RowField};
pub use read_back::AssessmentError;
pub use reason::{Class, Reason, SourceKind};
pub use record::{NESTING_MAX, Record, RecordError};
pub use source::{Call, Source};
pub use state::{Served, StateKey};
pub use turn::TurnFrom;
pub use words::{Clause, HowSure, how_sure};
