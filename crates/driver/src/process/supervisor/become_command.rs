//! The last of the three: it reads what to run and becomes it.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{ExitCode, Stdio};

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};

use super::message::{Order, Report, line};
use crate::process::prepared;

/// The status of a command that never was one, as shells give it.
const NOT_STARTED: u8 = 127;

/// Becomes the command, and comes back only where that failed.
pub(super) fn become_command(parent: Pid) -> ExitCode {
    // The copy closes when the command begins: nothing of the socket reaches it.
    if let Ok(socket) = std::io::stdin().as_fd().try_clone_to_owned() {
        let socket = File::from(socket);
        let cause = attempt(&socket, parent);
        // When nobody listens any more, there is nobody to tell.
        let _ = (&socket).write_all(&line(&Report::NotStarted(cause.to_string())));
    }
    ExitCode::from(NOT_STARTED)
}

fn attempt(socket: &File, parent: Pid) -> std::io::Error {
    match order(socket, parent) {
        Ok(mut command) => command.exec(),
        Err(cause) => cause,
    }
}

fn order(socket: &File, parent: Pid) -> std::io::Result<std::process::Command> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    // The signal is sent once: a parent that was gone before would never send it.
    if getppid() != Some(parent) {
        return Err(std::io::Error::other("its supervisor is gone"));
    }
    let mut text = Vec::new();
    BufReader::new(socket).read_until(b'\n', &mut text)?;
    let order: Order = serde_json::from_slice(&text)?;
    let mut command = prepared(&order.command)?;
    command.stdin(order.stdin.as_deref().map_or_else(|| Ok(Stdio::null()), stdin)?);
    Ok(command)
}

/// A file without a name: it never fills up, whether it is read or not.
fn stdin(text: &str) -> std::io::Result<Stdio> {
    let mut file = File::from(memfd_create("stdin", MemfdFlags::CLOEXEC)?);
    file.write_all(text.as_bytes())?;
    file.rewind()?;
    Ok(file.into())
}
