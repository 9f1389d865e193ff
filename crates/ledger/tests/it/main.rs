//! The ledger as its users see it.

#[cfg(all(unix, feature = "store"))]
mod store;
