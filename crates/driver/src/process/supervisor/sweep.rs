//! Ends every descendant of this process, also those that keep forking.

use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, WaitStatus, getpgid, getpgrp, getpid, kill_process,
    kill_process_group, pidfd_open, pidfd_send_signal, wait,
};

use super::family::{children, parent_of};

/// How long it is tried. What is left then cannot be killed (stuck in the kernel, another user's).
const LIMIT: Duration = Duration::from_secs(10);
/// How long a killed process is given to die before the next round.
const PAUSE: Duration = Duration::from_millis(1);
/// How many processes one round visits: more than a machine has, so that a round ends even where
/// each visit finds a new child.
const VISITS: usize = 1 << 16;

/// Kills and buries until nothing is left, and says whether nothing is.
pub(super) fn sweep() -> bool {
    let until = Instant::now() + LIMIT;
    loop {
        strike(getpid());
        match bury(|_, _| ()) {
            Family::Gone => return true,
            Family::Alive if Instant::now() >= until => return false,
            Family::Alive => std::thread::sleep(PAUSE),
        }
    }
}

/// Whether this process has children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    Alive,
    Gone,
}

/// Takes the status of every child that has ended.
pub(super) fn bury(mut ended: impl FnMut(Pid, WaitStatus)) -> Family {
    loop {
        match wait(WaitOptions::NOHANG) {
            Ok(Some((pid, status))) => ended(pid, status),
            Err(Errno::INTR) => {}
            Ok(None) => return Family::Alive,
            // No child, which is the only reason to fail.
            Err(_) => return Family::Gone,
        }
    }
}

/// Kills the whole tree once, from the top: whoever is killed forks no more, and whoever loses its
/// parent becomes a child of ours.
fn strike(me: Pid) {
    let mut parents = vec![me];
    for _ in 0..VISITS {
        let Some(parent) = parents.pop() else { return };
        for child in children(parent) {
            if parent == me {
                end_own(child);
            } else {
                end_deeper(child, parent, me);
            }
            parents.push(child);
        }
    }
}

/// Kills a child and its group. Until it is buried neither number can be another's, and since we
/// lead our own session, no group below it but our own has a stranger in it.
fn end_own(child: Pid) {
    // Who is gone already needs no signal.
    if let Ok(group) = getpgid(Some(child))
        && group != getpgrp()
    {
        // One signal for the whole group: the kernel lets none of it fork in between.
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = kill_process(child, Signal::KILL);
}

/// Kills a descendant that somebody else may bury: only once it is certain who is meant.
fn end_deeper(child: Pid, parent: Pid, me: Pid) {
    if let Ok(handle) = pidfd_open(child, PidfdFlags::empty())
        && parent_of(child).is_some_and(|now| now == parent || now == me)
    {
        let _ = pidfd_send_signal(&handle, Signal::KILL);
    }
}
