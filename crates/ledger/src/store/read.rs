//! Looking receipts up.

use quittance_evidence::canonical::Digest;
use quittance_judge::outcome::Outcome;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};

use super::error::{Failing, StoreError};
use super::key::TurnKey;
use super::row::{COLUMNS, Row};

/// A ledger that is only read.
#[derive(Debug)]
pub struct Reader {
    pub(super) conn: Connection,
    pub(super) failing: Failing,
}

/// Which receipts to list. Every part that is given must fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// The host's name on the wire.
    pub host: Option<String>,
    /// The session's id.
    pub session: Option<String>,
    /// The outcome.
    pub outcome: Option<Outcome>,
    /// Recorded then or later; wall clock, ms since 1970.
    pub since_ms: Option<i64>,
    /// Recorded before then; wall clock, ms since 1970.
    pub until_ms: Option<i64>,
    /// How many at most.
    pub limit: u32,
}

/// How many receipts are listed when nobody says.
pub const DEFAULT_LIMIT: u32 = 50;

impl Default for Filter {
    fn default() -> Self {
        Self {
            host: None,
            session: None,
            outcome: None,
            since_ms: None,
            until_ms: None,
            limit: DEFAULT_LIMIT,
        }
    }
}

/// A receipt in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Its id.
    pub id: Digest,
    /// The receipt that was the turn's last until then.
    pub supersedes: Option<Digest>,
    /// The turn.
    pub turn: TurnKey,
    /// Which boundary of its turn, from 1.
    pub boundary: u64,
    /// The outcome's word.
    pub outcome: String,
    /// Its cause.
    pub cause: String,
    /// Wall clock, ms since 1970.
    pub recorded_at_ms: i64,
}

/// A list, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Listing {
    /// The receipts.
    pub receipts: Vec<Summary>,
    /// How many more fit, and are not what was written.
    pub damaged: u64,
}

/// A receipt that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stored {
    /// What is listed of it, of the last time that it was recorded.
    pub summary: Summary,
    /// The receipt: canonical JSON.
    pub text: String,
    /// How many boundaries came out as this receipt.
    pub times: u64,
}

/// What a search for an id found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "an answer a caller must act on")]
pub enum Lookup {
    /// One receipt.
    Found(Box<Stored>),
    /// None that begins so.
    None,
    /// Several, of which these are the first.
    Ambiguous(Vec<String>),
    /// What was searched for is no beginning of an id.
    NotAnId,
}

/// How many ids are named of those that a beginning fits.
const AMBIGUOUS_MAX: usize = 8;

impl Reader {
    pub(super) const fn new(conn: Connection, failing: Failing) -> Self {
        Self { conn, failing }
    }

    /// Lists receipts, newest first, without their texts.
    ///
    /// # Errors
    /// When the ledger cannot be read. A row that is not what was written is only counted.
    pub fn list(&self, filter: &Filter) -> Result<Listing, StoreError> {
        self.list_rows(filter).map_err(|error| self.failing.of(error))
    }

    fn list_rows(&self, filter: &Filter) -> rusqlite::Result<Listing> {
        let Query { sql, values } = query(filter);
        let mut statement = self.conn.prepare(&sql)?;
        let mut rows = statement.query(params_from_iter(values))?;
        let mut listing = Listing::default();
        while let Some(row) = rows.next()? {
            match Row::read(row).and_then(Row::summary) {
                Some(summary) => listing.receipts.push(summary),
                None => listing.damaged += 1,
            }
        }
        Ok(listing)
    }

    /// Finds a receipt by its id or the beginning of it, with or without `sha256:`.
    ///
    /// # Errors
    /// When the ledger cannot be read, or the receipt is not what was written.
    pub fn find(&self, id: &str) -> Result<Lookup, StoreError> {
        let Some(beginning) = beginning(id) else { return Ok(Lookup::NotAnId) };
        let mut ids = self.ids(&beginning).map_err(|error| self.failing.of(error))?;
        match (ids.pop(), ids.is_empty()) {
            (None, _) => Ok(Lookup::None),
            (Some(id), true) => Ok(Lookup::Found(Box::new(self.newest(&id)?))),
            (Some(last), false) => {
                ids.push(last);
                ids.truncate(AMBIGUOUS_MAX);
                Ok(Lookup::Ambiguous(ids))
            }
        }
    }

    /// Up to one id more than are named.
    fn ids(&self, beginning: &str) -> rusqlite::Result<Vec<String>> {
        // `g` comes after every hex digit.
        let bounds = [beginning.to_owned(), format!("{beginning}g")];
        let sql = format!(
            "SELECT DISTINCT id FROM receipts INDEXED BY receipts_by_id \
             WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT {}",
            AMBIGUOUS_MAX + 1
        );
        let mut statement = self.conn.prepare(&sql)?;
        let ids = statement.query_map(bounds, |row| row.get(0))?;
        let mut ids = ids.collect::<rusqlite::Result<Vec<String>>>()?;
        // In an index that is damaged, what lies between two ids need not be.
        ids.retain(|id| id.starts_with(beginning));
        Ok(ids)
    }

    fn newest(&self, id: &str) -> Result<Stored, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS}, text, (SELECT count(*) FROM receipts WHERE id = ?1) FROM receipts \
             INDEXED BY receipts_by_id WHERE id = ?1 ORDER BY seq DESC LIMIT 1"
        );
        let read = self.conn.query_row(&sql, [id], |row| {
            let text: String = row.get(13)?;
            Ok((Row::read(row), text, row.get::<_, i64>(14)?))
        });
        let (row, text, times) = read.map_err(|error| self.failing.of(error))?;
        let summary = row.filter(|row| row.holds(&text)).and_then(Row::summary);
        let damaged = || self.failing.damaged(format!("receipt `{id}` is not what was written"));
        Ok(Stored { summary: summary.ok_or_else(damaged)?, text, times: times.unsigned_abs() })
    }
}

/// The beginning of an id as the ledger spells it; none when it is none.
fn beginning(id: &str) -> Option<String> {
    let hex = id.strip_prefix("sha256:").unwrap_or(id).to_ascii_lowercase();
    let is_hex = (1..=64).contains(&hex.len()) && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex.then(|| format!("sha256:{hex}"))
}

struct Query {
    sql: String,
    values: Vec<Value>,
}

fn query(filter: &Filter) -> Query {
    let text = |text: &String| Value::Text(text.clone());
    let outcome = filter.outcome.map(|outcome| Value::Text(outcome.as_str().to_owned()));
    let parts = [
        ("session = ?", filter.session.as_ref().map(text)),
        ("outcome = ?", outcome),
        ("host = ?", filter.host.as_ref().map(text)),
        ("recorded_at_ms >= ?", filter.since_ms.map(Value::Integer)),
        ("recorded_at_ms < ?", filter.until_ms.map(Value::Integer)),
    ];
    let given = parts.into_iter().filter_map(|(part, value)| value.map(|value| (part, value)));
    let (conditions, mut values): (Vec<_>, Vec<_>) = given.unzip();
    let conditions = if conditions.is_empty() { "1".to_owned() } else { conditions.join(" AND ") };
    values.push(Value::Integer(i64::from(filter.limit)));
    let index = index(filter);
    let sql = format!(
        "SELECT {COLUMNS} FROM receipts INDEXED BY {index} WHERE {conditions} \
         ORDER BY recorded_at_ms DESC, seq DESC LIMIT ?"
    );
    Query { sql, values }
}

/// The index to go by, named since the library knows no numbers: a session has few receipts, an
/// outcome has many, of which its index also knows the host.
const fn index(filter: &Filter) -> &'static str {
    match filter {
        Filter { session: Some(_), .. } => "receipts_by_session",
        Filter { outcome: Some(_), .. } => "receipts_by_outcome",
        Filter { host: Some(_), .. } => "receipts_by_host",
        _ => "receipts_by_time",
    }
}
