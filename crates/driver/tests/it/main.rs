//! Integration tests of the driver.
#![expect(clippy::unwrap_used, reason = "a helper that cannot go on fails its test")]

#[cfg(target_os = "linux")]
mod command;
mod golden;
mod policy;
#[cfg(target_os = "linux")]
mod process;
#[cfg(target_os = "linux")]
mod real;
#[cfg(target_os = "linux")]
mod verify;
