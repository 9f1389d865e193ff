//! Reads what a command was pointed at: transcript, policy, root.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use quittance_artifacts::{Disk, NoRoot, Probe};
use quittance_assess::Declarations;
use quittance_driver::policy::locate;
use quittance_driver::standing::StandingError;
use quittance_driver::{
    EffectivePolicy, Policy, Redactor, Rewriting, Standing, StandingRows, UserConfig,
};
use quittance_evidence::EvidenceBuilder;
use quittance_hosts::{Format, Input, ReadError, ReadOptions, RunNumber, Session, TurnNumber};
use quittance_ledger::Receipt;
use serde_json::Value;

use crate::args::Reading;
use crate::exit::Failure;
use crate::folders::Folders;

/// Bytes read at a time.
const CHUNK: usize = 256 * 1024;

/// A policy and where it was found.
pub(crate) struct Found {
    pub(crate) policy: EffectivePolicy,
    /// The file, or none where nothing is declared.
    pub(crate) file: Option<PathBuf>,
}

/// Reads the policy that was named, or the one found from here upward.
pub(crate) fn policy(named: Option<&Path>) -> Result<Found, Failure> {
    let file = match named {
        Some(file) => Some(file.to_owned()),
        None => std::env::current_dir().ok().and_then(|here| locate(&here, home().as_deref())),
    };
    let Some(file) = file else {
        return Ok(Found { policy: EffectivePolicy::default(), file: None });
    };
    let (_, policy) = policy_text(&file)?;
    Ok(Found { policy, file: Some(file) })
}

/// Reads a policy file, and keeps its text.
pub(crate) fn policy_text(file: &Path) -> Result<(String, EffectivePolicy), Failure> {
    let path = || file.to_owned();
    let bytes = std::fs::read(file).map_err(|source| Failure::Open { path: path(), source })?;
    let Ok(text) = String::from_utf8(bytes) else {
        return Err(Failure::PolicyText { path: path() });
    };
    match EffectivePolicy::parse(&text) {
        Ok(policy) => Ok((text, policy)),
        Err(source) => Err(Failure::Policy { path: path(), source }),
    }
}

fn home() -> Option<PathBuf> {
    std::env::home_dir()
}

/// The rows of a turn for both questions, with what is redacted taken out.
pub(crate) type TurnRows = Rewriting<(EvidenceBuilder, StandingRows)>;

/// The options with which a turn is read.
pub(crate) fn rewriting(options: ReadOptions, redactor: Option<&Arc<Redactor>>) -> ReadOptions {
    let rewrite = redactor.map(|redactor| Arc::<Redactor>::clone(redactor) as _);
    ReadOptions { rewrite, ..options }
}

/// A turn, read once for both questions.
pub(crate) struct ReadTurn {
    pub(crate) session: Session<EvidenceBuilder>,
    /// How far its answer can be trusted.
    pub(crate) standing: Standing,
}

impl ReadTurn {
    pub(crate) fn from(
        input: impl BufRead + Seek,
        options: ReadOptions,
        redactor: Option<&Arc<Redactor>>,
    ) -> Result<Self, ReadFailure> {
        let options = rewriting(options, redactor);
        let read = quittance_hosts::read(input, options).map_err(ReadFailure::Transcript)?;
        Self::of(read, redactor)
    }

    /// What a reader gave.
    pub(crate) fn of(
        read: Session<TurnRows>,
        redactor: Option<&Arc<Redactor>>,
    ) -> Result<Self, ReadFailure> {
        let mut read = read.map_rows(|rewriting| rewriting.rows);
        if let Some(redactor) = redactor {
            redactor.turn(&mut read);
        }
        let (session, rows) = read.split();
        let standing = Standing::of(&session, &rows, &Declarations::default())
            .map_err(ReadFailure::Standing)?;
        Ok(Self { session, standing })
    }

    /// The standing as a receipt holds it.
    pub(crate) fn assessment(&self) -> Value {
        // It prints what is JSON.
        serde_json::from_str(&self.standing.assessment.to_json()).unwrap_or_default()
    }
}

/// Why a turn could not be read.
pub(crate) enum ReadFailure {
    Transcript(ReadError),
    Standing(StandingError),
}

impl ReadFailure {
    pub(crate) fn at(self, path: &Path) -> Failure {
        let path = path.to_owned();
        match self {
            Self::Transcript(source) => Failure::Transcript { path, source },
            Self::Standing(source) => Failure::Standing { path, source },
        }
    }
}

/// Reads the turn that was asked for.
pub(crate) fn turn(
    reading: &Reading,
    policy: &Policy,
    redactor: Option<&Arc<Redactor>>,
) -> Result<ReadTurn, Failure> {
    let path = &reading.transcript;
    let input = BufReader::with_capacity(CHUNK, open(path)?);
    ReadTurn::from(input, reading.options(policy), redactor).map_err(|failure| failure.at(path))
}

/// What the policy takes out of every text, signed with the key that the user's own configuration
/// names.
pub(crate) fn redactor(
    policy: &Policy,
    user: &UserConfig,
) -> Result<Option<Arc<Redactor>>, Failure> {
    if policy.redact.patterns.is_empty() {
        return Ok(None);
    }
    let key = user.redaction_key(|name| std::env::var_os(name)).map_err(Failure::RedactionKey)?;
    Ok(Redactor::of(&policy.redact, key).map(Arc::new))
}

/// Reads a receipt.
pub(crate) fn receipt(path: &Path) -> Result<Receipt, Failure> {
    let named = |source| Failure::Open { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    open_file(path)?.read_to_end(&mut bytes).map_err(named)?;
    // What is no UTF-8 is no receipt either, and says so.
    let text = String::from_utf8_lossy(&bytes);
    Receipt::parse(&text).map_err(|source| Failure::Receipt { path: path.to_owned(), source })
}

/// Reads the turn that a receipt was made of, up to the bytes it was made from: a transcript may
/// have grown since.
pub(crate) fn recorded(
    path: &Path,
    run: Option<RunNumber>,
    receipt: &Receipt,
    policy: &Policy,
) -> Result<ReadTurn, Failure> {
    let recorded = &receipt.body().run;
    let word = recorded.get("format").and_then(Value::as_str);
    let number = |pointer: &str| recorded.pointer(pointer).and_then(Value::as_u64);
    let options = ReadOptions {
        host: Format::ALL.into_iter().find(|format| Some(format.as_str()) == word),
        turn: number("/turn").and_then(TurnNumber::new),
        run,
        tools: policy.tools.clone(),
        ..ReadOptions::default()
    };
    let bytes = number("/source/bytes").unwrap_or(u64::MAX);
    let input = BufReader::with_capacity(CHUNK, open(path)?.take(bytes));
    let redactor = redactor(policy, &user()?)?;
    ReadTurn::from(input, options, redactor.as_ref()).map_err(|failure| failure.at(path))
}

/// The user's own configuration; where there is none, no key is named.
pub(crate) fn user() -> Result<UserConfig, Failure> {
    match Folders::of_user() {
        None => Ok(UserConfig::default()),
        Some(folders) => UserConfig::load(&folders.config).map_err(Failure::User),
    }
}

/// The runtime of one boundary: one thread, since nothing is asked twice at once.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build().map_err(Failure::Runtime)
}

/// Opens a transcript; one that is packed is read as what it unpacks to. A turn may be read twice,
/// so whatever is no regular file (standard input, a pipe) is kept in an unnamed one first.
pub(crate) fn open(path: &Path) -> Result<Input<File>, Failure> {
    let named = |source| Failure::Open { path: path.to_owned(), source };
    Input::open(open_file(path)?).map_err(named)
}

fn open_file(path: &Path) -> Result<File, Failure> {
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

fn spooled(input: &mut impl Read) -> std::io::Result<File> {
    let mut file = tempfile::tempfile()?;
    std::io::copy(input, &mut file)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}

/// Where declared paths and the verifier start: the root that was named, else the policy file's
/// folder, never a folder named inside a transcript.
pub(crate) fn root(named: Option<&Path>, policy_file: Option<&Path>) -> Option<PathBuf> {
    named.map(Path::to_owned).or_else(|| policy_file.map(folder_of))
}

/// The probe of declared paths. Without a root nothing can be told.
pub(crate) fn probe(root: Option<&Path>) -> Result<Box<dyn Probe>, Failure> {
    let Some(folder) = root else { return Ok(Box::new(NoRoot)) };
    let disk = Disk::open(folder)
        .map_err(|error| Failure::Root { path: folder.to_owned(), cause: error.to_string() })?;
    Ok(Box::new(disk))
}

pub(crate) fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}
