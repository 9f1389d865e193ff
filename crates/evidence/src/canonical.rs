//! The one JSON text that ids are taken over, and the digest of it.
//!
//! The layout is Harn's compact JSON (keys in byte order, floats always with a fraction or an
//! exponent sign, control characters as `\u00xx`), so an id computed here equals one computed
//! there. It is not RFC 8785: `1` and `1.0` stay distinct, as do `-0.0` and `0`.
//!
//! The writer sorts keys itself and lays out floats itself. It never leans on the order of
//! `serde_json::Map`, which a dependency may change for the whole build.

mod digest;
mod float;
mod settled;
mod text;

pub use digest::{Digest, DigestParse, DigestResume, DigestState, Digester};
pub use settled::settled;
pub use text::{object_to_text, to_text, write};
