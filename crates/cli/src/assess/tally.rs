//! Counts over many inputs. Counts of parts are added up, so that each worker counts its own.

use std::collections::BTreeMap;

use quittance_assess::{Assessment, CheckName, Reason, Standing};
use serde_json::{Map, Value, json};

/// What came out of the inputs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) assessed: u64,
    /// Inputs that could not be read, bad lines among them.
    pub(crate) failed: u64,
    bad_lines: u64,
    /// The exit code of the first file that could not be read.
    first_failure: Option<u8>,
    standings: BTreeMap<Standing, u64>,
    pub(crate) reasons: BTreeMap<Reason, u64>,
    pub(crate) checks: BTreeMap<CheckName, Checked>,
    /// Inputs that keep out what the fold asks for.
    pub(crate) kept_out: u64,
}

/// What one check did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Checked {
    /// Inputs that list it.
    pub(crate) inputs: u64,
    /// How often it reached a verdict.
    pub(crate) ran: u64,
    /// How often it was due.
    pub(crate) of: u64,
}

impl Tally {
    pub(super) fn add(&mut self, assessment: &Assessment<'_>) {
        self.assessed += 1;
        *self.standings.entry(assessment.standing()).or_default() += 1;
        self.kept_out += u64::from(assessment.kept_out().next().is_some());
        for fired in assessment.reasons() {
            *self.reasons.entry(fired.reason).or_default() += 1;
        }
        for check in assessment.checked() {
            let checked = self.checks.entry(check.name).or_default();
            checked.inputs += 1;
            checked.ran = checked.ran.saturating_add(check.ran);
            checked.of = checked.of.saturating_add(check.of);
        }
    }

    pub(super) const fn add_bad_line(&mut self) {
        self.failed += 1;
        self.bad_lines += 1;
    }

    pub(super) fn add_failure(&mut self, code: u8) {
        self.failed += 1;
        self.first_failure = self.first_failure.or(Some(code));
    }

    /// Adds the counts of inputs that came after these.
    pub(super) fn absorb(&mut self, later: &Self) {
        self.assessed += later.assessed;
        self.failed += later.failed;
        self.bad_lines += later.bad_lines;
        self.first_failure = self.first_failure.or(later.first_failure);
        self.kept_out += later.kept_out;
        for (standing, count) in &later.standings {
            *self.standings.entry(*standing).or_default() += count;
        }
        for (reason, count) in &later.reasons {
            *self.reasons.entry(*reason).or_default() += count;
        }
        for (name, more) in &later.checks {
            let checked = self.checks.entry(*name).or_default();
            checked.inputs += more.inputs;
            checked.ran = checked.ran.saturating_add(more.ran);
            checked.of = checked.of.saturating_add(more.of);
        }
    }

    pub(crate) const fn inputs(&self) -> u64 {
        self.assessed + self.failed
    }

    pub(crate) fn standing(&self, standing: Standing) -> u64 {
        self.standings.get(&standing).copied().unwrap_or(0)
    }

    pub(super) const fn has_bad_lines(&self) -> bool {
        self.bad_lines > 0
    }

    pub(super) const fn first_failure(&self) -> Option<u8> {
        self.first_failure
    }

    /// The counts as one document: every standing, and the reasons and checks that were met.
    pub(super) fn to_value(&self) -> Value {
        let standings = Standing::ALL.map(|s| (s.as_str().to_owned(), self.standing(s).into()));
        let reasons = self.reasons.iter().map(|(r, count)| (r.as_str().to_owned(), json!(count)));
        let checks = self.checks.iter().map(|(name, checked)| {
            let Checked { inputs, ran, of } = checked;
            (name.as_str().to_owned(), json!({"inputs": inputs, "ran": ran, "of": of}))
        });
        json!({
            "schema": "quittance.assess_summary.v1",
            "inputs": self.inputs(),
            "failed": self.failed,
            "kept_out": self.kept_out,
            "standings": standings.into_iter().collect::<Map<_, _>>(),
            "reasons": reasons.collect::<Map<_, _>>(),
            "checks": checks.collect::<Map<_, _>>(),
        })
    }
}
