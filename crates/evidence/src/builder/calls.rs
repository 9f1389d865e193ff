//! The calls and results of a run, paired by id as they arrive, each kept clipped.
//!
//! A message only marks the ids it touches; [`Calls::settle`] then brings the slots up to date. So
//! a hostile record in which thousands of calls share one id with thousands of results costs each
//! message once, not the product.

mod group;
mod show;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Map, Value};

use group::Group;
pub(super) use show::View;

use super::slots::{Entry, Slots};
use crate::canonical::{self, Digest};
use crate::clip;
use crate::semantics::{ActionRole, ToolSemantics};
use crate::transcript::{Call, CallFacts, LifecycleStatus, ToolResultRow};
use crate::value::text;

/// One call.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) ordinal: usize,
    row_index: usize,
    pub(super) name: String,
    semantics: Arc<ToolSemantics>,
    arguments: String,
    /// What the call acts on.
    pub(super) target: String,
    /// Identifies the exact command.
    pub(super) command: Digest,
    /// The background handle the call waits for, or `""`.
    handle: String,
    group: usize,
    /// What the slots last heard of this call.
    entry: Option<Entry>,
}

fn named_handle(args: &Map<String, Value>) -> String {
    let named = ["handle_id", "handle"];
    let handle = named.iter().find_map(|key| args.get(*key).filter(|found| !found.is_null()));
    text(handle).trim().to_owned()
}

/// Who minted a handle and who waits for it.
#[derive(Clone, Debug, Default)]
struct Handle {
    verifiers: usize,
    waiting: Vec<usize>,
}

/// A result that no call asked for, so far.
#[derive(Clone, Debug)]
struct Orphan {
    name: String,
    id: String,
    row_index: usize,
}

/// All calls of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    placed: Vec<Placed>,
    groups: Vec<Group>,
    by_id: BTreeMap<String, usize>,
    results: usize,
    orphans: BTreeMap<usize, Orphan>,
    handles: BTreeMap<String, Handle>,
    /// The handle each verifier call is counted under.
    minted: BTreeMap<usize, String>,
    touched: BTreeSet<usize>,
    tools: Vec<String>,
    known_tools: BTreeSet<String>,
}

impl Calls {
    /// Adds a call and returns the digest of its exact arguments.
    pub(super) fn place(
        &mut self,
        row_index: usize,
        call: &Call,
        semantics: ToolSemantics,
    ) -> Digest {
        let ordinal = self.placed.len();
        let group = if call.id.is_empty() { self.new_group("") } else { self.group(&call.id) };
        self.adopt(group, ordinal);
        let arguments = canonical::object_to_text(&call.args);
        let command = Digest::of_bytes(arguments.as_bytes());
        let handle = named_handle(&call.args);
        if !handle.is_empty() {
            self.handles.entry(handle.clone()).or_default().waiting.push(ordinal);
        }
        if self.known_tools.insert(call.name.clone()) {
            self.tools.push(call.name.clone());
        }
        self.placed.push(Placed {
            ordinal,
            row_index,
            name: call.name.clone(),
            semantics: Arc::new(semantics),
            target: target(&call.args, &arguments),
            command,
            arguments: clip::FIELD.apply(&arguments),
            handle,
            group,
            entry: None,
        });
        command
    }

    /// Adds a result, with the canonical text of its data.
    pub(super) fn answer(&mut self, row: &ToolResultRow, data: &str) {
        let sequence = self.results;
        self.results += 1;
        let is_called = if row.tool_call_id.is_empty() {
            false
        } else {
            let group = self.group(&row.tool_call_id);
            self.touched.insert(group);
            self.groups.get_mut(group).is_some_and(|group| {
                group.push(row, data);
                if group.calls.is_empty() {
                    group.early.push(sequence);
                }
                !group.calls.is_empty()
            })
        };
        if !is_called {
            let orphan = Orphan {
                name: row.name.clone(),
                id: row.tool_call_id.clone(),
                row_index: row.index,
            };
            self.orphans.insert(sequence, orphan);
        }
    }

    fn new_group(&mut self, id: &str) -> usize {
        self.groups.push(Group::new(id));
        self.groups.len() - 1
    }

    fn group(&mut self, id: &str) -> usize {
        if let Some(group) = self.by_id.get(id) {
            return *group;
        }
        let group = self.new_group(id);
        self.by_id.insert(id.to_owned(), group);
        group
    }

    /// Puts a call into a group; results that came before their call are orphans no longer.
    fn adopt(&mut self, group: usize, ordinal: usize) {
        self.touched.insert(group);
        let Some(group) = self.groups.get_mut(group) else { return };
        for sequence in group.early.drain(..) {
            self.orphans.remove(&sequence);
        }
        group.calls.push(ordinal);
    }

    /// Tells the slots about every call that a message touched since the last time.
    pub(super) fn settle(&mut self, slots: &mut Slots) {
        let groups = std::mem::take(&mut self.touched);
        let mut calls = BTreeSet::new();
        for group in groups.iter().filter_map(|group| self.groups.get(*group)) {
            calls.extend(group.calls.iter().copied());
        }
        for ordinal in calls.clone() {
            self.remint(ordinal, &mut calls);
        }
        for ordinal in calls {
            let entry = self.placed.get(ordinal).and_then(|call| self.entry(call));
            if let Some((call, entry)) = self.placed.get_mut(ordinal).zip(entry) {
                slots.replace(call, call.entry.as_ref(), &entry);
                call.entry = Some(entry);
            }
        }
        slots.settle();
    }

    /// Recounts a verifier's handle; when it appears or goes, every call that waits for it changes.
    fn remint(&mut self, ordinal: usize, changed: &mut BTreeSet<usize>) {
        let Some(call) = self.placed.get(ordinal) else { return };
        let Some(group) = self.groups.get(call.group) else { return };
        if call.semantics.evidence_role != ActionRole::Verification {
            return;
        }
        let old = self.minted.get(&ordinal).cloned().unwrap_or_default();
        let new = group.handle.clone();
        if old == new {
            return;
        }
        if let Some(handle) = self.handles.get_mut(&old) {
            handle.verifiers = handle.verifiers.saturating_sub(1);
            changed.extend(handle.waiting.iter().copied());
        }
        let handle = self.handles.entry(new.clone()).or_default();
        handle.verifiers += 1;
        changed.extend(handle.waiting.iter().copied());
        self.minted.insert(ordinal, new);
    }

    fn entry(&self, call: &Placed) -> Option<Entry> {
        let group = self.groups.get(call.group)?;
        let facts = self.facts(call, group);
        let status = facts.status();
        let is_completed = status == LifecycleStatus::Completed;
        let seen = self.seen(call);
        let is_mutation = call.semantics.evidence_role == ActionRole::Mutation;
        Some(Entry {
            evidence_index: self.evidence_index(call, group),
            is_harness_only: group.is_harness_only(),
            omitted: group.results - group.dispatched,
            declared: (call.semantics.evidence_role, call.semantics.read_only),
            seen: (seen.evidence_role, seen.read_only),
            is_problem: !is_completed || group.has_error,
            issues: facts.issues().count(),
            completed: group.completed(),
            changed: (is_completed && is_mutation).then(|| group.changed.clone()),
        })
    }

    /// A call that waits for a verifier's handle is seen as a verification.
    fn seen(&self, call: &Placed) -> Arc<ToolSemantics> {
        let is_inherited = !call.handle.is_empty()
            && call.semantics.evidence_role != ActionRole::Verification
            && self.handles.get(&call.handle).is_some_and(|handle| handle.verifiers > 0);
        if is_inherited {
            Arc::new(call.semantics.as_verification())
        } else {
            call.semantics.clone()
        }
    }

    const fn evidence_index(&self, call: &Placed, group: &Group) -> usize {
        if group.results == 0 { call.row_index } else { group.last_index }
    }

    fn facts<'a>(&self, call: &'a Placed, group: &'a Group) -> CallFacts<'a> {
        CallFacts {
            ordinal: call.ordinal,
            row_index: call.row_index,
            name: &call.name,
            id: &group.id,
            calls_with_id: group.calls.len(),
            is_first_with_id: group.calls.first() == Some(&call.ordinal),
            results: group.results,
            only_result: (group.results == 1)
                .then_some((group.first_name.as_str(), group.last_index)),
        }
    }

    /// Ordinals of the calls that carry one of some ids, in call order.
    pub(super) fn with_ids<'a>(&self, ids: impl Iterator<Item = &'a str>) -> BTreeSet<usize> {
        let groups = ids.filter_map(|id| self.groups.get(*self.by_id.get(id)?));
        groups.flat_map(|group| group.calls.iter().copied()).collect()
    }

    /// The settled facts of a call.
    pub(super) fn settled(&self, ordinal: usize) -> Option<(&Placed, &Entry)> {
        let call = self.placed.get(ordinal)?;
        Some((call, call.entry.as_ref()?))
    }

    /// Names of the tools called, each once, in call order.
    pub(super) fn tools_used(&self) -> Vec<&str> {
        self.tools.iter().map(String::as_str).collect()
    }

    /// How many issues pairing has, orphans included; the calls' own are counted by the slots.
    pub(super) fn orphan_count(&self) -> usize {
        self.orphans.len()
    }
}

/// Argument keys that name what a call acts on, first match.
const TARGET_KEYS: [&str; 13] = [
    "path",
    "file_path",
    "file",
    "paths",
    "pattern",
    "query",
    "glob",
    "directory",
    "dir",
    "url",
    "command",
    "cmd",
    "target",
];

fn target(args: &Map<String, Value>, arguments: &str) -> String {
    let spelled = TARGET_KEYS.iter().filter_map(|key| {
        let value = args.get(*key).filter(|found| !found.is_null())?;
        let label = clip::LABEL.apply_to(value).trim().to_owned();
        (!label.is_empty() && label != "\"\"").then_some(label)
    });
    spelled.into_iter().next().unwrap_or_else(|| clip::LABEL.apply(arguments))
}
