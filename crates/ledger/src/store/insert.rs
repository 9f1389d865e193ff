//! Adding a receipt.

use quittance_evidence::canonical::Digest;
use rusqlite::{Connection, params};

use super::error::{Failing, StoreError};
use super::key::TurnKey;
use super::row::{Row, text_seal};
use crate::Receipt;

/// A receipt, and what is kept beside it.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// The receipt. It is kept with the turn's last receipt as the one that it supersedes, which is
    /// no part of its id.
    pub receipt: &'a Receipt,
    /// Wall clock, ms since 1970.
    pub recorded_at_ms: i64,
}

/// Where a receipt stands in its turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    pub(super) turn: &'a TurnKey,
    /// The turn's version from here on.
    pub(super) version: i64,
    pub(super) supersedes: Option<Digest>,
}

/// Adds a receipt.
pub(super) fn insert(
    begun: &Connection,
    place: Place<'_>,
    entry: &Entry<'_>,
    failing: &Failing,
) -> Result<(), StoreError> {
    let receipt = entry.receipt.clone().superseding(place.supersedes);
    let text = receipt.to_text();
    let row = Row {
        id: receipt.id().to_string(),
        supersedes: place.supersedes.map(|id| id.to_string()),
        turn_key: place.turn.digest().to_string(),
        turn_version: place.version,
        turn: place.turn.clone(),
        outcome: receipt.status().to_owned(),
        cause: receipt.body().outcome.cause.clone(),
        recorded_at_ms: entry.recorded_at_ms,
        text_seal: text_seal(&text),
    };
    write(begun, &row, &text).map(drop).map_err(|error| failing.of(error))
}

fn write(begun: &Connection, row: &Row, text: &str) -> rusqlite::Result<usize> {
    let TurnKey { host, session, turn, agent } = &row.turn;
    begun.execute(
        "INSERT INTO receipts (id, supersedes, turn_key, turn_version, host, session, turn, agent, \
         outcome, cause, recorded_at_ms, text_seal, seal, text) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
        params![
            row.id,
            row.supersedes,
            row.turn_key,
            row.turn_version,
            host,
            session,
            turn,
            agent,
            row.outcome,
            row.cause,
            row.recorded_at_ms,
            row.text_seal,
            row.seal(),
            text,
        ],
    )
}
