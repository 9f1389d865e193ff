//! Going through a whole ledger: its structure, and every row against its seal.

use rusqlite::Connection;

use super::error::StoreError;
use super::read::Reader;
use super::row::{COLUMNS, Row};
use super::{document, position};

/// How many findings are named.
const FINDINGS_MAX: usize = 100;

impl Reader {
    /// What is amiss with the ledger, a line each, at most 100; nothing where all of it is as it
    /// was written. It reads all of it.
    ///
    /// # Errors
    /// When it cannot be read so far as to tell.
    pub fn check(&self) -> Result<Vec<String>, StoreError> {
        let checks = [structure, receipts, turns, documents, positions];
        let mut findings = Vec::new();
        for check in checks {
            check(&self.conn, &mut findings).map_err(|error| self.failing.of(error))?;
        }
        findings.truncate(FINDINGS_MAX);
        Ok(findings)
    }
}

type Findings = Vec<String>;

fn structure(conn: &Connection, findings: &mut Findings) -> rusqlite::Result<()> {
    let mut statement = conn.prepare(&format!("PRAGMA integrity_check({FINDINGS_MAX})"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let line: String = row.get(0)?;
        if line != "ok" {
            findings.push(line);
        }
    }
    Ok(())
}

fn receipts(conn: &Connection, findings: &mut Findings) -> rusqlite::Result<()> {
    let sql = format!("SELECT {COLUMNS}, text, seq FROM receipts NOT INDEXED ORDER BY seq");
    let mut statement = conn.prepare(&sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let text: Option<String> = row.get(13).ok();
        let is_whole = Row::read(row).zip(text).is_some_and(|(row, text)| row.holds(&text));
        if !is_whole && findings.len() < FINDINGS_MAX {
            let seq: i64 = row.get(14)?;
            findings.push(format!("receipt {seq} is not what was written"));
        }
    }
    Ok(())
}

/// A turn's boundaries are numbered from 1 without a gap, and its state has the last number.
fn turns(conn: &Connection, findings: &mut Findings) -> rusqlite::Result<()> {
    let sql = "SELECT turn_key FROM receipts LEFT JOIN documents ON key = turn_key \
               GROUP BY turn_key HAVING min(turn_version) <> 1 \
               OR count(*) <> max(turn_version) OR version IS NOT max(turn_version)";
    let mut statement = conn.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let (Some(row), true) = (rows.next()?, findings.len() < FINDINGS_MAX) {
        let key: String = row.get(0)?;
        findings.push(format!("the boundaries of turn `{key}` do not add up"));
    }
    Ok(())
}

fn documents(conn: &Connection, findings: &mut Findings) -> rusqlite::Result<()> {
    let mut statement = conn.prepare("SELECT key, version, body, seal FROM documents")?;
    let mut rows = statement.query([])?;
    while let (Some(row), true) = (rows.next()?, findings.len() < FINDINGS_MAX) {
        if !document::is_whole(row) {
            findings.push("the state of a turn is not what was written".to_owned());
        }
    }
    Ok(())
}

fn positions(conn: &Connection, findings: &mut Findings) -> rusqlite::Result<()> {
    let mut statement = conn.prepare("SELECT key, head, seal, payload FROM positions")?;
    let mut rows = statement.query([])?;
    while let (Some(row), true) = (rows.next()?, findings.len() < FINDINGS_MAX) {
        if !position::is_whole(row) {
            findings.push("a read position is not what was written".to_owned());
        }
    }
    Ok(())
}
