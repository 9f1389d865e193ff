//! `quittance assess`: how far answers can be trusted, of stored records and of transcripts.
//!
//! It owns which input is looked at, in which order answers are printed and what the exit code
//! says. The fold is `quittance-assess`'s; how a transcript is folded is the driver's.

mod answer;
mod args;
mod document;
mod failure;
mod files;
mod inputs;
mod lines;
mod ordered;
mod printer;
mod progress;
mod tally;

use std::io;

use quittance_assess::Declarations;
use quittance_hosts::ReadOptions;

use crate::exit;

pub(crate) use args::Args;

use failure::Failure;
use printer::Printer;
pub(crate) use tally::{Checked, Tally};

/// One of the standings that `--fail-on` names was met.
const FAILED_ON: u8 = 20;

/// How every input is read and answered.
struct Plan {
    declarations: Declarations,
    options: ReadOptions,
    print: Print,
}

/// What is printed of an input.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Print {
    /// A paragraph.
    People,
    /// One JSON document in a line.
    Json,
    /// Nothing: only the summary counts.
    Nothing,
}

/// Assesses every input; answers the exit code.
pub(crate) fn run(args: &Args) -> u8 {
    match assess(args) {
        Ok(code) => code,
        Err(failure) => {
            failure.tell(args.json);
            failure.code()
        }
    }
}

fn assess(args: &Args) -> Result<u8, Failure> {
    let plan = Plan {
        declarations: args.declarations()?,
        options: ReadOptions {
            host: args.host,
            turn: args.turn,
            run: args.run,
            ..ReadOptions::default()
        },
        print: match (args.summary, args.json || args.ndjson) {
            (true, _) => Print::Nothing,
            (false, true) => Print::Json,
            (false, false) => Print::People,
        },
    };
    let inputs = inputs::all(&args.inputs)?;
    let mut printer = Printer::new(args, &inputs);
    let answered = if args.ndjson {
        lines::assess(&plan, inputs, args.jobs(), |answer| printer.print(answer))
    } else {
        files::assess(&plan, inputs, args.jobs(), |answer| printer.print(answer))
    };
    let tally = match answered {
        Ok(()) => printer.finish()?,
        // Whoever read the answers has what they wanted.
        Err(gone) if gone.kind() == io::ErrorKind::BrokenPipe => printer.abandon(),
        Err(source) => return Err(Failure::Print(source)),
    };
    Ok(code(args, &tally))
}

/// A standing that was named fails first, then a file that could not be read. A bad line was
/// answered in its place; but it may have been of a named standing, so whoever names one is told.
fn code(args: &Args, tally: &Tally) -> u8 {
    let failing = args.fail_on();
    if failing.iter().any(|standing| tally.standing(*standing) > 0) {
        return FAILED_ON;
    }
    let bad_line = tally.has_bad_lines() && !failing.is_empty();
    tally.first_failure().unwrap_or(if bad_line { exit::UNREADABLE } else { 0 })
}
