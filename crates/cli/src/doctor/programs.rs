//! Whether the program that a command names is there, without running anything.

use std::path::{Path, PathBuf};

use quittance_driver::policy::Command;

use super::search_path;

/// What is known of a command's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Program {
    /// It is there and can be run.
    There,
    /// It is not.
    Missing(String),
    /// A file of that name is there, and nobody may run it.
    NotExecutable(String),
    /// A line for the shell begins with something that only the shell can tell.
    Unclear,
}

impl Program {
    /// Why the command cannot be started, and what to do about it; none where nothing speaks
    /// against it.
    pub(super) fn amiss(&self) -> Option<(String, String)> {
        match self {
            Self::There | Self::Unclear => None,
            Self::Missing(program) => {
                let advice = "install it, or mend the PATH that the agent's host has";
                Some((format!("there is no program `{program}`"), advice.to_owned()))
            }
            Self::NotExecutable(program) => {
                Some((format!("`{program}` is not executable"), format!("`chmod +x {program}`")))
            }
        }
    }
}

/// Looks for the program of a command that is run in a folder.
pub(super) fn find(command: &Command, folder: &Path) -> Program {
    match command {
        Command::Words(words) => match words.first() {
            Some(word) if is_there(word, folder) => Program::There,
            Some(word) if word.contains('/') && folder.join(word).is_file() => {
                Program::NotExecutable(word.clone())
            }
            Some(word) => Program::Missing(word.clone()),
            None => Program::Unclear,
        },
        Command::Shell(line) => {
            let word = line.split_whitespace().next().unwrap_or_default();
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._+-".contains(c);
            let is_plain = !word.is_empty() && word.chars().all(is_plain);
            if is_plain && is_there(word, folder) { Program::There } else { Program::Unclear }
        }
    }
}

fn is_there(word: &str, folder: &Path) -> bool {
    if word.contains('/') {
        return is_program(&folder.join(word));
    }
    search_path().iter().map(|place| place.join(word)).any(|file: PathBuf| is_program(&file))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    let found = std::fs::metadata(file);
    found.is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file() || file.with_extension("exe").is_file()
}
