//! The probe of this machine's disk, and the one file that touches it.
//!
//! Owns the system calls and what their errors mean; the rules of resolving are in `walk.rs`. Each
//! call names one entry of a folder that is held open and follows no link, so a link put in place
//! while the probe is looking cannot lead it elsewhere. Nothing is written, and the only things
//! opened are folders.

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, fstat, open, openat, readlinkat, statat};
use rustix::io::Errno;

use super::route::RootNames;
use super::spelling::Search;
use super::walk::{self, Fault, Folder, Kind};
use super::{Probe, Sighting};

/// Looks at paths on this machine's disk, from one run's root and never outside it.
///
/// - A relative path starts at the root; an absolute one must begin with the root as it was given
///   or as it is without links. Links inside the root are followed. A step that leaves the root, by
///   `..` or by a link, ends the look: `scope_denied`, whatever lies there, even if the path would
///   come back. `..` leads to the folder above the one really reached, as in a system call.
/// - `missing`: nothing has that name, a step goes on beneath what is not a folder, or a link leads
///   to nothing inside the root. Names count exactly as they are spelled, on any file system.
/// - `stat_error`: permission denied, a loop of links, a name or path too long, a NUL byte, any
///   other failure, and whatever changed while it was looked at.
#[derive(Debug)]
pub struct Disk {
    root: Handle,
    names: RootNames,
}

/// Why a root cannot be opened. Without it no path can be told: probe with
/// [`NoRoot`](crate::NoRoot).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RootOpen {
    /// Nothing is there.
    #[error("open the root `{}`: it is not there", root.display())]
    Missing {
        /// The root as it was given.
        root: PathBuf,
    },
    /// It is not a folder.
    #[error("open the root `{}`: it is not a folder", root.display())]
    NotFolder {
        /// The root as it was given.
        root: PathBuf,
    },
    /// It cannot be reached.
    #[error("open the root `{}`: {cause}", root.display())]
    Unreachable {
        /// The root as it was given.
        root: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
}

impl Disk {
    /// Opens a run's root, through links if need be: whoever names the root says where it is.
    ///
    /// # Errors
    ///
    /// When the root is not there, is not a folder, or cannot be reached.
    pub fn open(root: &Path) -> Result<Self, RootOpen> {
        Self::reach(root).map_err(|cause| {
            let root = root.to_owned();
            match cause.kind() {
                io::ErrorKind::NotFound => RootOpen::Missing { root },
                io::ErrorKind::NotADirectory => RootOpen::NotFolder { root },
                _ => RootOpen::Unreachable { root, cause },
            }
        })
    }

    fn reach(root: &Path) -> io::Result<Self> {
        let real = root.canonicalize()?;
        let given = std::path::absolute(root)?;
        let handle = Handle(open(&real, FOLDER, Mode::empty())?);
        Ok(Self { root: handle, names: RootNames::new([given.as_path(), &real]) })
    }
}

impl Probe for Disk {
    fn look(&self, path: &str) -> Sighting {
        walk::look(&self.root, &self.names, path)
    }
}

/// How a folder is opened to look into it. Where the system has it, `PATH` needs no permission to
/// read the folder; elsewhere a folder that may be searched but not read cannot be told.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
const FOLDER: OFlags =
    OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd")))]
const FOLDER: OFlags = LISTING;

/// How a folder is opened to list it.
const LISTING: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// A folder held open.
#[derive(Debug)]
struct Handle(OwnedFd);

impl Folder for Handle {
    fn kind(&self, name: &[u8]) -> Result<Kind, Fault> {
        let stat = statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW).map_err(fault)?;
        Ok(match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Folder,
            FileType::Symlink => Kind::Link,
            _ => Kind::Other,
        })
    }

    fn enter(&self, name: &[u8]) -> Result<Self, Fault> {
        openat(&self.0, name, FOLDER, Mode::empty()).map(Self).map_err(fault)
    }

    fn target(&self, name: &[u8]) -> Result<Vec<u8>, Fault> {
        match readlinkat(&self.0, name, Vec::new()) {
            Ok(target) => Ok(target.into_bytes()),
            // What it says of anything but a link.
            Err(Errno::INVAL) => Err(Fault::Changed),
            Err(errno) => Err(fault(errno)),
        }
    }

    fn list(&self, search: &mut Search<'_>) -> Result<(), Fault> {
        let folder = openat(&self.0, c".", LISTING, Mode::empty()).map_err(fault)?;
        for entry in Dir::new(folder).map_err(fault)? {
            if !search.see(entry.map_err(fault)?.file_name().to_bytes()) {
                break;
            }
        }
        Ok(())
    }

    fn gone(&self) -> bool {
        // A folder that cannot even be asked is no evidence either.
        fstat(&self.0).map_or(true, |stat| stat.st_nlink == 0)
    }
}

fn fault(errno: Errno) -> Fault {
    match errno {
        Errno::NOENT => Fault::Absent,
        // What opening a folder says of anything else, a link included.
        Errno::NOTDIR | Errno::LOOP => Fault::Changed,
        Errno::ACCESS | Errno::PERM => Fault::Denied,
        Errno::NAMETOOLONG => Fault::TooLong,
        other => Fault::Failed(other.raw_os_error()),
    }
}
