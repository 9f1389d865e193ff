//! A judge's reply: hostile text in, a verdict out, or the reason there is none.
//!
//! A reply is found in its text ([`read_live`]), decoded into a [`Decoded`] verdict and checked
//! against itself and the evidence. What is not certain grants nothing: no field that could not be
//! read ever turns a refusal into an approval. What happens next (ask again, overrule, refuse) is
//! the stage's business.

mod approval;
mod clamp;
mod decode;
mod find;
mod goal;
mod quote;
mod schema;
mod strict;

pub use clamp::clamp_detail;
pub use decode::Decoded;
pub use find::{JudgeWord, LiveReply, REPLY_BYTES_MAX, Unreadable, read_live};
pub use goal::{GoalAssessment, GoalKind};
pub use quote::Evidence;
pub use schema::verdict_schema;
