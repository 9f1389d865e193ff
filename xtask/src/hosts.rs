//! `cargo xtask hosts`: the promises of the gate, shown in the clients that people run.
//!
//! Each scenario is played by the real client in a network namespace with nothing but a loopback,
//! against a scripted model, with our hook installed as a user installs it. What came of it is held
//! against a table. This file owns the order of the work and what is printed; the driver of clients
//! lies beside the checkout, the clients in a cache outside every clone. What cannot be had here is
//! said and skipped, never passed over.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::failure::{Failure, Finding};
use crate::run;

mod calls;
mod client;
mod expected;
mod fetch;
mod ground;
mod play;
mod receipts;
mod seen;
mod stage;
mod stop;
mod verdict;

use client::Client;
use expected::{Case, Plan, Selection};
use play::{Run, Theatre};
use seen::Seen;

/// In CI no run begins after this: the step has to end in eight minutes.
const CI_BUDGET: Duration = Duration::from_secs(6 * 60);

/// What to play.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Play every scenario, not only those that CI plays
    #[arg(long, conflicts_with = "only")]
    all: bool,
    /// Only in these clients
    #[arg(long, value_enum, value_delimiter = ',', value_name = "CLIENT")]
    client: Vec<Client>,
    /// Only these scenarios
    #[arg(long, value_delimiter = ',', value_name = "SCENARIO")]
    only: Vec<String>,
    /// Drive this program in place of the one that is built here
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

/// Plays what CI plays, in every client.
pub(crate) fn in_ci(root: &Path) -> Result<(), Failure> {
    play(root, &Selection::Ci, &Client::ALL, None, Some(CI_BUDGET))
}

/// Plays what was asked for.
pub(crate) fn hosts(root: &Path, args: &Args) -> Result<(), Failure> {
    let selection = match (args.all, args.only.as_slice()) {
        (true, _) => Selection::All,
        (false, []) => Selection::Ci,
        (false, names) => Selection::Named(names.to_vec()),
    };
    let clients = if args.client.is_empty() { Client::ALL.to_vec() } else { args.client.clone() };
    let budget = matches!(selection, Selection::Ci).then_some(CI_BUDGET);
    play(root, &selection, &clients, args.program.as_deref(), budget)
}

fn play(
    root: &Path,
    selection: &Selection,
    clients: &[Client],
    program: Option<&Path>,
    budget: Option<Duration>,
) -> Result<(), Failure> {
    let driver = match ground::driver(root) {
        Ok(driver) => driver,
        Err(missing) => {
            println!("skipped: no client is driven: {missing}");
            return Ok(());
        }
    };
    let cases = expected::cases(selection)?;
    let mut findings = expected::strays(&driver.scenarios)?;
    let modules = modules(clients);
    if modules.is_empty() {
        return Failure::unless_empty(findings);
    }
    let kept = run::target(root).join("hosts");
    let theatre = Theatre { program: built(root, program)?, driver, kept };
    println!("{HEADER}");
    let start = Instant::now();
    for (client, modules) in &modules {
        for case in &cases {
            let is_over = budget.is_some_and(|budget| start.elapsed() > budget);
            let problems = if is_over {
                vec!["was not played: the time of the step is up".to_owned()]
            } else {
                one(&theatre, *client, case, modules)?
            };
            let place = format!("{client}/{}", case.name());
            findings.extend(problems.iter().map(|problem| Finding::at(&place, problem)));
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("played in {seconds:.0} s; what was seen is kept in {}", theatre.kept.display());
    Failure::unless_empty(findings)
}

/// The clients that can be had here, each with the folder of modules it lies in.
fn modules(clients: &[Client]) -> Vec<(Client, PathBuf)> {
    let mut had = Vec::new();
    let mut fetcher = fetch::Fetcher::new();
    for &client in clients {
        match fetcher.modules(client.package()) {
            Ok(modules) => had.push((client, modules)),
            Err(missing) => println!("skipped: {client} is not driven: {missing}"),
        }
    }
    had
}

/// Plays one case in one client, prints its line and answers what is wrong with it.
fn one(
    theatre: &Theatre,
    client: Client,
    case: &Case,
    modules: &Path,
) -> Result<Vec<String>, Failure> {
    let name = case.name();
    let expected = match case.plan(client)? {
        Plan::Play(expected) => expected,
        Plan::Cannot(reason) => {
            println!("{client:<15} {name:<24} not shown: {reason}");
            return Ok(Vec::new());
        }
    };
    let played = theatre.play(&Run { client, case, expected: &expected, modules });
    let problems = match &played {
        Ok(seen) => verdict::problems(&expected, seen),
        // The other runs are worth seeing all the same.
        Err(failure) => vec![failure.to_string()],
    };
    println!("{}", line(client, &name, played.as_ref().ok(), &problems));
    Ok(problems)
}

const HEADER: &str = "client          scenario                 calls refusals  seconds  outcome";

fn line(client: Client, name: &str, seen: Option<&Seen>, problems: &[String]) -> String {
    let Some(seen) = seen else {
        return format!("{client:<15} {name:<24} not played");
    };
    let calls = seen.calls.as_ref().map_or_else(|| "-".to_owned(), |calls| calls.len().to_string());
    let refusals = seen.stops.iter().filter(|stop| stop.is_refusal()).count();
    let last = seen.stops.last().map_or_else(|| "no stop".to_owned(), ToString::to_string);
    let seconds = seen.seconds;
    let verdict = if problems.is_empty() { "ok".to_owned() } else { problems.join("; ") };
    format!("{client:<15} {name:<24} {calls:>5} {refusals:>8} {seconds:>8.1}  {last}: {verdict}")
}

/// The program that is driven, by its whole path.
fn built(root: &Path, program: Option<&Path>) -> Result<PathBuf, Failure> {
    let program = match program {
        Some(program) => program.to_owned(),
        None => {
            run::succeed(run::cargo(root).args(["build", "--release", "-q", "-p", "quittance"]))?;
            run::target(root).join("release/quittance")
        }
    };
    program.canonicalize().map_err(|cause| crate::files::unusable(&program, cause))
}
