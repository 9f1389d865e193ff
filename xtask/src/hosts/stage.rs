//! A home and a project of nobody, in which one run is played.
//!
//! The hook gets there as it gets to a user: by `quittance trust` and `quittance install`. Where
//! the settings name the program alone, a recorder stands in its place and hands everything on.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::client::Client;
use super::expected::{Case, Scope};
use super::play::Scenario;
use crate::failure::Failure;
use crate::{files, run};

/// Stands in the place of the program.
const RECORDER: &str = include_str!("recorder.sh");

/// One home and one project.
#[derive(Debug)]
pub(crate) struct Stage {
    /// Gone with everything in it when the run is over.
    _folder: TempDir,
    /// The user's home folder.
    pub(crate) home: PathBuf,
    /// The project, a repository with a policy.
    pub(crate) project: PathBuf,
    /// Where the client looks for programs.
    pub(crate) path: OsString,
    program: PathBuf,
}

impl Stage {
    /// Makes both, with the case's policy trusted and the hook installed. What is recorded goes to
    /// `calls`.
    pub(crate) fn set(
        program: &Path,
        client: Client,
        case: &Case,
        scenario: &Scenario,
        calls: &Path,
    ) -> Result<Self, Failure> {
        let folder = tempfile::tempdir().map_err(|cause| files::unusable(calls, cause))?;
        // As the client will name it, whatever links lead there.
        let top = folder.path().canonicalize();
        let top = top.map_err(|cause| files::unusable(folder.path(), cause))?;
        let (home, project, bin) = (top.join("home"), top.join("project"), top.join("bin"));
        for made in [&home, &project, &bin] {
            fs::create_dir(made).map_err(|cause| files::unusable(made, cause))?;
        }
        let way = scenario.hook.as_deref().filter(|_| !case.plain);
        recorder(&bin, program, way, calls)?;
        let path = path_with(&bin)?;
        let stage = Self { _folder: folder, home, project, path, program: program.to_owned() };
        stage.furnish(client, case)?;
        Ok(stage)
    }

    fn furnish(&self, client: Client, case: &Case) -> Result<(), Failure> {
        files::write(&self.project.join("quittance.toml"), case.policy.text().as_bytes())?;
        run::stdout(self.outsider("git").args(["init", "--quiet"]))?;
        run::stdout(self.quittance().arg("trust"))?;
        let mut install = self.quittance();
        install.args(["install", client.host(), case.scope.flag()]);
        if client.asks_for_trust() {
            install.arg("--trust");
        }
        run::stdout(&mut install).map(drop)
    }

    /// Our program, as this user runs it in this project.
    pub(crate) fn quittance(&self) -> Command {
        self.outsider(&self.program)
    }

    fn outsider(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("HOME", &self.home).env("PATH", &self.path);
        command.current_dir(&self.project);
        command
    }
}

/// Puts the recorder under the program's name, and beside it what it needs.
fn recorder(bin: &Path, program: &Path, way: Option<&str>, calls: &Path) -> Result<(), Failure> {
    let stand_in = bin.join("quittance");
    files::write(&stand_in, RECORDER.as_bytes())?;
    run::stdout(Command::new("chmod").arg("755").arg(&stand_in))?;
    link(program, &bin.join("program"))?;
    link(calls, &bin.join("calls"))?;
    match way {
        Some(way) => files::write(&bin.join("way"), way.as_bytes()),
        None => Ok(()),
    }
}

fn link(to: &Path, from: &Path) -> Result<(), Failure> {
    run::stdout(Command::new("ln").arg("-s").arg(to).arg(from)).map(drop)
}

fn path_with(bin: &Path) -> Result<OsString, Failure> {
    let inherited = env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(bin.to_owned()).chain(env::split_paths(&inherited));
    env::join_paths(folders).map_err(|cause| Failure::Shape {
        what: "the folders of programs".to_owned(),
        cause: cause.to_string(),
    })
}

/// Whether the calls of this case are recorded.
pub(crate) fn is_recorded(case: &Case) -> bool {
    case.scope == Scope::Project
}
