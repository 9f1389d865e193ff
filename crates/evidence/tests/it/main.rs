//! Integration tests of the ground floor.
#![expect(clippy::disallowed_methods, reason = "cases are read from the repository")]
#![expect(clippy::unwrap_used, reason = "a helper that cannot go on fails its test")]

mod canonical;
mod golden;
mod snapshot;
mod wire;
