//! Runs the benchmarks, which live beside the crates they measure. Figures are read side by side
//! within one run; nothing here compares them with another day's.

use std::path::Path;

use crate::failure::Failure;
use crate::run;

/// What to hand on to the benchmarks.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Arguments for the benchmarks, such as part of a name
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Runs every benchmark of the workspace.
pub(crate) fn bench(root: &Path, args: &Args) -> Result<(), Failure> {
    let mut command = run::cargo(root);
    command.args(["bench", "--workspace", "--benches", "--"]).args(&args.rest);
    run::run(&mut command)
}
