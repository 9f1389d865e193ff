//! `quittance receipts list`.

use std::path::Path;

use quittance_evidence::clip;
use quittance_judge::outcome::Outcome;
use quittance_ledger::store::{Filter, Listing, Summary};
use serde_json::{Value, json};

use super::args::List;
use super::{open, when};
use crate::Answer;
use crate::exit::Failure;
use crate::render::{check, counted, escape};

/// Characters of an id that are listed: no two receipts of a ledger that fits a disk share them.
const ID_SHOWN: usize = 16;
/// Characters of a session's name that are listed: a UUID.
const SESSION_SHOWN: usize = 36;

pub(super) fn run(args: &List) -> Result<Answer, Failure> {
    let (path, reader) = open(args.ledger.as_deref())?;
    let filter = Filter {
        host: args.host.map(|host| host.as_str().to_owned()),
        session: args.session.clone(),
        outcome: args.outcome,
        since_ms: args.since,
        until_ms: args.until,
        limit: args.limit,
    };
    let listed = reader.list(&filter);
    let listing = listed.map_err(|source| Failure::Ledger { path: path.clone(), source })?;
    let text = text(&listing, args.limit);
    Ok(Answer { document: document(&path, &listing), text, code: 0 })
}

fn document(path: &Path, listing: &Listing) -> Value {
    let receipts: Vec<Value> = listing.receipts.iter().map(summary).collect();
    json!({
        "ledger": path.to_string_lossy(),
        "receipts": receipts,
        "damaged": listing.damaged,
    })
}

/// What is listed of a receipt.
pub(super) fn summary(receipt: &Summary) -> Value {
    json!({
        "receipt_id": receipt.id,
        "supersedes": receipt.supersedes,
        "host": receipt.turn.host,
        "session": receipt.turn.session,
        "turn": receipt.turn.turn,
        "agent": receipt.turn.agent,
        "boundary": receipt.boundary,
        "outcome": receipt.outcome,
        "cause": receipt.cause,
        "recorded_at_ms": receipt.recorded_at_ms,
        "recorded_at": when::text(receipt.recorded_at_ms),
    })
}

const COLUMNS: usize = 7;
/// The column of outcomes, which are coloured.
const OUTCOME: usize = 1;

fn row(receipt: &Summary) -> [String; COLUMNS] {
    let session = clip::head(&receipt.turn.session, SESSION_SHOWN);
    let id = receipt.id.hex();
    [
        when::text(receipt.recorded_at_ms),
        escape::foreign(&receipt.outcome),
        escape::foreign(&receipt.cause),
        escape::foreign(&receipt.turn.host),
        escape::foreign(session),
        receipt.boundary.to_string(),
        clip::head(&id, ID_SHOWN).to_owned(),
    ]
}

const HEADINGS: [&str; COLUMNS] =
    ["recorded", "outcome", "cause", "host", "session", "boundary", "receipt"];

fn text(listing: &Listing, limit: u32) -> String {
    let mut lines = String::new();
    if listing.receipts.is_empty() {
        lines.push_str("no receipt fits\n");
    } else {
        let mut rows = vec![HEADINGS.map(str::to_owned)];
        rows.extend(listing.receipts.iter().map(row));
        lines.push_str(&table(&rows));
    }
    if u32::try_from(listing.receipts.len()).is_ok_and(|shown| shown == limit) {
        lines.push_str(&counted(limit.into(), "receipt"));
        lines.push_str(" at most; --limit N lists more\n");
    }
    if listing.damaged > 0 {
        let damaged = counted(listing.damaged, "further row");
        lines.push_str(&damaged);
        lines.push_str(" cannot be relied on: not what was written\n");
    }
    lines
}

/// Rows in aligned columns.
fn table(rows: &[[String; COLUMNS]]) -> String {
    let mut widths = [0; COLUMNS];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut out = String::new();
    for row in rows {
        let cells = row.iter().zip(widths).enumerate();
        let cells: Vec<String> = cells.map(|(at, (cell, width))| shown(at, cell, width)).collect();
        out.push_str(cells.join("  ").trim_end());
        out.push('\n');
    }
    out
}

fn shown(at: usize, cell: &str, width: usize) -> String {
    let known = Outcome::ALL.into_iter().find(|known| at == OUTCOME && known.as_str() == cell);
    let Some(outcome) = known else { return format!("{cell:<width$}") };
    let style = check::style(outcome);
    format!("{style}{cell:<width$}{style:#}")
}
