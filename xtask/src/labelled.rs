//! Folds published runs whose reward is known, to see that nobody is accused falsely.
//!
//! The format shows no outcome for a call, so none of these runs can be convicted; a run that
//! earned its reward and is convicted all the same is a defect. That no run without a reward is
//! convicted shows nothing.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::failure::{Failure, Finding};
use crate::{files, run};

/// Where the runs lie, beside the checkout: one list of runs, each with `reward` and `traj`.
const RUNS: &str = "../shared/corpus/openai-chat/sierra-research__tau-bench/historical_trajectories~gpt-4o-airline.json";
/// The outcome that convicts.
const CONVICTED: &str = "abandoned";

/// How the runs of one reward ended.
#[derive(Default)]
struct Count {
    runs: usize,
    convicted: usize,
}

/// Checks every run without a contract.
pub(crate) fn labelled(root: &Path) -> Result<(), Failure> {
    let file = root.join(RUNS);
    if !file.is_file() {
        println!("skipped: there are no labelled runs beside this checkout");
        return Ok(());
    }
    run::succeed(run::cargo(root).args(["build", "--release", "-q", "-p", "quittance"]))?;
    let rewards = rewards(&file)?;
    let folder = tempfile::tempdir().map_err(|cause| files::unusable(root, cause))?;
    let policy = folder.path().join("quittance.toml");
    fs::write(&policy, "version = 1\n").map_err(|cause| files::unusable(&policy, cause))?;
    let (mut earned, mut missed) = (Count::default(), Count::default());
    let mut findings = Vec::new();
    for (position, is_earned) in rewards.into_iter().enumerate() {
        let number = position + 1;
        let is_convicted = outcome(root, &file, &policy, number)? == CONVICTED;
        let count = if is_earned { &mut earned } else { &mut missed };
        count.runs += 1;
        count.convicted += usize::from(is_convicted);
        if is_earned && is_convicted {
            let what = "convicted although it earned its reward";
            findings.push(Finding::at(format!("run {number}"), what));
        }
    }
    println!("reward 1: {} runs, {} convicted", earned.runs, earned.convicted);
    println!("reward 0: {} runs, {} convicted", missed.runs, missed.convicted);
    Failure::unless_empty(findings)
}

/// Whether each run earned its reward.
fn rewards(file: &Path) -> Result<Vec<bool>, Failure> {
    let runs: Vec<Value> = parse(&files::read(file)?, "the labelled runs")?;
    Ok(runs.iter().map(|run| run["reward"].as_f64() == Some(1.0)).collect())
}

/// The outcome of one run, through the program as its users run it.
fn outcome(root: &Path, file: &Path, policy: &Path, number: usize) -> Result<String, Failure> {
    let mut command = run::built(root, "quittance");
    command.arg("check").arg(file).args(["--json", "--run", &number.to_string(), "--policy"]);
    let document: Value = parse(&run::output(command.arg(policy))?, "the check of a run")?;
    let outcome = document.pointer("/outcome/status").and_then(Value::as_str);
    outcome.map(str::to_owned).ok_or_else(|| Failure::Shape {
        what: format!("the check of run {number}"),
        cause: document.to_string(),
    })
}

fn parse<T: serde::de::DeserializeOwned>(bytes: &[u8], what: &str) -> Result<T, Failure> {
    serde_json::from_slice(bytes)
        .map_err(|cause| Failure::Shape { what: what.to_owned(), cause: cause.to_string() })
}
