//! Runs vectors, NDJSON lines of `{id, op, args, expected}`, against the libraries.
//!
//! `expected` is `{"ok": value}` or `{"error": true or message}`. Values compare as JSON, so key
//! order never matters, while texts, ids and digests inside them compare by their bytes. The string
//! `"<prose>"` matches any non-empty string: sentences are ours. An operation nobody knows fails.

pub mod compare;
pub mod ops;
pub mod vector;

pub use vector::{Outcome, Vector, VectorError};
