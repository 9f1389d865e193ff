//! `quittance evidence`: the packet a turn is decided on, its statistics and its id.

use quittance_artifacts::NoRoot;
use quittance_driver::{Case, HostSays};
use serde_json::json;

use crate::exit::Failure;
use crate::{Answer, args, input, render};

pub(crate) fn run(args: &args::Evidence) -> Result<Answer, Failure> {
    let found = input::policy(args.reading.policy.as_deref())?;
    let policy = &found.policy.policy;
    let redactor = input::redactor(policy, &input::user()?)?;
    let session = input::turn(&args.reading, policy, redactor.as_ref())?.session;
    // Evidence is of the record alone: no disk is looked at.
    let case = Case::open(session, HostSays::default(), policy, &NoRoot);
    let document = json!({
        "schema": "quittance.evidence.v1",
        "evidence_id": case.snapshot.evidence_id(),
        "packet": case.snapshot.packet(),
        "projection": case.snapshot.stats(),
    });
    let text = render::evidence::page(&document);
    Ok(Answer { document, text, code: 0 })
}
