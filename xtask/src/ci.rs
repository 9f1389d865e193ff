//! What CI runs, in its order; `.ci/run` only installs what is missing and comes here.
//!
//! The steps share what they compile: tests first, since the golden and layer steps reuse their
//! binaries; clippy before the docs, which read the same checked crates; each library alone last.

use std::env;
use std::path::Path;
use std::time::{Duration, Instant};

use cargo_metadata::{MetadataCommand, Package};

use crate::failure::Failure;
use crate::{conformance, golden, hosts, labelled, layers, run, tidy};

/// One step and what it does.
#[derive(Debug)]
struct Step {
    name: String,
    work: Work,
}

/// A command of cargo, or a chore of our own.
#[derive(Debug)]
enum Work {
    Cargo { arguments: Vec<String>, variables: &'static [(&'static str, &'static str)] },
    Chore(fn(&Path) -> Result<(), Failure>),
}

/// Runs every step until one fails, then prints how long each took.
pub(crate) fn ci(root: &Path) -> Result<(), Failure> {
    let steps = steps(root)?;
    let mut times = Vec::new();
    let mut ended = Ok(());
    for (index, step) in steps.iter().enumerate() {
        println!("\n== {} ({} of {})", step.name, index + 1, steps.len());
        let start = Instant::now();
        ended = work(root, &step.work);
        times.push((step.name.as_str(), start.elapsed()));
        if ended.is_err() {
            break;
        }
    }
    print_times(&times);
    ended.map_err(|cause| {
        let step = times.last().map_or_else(String::new, |(name, _)| (*name).to_owned());
        Failure::Step { step, cause: Box::new(cause) }
    })
}

fn work(root: &Path, work: &Work) -> Result<(), Failure> {
    let (arguments, variables) = match work {
        Work::Chore(chore) => return chore(root),
        Work::Cargo { arguments, variables } => (arguments, *variables),
    };
    let mut command = run::cargo(root);
    command.args(arguments).envs(variables.iter().copied());
    if env::var_os("CI").is_none() {
        command.env("CI", "true");
    }
    run::run(&mut command)
}

fn steps(root: &Path) -> Result<Vec<Step>, Failure> {
    let mut steps = vec![
        cargo("test", "test --workspace", &[]),
        cargo("format", "fmt --all --check", &[]),
        cargo("clippy", "clippy --workspace --all-targets -- -D warnings", &[]),
        cargo("docs", "doc --workspace --no-deps", &[("RUSTDOCFLAGS", "-D warnings")]),
        chore("golden", golden::verify),
        chore("layers", layers::layers),
        chore("tidy", tidy::tidy),
        chore("conformance", conformance::answered),
        chore("labelled", labelled::labelled),
        chore("hosts", hosts::in_ci),
    ];
    // In a build of the whole workspace features are unified, which can hide a missing one.
    for library in libraries(root)? {
        let name = library.name.as_str();
        steps.push(cargo(&format!("{name} alone"), &format!("build -p {name}"), &[]));
        if library.has_features {
            let typed = format!("build -p {name} --all-features");
            steps.push(cargo(&format!("{name} alone, with its features"), &typed, &[]));
        }
    }
    Ok(steps)
}

fn cargo(name: &str, typed: &str, variables: &'static [(&'static str, &'static str)]) -> Step {
    let arguments = typed.split(' ').map(str::to_owned).collect();
    Step { name: name.to_owned(), work: Work::Cargo { arguments, variables } }
}

fn chore(name: &str, chore: fn(&Path) -> Result<(), Failure>) -> Step {
    Step { name: name.to_owned(), work: Work::Chore(chore) }
}

/// A package others can depend on.
#[derive(Debug)]
struct Library {
    name: String,
    has_features: bool,
}

/// Every library of the workspace.
fn libraries(root: &Path) -> Result<Vec<Library>, Failure> {
    let metadata = MetadataCommand::new().current_dir(root).no_deps().exec();
    let metadata = metadata.map_err(|cause| Failure::Shape {
        what: "the list of packages".to_owned(),
        cause: cause.to_string(),
    })?;
    let packages = metadata.workspace_packages().into_iter();
    let libraries = packages.filter(|package| package.targets.iter().any(|target| target.is_lib()));
    let library = |package: &Package| Library {
        name: package.name.to_string(),
        has_features: package.features.keys().any(|feature| feature != "default"),
    };
    Ok(libraries.map(library).collect())
}

fn print_times(times: &[(&str, Duration)]) {
    println!("\n== times");
    for (name, time) in times {
        println!("{:>7.1} s  {name}", time.as_secs_f64());
    }
    let total: Duration = times.iter().map(|(_, time)| *time).sum();
    println!("{:>7.1} s  in all", total.as_secs_f64());
}

#[cfg(test)]
mod tests {
    use super::{Work, steps};
    use crate::files;

    #[test]
    fn ci_begins_with_the_command_of_the_readme_and_ends_with_each_library_alone() {
        let steps = steps(&files::root()).unwrap();
        let Work::Cargo { arguments, variables } = &steps[0].work else {
            panic!("the first step is cargo's");
        };
        assert_eq!(arguments.join(" "), "test --workspace");
        assert!(variables.is_empty());
        assert!(steps.iter().any(|step| step.name == "quittance-evidence alone"));
        assert!(!steps.iter().any(|step| step.name == "xtask alone"));
    }
}
