//! What the crate promises to whoever reads a transcript with it.
#![expect(clippy::disallowed_methods, reason = "cases and published files are read from disk")]
#![expect(clippy::print_stdout, reason = "a test that cannot run here says so")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper that cannot go on fails its test"
)]

mod bookmark;
mod chat;
mod describe;
mod doubtful;
mod golden;
mod growth;
mod hooks;
mod hostile;
mod install;
mod lines;
mod packed;
mod published;
mod rollouts;
