//! A command held by its process group alone.
//!
//! A child that left the group with `setsid` is not found, and if we are killed nothing is: that
//! takes a supervisor.

use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, ChildStdin};
use tokio::time::timeout;

use super::output::Plugs;
use super::{Ended, Job, Leftovers, prepared};

/// The command, and the group it leads.
#[derive(Debug)]
pub(super) struct Grouped {
    child: Child,
    /// None once the group was ended.
    group: Option<Pid>,
    stdin: Option<(ChildStdin, String)>,
}

/// How long a killed process is waited for: one that is stuck in the kernel dies later.
const ENDING_MAX: Duration = Duration::from_secs(2);

impl Grouped {
    pub(super) fn start(job: &Job, plugs: Plugs) -> std::io::Result<Self> {
        let mut command = tokio::process::Command::from(prepared(&job.command)?);
        command.current_dir(&job.folder).stdout(plugs.stdout).stderr(plugs.stderr).process_group(0);
        command.stdin(if job.stdin.is_some() { Stdio::piped() } else { Stdio::null() });
        job.withheld.present().for_each(|name| {
            command.env_remove(name);
        });
        command.envs(job.variables.iter().map(|(name, value)| (name, value)));
        let mut child = command.spawn()?;
        let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        let stdin = child.stdin.take().zip(job.stdin.clone());
        Ok(Self { child, group, stdin })
    }

    pub(super) async fn end(&mut self, deadline: Duration) -> (Ended, Leftovers) {
        let stdin = self.stdin.take();
        let ended = match timeout(deadline, fed(&mut self.child, stdin)).await {
            Ok(Ok(status)) => ended(status),
            Ok(Err(_)) => Ended::Lost,
            Err(_) => Ended::Deadline,
        };
        self.kill();
        if ended == Ended::Deadline {
            // It was told; whether it is waited for changes nothing of that.
            let _ = timeout(ENDING_MAX, self.child.wait()).await;
        }
        (ended, Leftovers::Unknown)
    }

    /// Ends the group, once: pids are given out in turn, so its number is not another's yet.
    fn kill(&mut self) {
        if let Some(group) = self.group.take() {
            // A group without members is what we want.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for Grouped {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Writes what is to be read and waits. A command need not read it.
async fn fed(
    child: &mut Child,
    stdin: Option<(ChildStdin, String)>,
) -> std::io::Result<ExitStatus> {
    let feeding = async {
        if let Some((mut stdin, text)) = stdin {
            let _ = stdin.write_all(text.as_bytes()).await;
        }
    };
    tokio::pin!(feeding);
    let waiting = child.wait();
    tokio::pin!(waiting);
    tokio::select! {
        status = &mut waiting => status,
        () = &mut feeding => waiting.await,
    }
}

fn ended(status: ExitStatus) -> Ended {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ended::Exited(code),
        (None, Some(signal)) => Ended::Signaled(signal),
        (None, None) => Ended::Lost,
    }
}
