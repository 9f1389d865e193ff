//! What the run says of the answer itself, and what the app's checks say.

use super::Facts;
use crate::{
    check::{Check, CheckName},
    gathered::Gathered,
    json::{Node, Object},
    ledger::Script,
    pointer::{Place, Pointer, RowField},
    reason::Reason,
    turn::text_at,
};

/// The checks of a report that are about claims of absence have ids that open like this.
const NEGATIVE_CLAIMS: &[u8] = b"agent:negative-claims:";

/// The answer's own rows.
pub(super) fn rows(facts: &Facts<'_>, gathered: &mut Gathered<'_>) {
    let ledger = &facts.ledger;
    names_and_numbers(facts, gathered);
    if facts.stopped_early.and_then(Node::object).is_some() {
        gathered.fire_at(Reason::StoppedEarly, Place::StoppedAt);
    }
    for &row in &ledger.steps_unfinished {
        gathered.fire_at(Reason::StepsUnfinished, Place::Ledger(row, RowField::Kind));
    }
    for &row in &ledger.time_derived {
        gathered.fire_at(Reason::DerivedFromReading, Place::Ledger(row, RowField::Values));
    }
    scripts(&ledger.scripts, gathered);
    for &row in &ledger.negative_claims {
        gathered.fire_at(Reason::NegativeProseUnverified, Place::Ledger(row, RowField::Kind));
    }
}

/// The evidence gate: its flag, else its clean pass. A pass that looked nothing up did not apply, and
/// only the last one is about the answer that stands.
fn names_and_numbers(facts: &Facts<'_>, gathered: &mut Gathered<'_>) {
    let flag = facts.unsupported.and_then(Node::object);
    let place = match (flag, facts.ledger.grounded) {
        (Some(flag), _) => {
            let revised = flag.get("revised").is_some_and(Node::is_true);
            let reason =
                if revised { Reason::ValueSurvivedRevision } else { Reason::ValueUnsupported };
            gathered.fire_at(reason, Place::Candidates);
            Place::Candidates
        }
        (None, Some(pass)) if pass.looked_up > 0.0 => Place::Ledger(pass.index, RowField::Kind),
        (None, _) => return,
    };
    gathered.checked.push(Check::complete(CheckName::NamesAndNumbers, vec![Pointer::State(place)]));
}

/// The scripts the answer shows. One that a call submitted says nothing about whether it is right.
fn scripts(scripts: &[Script], gathered: &mut Gathered<'_>) {
    let mut witness = Vec::new();
    for script in scripts {
        let place = Place::Ledger(script.index, RowField::Label);
        witness.push(Pointer::State(place));
        if script.unmatched {
            gathered.fire_at(Reason::ScriptUnmatched, place);
        }
    }
    if !witness.is_empty() {
        gathered.checked.push(Check::complete(CheckName::ScriptMatch, witness));
    }
}

/// The app's report on the answer. Only one that passed, that enforces, and that names the bytes it
/// passed supports anything.
pub(super) fn report<'r>(facts: &Facts<'r>, gathered: &mut Gathered<'r>) {
    let Some(report) = facts.report.and_then(Node::object) else { return };
    let Some(status) = text_at(report, "status") else { return };
    let at = Pointer::State(Place::ReportStatus);
    gathered.checked.push(Check::complete(CheckName::AnswerChecks, vec![at]));
    claims_of_absence(report, gathered);
    match status.as_bytes() {
        b"failed" => failed(report, gathered),
        b"unverified" => gathered.fire_at(Reason::CheckUnreachable, Place::ReportStatus),
        b"passed" if report.get("mode").is_some_and(|mode| mode.is("enforce")) => {
            gathered.support = text_at(report, "candidateDigest");
        }
        _ => {}
    }
}

fn claims_of_absence(report: Object<'_>, gathered: &mut Gathered<'_>) {
    let checks = report.get("checks").and_then(Node::array);
    for (index, entry) in checks.into_iter().flat_map(|list| list.entries()).enumerate() {
        let Some(check) = entry.object() else { continue };
        let [id, disposition, reason] = check.pick(["id", "disposition", "reason"]);
        let id = id.and_then(Node::string);
        if !id.is_some_and(|id| id.as_bytes().starts_with(NEGATIVE_CLAIMS)) {
            continue;
        }
        if disposition.is_some_and(|disposition| disposition.is("checked-fail")) {
            gathered.fire_at(Reason::ClaimExceedsSearch, Place::ReportCheck(index));
        }
        if reason.is_some_and(|reason| reason.is("declaration-overclaimed")) {
            gathered.fire_at(Reason::DeclarationOverclaimed, Place::ReportCheck(index));
        }
    }
}

/// A report that failed may also hold checks that reached no verdict; both are true, so both are said.
fn failed(report: Object<'_>, gathered: &mut Gathered<'_>) {
    gathered.fire_at(Reason::AnswerCheckFailed, Place::ReportStatus);
    let [unreachable, reason] = report.pick(["unreachable", "reason"]);
    if unreachable.and_then(Node::number).is_some_and(|count| count > 0.0) {
        gathered.fire_at(Reason::CheckUnreachable, Place::ReportUnreachable);
    } else if reason.and_then(Node::string).is_some() {
        gathered.fire_at(Reason::CheckUnreachable, Place::ReportReason);
    }
}
