//! The receipt of one boundary: its envelope, its id, and the store that keeps it.
//!
//! # Features
//!
//! `store`, off by default and for Unix only, adds the module `store`, which alone touches a disk
//! and a clock; everything else here is a pure core.

pub mod receipt;
#[cfg(all(unix, feature = "store"))]
#[expect(clippy::disallowed_methods, reason = "the one part of this crate that is at the edge")]
pub mod store;

pub use receipt::Receipt;
