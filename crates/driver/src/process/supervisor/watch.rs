//! What guard and runner do: start the next one, wait for an end, end everything.

use std::ffi::OsString;
use std::io::Write;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, WaitStatus, getpid, getppid, pidfd_open, set_child_subreaper, setsid,
};

use super::message::{Report, line};
use super::{Post, Role, THIS_PROGRAM, sweep};

/// How often orphans that have ended are buried while the command runs.
const BURIAL: Duration = Duration::from_millis(500);
/// How often everything is looked at on a system that cannot wake us (Linux before 5.3).
const TICK: Duration = Duration::from_millis(10);
/// The status of one that left something running.
const LEFT_BEHIND: u8 = 1;

/// Starts the next one and ends with it; whatever happens, nothing below survives.
pub(super) fn watch(post: Post) -> ExitCode {
    match Watch::begin(post) {
        Ok(watch) => {
            if let Some(status) = watch.until_an_end()
                && post.role == Role::Runner
            {
                tell(&report(status));
            }
        }
        Err(cause) => tell(&Report::NotStarted(cause.to_string())),
    }
    if sweep::sweep() { ExitCode::SUCCESS } else { ExitCode::from(LEFT_BEHIND) }
}

struct Watch {
    parent: Pid,
    child: Pid,
    /// What wakes us when one of the two ends.
    wakers: Option<[OwnedFd; 2]>,
}

impl Watch {
    fn begin(post: Post) -> std::io::Result<Self> {
        // The group and the session below are ours alone, so that ending them ends no stranger. No
        // parent-death signal here: it would end us before we could end anybody, and it comes when
        // a parent's thread ends, too.
        setsid()?;
        set_child_subreaper(Some(getpid()))?;
        let parent = pidfd_open(post.parent, PidfdFlags::empty());
        if getppid() != Some(post.parent) {
            return Err(std::io::Error::other("its parent is gone"));
        }
        let child = next(post.role)?;
        let wakers = match (parent, pidfd_open(child, PidfdFlags::empty())) {
            (Ok(parent), Ok(child)) => Some([parent, child]),
            _ => None,
        };
        Ok(Self { parent: post.parent, child, wakers })
    }

    /// Waits for the child's end, which it returns, or for ours.
    fn until_an_end(&self) -> Option<WaitStatus> {
        loop {
            let mut status = None;
            sweep::bury(|pid, ended| {
                if pid == self.child {
                    status = Some(ended);
                }
            });
            if status.is_some() || getppid() != Some(self.parent) || self.is_hung_up() {
                return status;
            }
        }
    }

    /// Waits until something may have happened, and says whether nobody is at the other end.
    fn is_hung_up(&self) -> bool {
        let control = std::io::stdin();
        // Nothing is read here; the end is reported unasked.
        let mut fds = vec![PollFd::new(&control, PollFlags::empty())];
        if let Some(wakers) = &self.wakers {
            fds.extend(wakers.iter().map(|waker| PollFd::new(waker, PollFlags::IN)));
        }
        let wait = if self.wakers.is_some() { BURIAL } else { TICK };
        let wait = Timespec { tv_sec: 0, tv_nsec: wait.subsec_nanos().into() };
        // An interrupted wait is a short one.
        let _ = poll(&mut fds, Some(&wait));
        fds.first().is_some_and(|control| control.revents().intersects(GONE))
    }
}

const GONE: PollFlags = PollFlags::HUP.union(PollFlags::ERR).union(PollFlags::NVAL);

/// Starts the next of the three, by the arguments this one was started with.
fn next(role: Role) -> std::io::Result<Pid> {
    let role = match role {
        Role::Guard => Role::Runner,
        Role::Runner | Role::Command => Role::Command,
    };
    let words: Vec<OsString> = std::env::args_os().collect();
    let own = words.len().saturating_sub(2);
    let mut command = Command::new(THIS_PROGRAM);
    words.first().into_iter().for_each(|name| {
        command.arg0(name);
    });
    command.args(words.iter().take(own).skip(1));
    command.arg(role.as_str()).arg(getpid().as_raw_pid().to_string());
    if role == Role::Command {
        command.process_group(0);
    }
    Ok(Pid::from_child(&command.spawn()?))
}

fn report(status: WaitStatus) -> Report {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Report::Exited(code),
        (None, signal) => Report::Signaled(signal.unwrap_or_default()),
    }
}

/// Says it to whoever is at the other end, if anybody is.
fn tell(report: &Report) {
    if let Ok(socket) = std::io::stdin().as_fd().try_clone_to_owned() {
        let _ = std::fs::File::from(socket).write_all(&line(report));
    }
}
