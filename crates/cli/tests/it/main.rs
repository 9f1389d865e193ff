//! Integration tests of the program, run as its users run it.
#![expect(clippy::unwrap_used, reason = "a helper that cannot go on fails its test")]

mod adjudicate;
mod assess;
mod errors;
mod golden;
#[cfg(unix)]
mod hook;
mod readme;
mod run;
