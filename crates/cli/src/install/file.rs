//! A settings file on the disk: read whole, replaced whole, and never from under whoever else
//! writes it.
//!
//! A host may write its settings at any moment, in place or by renaming. So a file that looks half
//! written is read again, it is compared with what was read right before it is replaced, and after
//! that it is read once more: only when nothing is left to change is the change done.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use quittance_hosts::settings::{Edit, SettingsError};

use super::failure::Failure;

/// How often a file that somebody else writes is read again. With [`PAUSE`] a second and a half,
/// where writing settings takes a client a few milliseconds.
const TRIES: usize = 60;
/// How long a half-written file is left alone.
const PAUSE: Duration = Duration::from_millis(25);
/// How many links lead to one file at most; as many as the system follows.
const LINKS: usize = 40;

/// A settings file.
#[derive(Debug)]
pub(super) struct SettingsFile {
    /// As the host names it.
    named: PathBuf,
    /// Where its bytes lie: a link keeps leading there.
    real: PathBuf,
}

/// What was done to a settings file, or would be.
#[derive(Debug)]
pub(super) struct Change {
    /// What stood there.
    pub(super) before: Option<Vec<u8>>,
    /// What stands there now.
    pub(super) after: Option<String>,
    /// What was done, a line each.
    pub(super) summary: Vec<String>,
    pub(super) is_changed: bool,
}

impl SettingsFile {
    /// The file of this name, wherever links lead from it.
    pub(super) fn at(named: PathBuf) -> Result<Self, Failure> {
        let mut real = named.clone();
        for _ in 0..LINKS {
            let Ok(target) = fs::read_link(&real) else { return Ok(Self { named, real }) };
            real = real.parent().map_or_else(|| target.clone(), |folder| folder.join(&target));
        }
        let source = io::Error::other("too many links lead from it");
        Err(Failure::Open { path: named, source })
    }

    pub(super) fn path(&self) -> &Path {
        &self.named
    }

    /// The bytes as they are now; none where there is no file.
    pub(super) fn read(&self) -> Result<Option<Vec<u8>>, Failure> {
        self.bytes().map_err(|source| Failure::Open { path: self.named.clone(), source })
    }

    fn bytes(&self) -> io::Result<Option<Vec<u8>>> {
        match fs::metadata(&self.real) {
            // A pipe in its place would wait for ever.
            Ok(found) if !found.is_file() => Err(io::Error::other("it is no file")),
            Ok(_) => fs::read(&self.real).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// What an edit would do.
    pub(super) fn preview(&self, edit: &EditFn<'_>) -> Result<Change, Failure> {
        let before = self.settled(edit)?;
        let made = edit(before.as_deref()).map_err(Failure::settings(&self.named))?;
        let is_changed = made.changed;
        if is_changed && fs::metadata(&self.real).is_ok_and(|old| old.permissions().readonly()) {
            return Err(Failure::Write { path: self.named.clone(), source: read_only() });
        }
        let after = if is_changed { self.left(&made) } else { text(before.as_deref()) };
        Ok(Change { before, after, summary: made.summary, is_changed })
    }

    /// Makes an edit, whoever else writes meanwhile.
    pub(super) fn change(&self, edit: &EditFn<'_>) -> Result<Change, Failure> {
        let mut done: Option<Change> = None;
        for _ in 0..TRIES {
            let next = self.preview(edit)?;
            if !next.is_changed {
                return Ok(done.unwrap_or(next));
            }
            let failed = |source| Failure::Write { path: self.named.clone(), source };
            if self.put(&next).map_err(failed)? {
                done = Some(done.map_or(next, |first| first));
            }
        }
        Err(Failure::Busy { path: self.named.clone() })
    }

    /// What is left of the file: none when nothing is in it and no link leads to it.
    fn left(&self, made: &Edit) -> Option<String> {
        let may_go = made.empty && self.named == self.real;
        (!may_go).then(|| made.text.clone())
    }

    /// The bytes, once they do not look as if somebody was in the middle of writing them.
    fn settled(&self, edit: &EditFn<'_>) -> Result<Option<Vec<u8>>, Failure> {
        let mut bytes = self.read()?;
        for _ in 0..TRIES {
            let is_readable = edit(bytes.as_deref()).is_ok();
            // Whoever writes in place empties the file first.
            if is_readable && bytes.as_ref().is_none_or(|bytes| !bytes.is_empty()) {
                break;
            }
            thread::sleep(PAUSE);
            let again = self.read()?;
            if again == bytes {
                break;
            }
            bytes = again;
        }
        Ok(bytes)
    }

    /// Puts a change in place; not if the file is no longer what the change was made of.
    fn put(&self, change: &Change) -> io::Result<bool> {
        let Some(text) = &change.after else { return self.remove(change.before.as_deref()) };
        let folder = self.real.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let mut new = beside(folder)?;
        new.write_all(text.as_bytes())?;
        if let Ok(old) = fs::metadata(&self.real) {
            alike(new.as_file(), &old)?;
        }
        new.as_file().sync_all()?;
        if self.bytes()? != change.before {
            return Ok(false);
        }
        let put = match change.before {
            Some(_) => new.persist(&self.real),
            None => new.persist_noclobber(&self.real),
        };
        match put {
            Ok(_) => {}
            Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
            Err(failed) => return Err(failed.error),
        }
        // That the name is on the disk too. Where a folder cannot be synced it will be soon.
        let _ = fs::File::open(folder).and_then(|folder| folder.sync_all());
        Ok(true)
    }

    fn remove(&self, before: Option<&[u8]>) -> io::Result<bool> {
        if self.bytes()?.as_deref() != before {
            return Ok(false);
        }
        fs::remove_file(&self.real).map(|()| true)
    }
}

/// What is made of a file's bytes.
pub(super) type EditFn<'a> = dyn Fn(Option<&[u8]>) -> Result<Edit, SettingsError> + 'a;

fn text(bytes: Option<&[u8]>) -> Option<String> {
    bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned())
}

/// A new file, with the permissions that this user gives to new files.
fn beside(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".quittance-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

fn read_only() -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only")
}

/// Gives a new file the mode and the owner of the one it replaces.
fn alike(new: &fs::File, old: &fs::Metadata) -> io::Result<()> {
    let permissions: Permissions = old.permissions();
    if permissions.readonly() {
        return Err(read_only());
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let made = new.metadata()?;
        if (made.uid(), made.gid()) != (old.uid(), old.gid()) {
            std::os::unix::fs::fchown(new, Some(old.uid()), Some(old.gid()))?;
        }
    }
    // After the owner, whose change may take bits away.
    new.set_permissions(permissions)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use quittance_hosts::hook::Host;
    use quittance_hosts::settings::{Scope, install, uninstall};

    use super::*;

    const HOST: Host = Host::ClaudeCode;

    fn add(bytes: Option<&[u8]>) -> Result<Edit, SettingsError> {
        install(HOST, bytes, Scope::Project, 420)
    }

    fn take(bytes: Option<&[u8]>) -> Result<Edit, SettingsError> {
        uninstall(HOST, bytes)
    }

    #[test]
    fn a_file_that_was_not_there_is_gone_again() {
        let top = tempfile::tempdir().unwrap();
        let file = SettingsFile::at(top.path().join("a/settings.json")).unwrap();
        assert!(file.change(&add).unwrap().is_changed);
        assert!(!file.change(&add).unwrap().is_changed);
        assert!(file.change(&take).unwrap().is_changed);
        assert_eq!(file.read().unwrap(), None);
        assert!(!file.change(&take).unwrap().is_changed);
    }

    #[test]
    fn what_somebody_writes_meanwhile_stays() {
        let top = tempfile::tempdir().unwrap();
        let path = top.path().join("settings.json");
        fs::write(&path, "{\"model\": \"a\"}").unwrap();
        let file = SettingsFile::at(path.clone()).unwrap();
        let calls = Cell::new(0);
        // The client writes after we made our change and before it is in place, twice.
        let edit = |bytes: Option<&[u8]>| {
            let made = add(bytes);
            calls.set(calls.get() + 1);
            match calls.get() {
                2 => fs::write(&path, "{\"model\": \"b\"}").unwrap(),
                4 => fs::write(&path, "{\"model\": \"c\"}").unwrap(),
                _ => {}
            }
            made
        };
        assert!(file.change(&edit).unwrap().is_changed);
        let now = fs::read_to_string(&path).unwrap();
        assert!(now.contains("\"c\"") && now.contains("quittance hook claude-code"), "{now}");
    }

    #[test]
    fn a_half_written_file_is_waited_for() {
        for half in ["", "{\"mod"] {
            let top = tempfile::tempdir().unwrap();
            let path = top.path().join("settings.json");
            fs::write(&path, half).unwrap();
            let file = SettingsFile::at(path.clone()).unwrap();
            // Whoever is writing it goes on as soon as we have looked.
            let edit = |bytes: Option<&[u8]>| {
                let made = add(bytes);
                if bytes.is_some_and(|bytes| bytes == half.as_bytes()) {
                    fs::write(&path, "{\"model\":\"a\"}").unwrap();
                }
                made
            };
            file.change(&edit).unwrap();
            let now = fs::read_to_string(&path).unwrap();
            assert!(now.contains("\"a\"") && now.contains("quittance hook"), "{now}");
        }
    }

    #[test]
    fn half_a_file_that_stays_so_is_refused() {
        let top = tempfile::tempdir().unwrap();
        let path = top.path().join("settings.json");
        fs::write(&path, "{\"model\"").unwrap();
        let refused = SettingsFile::at(path.clone()).unwrap().change(&add);
        assert!(matches!(refused, Err(Failure::Settings { .. })), "{refused:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "{\"model\"");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_a_mode_stays_a_mode() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let top = tempfile::tempdir().unwrap();
        let real = top.path().join("dotfiles.json");
        fs::write(&real, "{}").unwrap();
        fs::set_permissions(&real, Permissions::from_mode(0o640)).unwrap();
        let named = top.path().join("settings.json");
        symlink("dotfiles.json", &named).unwrap();
        let file = SettingsFile::at(named.clone()).unwrap();
        file.change(&add).unwrap();
        assert!(named.symlink_metadata().unwrap().is_symlink());
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o7777, 0o640);
        assert!(fs::read_to_string(&real).unwrap().contains("quittance"));
        file.change(&take).unwrap();
        assert_eq!(fs::read_to_string(&real).unwrap(), "{}");
        // A link in a circle ends too.
        symlink("circle", top.path().join("circle")).unwrap();
        assert!(SettingsFile::at(top.path().join("circle")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn what_is_read_only_or_no_file_is_left_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let top = tempfile::tempdir().unwrap();
        let path = top.path().join("settings.json");
        fs::write(&path, "{}").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
        let refused = SettingsFile::at(path.clone()).unwrap().change(&add);
        assert!(matches!(refused, Err(Failure::Write { .. })), "{refused:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "{}");
        let folder = SettingsFile::at(top.path().to_owned()).unwrap();
        assert!(matches!(folder.change(&add), Err(Failure::Open { .. })));
        let names: Vec<_> = fs::read_dir(top.path()).unwrap().collect();
        assert_eq!(names.len(), 1, "nothing is left beside it");
    }
}
