//! A connection as this ledger wants it: its folder, its file, its settings, and for how long it
//! waits. What is in the file is `schema`'s.

use std::fmt::Write as _;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::error::{Failing, StoreError};
use super::position::FileIdentity;

/// A receipt names files and quotes commands: it is its user's alone.
const FILE_MODE: u32 = 0o600;
const FOLDER_MODE: u32 = 0o700;

/// What a statement does before the deadline is looked at: about a millisecond's worth, so that
/// what needs no waiting is done even when the deadline is over.
const STEPS_BETWEEN_LOOKS: i32 = 20_000;

/// The longest pause between two tries for a lock. Short beside a commit of some milliseconds.
const PAUSE_MAX: Duration = Duration::from_millis(16);

/// What a connection may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Read, beside those who write.
    Read,
    /// Read a file that nobody can write, say on a read-only disk: where nothing can be made beside
    /// it, the library reads it only on this word.
    ReadAlone,
    /// Read and write.
    Write,
}

/// A path beside the ledger's, with something added to its name.
pub(super) fn beside(path: &Path, added: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(added);
    PathBuf::from(name)
}

/// Whether there is a log beside the file, with what is not yet carried over into it.
pub(super) fn has_log(path: &Path) -> bool {
    std::fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0)
}

/// Makes the ledger's folder and those above it that are missing. One that is there stays as it is.
pub(super) fn make_folder(path: &Path) -> Result<(), StoreError> {
    let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) else {
        return Ok(());
    };
    if folder.is_dir() {
        return Ok(());
    }
    let made = DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(folder);
    made.map_err(|cause| StoreError::path(folder, cause))
}

/// Which file a path leads to now; none where it leads to none.
pub(super) fn identity(path: &Path) -> Result<Option<FileIdentity>, StoreError> {
    match std::fs::metadata(path) {
        Ok(found) => Ok(Some(FileIdentity { device: found.dev(), inode: found.ino() })),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(StoreError::path(path, cause)),
    }
}

/// A lock on the ledger's name, on a file beside it: shared by all who have it open, exclusive for
/// the one who moves it. A file that is moved while others have it open would meet the log of its
/// successor. The system releases it with the process.
#[derive(Debug)]
pub(super) struct Guard {
    _file: File,
}

impl Guard {
    pub(super) fn shared(path: &Path, wait_until: Instant) -> Result<Self, StoreError> {
        Self::take(path, wait_until, File::try_lock_shared)
    }

    pub(super) fn exclusive(path: &Path, wait_until: Instant) -> Result<Self, StoreError> {
        Self::take(path, wait_until, File::try_lock)
    }

    fn take(
        path: &Path,
        wait_until: Instant,
        take: impl Fn(&File) -> Result<(), TryLockError>,
    ) -> Result<Self, StoreError> {
        let path = beside(path, ".lock");
        let mut options = OpenOptions::new();
        let opened = options.read(true).write(true).create(true).truncate(false).mode(FILE_MODE);
        let file = opened.open(&path).map_err(|cause| StoreError::path(&path, cause))?;
        persist(wait_until, || match take(&file) {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => Err(StoreError::Locked),
            Err(TryLockError::Error(cause)) => Err(StoreError::path(&path, cause)),
        })?;
        Ok(Self { _file: file })
    }
}

/// Tries until it is not locked, or the deadline is over. Once at least.
pub(super) fn persist<T>(
    wait_until: Instant,
    mut attempt: impl FnMut() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let mut tries = 0;
    loop {
        match attempt() {
            Err(StoreError::Locked) if pause(tries, wait_until) => tries += 1,
            settled => return settled,
        }
    }
}

/// Waits a little before another try; whether there is to be one. Ends at the deadline, since each
/// pause is at least a millisecond.
fn pause(tries: u32, wait_until: Instant) -> bool {
    let left = wait_until.saturating_duration_since(Instant::now());
    let longest = PAUSE_MAX.min(Duration::from_millis(1 << tries.min(10)));
    thread::sleep(longest.min(left));
    !left.is_zero()
}

/// Opens the file, and says which one it is.
pub(super) fn open(
    path: &Path,
    access: Access,
    wait_until: Instant,
) -> Result<(Connection, Failing), StoreError> {
    if access == Access::Write {
        make_file(path)?;
    }
    let found = identity(path)?;
    if found.is_none() {
        return Err(StoreError::Missing);
    }
    let failing = Failing::on(found);
    let conn = persist(wait_until, || {
        connect(path, access, wait_until).map_err(|error| failing.of(error))
    })?;
    let is_read_only = conn.is_readonly("main").map_err(|error| failing.of(error))?;
    if access == Access::Write && is_read_only {
        return Err(StoreError::ReadOnly);
    }
    Ok((conn, failing))
}

/// Makes the file, empty, where there is none. An existing one is not opened here: closing it would
/// release the locks that another connection of this process has on it.
fn make_file(path: &Path) -> Result<(), StoreError> {
    if path.exists() {
        return Ok(());
    }
    match OpenOptions::new().write(true).create_new(true).mode(FILE_MODE).open(path) {
        Ok(_) => Ok(()),
        Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(cause) => Err(StoreError::path(path, cause)),
    }
}

fn connect(path: &Path, access: Access, wait_until: Instant) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_EXRESCODE;
    let read = flags | OpenFlags::SQLITE_OPEN_READ_ONLY;
    let mut conn = match access {
        Access::Read => Connection::open_with_flags(path, read)?,
        Access::ReadAlone => {
            Connection::open_with_flags(immutable(path), read | OpenFlags::SQLITE_OPEN_URI)?
        }
        Access::Write => {
            Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_READ_WRITE)?
        }
    };
    be_patient(&mut conn, wait_until)?;
    // Leaving touches nothing of a file that may turn out not to be ours.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    // Nothing in a damaged or a forged file is run, and a cell that lies of its size is found.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    conn.pragma_update(None, "cell_size_check", true)?;
    conn.pragma_update(None, "foreign_keys", true)?;
    Ok(conn)
}

/// The address of a file that is said not to change.
fn immutable(path: &Path) -> String {
    let mut address = "file:".to_owned();
    for byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-".contains(byte) {
            address.push(char::from(*byte));
        } else {
            // Writing to a text cannot fail.
            let _ = write!(address, "%{byte:02X}");
        }
    }
    address.push_str("?immutable=1");
    address
}

/// Sets when waiting ends: for a lock, and for a statement that goes on and on.
pub(super) fn be_patient(conn: &mut Connection, wait_until: Instant) -> rusqlite::Result<()> {
    conn.busy_handler(Some(move |tries: i32| pause(tries.unsigned_abs(), wait_until)))?;
    let is_over = move || Instant::now() >= wait_until;
    conn.progress_handler(STEPS_BETWEEN_LOOKS, Some(is_over))
}

/// Has every commit be on the disk when it returns.
pub(super) fn make_durable(conn: &Connection, failing: &Failing) -> Result<(), StoreError> {
    let of = |error| failing.of(error);
    let mode: String =
        conn.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0)).map_err(of)?;
    if mode != "wal" {
        return Err(StoreError::FileSystem);
    }
    conn.pragma_update(None, "synchronous", "full").map_err(of)?;
    // The last process to leave carries the log over into the file. Left to those that commit, it
    // would never be emptied: how much of it is carried over is forgotten when nobody has it open.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false).map(drop).map_err(of)
}
