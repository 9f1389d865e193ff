//! The argument rows of this turn: for each argument of each call, the last row that was filed.
//!
//! A row that is overwritten keeps its place: calls, and within a call its arguments, stand in the
//! order in which they first appeared.

use crate::{
    ids::IdMap,
    json::{Node, Object, Text},
};

/// One argument of one call, as its last row has it.
#[derive(Debug)]
pub(crate) struct ArgumentRow<'r> {
    pub(crate) index: usize,
    pub(crate) call: Text<'r>,
    pub(crate) argument: Text<'r>,
    /// Where the value came from, as far as that matters.
    pub(crate) origin: Origin,
    /// The value is still asked for.
    pub(crate) asked: bool,
    /// A rule covers the argument, or it is the call's period.
    pub(crate) ruled: bool,
    /// The check of its stated source failed.
    pub(crate) failed: bool,
    pub(crate) sourced: Sourced,
}

/// Where a value came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A rule filled it in.
    Default,
    /// The model chose it.
    Model,
    /// The model read it into what the person said.
    Reading,
    /// It was taken from a result that the model set aside.
    SetAside,
    /// It was traced, or nothing is said that counts against it.
    Other,
}

/// What came of the check of a stated source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sourced {
    /// No source was stated.
    NotStated,
    /// The check could not be made.
    Uncheckable,
    /// The check reached a verdict.
    Verdict,
}

/// The rows by call, then by argument.
#[derive(Debug, Default)]
pub(crate) struct Arguments<'r> {
    calls: Vec<Vec<ArgumentRow<'r>>>,
    places: IdMap<'r, CallPlace<'r>>,
}

#[derive(Debug)]
struct CallPlace<'r> {
    call: usize,
    arguments: IdMap<'r, usize>,
}

impl<'r> Arguments<'r> {
    /// Adds a row. One that names no call or no argument is no argument row.
    pub(crate) fn add(&mut self, index: usize, row: Object<'r>) {
        let Some(row) = ArgumentRow::read(index, row) else { return };
        let calls = &mut self.calls;
        let place = self.places.or_insert_with(row.call.clone(), || {
            calls.push(Vec::new());
            CallPlace { call: calls.len() - 1, arguments: IdMap::default() }
        });
        let Some(rows) = calls.get_mut(place.call) else { return };
        let slot = *place.arguments.or_insert_with(row.argument.clone(), || rows.len());
        match rows.get_mut(slot) {
            Some(before) => *before = row,
            None => rows.push(row),
        }
    }

    /// The rows in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &ArgumentRow<'r>> {
        self.calls.iter().flatten()
    }

    /// The row of one argument of one call.
    pub(crate) fn of(&self, call: &Text<'_>, argument: &Text<'_>) -> Option<&ArgumentRow<'r>> {
        let place = self.places.get(call)?;
        let slot = place.arguments.get(argument)?;
        self.calls.get(place.call)?.get(*slot)
    }
}

impl<'r> ArgumentRow<'r> {
    fn read(index: usize, row: Object<'r>) -> Option<Self> {
        let [call, argument, source, asked, rule, period, failed, claimed, reading, set_aside] =
            row.pick([
                "toolCallId",
                "argument",
                "source",
                "asked",
                "rule",
                "period",
                "failed",
                "claimed",
                "reading",
                "setAside",
            ]);
        let is_text = |value: Option<Node<'_>>| value.and_then(Node::string).is_some();
        let source = source.and_then(Node::string);
        let origin = match source.as_ref().map(Text::as_bytes) {
            Some(b"default") => Origin::Default,
            Some(b"model") => Origin::Model,
            Some(b"said") if reading.is_some_and(Node::is_true) => Origin::Reading,
            Some(b"result") if is_text(set_aside) => Origin::SetAside,
            _ => Origin::Other,
        };
        let sourced = match (is_text(claimed), failed.is_some_and(|f| f.is("uncheckable"))) {
            (false, _) => Sourced::NotStated,
            (true, true) => Sourced::Uncheckable,
            (true, false) => Sourced::Verdict,
        };
        Some(Self {
            index,
            call: call.and_then(Node::string)?,
            argument: argument.and_then(Node::string)?,
            asked: is_text(asked) && source.is_none(),
            ruled: rule.is_some() || period.is_some_and(Node::is_true),
            failed: failed.is_some(),
            origin,
            sourced,
        })
    }
}
