//! `quittance hook HOST`: one boundary of a running agent, answered in the host's own dialect.
//!
//! Whatever happens, the answer is one JSON document that the host accepts, and the exit code is 0:
//! anything else is lost on some host, and a lost refusal is an allowed stop. A failure of our own
//! allows the stop and says `unverified`, on standard error and, where there is a ledger, in a
//! receipt: no failing disk may make a run unstoppable, and none may make it look verified.

mod boundary;
mod keeping;
mod obeyed;
mod reading;

use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Instant;

use quittance_hosts::hook::{HookAnswer, HookInput, Host};

use crate::render::escape;

/// What a host sends is a few kilobytes and one message.
const STDIN_BYTES_MAX: u64 = 32 * 1024 * 1024;

/// Why a hook could decide nothing: the stop is allowed, and this is said.
#[derive(Debug)]
pub(crate) struct Undecided {
    /// The outcome's cause, as a word.
    pub(crate) cause: &'static str,
    /// In words, for the user.
    pub(crate) why: String,
}

impl Undecided {
    pub(crate) fn new(cause: &'static str, why: impl std::fmt::Display) -> Self {
        Self { cause, why: why.to_string() }
    }

    /// The same of an error that says what could not be done.
    pub(crate) fn cannot(cause: &'static str, error: impl std::fmt::Display) -> Self {
        Self::new(cause, format_args!("cannot {error}"))
    }

    /// A failure of our own that unwound.
    pub(crate) fn inside() -> Self {
        Self::new("internal", "the program failed inside")
    }
}

/// Answers, always.
pub(crate) fn run(host: Host) -> ExitCode {
    let opened = Instant::now();
    // Nothing that unwinds may take the answer with it.
    let decided = catch_unwind(AssertUnwindSafe(|| decide(host, opened)));
    let answer = match decided {
        Ok(Ok(answer)) => answer,
        Ok(Err(undecided)) => told(&undecided),
        Err(_) => told(&Undecided::inside()),
    };
    let mut out = std::io::stdout();
    // The host went away, and nobody is left to tell.
    let _ = writeln!(out, "{}", answer.print(host)).and_then(|()| out.flush());
    ExitCode::SUCCESS
}

fn told(undecided: &Undecided) -> HookAnswer {
    let why = escape::foreign(&undecided.why);
    let _ = writeln!(std::io::stderr(), "quittance: unverified ({}): {why}", undecided.cause);
    HookAnswer::unverified(&why)
}

fn decide(host: Host, opened: Instant) -> Result<HookAnswer, Undecided> {
    let mut sent = Vec::new();
    let read = std::io::stdin().lock().take(STDIN_BYTES_MAX + 1).read_to_end(&mut sent);
    read.map_err(|error| Undecided::new("stdin_unreadable", error))?;
    if sent.len() as u64 > STDIN_BYTES_MAX {
        return Err(Undecided::new("stdin_unreadable", "the host sent more than 32 MiB"));
    }
    let input = HookInput::read(host, &sent)
        .map_err(|error| Undecided::cannot("stdin_unreadable", error))?;
    if input.pass.is_some() {
        return Ok(HookAnswer::Allow);
    }
    boundary::decide(&input, opened)
}
