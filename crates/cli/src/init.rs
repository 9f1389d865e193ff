//! `quittance init`: looks at a project and writes its policy, with a verifier that it has tried.
//!
//! What a folder's files point to is `kinds`' to say, and nothing of them becomes part of a
//! command. The command is run as the hook would run it. What was written is trusted, since the
//! user asked for it; a file that was there is replaced at their word only.

mod args;
mod around;
mod chosen;
mod facts;
mod kinds;
mod text;
mod told;

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use quittance_driver::policy::FILE_NAME;

pub(crate) use args::Init;
use chosen::Chosen;
use facts::Facts;
pub(crate) use kinds::Check;
use told::Told;

use crate::exit::Failure;
use crate::folders::Folders;
use crate::trust::Trusted;
use crate::{Answer, trust};

/// Writes the policy of a folder.
pub(crate) fn run(args: &Init) -> Result<Answer, Failure> {
    let named = |source| Failure::Open { path: args.folder.clone(), source };
    let folder = args.folder.canonicalize().map_err(named)?;
    let file = folder.join(FILE_NAME);
    if !args.force && !args.dry_run && file.symlink_metadata().is_ok() {
        return Err(Failure::Exists { path: file });
    }
    let found = kinds::kinds(&Facts::of(&folder).map_err(named)?);
    let chosen = Chosen::of(&found, &folder, args)?;
    let text = chosen.text(args.timeout);
    let mut told = Told::of(&chosen, &file);
    if args.dry_run {
        told.shown(&text);
        return Ok(told.answer());
    }
    write(&file, &text, args.force)?;
    let trusted = trusted(&folder, &text);
    let trusted = trusted
        .map_err(|source| Failure::Untrusted { path: file.clone(), source: source.into() })?;
    told.written(&file, &trusted);
    told.next(&chosen, &folder);
    Ok(told.answer())
}

/// Writes the file; one that is there only where it is to be replaced.
fn write(file: &Path, text: &str, is_forced: bool) -> Result<(), Failure> {
    let mut options = OpenOptions::new();
    options.write(true);
    if is_forced {
        options.create(true).truncate(true);
    } else {
        options.create_new(true);
    }
    let written = options.open(file).and_then(|mut open| open.write_all(text.as_bytes()));
    written.map_err(|source| match source.kind() {
        ErrorKind::AlreadyExists => Failure::Exists { path: file.to_owned() },
        _ => Failure::Write { path: file.to_owned(), source },
    })
}

/// Trusts what was written, which is the text at hand and not what stands in the file by now.
fn trusted(folder: &Path, text: &str) -> Result<Answer, Failure> {
    let folders = Folders::of_user().ok_or(Failure::NoHome)?;
    trust::keep(&Trusted::of(&folders), folder, text)
}
