//! The assessment fold as its users see it: vectors, published standings, goldens, laws, hostile
//! records.
#![expect(clippy::disallowed_methods, reason = "vectors and cases are read from files")]
#![expect(clippy::print_stdout, reason = "a test that cannot run here says so")]
#![expect(clippy::unwrap_used, reason = "a helper that cannot go on fails its test")]

use std::path::{Path, PathBuf};

mod cases;
mod generated;
mod golden;
mod hostile;
mod laws;
mod published;
mod shapes;
mod vectors;
mod vocabulary;

/// A file or folder of the shared material, which a bare checkout does not have.
fn shared(path: &str) -> Option<PathBuf> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if file.exists() {
        return Some(file);
    }
    println!("SKIPPED: {path} is not beside the repository");
    None
}
