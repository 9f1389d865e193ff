//! Pins a text beside its case under `golden/`.

use std::path::{Path, PathBuf};

use quittance_evidence::canonical;
use serde_json::Value;

/// The folder of golden cases.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden")
}

/// The input `golden/CASE/NAME`.
pub(crate) fn input(case: &str, name: &str) -> String {
    std::fs::read_to_string(folder().join(case).join(name)).unwrap()
}

/// The texts in the list `golden/CASE/NAME`.
pub(crate) fn texts(case: &str, name: &str) -> Vec<String> {
    serde_json::from_str(&input(case, name)).unwrap()
}

/// Holds a text against `golden/CASE/NAME.snap`.
pub(crate) fn pin(case: &str, name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder().join(case));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// A value to be read, its keys in order: with the model client in the build, a JSON object keeps
/// the order in which it was made.
pub(crate) fn pretty(value: &Value) -> String {
    let ordered: Value = serde_json::from_str(&canonical::to_text(value)).unwrap();
    serde_json::to_string_pretty(&ordered).unwrap()
}
