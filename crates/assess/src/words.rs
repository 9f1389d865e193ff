//! How sure, in words: a standing read aloud for a person, each clause with the places it rests on.
//!
//! The structure is the original's: one opening for each standing, one clause for each reason in the
//! order of the report, assumed values by name. The words are ours. They are read from the
//! assessment's typed fields and never decide anything; a text of the record appears only quoted, with
//! what a terminal would obey escaped.

mod assumed;
mod clause;

use std::fmt;

use crate::{
    assessment::{Assessment, Fired, Standing},
    check::{Check, count},
    pointer::{Place, Pointer},
    reason::{Class, Reason},
    record::Record,
    source::Source,
};

/// How many clauses of a "not sure" are said one by one; assumed values are not among them. A person
/// reads no further, and the rest is counted.
const CLAUSES_MAX: usize = 12;

/// How many places are printed behind a clause.
const PLACES_SHOWN: usize = 8;

/// A standing in words.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HowSure<'r> {
    /// The standing that is read aloud.
    pub standing: Standing,
    /// What is said of it, in order; never empty.
    pub clauses: Vec<Clause<'r>>,
}

/// One clause: lower-case, without a full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Clause<'r> {
    /// What is said.
    pub text: String,
    /// Where the record shows it. Empty only where the clause says that the record shows nothing.
    pub rests_on: Vec<Pointer<'r>>,
}

impl<'r> Clause<'r> {
    fn new(text: impl Into<String>, rests_on: Vec<Pointer<'r>>) -> Self {
        Self { text: text.into(), rests_on }
    }

    fn into_owned(self) -> Clause<'static> {
        let rests_on = self.rests_on.into_iter().map(Pointer::into_owned).collect();
        Clause { text: self.text, rests_on }
    }
}

/// Reads the standing of `record`, as [`assess`](crate::assess) gave it, aloud.
#[must_use]
pub fn how_sure<'r>(record: &'r Record<'_>, assessment: &Assessment<'r>) -> HowSure<'r> {
    let standing = assessment.standing();
    let clauses = match standing {
        Standing::Ask => vec![waits(assessment)],
        Standing::NotSure => not_sure(record, assessment),
        Standing::Known => {
            let text = "the app's own enforcing check passed exactly this answer";
            vec![Clause::new(text, vec![Pointer::State(Place::ReportStatus)])]
        }
        Standing::Consistent => vec![consistent(assessment)],
        Standing::NotAssessed => vec![not_assessed(assessment)],
    };
    HowSure { standing, clauses }
}

fn waits<'r>(assessment: &Assessment<'r>) -> Clause<'r> {
    let asks = assessment.reasons().iter().filter(|fired| fired.reason.class() == Class::Ask);
    let rests_on = asks.flat_map(|fired| fired.witness.clone()).collect();
    Clause::new("the run waits for a person to reply, and there is no answer before", rests_on)
}

fn consistent<'r>(assessment: &Assessment<'r>) -> Clause<'r> {
    let ran: Vec<_> = assessment.checked().iter().filter(|check| check.ran > 0).collect();
    let names: Vec<_> = ran.iter().map(|check| clause::check(check.name)).collect();
    let many = if ran.len() == 1 { "check" } else { "checks" };
    let text = format!(
        "{} {many} ran and found nothing against it ({}), which does not verify it",
        ran.len(),
        names.join(" · ")
    );
    Clause::new(text, ran.into_iter().flat_map(|check: &Check<'r>| check.witness.clone()).collect())
}

fn not_assessed<'r>(assessment: &Assessment<'r>) -> Clause<'r> {
    let keys: Vec<_> = assessment.kept_out().map(|key| format!("`{}`", key.as_str())).collect();
    if keys.is_empty() {
        return Clause::new("nothing in the record could be checked", Vec::new());
    }
    let text = format!("the record keeps out what the assessment needs: {}", keys.join(", "));
    Clause::new(text, Vec::new())
}

fn not_sure<'r>(record: &'r Record<'_>, assessment: &Assessment<'r>) -> Vec<Clause<'r>> {
    let mut clauses = Vec::new();
    let mut said = 0;
    let mut unsaid = Clause::new(String::new(), Vec::new());
    for fired in assessment.reasons() {
        if fired.reason == Reason::ArgumentAssumed {
            clauses.extend(assumed::clauses(record, fired));
        } else if said < CLAUSES_MAX {
            clauses.push(because(fired));
            said += 1;
        } else {
            unsaid.rests_on.extend(fired.witness.iter().cloned());
            said += 1;
        }
    }
    if said > CLAUSES_MAX {
        let left = said - CLAUSES_MAX;
        let many = if left == 1 { "reason" } else { "reasons" };
        unsaid.text = format!("and {left} more {many}");
        clauses.push(unsaid);
    }
    clauses
}

fn because<'r>(fired: &Fired<'r>) -> Clause<'r> {
    let text = clause::reason(fired.reason);
    let text = match counted(fired) {
        Some(counted) => format!("{text} ({counted})"),
        None => text.to_owned(),
    };
    Clause::new(text, fired.witness.clone())
}

/// How often: in calls where a call is what a reason is about, in rows where a row is.
fn counted(fired: &Fired<'_>) -> Option<String> {
    let (times, one, many) = match (clause::unit(fired.reason)?, &fired.source) {
        (clause::Unit::Calls, Source::Calls { calls, unnamed }) => {
            (count(calls.len()).saturating_add(*unnamed), "call", "calls")
        }
        _ => (count(fired.witness.len()), "row", "rows"),
    };
    Some(format!("{times} {}", if times == 1 { one } else { many }))
}

impl HowSure<'_> {
    /// The opening: what the standing is called.
    #[must_use]
    pub const fn opening(&self) -> &'static str {
        match self.standing {
            Standing::Ask => "A reply is needed",
            Standing::NotSure => "Not sure",
            Standing::Known => "Known",
            Standing::Consistent => "Consistent with the run's record",
            Standing::NotAssessed => "Not assessed",
        }
    }

    /// The same words, free of the record they were read from.
    #[must_use]
    pub fn into_owned(self) -> HowSure<'static> {
        let clauses = self.clauses.into_iter().map(Clause::into_owned).collect();
        HowSure { standing: self.standing, clauses }
    }

    /// Everything in one line, without the places.
    #[must_use]
    pub fn line(&self) -> String {
        let clauses: Vec<_> = self.clauses.iter().map(|clause| clause.text.as_str()).collect();
        format!("{} — {}.", self.opening(), clauses.join("; "))
    }
}

/// The opening, then a line for each clause and one for the places it rests on.
impl fmt::Display for HowSure<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.opening())?;
        for clause in &self.clauses {
            write!(f, "\n- {}", clause.text)?;
            for (index, place) in clause.rests_on.iter().take(PLACES_SHOWN).enumerate() {
                let before = if index == 0 { "\n    at " } else { ", " };
                write!(f, "{before}{place}")?;
            }
            let left = clause.rests_on.len().saturating_sub(PLACES_SHOWN);
            if left > 0 {
                write!(f, " and {left} more")?;
            }
        }
        Ok(())
    }
}
