//! The receipt of one boundary: its envelope and its id.

pub mod receipt;

pub use receipt::Receipt;
