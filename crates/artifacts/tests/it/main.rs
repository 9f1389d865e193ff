//! Integration tests of the artifact audit.
#![expect(clippy::disallowed_methods, reason = "vectors are read")]
#![expect(clippy::unwrap_used, reason = "a helper that cannot go on fails its test")]

mod audit;
mod declared;
mod listing;
mod vectors;
