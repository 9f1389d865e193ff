//! The chores of this repository: `cargo xtask <command>`.
//!
//! This file owns the command line and nothing else; every command is a module. No crate of the
//! workspace is used here, so the chores still build when a crate does not.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore tells people what it found"
)]

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod bench;
mod ci;
mod conformance;
mod failure;
mod files;
mod golden;
mod hosts;
mod labelled;
mod layers;
mod run;
mod sizes;
mod tidy;

use failure::Failure;

/// Chores of this repository.
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask", disable_version_flag = true)]
struct Args {
    #[command(subcommand)]
    command: Chore,
}

/// One chore each.
#[derive(Debug, Subcommand)]
enum Chore {
    /// Regenerate the golden snapshots, or verify them with --check
    Golden(golden::Args),
    /// Hold the dependency graph against the table of what each crate may reach
    Layers,
    /// Check the rules a compiler does not: module docs, names, orphan goldens, machine paths
    Tidy,
    /// Print how large files and functions are, crate by crate (a mirror, not a limit)
    Sizes,
    /// Run the shared vectors against the libraries
    Conformance(conformance::Args),
    /// Check published runs of known reward: none that earned it may be convicted
    Labelled,
    /// Play the scenarios of the driver in real clients, and hold what came of it to the table
    Hosts(hosts::Args),
    /// Run the benchmarks and print their tables; arguments select, as `cargo bench` has them
    Bench(bench::Args),
    /// Run everything CI runs, in its order
    Ci,
}

fn main() -> ExitCode {
    match dispatch(Args::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(chore: Chore) -> Result<(), Failure> {
    let root = files::root();
    match chore {
        Chore::Golden(args) => golden::golden(&root, &args),
        Chore::Layers => layers::layers(&root),
        Chore::Tidy => tidy::tidy(&root),
        Chore::Sizes => sizes::sizes(&root),
        Chore::Conformance(args) => conformance::conformance(&root, &args),
        Chore::Labelled => labelled::labelled(&root),
        Chore::Hosts(args) => hosts::hosts(&root, &args),
        Chore::Bench(args) => bench::bench(&root, &args),
        Chore::Ci => ci::ci(&root),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Args;

    #[test]
    fn the_command_line_is_well_formed() {
        Args::command().debug_assert();
    }
}
