//! A home, a project and programs of a test's own.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// A home and a project of its own.
pub(crate) struct World {
    top: tempfile::TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let world = Self { top: tempfile::tempdir().unwrap() };
        for folder in [world.home(), world.project(), world.programs()] {
            fs::create_dir_all(folder).unwrap();
        }
        world
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.top.path().join("home")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.top.path().join("project")
    }

    pub(crate) fn programs(&self) -> PathBuf {
        self.top.path().join("bin")
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.project().join(name), text).unwrap();
    }

    /// A program that does what a line for the shell says.
    #[cfg(unix)]
    pub(crate) fn program(&self, name: &str, line: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        let file = self.programs().join(name);
        fs::write(&file, format!("#!/bin/sh\n{line}\n")).unwrap();
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub(crate) fn run(&self, args: &[&str]) -> (i32, String, String) {
        self.run_with(args, &[])
    }

    /// The same with variables set.
    pub(crate) fn run_with(
        &self,
        args: &[&str],
        variables: &[(&str, &str)],
    ) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quittance"));
        command.args(args).current_dir(self.project()).env("HOME", self.home());
        command.env_remove("XDG_CONFIG_HOME").env_remove("XDG_DATA_HOME");
        command.env("PATH", format!("{}:/usr/bin:/bin", self.programs().display()));
        for variable in ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME"] {
            command.env_remove(variable);
        }
        command.envs(variables.iter().copied());
        let output = command.output().unwrap();
        let text = |bytes: &[u8]| self.masked(&String::from_utf8_lossy(bytes));
        (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
    }

    /// A text without what differs from run to run: where the world is, and digests of that.
    pub(crate) fn masked(&self, text: &str) -> String {
        let here = self.top.path().canonicalize().unwrap();
        let text = text.replace(&here.display().to_string(), "/w");
        let text = text.replace(env!("CARGO_BIN_EXE_quittance"), "/bin/quittance");
        let is_digest = |part: &str| part.len() == 64;
        let mut words = String::new();
        for part in text.split_inclusive(|c: char| !c.is_ascii_hexdigit()) {
            let word = part.trim_end_matches(|c: char| !c.is_ascii_hexdigit());
            let end = part.strip_prefix(word).unwrap();
            words.push_str(if is_digest(word) { "[digest]" } else { word });
            words.push_str(end);
        }
        words
    }

    /// Runs a line of the shell in the project.
    #[cfg(unix)]
    pub(crate) fn shell(&self, line: &str) -> String {
        let mut command = Command::new("sh");
        command.arg("-c").arg(line).current_dir(self.project()).env("HOME", self.home());
        command.env_remove("XDG_CONFIG_HOME").env_remove("XDG_DATA_HOME");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{line}: {output:?}");
        self.masked(&String::from_utf8_lossy(&output.stdout))
    }

    pub(crate) fn policy(&self) -> String {
        fs::read_to_string(self.project().join("quittance.toml")).unwrap()
    }
}
