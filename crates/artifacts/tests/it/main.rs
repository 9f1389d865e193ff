//! Integration tests of the artifact audit.
#![expect(clippy::disallowed_methods, reason = "trees are built in a temporary folder, cases read")]
#![expect(clippy::print_stdout, reason = "a test that cannot run here says so")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper that cannot go on fails its test")]

mod audit;
mod declared;
mod layer;
mod listing;
mod vectors;

#[cfg(unix)]
mod disk;
#[cfg(unix)]
mod golden;
#[cfg(unix)]
mod hostile;
#[cfg(unix)]
mod tree;
