//! The slots of the packet, kept as ordered sets: which calls are shown, without looking at all.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::calls::Placed;
use super::tally::Tally;
use crate::canonical::Digest;
use crate::packet::TARGET_LIMIT;
use crate::semantics::ActionRole;
use crate::transcript::Outcome;

/// What the slots know of one call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) evidence_index: usize,
    /// Every result was written by the harness: the call was never run and is no evidence.
    pub(super) is_harness_only: bool,
    /// Results that the harness wrote.
    pub(super) omitted: usize,
    /// Role and read-only as the tool was declared.
    pub(super) declared: (ActionRole, bool),
    /// The same as seen through a verifier's handle.
    pub(super) seen: (ActionRole, bool),
    pub(super) is_problem: bool,
    pub(super) issues: usize,
    /// The outcome of a completed call, whoever wrote its result.
    pub(super) completed: Option<Outcome>,
    /// Paths that a completed mutation changed.
    pub(super) changed: Option<Arc<BTreeSet<String>>>,
}

/// A call by how late it is evidenced, then by call order: the last one is the latest.
type Late = (usize, usize);

/// The calls that act on one target.
#[derive(Clone, Debug, Default)]
struct Target {
    calls: BTreeSet<Late>,
    /// Those evidenced last; several when they share an index.
    kept: Vec<usize>,
}

/// The calls that run one exact command.
#[derive(Clone, Debug, Default)]
struct Command {
    calls: BTreeSet<Late>,
    ordinals: BTreeSet<usize>,
}

/// All slots.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    pub(super) relevant: usize,
    pub(super) omitted_harness: usize,
    pub(super) issue_count: usize,
    /// Calls with an issue.
    pub(super) troubled: BTreeSet<usize>,
    /// Read-only calls.
    pub(super) reads: BTreeSet<usize>,
    observations: BTreeSet<Late>,
    verifications: BTreeSet<Late>,
    problems: BTreeSet<Late>,
    targets: BTreeMap<String, Target>,
    stale: BTreeSet<String>,
    kept: BTreeSet<usize>,
    commands: BTreeMap<Digest, Command>,
    recent: BTreeMap<usize, Digest>,
    /// Changed paths with how many calls changed each.
    changed: BTreeMap<String, usize>,
    /// The completed good calls of each tool.
    succeeded: BTreeMap<String, BTreeSet<usize>>,
    pub(super) tally: Tally,
}

impl Slots {
    /// Replaces what is known of a call.
    pub(super) fn replace(&mut self, call: &Placed, old: Option<&Entry>, new: &Entry) {
        if let Some(old) = old {
            if old == new {
                return;
            }
            self.remove(call, old);
        }
        self.add(call, new);
    }

    fn add(&mut self, call: &Placed, entry: &Entry) {
        let late = (entry.evidence_index, call.ordinal);
        self.omitted_harness += entry.omitted;
        self.issue_count += entry.issues;
        if entry.issues > 0 {
            self.troubled.insert(call.ordinal);
        }
        for path in entry.changed.iter().flat_map(|paths| paths.iter()) {
            *self.changed.entry(path.clone()).or_default() += 1;
        }
        if entry.completed == Some(Outcome::Ok) {
            self.succeeded.entry(call.name.clone()).or_default().insert(call.ordinal);
        }
        if entry.is_harness_only {
            return;
        }
        *self.tally.count(&call.name, entry.completed) += 1;
        self.add_declared(call, entry, late);
        match entry.seen {
            (_, true) => {
                self.reads.insert(call.ordinal);
                self.observations.insert(late);
            }
            (role, false) => {
                self.relevant += 1;
                if role == ActionRole::Observation {
                    self.observations.insert(late);
                }
                if role == ActionRole::Verification {
                    self.verifications.insert(late);
                }
                if entry.is_problem {
                    self.problems.insert(late);
                }
            }
        }
    }

    fn add_declared(&mut self, call: &Placed, entry: &Entry, late: Late) {
        match entry.declared {
            (ActionRole::Mutation, false) => {
                self.targets.entry(call.target.clone()).or_default().calls.insert(late);
                self.stale.insert(call.target.clone());
            }
            (ActionRole::Observation, false) => {
                let command = self.commands.entry(call.command).or_default();
                if let Some(last) = command.ordinals.last() {
                    self.recent.remove(last);
                }
                command.calls.insert(late);
                command.ordinals.insert(call.ordinal);
                if let Some(last) = command.ordinals.last() {
                    self.recent.insert(*last, call.command);
                }
            }
            _ => {}
        }
    }

    fn remove(&mut self, call: &Placed, entry: &Entry) {
        let late = (entry.evidence_index, call.ordinal);
        self.omitted_harness -= entry.omitted;
        self.issue_count -= entry.issues;
        self.troubled.remove(&call.ordinal);
        for path in entry.changed.iter().flat_map(|paths| paths.iter()) {
            if let Some(count) = self.changed.get_mut(path) {
                *count -= 1;
                if *count == 0 {
                    self.changed.remove(path);
                }
            }
        }
        if let Some(ordinals) = self.succeeded.get_mut(&call.name) {
            ordinals.remove(&call.ordinal);
        }
        if entry.is_harness_only {
            return;
        }
        *self.tally.count(&call.name, entry.completed) -= 1;
        self.remove_declared(call, entry, late);
        self.observations.remove(&late);
        self.verifications.remove(&late);
        self.problems.remove(&late);
        self.reads.remove(&call.ordinal);
        if !entry.seen.1 {
            self.relevant -= 1;
        }
    }

    fn remove_declared(&mut self, call: &Placed, entry: &Entry, late: Late) {
        match entry.declared {
            (ActionRole::Mutation, false) => {
                if let Some(target) = self.targets.get_mut(&call.target) {
                    target.calls.remove(&late);
                }
                self.stale.insert(call.target.clone());
            }
            (ActionRole::Observation, false) => {
                if let Some(command) = self.commands.get_mut(&call.command) {
                    if let Some(last) = command.ordinals.last() {
                        self.recent.remove(last);
                    }
                    command.calls.remove(&late);
                    command.ordinals.remove(&call.ordinal);
                    if let Some(last) = command.ordinals.last() {
                        self.recent.insert(*last, call.command);
                    }
                }
            }
            _ => {}
        }
    }

    /// Finds anew which calls each changed target keeps.
    pub(super) fn settle(&mut self) {
        for name in std::mem::take(&mut self.stale) {
            let Some(target) = self.targets.get_mut(&name) else { continue };
            for ordinal in target.kept.drain(..) {
                self.kept.remove(&ordinal);
            }
            let Some((latest, _)) = target.calls.last() else {
                self.targets.remove(&name);
                continue;
            };
            target.kept = target.calls.range((*latest, 0)..).map(|(_, ordinal)| *ordinal).collect();
            self.kept.extend(target.kept.iter().copied());
        }
    }

    /// The latest mutation of each of the last targets, in call order.
    pub(super) fn mutations(&self) -> impl Iterator<Item = usize> {
        let last: Vec<usize> = self.kept.iter().rev().take(TARGET_LIMIT).copied().collect();
        last.into_iter().rev()
    }

    /// The latest run of each of the last commands, in order of each command's last call.
    pub(super) fn commands(&self) -> impl Iterator<Item = usize> {
        let last: Vec<usize> = self
            .recent
            .values()
            .rev()
            .take(TARGET_LIMIT)
            .filter_map(|command| self.commands.get(command)?.calls.last())
            .map(|(_, ordinal)| *ordinal)
            .collect();
        last.into_iter().rev()
    }

    /// The latest verification and the latest problem.
    pub(super) fn latest(&self) -> impl Iterator<Item = usize> {
        let last = [self.verifications.last(), self.problems.last()];
        last.into_iter().flatten().map(|(_, ordinal)| *ordinal)
    }

    /// The latest observation, read-only calls included.
    pub(super) fn observation(&self) -> Option<usize> {
        self.observations.last().map(|(_, ordinal)| *ordinal)
    }

    /// Names of the tools with a completed good call, by the first such call.
    pub(super) fn tools_succeeded(&self) -> Vec<&str> {
        let mut first: Vec<(usize, &str)> = self
            .succeeded
            .iter()
            .filter_map(|(name, ordinals)| Some((*ordinals.first()?, name.as_str())))
            .collect();
        first.sort_unstable();
        first.into_iter().map(|(_, name)| name).collect()
    }

    /// The changed paths, sorted.
    pub(super) fn changed(&self) -> impl ExactSizeIterator<Item = &String> + Clone {
        self.changed.keys()
    }
}
