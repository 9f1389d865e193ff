//! Which of a project's checks becomes its verifier, and what came of the others.

use std::io::Write as _;
use std::path::Path;

use quittance_driver::EffectivePolicy;
use quittance_driver::policy::{Command, FILE_NAME};

use super::args::Init;
use super::kinds::{Check, Found};
use super::text::{self, Verifier};
use crate::exit::Failure;
use crate::input;
use crate::trial::{self, Trial};

/// What a project is taken for, and the check that was settled on.
#[derive(Debug)]
pub(super) struct Chosen<'a> {
    pub(super) found: &'a [Found],
    /// The check, with what came of its trial.
    pub(super) verifier: Option<(&'a Check, Trial)>,
    /// Which kind it is of.
    pub(super) of: Option<&'a Found>,
    /// Better ones that gave no reading, and why.
    pub(super) passed_over: Vec<(&'a Check, String)>,
}

impl<'a> Chosen<'a> {
    /// Tries one check after the other until one gives a reading; else the first is kept, with the
    /// reason why it gave none.
    pub(super) fn of(found: &'a [Found], folder: &Path, args: &Init) -> Result<Self, Failure> {
        let mut chosen = Self { found, verifier: None, of: found.first(), passed_over: Vec::new() };
        for (of, check) in found.iter().flat_map(|of| of.checks.iter().map(move |it| (of, it))) {
            let trial = if args.no_run { Trial::Untried } else { tried(folder, check, args)? };
            match trial {
                Trial::CouldNot { why } => chosen.passed_over.push((check, why)),
                trial => {
                    chosen.verifier = Some((check, trial));
                    chosen.of = Some(of);
                    return Ok(chosen);
                }
            }
        }
        chosen.keep_the_first();
        Ok(chosen)
    }

    fn keep_the_first(&mut self) {
        if self.passed_over.is_empty() {
            return;
        }
        let (check, why) = self.passed_over.remove(0);
        self.of = self.found.iter().find(|found| found.checks.contains(check));
        self.verifier = Some((check, Trial::CouldNot { why }));
    }

    /// Whether the verifier is one that is obeyed.
    pub(super) fn is_in_force(&self) -> bool {
        self.verifier.as_ref().is_some_and(|(_, trial)| trial.is_reading())
    }

    /// The policy.
    pub(super) fn text(&self, timeout_s: u32) -> String {
        let verifier = self.verifier.as_ref().map(|(check, trial)| Verifier { check, trial });
        text::policy(verifier.as_ref(), &self.others(), timeout_s)
    }

    /// The checks that were not settled on, and where each was found.
    pub(super) fn others(&self) -> Vec<(&'a Check, &'a str)> {
        let chosen = self.verifier.as_ref().map(|(check, _)| *check);
        let checks = |found: &'a Found| found.checks.iter().map(|it| (it, found.from.as_str()));
        self.found.iter().flat_map(checks).filter(|(it, _)| Some(*it) != chosen).collect()
    }

    /// Those of them that nobody tried.
    pub(super) fn untried(&self) -> Vec<(&'a Check, &'a str)> {
        let is_tried = |check: &Check| self.passed_over.iter().any(|(tried, _)| *tried == check);
        self.others().into_iter().filter(|(check, _)| !is_tried(check)).collect()
    }
}

/// Tries a check under the policy that would name it.
fn tried(folder: &Path, check: &Check, args: &Init) -> Result<Trial, Failure> {
    let text = text::trying(check, args.timeout);
    let parsed = EffectivePolicy::parse(&text);
    let policy = parsed.map_err(|source| Failure::Policy { path: FILE_NAME.into(), source })?;
    let Some(verify) = policy.policy.verify else { return Ok(Trial::Untried) };
    let line = verify.command.as_ref().map(Command::line).unwrap_or_default();
    // Long work is told of before it begins.
    let _ = writeln!(anstream::stderr(), "trying `{line}`, for at most {} s", args.timeout);
    trial::run(folder, &input::user()?, check, &verify)
}
