//! The processes that stand between us and a command: what the caller has to provide, and what they
//! do.
//!
//! `unsafe` code is not allowed here, so nothing can be set between fork and exec; a program of its
//! own sets it for itself. The caller's program is started again, three times over:
//!
//! ```text
//! us ── guard ── runner ── command
//! ```
//!
//! Guard and runner do the same: each leads a session of its own, adopts every orphan below it, and
//! ends all of them when its child has ended, when its parent is gone or when we hang up. Guard is
//! there for a runner that was killed, runner for a guard that was. The third sets the parent-death
//! signal and becomes the command.

#[cfg(target_os = "linux")]
mod become_command;
#[cfg(target_os = "linux")]
mod family;
#[cfg(target_os = "linux")]
pub(super) mod message;
#[cfg(target_os = "linux")]
mod sweep;
#[cfg(target_os = "linux")]
mod watch;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// A program that calls [`supervise`] when it is started with these arguments and two more.
///
/// ```no_run
/// use std::process::ExitCode;
///
/// use quittance_driver::process::{Supervisor, supervise};
///
/// fn main() -> ExitCode {
///     let args: Vec<_> = std::env::args_os().collect();
///     if args.get(1).is_some_and(|word| word == "supervise") {
///         return supervise(args.get(2..).unwrap_or_default());
///     }
///     let supervisor = Supervisor::this_program(["supervise"]);
///     // … hand it to every job.
/// #   drop(supervisor);
///     ExitCode::SUCCESS
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "a program and its arguments")]
pub struct Supervisor {
    /// The program, by an absolute path: it is started in the command's folder.
    pub program: PathBuf,
    /// What comes before our two arguments.
    pub args: Vec<OsString>,
}

impl Supervisor {
    /// The program that is running, whatever became of its file since.
    #[must_use]
    pub fn this_program<T: Into<OsString>>(args: impl IntoIterator<Item = T>) -> Self {
        let args = args.into_iter().map(Into::into).collect();
        Self { program: PathBuf::from(THIS_PROGRAM), args }
    }
}

/// To each process, the program it runs itself.
const THIS_PROGRAM: &str = "/proc/self/exe";

/// Which of the three a process is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Guard,
    Runner,
    Command,
}

impl Role {
    const ALL: [Self; 3] = [Self::Guard, Self::Runner, Self::Command];

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Guard => "guard",
            Self::Runner => "runner",
            Self::Command => "command",
        }
    }

    fn read(word: &OsString) -> Option<Self> {
        Self::ALL.into_iter().find(|role| word == role.as_str())
    }
}

/// The status of a supervisor that was started by hand, or on a system that has none.
const UNUSABLE: u8 = 69;

/// Acts as one of the processes between a program and its command. `args` are the two arguments
/// after [`Supervisor::args`]; the process has to be single-threaded, so call it first in `main`.
///
/// It returns once everything below it has ended, with success when it has. Nothing is printed:
/// both output streams are the command's.
#[must_use]
pub fn supervise(args: &[OsString]) -> ExitCode {
    let Some(order) = read(args) else { return ExitCode::from(UNUSABLE) };
    act(order)
}

/// Who to be, and whose child this process has to be.
#[derive(Clone, Copy, Debug)]
struct Post {
    role: Role,
    parent: rustix::process::Pid,
}

fn read(args: &[OsString]) -> Option<Post> {
    let [role, parent] = args else { return None };
    let parent = parent.to_str()?.parse().ok().filter(|pid| *pid > 0)?;
    Some(Post { role: Role::read(role)?, parent: rustix::process::Pid::from_raw(parent)? })
}

#[cfg(target_os = "linux")]
fn act(post: Post) -> ExitCode {
    match post.role {
        Role::Guard | Role::Runner => watch::watch(post),
        Role::Command => become_command::become_command(post.parent),
    }
}

#[cfg(not(target_os = "linux"))]
fn act(_: Post) -> ExitCode {
    ExitCode::from(UNUSABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_two_known_arguments_are_obeyed() {
        let read = |words: &[&str]| {
            read(&words.iter().map(OsString::from).collect::<Vec<_>>()).map(|post| post.role)
        };
        assert_eq!(read(&["guard", "12"]), Some(Role::Guard));
        assert_eq!(read(&["runner", "12"]), Some(Role::Runner));
        assert_eq!(read(&["command", "12"]), Some(Role::Command));
        for words in [
            &[][..],
            &["guard"],
            &["guard", "0"],
            &["guard", "-1"],
            &["guard", "x"],
            &["guard", "99999999999"],
            &["Guard", "12"],
            &["guard", "12", "13"],
        ] {
            assert_eq!(read(words), None, "{words:?}");
        }
    }
}
