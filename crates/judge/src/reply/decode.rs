//! A reply decoded into a verdict, tolerantly: replays never saw the schema.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use quittance_evidence::contract::{Contract, Requirement};
use quittance_evidence::value::{field, text};

use super::clamp::clamp_detail;
use super::goal::GoalAssessment;
use crate::gap::{Gap, GapClass};
use crate::ledger::{PacketIndex, Report};

/// A decoded verdict. The word is kept as it was given; a live reply's has been checked before
/// ([`super::read_live`]), and of any word only `continue` refuses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Decoded {
    /// The verdict's word, trimmed; `accept` reads as `done`.
    pub verdict: String,
    /// The sentence, clamped.
    pub detail: String,
    /// The class given, or `other`.
    pub gap_class: GapClass,
    /// The gaps that could be read.
    pub gaps: Vec<Gap>,
    /// Whether the reply claims a gap by its class.
    pub gap_declared: bool,
    /// The ledger as the reply assesses it; none without a contract.
    pub requirement_report: Option<Report>,
    /// How far the goal was reached; none under a contract.
    pub goal_assessment: Option<GoalAssessment>,
}

impl Decoded {
    /// Decodes a reply of any shape against the contract in force and the packet that was shown.
    #[must_use]
    pub fn read(reply: &Value, contract: Option<&Contract>, packet: &PacketIndex<'_>) -> Self {
        let class = reply.get("gap_class");
        let goal = field(reply, "goal_assessment");
        Self {
            verdict: verdict(reply),
            detail: clamp_detail(&detail(reply)),
            gap_class: GapClass::read(class),
            gaps: gaps(reply, contract),
            gap_declared: GapClass::is_declared(class),
            requirement_report: contract
                .map(|contract| Report::assess(contract, reply.get("requirement_report"), packet)),
            goal_assessment: match contract {
                None => GoalAssessment::read(goal, packet),
                Some(_) => None,
            },
        }
    }

    /// Whether the reply says that the work is done.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.verdict == "done"
    }

    /// Whether the reply refuses.
    #[must_use]
    pub fn is_continue(&self) -> bool {
        self.verdict == "continue"
    }

    /// Whether the reply approves and names a gap at once.
    #[must_use]
    pub fn contradicts_itself(&self) -> bool {
        self.is_done() && self.names_a_gap()
    }

    /// Whether the reply refuses and names nothing. It stays a refusal.
    #[must_use]
    pub fn refuses_without_a_gap(&self) -> bool {
        self.is_continue() && !self.names_a_gap()
    }

    fn names_a_gap(&self) -> bool {
        self.gap_declared || !self.gaps.is_empty()
    }

    /// The criteria of gaps that name the run's own "done" marker, which no judge can observe.
    #[must_use]
    pub fn sentinel_criteria(&self, sentinel: &str) -> Vec<&str> {
        let marker = sentinel.trim();
        if marker.is_empty() {
            return Vec::new();
        }
        let names_it = |gap: &&Gap| gap.criterion.contains(marker) || gap.detail.contains(marker);
        self.gaps.iter().filter(names_it).map(|gap| gap.criterion.as_str()).collect()
    }

    /// What the agent is told of a reply that approves and names a gap. The judge's own sentence
    /// would tell it that the work is done.
    #[must_use]
    pub fn contradiction_feedback(&self) -> String {
        let class = self.gap_class.as_str();
        let named = self
            .gaps
            .iter()
            .map(|gap| clamp_detail(&gap.detail))
            .next()
            .map(|detail| format!(" The gap it names: {detail}"))
            .unwrap_or_default();
        format!(
            "The check called this finished and recorded an open gap of class `{class}` in the \
             same answer, so it does not count as finished.{named} Either close the gap and say \
             what changed, or say why it does not apply here."
        )
    }
}

fn verdict(reply: &Value) -> String {
    let given = field(reply, "verdict").or_else(|| field(reply, "action"));
    let word = text(given).trim().to_owned();
    if word == "accept" { "done".to_owned() } else { word }
}

/// The first spelling that says something: an older reply carries an empty `repair` beside the
/// `reason` that counts.
fn detail(reply: &Value) -> String {
    ["detail", "repair", "reason"]
        .into_iter()
        .map(|key| text(field(reply, key)).trim().to_owned())
        .find(|detail| !detail.is_empty())
        .unwrap_or_default()
}

fn gaps(reply: &Value, contract: Option<&Contract>) -> Vec<Gap> {
    let rows = contract.map_or(&[][..], Contract::requirements);
    let issued: BTreeSet<&str> = rows.iter().map(Requirement::id).collect();
    let entries = reply.get("gaps").and_then(Value::as_array).into_iter().flatten();
    entries.filter_map(|entry| Gap::read(entry, |id| issued.contains(id))).collect()
}
