//! What can be typed.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, Parser, Subcommand};
use quittance_driver::Policy;
use quittance_hosts::hook::Host;
use quittance_hosts::{Format, ReadOptions, RunNumber, TurnNumber};

const AFTER: &str = "\
Exit codes: below 64 they say what was found, and each command's --help lists its own; 64 usage, 65 \
unreadable input, 66 no such file, 69 no such service, 70 a fault of our own, 74 I/O, 78 bad policy.";

/// May this run stop, and how far can its answer be trusted?
#[derive(Debug, Parser)]
#[command(version, about, after_help = AFTER)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Checks the last turn of a run: what it owes, what it left behind, what is missing
    Check(Check),
    /// Says how far answers can be trusted, of stored records and of transcripts
    Assess(crate::assess::Args),
    /// Prints the evidence a turn is decided on, and its id
    Evidence(Evidence),
    /// Answers a host that asks whether its run may stop (the host runs it; nobody types it)
    #[cfg(unix)]
    Hook(Hook),
    /// Stands between this program and a command that it runs
    #[command(hide = true)]
    Supervise {
        /// Which part to play, and for whom
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        part: Vec<OsString>,
    },
    /// Says in plain words who decided what, on which evidence, and by which rule
    Explain(Explain),
    Init(crate::init::Init),
    /// Lets hooks obey a policy: keeps a copy of it in your own configuration folder
    Trust(Trust),
    Install(crate::install::Install),
    Uninstall(crate::install::Uninstall),
    Doctor(crate::doctor::Doctor),
    Receipts(crate::receipts::Receipts),
    Completions(crate::man::Completions),
    Man(crate::man::Manual),
    /// Makes a boundary again from its receipt and arrives at the same bytes, or says where not
    Replay(Replay),
}

impl Command {
    pub(crate) const fn wants_json(&self) -> bool {
        match self {
            Self::Check(check) => check.reading.json,
            Self::Assess(assess) => assess.json,
            Self::Evidence(evidence) => evidence.reading.json,
            Self::Supervise { .. } => false,
            #[cfg(unix)]
            Self::Hook(_) => false,
            Self::Explain(explain) => explain.json,
            Self::Replay(replay) => replay.json,
            Self::Trust(trust) => trust.json,
            Self::Install(install) => install.json(),
            Self::Uninstall(uninstall) => uninstall.json(),
            Self::Receipts(receipts) => receipts.json(),
            Self::Init(init) => init.json,
            Self::Doctor(doctor) => doctor.json,
            Self::Completions(completions) => completions.json,
            Self::Man(manual) => manual.json,
        }
    }
}

const CHECK_HELP: &str = "\
Example:
  quittance check examples/false-done/session.jsonl --policy examples/false-done/quittance.toml

Exit codes: 0 verified, accepted, or stopped by the user; 10 refused, 11 unverified, 12 abandoned,
13 unadjudicated (nobody said yes), 14 waiting, 15 no turn in the record; 64 usage, 65 unreadable
transcript, 66 no such file, 69 no such service, 74 I/O, 78 bad policy.";

#[derive(Debug, ClapArgs)]
#[command(before_help = CHECK_HELP)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// The folder declared paths start at [default: the policy file's folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) root: Option<PathBuf>,
    /// Runs no verifier, whatever the policy says
    #[arg(long)]
    pub(crate) no_verify: bool,
    /// Asks no judge, whatever the policy says
    #[arg(long, conflicts_with = "tape")]
    pub(crate) no_judge: bool,
    /// Takes the judges' replies from a file, one JSON object a line, in place of asking
    #[arg(long, value_name = "FILE")]
    pub(crate) tape: Option<PathBuf>,
    /// Writes the receipt to a file
    #[arg(long, value_name = "FILE")]
    pub(crate) receipt: Option<PathBuf>,
}

const EVIDENCE_HELP: &str = "\
Example:
  quittance evidence examples/honest-done/session.jsonl --json";

#[derive(Debug, ClapArgs)]
#[command(before_help = EVIDENCE_HELP)]
pub(crate) struct Evidence {
    #[command(flatten)]
    pub(crate) reading: Reading,
}

const EXPLAIN_HELP: &str = "\
Example:
  quittance explain receipt.json
  quittance explain 06b78e2d        # one that a hook left in the ledger";

#[derive(Debug, ClapArgs)]
#[command(before_help = EXPLAIN_HELP)]
pub(crate) struct Explain {
    /// The receipt's file, `-` for standard input, or the id of one in the ledger, or its beginning
    #[arg(value_name = "RECEIPT")]
    pub(crate) receipt: PathBuf,
    /// Prints one JSON document instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

const REPLAY_HELP: &str = "\
Example:
  quittance replay receipt.json --transcript session.jsonl
  quittance replay 06b78e2d --transcript session.jsonl

Exit codes: 0 the same id, 21 another one; 65 unreadable receipt or transcript, 66 no such file.";

#[derive(Debug, ClapArgs)]
#[command(before_help = REPLAY_HELP)]
pub(crate) struct Replay {
    /// The receipt's file, `-` for standard input, or the id of one in the ledger, or its beginning
    #[arg(value_name = "RECEIPT")]
    pub(crate) receipt: PathBuf,
    /// The transcript it was made from; what was added to it since is not read
    #[arg(long, value_name = "FILE")]
    pub(crate) transcript: PathBuf,
    /// The run, from 1, of a file that holds several
    #[arg(long, value_name = "N", value_parser = run)]
    pub(crate) run: Option<RunNumber>,
    /// Prints one JSON document instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

const HOOK_HELP: &str = "\
Example:
  quittance hook claude-code < stdin.json

It always exits with 0 and one JSON document that the host accepts.";

#[derive(Debug, ClapArgs)]
#[command(before_help = HOOK_HELP)]
pub(crate) struct Hook {
    /// The host that asks
    #[arg(value_name = "HOST", value_parser = hosts())]
    pub(crate) host: Host,
}

const TRUST_HELP: &str = "\
Example:
  quittance trust quittance.toml";

#[derive(Debug, ClapArgs)]
#[command(before_help = TRUST_HELP)]
pub(crate) struct Trust {
    /// The policy file or its folder [default: quittance.toml here or above]
    #[arg(value_name = "POLICY")]
    pub(crate) policy: Option<PathBuf>,
    /// Forgets the copy: hooks obey this policy no longer
    #[arg(long)]
    pub(crate) revoke: bool,
    /// Prints one JSON document instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// What is read, and how.
#[derive(Debug, ClapArgs)]
pub(crate) struct Reading {
    /// The transcript, or `-` for standard input
    #[arg(value_name = "TRANSCRIPT")]
    pub(crate) transcript: PathBuf,
    /// The policy file [default: quittance.toml here or above]
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// The transcript's format [default: by content]
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub(crate) host: Option<Format>,
    /// The turn, from 1 [default: the last in which the agent spoke]
    #[arg(long, value_name = "N", value_parser = turn)]
    pub(crate) turn: Option<TurnNumber>,
    /// The run, from 1, of a file that holds several
    #[arg(long, value_name = "N", value_parser = run)]
    pub(crate) run: Option<RunNumber>,
    /// Prints one JSON document instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

impl Reading {
    /// The options the reader takes, with the tools the policy adds.
    pub(crate) fn options(&self, policy: &Policy) -> ReadOptions {
        ReadOptions {
            host: self.host,
            turn: self.turn,
            run: self.run,
            tools: policy.tools.clone(),
            ..ReadOptions::default()
        }
    }
}

/// Reads a host's name, of those that run a hook. Shells complete them.
pub(crate) fn hosts() -> impl TypedValueParser<Value = Host> {
    let known = PossibleValuesParser::new(Host::ALL.map(Host::as_str));
    known.try_map(|word| Host::named(&word).ok_or("no such host"))
}

pub(crate) fn formats() -> impl TypedValueParser<Value = Format> {
    let known = PossibleValuesParser::new(Format::ALL.map(Format::as_str));
    let named = |word: &str| Format::ALL.into_iter().find(|format| format.as_str() == word);
    known.try_map(move |word| named(&word).ok_or("no such format"))
}

pub(crate) fn turn(text: &str) -> Result<TurnNumber, String> {
    text.parse().ok().and_then(TurnNumber::new).ok_or_else(|| COUNTED_FROM_ONE.to_owned())
}

pub(crate) fn run(text: &str) -> Result<RunNumber, String> {
    text.parse().ok().and_then(RunNumber::new).ok_or_else(|| COUNTED_FROM_ONE.to_owned())
}

const COUNTED_FROM_ONE: &str = "a whole number from 1 is needed";
