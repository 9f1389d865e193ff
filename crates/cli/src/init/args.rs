//! What can be typed after `quittance init`.

use std::path::PathBuf;

const HELP: &str = "\
Example:
  quittance init
  quittance init --dry-run --no-run";

const AFTER: &str = "\
Looks at the project, tries the command that checks it, writes `quittance.toml` and trusts what it \
wrote. A command that ran is written whether it passed or failed; one that could not be run is \
written behind `#`, with the reason.

Exit codes: 0 written, or shown; 64 usage, or the file is there already; 66 no such folder, 74 I/O.";

/// Looks at the project and writes its policy, with a verifier that was tried
#[derive(Debug, clap::Args)]
#[command(before_help = HELP, after_help = AFTER)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Init {
    /// The project's folder
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub(super) folder: PathBuf,
    /// Replaces a policy that is there
    #[arg(long)]
    pub(super) force: bool,
    /// Prints the policy and writes nothing; the verifier is tried all the same
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Runs nothing: the verifier is written behind `#`, as untried
    #[arg(long)]
    pub(super) no_run: bool,
    /// How long the verifier may take, in seconds; also what the policy gives it
    #[arg(long, value_name = "S", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub(super) timeout: u32,
    /// Prints one JSON document instead of text
    #[arg(long)]
    pub(crate) json: bool,
}
