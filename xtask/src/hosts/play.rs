//! Plays one scenario in one client: the driver runs the real client in a network namespace that
//! holds nothing but the loopback, against a scripted model.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::client::Client;
use super::expected::{Case, Expected};
use super::ground::Driver;
use super::seen::Seen;
use super::stage::{self, Stage};
use crate::failure::Failure;
use crate::{files, run};

/// How long the driver may take beside that, in seconds, before it and all that it started is ended.
const DRIVER_SECONDS: u32 = 30;

/// What is the same for every run.
#[derive(Clone, Debug)]
pub(crate) struct Theatre {
    /// Our program.
    pub(crate) program: PathBuf,
    /// The driver of clients.
    pub(crate) driver: Driver,
    /// Where what was seen is kept, a folder a client and in it a folder a case.
    pub(crate) kept: PathBuf,
}

/// One run to be played.
#[derive(Debug)]
pub(crate) struct Run<'a> {
    pub(crate) client: Client,
    pub(crate) case: &'a Case,
    pub(crate) expected: &'a Expected,
    /// The folder of modules the client lies in.
    pub(crate) modules: &'a Path,
}

impl Theatre {
    /// Plays a run and reads what came of it.
    pub(crate) fn play(&self, run: &Run<'_>) -> Result<Seen, Failure> {
        let kept = self.kept.join(run.client.name()).join(run.case.name());
        let calls = fresh(&kept)?;
        let file = self.file(&run.case.scenario);
        let scenario: Scenario = parse(&files::read(&file)?, &file)?;
        let stage = Stage::set(&self.program, run.client, run.case, &scenario, &calls)?;
        let seen = self
            .both(run, &stage, &file, &kept)
            .and_then(|()| Seen::read(&kept, &stage, stage::is_recorded(run.case)));
        // Whole requests and the client's scratch are the bulk of it, and say nothing more.
        for bulky in ["requests", "tmp", "earlier/requests", "earlier/tmp"] {
            drop(fs::remove_dir_all(kept.join(bulky)));
        }
        seen
    }

    /// What was played before in the same project, and the run itself.
    fn both(&self, run: &Run<'_>, stage: &Stage, file: &Path, kept: &Path) -> Result<(), Failure> {
        if let Some(earlier) = &run.case.after {
            self.drive(run, stage, &self.file(earlier), &kept.join("earlier"))?;
        }
        self.drive(run, stage, file, kept)
    }

    fn file(&self, scenario: &str) -> PathBuf {
        self.driver.scenarios.join(format!("{scenario}.json"))
    }

    fn drive(&self, run: &Run<'_>, stage: &Stage, script: &Path, to: &Path) -> Result<(), Failure> {
        let seconds = run.expected.seconds;
        let limit = seconds.saturating_add(DRIVER_SECONDS).to_string();
        let mut path = std::ffi::OsString::from("PATH=");
        path.push(&stage.path);
        let mut command = Command::new("timeout");
        command.args(["--kill-after=10", &limit, "python3"]).arg(&self.driver.program);
        command.args(["run", "--host", run.client.driver_name(), "--hook", ""]);
        command.arg("--home").arg(&stage.home).arg("--project").arg(&stage.project);
        command.arg("--script").arg(script).arg("--record").arg(to).arg("--env").arg(path);
        command.args(["--timeout", &seconds.to_string()]);
        command.args(run.client.model().iter().flat_map(|model| ["--model", model]));
        if run.client.asks_for_trust() {
            // The driver adds neither a hook nor trust: ours are installed.
            command.args(["--codex-hooks", "none", "--codex-trust", "none"]);
        }
        if run.expected.server {
            command.args(["--mode", "app-server"]);
        }
        command.env("HOSTS_NODE_MODULES", run.modules);
        run::stdout(&mut command).map(drop)
    }
}

/// Empties the folder of a run; what the hook is told and answers goes to the one returned.
fn fresh(kept: &Path) -> Result<PathBuf, Failure> {
    if kept.exists() {
        fs::remove_dir_all(kept).map_err(|cause| files::unusable(kept, cause))?;
    }
    let calls = kept.join("calls");
    fs::create_dir_all(&calls).map_err(|cause| files::unusable(&calls, cause))?;
    Ok(calls)
}

/// What we have to know of a scenario; the rest is between the driver and the client.
#[derive(Debug, Deserialize)]
pub(crate) struct Scenario {
    /// How the hook is run, where that is not simply our command: a line of shell with `$HOOK`.
    pub(crate) hook: Option<String>,
}

/// Reads a file of JSON.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8], file: &Path) -> Result<T, Failure> {
    serde_json::from_slice(bytes).map_err(|cause| Failure::Shape {
        what: format!("`{}`", file.display()),
        cause: cause.to_string(),
    })
}
