//! Starts other programs: cargo, git, rustc and the test binaries.
//!
//! No child gets our stdin, so nothing can wait for a person.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::Failure;

/// The cargo that runs us, started at the workspace root.
pub(crate) fn cargo(root: &Path) -> Command {
    let program = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.current_dir(root);
    command
}

/// Git at the workspace root.
pub(crate) fn git(root: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(root);
    command
}

/// Prints the command as one would type it, runs it with our own output, and demands success.
pub(crate) fn run(command: &mut Command) -> Result<(), Failure> {
    println!("$ {}", as_typed(command));
    succeed(command)
}

/// Runs the command with our own output and demands success.
pub(crate) fn succeed(command: &mut Command) -> Result<(), Failure> {
    let typed = as_typed(command);
    let status = command.stdin(Stdio::null()).status();
    let status = status.map_err(|cause| Failure::Start { command: typed.clone(), cause })?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::Ended { command: typed, status, said: String::new() })
}

/// Runs the command quietly, demands success and returns its stdout.
pub(crate) fn stdout(command: &mut Command) -> Result<String, Failure> {
    let typed = as_typed(command);
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|cause| Failure::Start { command: typed.clone(), cause })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Failure::Ended { command: typed, status: output.status, said });
    }
    String::from_utf8(output.stdout).map_err(|cause| Failure::Shape {
        what: format!("the output of `{typed}`"),
        cause: cause.to_string(),
    })
}

/// Where cargo puts what it builds.
pub(crate) fn target(root: &Path) -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |told| root.join(told))
}

/// A program of ours as `cargo build --release` left it.
pub(crate) fn built(root: &Path, name: &str) -> Command {
    Command::new(target(root).join("release").join(name))
}

/// Runs the command quietly and returns its stdout, however it ended.
pub(crate) fn output(command: &mut Command) -> Result<Vec<u8>, Failure> {
    let typed = as_typed(command);
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    output.map(|output| output.stdout).map_err(|cause| Failure::Start { command: typed, cause })
}

/// The triple this compiler builds for when nothing else is said.
pub(crate) fn host_triple() -> Result<String, Failure> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let printed = stdout(Command::new(rustc).args(["--print", "host-tuple"]))?;
    Ok(printed.trim().to_owned())
}

/// The command as one would type it: file name of the program, changed variables first.
fn as_typed(command: &Command) -> String {
    let variables = command.get_envs().filter_map(|(key, value)| {
        Some(format!("{}={}", key.to_string_lossy(), quoted(&value?.to_string_lossy())))
    });
    let program = Path::new(command.get_program());
    let program = program.file_name().unwrap_or(program.as_os_str()).to_string_lossy();
    let arguments = command.get_args().map(|argument| quoted(&argument.to_string_lossy()));
    variables.chain([program.into_owned()]).chain(arguments).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    if word.contains(char::is_whitespace) { format!("\"{word}\"") } else { word.to_owned() }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::{as_typed, stdout};
    use crate::failure::Failure;

    #[test]
    fn a_command_is_shown_as_typed() {
        let mut command = Command::new("/opt/bin/cargo");
        command.args(["doc", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(as_typed(&command), "RUSTDOCFLAGS=\"-D warnings\" cargo doc --no-deps");
    }

    #[test]
    fn a_failing_command_is_a_failure_with_its_words() {
        let failure = stdout(Command::new("git").args(["no-such-word"])).unwrap_err();
        assert!(matches!(&failure, Failure::Ended { said, .. } if said.contains("no-such-word")));
        let failure = stdout(&mut Command::new("no-such-program-here")).unwrap_err();
        assert!(matches!(failure, Failure::Start { .. }));
    }
}
