//! How this program runs other programs: held by itself, without the keys, in the root.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use quittance_driver::judge::{CommandJudge, Judge};
use quittance_driver::policy::{Command, VerifyPolicy};
use quittance_driver::process::{self, Finished, Job, Supervisor, Withheld};
use quittance_driver::verify::CommandVerifier;
use quittance_driver::{UserConfig, Verifier};
use quittance_ledger::{Ended, VerifierRecord};

/// Runs verifiers and judges.
#[derive(Debug)]
pub(crate) struct Processes {
    /// The folder they are run in; none where there is no root, and then no verifier is run.
    root: Option<PathBuf>,
    withheld: Withheld,
    supervisor: Supervisor,
}

impl Processes {
    pub(crate) fn of(root: Option<&Path>, user: &UserConfig) -> Self {
        Self {
            root: root.map(Path::to_owned),
            withheld: Withheld::names(user.variables().map(str::to_owned).collect()),
            supervisor: Supervisor::this_program(["supervise"]),
        }
    }

    /// Runs a command to its end, for whoever asks only whether it is there.
    pub(crate) async fn run_once(&self, command: &Command, limit: Duration) -> Finished {
        let folder = self.root.clone().unwrap_or_else(|| ".".into());
        let mut job = Job::new(command.clone(), folder, limit);
        job.withheld = self.withheld.clone();
        job.supervisor = Some(self.supervisor.clone());
        process::run(&job).await
    }

    /// A judge that is a child process.
    pub(crate) fn judge(&self, command: &Command) -> Arc<dyn Judge> {
        Arc::new(CommandJudge {
            command: command.clone(),
            folder: self.root.clone().unwrap_or_else(|| ".".into()),
            withheld: self.withheld.clone(),
            supervisor: Some(self.supervisor.clone()),
        })
    }
}

#[async_trait]
impl Verifier for Processes {
    async fn run(&self, verify: &VerifyPolicy, limit: Duration) -> VerifierRecord {
        let Some(folder) = self.root.clone() else {
            let command = verify.command.as_ref().map(Command::line).unwrap_or_default();
            return VerifierRecord::without_run(&command, Ended::NotStarted);
        };
        let verifier = CommandVerifier {
            folder,
            withheld: self.withheld.clone(),
            supervisor: Some(self.supervisor.clone()),
        };
        verifier.run(verify, limit).await
    }
}
