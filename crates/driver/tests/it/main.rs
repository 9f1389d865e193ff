//! Integration tests of the driver.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper that cannot go on fails its test"
)]

mod golden;
mod hostile;
mod laws;
mod obedient;
mod policy;
mod receipts;
mod world;
