//! `quittance replay`: arrive at the same bytes, or say where not.

use quittance_driver::replay::{Replayed, recorded_policy, replay};
use quittance_ledger::Receipt;
use serde_json::{Value, json};

use crate::exit::{self, Failure};
use crate::render::{Page, escape, excerpt};
use crate::statements::has_record;
use crate::{Answer, args, input, receipts};

pub(crate) fn run(args: &args::Replay) -> Result<Answer, Failure> {
    let receipt = receipts::named(&args.receipt)?;
    if !has_record(&receipt) {
        return Err(Failure::NoRecord { path: args.receipt.clone() });
    }
    let unreadable = |source| Failure::RecordedPolicy { path: args.receipt.clone(), source };
    let policy = recorded_policy(&receipt).map_err(unreadable)?;
    let read = input::recorded(&args.transcript, args.run, &receipt, &policy.policy)?;
    // A receipt may be made without a standing; one that has it must have this one.
    let is_assessed = !receipt.body().standing.is_null();
    let standing = if is_assessed { read.assessment() } else { Value::Null };
    let replaying = replay(&receipt, read.session, standing);
    let replayed = input::runtime()?.block_on(replaying).map_err(unreadable)?;
    let is_same = replayed.differences.is_empty();
    let document = document(&receipt, &replayed);
    let code = if is_same { 0 } else { exit::DIFFERS };
    Ok(Answer { document, text: page(&receipt, &replayed), code })
}

fn document(receipt: &Receipt, replayed: &Replayed) -> Value {
    let differences: Vec<Value> = replayed
        .differences
        .iter()
        .map(|found| {
            json!({"at": found.pointer, "recorded": found.recorded, "replayed": found.replayed})
        })
        .collect();
    json!({
        "receipt_id": receipt.id(),
        "replayed_id": replayed.adjudicated.receipt.id(),
        "differences": differences,
    })
}

fn page(receipt: &Receipt, replayed: &Replayed) -> String {
    let mut page = Page::default();
    page.line("receipt", &receipt.id().to_string());
    if replayed.differences.is_empty() {
        page.line("replay", "arrives at the same id");
        return page.into_text();
    }
    page.line("replay", &replayed.adjudicated.receipt.id().to_string());
    for found in &replayed.differences {
        page.line("differs", &escape::foreign(&found.pointer));
        page.line("  recorded", &shown(found.recorded.as_ref()));
        page.line("  replayed", &shown(found.replayed.as_ref()));
    }
    page.plain(&format!("exit code {}: the receipt and its replay differ", exit::DIFFERS));
    page.into_text()
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), |value| excerpt(&value.to_string()))
}
