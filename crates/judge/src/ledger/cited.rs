//! What a citation may resolve to: the packet's records and actions, indexed once.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use quittance_evidence::contract::{Contract, EvidenceRole, Requirement};

/// The citable part of an evidence packet of any shape. What is ill-typed can be cited by nobody.
#[derive(Clone, Debug, Default)]
pub struct PacketIndex<'a> {
    records: Vec<(i64, &'a Value)>,
    record_by_index: BTreeMap<i64, Unique<'a>>,
    actions: BTreeSet<i64>,
    occurrences: Vec<i64>,
    verified_by_receipt: bool,
}

/// A record that carries its index alone, or the fact that several share it.
#[derive(Clone, Copy, Debug)]
enum Unique<'a> {
    One(&'a Value),
    Several,
}

impl<'a> PacketIndex<'a> {
    /// Indexes a packet.
    #[must_use]
    pub fn of(packet: &'a Value) -> Self {
        let mut out = Self::default();
        for record in list(packet, "requirement_evidence") {
            out.verified_by_receipt |= is_passing_receipt(record);
            let Some(index) = evidence_index(record) else { continue };
            out.records.push((index, record));
            out.occurrences.push(index);
            out.record_by_index
                .entry(index)
                .and_modify(|unique| *unique = Unique::Several)
                .or_insert(Unique::One(record));
        }
        for action in list(packet, "actions").chain(list(packet, "fallback_observations")) {
            out.actions.extend(evidence_index(action));
            out.occurrences.extend(evidence_index(action));
        }
        out
    }

    /// Whether citations support a row: each resolves to one qualifying record or to a listed
    /// action, and at least one to a record. Actions corroborate; they never count alone.
    #[must_use]
    pub fn supports(&self, refs: &[i64], requirement: &Requirement) -> bool {
        let mut qualifying = 0_usize;
        for index in refs {
            match self.record_by_index.get(index) {
                Some(Unique::One(record)) if qualifies(record, requirement.roles()) => {
                    qualifying += 1;
                }
                Some(Unique::One(_) | Unique::Several) => return false,
                None if self.actions.contains(index) => {}
                None => return false,
            }
        }
        qualifying > 0
    }

    /// Whether the verifier's own receipt settles a row: one that accepts nothing but it.
    #[must_use]
    pub fn settles(&self, requirement: &Requirement) -> bool {
        requirement.roles() == [EvidenceRole::DeterministicVerification] && self.verified_by_receipt
    }

    /// The indices a judge may cite for some row, in the packet's order.
    #[must_use]
    pub fn eligible(&self, contract: &Contract) -> Vec<i64> {
        let is_alone = |index| matches!(self.record_by_index.get(index), Some(Unique::One(_)));
        let rows = contract.requirements().iter();
        let allowed: BTreeSet<EvidenceRole> = rows.flat_map(|row| row.roles().to_vec()).collect();
        let allowed: Vec<EvidenceRole> = allowed.into_iter().collect();
        self.records
            .iter()
            .filter(|(index, record)| is_alone(index) && qualifies(record, &allowed))
            .map(|(index, _)| *index)
            .collect()
    }

    /// The indices that name exactly one record or action, in the packet's order.
    #[must_use]
    pub fn unambiguous(&self) -> Vec<i64> {
        let mut counts = BTreeMap::<i64, usize>::new();
        for index in &self.occurrences {
            *counts.entry(*index).or_default() += 1;
        }
        self.occurrences.iter().copied().filter(|index| counts.get(index) == Some(&1)).collect()
    }
}

fn list<'a>(packet: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    packet.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn evidence_index(record: &Value) -> Option<i64> {
    record.get("evidence_index").and_then(Value::as_i64)
}

fn role(record: &Value) -> Option<EvidenceRole> {
    record.get("role").and_then(Value::as_str).and_then(EvidenceRole::parse)
}

fn is_true(record: &Value, key: &str) -> bool {
    record.get(key) == Some(&Value::Bool(true))
}

fn is_passed(record: &Value) -> bool {
    record.get("measurement").and_then(Value::as_str) == Some("passed")
}

fn has_words(record: &Value, key: &str) -> bool {
    record.get(key).and_then(Value::as_str).is_some_and(|text| !text.trim().is_empty())
}

fn is_passing_receipt(record: &Value) -> bool {
    role(record) == Some(EvidenceRole::DeterministicVerification)
        && is_passed(record)
        && is_true(record, "supports_completion")
}

fn qualifies(record: &Value, allowed: &[EvidenceRole]) -> bool {
    let Some(role) = role(record).filter(|role| allowed.contains(role)) else { return false };
    let is_complete = is_true(record, "supports_completion")
        && has_words(record, "summary")
        && record.get("representative_artifact_ids").is_some_and(Value::is_array);
    is_complete
        && match role {
            EvidenceRole::AssistantOutput => true,
            EvidenceRole::DeterministicVerification => is_passed(record),
            EvidenceRole::MutationSummary => {
                let count = record.get("artifact_count").and_then(Value::as_i64);
                count.is_some_and(|count| count >= 1) && has_words(record, "artifact_set_digest")
            }
        }
}
