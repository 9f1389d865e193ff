//! The declared list, normalized once.
//!
//! Owns what counts as one declared path. It does not look at path syntax: `~`, `*` and `[id]` are
//! parts of a name, and where a path leads is the probe's to say.

pub(crate) mod spell;

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// The paths a run was to leave behind, in the order they were declared.
///
/// INVARIANT: every path is trimmed and not empty, and no two are equal.
///
/// Reading it from a typed list (a policy file) refuses what is not a list of texts;
/// [`Declared::read`] takes any JSON value, as the original does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Declared(Vec<String>);

impl Declared {
    /// Reads a declaration of any shape: what is not a list declares nothing, an entry that is not
    /// a text is spelled as one (null is the path `nil`, 5 the path `5`).
    ///
    /// A bare text is not a list, so it declares nothing either. A caller who can still be told of
    /// the mistake reads a typed list instead.
    #[must_use]
    pub fn read(value: &Value) -> Self {
        match value {
            Value::Array(entries) => entries.iter().map(spell::spell).collect(),
            _ => Self::default(),
        }
    }

    /// Returns the paths in the order they were declared.
    #[must_use]
    pub fn paths(&self) -> &[String] {
        &self.0
    }

    /// Says whether nothing was declared, which supports nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn into_paths(self) -> Vec<String> {
        self.0
    }
}

impl<S: AsRef<str>> FromIterator<S> for Declared {
    /// Trims each entry, then drops the empty ones (a typo of the caller's, not the run's) and all
    /// but the first of equal ones.
    fn from_iter<I: IntoIterator<Item = S>>(entries: I) -> Self {
        let mut seen = BTreeSet::new();
        let mut paths = Vec::new();
        for entry in entries {
            let path = entry.as_ref().trim();
            if !path.is_empty() && seen.insert(path.to_owned()) {
                paths.push(path.to_owned());
            }
        }
        Self(paths)
    }
}

impl<'de> Deserialize<'de> for Declared {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<String>::deserialize(deserializer)?.into_iter().collect())
    }
}
