//! What can be typed after `quittance install` and `quittance uninstall`.

use quittance_hosts::hook::Host;
use quittance_hosts::settings::Place;

use crate::args::hosts;

const INSTALL_HELP: &str = "\
Example:
  quittance install claude-code
  quittance install codex --project --dry-run";

const INSTALL_AFTER: &str = "\
Puts the hook into your own settings unless --project is given: what is committed is nobody's to \
change unasked. Also keeps a copy of this project's policy, which hooks obey, where you trust none \
of it yet.

Exit codes: 0 done, or nothing to do; 64 usage, or a deadline that does not fit; 65 unreadable \
settings, 74 I/O, 78 bad policy.";

/// Puts the hook into a host's own settings
#[derive(Debug, clap::Args)]
#[command(before_help = INSTALL_HELP, after_help = INSTALL_AFTER)]
pub(crate) struct Install {
    #[command(flatten)]
    pub(super) target: Target,
    /// When the hook must have answered, in seconds; the host waits 30 s longer [default: the
    /// policy's `deadline_s`, or what is installed for you already where that is more]
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) deadline: Option<u64>,
    /// Writes the trust without which Codex skips the hook in silence
    #[arg(long)]
    pub(super) trust: bool,
}

const UNINSTALL_HELP: &str = "\
Example:
  quittance uninstall claude-code";

const UNINSTALL_AFTER: &str = "\
Takes the hook out of your own settings unless --project is given. Policies stay trusted; \
`quittance trust --revoke` forgets one.

Exit codes: 0 done, or nothing to do; 64 usage, 65 unreadable settings, 74 I/O.";

/// Takes the hook out of a host's own settings
#[derive(Debug, clap::Args)]
#[command(before_help = UNINSTALL_HELP, after_help = UNINSTALL_AFTER)]
pub(crate) struct Uninstall {
    #[command(flatten)]
    pub(super) target: Target,
}

/// Whose settings are changed, and how it is said.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Target {
    /// The program that runs the agent
    #[arg(value_name = "HOST", value_parser = hosts())]
    pub(super) host: Host,
    /// Changes the project's settings, which are committed
    #[arg(long)]
    project: bool,
    /// Changes your own settings, for every project (the default)
    #[arg(long, conflicts_with = "project")]
    user: bool,
    /// Prints the change and writes nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Prints one JSON document instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

impl Install {
    pub(crate) const fn json(&self) -> bool {
        self.target.json
    }
}

impl Uninstall {
    pub(crate) const fn json(&self) -> bool {
        self.target.json
    }
}

impl Target {
    /// Whose settings. `--user` only says what is the case without it.
    pub(super) const fn place(&self) -> Place {
        if self.project && !self.user { Place::Project } else { Place::User }
    }
}
