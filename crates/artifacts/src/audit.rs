//! One run's declared paths, each probed once.
//!
//! Owns the three lists and the one question asked of them. [`Survey`] holds what was seen, with
//! notes for people; [`Audit`] is what a receipt holds, in the original's shape.

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use crate::{Declared, Note, Probe, Sighting, Verdict};

/// What a probe saw of every declared path, in the order they were declared.
///
/// INVARIANT: the paths are those of one [`Declared`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Survey(Vec<Finding>);

/// What a probe saw of one declared path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The path as it was declared.
    pub path: String,
    /// What the probe saw.
    pub sighting: Sighting,
}

impl Survey {
    /// Probes each declared path, once.
    #[must_use]
    pub fn take(declared: &Declared, probe: &(impl Probe + ?Sized)) -> Self {
        let look = |path: &String| Finding { path: path.clone(), sighting: probe.look(path) };
        Self(declared.paths().iter().map(look).collect())
    }

    /// Returns what was seen, in the order of the declaration.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.0
    }

    /// Returns the three lists a receipt holds.
    #[must_use]
    pub fn audit(&self) -> Audit {
        let mut audit = Audit::default();
        for Finding { path, sighting } in &self.0 {
            audit.declared.push(path.clone());
            match sighting.status.verdict() {
                Verdict::Present => {}
                Verdict::Missing => audit.missing.push(path.clone()),
                Verdict::Unverifiable => audit.unverifiable.push(path.clone()),
            }
        }
        audit
    }
}

/// Written as `path`, `verdict`, `status` and, where there is one, `note`.
impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Sighting { status, note } = &self.sighting;
        let mut fields = serializer.serialize_struct("Finding", 3 + usize::from(note.is_some()))?;
        fields.serialize_field("path", &self.path)?;
        fields.serialize_field("verdict", &status.verdict())?;
        fields.serialize_field("status", status)?;
        match note {
            Some(note) => fields.serialize_field::<Note>("note", note)?,
            None => fields.skip_field("note")?,
        }
        fields.end()
    }
}

/// The audit of one run's declared paths, as a receipt holds it.
///
/// INVARIANT: the paths of `declared` are those of a [`Declared`]; `missing` and `unverifiable`
/// hold some of them, in the same order, none in both. What is in neither is there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Record")]
pub struct Audit {
    declared: Vec<String>,
    missing: Vec<String>,
    unverifiable: Vec<String>,
}

impl Audit {
    /// Returns every declared path. An empty list is a contract that asked for nothing.
    #[must_use]
    pub fn declared(&self) -> &[String] {
        &self.declared
    }

    /// Returns the paths that are not there.
    #[must_use]
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// Returns the paths of which it could not be told.
    #[must_use]
    pub fn unverifiable(&self) -> &[String] {
        &self.unverifiable
    }

    /// Iterates over the paths that are there: those in neither of the other two lists.
    pub fn present(&self) -> impl Iterator<Item = &str> {
        let mut missing = self.missing.iter().peekable();
        let mut unverifiable = self.unverifiable.iter().peekable();
        self.declared.iter().map(String::as_str).filter(move |path| {
            missing.next_if(|next| next == path).is_none()
                && unverifiable.next_if(|next| next == path).is_none()
        })
    }

    /// Says whether there is positive evidence that the run did not do its work. What could not be
    /// told is no part of it.
    #[must_use]
    pub fn convicts(&self) -> bool {
        !self.missing.is_empty()
    }

    /// Says whether something was declared and all of it is there. This is not the opposite of
    /// [`convicts`](Self::convicts): an empty contract supports nothing, and one that could not be
    /// checked was not met.
    #[must_use]
    pub fn satisfied(&self) -> bool {
        !self.declared.is_empty() && self.missing.is_empty() && self.unverifiable.is_empty()
    }
}

/// The three lists as they stand in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    declared: Vec<String>,
    missing: Vec<String>,
    unverifiable: Vec<String>,
}

/// Why three lists are not an audit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AuditRead {
    /// A declared path is blank, padded or declared before.
    #[error("read an audit: `{path}` is blank, padded or declared twice")]
    NotNormal {
        /// The path.
        path: String,
    },
    /// A path is both missing and unverifiable.
    #[error("read an audit: `{path}` is both missing and unverifiable")]
    TwoVerdicts {
        /// The path.
        path: String,
    },
    /// A missing or unverifiable path is not declared, or not in the order of the declaration.
    #[error("read an audit: `{path}` is not declared, or out of the order of the declaration")]
    OutOfPlace {
        /// The path.
        path: String,
    },
}

impl TryFrom<Record> for Audit {
    type Error = AuditRead;

    fn try_from(record: Record) -> Result<Self, AuditRead> {
        let Record { declared, missing, unverifiable } = record;
        let declared = normal(declared)?;
        let mut absent = missing.iter().peekable();
        let mut untold = unverifiable.iter().peekable();
        for path in &declared {
            let told = (absent.next_if_eq(&path), untold.next_if_eq(&path));
            if let (Some(_), Some(_)) = told {
                return Err(AuditRead::TwoVerdicts { path: path.clone() });
            }
        }
        match absent.chain(untold).next() {
            Some(path) => Err(AuditRead::OutOfPlace { path: path.clone() }),
            None => Ok(Self { declared, missing, unverifiable }),
        }
    }
}

/// Returns the paths if normalizing them changes nothing.
fn normal(paths: Vec<String>) -> Result<Vec<String>, AuditRead> {
    let normalized = paths.iter().collect::<Declared>().into_paths();
    let mut kept = normalized.iter();
    match paths.into_iter().find(|path| kept.next() != Some(path)) {
        Some(path) => Err(AuditRead::NotNormal { path }),
        None => Ok(normalized),
    }
}
