//! The layout of a site's file, and the steps that upgrade an older one.

use rusqlite::{Connection, TransactionBehavior, params};

use std::collections::BTreeSet;

use agon_arena::opening_file;
use agon_arena::store::StoreError;
use agon_catalog::Game;

use crate::names::skeleton;

/// What distinguishes such a file from a store of series, which also numbers its layouts from 1: "Agon" in ASCII.
const APPLICATION: i32 = 0x4167_6f6e;

/// Each step leads from the layout with its number to the next. A published step never changes. Numbers that appear in
/// addresses are never reused (AUTOINCREMENT).
pub(super) const STEPS: &[&str] = &[
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
        account INTEGER REFERENCES account (id) ON DELETE CASCADE,  -- none: built in
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
    "
    CREATE TABLE contest (
        id          INTEGER PRIMARY KEY AUTOINCREMENT,
        slug        TEXT NOT NULL UNIQUE,     -- its place in addresses
        title       TEXT NOT NULL,
        game        TEXT NOT NULL,
        parameters  TEXT NOT NULL DEFAULT '{}',  -- JSON; those left out have their defaults
        openings    INTEGER NOT NULL DEFAULT 0,  -- plies drawn for both sides before each game
        clock_ms    INTEGER,                  -- the site's, as each limit here that is not given
        memory_mb   INTEGER,
        languages   TEXT,                     -- their names with blanks between them; none given: all
        opens       INTEGER,                  -- always open before, and after, what is not given
        closes      INTEGER,
        daily       INTEGER,                  -- submissions of an account within a day
        entry       TEXT NOT NULL DEFAULT 'open',    -- open, invited
        replays     TEXT NOT NULL DEFAULT 'always',  -- always, after: who sees moves before the end
        description TEXT NOT NULL DEFAULT '',
        created     INTEGER NOT NULL
    ) STRICT;

    -- Each game keeps the ladder that it has had, under the same address.
    INSERT INTO contest (slug, title, game, created) {a competition of each game};

    -- Who has been let into a contest by an invitation.
    CREATE TABLE entrant (
        contest INTEGER NOT NULL REFERENCES contest (id) ON DELETE CASCADE,
        account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        created INTEGER NOT NULL,
        PRIMARY KEY (contest, account)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX entrant_account ON entrant (account);

    -- What an invitation opens; the site alone where none is given.
    ALTER TABLE invitation ADD COLUMN contest INTEGER REFERENCES contest (id) ON DELETE CASCADE;

    ALTER TABLE final ADD COLUMN contest INTEGER REFERENCES contest (id) ON DELETE CASCADE;
    UPDATE final SET contest = (SELECT id FROM contest WHERE game = json_extract(plan, '$.game'));
    CREATE INDEX final_contest ON final (contest);

    -- A program belongs to a contest, and has its game from there. The tables are made anew, for their constraints
    -- change; the numbers given so far are not given again.
    CREATE TABLE new_program (
        id      INTEGER PRIMARY KEY AUTOINCREMENT,
        contest INTEGER NOT NULL REFERENCES contest (id) ON DELETE CASCADE,
        name    TEXT NOT NULL COLLATE NOCASE,
        account INTEGER REFERENCES account (id) ON DELETE CASCADE,  -- none: built in
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
        UNIQUE (account, contest, name)
    ) STRICT;
    INSERT INTO new_program SELECT program.id, contest.id, name, account, builtin, fixed, barred, active, rating,
            games, firsts, wins, draws, faults, form, last, program.created
        FROM program JOIN contest ON contest.slug = program.game;
    DELETE FROM sqlite_sequence WHERE name = 'new_program';
    INSERT INTO sqlite_sequence (name, seq) SELECT 'new_program', seq FROM sqlite_sequence WHERE name = 'program';
    DROP TABLE program;
    ALTER TABLE new_program RENAME TO program;
    CREATE UNIQUE INDEX program_builtin ON program (contest, builtin) WHERE builtin IS NOT NULL;
    CREATE INDEX program_ladder ON program (contest, rating);

    CREATE TABLE new_bout (
        id             INTEGER PRIMARY KEY AUTOINCREMENT,
        contest        INTEGER NOT NULL REFERENCES contest (id) ON DELETE CASCADE,
        kind           TEXT NOT NULL,         -- check, ladder, final, asked
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
        second_rating  REAL,
        final          INTEGER REFERENCES final (id) ON DELETE CASCADE,  -- of kind `final`: its final,
        slot           INTEGER,                                          -- and its slot there
        asked          INTEGER REFERENCES asked_bout (id) ON DELETE SET NULL
    ) STRICT;
    INSERT INTO new_bout SELECT bout.id, contest.id, kind, seed, first, second, first_version, second_version, begun,
            ended, winner, reason, first_verdict, second_verdict, plies, first_ms, second_ms, first_rating,
            second_rating, final, slot, asked
        FROM bout JOIN contest ON contest.slug = bout.game;
    DELETE FROM sqlite_sequence WHERE name = 'new_bout';
    INSERT INTO sqlite_sequence (name, seq) SELECT 'new_bout', seq FROM sqlite_sequence WHERE name = 'bout';
    DROP TABLE bout;
    ALTER TABLE new_bout RENAME TO bout;
    CREATE INDEX bout_first ON bout (first, id);
    CREATE INDEX bout_second ON bout (second, id);
    CREATE INDEX bout_contest ON bout (contest, id);
    CREATE INDEX bout_running ON bout (id) WHERE ended IS NULL;
    CREATE UNIQUE INDEX bout_slot ON bout (final, slot) WHERE final IS NOT NULL;
    CREATE INDEX bout_asked ON bout (asked) WHERE asked IS NOT NULL;
",
    "
    -- Whether it is a team, which has no sign-in.
    ALTER TABLE account ADD COLUMN team INTEGER NOT NULL DEFAULT 0;

    CREATE TABLE member (
        team    INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        asked   INTEGER NOT NULL,
        joined  INTEGER,                      -- none until it has accepted
        PRIMARY KEY (team, account)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX member_account ON member (account);
",
    "
    -- How long its check took, from the moment when a worker took it.
    ALTER TABLE version ADD COLUMN check_ms INTEGER;

    -- Sizes that are too expensive to add up each time.
    CREATE TABLE storage (name TEXT PRIMARY KEY, bytes INTEGER NOT NULL) STRICT;
    INSERT INTO storage (name, bytes) SELECT 'records', coalesce(sum(length(text)), 0) FROM record;
    CREATE TRIGGER record_kept AFTER INSERT ON record BEGIN
        UPDATE storage SET bytes = bytes + length(NEW.text) WHERE name = 'records';
    END;
    CREATE TRIGGER record_dropped AFTER DELETE ON record BEGIN
        UPDATE storage SET bytes = bytes - length(OLD.text) WHERE name = 'records';
    END;
",
    "
    CREATE TABLE evaluation (
        bout   INTEGER PRIMARY KEY REFERENCES bout (id) ON DELETE CASCADE,
        points TEXT NOT NULL                  -- what the champion thinks of every position, as JSON
    ) STRICT;
",
    "
    -- What a token is for: read, submit, host. Those of before could do what needs no browser.
    ALTER TABLE token ADD COLUMN scopes TEXT NOT NULL DEFAULT 'read,submit';

    -- Nearly all games are of the ladder; the others are found without reading those.
    CREATE INDEX bout_kind ON bout (kind, id) WHERE kind <> 'ladder';
",
    "
    -- Who stands on a ladder, in its order, and all that decides it.
    DROP INDEX program_ladder;
    CREATE INDEX program_ladder ON program (contest, rating DESC, id, barred, builtin, active);
    CREATE INDEX program_name ON program (name);
    -- With the rating, so that a curve is drawn without reading the games.
    DROP INDEX bout_first;
    DROP INDEX bout_second;
    CREATE INDEX bout_first ON bout (first, id, first_rating);
    CREATE INDEX bout_second ON bout (second, id, second_rating);
    -- What has failed lately.
    CREATE INDEX bout_first_fault ON bout (first, ended) WHERE kind = 'ladder' AND first_verdict <> 'OK';
    CREATE INDEX bout_second_fault ON bout (second, ended) WHERE kind = 'ladder' AND second_verdict <> 'OK';
",
    "
    ALTER TABLE token ADD COLUMN used INTEGER;       -- about when it was sent last
    ALTER TABLE token ADD COLUMN expires INTEGER;
    -- Notices of games that ended up to then are not shown again.
    ALTER TABLE account ADD COLUMN dismissed INTEGER NOT NULL DEFAULT 0;
",
    "
    CREATE TABLE shared_game (
        id            TEXT PRIMARY KEY,       -- the random word of its address
        version       INTEGER NOT NULL,       -- counts its changes
        game          TEXT NOT NULL,
        parameters    TEXT NOT NULL,          -- as JSON
        seed          INTEGER NOT NULL,
        first_key     BLOB NOT NULL,          -- SHA-256 of the key by which the seat is played
        second_key    BLOB NOT NULL,
        first         INTEGER REFERENCES account (id) ON DELETE SET NULL,  -- none for a guest
        second        INTEGER REFERENCES account (id) ON DELETE SET NULL,
        first_joined  INTEGER NOT NULL,       -- whether the seat is taken
        second_joined INTEGER NOT NULL,
        first_again   INTEGER NOT NULL,       -- whether that person wants to play again
        second_again  INTEGER NOT NULL,
        base_ms       INTEGER,                -- none without a clock
        increment_ms  INTEGER,
        first_ms      INTEGER,                -- left when the side to move began to think
        second_ms     INTEGER,
        moves         TEXT NOT NULL,          -- as the judge writes them, with / between them
        turn          INTEGER,                -- 0 or 1; none when it is over
        moved_ms      INTEGER NOT NULL,       -- when the side to move began to think, since 1970
        winner        INTEGER,                -- 0 or 1; none of a draw
        reason        TEXT,                   -- why it is over; none while it is played
        next          TEXT                    -- the game in which the two play again
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX shared_game_moved ON shared_game (moved_ms);
    CREATE INDEX shared_game_open ON shared_game (moved_ms) WHERE reason IS NULL;
    CREATE INDEX shared_game_first ON shared_game (first) WHERE first IS NOT NULL;
    CREATE INDEX shared_game_second ON shared_game (second) WHERE second IS NOT NULL;
",
    "
    -- How many games of a request have been begun, so that those still to be played are found without reading all.
    ALTER TABLE asked_bout ADD COLUMN begun INTEGER NOT NULL DEFAULT 0;
    UPDATE asked_bout SET begun = (SELECT count(*) FROM bout WHERE asked = asked_bout.id);
    CREATE TRIGGER asked_begun AFTER INSERT ON bout WHEN NEW.asked IS NOT NULL BEGIN
        UPDATE asked_bout SET begun = begun + 1 WHERE id = NEW.asked;
    END;
    CREATE TRIGGER asked_given_up AFTER DELETE ON bout WHEN OLD.asked IS NOT NULL BEGIN
        UPDATE asked_bout SET begun = begun - 1 WHERE id = OLD.asked;
    END;
    CREATE INDEX asked_bout_open ON asked_bout (id) WHERE begun < games;
    CREATE INDEX asked_bout_open_account ON asked_bout (account) WHERE begun < games;
    DROP INDEX asked_bout_account;
    CREATE INDEX asked_bout_account ON asked_bout (account, created);
    -- Two programs' games against each other, without reading those of a built-in player against everybody.
    CREATE INDEX bout_pair ON bout (first, second, id);
",
    "
    -- How the two have ended a game before its rules did: resignation, time, agreement.
    ALTER TABLE shared_game ADD COLUMN termination TEXT;
    UPDATE shared_game SET termination = CASE
        WHEN reason LIKE '% resigns' THEN 'resignation' WHEN reason LIKE '% has no time left' THEN 'time' END;
    -- What one of the two has offered the other (draw, takeback), until the next move.
    ALTER TABLE shared_game ADD COLUMN offer TEXT;
    ALTER TABLE shared_game ADD COLUMN offered_by INTEGER;
    ALTER TABLE shared_game ADD COLUMN declined INTEGER NOT NULL DEFAULT 0;
",
    "
    -- The rating before the first game. That of built-in players is entered anew at each start.
    ALTER TABLE program ADD COLUMN entered REAL NOT NULL DEFAULT 1500.0;

    -- Which worker of the fleet has played a game, and whose games count no longer.
    ALTER TABLE bout ADD COLUMN worker TEXT;
    CREATE INDEX bout_worker ON bout (worker) WHERE worker IS NOT NULL;
    CREATE TABLE quarantine (
        worker TEXT PRIMARY KEY,
        why    TEXT NOT NULL,
        since  INTEGER NOT NULL
    ) STRICT;
",
    "
    -- Whether the check of a version was given up: no worker has brought it to its end.
    ALTER TABLE version ADD COLUMN given_up INTEGER NOT NULL DEFAULT 0;
",
    "
    -- Apart from their versions, so that reading the versions does not read the sources.
    CREATE TABLE source (
        version INTEGER PRIMARY KEY REFERENCES version (id) ON DELETE CASCADE,
        text    TEXT NOT NULL
    ) STRICT;
    INSERT INTO source (version, text) SELECT id, source FROM version;
    ALTER TABLE version DROP COLUMN source;
    -- Who has sent it: of a team's program one of its members; not known of earlier ones.
    ALTER TABLE version ADD COLUMN submitter INTEGER;

    -- What a name looks like. Of two accounts that were made before, both may look alike.
    ALTER TABLE account ADD COLUMN skeleton TEXT;
    CREATE INDEX account_skeleton ON account (skeleton);

    -- Links by which an account sets a new password, each once.
    CREATE TABLE recovery (
        account INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
        digest  BLOB NOT NULL UNIQUE,
        expires INTEGER NOT NULL
    ) STRICT;
",
    "
    -- What a host wants to know when something was wrong; accounts by number and name, for they may be deleted.
    CREATE TABLE event (
        id      INTEGER PRIMARY KEY AUTOINCREMENT,
        at      INTEGER NOT NULL,
        kind    TEXT NOT NULL,
        account INTEGER,
        name    TEXT NOT NULL,
        actor   TEXT NOT NULL,
        origin  TEXT NOT NULL,
        detail  TEXT NOT NULL
    ) STRICT;
    CREATE INDEX event_kind ON event (kind, id);

    -- Secrets of authenticator apps (RFC 6238); the steps up to the last one are used up.
    CREATE TABLE totp (
        account   INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
        secret    BLOB NOT NULL,
        confirmed INTEGER,
        last_step INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE TABLE totp_code (
        account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        digest  BLOB NOT NULL,
        PRIMARY KEY (account, digest)
    ) STRICT, WITHOUT ROWID;
",
    "
    -- The language of an account's pages, where it has chosen one.
    ALTER TABLE account ADD COLUMN language TEXT;
",
    "
    -- Rated games that a version has failed in one after another, and since when it rests for that.
    ALTER TABLE version ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE version ADD COLUMN resting INTEGER;

    -- Versions that count no longer in a final.
    CREATE TABLE final_out (
        final   INTEGER NOT NULL REFERENCES final (id) ON DELETE CASCADE,
        version INTEGER NOT NULL,
        since   INTEGER NOT NULL,
        PRIMARY KEY (final, version)
    ) STRICT, WITHOUT ROWID;

    -- Addresses that competitions have had.
    CREATE TABLE contest_address (
        slug    TEXT PRIMARY KEY,
        contest INTEGER NOT NULL REFERENCES contest (id) ON DELETE CASCADE
    ) STRICT;

    -- Messages of the host to accounts: each a row of its own, so that each is read by itself.
    CREATE TABLE message (
        id      INTEGER PRIMARY KEY AUTOINCREMENT,
        account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        text    TEXT NOT NULL,
        sent    INTEGER NOT NULL,
        read    INTEGER
    ) STRICT;
    CREATE INDEX message_account ON message (account, id);
",
    "
    -- The groups into which a host puts the people and teams of a competition.
    CREATE TABLE grouping (
        contest INTEGER NOT NULL REFERENCES contest (id) ON DELETE CASCADE,
        account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        name    TEXT NOT NULL,
        PRIMARY KEY (contest, account)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX grouping_account ON grouping (account);
",
    "
    -- The opponent of a check's game that is no program of the site: it sat in the seat without a version.
    ALTER TABLE bout ADD COLUMN stand_in TEXT;
",
    "
    -- Who won the games of a final that went with an account: the standings stay as they were.
    CREATE TABLE final_result (
        final  INTEGER NOT NULL REFERENCES final (id) ON DELETE CASCADE,
        slot   INTEGER NOT NULL,
        winner TEXT NOT NULL,                 -- first, second, draw, void
        PRIMARY KEY (final, slot)
    ) STRICT, WITHOUT ROWID;

    -- When its check was last asked for again.
    ALTER TABLE version ADD COLUMN requeued INTEGER;
",
    "
    -- Whether everybody may play against it on a board.
    ALTER TABLE program ADD COLUMN by_hand INTEGER NOT NULL DEFAULT 0;
",
    "
    -- Whom the host has taken out of a competition.
    CREATE TABLE removal (
        contest INTEGER NOT NULL REFERENCES contest (id) ON DELETE CASCADE,
        account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        created INTEGER NOT NULL,
        PRIMARY KEY (contest, account)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX removal_account ON removal (account);
",
    "
    -- A digest of a game's start and moves, and the earlier game of the same versions in the same seats that a game of
    -- the ladder repeats: it is not rated.
    ALTER TABLE bout ADD COLUMN game_digest INTEGER;
    ALTER TABLE bout ADD COLUMN repeats INTEGER;
    CREATE INDEX bout_digest ON bout (first, second, game_digest) WHERE kind = 'ladder' AND game_digest IS NOT NULL;
    CREATE INDEX bout_repeats ON bout (repeats) WHERE repeats IS NOT NULL;
    ALTER TABLE program ADD COLUMN repeats INTEGER NOT NULL DEFAULT 0;
    -- Games played before are digested while the site runs, from the first to the last.
    INSERT INTO setting (name, value)
        SELECT 'digested', '0' WHERE EXISTS (SELECT 1 FROM bout)
        UNION ALL SELECT 'undigested', (SELECT max(id) FROM bout) || '' WHERE EXISTS (SELECT 1 FROM bout);
",
    "
    -- Whether games begin with the balanced openings of the game.
    ALTER TABLE contest ADD COLUMN balanced INTEGER NOT NULL DEFAULT 0;
    -- Whether it reads OPENING lines; none where that is not known.
    ALTER TABLE version ADD COLUMN reads_openings INTEGER;
    -- The parameters by which a game begins elsewhere than others of its competition, as JSON; none of games before.
    ALTER TABLE bout ADD COLUMN opening TEXT;
    CREATE INDEX bout_versions ON bout (first, first_version, second, second_version) WHERE kind = 'ladder';
",
    "
    -- With the rated games: who has had none takes no place.
    DROP INDEX program_ladder;
    CREATE INDEX program_ladder ON program (contest, rating DESC, id, barred, builtin, active, games);
    -- Signs between letters distinguish no names any more.
    UPDATE account SET skeleton = NULL;
    -- Who has opened it, by a number that stands for an account or a network as long as the site runs.
    ALTER TABLE shared_game ADD COLUMN opener INTEGER NOT NULL DEFAULT 0;
",
    "
    -- Whether it was not played, because a program may not play. Earlier layouts said so in the reason alone.
    ALTER TABLE bout ADD COLUMN forfeit INTEGER NOT NULL DEFAULT 0;
    UPDATE bout SET forfeit = 1 WHERE winner IS NOT NULL AND plies = 0 AND reason LIKE 'forfeit: %';
",
    "
    -- The final of a competition that begins by itself.
    CREATE TABLE final_to_come (
        contest INTEGER PRIMARY KEY REFERENCES contest (id) ON DELETE CASCADE,
        begins  INTEGER NOT NULL,
        form    TEXT NOT NULL,                -- what the host chose, as JSON
        failed  INTEGER NOT NULL DEFAULT 0    -- whether it could not begin
    ) STRICT;
",
    "
    -- Key and arguments of the reason, as JSON; none of games that are older than this column.
    ALTER TABLE bout ADD COLUMN reason_keyed TEXT;
    ALTER TABLE shared_game ADD COLUMN reason_keyed TEXT;
    -- The same of each line of the message of a check, an array.
    ALTER TABLE version ADD COLUMN message_keyed TEXT;
",
    "
    -- Key and arguments of the detail, as JSON; none of a name, and of events that are older than this column.
    ALTER TABLE event ADD COLUMN detail_keyed TEXT;
",
    "
    -- When its author has withdrawn it, and the version that plays when it returns.
    ALTER TABLE program ADD COLUMN withdrawn INTEGER;
    ALTER TABLE program ADD COLUMN withdrawn_version INTEGER;
    -- When versions of deleted programs were submitted, as long as the daily limit counts them.
    CREATE TABLE deleted_version (
        account   INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        contest   INTEGER NOT NULL REFERENCES contest (id) ON DELETE CASCADE,
        submitted INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX deleted_version_account ON deleted_version (account, submitted);
    -- About when its last request came: once an hour is noted.
    ALTER TABLE account ADD COLUMN seen INTEGER;
",
    "
    -- The end of the visit before the present one.
    ALTER TABLE account ADD COLUMN last_visit INTEGER;
    -- What accounts follow: a program or a person.
    CREATE TABLE follow (
        account INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        program INTEGER REFERENCES program (id) ON DELETE CASCADE,
        person  INTEGER REFERENCES account (id) ON DELETE CASCADE,
        since   INTEGER NOT NULL,
        CHECK ((program IS NULL) != (person IS NULL)),
        UNIQUE (account, program),
        UNIQUE (account, person)
    ) STRICT;
    CREATE INDEX follow_program ON follow (program);
    CREATE INDEX follow_person ON follow (person);
",
    "
    -- The number that the final will have: its address is known before it begins.
    ALTER TABLE final_to_come ADD COLUMN number INTEGER;
    INSERT INTO final (title, plan, state, created, contest) SELECT '', '{}', 'taken', 0, contest FROM final_to_come;
    UPDATE final_to_come SET number = (SELECT id FROM final WHERE state = 'taken' AND contest = final_to_come.contest);
    DELETE FROM final WHERE state = 'taken';
",
    "
    -- Competitions with a weekly league.
    CREATE TABLE league (
        contest INTEGER PRIMARY KEY REFERENCES contest (id) ON DELETE CASCADE,
        since   INTEGER NOT NULL
    ) STRICT;
    -- Who plays in which group in a week, which is known by its beginning.
    CREATE TABLE league_place (
        contest  INTEGER NOT NULL REFERENCES contest (id) ON DELETE CASCADE,
        week     INTEGER NOT NULL,
        program  INTEGER NOT NULL REFERENCES program (id) ON DELETE CASCADE,
        division INTEGER NOT NULL,
        number   INTEGER NOT NULL,            -- its place in the group at the beginning
        PRIMARY KEY (contest, week, program)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX league_place_program ON league_place (program);
",
];

/// A step with the games of the catalogue, if it enters them.
fn with_games(step: &str) -> String {
    let row = |game: Game| {
        let (name, title) = (game.name(), game.title().replace('\'', "''"));
        format!("('{}', '{title}', '{name}', unixepoch())", name.split('@').next().unwrap_or(name))
    };
    // The first of several versions of rules has the game's address; the others get theirs later.
    let mut seen = BTreeSet::new();
    let first = Game::all().into_iter().filter(|game| seen.insert(game.name().split('@').next()));
    let rows: Vec<String> = first.map(row).collect();
    step.replace("{a competition of each game}", &format!("VALUES {}", rows.join(", ")))
}

/// Brings a file to the layout of this program.
pub(super) fn run(connection: &mut Connection) -> Result<(), StoreError> {
    let found = check(connection)?;
    // A table that is created anew has another name for a moment, and references must wait for the right one.
    connection.pragma_update(None, "foreign_keys", false)?;
    for (at, step) in (0..).zip(STEPS).skip(found as usize) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(&with_games(step))?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", at + 1)?;
        transaction.commit()?;
    }
    if found == 0 {
        begin_balanced(connection)?;
    }
    connection.pragma_update(None, "foreign_keys", true)?;
    note_skeletons(connection)
}

/// Makes the games of a new site's ladders begin with balanced openings, if the game has some.
fn begin_balanced(connection: &Connection) -> Result<(), StoreError> {
    for game in Game::all().into_iter().filter(|&game| opening_file::is_usually_balanced(game)) {
        connection.execute("UPDATE contest SET balanced = 1 WHERE game = ?1", [game.name()])?;
    }
    Ok(())
}

/// Fills in the skeletons of account names from before they were stored.
fn note_skeletons(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    {
        let mut unknown = transaction.prepare("SELECT id, name FROM account WHERE skeleton IS NULL")?;
        let names: Vec<(i64, String)> =
            unknown.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
        let mut note = transaction.prepare("UPDATE account SET skeleton = ?2 WHERE id = ?1")?;
        for (id, name) in names {
            note.execute(params![id, skeleton(&name)])?;
        }
    }
    Ok(transaction.commit()?)
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

/// The first layout in which a game may name an opponent that is not a program.
pub(super) const STAND_INS: u32 = 20;

/// The first layout that keeps results of finals without their games.
pub(super) const FINAL_RESULTS: u32 = 21;

/// The first layout in which a program may be open to people.
pub(super) const BY_HAND: u32 = 22;

/// The first layout that knows which games repeat others.
pub(super) const REPEATS: u32 = 24;

/// The first layout with openings of competitions and programs that read them.
pub(super) const OPENINGS: u32 = 25;

/// The first layout that marks games which were not played.
pub(super) const FORFEITS: u32 = 27;

/// The first layout with finals that begin by themselves.
pub(super) const FINALS_TO_COME: u32 = 28;

/// The first layout with the keys of reasons.
pub(super) const REASON_KEYS: u32 = 29;

/// The first layout with the keys of details of events.
pub(super) const DETAIL_KEYS: u32 = 30;

/// The first layout in which authors withdraw programs.
pub(super) const WITHDRAWALS: u32 = 31;

/// The first layout in which accounts follow programs.
const FOLLOWING: u32 = 32;

/// The first layout in which finals have their number before they begin.
const NUMBERED_FINALS: u32 = 33;

/// The first layout with weekly leagues.
pub(super) const LEAGUES: u32 = 34;

/// The column of a game of an earlier layout.
const FORFEIT: &str = ", (winner IS NOT NULL AND plies = 0 AND reason LIKE 'forfeit: %') AS forfeit";

/// Makes all columns available in a store of an earlier layout that is opened for reading.
pub(super) fn show_as_now(connection: &Connection, layout: u32) -> Result<(), StoreError> {
    let view = |table: &str, columns: &[(u32, &str)]| -> Result<(), StoreError> {
        let missing: String = columns.iter().filter(|(since, _)| layout < *since).map(|(_, column)| *column).collect();
        if !missing.is_empty() {
            connection.execute_batch(&format!("CREATE TEMP VIEW {table} AS SELECT *{missing} FROM main.{table}"))?;
        }
        Ok(())
    };
    let repeats = ", NULL AS game_digest, NULL AS repeats";
    let keys = ", NULL AS reason_keyed";
    view("account", &[(WITHDRAWALS, ", NULL AS seen"), (FOLLOWING, ", NULL AS last_visit")])?;
    view("bout", &[(STAND_INS, ", NULL AS stand_in"), (REPEATS, repeats), (FORFEITS, FORFEIT), (REASON_KEYS, keys)])?;
    view("shared_game", &[(REASON_KEYS, keys)])?;
    view("contest", &[(OPENINGS, ", 0 AS balanced")])?;
    view("final_to_come", &[(NUMBERED_FINALS, ", 0 AS number")])?;
    view("version", &[(OPENINGS, ", NULL AS reads_openings"), (REASON_KEYS, ", NULL AS message_keyed")])?;
    view("event", &[(DETAIL_KEYS, ", NULL AS detail_keyed")])?;
    let withdrawal = ", NULL AS withdrawn, NULL AS withdrawn_version";
    view("program", &[(BY_HAND, ", 0 AS by_hand"), (REPEATS, ", 0 AS repeats"), (WITHDRAWALS, withdrawal)])
}

#[cfg(test)]
mod tests {
    use super::super::SiteStore;
    use super::*;

    /// Rows for each layout, in its form: added to those of earlier layouts.
    const ROWS: &[&str] = &[
        "
        INSERT INTO account (id, name, password, host, created) VALUES (1, 'ada', 'x', 0, 5), (2, 'gone', 'x', 0, 5);
        INSERT INTO program (id, game, name, account, builtin, rating, games, created) VALUES
            (1, 'renju', 'random', NULL, 'random', 1500, 1, 5), (4, 'renju', 'bot', 1, NULL, 1516, 1, 5),
            (5, 'petri', 'bot', 1, NULL, 1500, 0, 5), (9, 'petri', 'gone', 2, NULL, 1500, 0, 5);
        INSERT INTO version (id, program, number, language, source, state, submitted)
            VALUES (3, 4, 1, 'PYTHON3', 'the source', 'passed', 5);
        UPDATE program SET active = 3 WHERE id = 4;
        INSERT INTO bout (id, game, kind, seed, first, second, first_version, begun, ended, winner, reason,
                first_verdict, second_verdict, plies, first_ms, second_ms, first_rating, second_rating)
            VALUES (7, 'renju', 'ladder', 1, 4, 1, 1, 6, 7, 'first', 'five', 'OK', 'OK', 9, 1, 2, 1516, 1484);
        INSERT INTO bout (id, game, kind, seed, first, second, begun) VALUES (8, 'petri', 'check', 1, 9, 5, 6);
        INSERT INTO record (bout, text) VALUES (7, x'00');
        INSERT INTO meeting (program, opponent, games, wins, draws) VALUES (4, 1, 1, 1, 0), (1, 4, 1, 0, 0);
        INSERT INTO invitation (digest, note, host, uses, created, expires) VALUES (x'01', 'class', 0, 3, 5, 99);
        DELETE FROM account WHERE name = 'gone';
        ",
        "
        INSERT INTO final (id, title, plan, state, created) VALUES (1, 'Friday', '{\"game\":\"renju\"}', 'complete', 8);
        INSERT INTO asked_bout (id, account, first, second, games, created) VALUES (1, 1, 4, 1, 2, 8);
        INSERT INTO bout (id, game, kind, seed, first, second, begun, final, slot) VALUES
            (10, 'renju', 'final', 1, 4, 1, 8, 1, 0);
        INSERT INTO bout (id, game, kind, seed, first, second, begun, asked)
            VALUES (11, 'renju', 'asked', 1, 4, 1, 8, 1);
        ",
        "
        INSERT INTO contest (id, slug, title, game, created) VALUES (5, 'friday', 'Friday', 'renju', 9);
        INSERT INTO entrant (contest, account, created) VALUES (5, 1, 9);
        ",
        "
        INSERT INTO account (id, name, password, host, team, created) VALUES (3, 'stones', '', 0, 1, 9);
        INSERT INTO member (team, account, asked, joined) VALUES (3, 1, 9, NULL);
        ",
        "
        UPDATE version SET check_ms = 900;
        ",
        "
        INSERT INTO evaluation (bout, points) VALUES (7, '[]');
        ",
        "
        INSERT INTO token (id, account, name, scopes, digest, created) VALUES (2, 1, 'laptop', 'read', x'02', 9);
        ",
        "",
        "
        INSERT INTO token (id, account, name, scopes, digest, created, used, expires)
            VALUES (3, 1, 'phone', 'read,team', x'03', 9, 10, 99);
        ",
        "
        INSERT INTO shared_game (id, version, game, parameters, seed, first_key, second_key, first, first_joined,
                second_joined, first_again, second_again, moves, turn, moved_ms)
            VALUES ('word', 1, 'renju', '{}', 0, x'01', x'02', 1, 1, 0, 0, 0, '', 0, 9000);
        ",
        "
        UPDATE shared_game SET winner = 1, reason = 'Black resigns' WHERE id = 'word';
        ",
        "",
        "
        INSERT INTO quarantine (worker, why, since) VALUES ('liar', 'it lies', 9);
        UPDATE bout SET worker = 'liar' WHERE id = 7;
        ",
        "",
        "
        UPDATE version SET submitter = 1;
        ",
        "
        INSERT INTO event (at, kind, account, name, actor, origin, detail)
            VALUES (9, 'signed-in', 1, 'ada', '', '192.0.2.1', '');
        INSERT INTO totp (account, secret, confirmed, last_step) VALUES (1, x'00', 9, 3);
        INSERT INTO totp_code (account, digest) VALUES (1, x'01');
        ",
        "
        UPDATE account SET language = 'ko' WHERE id = 1;
        ",
        "
        INSERT INTO message (account, text, sent) VALUES (1, 'Hello', 9);
        INSERT INTO contest_address (slug, contest) VALUES ('before', 3);
        UPDATE version SET failures = 3, resting = 9 WHERE id = 3;
        ",
        "
        INSERT INTO grouping (contest, account, name) VALUES (3, 1, 'A');
        ",
        "",
        "
        INSERT INTO final_result (final, slot, winner) VALUES (1, 1, 'draw');
        ",
        "
        UPDATE program SET by_hand = 1 WHERE id = 4;
        ",
        "
        INSERT INTO removal (contest, account, created) VALUES (3, 1, 9);
        ",
        "
        UPDATE bout SET game_digest = 5 WHERE id = 7;
        ",
        "
        UPDATE version SET reads_openings = 1 WHERE id = 3;
        ",
        "
        UPDATE bout SET ended = 5, winner = 'second', plies = 0, reason = 'forfeit: first may not play' WHERE id = 11;
        ",
        "",
        "
        INSERT INTO final_to_come (contest, begins, form) VALUES
            (1, 9, json_object('title', 'Final', 'kind', 'swiss', 'games', 2));
        ",
        "",
        "",
        "
        UPDATE program SET withdrawn = 9, withdrawn_version = active, active = NULL WHERE id = 5;
        ",
        "
        INSERT INTO follow (account, program, since) VALUES (1, 5, 9);
        ",
        "
        UPDATE final_to_come SET begins = 99;
        ",
        "
        INSERT INTO league (contest, since) VALUES (1, 9);
        INSERT INTO league_place (contest, week, program, division, number) VALUES (1, 9, 5, 0, 0);
        ",
    ];

    /// A file as the program of an earlier layout left it, with rows.
    fn earlier(layout: usize) -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        for (step, rows) in STEPS.iter().zip(ROWS.iter()).take(layout) {
            connection.pragma_update(None, "foreign_keys", false).unwrap();
            connection.execute_batch(&with_games(step)).unwrap();
            connection.pragma_update(None, "foreign_keys", true).unwrap();
            connection.execute_batch(rows).unwrap();
        }
        connection.pragma_update(None, "application_id", APPLICATION).unwrap();
        connection.pragma_update(None, "user_version", layout as u32).unwrap();
        connection
    }

    #[test]
    fn every_earlier_layout_is_brought_to_this_one() {
        assert_eq!(STEPS.len(), ROWS.len(), "each layout is tested with rows of its own");
        let tables = |connection: &Connection| -> Vec<String> {
            let sql = "SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name";
            let mut statement = connection.prepare(sql).unwrap();
            statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
        };
        let mut fresh = Connection::open_in_memory().unwrap();
        run(&mut fresh).unwrap();
        for layout in 0..=STEPS.len() {
            let mut connection = earlier(layout);
            run(&mut connection).unwrap();
            assert_eq!(check(&connection).unwrap(), STEPS.len() as u32);
            assert_eq!(tables(&connection), tables(&fresh), "from layout {layout}");
            let one = |sql: &str| -> i64 { connection.query_row(sql, [], |row| row.get(0)).unwrap() };
            assert_eq!(one("SELECT count(*) FROM pragma_foreign_key_check"), 0, "from layout {layout}");
            assert_eq!(one("PRAGMA foreign_keys"), 1);
        }
    }

    #[test]
    fn rows_of_earlier_layouts_survive() {
        for layout in 1..=STEPS.len() {
            let mut connection = earlier(layout);
            run(&mut connection).unwrap();
            let all = |sql: &str| -> String { connection.query_row(sql, [], |row| row.get(0)).unwrap() };
            let programs = "SELECT group_concat(program.id || ' ' || slug || ' ' || name || ' ' || rating, ', ')
                            FROM program JOIN contest ON contest.id = contest ORDER BY program.id";
            assert_eq!(all(programs), "1 renju random 1500.0, 4 renju bot 1516.0, 5 petri bot 1500.0", "{layout}");
            let bouts = "SELECT group_concat(bout.id || ' ' || slug || ' ' || kind, ', ')
                         FROM bout JOIN contest ON contest.id = contest ORDER BY bout.id";
            let wanted = ["7 renju ladder", "7 renju ladder, 10 renju final, 11 renju asked"];
            assert_eq!(all(bouts), wanted[usize::from(layout > 1)], "{layout}");
            let rest = "SELECT group_concat((SELECT count(*) FROM record) || (SELECT count(*) FROM meeting)
                        || (SELECT text FROM source WHERE version = (SELECT active FROM program WHERE id = 4)))";
            assert_eq!(all(rest), "12the source");
            assert_eq!(all("SELECT name || bytes FROM storage"), "records1", "records of before count, too");
            if layout > 1 {
                assert_eq!(all("SELECT begun || ' of ' || games FROM asked_bout"), "1 of 2", "{layout}");
                assert_eq!(all("SELECT slug FROM contest JOIN final ON contest.id = final.contest"), "renju");
            }
            if layout == 11 {
                assert_eq!(all("SELECT termination FROM shared_game"), "resignation");
            }
            if layout >= 28 {
                assert_eq!(all("SELECT number || '' FROM final_to_come"), "2", "after that of Friday: {layout}");
            }
            let forfeits = "SELECT coalesce(group_concat(id), 'none') FROM bout WHERE forfeit";
            assert_eq!(all(forfeits), if layout >= 26 { "11" } else { "none" }, "{layout}");
            // A number that an account's programs have had is never reused for another one.
            let next =
                "INSERT INTO program (contest, name, rating, created) VALUES (1, 'new', 1, 1) RETURNING id || ''";
            assert_eq!(all(next), "10");
        }
    }

    #[test]
    fn sources_of_an_earlier_layout_are_read_where_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("site.db");
        let earlier = earlier(14);
        earlier.execute("VACUUM INTO ?1", [path.to_str().unwrap()]).unwrap();
        let read = || SiteStore::read(&path).unwrap().source(3).unwrap();
        assert_eq!(read().as_deref(), Some("the source"));
        drop(SiteStore::open(&path).unwrap());
        assert_eq!(read().as_deref(), Some("the source"), "and where they are now");
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
