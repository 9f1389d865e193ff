//! What can be typed after `quittance receipts`.

use std::path::PathBuf;

use quittance_hosts::hook::Host;
use quittance_judge::outcome::Outcome;
use quittance_ledger::store::DEFAULT_LIMIT;

use super::when;
use crate::args::hosts;

/// Reads the ledger, where hooks keep their receipts
#[derive(Debug, clap::Args)]
pub(crate) struct Receipts {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Lists receipts, newest first
    List(List),
    /// Says what one receipt says; with --json, the receipt itself
    Show(Show),
}

impl Receipts {
    pub(crate) const fn json(&self) -> bool {
        match &self.command {
            Command::List(list) => list.json,
            Command::Show(show) => show.json,
        }
    }
}

const LIST_HELP: &str = "\
Example:
  quittance receipts list --outcome refused --since 2026-11-01";

const LIST_AFTER: &str = "\
A DATE is a day, 2026-11-30, or a moment, 2026-11-30T14:05:00Z; days are UTC's. --since takes in \
what it names; --until takes in a whole day that it names, and not a moment.

Exit codes: 0, also where nothing fits; 64 usage, 65 damaged ledger, 66 no ledger, 69 the ledger \
is held by another process, 74 I/O.";

#[derive(Debug, clap::Args)]
#[command(before_help = LIST_HELP, after_help = LIST_AFTER)]
pub(super) struct List {
    /// Only of this session
    #[arg(long, value_name = "ID")]
    pub(super) session: Option<String>,
    /// Only with this outcome
    #[arg(long, value_name = "WORD", value_parser = outcome)]
    pub(super) outcome: Option<Outcome>,
    /// Only from this host
    #[arg(long, value_name = "HOST", value_parser = hosts())]
    pub(super) host: Option<Host>,
    /// Only recorded then or later
    #[arg(long, value_name = "DATE", value_parser = when::since)]
    pub(super) since: Option<i64>,
    /// Only recorded before the end of then
    #[arg(long, value_name = "DATE", value_parser = when::until)]
    pub(super) until: Option<i64>,
    /// How many at most
    #[arg(long, value_name = "N", default_value_t = DEFAULT_LIMIT)]
    pub(super) limit: u32,
    /// The ledger's file [default: this project's]
    #[arg(long, value_name = "FILE")]
    pub(super) ledger: Option<PathBuf>,
    /// Prints one JSON document instead of text
    #[arg(long)]
    json: bool,
}

const SHOW_HELP: &str = "\
Example:
  quittance receipts show 3fa8
  quittance receipts show 3fa8 --json > receipt.json; quittance explain receipt.json";

const SHOW_AFTER: &str = "\
Exit codes: 0 shown; 64 several receipts begin so, 65 damaged ledger, 66 no such receipt or no \
ledger, 69 the ledger is held by another process, 74 I/O.";

#[derive(Debug, clap::Args)]
#[command(before_help = SHOW_HELP, after_help = SHOW_AFTER)]
pub(super) struct Show {
    /// The receipt's id, or the beginning of it, with or without `sha256:`
    #[arg(value_name = "ID")]
    pub(super) id: String,
    /// The ledger's file [default: this project's]
    #[arg(long, value_name = "FILE")]
    pub(super) ledger: Option<PathBuf>,
    /// Prints the receipt, one JSON document, instead of text
    #[arg(long)]
    json: bool,
}

fn outcome(word: &str) -> Result<Outcome, String> {
    Outcome::ALL.into_iter().find(|outcome| outcome.as_str() == word).ok_or_else(|| {
        let known = Outcome::ALL.map(Outcome::as_str);
        format!("known outcomes: {}", known.join(", "))
    })
}
