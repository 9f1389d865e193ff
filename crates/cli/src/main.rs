//! The `quittance` program: parse, dispatch, answer, exit.

mod args;
mod assess;
mod check;
mod evidence;
mod exit;
mod explain;
mod folders;
#[cfg(unix)]
mod hook;
mod input;
mod install;
mod judges;
mod ledger_place;
mod processes;
mod receipts;
mod render;
mod replay;
mod statements;
mod supervise;
mod trust;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use quittance_evidence::canonical;
use serde_json::{Value, json};

use args::{Args, Command};
use exit::Failure;

/// What a command has to say.
struct Answer {
    /// The one document that `--json` prints.
    document: Value,
    /// The same for people.
    text: String,
    code: u8,
}

fn main() -> ExitCode {
    exit::guarded(|| match Args::try_parse() {
        Ok(args) => obey(&args),
        Err(error) => usage(&error),
    })
}

fn obey(args: &Args) -> ExitCode {
    let json = args.command.wants_json();
    let answered = match &args.command {
        Command::Check(check) => check::run(check),
        // It prints as it goes.
        Command::Assess(assess) => return ExitCode::from(assess::run(assess)),
        Command::Evidence(evidence) => evidence::run(evidence),
        Command::Supervise { part } => return supervise::run(part),
        #[cfg(unix)]
        Command::Hook(hook) => return hook::run(hook.host),
        Command::Explain(explain) => explain::run(explain),
        Command::Replay(replay) => replay::run(replay),
        Command::Trust(trust) => trust::run(trust),
        Command::Install(args) => install::install(args),
        Command::Uninstall(args) => install::uninstall(args),
        Command::Receipts(args) => receipts::run(args),
    };
    let answer = answered.unwrap_or_else(|failure| told(&failure, json));
    ExitCode::from(print(&answer, json))
}

/// Help and version are asked for and go to stdout; anything else is a usage error.
fn usage(error: &clap::Error) -> ExitCode {
    // Nothing is left to tell when the stream itself is gone.
    let _ = error.print();
    if error.use_stderr() { ExitCode::from(exit::USAGE) } else { ExitCode::SUCCESS }
}

/// A failure is told on stderr, and as the document where one was asked for.
fn told(failure: &Failure, json: bool) -> Answer {
    let message = render::escape::foreign(&failure.to_string());
    if !json {
        let _ = writeln!(anstream::stderr(), "quittance: cannot {message}");
    }
    let code = failure.code();
    let document = json!({"error": {"exit_code": code, "message": format!("cannot {failure}")}});
    Answer { document, text: String::new(), code }
}

/// A reader that went away has what it wanted; any other fault of stdout is told.
fn print(answer: &Answer, json: bool) -> u8 {
    let mut out = anstream::stdout();
    let printed = if json {
        writeln!(out, "{}", canonical::to_text(&answer.document))
    } else {
        write!(out, "{}", answer.text)
    };
    match printed.and_then(|()| out.flush()) {
        Ok(()) => answer.code,
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => answer.code,
        Err(error) => {
            let _ = writeln!(anstream::stderr(), "quittance: cannot print the answer: {error}");
            exit::IO
        }
    }
}
