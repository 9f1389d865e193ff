//! Whether the ledger can be read and written, and is its user's alone. Nothing is put into it.

use std::path::Path;
use std::time::{Duration, Instant};

use quittance_driver::Policy;
use quittance_ledger::store::{Options, Store, StoreError};

use super::declared::Declared;
use super::line::Line;
use super::shown;
use crate::folders::Folders;
use crate::ledger_place;

const PART: &str = "ledger";
/// How long a hook that writes is waited for; it holds the ledger for milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) fn look(declared: &Declared, folders: &Folders, lines: &mut Vec<Line>) {
    let nobodys = Policy::default();
    // Only a trusted policy says where it is.
    let policy = if declared.is_trusted { &declared.policy.policy } else { &nobodys };
    let place = ledger_place::of(&declared.root, folders, policy);
    if lies_in(&place, &declared.root) {
        let what = format!("`{}` lies where the agent works, and may write", shown(&place));
        lines.push(Line::warning(PART, what, "take `receipts.ledger` out of the policy"));
    }
    match writable(&place) {
        Err(error) => {
            let what = format!("no file can be made beside `{}`: {error}", shown(&place));
            let advice = format!("give yourself the right to write there{MEANWHILE}");
            lines.push(Line::failed(PART, what, advice));
        }
        Ok(()) if place.symlink_metadata().is_err() => {
            let what = format!("none yet; the first hook makes `{}`", shown(&place));
            lines.push(Line::ok(PART, what));
        }
        Ok(()) => existing(&place, lines),
    }
}

/// Whether a file lies in a folder, by whatever path it is named.
fn lies_in(place: &Path, folder: &Path) -> bool {
    let there = place.ancestors().skip(1).find_map(|above| above.canonicalize().ok());
    there.zip(folder.canonicalize().ok()).is_some_and(|(there, folder)| there.starts_with(folder))
}

fn existing(place: &Path, lines: &mut Vec<Line>) {
    match checked(place) {
        Ok(findings) => match findings.first() {
            None => {
                lines.push(Line::ok(PART, format!("`{}` can be read and written", shown(place))))
            }
            Some(first) => {
                let what = format!("`{}` is not what was written: {first}", shown(place));
                lines.push(Line::failed(PART, what, "keep a copy of it, and move it away"));
            }
        },
        Err(error) => {
            let what = format!("cannot {error} (at `{}`)", shown(place));
            lines.push(Line::failed(PART, what, format!("{}{MEANWHILE}", advice(&error, place))));
        }
    }
    if let Some(mode) = open_to_others(place) {
        let what = format!("others may read it: its mode is {mode:03o}");
        lines.push(Line::warning(PART, what, format!("chmod 600 '{}'", shown(place))));
    }
}

/// What is amiss with a ledger that is there.
fn checked(place: &Path) -> Result<Vec<String>, StoreError> {
    let store = Store::open(place, Options { wait_until: Instant::now() + PATIENCE })?;
    store.reader().check()
}

/// Whether a file can be made in the folder of the ledger, or where that folder would be made.
fn writable(place: &Path) -> std::io::Result<()> {
    let there = place.ancestors().skip(1).find(|folder| folder.is_dir());
    let folder = there.unwrap_or(Path::new("."));
    tempfile::tempfile_in(folder).map(drop)
}

/// The permissions of a file, where others than its user have any.
#[cfg(unix)]
fn open_to_others(place: &Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt as _;
    let found = std::fs::metadata(place).ok().filter(std::fs::Metadata::is_file)?;
    let mode = found.permissions().mode() & 0o777;
    (mode & 0o077 != 0).then_some(mode)
}

#[cfg(not(unix))]
const fn open_to_others(_: &Path) -> Option<u32> {
    None
}

const MEANWHILE: &str = "; until then every stop is allowed, unverified";

/// What to do about a ledger that cannot be used.
fn advice(error: &StoreError, place: &Path) -> String {
    let shown = shown(place);
    match error {
        StoreError::Damaged(_) | StoreError::NotADatabase(_) => {
            "the next hook sets it aside and begins a new one; keep what you need of it".to_owned()
        }
        StoreError::Foreign => format!("move `{shown}` away, it is another program's"),
        StoreError::NewerSchema { .. } => "use the newer `quittance` that made it".to_owned(),
        StoreError::Locked | StoreError::TimedOut => "end what holds it, or wait".to_owned(),
        StoreError::Full => "make room on the disk".to_owned(),
        _ if place.is_dir() => format!("move the folder `{shown}` away"),
        _ => format!(
            "see that you may read and write `{shown}`, what lies beside it, and its folder"
        ),
    }
}
