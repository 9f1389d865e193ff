//! What a reason that fired rests on.
//!
//! It is read after the reason fired, from the same rows, and never moves the standing.
//!
//! RECONSTRUCTED, all of it, from the few sentences of the original that mention it: nothing here is
//! known to be what the original prints.

use std::{cell::OnceCell, collections::BTreeMap};

use crate::{
    ids::{IdMap, IdSet},
    json::{Node, Object, Text},
    pointer::{Place, Pointer, RowField},
    readers::Facts,
    reason::{Reason, SourceKind},
    rows::bounded,
    turn::text_at,
};

/// What a reason rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "each kind is printed in a shape of its own")]
pub enum Source<'r> {
    /// A person's reply.
    Person,
    /// Calls of tools.
    Calls {
        /// The calls its rows name, in the order in which they are named first.
        calls: Vec<Call<'r>>,
        /// How many readings name no call that the record holds.
        unnamed: u64,
    },
    /// The answer's own text.
    Answer,
    /// How the run went.
    Run,
    /// The app's checks.
    Checks,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Call<'r> {
    /// Its id.
    pub id: Text<'r>,
    /// Its tool, where a result of this turn says so.
    pub tool: Option<Text<'r>>,
}

impl Source<'_> {
    /// What kind of thing it is.
    #[must_use]
    pub const fn kind(&self) -> SourceKind {
        match self {
            Self::Person => SourceKind::Person,
            Self::Calls { .. } => SourceKind::Calls,
            Self::Answer => SourceKind::Answer,
            Self::Run => SourceKind::Run,
            Self::Checks => SourceKind::Checks,
        }
    }
}

/// Answers what reasons rest on; what it needs of the whole record is collected at most once.
#[derive(Debug)]
pub(crate) struct Sources<'f, 'r> {
    facts: &'f Facts<'r>,
    tools: OnceCell<IdMap<'r, Text<'r>>>,
    held: OnceCell<IdSet<'r>>,
}

impl<'f, 'r> Sources<'f, 'r> {
    pub(crate) fn new(facts: &'f Facts<'r>) -> Self {
        Self { facts, tools: OnceCell::new(), held: OnceCell::new() }
    }

    pub(crate) fn of(&self, reason: Reason, witness: &[Pointer<'r>]) -> Source<'r> {
        match reason.source_kind() {
            SourceKind::Person => Source::Person,
            SourceKind::Answer => Source::Answer,
            SourceKind::Run => Source::Run,
            SourceKind::Checks => Source::Checks,
            SourceKind::Calls => self.calls(witness),
        }
    }

    fn calls(&self, witness: &[Pointer<'r>]) -> Source<'r> {
        let mut named = Named::default();
        // A row that several witnesses point at adds its unnamed readings each time, and its calls
        // once: reading it again would make the fold quadratic.
        let mut seen = BTreeMap::new();
        for pointer in witness {
            match pointer {
                Pointer::History { call: Some(call), .. } => named.name(call.clone()),
                Pointer::History { call: None, .. } => named.unnamed += 1,
                Pointer::State(place) => {
                    let Some(row) = self.row(*place) else { continue };
                    let unnamed = match shared_row(*place) {
                        Some(key) => {
                            *seen.entry(key).or_insert_with(|| self.read_row(row, &mut named))
                        }
                        None => self.read_row(row, &mut named),
                    };
                    named.unnamed += unnamed;
                }
            }
        }
        let call = |id: Text<'r>| Call { tool: self.tool(&id), id };
        let calls = named.order.into_iter().map(call).collect();
        Source::Calls { calls, unnamed: named.unnamed }
    }

    /// The row a place is in.
    fn row(&self, place: Place) -> Option<Object<'r>> {
        let (rows, index) = match place {
            Place::Ledger(index, _) => (&self.facts.ledger.rows, index),
            Place::Coverage(index) => (&self.facts.coverage.raw, index),
            Place::Rewrite(index) => (&self.facts.decisions, index),
            _ => return None,
        };
        rows.get(index)?.object()
    }

    /// Names what a row names, and counts the readings that name nothing the record holds.
    fn read_row(&self, row: Object<'r>, named: &mut Named<'r>) -> u64 {
        let [own, on, carriers, witnesses] =
            row.pick(["toolCallId", "declaredOn", "carriers", "witnesses"]);
        let on = on.and_then(Node::object).and_then(|on| text_at(on, "toolCallId"));
        let mut names = false;
        for call in own.and_then(Node::string).into_iter().chain(on) {
            names = true;
            named.name(call);
        }
        let mut unnamed = 0;
        for (list, must_be_held) in [(carriers, false), (witnesses, true)] {
            let list = bounded(list);
            unnamed += list.unread;
            for entry in list.entries {
                let call = entry.object().and_then(|entry| text_at(entry, "toolCallId"));
                match call.filter(|call| !must_be_held || self.holds(call)) {
                    Some(call) => {
                        names = true;
                        named.name(call);
                    }
                    None => unnamed += 1,
                }
            }
        }
        if names || unnamed > 0 { unnamed } else { 1 }
    }

    /// Whether the record holds a call anywhere: a result, a request or a coverage row names it. A row
    /// of `coverageDeclared` whose kind is neither `absence` nor `ledger` is no coverage row, and a word
    /// nobody knows makes no call held.
    fn holds(&self, call: &Text<'_>) -> bool {
        let held = self.held.get_or_init(|| {
            let filed = self.facts.coverage.rows.iter().filter_map(|row| row.call.clone());
            self.facts.turn.held_calls().chain(filed).collect()
        });
        held.contains(call)
    }

    /// The tool of a call, as the first result of this turn that says so has it.
    fn tool(&self, call: &Text<'_>) -> Option<Text<'r>> {
        let tools = self.tools.get_or_init(|| {
            let mut tools = IdMap::default();
            for result in &self.facts.results {
                if let (Some(call), Some(tool)) = (&result.call, &result.tool) {
                    tools.or_insert_with(call.clone(), || tool.clone());
                }
            }
            tools
        });
        tools.get(call).cloned()
    }
}

/// A row that one reason may point at more than once: the argument row that several periods name, the
/// decision that rewrote several arguments. Any other row is pointed at by one witness.
const fn shared_row(place: Place) -> Option<(bool, usize)> {
    match place {
        Place::Ledger(index, RowField::Argument) => Some((false, index)),
        Place::Rewrite(index) => Some((true, index)),
        _ => None,
    }
}

/// Calls in the order in which they are named first.
#[derive(Default)]
struct Named<'r> {
    order: Vec<Text<'r>>,
    known: IdSet<'r>,
    unnamed: u64,
}

impl<'r> Named<'r> {
    fn name(&mut self, call: Text<'r>) {
        if self.known.add(call.clone()) {
            self.order.push(call);
        }
    }
}
