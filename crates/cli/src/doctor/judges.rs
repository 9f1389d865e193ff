//! Whether each judge can be reached: its key is there, its server takes a connection, its program
//! starts, its tape can be read.

use std::time::Duration;

use quittance_driver::judge::tape::TapeJudge;
use quittance_driver::policy::{Command, JudgePolicy, JudgeSource};
use quittance_driver::process::Ended;
use quittance_judge::policy::Slot;

use super::declared::Declared;
use super::line::Line;
use super::programs::find;
use crate::exit::Failure;
use crate::processes::Processes;
use crate::{input, judges};

const PART: &str = "judge";
/// How long a server may take to accept a connection.
const CONNECT_MAX: Duration = Duration::from_secs(10);
/// How long a judge that is a program may take to fall over when it is asked nothing.
const START_MAX: Duration = Duration::from_secs(3);
/// A shell's words for "not executable" and "not found".
const SHELL_UNAVAILABLE: [i32; 2] = [126, 127];

pub(super) fn look(declared: &Declared, lines: &mut Vec<Line>) -> Result<(), Failure> {
    for slot in Slot::ALL {
        if let Some(judge) = declared.policy.policy.judges.get(slot) {
            match &judge.source {
                JudgeSource::Tape { file } => lines.push(tape(declared, slot, file)),
                JudgeSource::Command { command } => {
                    lines.push(program(declared, slot, command)?);
                }
                JudgeSource::Provider { .. } => server(declared, slot, judge, lines)?,
            }
        }
    }
    Ok(())
}

fn tape(declared: &Declared, slot: Slot, file: &str) -> Line {
    let slot = slot.as_str();
    match TapeJudge::read(&declared.root.join(file)) {
        Ok(_) => Line::ok(PART, format!("{slot}: the tape `{file}` can be read")),
        Err(error) => {
            let what = format!("{slot}: cannot {error}");
            Line::failed(PART, what, format!("mend `{file}`, or name another{MEANWHILE}"))
        }
    }
}

fn program(declared: &Declared, slot: Slot, command: &Command) -> Result<Line, Failure> {
    let (slot, line) = (slot.as_str(), command.line());
    let cannot = |why: &str, advice: &str| {
        let what = format!("{slot}: `{line}` cannot be started: {why}");
        Line::failed(PART, what, format!("{advice}{MEANWHILE}"))
    };
    if let Some((why, advice)) = find(command, &declared.root).amiss() {
        return Ok(cannot(&why, &advice));
    }
    if !declared.is_trusted {
        return Ok(untrusted(slot, &format!("`{line}` was not started")));
    }
    let processes = Processes::of(Some(&declared.root), &declared.user);
    let finished = input::runtime()?.block_on(processes.run_once(command, START_MAX));
    Ok(match finished.ended {
        Ended::NotStarted(cause) => cannot(&cause, MEND),
        Ended::Exited(status) if SHELL_UNAVAILABLE.contains(&status) => {
            cannot(&format!("exit status {status}"), MEND)
        }
        Ended::Lost => cannot("nobody saw how it ended", MEND),
        // It was asked nothing, so how it ended says nothing.
        Ended::Exited(_) | Ended::Signaled(_) | Ended::Deadline => {
            Line::ok(PART, format!("{slot}: `{line}` can be started"))
        }
    })
}

fn server(
    declared: &Declared,
    slot: Slot,
    policy: &JudgePolicy,
    lines: &mut Vec<Line>,
) -> Result<(), Failure> {
    let name = slot.as_str();
    let judge = match judges::provider(slot, policy, &declared.user) {
        Ok(judge) => judge,
        Err(failure) => {
            let advice = format!("mend it under `[judge.{name}]`{MEANWHILE}");
            lines.push(Line::failed(PART, format!("{name}: cannot {failure}"), advice));
            return Ok(());
        }
    };
    lines.push(match judge.lacks_key() {
        None => Line::ok(
            PART,
            format!("{name}: the key for `{}` is there, or none is needed", policy.model),
        ),
        Some(why) => {
            let advice = format!(
                "name the variable that holds it under `[keys]` in `{}`, and set it",
                declared.config.display()
            );
            Line::failed(PART, format!("{name}: {why}"), advice)
        }
    });
    if !declared.is_trusted {
        lines.push(untrusted(name, "its server was not asked for a connection"));
        return Ok(());
    }
    let reached = input::runtime()?.block_on(judge.reach(&policy.model, CONNECT_MAX));
    lines.push(match reached {
        Ok(()) => Line::ok(PART, format!("{name}: its server takes connections")),
        Err(why) => {
            let advice = format!("start the server, or name another{MEANWHILE}");
            let what = format!("{name}: its server cannot be asked ({why})");
            Line::failed(PART, what, advice)
        }
    });
    Ok(())
}

fn untrusted(slot: &str, what: &str) -> Line {
    let what = format!("{slot}: {what}: hooks do not obey this policy");
    Line::warning(PART, what, "look at it, then `quittance trust`")
}

const MEND: &str = "mend the command";
const MEANWHILE: &str = "; until then a boundary at which it is asked ends unverified";
