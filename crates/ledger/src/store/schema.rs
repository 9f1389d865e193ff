//! The tables, and how an older file is brought forward.
//!
//! A released migration is never edited. Each runs in one transaction that also writes its number,
//! so a process that is killed leaves the file at one version or the next.

use rusqlite::Connection;

use super::connect::make_durable;
use super::error::{Failing, StoreError};
use super::immediate;

/// What leads from each version to the next; the first makes an empty file a ledger.
pub(super) const MIGRATIONS: &[&str] = &[include_str!("schema/v1.sql")];

/// The schema's version.
pub const SCHEMA_VERSION: i64 = MIGRATIONS.len() as i64;

/// Marks a file as a ledger of ours: `QUIT`.
const APPLICATION_ID: i64 = 0x5155_4954;

/// Brings a file to the last version of a list. A newer file, or one that is not ours, is refused
/// before anything is written to it.
pub(super) fn bring_forward(
    conn: &mut Connection,
    migrations: &[&str],
    failing: &Failing,
) -> Result<(), StoreError> {
    let known = migrations.len() as i64;
    let mut version = snapshot_version(conn, known, failing)?;
    make_durable(conn, failing)?;
    while version < known {
        version = step(conn, migrations, failing)?;
    }
    Ok(())
}

/// Takes the next step, unless another process has taken the last one meanwhile. The version then.
fn step(conn: &mut Connection, migrations: &[&str], failing: &Failing) -> Result<i64, StoreError> {
    let of = |error| failing.of(error);
    let begun = immediate(conn).map_err(of)?;
    let found = version(&begun, migrations.len() as i64, failing)?;
    let sql = usize::try_from(found).ok().and_then(|done| migrations.get(done));
    let Some(sql) = sql else { return Ok(found) };
    begun.execute_batch(sql).map_err(of)?;
    begun.pragma_update(None, "application_id", APPLICATION_ID).map_err(of)?;
    begun.pragma_update(None, "user_version", found + 1).map_err(of)?;
    begun.commit().map_err(of)?;
    Ok(found + 1)
}

/// Holds a file that is only read to the version we know.
pub(super) fn require_current(conn: &Connection, failing: &Failing) -> Result<(), StoreError> {
    match snapshot_version(conn, SCHEMA_VERSION, failing)? {
        // Its maker has not come to the tables.
        0 => Err(StoreError::Missing),
        SCHEMA_VERSION => Ok(()),
        found => Err(StoreError::OlderSchema { found, known: SCHEMA_VERSION }),
    }
}

fn snapshot_version(conn: &Connection, known: i64, failing: &Failing) -> Result<i64, StoreError> {
    let snapshot = conn.unchecked_transaction().map_err(|error| failing.of(error))?;
    version(&snapshot, known, failing)
}

/// The file's version, 0 for an empty file. To be read within one transaction: a file that is being
/// made has tables before one looks and a version after.
fn version(conn: &Connection, known: i64, failing: &Failing) -> Result<i64, StoreError> {
    let number = |sql| conn.query_row(sql, [], |row| row.get(0)).map_err(|e| failing.of(e));
    let found: i64 = number("PRAGMA user_version")?;
    let application: i64 = number("PRAGMA application_id")?;
    let tables: i64 = number("SELECT count(*) FROM sqlite_master")?;
    match (application, found) {
        (APPLICATION_ID, 1..) if found <= known => Ok(found),
        (APPLICATION_ID, 1..) => Err(StoreError::NewerSchema { found, known }),
        (APPLICATION_ID, _) => Err(failing.damaged(format!("its schema is version {found}"))),
        (0, 0) if tables == 0 => Ok(0),
        _ => Err(StoreError::Foreign),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::super::connect::{self, Access};
    use super::*;

    /// Versions of a schema that never was.
    const ONE: &str = "CREATE TABLE notes (text TEXT) STRICT; INSERT INTO notes VALUES ('kept')";
    const TWO: &str = "ALTER TABLE notes ADD COLUMN times INTEGER NOT NULL DEFAULT 1";
    const BROKEN: &str = "ALTER TABLE notes ADD COLUMN more TEXT; ALTER TABLE nothing RENAME TO x";

    struct File(tempfile::TempDir);

    impl File {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn open(&self) -> (Connection, Failing) {
            let wait_until = Instant::now() + Duration::from_secs(30);
            connect::open(&self.0.path().join("ledger.db"), Access::Write, wait_until).unwrap()
        }

        /// Opens under a list of migrations; then the table's columns and rows.
        fn under(&self, migrations: &[&str]) -> Result<String, StoreError> {
            let (mut conn, failing) = self.open();
            bring_forward(&mut conn, migrations, &failing)?;
            let mut statement = conn.prepare("SELECT * FROM notes").unwrap();
            let columns = statement.column_names().collect::<Vec<_>>().join(" ");
            let rows = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
            Ok(format!("{columns}: {}", rows.map(Result::unwrap).collect::<Vec<_>>().join(" ")))
        }
    }

    #[test]
    fn an_older_file_is_brought_forward_and_keeps_its_rows() {
        let file = File::new();
        assert_eq!(file.under(&[ONE]).unwrap(), "text: kept");
        assert_eq!(file.under(&[ONE, TWO]).unwrap(), "text times: kept");
        assert_eq!(file.under(&[ONE, TWO]).unwrap(), "text times: kept");
    }

    #[test]
    fn an_empty_file_takes_every_step() {
        assert_eq!(File::new().under(&[ONE, TWO]).unwrap(), "text times: kept");
    }

    #[test]
    fn a_step_that_fails_leaves_the_version_before() {
        let file = File::new();
        assert_eq!(file.under(&[ONE]).unwrap(), "text: kept");
        assert!(matches!(file.under(&[ONE, BROKEN]), Err(StoreError::Damaged(_))));
        assert_eq!(file.under(&[ONE]).unwrap(), "text: kept");
    }

    #[test]
    fn a_newer_file_is_refused_and_not_touched() {
        let file = File::new();
        file.under(&[ONE, TWO]).unwrap();
        let path = file.0.path().join("ledger.db");
        let before = std::fs::read(&path).unwrap();
        let refused = file.under(&[ONE]);
        assert!(matches!(refused, Err(StoreError::NewerSchema { found: 2, known: 1 })));
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }

    #[test]
    fn a_database_of_another_program_is_refused_and_not_touched() {
        let file = File::new();
        let path = file.0.path().join("ledger.db");
        let other = Connection::open(&path).unwrap();
        other.execute_batch("CREATE TABLE theirs (x); PRAGMA user_version = 1").unwrap();
        drop(other);
        let before = std::fs::read(&path).unwrap();
        assert!(matches!(file.under(&[ONE]), Err(StoreError::Foreign)));
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }

    #[test]
    fn the_last_step_is_taken_once_by_many() {
        let file = File::new();
        file.under(&[ONE]).unwrap();
        std::thread::scope(|scope| {
            let opened: Vec<_> = (0..8).map(|_| scope.spawn(|| file.under(&[ONE, TWO]))).collect();
            for opening in opened {
                assert_eq!(opening.join().unwrap().unwrap(), "text times: kept");
            }
        });
    }

    #[test]
    fn a_file_that_is_only_read_is_at_our_version() {
        let file = File::new();
        let (mut conn, failing) = file.open();
        assert!(matches!(require_current(&conn, &failing), Err(StoreError::Missing)));
        bring_forward(&mut conn, MIGRATIONS, &failing).unwrap();
        require_current(&conn, &failing).unwrap();
    }
}
