//! A reading put aside right behind the opening of a turn, for a later process to go on from.
//!
//! There no row of the turn was read yet, so nothing of a sink has to be kept, and what came before
//! is settled. The agent has to have spoken in the turn by the time it is used: then the turn before
//! is wanted for its writes alone. Whatever could read the lines before the opening differently
//! keeps nothing, and the file is read from its beginning.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::super::marks::Marks;
use super::super::queue::Queue;
use super::super::tree::{Footing, NodeId, Tree};
use super::super::turn::Live;
use super::held::{Open, Standing};
use super::{Before, Reading, Tail, Whose};
use crate::call_ids::CallIds;
use crate::control::Provenance;
use crate::format::Format;
use crate::options::{ReadOptions, TurnNumber};
use crate::session::{Opening, RunIds, Turn, TurnIds, TurnStart};
use crate::sink::Sink;
use crate::source::{LineIssue, LineNumber, Repair, SourceFacts};
use crate::writes::Writes;

/// A reading behind the opening of a turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(in crate::claude_code) struct Kept {
    whose: Whose,
    ids: RunIds,
    facts: KeptFacts,
    tree: Tree,
    cursor: NodeId,
    tip: Option<NodeId>,
    tail: Tail,
    message: Option<String>,
    call_ids: CallIds,
    queue: Queue,
    marks: Marks,
    earlier_writes: Writes,
    opened: Option<(NodeId, Option<String>)>,
    turn: KeptTurn,
}

/// The turn that was opened.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct KeptTurn {
    number: TurnNumber,
    opening: Opening,
    provenance: Provenance,
    line: LineNumber,
    ids: TurnIds,
    task: String,
    shows_stops: bool,
    before: Before,
    footing: Footing,
}

/// The facts of the bytes that were read, but those that [`crate::lines`] keeps.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct KeptFacts {
    skipped: BTreeMap<String, u64>,
    unknown_words: BTreeMap<String, u64>,
    repairs: BTreeMap<Repair, u64>,
    issues: Vec<LineIssue>,
    issue_count: u64,
    last_issue: Option<LineNumber>,
    versions: BTreeMap<String, u64>,
}

impl<S: Sink> Reading<S> {
    /// The opening of the current turn, where a reading can be put aside behind it.
    pub(in crate::claude_code) fn keepable(&self) -> Option<LineNumber> {
        let open = self.current.as_ref().filter(|open| open.heard && !open.by_command)?;
        let is_settled = !self.retold && !self.tangled && self.asked_for.is_none();
        let is_seen = open.live.turn.opening != Opening::Unseen;
        (is_settled && is_seen).then_some(open.before.place.line)
    }

    /// Puts the reading aside; the line read last opened a turn.
    pub(in crate::claude_code) fn keep(self) -> Option<Kept> {
        let is_settled = !self.retold && !self.tangled && self.chain.is_none();
        if !is_settled || self.proposal.is_some() || self.asked_for.is_some() {
            return None;
        }
        let mut earlier_writes = self.earlier_writes;
        if let Some(spoken) = &self.spoken {
            Arc::make_mut(&mut earlier_writes).absorb(&spoken.live.turn.writes);
        }
        Some(Kept {
            whose: self.whose,
            ids: self.ids,
            facts: KeptFacts::of(self.facts),
            tree: self.tree,
            cursor: self.cursor,
            tip: self.tip,
            tail: self.tail,
            message: self.message,
            call_ids: self.call_ids,
            queue: self.queue,
            marks: self.marks,
            earlier_writes: Arc::unwrap_or_clone(earlier_writes),
            opened: self.opened,
            turn: KeptTurn::of(self.current?),
        })
    }

    /// Goes on with a reading that was put aside.
    pub(in crate::claude_code) fn kept(kept: Kept, options: &ReadOptions) -> Self {
        let facts = kept.facts.into_facts();
        let mut reading = Self::new(options, kept.whose, facts);
        reading.ids = kept.ids;
        reading.tree = kept.tree;
        reading.cursor = kept.cursor;
        reading.tip = kept.tip;
        reading.tail = kept.tail;
        reading.message = kept.message;
        reading.call_ids = kept.call_ids;
        reading.queue = kept.queue;
        reading.marks = kept.marks;
        reading.earlier_writes = Arc::new(kept.earlier_writes);
        reading.opened = kept.opened;
        reading.current = Some(kept.turn.into_open(S::start(&reading.catalogue)));
        reading
    }
}

impl KeptTurn {
    fn of<S: Sink>(open: Open<S>) -> Self {
        let Open { live, before, footing, .. } = open;
        let Turn { number, opening, provenance, line, ids, task, shows_stops, .. } = live.turn;
        Self { number, opening, provenance, line, ids, task, shows_stops, before, footing }
    }

    fn into_open<S: Sink>(self, rows: S) -> Open<S> {
        let Self { number, opening, provenance, line, ids, task, shows_stops, before, footing } =
            self;
        let start = TurnStart { number, opening, provenance, line, ids, task: task.clone() };
        let mut live = Live::new(Turn::starting(start, rows));
        live.turn.shows_stops = shows_stops;
        live.open(task);
        Open {
            live,
            before,
            footing,
            standing: Standing::Clean,
            by_command: false,
            heard: false,
            past: None,
        }
    }
}

impl KeptFacts {
    fn of(facts: SourceFacts) -> Self {
        let SourceFacts { skipped, unknown_words, repairs, issues, issue_count, .. } = facts;
        let SourceFacts { last_issue, versions, .. } = facts;
        Self { skipped, unknown_words, repairs, issues, issue_count, last_issue, versions }
    }

    fn into_facts(self) -> SourceFacts {
        let Self { skipped, unknown_words, repairs, issues, issue_count, last_issue, versions } =
            self;
        SourceFacts {
            skipped,
            unknown_words,
            repairs,
            issues,
            issue_count,
            last_issue,
            versions,
            ..SourceFacts::new(Format::ClaudeCode)
        }
    }
}
