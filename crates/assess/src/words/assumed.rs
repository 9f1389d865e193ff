//! Assumed values by name: each tool, argument and value once, never counted together and never left
//! out, since a person can tell at once whether the value is theirs.

use std::fmt::Write as _;

use super::{Clause, clause};
use crate::{
    assessment::Fired,
    json::{Kind, Node, Object},
    pointer::{Place, Pointer, RowField},
    reason::Reason,
    record::Record,
    state::{PLACEHOLDERS, StateKey},
    turn::text_at,
};

/// How many characters of a text of the record are shown. A value that is longer is recognized by
/// its beginning.
const SHOWN_MAX: usize = 120;

/// One clause for each assumed value, and one for what middlewares filled in.
pub(super) fn clauses<'r>(record: &'r Record<'_>, fired: &Fired<'r>) -> Vec<Clause<'r>> {
    let ledger = record.state().and_then(|state| state.get(StateKey::FindingsLedger.as_str()));
    let rows: Vec<_> =
        ledger.and_then(Node::array).into_iter().flat_map(|list| list.entries()).collect();
    let mut said: Vec<Clause<'r>> = Vec::new();
    let mut places = std::collections::BTreeMap::new();
    let mut rewritten = Vec::new();
    for witness in &fired.witness {
        let row = match witness {
            Pointer::State(Place::Ledger(index, RowField::Argument)) => rows.get(*index),
            _ => None,
        };
        let Some(row) = row.and_then(|row| row.object()) else {
            rewritten.push(witness.clone());
            continue;
        };
        let text = assumed(row);
        let place = *places.entry(text.clone()).or_insert(said.len());
        match said.get_mut(place) {
            Some(same) => same.rests_on.push(witness.clone()),
            None => said.push(Clause::new(text, vec![witness.clone()])),
        }
    }
    if !rewritten.is_empty() {
        let text = "a middleware put in a value that is not declared as the person's or the app's";
        said.push(Clause::new(text, rewritten));
    }
    if said.is_empty() {
        said.push(Clause::new(clause::reason(Reason::ArgumentAssumed), fired.witness.clone()));
    }
    said
}

fn assumed(row: Object<'_>) -> String {
    let name = |key, otherwise: &str| {
        text_at(row, key).map_or_else(|| otherwise.to_owned(), |name| quoted(&name.to_lossy(), '`'))
    };
    let (tool, argument) = (name("toolName", "a call"), name("argument", "an argument"));
    format!("{tool} ran with {} for {argument}, which nobody gave", value(row.get("value")))
}

fn value(value: Option<Node<'_>>) -> String {
    let Some(value) = value else { return "a value the record does not show".to_owned() };
    if PLACEHOLDERS.iter().any(|word| value.is(word)) {
        return "a value the record keeps out".to_owned();
    }
    match value.kind() {
        Kind::Array => "a list".to_owned(),
        Kind::Object => "an object".to_owned(),
        Kind::String => {
            value.string().map_or_else(String::new, |text| quoted(&text.to_lossy(), '"'))
        }
        Kind::Null | Kind::True | Kind::False | Kind::Number => {
            shown(&String::from_utf8_lossy(value.raw()))
        }
    }
}

/// Text of the record between quotes, with nothing left in it that a terminal would obey.
fn quoted(text: &str, quote: char) -> String {
    let mut out = String::from(quote);
    out.push_str(&shown(text));
    out.push(quote);
    out
}

fn shown(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars().take(SHOWN_MAX) {
        match character {
            '\'' => out.push('\''),
            '`' => out.push_str("\\`"),
            other => {
                // Writing to a string cannot fail.
                let _ = write!(out, "{}", other.escape_debug());
            }
        }
    }
    if text.chars().nth(SHOWN_MAX).is_some() {
        out.push('…');
    }
    out
}
