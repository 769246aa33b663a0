//! What the ladder needs to draw the next game, and to rate all programs together.

use rusqlite::Row;

use super::super::StoreError;
use super::SiteStore;

/// A program that may be drawn for a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// The program.
    pub program: i64,
    /// Its active version and that one's number, none of a built-in; and the rated games that version has played.
    pub version: Option<(i64, u32)>,
    /// See [`Candidate::version`].
    pub games: u32,
    /// How the registry names it, if it is built in.
    pub builtin: Option<String>,
    /// Its Elo rating.
    pub rating: f64,
    /// How many more of its games it has had the first seat in than the second; negative the other way.
    pub lead: i64,
    /// When its last game was begun.
    pub last: i64,
}

/// A row of results for rating all programs of a contest together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LadderRow {
    /// A program, and another one with a greater number.
    pub programs: [i64; 2],
    /// Points of both in their games against each other.
    pub points: [f64; 2],
}

/// How much there is of everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SiteCounts {
    /// Accounts of people.
    pub accounts: u64,
    /// Programs of users.
    pub programs: u64,
    /// Submitted versions.
    pub versions: u64,
    /// Games, those being played among them.
    pub games: u64,
}

impl SiteStore {
    /// All programs of a contest that may be drawn: the built-in ones, and the active versions of users.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn candidates(&self, contest: i64) -> Result<Vec<Candidate>, StoreError> {
        let sql = "SELECT program.id, version.id, version.number, coalesce(version.games, 0), builtin, rating,
                          2 * firsts - program.games, last
                   FROM program LEFT JOIN version ON version.id = active LEFT JOIN account ON account.id = account
                   WHERE program.contest = ?1 AND NOT barred AND coalesce(frozen, 0) = 0
                     AND (builtin IS NOT NULL OR active IS NOT NULL)
                   ORDER BY program.id";
        let read = |row: &Row| {
            let version: Option<i64> = row.get(1)?;
            let number: Option<u32> = row.get(2)?;
            Ok(Candidate {
                program: row.get(0)?,
                version: version.zip(number),
                games: row.get(3)?,
                builtin: row.get(4)?,
                rating: row.get(5)?,
                lead: row.get(6)?,
                last: row.get(7)?,
            })
        };
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_map([contest], read)?.collect::<Result<_, _>>()?)
    }

    /// What all rated games of a contest add up to, a row for each two programs that have met.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn ladder_rows(&self, contest: i64) -> Result<Vec<LadderRow>, StoreError> {
        let sql = "SELECT meeting.program, opponent, meeting.games, meeting.wins, meeting.draws
                   FROM meeting JOIN program ON program.id = meeting.program
                   WHERE contest = ?1 AND meeting.program < opponent";
        let read = |row: &Row| {
            let [games, wins, draws]: [f64; 3] = [row.get(2)?, row.get(3)?, row.get(4)?];
            let points = wins + draws / 2.0;
            Ok(LadderRow { programs: [row.get(0)?, row.get(1)?], points: [points, games - points] })
        };
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_map([contest], read)?.collect::<Result<_, _>>()?)
    }

    /// How many programs stand on the ladder of a contest, and how many of them are above a rating.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn ladder_size(&self, contest: i64, above: f64) -> Result<(u32, u32), StoreError> {
        let sql = "SELECT count(*), count(*) FILTER (WHERE rating > ?2) FROM program
                   WHERE contest = ?1 AND NOT barred AND (builtin IS NOT NULL OR active IS NOT NULL)";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_row(rusqlite::params![contest, above], |row| Ok((row.get(0)?, row.get(1)?)))?)
    }

    /// How much there is of everything. The games are counted by their numbers, so those given up count, too: to count
    /// a million rows would take longer than all else on a page.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn counts(&self) -> Result<SiteCounts, StoreError> {
        let sql = "SELECT (SELECT count(*) FROM account WHERE NOT team), (SELECT count(*) FROM program WHERE builtin IS NULL),
                          (SELECT count(*) FROM version), (SELECT coalesce(max(id), 0) FROM bout)";
        let read = |row: &Row| {
            Ok(SiteCounts {
                accounts: row.get::<_, i64>(0)? as u64,
                programs: row.get::<_, i64>(1)? as u64,
                versions: row.get::<_, i64>(2)? as u64,
                games: row.get::<_, i64>(3)? as u64,
            })
        };
        Ok(self.connection.prepare_cached(sql)?.query_row([], read)?)
    }
}

#[cfg(test)]
mod tests {
    use agon_referee::record::Winner;
    use agon_referee::verdict::Verdict;

    use super::super::{BoutKind, NewBout, PlayedBout, RENJU, new_store};
    use super::*;

    #[test]
    fn points_of_both_sides_are_one_row() {
        let (_folder, mut store) = new_store();
        let players = ["a", "b"].map(|name| (name.to_owned(), 1500.0, false));
        store.enter_builtins(RENJU, &players, 1).unwrap();
        let [a, b] = ["a", "b"].map(|name| store.builtin(RENJU, name).unwrap().unwrap().id);
        for (seats, winner) in [([a, b], Winner::First), ([b, a], Winner::First), ([b, a], Winner::Draw)] {
            let seats = seats.map(|id| (id, None));
            let id = store.begin_bout(&NewBout { contest: RENJU, kind: BoutKind::Ladder, seed: 1, seats }, 5).unwrap();
            let played = PlayedBout {
                winner,
                reason: String::new(),
                verdicts: [Verdict::Ok; 2],
                plies: 1,
                time_ms: [0.0; 2],
                record: String::new(),
            };
            store.end_bout(id, &played, 6).unwrap();
        }
        assert_eq!(store.ladder_rows(RENJU).unwrap(), [LadderRow { programs: [a, b], points: [1.5, 1.5] }]);
        let candidates = store.candidates(RENJU).unwrap();
        let lead = |at: usize| (candidates[at].lead, candidates[at].last);
        assert_eq!((lead(0), lead(1)), ((-1, 5), (1, 5)));
        assert_eq!(store.ladder_size(RENJU, 1500.0).unwrap().0, 2);
        assert_eq!(store.candidates(RENJU - 1).unwrap(), []);
    }
}
