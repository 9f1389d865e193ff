//! `quittance evidence`: the packet a turn is decided on, its statistics and its id.

use quittance_artifacts::NoRoot;
use quittance_driver::Check;
use serde_json::json;

use crate::exit::Failure;
use crate::{Answer, args, input, render};

pub(crate) fn run(args: &args::Evidence) -> Result<Answer, Failure> {
    let found = input::policy(args.reading.policy.as_deref())?;
    let session = input::session(&args.reading, &found.policy)?;
    // Evidence is of the record alone: no disk is looked at.
    let check = Check::of(session, &found.policy, &NoRoot);
    let document = json!({
        "schema": "quittance.evidence.v1",
        "evidence_id": check.snapshot.evidence_id(),
        "packet": check.snapshot.packet(),
        "projection": check.snapshot.stats(),
    });
    let text = render::evidence::page(&document);
    Ok(Answer { document, text, code: 0 })
}
