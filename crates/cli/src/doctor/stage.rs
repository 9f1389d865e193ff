//! A made-up run for an installed hook: a project, a policy that is trusted there, a record, and
//! folders for configuration and ledger, all thrown away afterwards.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quittance_driver::policy::{Command, FILE_NAME};
use quittance_driver::process::{self, Ended, Finished, Job, Keep, Streams, Supervisor};
use quittance_hosts::hook::{Host, Sample, SamplePlace};
use tempfile::TempDir;

use crate::folders::Folders;
use crate::trust::Trusted;

/// Longer than a hook takes that has nothing to run and nobody to ask, by a factor of hundreds.
const DEADLINE: Duration = Duration::from_secs(30);
/// An answer is a few kilobytes.
const KEPT: Keep = Keep { head: 64 * 1024, tail: 4 * 1024 };

/// The stage of one try.
pub(super) struct Stage {
    top: TempDir,
}

/// What a hook said on a stage.
pub(super) struct Said {
    pub(super) ended: Ended,
    pub(super) stdout: Vec<u8>,
    /// The last line of standard error.
    pub(super) complaint: String,
}

impl Stage {
    /// Sets a stage for a made-up stop, whose run claims a file that its policy demands.
    pub(super) fn set() -> std::io::Result<Self> {
        let stage = Self { top: tempfile::Builder::new().prefix("quittance-doctor-").tempdir()? };
        let project = stage.project();
        std::fs::create_dir_all(project.join(".git"))?;
        let policy = format!("version = 1\n[contract]\nartifacts = [\"{}\"]\n", Sample::CLAIMED);
        std::fs::write(project.join(FILE_NAME), &policy)?;
        let folders = Folders { config: stage.config().join("quittance"), data: PathBuf::new() };
        Trusted::of(&folders).keep(&project.canonicalize()?, &policy)?;
        Ok(stage)
    }

    fn project(&self) -> PathBuf {
        self.top.path().join("project")
    }

    fn record(&self) -> PathBuf {
        self.top.path().join("record.jsonl")
    }

    fn config(&self) -> PathBuf {
        self.top.path().join("config")
    }

    /// The stops that a host would tell of here.
    pub(super) fn samples(&self, host: Host) -> Vec<Sample> {
        let (record, folder) = (self.record(), self.project());
        let (record, folder) = (record.to_string_lossy(), folder.to_string_lossy());
        Sample::of(host, SamplePlace { record: &record, folder: &folder })
    }

    /// Runs a hook's command as its host would.
    pub(super) async fn run(&self, command: &str, sample: &Sample) -> std::io::Result<Said> {
        std::fs::write(self.record(), sample.record.unwrap_or_default())?;
        let command = Command::Shell(command.to_owned());
        let mut job = Job::new(command, self.project(), DEADLINE);
        job.stdin = Some(sample.stdin.clone());
        job.streams = Streams::Apart { output: KEPT, errors: KEPT };
        job.supervisor = Some(Supervisor::this_program(["supervise"]));
        let variable = |name: &str, folder: &Path| (name.to_owned(), OsString::from(folder));
        job.variables = vec![
            variable("XDG_CONFIG_HOME", &self.config()),
            variable("XDG_DATA_HOME", &self.top.path().join("data")),
        ];
        Ok(said(&process::run(&job).await))
    }
}

fn said(finished: &Finished) -> Said {
    let errors = finished.errors.text();
    let complaint = errors.lines().rev().find(|line| !line.trim().is_empty());
    Said {
        ended: finished.ended.clone(),
        stdout: finished.output.whole().unwrap_or_default(),
        complaint: complaint.unwrap_or_default().to_owned(),
    }
}
