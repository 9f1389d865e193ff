//! The store: the protocol, its queries, and everything that may go wrong under it.
#![expect(clippy::disallowed_methods, reason = "ledgers are made, damaged and killed on a disk")]
#![expect(clippy::print_stdout, reason = "a test that cannot run here says so")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a helper that cannot go on fails its test"
)]

mod aside;
mod child;
mod damage;
mod disk;
mod ledger;
mod locked;
mod positions;
mod processes;
mod protocol;
mod queries;
