//! Integration tests of what a run owes.
#![expect(clippy::disallowed_methods, reason = "cases are read from the repository")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper that cannot go on fails its test")]

mod golden;
mod laws;
