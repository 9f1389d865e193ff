//! The judge as its users see it: vectors, hostile replies, the decision space, golden boundaries.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail, and says why"
)]

mod case;
mod gate;
mod golden;
mod large;
mod prompt;
mod reply;
mod setting;
mod silence;
mod space;
mod termination;
mod wire;
