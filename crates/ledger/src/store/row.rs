//! A receipt's row, with the seal by which a reader knows that it is the row that was written.
//!
//! The library notices a damaged structure and not a damaged value; the seals notice that.

use quittance_evidence::canonical::Digest;
use serde_json::json;

use super::key::TurnKey;
use super::read::Summary;

/// The columns of a row but its text, in the order in which [`Row::read`] takes them.
pub(super) const COLUMNS: &str = "id, supersedes, turn_key, turn_version, host, session, turn, \
                                  agent, outcome, cause, recorded_at_ms, text_seal, seal";

/// The row of a receipt, without its text.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) id: String,
    pub(super) supersedes: Option<String>,
    pub(super) turn_key: String,
    pub(super) turn_version: i64,
    pub(super) turn: TurnKey,
    pub(super) outcome: String,
    pub(super) cause: String,
    pub(super) recorded_at_ms: i64,
    pub(super) text_seal: String,
}

impl Row {
    /// A digest of all of it.
    pub(super) fn seal(&self) -> String {
        let TurnKey { host, session, turn, agent } = &self.turn;
        Digest::of(&json!([
            self.id,
            self.supersedes,
            self.turn_key,
            self.turn_version,
            [host, session, turn],
            agent,
            self.outcome,
            self.cause,
            self.recorded_at_ms,
            self.text_seal,
        ]))
        .to_string()
    }

    /// Reads [`COLUMNS`]; none when it is not what was written.
    pub(super) fn read(row: &rusqlite::Row<'_>) -> Option<Self> {
        let [host, session, turn] = [row.get(4).ok()?, row.get(5).ok()?, row.get(6).ok()?];
        let read = Self {
            id: row.get(0).ok()?,
            supersedes: row.get(1).ok()?,
            turn_key: row.get(2).ok()?,
            turn_version: row.get(3).ok()?,
            turn: TurnKey { host, session, turn, agent: row.get(7).ok()? },
            outcome: row.get(8).ok()?,
            cause: row.get(9).ok()?,
            recorded_at_ms: row.get(10).ok()?,
            text_seal: row.get(11).ok()?,
        };
        let seal: String = row.get(12).ok()?;
        (seal == read.seal()).then_some(read)
    }

    /// Whether this is the text.
    pub(super) fn holds(&self, text: &str) -> bool {
        self.text_seal == text_seal(text)
    }

    /// The row as a caller reads it; none when an id is none.
    pub(super) fn summary(self) -> Option<Summary> {
        let supersedes = match self.supersedes {
            Some(id) => Some(id.parse().ok()?),
            None => None,
        };
        Some(Summary {
            id: self.id.parse().ok()?,
            supersedes,
            turn: self.turn,
            boundary: self.turn_version.unsigned_abs(),
            outcome: self.outcome,
            cause: self.cause,
            recorded_at_ms: self.recorded_at_ms,
        })
    }
}

/// A digest of a receipt's text.
pub(super) fn text_seal(text: &str) -> String {
    Digest::of_bytes(text.as_bytes()).to_string()
}
