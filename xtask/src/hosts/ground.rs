//! What this machine must have before a client can be driven at all, and what is said when it
//! lacks it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder of the driver and its scenarios, beside the checkout.
const DRIVER: &str = "../shared/hosts";

/// Why clients, or one of them, cannot be driven here. It is no defect of ours, and it is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Missing(String);

impl Missing {
    pub(crate) fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The driver, on a machine that can run it.
#[derive(Clone, Debug)]
pub(crate) struct Driver {
    /// The program.
    pub(crate) program: PathBuf,
    /// The folder of the scenarios.
    pub(crate) scenarios: PathBuf,
}

/// Finds the driver and asks whether it can be run.
pub(crate) fn driver(root: &Path) -> Result<Driver, Missing> {
    let folder = root.join(DRIVER);
    let program = folder.join("hosts.py");
    if !program.is_file() {
        return Err(Missing::new("there is no driver of clients beside this checkout"));
    }
    for needed in ["python3", "node", "git", "bash", "timeout", "unshare"] {
        if !succeeds(Command::new(needed).arg("--version")) {
            return Err(Missing::new(format!("`{needed}` does not run here")));
        }
    }
    if !may_unshare() {
        return Err(Missing::new("no network namespace may be made here"));
    }
    Ok(Driver { program, scenarios: folder.join("scenarios") })
}

/// Whether a namespace can be made in which the only network is the loopback: as root, else by
/// becoming root in a namespace of users.
fn may_unshare() -> bool {
    let namespaces = ["--net", "--pid", "--fork", "--kill-child", "--mount-proc", "true"];
    succeeds(Command::new("unshare").args(namespaces))
        || succeeds(Command::new("unshare").arg("--map-root-user").args(namespaces))
}

fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::driver;

    #[test]
    fn a_lonely_checkout_has_no_driver() {
        let folder = tempfile::tempdir().unwrap();
        let missing = driver(&folder.path().join("alone/checkout")).unwrap_err();
        assert_eq!(missing.to_string(), "there is no driver of clients beside this checkout");
    }
}
