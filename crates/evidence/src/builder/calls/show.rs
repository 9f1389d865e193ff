//! Calls as the packet shows them.

use std::collections::BTreeSet;

use super::Calls;
use crate::clip;
use crate::packet::{Action, ISSUE_LIMIT, Read};
use crate::transcript::{Issue, orphan_issue};

/// How a call is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::builder) enum View {
    /// As its tool was declared.
    Declared,
    /// As a verification, where it waits for a verifier's handle.
    Seen,
}

impl Calls {
    /// The last pairing issues, oldest first: calls in order, then orphans.
    pub(in crate::builder) fn last_issues(&self, troubled: &BTreeSet<usize>) -> Vec<Issue> {
        let mut last: Vec<Issue> = self
            .orphans
            .values()
            .rev()
            .take(ISSUE_LIMIT)
            .map(|orphan| orphan_issue(&orphan.name, &orphan.id, orphan.row_index))
            .collect();
        for ordinal in troubled.iter().rev() {
            if last.len() >= ISSUE_LIMIT {
                break;
            }
            let of_call = self.placed.get(*ordinal).and_then(|call| {
                let group = self.groups.get(call.group)?;
                Some(self.facts(call, group).issues().collect::<Vec<_>>())
            });
            last.extend(of_call.into_iter().flatten().rev());
        }
        last.truncate(ISSUE_LIMIT);
        last.reverse();
        last
    }

    /// A call as the packet shows it: as declared, or as seen through a verifier's handle.
    pub(in crate::builder) fn action(&self, ordinal: usize, view: View) -> Option<Action> {
        let call = self.placed.get(ordinal)?;
        let group = self.groups.get(call.group)?;
        let semantics = match view {
            View::Declared => call.semantics.clone(),
            View::Seen => self.seen(call),
        };
        Some(Action {
            ordinal,
            evidence_index: self.evidence_index(call, group),
            tool_call_id: clip::LABEL.apply(&group.id),
            name: semantics.name.clone(),
            semantics: (*semantics).clone(),
            lifecycle_status: self.facts(call, group).status(),
            arguments: call.arguments.clone(),
            observation: group.observation.text(),
            result_facts: group.facts.clone(),
            has_error_result: group.has_error,
            omitted_harness_authored_result_count: group.results - group.dispatched,
        })
    }

    /// A read-only call in one line.
    pub(in crate::builder) fn read(&self, ordinal: usize) -> Option<Read> {
        let action = self.action(ordinal, View::Seen)?;
        let target = self.placed.get(ordinal)?.target.clone();
        Some(Read {
            ordinal,
            evidence_index: action.evidence_index,
            target,
            result_digest: read_digest(&action),
            has_error_result: action.has_error_result,
            name: action.name,
        })
    }
}

fn read_digest(action: &Action) -> String {
    let first = action.observation.split('\n').map(str::trim).find(|line| !line.is_empty());
    let facts = action.result_facts.trim();
    let line = first.or_else(|| (!facts.is_empty() && facts != "{}").then_some(facts));
    clip::READ_DIGEST.apply(line.unwrap_or_default())
}
