//! `quittance check`: one boundary from a transcript.

use quittance_driver::Check;

use crate::exit::Failure;
use crate::{Answer, args, input, render};

pub(crate) fn run(args: &args::Check) -> Result<Answer, Failure> {
    let found = input::policy(args.reading.policy.as_deref())?;
    let probe = input::probe(args.root.as_deref(), found.file.as_deref())?;
    let session = input::session(&args.reading, &found.policy)?;
    let check = Check::of(session, &found.policy, probe.as_ref());
    let document = check.to_value();
    let text = render::check::page(&document, check.outcome);
    Ok(Answer { document, text, code: check.outcome.exit_code() })
}
