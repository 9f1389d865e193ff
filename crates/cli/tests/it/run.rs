//! Runs the built program.

use std::path::{Path, PathBuf};

/// What a run printed and how it ended.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// The whole run as one text.
    pub(crate) fn text(&self) -> String {
        let Self { code, stdout, stderr } = self;
        let stderr = if stderr.is_empty() { String::new() } else { format!("stderr: {stderr}") };
        format!("{stdout}{stderr}exit: {code}")
    }
}

/// Runs `quittance` in a folder.
pub(crate) fn quittance(folder: &Path, args: &[&str]) -> Run {
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_quittance"))
        .current_dir(folder)
        .args(args)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run {
        code: output.status.code().unwrap(),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// The repository's top folder.
pub(crate) fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}
