//! Integration tests of what a run owes.

mod golden;
mod laws;
