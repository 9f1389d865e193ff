//! What a person should know beside a status.
//!
//! Notes explain; they decide nothing and never enter an [`Audit`](crate::Audit).

use std::fmt;

use serde::Serialize;

/// Why a probe answered as it did, where the status alone would leave a reader guessing.
///
/// `at` is the step in question, spelled from the root through the folders as they really lie, so
/// after links. A byte that is not UTF-8 is written `\xff`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Note {
    /// The run has no root on this machine, so no path means anything here.
    NoRoot,
    /// The root was removed after the probe had opened it.
    RootGone,
    /// The replayed record says nothing of the path.
    NotRecorded,
    /// The path is empty.
    EmptyPath,
    /// The path holds a NUL byte, which no system call takes.
    NulByte,
    /// The path is longer than a system call takes.
    PathTooLong,
    /// The path leads out of the root by its own text, or would if what is missing were there.
    OutsideRoot,
    /// A link leads out of the root.
    LeavesRoot {
        /// The link.
        at: String,
    },
    /// Following links did not come to an end.
    LinkLoop {
        /// The link that was one too many.
        at: String,
    },
    /// The path goes through more folders than the probe holds open.
    TooDeep {
        /// The first folder too many.
        at: String,
    },
    /// A link is there, but it leads to nothing inside the root.
    DanglingLink {
        /// The link.
        at: String,
    },
    /// The path goes on beneath something that is not a folder.
    FileInTheWay {
        /// What is not a folder.
        at: String,
    },
    /// The name is there in another case.
    OtherCase {
        /// The name that was looked for.
        at: String,
        /// The name that is there; of several the first in byte order.
        found: String,
    },
    /// A name that is not UTF-8 is there and would read as this one if it were decoded lossily.
    NotUtf8 {
        /// The name that was looked for.
        at: String,
    },
    /// The file system takes the name for one that is spelled otherwise.
    OtherSpelling {
        /// The name that was looked for.
        at: String,
    },
    /// The folder has too many entries to look for the name's exact spelling.
    FolderTooLarge {
        /// The name that was looked for.
        at: String,
    },
    /// A name is longer than the file system takes.
    NameTooLong {
        /// The name.
        at: String,
    },
    /// Permission was denied.
    PermissionDenied {
        /// What could not be looked at.
        at: String,
    },
    /// What was there changed while it was looked at.
    Changed {
        /// What changed.
        at: String,
    },
    /// The system failed.
    Failed {
        /// What was being looked at.
        at: String,
        /// The system's error number.
        errno: i32,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRoot => f.write_str("the run has no root on this machine"),
            Self::RootGone => f.write_str("the root was removed meanwhile"),
            Self::NotRecorded => f.write_str("the record says nothing of it"),
            Self::EmptyPath => f.write_str("the path is empty"),
            Self::NulByte => f.write_str("the path holds a NUL byte"),
            Self::PathTooLong => f.write_str("the path is too long"),
            Self::OutsideRoot => f.write_str("the path leads out of the root"),
            Self::LeavesRoot { at } => write!(f, "the link `{at}` leads out of the root"),
            Self::LinkLoop { at } => write!(f, "the links at `{at}` come to no end"),
            Self::TooDeep { at } => write!(f, "`{at}` lies too many folders deep"),
            Self::DanglingLink { at } => {
                write!(f, "the link `{at}` leads to nothing inside the root")
            }
            Self::FileInTheWay { at } => write!(f, "`{at}` is not a folder"),
            Self::OtherCase { at, found } => {
                write!(f, "there is no `{at}`, but there is `{found}`")
            }
            Self::NotUtf8 { at } => {
                write!(f, "there is no `{at}`, but a name that is not UTF-8 looks like it")
            }
            Self::OtherSpelling { at } => {
                write!(f, "the file system takes `{at}` for a name spelled otherwise")
            }
            Self::FolderTooLarge { at } => {
                write!(f, "the folder of `{at}` has too many entries to check its spelling")
            }
            Self::NameTooLong { at } => write!(f, "the name at `{at}` is too long"),
            Self::PermissionDenied { at } => write!(f, "permission to look at `{at}` was denied"),
            Self::Changed { at } => write!(f, "`{at}` changed while it was looked at"),
            Self::Failed { at, errno } => {
                write!(f, "looking at `{at}` failed with system error {errno}")
            }
        }
    }
}
