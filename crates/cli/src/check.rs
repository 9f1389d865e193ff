//! `quittance check`: one boundary from a transcript, to a receipt.

use std::path::Path;

use quittance_driver::policy::{JudgePolicy, Origin, When};
use quittance_driver::{Before, Case, EffectivePolicy, HostSays, Live, adjudicate};
use quittance_judge::policy::Slot;
use quittance_ledger::Receipt;

use crate::exit::Failure;
use crate::judges::Judges;
use crate::processes::Processes;
use crate::{Answer, args, input, render, statements};

pub(crate) fn run(args: &args::Check) -> Result<Answer, Failure> {
    let found = input::policy(args.reading.policy.as_deref())?;
    let policy = under_flags(found.policy, args)?;
    let root = input::root(args.root.as_deref(), found.file.as_deref());
    let probe = input::probe(root.as_deref())?;
    let user = input::user()?;
    let redactor = input::redactor(&policy.policy, &user)?;
    let read = input::turn(&args.reading, &policy.policy, redactor.as_ref())?;
    let before = Before { standing: read.assessment(), ..Before::default() };
    let case = Case::open(read.session, HostSays::default(), &policy.policy, probe.as_ref());
    let processes = Processes::of(root.as_deref(), &user);
    let folder = root.as_deref().unwrap_or(Path::new(""));
    let judges = Judges::of(&policy.policy, folder, &user, &processes)?;
    let adjudicated = input::runtime()?.block_on(async {
        let effects = Live::open(None, &processes, judges.slots());
        let mut effects = effects.redacting(redactor.as_deref());
        adjudicate(case, &policy, before, &mut effects).await
    });
    if let Some(path) = &args.receipt {
        write(path, &adjudicated.receipt)?;
    }
    let mut document = adjudicated.to_value();
    if let Some(fields) = document.as_object_mut() {
        fields.insert("how_sure".to_owned(), read.standing.words.line().into());
        fields.insert("witnesses".to_owned(), read.standing.places.to_value());
    }
    let statements = statements::of(&adjudicated.receipt);
    let text = render::check::page(&document, adjudicated.ruling.outcome, &statements);
    Ok(Answer { document, text, code: adjudicated.ruling.outcome.exit_code() })
}

/// The policy as the command line changes it.
fn under_flags(
    mut policy: EffectivePolicy,
    args: &args::Check,
) -> Result<EffectivePolicy, Failure> {
    if args.no_verify
        && let Some(verify) = &mut policy.policy.verify
    {
        verify.when = When::Never;
        policy.origins.insert("verify".to_owned(), Origin::Flag);
    }
    let judges = &mut policy.policy.judges;
    if args.no_judge {
        *judges = quittance_judge::policy::PerSlot::default();
        policy.origins.insert("judge".to_owned(), Origin::Flag);
    }
    if let Some(tape) = &args.tape {
        // From here and not from the policy's folder, as anything else that is typed.
        let tape = std::path::absolute(tape)
            .map_err(|source| Failure::Open { path: tape.clone(), source })?;
        let is_declared = Slot::ALL.iter().any(|slot| judges.get(*slot).is_some());
        for slot in Slot::ALL {
            let judge = judges.get_mut(slot);
            if judge.is_some() || (!is_declared && slot == Slot::Completion) {
                *judge = Some(JudgePolicy::on_tape(&tape.to_string_lossy()));
            }
        }
        policy.origins.insert("judge".to_owned(), Origin::Flag);
    }
    Ok(policy)
}

/// Writes a receipt as one canonical line.
fn write(path: &Path, receipt: &Receipt) -> Result<(), Failure> {
    let text = receipt.to_text() + "\n";
    std::fs::write(path, text).map_err(|source| Failure::Write { path: path.to_owned(), source })
}
