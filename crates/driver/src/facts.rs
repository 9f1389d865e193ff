//! What the gate is told: what was written since a reading last covered it, and whether a verifier
//! is due.
//!
//! A write is any call of a tool that writes, and any command that is not known as a whole to only
//! read (`quittance-hosts`): this errs on the side of verifying.

use globset::GlobSet;
use quittance_evidence::EvidenceBuilder;
use quittance_evidence::verification::Observed as Reading;
use quittance_hosts::{ObservedOutcome, Session, Write};
use quittance_judge::gate::{Facts, WriteCounts, WriteFact, WriteKind, classify_writes};
use quittance_ledger::{Covered, Ended, TurnState, VerifierRecord};

use crate::case::Case;
use crate::policy::{VerifyPolicy, When};

/// What was written and what is due, of one boundary.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WriteFacts {
    /// Writes of the turn and before it that no passed reading covers.
    uncovered: WriteCounts,
    /// Writes of the turn.
    of_turn: WriteCounts,
    /// Whether a passed reading covers all that the turn wrote.
    turn_is_covered: bool,
    /// Whether the record may lack a write.
    may_lack: bool,
}

/// What has to be done for a reading.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a driver must act on each")]
pub enum Due {
    /// The command has to be run.
    Run,
    /// Nothing: this is the reading.
    Known(VerifierRecord),
}

impl WriteFacts {
    /// Reads them off a case.
    #[must_use]
    pub fn of(case: &Case, verify: &VerifyPolicy, before: &TurnState) -> Self {
        let covered = covered(before, verify, &case.session);
        let cosmetic = verify.cosmetic_files();
        let session = &case.session;
        let is_open = |write: &&Write| write.last.0 > covered;
        let turn = || session.turn.writes.iter();
        let open = turn().chain(session.earlier_writes.iter()).filter(is_open);
        let of_turn = counts(turn(), &cosmetic);
        let uncovered = counts(open, &cosmetic);
        // What could not be read since may have written, and so may a turn that was taken back.
        let is_closed = uncovered.source == 0 && !may_have_written_since(session, covered);
        Self {
            uncovered,
            of_turn,
            turn_is_covered: of_turn.source > 0 && is_closed && turn().filter(is_open).count() == 0,
            may_lack: case.may_lack_calls,
        }
    }

    /// The counts as the gate takes them: none when nobody can say.
    #[must_use]
    pub fn counts(&self, verify: &VerifyPolicy) -> Option<WriteCounts> {
        // Whether the turn changed something is asked of the turn; whether something is unverified
        // is asked of everything before it, too.
        let counts = if verify.requires_write || self.turn_is_covered {
            self.of_turn
        } else {
            self.uncovered
        };
        (counts.source > 0 || !self.may_lack).then_some(counts)
    }

    /// What has to be done for a reading.
    #[must_use]
    pub fn due(&self, case: &Case, verify: &VerifyPolicy) -> Due {
        let command = verify.command.as_ref().map(crate::policy::Command::line).unwrap_or_default();
        let without = |ended| Due::Known(VerifierRecord::without_run(&command, ended));
        match verify.when {
            When::Never => without(Ended::NotDue),
            When::Observed => Due::Known(observed(&case.session, &command)),
            When::Always => Due::Run,
            When::AfterWrite if self.turn_is_covered => {
                let record = VerifierRecord::without_run(&command, Ended::Carried);
                Due::Known(VerifierRecord { reading: Reading::Passed, ..record })
            }
            When::AfterWrite if self.uncovered.source > 0 || self.may_lack => Due::Run,
            When::AfterWrite => without(Ended::NotDue),
        }
    }

    /// The facts of the boundary, once there is a reading.
    #[must_use]
    pub fn with(&self, verify: &VerifyPolicy, record: &VerifierRecord) -> Facts {
        let is_ours = verify.when.runs() && record.ended != Ended::NotDue;
        Facts {
            writes: self.counts(verify),
            verifier: record.run(),
            command: record.command.clone(),
            // A check that the run itself made never stands in for ours, and skips no judge.
            oracle_expected: is_ours,
            is_current: !record.is_stale,
            ..Facts::default()
        }
    }
}

/// The line up to which a passed reading covers the writes; 0 where none does. A reading of another
/// command covers nothing, and neither does one of a longer file: this one was replaced.
fn covered(before: &TurnState, verify: &VerifyPolicy, session: &Session<EvidenceBuilder>) -> u64 {
    let command = verify.command.as_ref().map(crate::policy::Command::line).unwrap_or_default();
    let holds =
        |covered: &&Covered| covered.command == command && covered.line <= session.source.lines;
    before.covered.as_ref().filter(holds).map_or(0, |covered| covered.line)
}

fn counts<'a>(writes: impl Iterator<Item = &'a Write>, cosmetic: &GlobSet) -> WriteCounts {
    let facts: Vec<WriteFact> = writes
        .map(|write| WriteFact {
            path: write.path.clone().unwrap_or_default(),
            kind: kind(write, cosmetic),
        })
        .collect();
    classify_writes(&facts)
}

/// A write whose path nobody knows may have changed the work.
fn kind(write: &Write, cosmetic: &GlobSet) -> WriteKind {
    match &write.path {
        Some(path) if !climbs(path) && cosmetic.is_match(path) => WriteKind::Cosmetic,
        Some(_) | None => WriteKind::Source,
    }
}

/// Whether a path goes back up: what it is spelled like then says nothing of where it leads.
fn climbs(path: &str) -> bool {
    path.split(['/', '\\']).any(|step| step == "..")
}

/// Whether a line after this one could not be read: it may hold a call that wrote.
fn may_have_written_since(session: &Session<EvidenceBuilder>, line: u64) -> bool {
    session.source.last_issue.is_some_and(|unread| unread.0 > line)
}

/// The last check that the run itself made, as the host's typed fields tell it.
fn observed(session: &Session<EvidenceBuilder>, declared: &str) -> VerifierRecord {
    let Some(seen) = &session.observed else {
        return VerifierRecord::without_run(declared, Ended::Observed);
    };
    let is_stale = seen.written_since || may_have_written_since(session, seen.line.0);
    let (reading, cause) = match (seen.outcome, is_stale) {
        (ObservedOutcome::Ok, _) => (Reading::Passed, ""),
        (ObservedOutcome::Error, false) => (Reading::Failed, ""),
        // What failed may have been mended since; nobody looked.
        (ObservedOutcome::Error, true) => (Reading::NotRun, "stale"),
        (ObservedOutcome::Unknown | ObservedOutcome::Unanswered, _) => {
            (Reading::NotRun, "outcome_unknown")
        }
    };
    let findings = if reading == Reading::Failed { RED } else { "" };
    VerifierRecord {
        exit_status: seen.exit_code,
        reading,
        cause: cause.to_owned(),
        findings: findings.to_owned(),
        is_stale,
        ..VerifierRecord::without_run(&seen.command, Ended::Observed)
    }
}

const RED: &str = "The last check you ran yourself failed, and nothing was written since.";
