//! The judge as its users see it: vectors, hostile replies, the decision space, golden boundaries.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test may fail, and says why"
)]

mod reply;
mod setting;
mod space;
mod vectors;
