//! Who looks at a path.
//!
//! Owns the trait and the two probes that touch nothing: one that repeats a record, one for a run
//! without a root. The probe of a disk is in `probe/disk.rs`, its rules in `probe/walk.rs`.

#[cfg(all(unix, feature = "disk"))]
pub(crate) mod disk;
#[cfg(all(unix, feature = "disk"))]
mod route;
#[cfg(all(unix, feature = "disk"))]
mod spelling;
#[cfg(all(unix, feature = "disk"))]
mod walk;

use std::collections::BTreeMap;

use crate::{Note, Status};

/// Looks at declared paths on a run's behalf.
pub trait Probe {
    /// Looks at one path, resolved as the run's own tools resolve it.
    ///
    /// A probe always answers: one that fails or cannot tell says [`Status::StatError`], one that
    /// is not allowed to look [`Status::ScopeDenied`]. It says [`Status::Missing`] only when it
    /// knows that nothing is there, since that word convicts.
    fn look(&self, path: &str) -> Sighting;
}

/// What a probe saw: a status, and a note where the status alone would leave a reader guessing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// The status, which alone decides the verdict.
    pub status: Status,
    /// What a person should know beside it.
    pub note: Option<Note>,
}

impl Sighting {
    /// A status that says everything.
    #[must_use]
    pub fn bare(status: Status) -> Self {
        Self { status, note: None }
    }

    /// A status with a note.
    #[must_use]
    pub fn noted(status: Status, note: Note) -> Self {
        Self { status, note: Some(note) }
    }
}

/// The probe of a run that has no root on this machine: no path can be told.
///
/// A file that is not on this disk says nothing of a run made on another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "it has nothing to hold")]
pub struct NoRoot;

impl Probe for NoRoot {
    fn look(&self, _path: &str) -> Sighting {
        Sighting::noted(Status::StatError, Note::NoRoot)
    }
}

/// A probe that repeats what was recorded; of any other path it cannot tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded(BTreeMap<String, Sighting>);

impl FromIterator<(String, Sighting)> for Recorded {
    fn from_iter<I: IntoIterator<Item = (String, Sighting)>>(seen: I) -> Self {
        Self(seen.into_iter().collect())
    }
}

impl Probe for Recorded {
    fn look(&self, path: &str) -> Sighting {
        let unseen = || Sighting::noted(Status::StatError, Note::NotRecorded);
        self.0.get(path).cloned().unwrap_or_else(unseen)
    }
}
