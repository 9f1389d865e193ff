//! Integration tests of the program, run as its users run it.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a helper that cannot go on fails its test"
)]

mod adjudicate;
mod assess;
mod errors;
mod golden;
#[cfg(unix)]
mod hook;
mod hosts;
mod readme;
mod run;
