//! Reading the transcript of a boundary, which may lag behind what the host says.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use quittance_driver::{Policy, Redactor};
use quittance_hosts::hook::HookInput;
use quittance_hosts::{Input, ReadOptions, Waiting};

use super::Undecided;
use crate::input::ReadTurn;

/// How long a file is waited for. The closing message was measured at most 15 ms late on a quiet
/// machine.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often it is looked at meanwhile.
const PAUSE: Duration = Duration::from_millis(25);
/// Bytes read at a time.
const CHUNK: usize = 256 * 1024;

/// Reads the turn, once more as long as the file shows less than the host has said.
pub(super) fn turn(
    input: &HookInput,
    policy: &Policy,
    redactor: Option<&Arc<Redactor>>,
    until: Instant,
) -> Result<ReadTurn, Undecided> {
    let unreadable = |why: &dyn std::fmt::Display| Undecided::new("record_unreadable", why);
    let Some(path) = input.transcript.as_deref() else {
        return Err(unreadable(&"the host names no transcript"));
    };
    let until = until.min(Instant::now() + PATIENCE);
    loop {
        let read = once(Path::new(path), policy, redactor);
        let lags = match &read {
            Ok(turn) => lags(turn, input),
            Err(_) => true,
        };
        if !lags || Instant::now() + PAUSE >= until {
            return read.map_err(|why| unreadable(&why));
        }
        std::thread::sleep(PAUSE);
    }
}

fn once(
    path: &Path,
    policy: &Policy,
    redactor: Option<&Arc<Redactor>>,
) -> Result<ReadTurn, String> {
    let named = |why: &dyn std::fmt::Display| format!("open `{}`: {why}", path.display());
    let file = File::open(path).map_err(|error| named(&error))?;
    if !file.metadata().is_ok_and(|kind| kind.is_file()) {
        return Err(named(&"it is no file"));
    }
    let options = ReadOptions { tools: policy.tools.clone(), ..ReadOptions::default() };
    let file = Input::open(file).map_err(|error| named(&error))?;
    let read = ReadTurn::from(BufReader::with_capacity(CHUNK, file), options, redactor);
    read.map_err(|failure| failure.at(path).to_string())
}

/// Whether the file still has to catch up: it ends inside a line, or lacks the closing message that
/// the host has handed over or must have written.
fn lags(turn: &ReadTurn, input: &HookInput) -> bool {
    let session = &turn.session;
    let is_waiting = |reason| session.waiting.contains(&reason);
    match &input.answer {
        _ if is_waiting(Waiting::HalfWritten) => true,
        Some(answer) => session.turn.candidate().trim() != answer.trim(),
        None => is_waiting(Waiting::Unanswered),
    }
}
