//! The assessment fold as its users see it: vectors, published standings, goldens, laws, hostile
//! records.
#![expect(clippy::disallowed_methods, reason = "vectors and cases are read from files")]
#![expect(clippy::print_stdout, reason = "a test that cannot run here says so")]
#![expect(clippy::unwrap_used, reason = "a helper that cannot go on fails its test")]

mod vectors;
