//! The games of a site: begun, ended with their ratings, and found again.

use std::collections::BTreeMap;

use agon_catalog::Game;
use agon_message::{Stated, messages};
use agon_referee::record::Winner;
use agon_referee::verdict::Verdict;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::SiteStore;
use super::competitions::game;
use super::ratings::RatedResult;
use agon_arena::store::{StoreError, reason, unpack};
use agon_arena::summary::halves;

/// A seat of a game and its occupant.
#[derive(Clone, PartialEq, Debug)]
pub struct SiteSeat {
    pub program: i64,
    pub name: String,
    pub account: Option<i64>,
    /// The number of its version; `None` for a built-in.
    pub version: Option<u32>,
    /// Its verdict, once the game has ended.
    pub verdict: Option<Verdict>,
    /// The time that it used, in milliseconds.
    pub time_ms: Option<f64>,
    /// Its rating after the game, if that was rated.
    pub rating: Option<f64>,
    /// It was the check's own opponent, which is not a program of the site; `program` is one that stands for it.
    pub stands_in: bool,
}

impl SiteSeat {
    /// The name with the version's number.
    pub fn label(&self) -> String {
        self.version.map_or_else(|| self.name.clone(), |version| format!("{} v{version}", self.name))
    }
}

/// Why a game is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoutKind {
    Check,
    /// A rated game of the ladder.
    Ladder,
    /// A game of a final.
    Final {
        id: i64,
        /// Its place in the final's schedule.
        slot: u32,
    },
    /// An author has requested it.
    Asked {
        /// The number of the request.
        id: i64,
    },
}

impl BoutKind {
    /// Its name, in the store and outside.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Ladder => "ladder",
            Self::Final { .. } => "final",
            Self::Asked { .. } => "asked",
        }
    }
}

messages! {
    /// Why a game is not played: programs that may not play.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum Forfeit {
        First = "forfeit: first may not play",
        Second = "forfeit: second may not play",
        Both = "forfeit: neither program may play",
    }
}

/// A game, without its record.
#[derive(Clone, PartialEq, Debug)]
pub struct SiteBout {
    pub id: i64,
    pub competition: i64,
    pub game: Game,
    pub kind: BoutKind,
    pub seats: [SiteSeat; 2],
    pub begun: i64,
    /// Who won; `None` while it is played.
    pub winner: Option<Winner>,
    pub reason: Stated,
    pub plies: u32,
    /// The digest of its start and moves, if known.
    pub game_digest: Option<i64>,
    /// The earlier game that it repeats; it is not rated.
    pub repeats: Option<i64>,
    /// True if it was not played, because a program may not play.
    pub is_forfeit: bool,
}

impl SiteBout {
    /// Whether the machine was too busy to judge it every time it was played: it does not count.
    pub fn is_undecided(&self) -> bool {
        self.seats.iter().any(|seat| seat.verdict == Some(Verdict::Interrupted))
    }
}

/// A game that is about to begin.
#[derive(Clone, Copy, Debug)]
pub struct NewBout {
    pub competition: i64,
    pub kind: BoutKind,
    /// Its seed.
    pub seed: u64,
    /// The programs, and the numbers of their versions.
    pub seats: [(i64, Option<u32>); 2],
}

#[derive(Clone, PartialEq, Debug)]
pub struct PlayedBout {
    /// Who won; not void for a rated game.
    pub winner: Winner,
    pub reason: Stated,
    pub verdicts: [Verdict; 2],
    pub plies: u32,
    /// Time used, in milliseconds.
    pub time_ms: [f64; 2],
    pub record: String,
    /// The worker of the fleet that played it; `None` if the site played it itself.
    pub worker: Option<String>,
    /// The digest of its start and moves ([`agon_arena::summary::game_digest`]); without one it repeats no game.
    pub game_digest: Option<i64>,
}

/// A rated game from the view of one of its programs.
#[derive(Clone, PartialEq, Debug)]
pub struct OwnResult {
    pub bout: i64,
    /// The number of its version; `None` for a built-in.
    pub version: Option<u32>,
    pub opponent: i64,
    /// 1 for a win, ½ for a draw.
    pub points: f64,
    pub verdict: Verdict,
    pub plies: u32,
    pub reason: Stated,
    /// Its rating after the game.
    pub rating: f64,
    pub begun: i64,
}

/// The totals of rated games of one program against another.
#[derive(Clone, PartialEq, Debug)]
pub struct Meeting {
    pub opponent: i64,
    pub name: String,
    pub rating: f64,
    /// Games, those won, those drawn.
    pub games: u32,
    pub wins: u32,
    pub draws: u32,
}

pub(super) const BOUT: &str = "SELECT bout.id, contest.game, bout.kind, bout.begun, winner, reason, plies,
        first, one.name, one.account, first_version, first_verdict, first_ms, first_rating,
        second, two.name, two.account, second_version, second_verdict, second_ms, second_rating, bout.final, bout.slot,
        coalesce(bout.asked, 0), bout.contest, bout.stand_in, bout.game_digest, bout.repeats,
        bout.forfeit, bout.reason_keyed
    FROM bout CROSS JOIN contest ON contest.id = bout.contest JOIN program one ON one.id = first
        JOIN program two ON two.id = second";

fn named<T: Copy>(row: &Row, at: usize, all: &[(&str, T)]) -> rusqlite::Result<Option<T>> {
    let Some(name) = row.get::<_, Option<String>>(at)? else { return Ok(None) };
    let unknown = || rusqlite::Error::FromSqlConversionFailure(at, Type::Text, format!("`{name}`").into());
    all.iter().find(|(known, _)| *known == name).map(|(_, value)| Some(*value)).ok_or_else(unknown)
}

const WINNERS: [(&str, Winner); 4] =
    [("first", Winner::First), ("second", Winner::Second), ("draw", Winner::Draw), ("void", Winner::Void)];

const VERDICTS: [(&str, Verdict); 6] = [
    (Verdict::Ok.name(), Verdict::Ok),
    (Verdict::Tle.name(), Verdict::Tle),
    (Verdict::Re.name(), Verdict::Re),
    (Verdict::Mle.name(), Verdict::Mle),
    (Verdict::Ce.name(), Verdict::Ce),
    (Verdict::Interrupted.name(), Verdict::Interrupted),
];

/// Who won, from a column.
pub(super) fn winner(row: &Row, at: usize) -> rusqlite::Result<Option<Winner>> {
    named(row, at, &WINNERS)
}

/// Who wins a game that is not played because the programs of the sides in `out` may not.
pub(super) const fn forfeit_winner(out: [bool; 2]) -> Winner {
    match out {
        [true, true] => Winner::Void,
        [true, false] => Winner::Second,
        [false, _] => Winner::First,
    }
}

/// Reads a row of [`BOUT`].
pub(super) fn bout(row: &Row) -> rusqlite::Result<SiteBout> {
    let stand_in: Option<String> = row.get(25)?;
    let seat = |at: usize| -> rusqlite::Result<SiteSeat> {
        let version: Option<u32> = row.get(at + 3)?;
        let other = stand_in.clone().filter(|_| version.is_none());
        Ok(SiteSeat {
            program: row.get(at)?,
            stands_in: other.is_some(),
            name: other.map_or_else(|| row.get(at + 1), Ok)?,
            account: row.get(at + 2)?,
            version,
            verdict: named(row, at + 4, &VERDICTS)?,
            time_ms: row.get(at + 5)?,
            rating: row.get(at + 6)?,
        })
    };
    Ok(SiteBout {
        id: row.get(0)?,
        competition: row.get(24)?,
        game: game(row, 1)?,
        kind: match row.get::<_, String>(2)?.as_str() {
            "check" => BoutKind::Check,
            "final" => BoutKind::Final { id: row.get(21)?, slot: row.get(22)? },
            "asked" => BoutKind::Asked { id: row.get(23)? },
            _ => BoutKind::Ladder,
        },
        begun: row.get(3)?,
        winner: winner(row, 4)?,
        reason: reason::stated(row, 5, 29)?.unwrap_or_default(),
        plies: row.get::<_, Option<u32>>(6)?.unwrap_or_default(),
        seats: [seat(7)?, seat(14)?],
        game_digest: row.get(26)?,
        repeats: row.get(27)?,
        is_forfeit: row.get(28)?,
    })
}

/// The seed of a game.
pub(super) fn seed(connection: &Connection, bout: i64) -> rusqlite::Result<u64> {
    let mut statement = connection.prepare_cached("SELECT seed FROM bout WHERE id = ?1")?;
    statement.query_row([bout], |row| row.get(0)).map(|seed: i64| seed as u64)
}

/// How a finished game counts on the ladder, if it does.
pub(super) fn rated(bout: &SiteBout, winner: Winner, verdicts: [Verdict; 2]) -> Option<RatedResult> {
    let halves = halves(winner)?;
    (bout.kind == BoutKind::Ladder).then(|| RatedResult {
        competition: bout.competition,
        programs: bout.seats.each_ref().map(|seat| seat.program),
        versions: bout.seats.each_ref().map(|seat| seat.version),
        halves,
        failed: verdicts.map(|verdict| verdict != Verdict::Ok),
    })
}

const MEETING: &str = "SELECT opponent, name, rating, meeting.games, meeting.wins, meeting.draws
    FROM meeting JOIN program ON program.id = opponent";

/// Reads a row of [`MEETING`].
fn meeting(row: &Row) -> rusqlite::Result<Meeting> {
    Ok(Meeting {
        opponent: row.get(0)?,
        name: row.get(1)?,
        rating: row.get(2)?,
        games: row.get(3)?,
        wins: row.get(4)?,
        draws: row.get(5)?,
    })
}

/// The last games of `?1` and `?2` against each other: those of each seating through the index `bout_pair`.
fn between() -> String {
    let half = |seats: &str| {
        format!(
            "SELECT * FROM ({BOUT} WHERE {seats} AND ended IS NOT NULL AND kind <> 'check'
                            ORDER BY bout.id DESC LIMIT ?3)"
        )
    };
    let [there, back] = ["first = ?1 AND second = ?2", "first = ?2 AND second = ?1"].map(half);
    format!("{there} UNION ALL {back} ORDER BY 1 DESC LIMIT ?3")
}

/// Makes the row of a game.
fn insert(connection: &Connection, new: &NewBout, now: i64) -> rusqlite::Result<i64> {
    let [(first, first_version), (second, second_version)] = new.seats;
    let (place, asked) = match new.kind {
        BoutKind::Final { id, slot } => (Some((id, slot)), None),
        BoutKind::Asked { id } => (None, Some(id)),
        BoutKind::Check | BoutKind::Ladder => (None, None),
    };
    connection.query_row(
        "INSERT INTO bout (contest, kind, seed, first, second, first_version, second_version, begun, final, slot, asked)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) RETURNING id",
        params![
            new.competition,
            new.kind.name(),
            new.seed as i64,
            first,
            second,
            first_version,
            second_version,
            now,
            place.map(|(id, _)| id),
            place.map(|(_, slot)| slot),
            asked,
        ],
        |row| row.get(0),
    )
}

/// Rated games that a version fails in one after another until it rests.
pub const MAX_FAILURES: u32 = 10;

/// Counts a version's consecutive failed games; after a number of them it rests until its author wakes it.
pub(super) fn note_failure(connection: &Connection, seat: &SiteSeat, failed: bool, now: i64) -> rusqlite::Result<()> {
    let Some(number) = seat.version else { return Ok(()) };
    let sql = "UPDATE version SET failures = CASE WHEN ?3 THEN failures + 1 ELSE 0 END,
                   resting = CASE WHEN ?3 AND failures + 1 >= ?4 THEN coalesce(resting, ?5) ELSE resting END
               WHERE program = ?1 AND number = ?2 AND (?3 OR failures > 0)";
    connection.prepare_cached(sql)?.execute(params![seat.program, number, failed, MAX_FAILURES, now])?;
    Ok(())
}

impl SiteStore {
    /// Begins a game and returns its number.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn begin_bout(&mut self, new: &NewBout, now: i64) -> Result<i64, StoreError> {
        let transaction = self.begin()?;
        let id = insert(&transaction, new, now)?;
        if new.kind == BoutKind::Ladder {
            let [first, second] = new.seats.map(|(program, _)| program);
            transaction.execute("UPDATE program SET last = ?3 WHERE id IN (?1, ?2)", params![first, second, now])?;
        }
        transaction.commit()?;
        Ok(id)
    }

    /// Records what played for a game's built-in player: an opponent that is not a program of the site.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn note_stand_in(&mut self, id: i64, name: &str) -> Result<(), StoreError> {
        self.connection.execute("UPDATE bout SET stand_in = ?2 WHERE id = ?1", params![id, name])?;
        Ok(())
    }

    /// Records the parameters with which a game begins; empty for those of its competition.
    ///
    /// # Errors
    /// [`StoreError`].
    ///
    /// # Panics
    /// Never: JSON can hold every map of texts.
    pub fn note_opening(&mut self, id: i64, opening: &BTreeMap<String, String>) -> Result<(), StoreError> {
        let text = serde_json::to_string(opening).expect("a map of texts can be written as JSON");
        self.connection.execute("UPDATE bout SET opening = ?2 WHERE id = ?1", params![id, text])?;
        Ok(())
    }

    /// The parameters with which a game begins; `None` if they were not stored.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn opening_of(&self, id: i64) -> Result<Option<BTreeMap<String, String>>, StoreError> {
        let sql = "SELECT opening FROM bout WHERE id = ?1";
        let text: Option<String> =
            self.connection.prepare_cached(sql)?.query_row([id], |row| row.get(0)).optional()?.flatten();
        let damaged = |problem| StoreError::Damaged { what: format!("the opening of game {id}"), problem };
        text.map(|text| serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))).transpose()
    }

    /// Records a game that is not played because the programs of the sides in `out` may not play: the other side wins
    /// it, and without another side it is void.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn forfeit_bout(&mut self, new: &NewBout, out: [bool; 2], now: i64) -> Result<i64, StoreError> {
        let winner = forfeit_winner(out);
        let reason = Stated::from(&match out {
            [true, true] => Forfeit::Both,
            [true, false] => Forfeit::First,
            [false, _] => Forfeit::Second,
        });
        let transaction = self.begin()?;
        let id = insert(&transaction, new, now)?;
        let sql = "UPDATE bout SET ended = begun, winner = ?2, reason = ?3, first_verdict = ?4, second_verdict = ?4,
                       plies = 0, first_ms = 0.0, second_ms = 0.0, forfeit = 1,
                       reason_keyed = ?5
                   WHERE id = ?1";
        let (text, keyed) = (&reason.text, reason::keyed(&reason)?);
        transaction.execute(sql, params![id, winner.to_string(), text, Verdict::Ok.name(), keyed])?;
        transaction.commit()?;
        Ok(id)
    }

    /// Gives up a game that was broken off by no fault of its programs: it is as if it had not been begun.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn abandon_bout(&mut self, id: i64) -> Result<(), StoreError> {
        self.connection.execute("DELETE FROM bout WHERE id = ?1 AND ended IS NULL", [id])?;
        Ok(())
    }

    /// Abandons whatever an earlier process was doing when it died: its games, and its checks, which go back to the
    /// queue. Returns how many there were of each. With `keep`, all games except checks stay: others play them.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn recover(&mut self, keep: bool) -> Result<(usize, usize), StoreError> {
        let transaction = self.begin()?;
        let given_up = "DELETE FROM bout WHERE ended IS NULL AND (kind = 'check' OR NOT ?1)";
        let games = transaction.execute(given_up, [keep])?;
        let checks = transaction.execute("UPDATE version SET state = 'queued' WHERE state = 'checking'", [])?;
        transaction.commit()?;
        Ok((games, checks))
    }

    /// The games that have begun and not ended, the newest first, each with its seed.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn unended(&self) -> Result<Vec<(SiteBout, u64)>, StoreError> {
        let with_seed = |bout: SiteBout| {
            let seed = seed(&self.connection, bout.id)?;
            Ok((bout, seed))
        };
        self.running()?.into_iter().map(with_seed).collect()
    }

    /// A game.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn bout(&self, id: i64) -> Result<Option<SiteBout>, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!("{BOUT} WHERE bout.id = ?1"))?;
        Ok(statement.query_row([id], bout).optional()?)
    }

    /// The record of a game.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when it cannot be read; others when the store fails.
    pub fn record_of_bout(&self, id: i64) -> Result<Option<String>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT text FROM record WHERE bout = ?1")?;
        let packed: Option<Vec<u8>> = statement.query_row([id], |row| row.get(0)).optional()?;
        let damaged = |problem| StoreError::Damaged { what: format!("the record of game {id}"), problem };
        packed.map(|packed| unpack(&packed).map_err(damaged)).transpose()
    }

    /// The games that are being played, the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn running(&self) -> Result<Vec<SiteBout>, StoreError> {
        let sql = format!("{BOUT} WHERE ended IS NULL ORDER BY bout.id DESC");
        Ok(self.connection.prepare_cached(&sql)?.query_map([], bout)?.collect::<Result<_, _>>()?)
    }

    /// The last games of a competition that have ended, checks left out; those before a number, to turn pages.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn recent(&self, competition: i64, before: i64, most: u32) -> Result<Vec<SiteBout>, StoreError> {
        let sql = format!(
            "{BOUT} WHERE bout.contest = ?1 AND bout.id < ?2 AND ended IS NOT NULL AND kind <> 'check'
             ORDER BY bout.id DESC LIMIT ?3"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_map(params![competition, before, most], bout)?.collect::<Result<_, _>>()?)
    }

    /// The last games of a program that have ended, checks left out, the newest first; those before a number, to turn
    /// pages.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn bouts_of(&self, program: i64, before: i64, most: u32) -> Result<Vec<SiteBout>, StoreError> {
        // Each half uses its own index; OR would read all games of both.
        let half = |seat| {
            format!(
                "SELECT * FROM ({BOUT} WHERE {seat} = ?1 AND bout.id < ?2 AND ended IS NOT NULL AND kind <> 'check'
                 ORDER BY bout.id DESC LIMIT ?3)"
            )
        };
        let sql = format!("{} UNION ALL {} ORDER BY 1 DESC LIMIT ?3", half("first"), half("second"));
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_map(params![program, before, most], bout)?.collect::<Result<_, _>>()?)
    }

    /// The last games of two programs against each other that have ended, the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn bouts_between(&self, one: i64, other: i64, most: u32) -> Result<Vec<SiteBout>, StoreError> {
        let sql = between();
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_map(params![one, other, most], bout)?.collect::<Result<_, _>>()?)
    }

    /// The ratings of a program after its last rated games, the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn ratings_of(&self, program: i64, most: u32) -> Result<Vec<f64>, StoreError> {
        // The rating is in the index of its seat, so that no game is read.
        let half = |seat| {
            format!(
                "SELECT * FROM (SELECT id, {seat}_rating AS rating FROM bout
                 WHERE {seat} = ?1 AND {seat}_rating IS NOT NULL ORDER BY id DESC LIMIT ?2)"
            )
        };
        let sql =
            format!("SELECT rating FROM ({} UNION ALL {}) ORDER BY id DESC LIMIT ?2", half("first"), half("second"));
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_map(params![program, most], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    /// The last rated games of a program as it has seen them, the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn results_of(&self, program: i64, most: u32) -> Result<Vec<OwnResult>, StoreError> {
        let half = |own: &str, other: &str| {
            format!(
                "SELECT * FROM (SELECT id, {own}_version AS version, {other} AS opponent, winner, '{own}' AS seat,
                                       {own}_verdict AS verdict, plies, reason, {own}_rating AS rating, begun,
                                       reason_keyed
                 FROM bout WHERE {own} = ?1 AND {own}_rating IS NOT NULL ORDER BY id DESC LIMIT ?2)"
            )
        };
        let sql =
            format!("{} UNION ALL {} ORDER BY id DESC LIMIT ?2", half("first", "second"), half("second", "first"));
        let read = |row: &Row| {
            let (winner, seat): (String, String) = (row.get(3)?, row.get(4)?);
            let points = match winner.as_str() {
                "draw" => 0.5,
                winner if winner == seat => 1.0,
                _ => 0.0,
            };
            Ok(OwnResult {
                bout: row.get(0)?,
                version: row.get(1)?,
                opponent: row.get(2)?,
                points,
                verdict: named(row, 5, &VERDICTS)?.unwrap_or(Verdict::Interrupted),
                plies: row.get(6)?,
                reason: reason::stated(row, 7, 10)?.unwrap_or_default(),
                rating: row.get(8)?,
                begun: row.get(9)?,
            })
        };
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_map(params![program, most], read)?.collect::<Result<_, _>>()?)
    }

    /// The number of the last game that had begun by a time; 0 if there was none. Numbers follow the order of
    /// beginnings, so few rows are read.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn last_begun_by(&self, time: i64) -> Result<i64, StoreError> {
        let mut begun =
            self.connection.prepare_cached("SELECT id, begun FROM bout WHERE id <= ?1 ORDER BY id DESC LIMIT 1")?;
        let mut at = |most: i64| -> Result<Option<(i64, i64)>, StoreError> {
            Ok(begun.query_row([most], |row| Ok((row.get(0)?, row.get(1)?))).optional()?)
        };
        let Some((mut high, newest)) = at(i64::MAX)? else { return Ok(0) };
        if newest <= time {
            return Ok(high);
        }
        let mut low = 0;
        // Every game up to `low` had begun by then, and game `high` had not.
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            match at(middle)? {
                Some((_, then)) if then > time => high = middle,
                _ => low = middle,
            }
        }
        Ok(at(low)?.map_or(0, |(id, _)| id))
    }

    /// The rating of a program after its last rated game up to this one.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn rating_after(&self, program: i64, bout: i64) -> Result<Option<f64>, StoreError> {
        let half = |seat| {
            format!(
                "SELECT * FROM (SELECT id, {seat}_rating AS rating FROM bout
                 WHERE {seat} = ?1 AND id <= ?2 AND {seat}_rating IS NOT NULL ORDER BY id DESC LIMIT 1)"
            )
        };
        let sql =
            format!("SELECT rating FROM ({} UNION ALL {}) ORDER BY id DESC LIMIT 1", half("first"), half("second"));
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row(params![program, bout], |row| row.get(0)).optional()?)
    }

    /// The game of a competition that has ended and comes next after this one, checks left out; with `back` the one
    /// before.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn neighbour(&self, competition: i64, bout: i64, back: bool) -> Result<Option<i64>, StoreError> {
        let (than, order) = if back { ("<", "DESC") } else { (">", "ASC") };
        let sql = format!(
            "SELECT id FROM bout WHERE contest = ?1 AND id {than} ?2 AND ended IS NOT NULL AND kind <> 'check'
             ORDER BY id {order} LIMIT 1"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row(params![competition, bout], |row| row.get(0)).optional()?)
    }

    /// The totals of a program's rated games by opponent, the strongest opponent first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn meetings(&self, program: i64, most: u32) -> Result<Vec<Meeting>, StoreError> {
        let sql = format!("{MEETING} WHERE meeting.program = ?1 ORDER BY rating DESC, opponent LIMIT ?2");
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_map(params![program, most], meeting)?.collect::<Result<_, _>>()?)
    }

    /// The totals of two programs' rated games against each other, from the side of the first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn meeting(&self, program: i64, opponent: i64) -> Result<Option<Meeting>, StoreError> {
        let sql = format!("{MEETING} WHERE meeting.program = ?1 AND opponent = ?2");
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row([program, opponent], meeting).optional()?)
    }

    /// How often programs of an account and of its teams have failed in rated games since a time: program, its name,
    /// verdict, how often.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn faults_of(&self, account: i64, since: i64) -> Result<Vec<(i64, String, Verdict, u32)>, StoreError> {
        let half = |seat: &str| {
            format!(
                "SELECT program.id, program.name, {seat}_verdict AS verdict
                 FROM program JOIN bout ON {seat} = program.id
                 WHERE account IN
                       (SELECT ?1 UNION ALL SELECT team FROM member WHERE account = ?1 AND joined IS NOT NULL)
                   AND ended > max(?2, (SELECT dismissed FROM account WHERE id = ?1))
                   AND kind = 'ladder' AND {seat}_verdict <> 'OK' AND {seat}_verdict <> 'INTERRUPTED'
                   AND bout.repeats IS NULL"
            )
        };
        let sql = format!(
            "SELECT id, name, verdict, count(*) FROM ({} UNION ALL {}) GROUP BY id, verdict ORDER BY 4 DESC",
            half("first"),
            half("second")
        );
        let read = |row: &Row| {
            let verdict = named(row, 2, &VERDICTS)?.unwrap_or(Verdict::Interrupted);
            Ok((row.get(0)?, row.get(1)?, verdict, row.get(3)?))
        };
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_map([account, since], read)?.collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::{RENJU, new_store, query_plan};
    use super::*;

    /// A store with two built-in players, the first fixed at 1500; and a rated game between them that has begun.
    fn a_game() -> (tempfile::TempDir, SiteStore, [i64; 2], NewBout) {
        let (folder, mut store) = new_store();
        let players = [("rock".to_owned(), 1500.0, true), ("reed".to_owned(), 1500.0, false)];
        store.enter_builtins(RENJU, &players, 1).unwrap();
        let both = ["rock", "reed"].map(|name| store.builtin(RENJU, name).unwrap().unwrap().id);
        let new = NewBout { competition: RENJU, kind: BoutKind::Ladder, seed: 3, seats: both.map(|id| (id, None)) };
        (folder, store, both, new)
    }

    /// A played game, which the second seat has ended by a fault.
    pub(crate) fn won(winner: Winner) -> PlayedBout {
        PlayedBout {
            winner,
            reason: "five in a row".into(),
            verdicts: [Verdict::Ok, Verdict::Tle],
            plies: 9,
            time_ms: [1.5, 2.5],
            record: "the record".into(),
            worker: None,
            game_digest: None,
        }
    }

    #[test]
    fn a_game_is_counted_once() {
        let (_folder, mut store, [rock, reed], new) = a_game();
        let id = store.begin_bout(&new, 10).unwrap();
        assert_eq!(store.running().unwrap().len(), 1);
        assert!(store.end_bout(id, &won(Winner::Second), 11).unwrap());
        assert!(!store.end_bout(id, &won(Winner::Second), 11).unwrap());
        let [rock, reed] = [rock, reed].map(|id| store.program(id).unwrap().unwrap());
        assert_eq!((rock.rating, rock.games, rock.losses(), rock.form.as_str()), (1500.0, 1, 1, "L"), "it is fixed");
        assert_eq!((reed.rating, reed.games, reed.wins, reed.faults), (1516.0, 1, 1, 1));
        let game = store.bout(id).unwrap().unwrap();
        assert_eq!((game.winner, game.seats[1].rating, game.plies), (Some(Winner::Second), Some(1516.0), 9));
        assert_eq!(store.record_of_bout(id).unwrap().as_deref(), Some("the record"));
        let meetings = store.meetings(reed.id, 9).unwrap();
        assert_eq!((meetings[0].opponent, meetings[0].games, meetings[0].wins), (rock.id, 1, 1));
        assert_eq!(store.meeting(reed.id, rock.id).unwrap().as_ref(), meetings.first());
        assert_eq!(store.meeting(reed.id, reed.id).unwrap(), None);
        assert_eq!((store.bouts_of(reed.id, i64::MAX, 9).unwrap(), store.running().unwrap()), (vec![game], vec![]));
        for _ in 0..20 {
            let id = store.begin_bout(&new, 12).unwrap();
            store.end_bout(id, &won(Winner::Draw), 12).unwrap();
        }
        assert_eq!(store.program(reed.id).unwrap().unwrap().form, "DDDDDDDDDD");
        assert_eq!(store.bouts_between(rock.id, reed.id, 99).unwrap().len(), 21);
        let ratings = store.ratings_of(reed.id, 99).unwrap();
        assert!(
            ratings.len() == 21 && ratings.is_sorted() && (ratings[20] - 1516.0).abs() < 1e-9,
            "draws take from it: {ratings:?}"
        );
        assert_eq!(store.ratings_of(reed.id, 2).unwrap(), ratings[..2]);
    }

    #[test]
    fn a_program_sees_its_games_from_its_side() {
        let (_folder, mut store, [rock, reed], new) = a_game();
        let id = store.begin_bout(&new, 10).unwrap();
        store.end_bout(id, &won(Winner::Second), 11).unwrap();
        let back = store.begin_bout(&NewBout { seats: [new.seats[1], new.seats[0]], ..new }, 20).unwrap();
        store.end_bout(back, &won(Winner::Draw), 21).unwrap();
        let seen = store.results_of(reed, 9).unwrap();
        let short: Vec<_> = seen.iter().map(|one| (one.bout, one.opponent, one.points, one.verdict)).collect();
        assert_eq!(short, [(back, rock, 0.5, Verdict::Ok), (id, rock, 1.0, Verdict::Tle)]);
        assert_eq!(store.results_of(reed, 1).unwrap().len(), 1);
        assert_eq!(store.rating_after(reed, id).unwrap(), Some(1516.0));
        assert_eq!(store.rating_after(reed, id - 1).unwrap(), None);
        let last = |time| store.last_begun_by(time).unwrap();
        assert_eq!([9, 10, 19, 20, 99].map(last), [0, id, id, back, back]);
        let next = |bout, back| store.neighbour(RENJU, bout, back).unwrap();
        assert_eq!((next(id, false), next(id, true), next(back, true)), (Some(back), None, Some(id)));
        let running = store.begin_bout(&new, 30).unwrap();
        assert_eq!((store.neighbour(RENJU, back, false).unwrap(), running > back), (None, true), "it has not ended");
    }

    #[test]
    fn games_of_two_are_found_without_those_of_others() {
        let (_folder, store, ..) = a_game();
        let plan = query_plan(&store, &between());
        let by_pair = plan.matches("INDEX bout_pair (first=? AND second=?)").count();
        assert_eq!(
            (by_pair, plan.matches("TEMP B-TREE").count()),
            (2, 2),
            "only the few that are shown are sorted: {plan}"
        );
        assert!(plan.matches("SCAN bout").count() == 0, "{plan}");
    }

    #[test]
    fn what_a_dead_process_was_doing_is_given_up() {
        let (_folder, mut store, [_, reed], new) = a_game();
        let lost = store.begin_bout(&new, 10).unwrap();
        assert_eq!(store.recover(false).unwrap(), (1, 0));
        assert!(!store.end_bout(lost, &won(Winner::First), 11).unwrap(), "nothing is counted that was given up");
        let other = store.begin_bout(&new, 10).unwrap();
        store.abandon_bout(other).unwrap();
        assert_eq!((store.running().unwrap().len(), store.program(reed).unwrap().unwrap().games), (0, 0));
    }

    #[test]
    fn a_check_game_is_not_rated() {
        let (_folder, mut store, [_, reed], new) = a_game();
        let id = store.begin_bout(&NewBout { kind: BoutKind::Check, ..new }, 10).unwrap();
        assert!(store.end_bout(id, &won(Winner::Second), 11).unwrap());
        let reed = store.program(reed).unwrap().unwrap();
        assert_eq!((reed.games, reed.rating), (0, 1500.0));
        assert_eq!(store.bouts_of(reed.id, i64::MAX, 9).unwrap(), []);
    }

    #[test]
    fn the_opponent_of_a_check_may_be_no_program() {
        let (_folder, mut store, _, new) = a_game();
        let [(first, _), (second, _)] = new.seats;
        let seats = [(first, Some(2)), (second, None)];
        let id = store.begin_bout(&NewBout { kind: BoutKind::Check, seats, ..new }, 10).unwrap();
        store.note_stand_in(id, "a script").unwrap();
        let [own, other] = store.bout(id).unwrap().unwrap().seats;
        assert!(own.label().ends_with(" v2") && !own.stands_in, "{own:?}");
        assert_eq!((other.label().as_str(), other.stands_in), ("a script", true));
    }
}
