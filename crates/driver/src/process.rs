//! Runs one command to its end: bounded in time, in output and in what it leaves behind.
//!
//! What a run amounts to is `verify`'s and the command judge's to say; here an exit status is a
//! number and output is bytes. Nothing is read out of a command's text.
//!
//! # What is held
//!
//! | | with a [`Supervisor`], on Linux | without |
//! |---|---|---|
//! | the command ends at its deadline, whatever it ignores | yes | yes |
//! | its process group ends with it | yes | yes |
//! | a child that called `setsid` or forked twice ends with it | yes | no |
//! | all of it ends when we are killed, at any moment | yes | no |
//! | all of it ends when the future is dropped | yes | the group |
//!
//! The supervisor is the caller's own program, started again (see [`supervise`]): two processes, one
//! inside the other, each a child subreaper that ends every descendant, so that one of them may be
//! killed too. If we and both of them are killed at the same moment, the command itself still gets
//! the parent-death signal, its descendants do not. A process that the command asked somebody else
//! to start (a daemon that was running before, a container, `at`) is not a descendant, and one that
//! we may not signal (set-user-id) stays: [`Leftovers::Some`].

mod environment;
mod grouped;
mod output;
#[cfg(target_os = "linux")]
mod supervised;
mod supervisor;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use tokio::time::Instant;

use crate::policy::Command;
pub use environment::Withheld;
pub use output::{Captured, Keep, Streams};
pub use supervisor::{Supervisor, supervise};

/// A command to run, and within which bounds.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Job {
    /// What is run.
    pub command: Command,
    /// The folder it is run in.
    pub folder: PathBuf,
    /// How long it may take.
    pub deadline: Duration,
    /// What it reads on standard input; nothing where none.
    pub stdin: Option<String>,
    /// Which variables it does not see.
    pub withheld: Withheld,
    /// Variables that it sees instead of ours, or beside them.
    pub variables: Vec<(String, OsString)>,
    /// How its output is taken.
    pub streams: Streams,
    /// What ends everything it starts; none holds its process group only.
    pub supervisor: Option<Supervisor>,
}

impl Job {
    /// A job that reads nothing, inherits the environment but for a host's own variables, writes
    /// both streams into one, and is held by its process group.
    #[must_use]
    pub fn new(command: Command, folder: impl Into<PathBuf>, deadline: Duration) -> Self {
        Self {
            command,
            folder: folder.into(),
            deadline,
            stdin: None,
            withheld: Withheld::default(),
            variables: Vec::new(),
            streams: Streams::default(),
            supervisor: None,
        }
    }
}

/// How a command ended. The process says so, never its text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum Ended {
    /// By itself, with this status.
    Exited(i32),
    /// By a signal that was not ours.
    Signaled(i32),
    /// By us, since its time was over.
    Deadline,
    /// It never ran, for this reason.
    NotStarted(String),
    /// Nobody saw how: somebody else ended its supervisor. What it had started was ended.
    Lost,
}

/// What became of the processes that a command started and did not wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum Leftovers {
    /// Every descendant has ended.
    None,
    /// At least one could not be ended.
    Some,
    /// Nobody could tell: there was no supervisor, or it did not answer.
    Unknown,
}

/// A command that has ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finished {
    /// How it ended.
    pub ended: Ended,
    /// What it wrote: both streams in the order written, or standard output alone.
    pub output: Captured,
    /// What it wrote to standard error, where that is taken apart.
    pub errors: Captured,
    /// What it left running.
    pub leftovers: Leftovers,
    /// From the call to the end, in ms.
    pub duration_ms: u64,
}

/// Takes pieces of output as they come, however many there are.
pub type Listener<'a> = dyn FnMut(&[u8]) + Send + 'a;

/// Runs a command to its end or its deadline. It always comes back, and within a few seconds of
/// the deadline.
///
/// Dropping the future ends the command.
pub async fn run(job: &Job) -> Finished {
    run_listening(job, &mut |_| ()).await
}

/// The same, with somebody who hears all of [`Finished::output`], also what is not kept.
pub async fn run_listening(job: &Job, listener: &mut Listener<'_>) -> Finished {
    let begun = Instant::now();
    let (keep, keep_errors) = job.streams.keeps();
    let mut finished = Finished {
        ended: Ended::Lost,
        output: Captured::new(keep),
        errors: Captured::new(keep_errors),
        leftovers: Leftovers::None,
        duration_ms: 0,
    };
    match start(job) {
        Ok((mut child, wires)) => attend(job, &mut child, wires, listener, &mut finished).await,
        Err(cause) => finished.ended = Ended::NotStarted(cause.to_string()),
    }
    finished.duration_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    finished
}

/// How long what is left in a pipe is waited for once everything has ended. Longer than it takes to
/// read a full one; only a process that is no descendant can hold it open.
const DRAIN: Duration = Duration::from_millis(500);

/// Waits for the end while reading, so that no pipe ever fills up.
async fn attend(
    job: &Job,
    child: &mut Child,
    wires: output::Wires,
    listener: &mut Listener<'_>,
    finished: &mut Finished,
) {
    let reading = wires.read(&mut finished.output, &mut finished.errors, listener);
    tokio::pin!(reading);
    let ending = child.end(job.deadline);
    tokio::pin!(ending);
    let mut is_read = false;
    // The end comes first: a flood that is always ready to be read must not starve the clock.
    (finished.ended, finished.leftovers) = loop {
        tokio::select! {
            biased;
            end = &mut ending => break end,
            () = &mut reading, if !is_read => is_read = true,
        }
    };
    if !is_read {
        // What is still held open after that is read by nobody.
        let _ = tokio::time::timeout(DRAIN, reading).await;
    }
}

/// A command that was started.
#[derive(Debug)]
enum Child {
    Grouped(grouped::Grouped),
    #[cfg(target_os = "linux")]
    Supervised(supervised::Supervised),
}

impl Child {
    /// Waits until it has ended, at the latest at the deadline.
    async fn end(&mut self, deadline: Duration) -> (Ended, Leftovers) {
        match self {
            Self::Grouped(child) => child.end(deadline).await,
            #[cfg(target_os = "linux")]
            Self::Supervised(child) => child.end(deadline).await,
        }
    }
}

fn start(job: &Job) -> std::io::Result<(Child, output::Wires)> {
    let (plugs, wires) = output::wire(&job.streams)?;
    let child = match &job.supervisor {
        #[cfg(target_os = "linux")]
        Some(supervisor) => {
            Child::Supervised(supervised::Supervised::start(job, supervisor, plugs)?)
        }
        #[cfg(not(target_os = "linux"))]
        Some(_) => Child::Grouped(grouped::Grouped::start(job, plugs)?),
        None => Child::Grouped(grouped::Grouped::start(job, plugs)?),
    };
    Ok((child, wires))
}

/// The command as the system starts it.
fn prepared(command: &Command) -> std::io::Result<std::process::Command> {
    match command {
        Command::Shell(line) => {
            let mut shell = std::process::Command::new("/bin/sh");
            shell.arg("-c").arg(line);
            Ok(shell)
        }
        Command::Words(words) => {
            let (program, args) = words
                .split_first()
                .ok_or_else(|| std::io::Error::other("the command has no words"))?;
            let mut direct = std::process::Command::new(program);
            direct.args(args);
            Ok(direct)
        }
    }
}
