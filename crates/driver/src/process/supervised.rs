//! A command held by supervisors: our end of it.
//!
//! The socket is the life line. As long as we hold it the command may run; when it closes, by us or
//! by the kernel after we were killed, everything below the guard is ended.

use std::os::fd::OwnedFd;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;
use tokio::process::Child;
use tokio::time::timeout;

use super::output::Plugs;
use super::supervisor::message::{Order, Report, line};
use super::supervisor::{Role, Supervisor};
use super::{Ended, Job, Leftovers};

/// A command below its supervisors.
#[derive(Debug)]
pub(super) struct Supervised {
    guard: Child,
    /// None once we hung up.
    socket: Option<UnixStream>,
    order: Vec<u8>,
}

/// How long the guard is waited for after we hung up. It takes milliseconds, unless somebody keeps
/// forking; it goes on after we have stopped waiting.
const ENDING_MAX: Duration = Duration::from_secs(3);
/// The longest report that is read.
const REPORT_BYTES_MAX: u64 = 16 * 1024;

impl Supervised {
    pub(super) fn start(job: &Job, by: &Supervisor, plugs: Plugs) -> std::io::Result<Self> {
        let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        let mut command = tokio::process::Command::new(&by.program);
        command.args(&by.args).arg(Role::Guard.as_str()).arg(std::process::id().to_string());
        command.stdin(Stdio::from(OwnedFd::from(theirs))).stdout(plugs.stdout).stderr(plugs.stderr);
        command.current_dir(&job.folder);
        job.withheld.present().for_each(|name| {
            command.env_remove(name);
        });
        command.envs(job.variables.iter().map(|(name, value)| (name, value)));
        let order = line(&Order { command: job.command.clone(), stdin: job.stdin.clone() });
        let socket = UnixStream::from_std(ours)?;
        Ok(Self { guard: command.spawn()?, socket: Some(socket), order })
    }

    pub(super) async fn end(&mut self, deadline: Duration) -> (Ended, Leftovers) {
        let ended = timeout(deadline, self.hear()).await.unwrap_or(Ended::Deadline);
        self.socket = None;
        self.wake();
        let leftovers = match timeout(ENDING_MAX, self.guard.wait()).await {
            Ok(Ok(status)) if status.success() => Leftovers::None,
            Ok(Ok(status)) if status.code().is_some() => Leftovers::Some,
            Ok(_) | Err(_) => Leftovers::Unknown,
        };
        (ended, leftovers)
    }

    /// Gives the order and waits for the report.
    async fn hear(&mut self) -> Ended {
        let Some(socket) = &mut self.socket else { return Ended::Lost };
        let (from, mut to) = socket.split();
        // A guard that is gone is noticed below.
        let _ = to.write_all(&self.order).await;
        self.order = Vec::new();
        let mut report = String::new();
        let heard = BufReader::new(from.take(REPORT_BYTES_MAX)).read_line(&mut report).await;
        match heard.ok().and_then(|_| serde_json::from_str(&report).ok()) {
            Some(Report::Exited(code)) => Ended::Exited(code),
            Some(Report::Signaled(signal)) => Ended::Signaled(signal),
            Some(Report::NotStarted(cause)) => Ended::NotStarted(cause),
            None => Ended::Lost,
        }
    }

    /// A guard that the command had stopped could not notice that we hung up.
    fn wake(&self) {
        let guard = self.guard.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        if let Some(guard) = guard {
            let _ = kill_process(guard, Signal::CONT);
        }
    }
}
