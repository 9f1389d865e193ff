//! Integration tests of the ground floor.

mod canonical;
mod golden;
mod snapshot;
