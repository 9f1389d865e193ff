//! Integration tests of the ground floor.

mod canonical;
