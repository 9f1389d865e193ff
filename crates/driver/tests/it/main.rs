//! Integration tests of the driver.
#![expect(clippy::panic, clippy::unwrap_used, reason = "a helper that cannot go on fails its test")]

mod golden;
mod policy;
#[cfg(feature = "provider")]
mod provider;
mod question;
mod tape;
mod user;
