//! `quittance receipts`: what hooks decided, read from the ledger. Nothing is written to it.

mod args;
mod find;
mod list;
mod show;
mod when;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use quittance_ledger::store::{Options, Reader, Store};

use args::Command;
pub(crate) use args::Receipts;
pub(crate) use find::named;

use crate::exit::Failure;
use crate::folders::Folders;
use crate::{Answer, ledger_place};

/// How long a hook that writes is waited for; it holds the ledger for milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);

pub(crate) fn run(args: &Receipts) -> Result<Answer, Failure> {
    match &args.command {
        Command::List(args) => list::run(args),
        Command::Show(args) => show::run(args),
    }
}

/// Opens the ledger that is named, or this project's, to read it.
fn open(named: Option<&Path>) -> Result<(PathBuf, Reader), Failure> {
    let path = match named {
        Some(path) => path.to_owned(),
        None => {
            let folders = Folders::of_user().ok_or(Failure::NoHome)?;
            let here = std::env::current_dir()
                .map_err(|source| Failure::Open { path: ".".into(), source })?;
            ledger_place::from(&here, &folders)?
        }
    };
    let options = Options { wait_until: Instant::now() + PATIENCE };
    match Store::open_read_only(&path, options) {
        Ok(reader) => Ok((path, reader)),
        Err(source) => Err(Failure::Ledger { path, source }),
    }
}
