//! The probe's status words and the verdict each leads to.
//!
//! Owns the one rule that convicts. How a status is found out is the probe's business.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::declared::spell::spell;

/// What became of one declared path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "an answer: a caller must act on each of the three")]
pub enum Verdict {
    /// Something is there: a file, a folder or anything else.
    Present,
    /// Nothing is there, and that is known. Only this convicts.
    Missing,
    /// It could not be told.
    Unverifiable,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Self; 3] = [Self::Present, Self::Missing, Self::Unverifiable];

    /// Returns the wire string.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Present => "present",
            Self::Missing => "missing",
            Self::Unverifiable => "unverifiable",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// What a probe says of one path, in the original's words.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a new word must be given its verdict here, not absorbed by a default"
)]
pub enum Status {
    /// A regular file is there.
    PresentFile,
    /// A folder is there.
    PresentDir,
    /// Something else is there: a pipe, a socket, a device.
    PresentOther,
    /// Nothing is there.
    Missing,
    /// The path leads outside what the run may see.
    ScopeDenied,
    /// The host's policy refused because the run may only read. Only a host says so.
    ReadOnlyDenied,
    /// The probe failed, or could not tell.
    StatError,
    /// A word that this crate does not know.
    Unknown(UnknownWord),
}

/// A status word that this crate does not know, kept as it was said.
///
/// INVARIANT: it is none of the known words; only [`Status::read`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWord(String);

impl UnknownWord {
    /// Returns the word.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Status {
    /// Every word this crate knows.
    pub const KNOWN: [Self; 7] = [
        Self::PresentFile,
        Self::PresentDir,
        Self::PresentOther,
        Self::Missing,
        Self::ScopeDenied,
        Self::ReadOnlyDenied,
        Self::StatError,
    ];

    /// Reads a word exactly as it is spelled: `Missing` and ` missing` are unknown words, which
    /// convict nobody and show nothing to be there.
    #[must_use]
    pub fn read(word: &str) -> Self {
        Self::KNOWN
            .into_iter()
            .find(|known| known.as_str() == word)
            .unwrap_or_else(|| Self::Unknown(UnknownWord(word.to_owned())))
    }

    /// Reads a host's reply, an object with a `status`. One without it, null included, says that
    /// the probe failed.
    #[must_use]
    pub fn of_reply(reply: &Value) -> Self {
        match reply.get("status") {
            None | Some(Value::Null) => Self::StatError,
            Some(word) => Self::read(&spell(word)),
        }
    }

    /// Returns the wire string.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::PresentFile => "present_file",
            Self::PresentDir => "present_dir",
            Self::PresentOther => "present_other",
            Self::Missing => "missing",
            Self::ScopeDenied => "scope_denied",
            Self::ReadOnlyDenied => "read_only_denied",
            Self::StatError => "stat_error",
            Self::Unknown(word) => word.as_str(),
        }
    }

    /// Returns the verdict this status leads to.
    ///
    /// `missing` is the only word that convicts. A folder or a device satisfies a declaration as a
    /// file does. Everything undecidable, an unknown word included, is a fact about the host.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match self {
            Self::PresentFile | Self::PresentDir | Self::PresentOther => Verdict::Present,
            Self::Missing => Verdict::Missing,
            Self::ScopeDenied | Self::ReadOnlyDenied | Self::StatError | Self::Unknown(_) => {
                Verdict::Unverifiable
            }
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Status {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Status {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::read(&String::deserialize(deserializer)?))
    }
}
