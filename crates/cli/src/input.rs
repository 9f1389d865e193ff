//! Reads what a command was pointed at: transcript, policy, root.

use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use quittance_artifacts::{Disk, NoRoot, Probe};
use quittance_driver::Policy;
use quittance_driver::policy::locate;
use quittance_evidence::EvidenceBuilder;
use quittance_hosts::Session;

use crate::args::Reading;
use crate::exit::Failure;

/// Bytes read at a time.
const CHUNK: usize = 256 * 1024;

/// A policy and where it was found.
pub(crate) struct Found {
    pub(crate) policy: Policy,
    /// The file, or none where nothing is declared.
    pub(crate) file: Option<PathBuf>,
}

/// Reads the policy that was named, or the one found from here upward.
pub(crate) fn policy(named: Option<&Path>) -> Result<Found, Failure> {
    let file = match named {
        Some(file) => Some(file.to_owned()),
        None => std::env::current_dir().ok().and_then(|here| locate(&here, home().as_deref())),
    };
    let Some(file) = file else { return Ok(Found { policy: Policy::default(), file: None }) };
    let bytes =
        std::fs::read(&file).map_err(|source| Failure::Open { path: file.clone(), source })?;
    let Ok(text) = String::from_utf8(bytes) else {
        return Err(Failure::PolicyText { path: file });
    };
    match Policy::parse(&text) {
        Ok(policy) => Ok(Found { policy, file: Some(file) }),
        Err(source) => Err(Failure::Policy { path: file, source }),
    }
}

fn home() -> Option<PathBuf> {
    std::env::home_dir()
}

/// Reads the turn that was asked for.
pub(crate) fn session(
    reading: &Reading,
    policy: &Policy,
) -> Result<Session<EvidenceBuilder>, Failure> {
    let path = &reading.transcript;
    let file = open(path)?;
    let input = BufReader::with_capacity(CHUNK, file);
    quittance_hosts::read(input, reading.options(policy))
        .map_err(|source| Failure::Transcript { path: path.clone(), source })
}

/// Opens a transcript. A turn may be read twice, so whatever is no regular file (standard input, a
/// pipe) is kept in an unnamed one first.
pub(crate) fn open(path: &Path) -> Result<File, Failure> {
    let named = |source| Failure::Open { path: path.to_owned(), source };
    if path == Path::new("-") {
        return spooled(&mut std::io::stdin().lock()).map_err(Failure::Spool);
    }
    let mut file = File::open(path).map_err(named)?;
    let kind = file.metadata().map_err(named)?.file_type();
    if kind.is_dir() {
        Err(named(std::io::ErrorKind::IsADirectory.into()))
    } else if kind.is_file() {
        Ok(file)
    } else if is_pipe(kind) {
        spooled(&mut file).map_err(Failure::Spool)
    } else {
        // A device has no end.
        Err(named(std::io::Error::other("neither a file nor a pipe")))
    }
}

#[cfg(unix)]
fn is_pipe(kind: std::fs::FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&kind)
}

#[cfg(not(unix))]
const fn is_pipe(_kind: std::fs::FileType) -> bool {
    false
}

fn spooled(input: &mut impl std::io::Read) -> std::io::Result<File> {
    let mut file = tempfile::tempfile()?;
    std::io::copy(input, &mut file)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}

/// The probe of declared paths: from the root that was named, else from the policy file's folder,
/// never from a folder named inside a transcript. Without either, nothing can be told.
pub(crate) fn probe(
    root: Option<&Path>,
    policy_file: Option<&Path>,
) -> Result<Box<dyn Probe>, Failure> {
    let folder = root.map(Path::to_owned).or_else(|| policy_file.map(folder_of));
    let Some(folder) = folder else { return Ok(Box::new(NoRoot)) };
    let disk = Disk::open(&folder)
        .map_err(|error| Failure::Root { path: folder, cause: error.to_string() })?;
    Ok(Box::new(disk))
}

fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}
