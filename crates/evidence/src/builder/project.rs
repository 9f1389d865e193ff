//! From the slots to the packet.

use std::collections::BTreeSet;

use serde_json::Value;

use super::EvidenceBuilder;
use super::calls::View;
use super::slots::Slots;
use crate::packet::{
    Action, ISSUE_LIMIT, PacketIssue, Parts, Projection, RESEARCH_LIMIT, Research,
};
use crate::requirement_evidence::mutation_summary;
use crate::transcript::Issue;
use crate::value::field;

impl EvidenceBuilder {
    /// Projects the packet as it stands. A claim, where one is in play, limits the packet to the
    /// calls it cites; issues and verifiers' handles still come from the whole turn.
    pub fn project(&mut self, claim: Option<&Value>) -> Projection {
        self.calls.settle(&mut self.slots);
        let refs = claim.map(claim_refs).unwrap_or_default();
        let cited = (!refs.is_empty()).then(|| self.cited(&refs));
        let (slots, actions) = match &cited {
            Some(slots) => (slots, self.claimed(&refs)),
            None => (&self.slots, self.selected()),
        };
        let fallback = match slots.observation().filter(|_| actions.is_empty()) {
            Some(ordinal) => self.calls.action(ordinal, View::Seen).into_iter().collect(),
            None => Vec::new(),
        };
        Parts {
            raw_message_count: self.messages,
            raw_transcript_digest: self.transcript_digest(),
            relevant_call_count: slots.relevant,
            omitted_harness_results: slots.omitted_harness,
            issue_count: self.issue_count(),
            issues: self.last_issues().iter().map(PacketIssue::of).collect(),
            research: self.research(slots),
            fallback,
            requirement_evidence: mutation_summary(slots.changed()).into_iter().collect(),
            claim: claim.cloned(),
            actions,
        }
        .project()
    }

    fn selected(&self) -> Vec<Action> {
        let declared = self.slots.mutations().chain(self.slots.commands());
        let declared = declared.map(|ordinal| (ordinal, View::Declared));
        let seen = self.slots.latest().map(|ordinal| (ordinal, View::Seen));
        let mut shown = BTreeSet::new();
        declared
            .chain(seen)
            .filter(|(ordinal, _)| shown.insert(*ordinal))
            .filter_map(|(ordinal, view)| self.calls.action(ordinal, view))
            .collect()
    }

    /// Slots of the cited calls alone.
    fn cited(&self, refs: &BTreeSet<&str>) -> Slots {
        let mut slots = Slots::default();
        for ordinal in self.calls.with_ids(refs.iter().copied()) {
            if let Some((call, entry)) = self.calls.settled(ordinal) {
                slots.replace(call, None, entry);
            }
        }
        slots.settle();
        slots
    }

    fn claimed(&self, refs: &BTreeSet<&str>) -> Vec<Action> {
        let cited = self.calls.with_ids(refs.iter().copied()).into_iter();
        let relevant = cited.filter(|ordinal| {
            let settled = self.calls.settled(*ordinal);
            settled.is_some_and(|(_, entry)| !entry.is_harness_only && !entry.seen.1)
        });
        relevant.filter_map(|ordinal| self.calls.action(ordinal, View::Seen)).collect()
    }

    fn research(&self, slots: &Slots) -> Research {
        let last: Vec<usize> = slots.reads.iter().rev().take(RESEARCH_LIMIT).copied().collect();
        let reads = last.into_iter().rev().filter_map(|ordinal| self.calls.read(ordinal));
        Research::new(reads.collect(), slots.reads.len())
    }

    fn issue_count(&self) -> usize {
        self.reading.count()
            + self.row_schemas.count()
            + self.slots.issue_count
            + self.calls.orphan_count()
    }

    /// The last issues of all: reading, row schemas, calls, orphans.
    fn last_issues(&self) -> Vec<Issue> {
        let pairing = self.calls.last_issues(&self.slots.troubled);
        let reading = self.reading.last().chain(self.row_schemas.last()).cloned();
        let all: Vec<Issue> = reading.chain(pairing).collect();
        let older = all.len().saturating_sub(ISSUE_LIMIT);
        all.into_iter().skip(older).collect()
    }
}

/// The call ids a completion claim cites.
fn claim_refs(claim: &Value) -> BTreeSet<&str> {
    let rows = field(claim, "requirements").and_then(Value::as_array);
    rows.into_iter()
        .flatten()
        .filter_map(|row| field(row, "evidence_refs")?.as_array())
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}
