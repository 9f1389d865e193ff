//! What is looked at of a folder: the names in it, and the text of a few files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The files that are read, where they are there.
const READ: [&str; 11] = [
    "Cargo.toml",
    "package.json",
    "pyproject.toml",
    "setup.cfg",
    "tox.ini",
    "Makefile",
    "makefile",
    "GNUmakefile",
    "justfile",
    "Justfile",
    ".justfile",
];
/// No project's own description is longer; what is, is read as if it were not there.
const BYTES_MAX: u64 = 1024 * 1024;
/// A folder with more names than this is nobody's project; the rest is not looked at.
const NAMES_MAX: usize = 10_000;

/// What is known of a folder.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    names: BTreeSet<String>,
    texts: BTreeMap<String, String>,
}

impl Facts {
    /// Looks at a folder.
    ///
    /// # Errors
    /// When it cannot be listed.
    pub(super) fn of(folder: &Path) -> io::Result<Self> {
        let mut facts = Self::default();
        for entry in std::fs::read_dir(folder)?.take(NAMES_MAX) {
            facts.names.extend(entry?.file_name().into_string());
        }
        for name in READ.into_iter().filter(|name| facts.names.contains(*name)) {
            if let Some(text) = text(&folder.join(name)) {
                facts.texts.insert(name.to_owned(), text);
            }
        }
        Ok(facts)
    }

    /// The first of several names that is there.
    pub(super) fn first<'a>(&self, names: &[&'a str]) -> Option<&'a str> {
        names.iter().copied().find(|name| self.has(name))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    pub(super) fn has_any(&self, is_meant: impl Fn(&str) -> bool) -> bool {
        self.names.iter().any(|name| is_meant(name))
    }

    /// The text of a file that was read; `""` where it was not.
    pub(super) fn text(&self, name: &str) -> &str {
        self.texts.get(name).map(String::as_str).unwrap_or_default()
    }
}

/// The text of a regular file of a usual size.
fn text(path: &Path) -> Option<String> {
    // A pipe in its place would wait for ever.
    let found = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    if found.len() > BYTES_MAX {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(BYTES_MAX).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
