//! The layout of the file, and the steps that upgrade an older one.

use rusqlite::Connection;

use super::StoreError;

/// Each step leads from the layout of its place to the next. A step that has been published never changes.
const STEPS: [&str; 4] = [
    "
    CREATE TABLE run (
        id     INTEGER PRIMARY KEY,
        digest TEXT NOT NULL UNIQUE,  -- what makes two plans one run
        plan   TEXT NOT NULL,         -- JSON, as last asked for
        agon   TEXT NOT NULL,         -- the version that began it
        begun  INTEGER NOT NULL       -- seconds since 1970
    ) STRICT;

    CREATE TABLE bout (
        id               INTEGER PRIMARY KEY,
        run              INTEGER NOT NULL REFERENCES run (id),
        slot             INTEGER NOT NULL,  -- place in the schedule
        first            INTEGER NOT NULL,  -- agents, by their place in the plan
        second           INTEGER NOT NULL,
        seed             INTEGER NOT NULL,
        winner           TEXT NOT NULL,     -- first, second, draw, void
        reason           TEXT NOT NULL,
        first_verdict    TEXT NOT NULL,
        second_verdict   TEXT NOT NULL,
        first_score      REAL,
        second_score     REAL,
        plies            INTEGER NOT NULL,
        first_ms         REAL NOT NULL,     -- time used
        second_ms        REAL NOT NULL,
        first_delay_ms   REAL NOT NULL,     -- kept from a processor
        second_delay_ms  REAL NOT NULL,
        first_disturbed  INTEGER NOT NULL,  -- moves
        second_disturbed INTEGER NOT NULL,
        started          INTEGER NOT NULL,  -- seconds since 1970
        course           INTEGER NOT NULL,  -- digest of start and moves
        UNIQUE (run, slot)
    ) STRICT;

    -- Apart from their bouts, so that reading the bouts does not read the records.
    CREATE TABLE record (
        bout INTEGER PRIMARY KEY REFERENCES bout (id),
        text BLOB NOT NULL                  -- JSON Lines, by zstd
    ) STRICT;
",
    "
    ALTER TABLE bout ADD COLUMN worker TEXT;  -- the machine that played it, of a fleet

    -- Workers whose games count no longer.
    CREATE TABLE quarantine (
        run    INTEGER NOT NULL REFERENCES run (id),
        worker TEXT NOT NULL,
        why    TEXT NOT NULL,
        since  INTEGER NOT NULL,            -- seconds since 1970
        PRIMARY KEY (run, worker)
    ) STRICT;
",
    "
    -- How it was ended before its rules did: resignation, time, agreement, adjudication.
    ALTER TABLE bout ADD COLUMN termination TEXT;
    -- Why each side failed: JSON, an array of two; none where neither did, or the bout is older than this column.
    ALTER TABLE bout ADD COLUMN faults TEXT;
    UPDATE bout SET termination = 'adjudication' WHERE reason LIKE 'adjudicated: %';
",
    "
    -- Key and arguments of the reason: JSON; none of a bout that is older than this column.
    ALTER TABLE bout ADD COLUMN reason_keyed TEXT;
",
];

/// The layout of this program.
pub(super) const LAYOUT: u32 = STEPS.len() as u32;

/// The first layout that says how each bout was ended, and why each side failed.
pub(super) const FAULTS: u32 = 3;

/// The first layout with the keys of reasons.
pub(super) const KEYS: u32 = 4;

/// Brings a file to the layout of this program.
pub(super) fn run(connection: &mut Connection) -> Result<(), StoreError> {
    let found = check(connection)?;
    for (at, step) in (0..).zip(STEPS).skip(found as usize) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "user_version", at + 1)?;
        transaction.commit()?;
    }
    Ok(())
}

/// The layout of a file, if this program knows it; 0 of an empty one.
pub(super) fn check(connection: &Connection) -> Result<u32, StoreError> {
    let known = LAYOUT;
    let found: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    let tables: u32 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if found == 0 && tables > 0 { Err(StoreError::Foreign) } else { Ok(found) }
}
