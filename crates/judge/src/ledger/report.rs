//! One authority's report on a contract, row by row.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use quittance_evidence::contract::{Contract, EvidenceRole, Requirement};
use quittance_evidence::value;

use super::cited::PacketIndex;

/// How a row stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum RowStatus {
    /// Reported met, on evidence that supports it.
    Met,
    /// Reported not met.
    Unmet,
    /// Not reported on.
    Missing,
    /// Reported met without usable evidence, or reported on twice.
    Unsupported,
}

impl RowStatus {
    /// Every status, in the original's order.
    pub const ALL: [Self; 4] = [Self::Met, Self::Unmet, Self::Missing, Self::Unsupported];

    /// The status's word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Unmet => "unmet",
            Self::Missing => "missing",
            Self::Unsupported => "unsupported",
        }
    }
}

/// One row of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Row {
    /// The contract's id.
    pub requirement_id: String,
    /// The contract's sentence.
    pub name: String,
    /// Whether the row is met.
    pub met: bool,
    /// What was cited, once each, in the order cited.
    pub evidence_refs: Vec<i64>,
    /// How the row stands.
    pub status: RowStatus,
    /// The kinds of evidence it accepts.
    pub evidence_roles: Vec<EvidenceRole>,
}

/// A report (`harn.completion_requirement_report.v1`).
///
/// INVARIANT: the counts and `complete` follow from rows and pending names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    schema: &'static str,
    complete: bool,
    required_count: usize,
    reported_count: usize,
    pending_count: usize,
    pending_names: Vec<String>,
    rows: Vec<Row>,
}

/// What stands in the pending names for a row, or a whole report, that names no row.
const INVALID_ROW: &str = "Invalid requirement row";

impl Report {
    /// The report's schema.
    pub const SCHEMA: &'static str = "harn.completion_requirement_report.v1";

    pub(super) fn new(rows: Vec<Row>, pending_names: Vec<String>, reported_count: usize) -> Self {
        Self {
            schema: Self::SCHEMA,
            complete: pending_names.is_empty(),
            required_count: rows.len(),
            reported_count,
            pending_count: pending_names.len(),
            pending_names,
            rows,
        }
    }

    /// The report where nothing was declared: explicit, so that it cannot be taken for lost data.
    #[must_use]
    pub fn empty() -> Self {
        Self::new(Vec::new(), Vec::new(), 0)
    }

    /// The report before anyone assessed anything: every declared row is missing.
    #[must_use]
    pub fn unassessed(contract: Option<&Contract>) -> Self {
        contract.map_or_else(Self::empty, |contract| {
            Self::assess(contract, None, &PacketIndex::default())
        })
    }

    /// Joins what an authority reported, of any shape, to the contract and the packet.
    #[must_use]
    pub fn assess(contract: &Contract, reported: Option<&Value>, packet: &PacketIndex<'_>) -> Self {
        let reported = reported.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let ids: Vec<String> = reported.iter().map(reported_id).collect();
        let mut by_id = BTreeMap::<&str, Vec<&Value>>::new();
        for (id, row) in ids.iter().zip(reported) {
            by_id.entry(id).or_default().push(row);
        }
        let rows: Vec<Row> = contract
            .requirements()
            .iter()
            .map(|requirement| {
                let matches = by_id.remove(requirement.id()).unwrap_or_default();
                assess_row(requirement, &matches, packet)
            })
            .collect();
        let mut pending: Vec<String> = open_names(&rows).map(str::to_owned).collect();
        // What is left names no row of the contract.
        pending.extend(ids.iter().filter(|id| by_id.contains_key(id.as_str())).map(|id| {
            if id.is_empty() {
                INVALID_ROW.to_owned()
            } else {
                format!("Unknown requirement `{id}`")
            }
        }));
        Self::new(rows, pending, reported.len())
    }

    /// Reads a report that a host's own closure gave. Null is no report. What cannot be read is an
    /// open item, and a row counts as met only when it says so twice: an unreadable report must
    /// not close a ledger.
    #[must_use]
    pub fn from_host(value: &Value) -> Self {
        if value.is_null() {
            return Self::empty();
        }
        let Some(entries) = value.get("rows").and_then(Value::as_array) else {
            return Self::new(Vec::new(), vec![INVALID_ROW.to_owned()], 0);
        };
        let rows: Vec<Row> = entries.iter().filter_map(host_row).collect();
        let mut pending: Vec<String> = open_names(&rows).map(str::to_owned).collect();
        let known: BTreeSet<&str> = rows.iter().map(|row| row.name.as_str()).collect();
        let named = value.get("pending_names").and_then(Value::as_array).into_iter().flatten();
        pending.extend(named.map(value::display).filter(|name| !known.contains(name.as_str())));
        let denies_itself = value.get("complete") == Some(&Value::Bool(false));
        if rows.len() < entries.len() || (denies_itself && pending.is_empty()) {
            pending.push(INVALID_ROW.to_owned());
        }
        let reported = value.get("reported_count").and_then(Value::as_u64).unwrap_or(0);
        Self::new(rows, pending, usize::try_from(reported).unwrap_or(usize::MAX))
    }

    /// Whether nothing is pending.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Rows declared.
    #[must_use]
    pub const fn required_count(&self) -> usize {
        self.required_count
    }

    /// Rows reported on, known or not.
    #[must_use]
    pub const fn reported_count(&self) -> usize {
        self.reported_count
    }

    /// Items pending: rows not met, and reported rows that the contract does not know.
    #[must_use]
    pub const fn pending_count(&self) -> usize {
        self.pending_count
    }

    /// The names of what is pending.
    #[must_use]
    pub fn pending_names(&self) -> &[String] {
        &self.pending_names
    }

    /// The rows, in the contract's order.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Whether a reply to a contract holds no list of assessments at all.
    #[must_use]
    pub fn is_omitted(contract: Option<&Contract>, reported: Option<&Value>) -> bool {
        contract.is_some() && !reported.is_some_and(Value::is_array)
    }
}

/// The names of rows that are not met.
pub(super) fn open_names(rows: &[Row]) -> impl Iterator<Item = &str> {
    rows.iter().filter(|row| !row.met).map(|row| row.name.as_str())
}

fn reported_id(row: &Value) -> String {
    value::text(value::field(row, "requirement_id")).trim().to_owned()
}

fn assess_row(requirement: &Requirement, matches: &[&Value], packet: &PacketIndex<'_>) -> Row {
    let (status, evidence_refs) = match matches {
        [] => (RowStatus::Missing, Vec::new()),
        [row] => {
            let (refs, is_well_formed) = read_refs(row.get("evidence_refs"));
            let is_supported = is_well_formed && packet.supports(&refs, requirement);
            let status = if row.get("met") != Some(&Value::Bool(true)) {
                RowStatus::Unmet
            } else if is_supported || packet.settles(requirement) {
                RowStatus::Met
            } else {
                RowStatus::Unsupported
            };
            (status, refs)
        }
        // Two assessments of one row: neither can be preferred.
        _ => (RowStatus::Unsupported, Vec::new()),
    };
    Row {
        requirement_id: requirement.id().to_owned(),
        name: requirement.name().to_owned(),
        met: status == RowStatus::Met,
        evidence_refs,
        status,
        evidence_roles: requirement.roles().to_vec(),
    }
}

/// The integers cited, once each, and whether the list held nothing else.
fn read_refs(refs: Option<&Value>) -> (Vec<i64>, bool) {
    let Some(refs) = refs.and_then(Value::as_array) else { return (Vec::new(), false) };
    let mut seen = BTreeSet::new();
    let integers = refs.iter().filter_map(Value::as_i64);
    let is_well_formed = refs.iter().all(|cited| cited.as_i64().is_some());
    (integers.filter(|index| seen.insert(*index)).collect(), is_well_formed)
}

fn host_row(entry: &Value) -> Option<Row> {
    let requirement_id = reported_id(entry);
    if requirement_id.is_empty() {
        return None;
    }
    let word = entry.get("status").and_then(Value::as_str);
    let status = RowStatus::ALL.into_iter().find(|status| Some(status.as_str()) == word);
    let is_met = entry.get("met") == Some(&Value::Bool(true)) && status == Some(RowStatus::Met);
    let status = status.filter(|status| is_met || *status != RowStatus::Met);
    let roles = entry.get("evidence_roles").and_then(Value::as_array).into_iter().flatten();
    Some(Row {
        name: value::text(value::field(entry, "name")),
        requirement_id,
        met: is_met,
        evidence_refs: read_refs(entry.get("evidence_refs")).0,
        status: status.unwrap_or(RowStatus::Unsupported),
        evidence_roles: roles.filter_map(Value::as_str).filter_map(EvidenceRole::parse).collect(),
    })
}
