//! The findings ledger, sorted by kind in one pass.
//!
//! The ledger crosses turns, and most rows are stamped with the one they were filed in. Rows that are
//! read by their stamp are of this turn when they carry its number; a record without a turn number
//! has all of them read: it may say too much, it never hides.

use crate::{
    arguments::Arguments,
    json::{Node, Object, Text},
    turn::text_at,
};

/// The rows this turn may rest on. An index is a row's place in the ledger.
#[derive(Debug, Default)]
pub(crate) struct Ledger<'r> {
    /// Every row as it is, whatever it is.
    pub(crate) rows: Vec<Node<'r>>,
    pub(crate) arguments: Arguments<'r>,
    pub(crate) periods: Vec<PeriodRow<'r>>,
    /// Of any turn: what places these is not their stamp alone.
    pub(crate) contingent: Vec<(usize, Object<'r>)>,
    /// Of any turn, as above.
    pub(crate) conflicts: Vec<(usize, Object<'r>)>,
    /// The last clean pass of the evidence gate: the one on the answer that stands.
    pub(crate) grounded: Option<Grounded>,
    pub(crate) steps_unfinished: Vec<usize>,
    pub(crate) time_derived: Vec<usize>,
    pub(crate) scripts: Vec<Script>,
    pub(crate) negative_claims: Vec<usize>,
}

/// What the results layer found of the period a call read.
#[derive(Debug)]
pub(crate) struct PeriodRow<'r> {
    pub(crate) index: usize,
    pub(crate) call: Text<'r>,
    pub(crate) verdict: Text<'r>,
    pub(crate) argument: Option<Text<'r>>,
    pub(crate) differs: bool,
    pub(crate) beyond_retention: bool,
}

/// A clean pass of the evidence gate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grounded {
    pub(crate) index: usize,
    pub(crate) looked_up: f64,
}

/// A script the answer shows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Script {
    pub(crate) index: usize,
    pub(crate) unmatched: bool,
}

impl<'r> Ledger<'r> {
    pub(crate) fn read(ledger: Option<Node<'r>>, turn: Option<f64>) -> Self {
        let rows: Vec<_> =
            ledger.and_then(Node::array).into_iter().flat_map(|list| list.entries()).collect();
        let mut read = Self::default();
        for (index, entry) in rows.iter().enumerate() {
            if let Some(row) = entry.object() {
                read.sort_in(index, row, turn);
            }
        }
        read.rows = rows;
        read
    }

    fn sort_in(&mut self, index: usize, row: Object<'r>, turn: Option<f64>) {
        let [kind, stamp] = row.pick(["kind", "turn"]);
        let Some(kind) = kind.and_then(Node::string) else { return };
        let stamped_so = turn.is_none_or(|turn| stamp.and_then(Node::number) == Some(turn));
        match kind.as_bytes() {
            b"contingent" => self.contingent.push((index, row)),
            b"conflict" => self.conflicts.push((index, row)),
            _ if !stamped_so => {}
            b"argument" => self.arguments.add(index, row),
            b"period" => self.periods.extend(PeriodRow::read(index, row)),
            b"grounded" => {
                let looked_up = row.get("lookedUp").and_then(Node::number).unwrap_or(0.0);
                self.grounded = Some(Grounded { index, looked_up });
            }
            b"steps-unfinished" => self.steps_unfinished.push(index),
            b"time-derived" => self.time_derived.push(index),
            b"script-shown" => {
                let unmatched = row.get("label").is_some_and(|label| label.is("unmatched"));
                self.scripts.push(Script { index, unmatched });
            }
            b"negative-claim" | b"negative-claim-note" => self.negative_claims.push(index),
            _ => {}
        }
    }
}

impl<'r> PeriodRow<'r> {
    fn read(index: usize, row: Object<'r>) -> Option<Self> {
        let [differs, beyond] = row.pick(["differs", "beyondRetention"]);
        Some(Self {
            index,
            call: text_at(row, "toolCallId")?,
            verdict: text_at(row, "verdict")?,
            argument: text_at(row, "argument"),
            differs: differs.and_then(Node::object).is_some(),
            beyond_retention: beyond.is_some_and(Node::is_true),
        })
    }
}
