//! Integration tests of the driver.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper that cannot go on fails its test"
)]

#[cfg(target_os = "linux")]
mod command;
mod golden;
mod hostile;
mod laws;
#[cfg(unix)]
mod links;
mod obedient;
mod policy;
#[cfg(target_os = "linux")]
mod process;
#[cfg(feature = "provider")]
mod provider;
mod question;
#[cfg(target_os = "linux")]
mod real;
mod receipts;
mod standing;
mod tape;
mod user;
#[cfg(target_os = "linux")]
mod verify;
mod world;
