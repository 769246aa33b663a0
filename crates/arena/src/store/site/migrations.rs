//! The layout of a site's file, and the steps that bring an older one to it.

use rusqlite::Connection;

use super::super::StoreError;

/// What tells such a file from a store of series, which begins its numbers at 1, too: "Agon" in ASCII.
const APPLICATION: i32 = 0x4167_6f6e;

/// Each step leads from the layout of its place to the next. A step that has been published never changes. Numbers that
/// stand in addresses are never given twice (AUTOINCREMENT).
pub(super) const STEPS: [&str; 2] = [
    "
    CREATE TABLE account (
        id       INTEGER PRIMARY KEY AUTOINCREMENT,
        name     TEXT NOT NULL UNIQUE COLLATE NOCASE,
        password TEXT NOT NULL,               -- Argon2id, as a PHC string
        host     INTEGER NOT NULL,            -- whether it may administer the site
        frozen   INTEGER NOT NULL DEFAULT 0,
        created  INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE session (
        digest  BLOB PRIMARY KEY,             -- SHA-256 of what the cookie holds
        account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        begun   INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX session_account ON session (account);

    CREATE TABLE token (
        id      INTEGER PRIMARY KEY,
        account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        name    TEXT NOT NULL,
        digest  BLOB NOT NULL UNIQUE,
        created INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX token_account ON token (account);

    CREATE TABLE invitation (
        id      INTEGER PRIMARY KEY,
        digest  BLOB NOT NULL UNIQUE,
        note    TEXT NOT NULL,
        host    INTEGER NOT NULL,             -- whether the account becomes an administrator's
        uses    INTEGER NOT NULL,             -- how many accounts it still makes
        created INTEGER NOT NULL,
        expires INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

    CREATE TABLE announcement (
        id      INTEGER PRIMARY KEY,
        text    TEXT NOT NULL,
        created INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE program (
        id      INTEGER PRIMARY KEY AUTOINCREMENT,
        game    TEXT NOT NULL,
        name    TEXT NOT NULL COLLATE NOCASE,
        account INTEGER REFERENCES account (id) ON DELETE CASCADE,  -- nobody's: built in
        builtin TEXT,                         -- how the registry of engines names it
        fixed   INTEGER NOT NULL DEFAULT 0,   -- whether games leave its rating as it is
        barred  INTEGER NOT NULL DEFAULT 0,   -- disqualified
        active  INTEGER REFERENCES version (id),
        rating  REAL NOT NULL,
        games   INTEGER NOT NULL DEFAULT 0,   -- rated ones, as all counts here
        firsts  INTEGER NOT NULL DEFAULT 0,
        wins    INTEGER NOT NULL DEFAULT 0,
        draws   INTEGER NOT NULL DEFAULT 0,
        faults  INTEGER NOT NULL DEFAULT 0,   -- games with another verdict than OK
        form    TEXT NOT NULL DEFAULT '',     -- W, D and L of the last games, the newest at the end
        last    INTEGER NOT NULL DEFAULT 0,   -- when its last game was begun
        created INTEGER NOT NULL,
        UNIQUE (account, game, name)
    ) STRICT;
    CREATE UNIQUE INDEX program_builtin ON program (game, builtin) WHERE builtin IS NOT NULL;
    CREATE INDEX program_ladder ON program (game, rating);

    CREATE TABLE version (
        id        INTEGER PRIMARY KEY AUTOINCREMENT,
        program   INTEGER NOT NULL REFERENCES program (id) ON DELETE CASCADE,
        number    INTEGER NOT NULL,           -- from 1 within the program
        language  TEXT NOT NULL,
        source    TEXT NOT NULL,
        state     TEXT NOT NULL,              -- queued, checking, failed, passed
        message   TEXT NOT NULL DEFAULT '',   -- why it failed
        bout      INTEGER,                    -- its check game
        games     INTEGER NOT NULL DEFAULT 0,
        submitted INTEGER NOT NULL,
        settled   INTEGER,
        UNIQUE (program, number)
    ) STRICT;
    CREATE INDEX version_queue ON version (state, id) WHERE state IN ('queued', 'checking');

    CREATE TABLE bout (
        id             INTEGER PRIMARY KEY AUTOINCREMENT,
        game           TEXT NOT NULL,
        kind           TEXT NOT NULL,         -- check, ladder
        seed           INTEGER NOT NULL,
        first          INTEGER NOT NULL REFERENCES program (id) ON DELETE CASCADE,
        second         INTEGER NOT NULL REFERENCES program (id) ON DELETE CASCADE,
        first_version  INTEGER,               -- its number within the program; none of a built-in
        second_version INTEGER,
        begun          INTEGER NOT NULL,
        ended          INTEGER,               -- none while it is played
        winner         TEXT,                  -- first, second, draw, void
        reason         TEXT,
        first_verdict  TEXT,
        second_verdict TEXT,
        plies          INTEGER,
        first_ms       REAL,
        second_ms      REAL,
        first_rating   REAL,                  -- afterwards; none of a game that is not rated
        second_rating  REAL
    ) STRICT;
    CREATE INDEX bout_first ON bout (first, id);
    CREATE INDEX bout_second ON bout (second, id);
    CREATE INDEX bout_game ON bout (game, id);
    CREATE INDEX bout_running ON bout (id) WHERE ended IS NULL;

    -- Apart from their bouts, so that reading the bouts does not read the records.
    CREATE TABLE record (
        bout INTEGER PRIMARY KEY REFERENCES bout (id) ON DELETE CASCADE,
        text BLOB NOT NULL                    -- JSON Lines, by zstd
    ) STRICT;

    -- What rated games between two programs add up to, from the side of each.
    CREATE TABLE meeting (
        program  INTEGER NOT NULL REFERENCES program (id) ON DELETE CASCADE,
        opponent INTEGER NOT NULL REFERENCES program (id) ON DELETE CASCADE,
        games    INTEGER NOT NULL,
        wins     INTEGER NOT NULL,
        draws    INTEGER NOT NULL,
        PRIMARY KEY (program, opponent)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX meeting_opponent ON meeting (opponent);
",
    "
    CREATE TABLE final (
        id      INTEGER PRIMARY KEY AUTOINCREMENT,
        title   TEXT NOT NULL,
        plan    TEXT NOT NULL,                -- JSON; an agent's text is the number of its version
        state   TEXT NOT NULL,                -- running, complete, stopped
        created INTEGER NOT NULL
    ) STRICT;

    -- A bout of kind `final` is the one of a slot of the final's schedule.
    ALTER TABLE bout ADD COLUMN final INTEGER REFERENCES final (id) ON DELETE CASCADE;
    ALTER TABLE bout ADD COLUMN slot INTEGER;
    CREATE UNIQUE INDEX bout_slot ON bout (final, slot) WHERE final IS NOT NULL;

    -- Games that an author has asked for.
    CREATE TABLE asked_bout (
        id      INTEGER PRIMARY KEY AUTOINCREMENT,
        account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        first   INTEGER NOT NULL REFERENCES program (id) ON DELETE CASCADE,
        second  INTEGER NOT NULL REFERENCES program (id) ON DELETE CASCADE,
        games   INTEGER NOT NULL,
        created INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX asked_bout_account ON asked_bout (account);
    -- A bout of kind `asked` is one of these.
    ALTER TABLE bout ADD COLUMN asked INTEGER REFERENCES asked_bout (id) ON DELETE SET NULL;
    CREATE INDEX bout_asked ON bout (asked) WHERE asked IS NOT NULL;
",
];

/// Brings a file to the layout of this program.
pub(super) fn run(connection: &mut Connection) -> Result<(), StoreError> {
    let found = check(connection)?;
    for (at, step) in (0..).zip(STEPS).skip(found as usize) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", at + 1)?;
        transaction.commit()?;
    }
    Ok(())
}

/// The layout of a file, if this program knows it; 0 of an empty one.
pub(super) fn check(connection: &Connection) -> Result<u32, StoreError> {
    let known = STEPS.len() as u32;
    let found: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let application: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables: u32 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    match (tables, application) {
        (0, _) => Ok(0),
        (_, APPLICATION) if found > known => Err(StoreError::Newer { found, known }),
        (_, APPLICATION) => Ok(found),
        _ => Err(StoreError::Foreign),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_earlier_layout_is_brought_to_this_one() {
        for start in 0..=STEPS.len() {
            let mut connection = Connection::open_in_memory().unwrap();
            for step in &STEPS[..start] {
                connection.execute_batch(step).unwrap();
            }
            connection.pragma_update(None, "application_id", APPLICATION).unwrap();
            connection.pragma_update(None, "user_version", start as u32).unwrap();
            run(&mut connection).unwrap();
            assert_eq!(check(&connection).unwrap(), STEPS.len() as u32);
            connection.prepare("SELECT count(*) FROM meeting").unwrap();
        }
    }

    #[test]
    fn what_is_not_a_site_is_left_alone() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE run (id INTEGER); PRAGMA user_version = 1").unwrap();
        assert!(matches!(run(&mut connection), Err(StoreError::Foreign)));
        let mut connection = Connection::open_in_memory().unwrap();
        run(&mut connection).unwrap();
        connection.pragma_update(None, "user_version", 99).unwrap();
        assert!(matches!(run(&mut connection), Err(StoreError::Newer { found: 99, .. })));
    }
}
