-- One row for each boundary, in the order in which they were recorded. The text comes last: a row is
-- listed without the pages that hold it.
CREATE TABLE receipts (
  seq INTEGER PRIMARY KEY,
  -- The receipt's id. Two boundaries that came out the same have one.
  id TEXT NOT NULL,
  -- The receipt that was the turn's last until then.
  supersedes TEXT,
  -- Digest of the four names of the turn.
  turn_key TEXT NOT NULL,
  -- Which boundary of its turn, from 1: the version of the turn's state since then.
  turn_version INTEGER NOT NULL,
  host TEXT NOT NULL,
  session TEXT NOT NULL,
  turn TEXT NOT NULL,
  agent TEXT,
  outcome TEXT NOT NULL,
  cause TEXT NOT NULL,
  -- Wall clock, ms since 1970.
  recorded_at_ms INTEGER NOT NULL,
  text_seal TEXT NOT NULL,
  -- Digest of every column but itself and the text.
  seal TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;

-- No two boundaries are one version of a turn, and the highest is the version of its state.
CREATE UNIQUE INDEX receipts_by_turn ON receipts (turn_key, turn_version);
CREATE INDEX receipts_by_id ON receipts (id);
CREATE INDEX receipts_by_session ON receipts (session, recorded_at_ms);
CREATE INDEX receipts_by_outcome ON receipts (outcome, recorded_at_ms, host);
CREATE INDEX receipts_by_host ON receipts (host, recorded_at_ms);
CREATE INDEX receipts_by_time ON receipts (recorded_at_ms);

-- What boundaries leave for the next: one document for each turn, session and transcript.
CREATE TABLE documents (
  key TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  body TEXT NOT NULL,
  -- Digest of key, version and body.
  seal TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- How far each transcript was read. A cache.
CREATE TABLE positions (
  seq INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  head TEXT NOT NULL,
  seal TEXT NOT NULL,
  payload BLOB NOT NULL
) STRICT;
