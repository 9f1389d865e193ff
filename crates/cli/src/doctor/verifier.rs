//! Whether the verifier can be started, and with `--run` what it says.

use std::io::Write as _;

use quittance_driver::Verifier as _;
use quittance_driver::policy::{Command, VerifyPolicy};

use super::declared::Declared;
use super::line::Line;
use super::programs::{Program, find};
use crate::exit::Failure;
use crate::input;
use crate::processes::Processes;
use crate::trial::{self, Trial};

const PART: &str = "verifier";

pub(super) fn look(
    declared: &Declared,
    is_run: bool,
    lines: &mut Vec<Line>,
) -> Result<(), Failure> {
    if !declared.is_readable {
        // What it names nobody can tell, and that it cannot be read was said.
        return Ok(());
    }
    let verify = declared.policy.policy.verify.as_ref();
    let Some((verify, command)) = verify
        .filter(|verify| verify.when.runs())
        .and_then(|verify| Some((verify, verify.command.as_ref()?)))
    else {
        let what = "none is run here, so no deterministic check can approve of a run";
        lines.push(Line::warning(PART, what, "name one under `[verify]`, then `quittance trust`"));
        return Ok(());
    };
    lines.extend(started(declared, command, is_run));
    if is_run {
        lines.push(ran(declared, verify, command)?);
    }
    Ok(())
}

/// Whether it can be started, as far as looking tells; where it is run, that tells more.
fn started(declared: &Declared, command: &Command, is_run: bool) -> Option<Line> {
    let line = command.line();
    let found = find(command, &declared.root);
    if let Some((why, advice)) = found.amiss() {
        let what = format!("`{line}` cannot be started: {why}");
        return Some(Line::failed(PART, what, advice));
    }
    match found {
        Program::Unclear if is_run => None,
        Program::Unclear => {
            let what = format!("only the shell can tell whether `{line}` can be started");
            Some(Line::warning(PART, what, "`quittance doctor --run` runs it"))
        }
        _ => Some(Line::ok(PART, format!("`{line}` can be started"))),
    }
}

fn ran(declared: &Declared, verify: &VerifyPolicy, command: &Command) -> Result<Line, Failure> {
    let line = command.line();
    if !declared.is_trusted {
        let what = format!("`{line}` was not run: hooks do not obey this policy");
        return Ok(Line::warning(PART, what, "look at it, then `quittance trust`"));
    }
    let _ = writeln!(anstream::stderr(), "running `{line}`, for at most {} s", verify.timeout_s);
    let processes = Processes::of(Some(&declared.root), &declared.user);
    let record = input::runtime()?.block_on(processes.run(verify, verify.timeout()));
    Ok(match Trial::of(&record, verify.timeout_s) {
        Trial::Passed => Line::ok(PART, format!("`{line}` ran and passed")),
        Trial::Failed { findings } => {
            let what = format!("`{line}` ran and failed: {}", trial::ending(&findings).join("\n"));
            Line::warning(PART, what, "a run that writes is refused until it passes")
        }
        Trial::CouldNot { why } => {
            Line::failed(PART, format!("`{line}` could not be run: {why}"), NO_READING)
        }
        Trial::Untried => Line::warning(PART, format!("`{line}` was not run"), NO_READING),
    })
}

const NO_READING: &str = "without a reading a run that writes ends unverified";
