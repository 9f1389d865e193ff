//! The receipts of one run, as `quittance receipts` prints them.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use super::play::parse;
use super::stage::Stage;
use super::stop::Stop;
use crate::failure::Failure;
use crate::{files, run};

/// More receipts than any run leaves.
const LIMIT: &str = "1000";

/// What `quittance receipts` ends with where no hook ever wrote.
const NO_LEDGER: i32 = 66;

#[derive(Debug, Deserialize)]
struct List {
    receipts: Vec<Entry>,
    damaged: u64,
}

/// One receipt in the list.
#[derive(Debug, Deserialize)]
struct Entry {
    receipt_id: String,
    outcome: String,
    cause: String,
    agent: Option<String>,
}

/// What each stop came to, oldest first. The receipts are kept under `kept`.
pub(crate) fn stops(stage: &Stage, kept: &Path) -> Result<Vec<Stop>, Failure> {
    let asked = ["receipts", "list", "--json", "--limit", LIMIT];
    let printed = match run::stdout(stage.quittance().args(asked)) {
        Err(Failure::Ended { status, .. }) if status.code() == Some(NO_LEDGER) => {
            return Ok(Vec::new());
        }
        printed => printed?,
    };
    let file = kept.join("receipts.json");
    files::write(&file, printed.as_bytes())?;
    let list: List = parse(printed.as_bytes(), &file)?;
    if list.damaged > 0 {
        let cause = format!("{} rows of the ledger are damaged", list.damaged);
        return Err(Failure::Shape { what: format!("`{}`", file.display()), cause });
    }
    keep(stage, &list.receipts, &kept.join("receipts"))?;
    Ok(list.receipts.into_iter().rev().map(Stop::from).collect())
}

/// Keeps each receipt under its number, the oldest first.
fn keep(stage: &Stage, listed: &[Entry], folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|cause| files::unusable(folder, cause))?;
    for (index, entry) in listed.iter().rev().enumerate() {
        let asked = ["receipts", "show", &entry.receipt_id, "--json"];
        let receipt = run::stdout(stage.quittance().args(asked))?;
        files::write(&folder.join(format!("{:02}.json", index + 1)), receipt.as_bytes())?;
    }
    Ok(())
}

impl From<Entry> for Stop {
    fn from(entry: Entry) -> Self {
        let by_subagent = entry.agent.is_some();
        Self { by_subagent, status: entry.outcome, cause: Some(entry.cause) }
    }
}
