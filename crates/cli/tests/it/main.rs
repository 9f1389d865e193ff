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
#[cfg(unix)]
mod doctor;
mod errors;
mod golden;
#[cfg(unix)]
mod hook;
mod hosts;
mod init;
mod install;
mod manual;
#[cfg(target_os = "linux")]
mod newcomer;
mod readme;
mod run;
mod world;
