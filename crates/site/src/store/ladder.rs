//! What the ladder needs to draw the next game, and to rate all programs together.

use std::collections::HashMap;

use rusqlite::{Row, params};

use super::SiteStore;
use agon_arena::store::StoreError;
use agon_referee::verdict::Verdict;

/// Whether a program is on the ladder of the competition `?1`: all columns are in the index `program_ladder`.
pub(super) const STANDS: &str = "contest = ?1 AND NOT barred AND (builtin IS NOT NULL OR active IS NOT NULL)
    AND id NOT IN (SELECT own.id FROM account CROSS JOIN program own ON own.account = account.id WHERE frozen)";

/// Whether its rating is meaningful: it has had a rated game, or is built in.
pub(super) const RATED: &str = "(games > 0 OR builtin IS NOT NULL)";

pub(super) const UNRATED: &str = "games = 0 AND builtin IS NULL";

/// Rated games that each version has which was accepted in time, also after the closing of its competition.
pub const FIRST_GAMES: u32 = 30;

/// A program that may be drawn for a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    pub program: i64,
    /// Its active version and that version's number, `None` for a built-in; and how many rated games that version has
    /// played.
    pub version: Option<(i64, u32)>,
    pub games: u32,
    /// Whether it reads OPENING lines; `None` if unknown.
    pub reads_openings: Option<bool>,
    /// Its name in the registry, if it is built in.
    pub builtin: Option<String>,
    /// Its owners: the person, or the members of the team. Programs with a common owner are not paired for rating.
    pub owners: Vec<i64>,
    pub rating: f64,
    /// In how many more of its games it had the first seat than the second; negative the other way.
    pub lead: i64,
    /// When its last game was begun.
    pub last: i64,
}

/// A row of results for rating all programs of a competition together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LadderRow {
    /// A program, and another one with a greater number.
    pub programs: [i64; 2],
    /// Points of both in their games against each other.
    pub points: [f64; 2],
}

/// A player in rated games: a version of a program, or a built-in player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct LadderPlayer {
    pub program: i64,
    /// The number of the version; `None` for a built-in.
    pub version: Option<u32>,
}

/// The games of a ladder that two versions in their seats have begun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BegunGames {
    /// Those with an opening, and those without.
    pub opened: u32,
    pub plain: u32,
    /// Whether one without an opening repeats another.
    pub repeated: bool,
}

/// The totals of two versions' rated games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct VersionRow {
    pub players: [LadderPlayer; 2],
    /// Points of both in their games against each other, in these seats.
    pub points: [f64; 2],
}

/// How many there are of everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SiteCounts {
    pub accounts: u64,
    pub programs: u64,
    pub versions: u64,
    /// Games, including those in progress.
    pub games: u64,
}

impl SiteStore {
    /// All programs of a competition that may be drawn: the built-in ones, and the active versions of users.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn candidates(&self, competition: i64) -> Result<Vec<Candidate>, StoreError> {
        let sql = "SELECT program.id, version.id, version.number, coalesce(version.games, 0), builtin, rating,
                          2 * firsts - program.games, last, account.id, coalesce(account.team, 0),
                          iif(builtin IS NULL, reads_openings, 1)
                   FROM program LEFT JOIN version ON version.id = active LEFT JOIN account ON account.id = account
                   WHERE program.contest = ?1 AND NOT barred AND coalesce(frozen, 0) = 0
                     AND (builtin IS NOT NULL OR active IS NOT NULL) AND resting IS NULL
                   ORDER BY program.id";
        let members = self.members_of_teams()?;
        let read = |row: &Row| {
            let version: Option<i64> = row.get(1)?;
            let number: Option<u32> = row.get(2)?;
            let (account, team): (Option<i64>, bool) = (row.get(8)?, row.get(9)?);
            let of_team = account.filter(|_| team).and_then(|team| members.get(&team)).cloned();
            Ok(Candidate {
                program: row.get(0)?,
                version: version.zip(number),
                games: row.get(3)?,
                builtin: row.get(4)?,
                owners: of_team.unwrap_or_else(|| account.into_iter().collect()),
                rating: row.get(5)?,
                lead: row.get(6)?,
                last: row.get(7)?,
                reads_openings: row.get(10)?,
            })
        };
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_map([competition], read)?.collect::<Result<_, _>>()?)
    }

    /// How many games of the ladder the versions in these seats have begun, with and without openings, and whether one
    /// of the latter repeats another. Games that a busy machine left undecided count as not begun.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn begun_between(&self, players: [LadderPlayer; 2]) -> Result<BegunGames, StoreError> {
        let sql = "SELECT count(*) FILTER (WHERE coalesce(opening, '{}') <> '{}'),
                          count(*) FILTER (WHERE coalesce(opening, '{}') = '{}'),
                          count(*) FILTER (WHERE coalesce(opening, '{}') = '{}' AND repeats IS NOT NULL)
                   FROM bout WHERE kind = 'ladder' AND first = ?1 AND first_version IS ?2
                       AND second = ?3 AND second_version IS ?4 AND coalesce(first_verdict, '') <> ?5";
        let [first, second] = players;
        // Both seats have this verdict or none.
        let undecided = Verdict::Interrupted.name();
        let values = rusqlite::params![first.program, first.version, second.program, second.version, undecided];
        Ok(self.connection.prepare_cached(sql)?.query_row(values, |row| {
            Ok(BegunGames { opened: row.get(0)?, plain: row.get(1)?, repeated: row.get::<_, u32>(2)? > 0 })
        })?)
    }

    /// The members of all teams.
    fn members_of_teams(&self) -> Result<HashMap<i64, Vec<i64>>, StoreError> {
        let mut members: HashMap<i64, Vec<i64>> = HashMap::new();
        let sql = "SELECT team, account FROM member WHERE joined IS NOT NULL ORDER BY team, account";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            members.entry(row.get(0)?).or_default().push(row.get(1)?);
        }
        Ok(members)
    }

    /// The programs of a competition whose ratings games leave as they are, and these.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn fixed_ratings(&self, competition: i64) -> Result<Vec<(i64, f64)>, StoreError> {
        let sql = "SELECT id, rating FROM program WHERE contest = ?1 AND fixed ORDER BY id";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_map([competition], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?)
    }

    /// The rating of each program of a competition.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn ratings(&self, competition: i64) -> Result<HashMap<i64, f64>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT id, rating FROM program WHERE contest = ?1")?;
        Ok(statement.query_map([competition], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?)
    }

    /// Passes the totals of all rated games of a competition to `each`, one row for every two programs that have met: a
    /// large ladder has a million of them.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn each_ladder_row(&self, competition: i64, mut each: impl FnMut(LadderRow)) -> Result<(), StoreError> {
        let sql = "SELECT meeting.program, opponent, meeting.games, meeting.wins, meeting.draws
                   FROM meeting JOIN program ON program.id = meeting.program
                   WHERE contest = ?1 AND meeting.program < opponent";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([competition])?;
        while let Some(row) = rows.next()? {
            let [games, wins, draws]: [f64; 3] = [row.get(2)?, row.get(3)?, row.get(4)?];
            let points = wins + draws / 2.0;
            each(LadderRow { programs: [row.get(0)?, row.get(1)?], points: [points, games - points] });
        }
        Ok(())
    }

    /// Passes the totals of a competition's rated games by version to `each`, one row for every two that have met in
    /// these seats.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn each_version_row(&self, competition: i64, mut each: impl FnMut(VersionRow)) -> Result<(), StoreError> {
        let sql = "SELECT first, first_version, second, second_version,
                          sum(iif(winner = 'first', 1.0, iif(winner = 'draw', 0.5, 0.0))), count(*)
                   FROM bout WHERE contest = ?1 AND kind = 'ladder' AND first_rating IS NOT NULL
                   GROUP BY first, first_version, second, second_version";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query([competition])?;
        while let Some(row) = rows.next()? {
            let player = |at: usize| -> rusqlite::Result<LadderPlayer> {
                Ok(LadderPlayer { program: row.get(at)?, version: row.get(at + 1)? })
            };
            let [points, games]: [f64; 2] = [row.get(4)?, row.get(5)?];
            each(VersionRow { players: [player(0)?, player(2)?], points: [points, games - points] });
        }
        Ok(())
    }

    /// How many programs are on the ladder of a competition.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn ladder_size(&self, competition: i64) -> Result<u32, StoreError> {
        let sql = format!("SELECT count(*) FROM program WHERE {STANDS}");
        Ok(self.connection.prepare_cached(&sql)?.query_row([competition], |row| row.get(0))?)
    }

    /// The place among the programs of users that a rating gives: one more than there are rated ones above it.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn users_place(&self, competition: i64, rating: f64) -> Result<u32, StoreError> {
        let sql =
            format!("SELECT 1 + count(*) FROM program WHERE {STANDS} AND builtin IS NULL AND {RATED} AND rating > ?2");
        Ok(self.connection.prepare_cached(&sql)?.query_row(params![competition, rating], |row| row.get(0))?)
    }

    /// How many active programs of a competition have had no rated game, and how many have had fewer than
    /// [`FIRST_GAMES`] with their version.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn unsettled(&self, competition: i64) -> Result<(u32, u32), StoreError> {
        let sql = "SELECT count(*) FILTER (WHERE program.games = 0), count(*) FILTER (WHERE version.games < ?2)
                   FROM program JOIN version ON version.id = active LEFT JOIN account ON account.id = account
                   WHERE program.contest = ?1 AND NOT barred AND NOT coalesce(frozen, 0) AND resting IS NULL";
        let read = |row: &Row| Ok((row.get(0)?, row.get(1)?));
        Ok(self.connection.prepare_cached(sql)?.query_row(params![competition, FIRST_GAMES], read)?)
    }

    /// How many seats the programs of a competition have had in rated games: the number changes with every game played.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn rated_seats(&self, competition: i64) -> Result<u64, StoreError> {
        let sql = "SELECT coalesce(sum(games), 0) FROM program WHERE contest = ?1";
        Ok(self.connection.prepare_cached(sql)?.query_row([competition], |row| row.get::<_, i64>(0))? as u64)
    }

    /// How many there are of everything. Games are counted by their numbers, so abandoned ones count, too: counting a
    /// million rows would take longer than everything else on a page.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn counts(&self) -> Result<SiteCounts, StoreError> {
        let sql = "SELECT (SELECT count(*) FROM account WHERE NOT team),
                          (SELECT count(*) FROM program WHERE builtin IS NULL),
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
    use agon_message::Stated;
    use agon_referee::record::Winner;
    use agon_referee::verdict::Verdict;

    use super::super::{BoutKind, NewBout, PlayedBout, RENJU, new_store, query_plan};
    use super::*;

    #[test]
    fn places_are_counted_in_the_index() {
        let (_folder, store) = new_store();
        for part in ["1", RATED, UNRATED] {
            for rest in ["", " AND rating > ?2", " ORDER BY rating DESC, id LIMIT ?2 OFFSET ?3"] {
                let plan = query_plan(&store, &format!("SELECT id FROM program WHERE {STANDS} AND {part}{rest}"));
                assert!(plan.contains("COVERING INDEX program_ladder") && !plan.contains("TEMP B-TREE"), "{plan}");
            }
        }
    }

    #[test]
    fn programs_of_frozen_accounts_do_not_stand_on_the_ladder() {
        use super::super::{Submission, SubmissionLimits};
        let (_folder, mut store) = new_store();
        let limits = SubmissionLimits { daily: 9, programs: 9, waiting: 9 };
        let accounts = ["ada", "bob"].map(|name| store.create_account(name, "x", false, 1).unwrap().unwrap());
        for account in accounts {
            let language = agon_referee::agent::Language::Python3;
            let own = Submission { account, competition: RENJU, name: "bot", language, source: "x" };
            let version = store.submit(&own, &limits, 5).unwrap().unwrap();
            store.take_submission().unwrap();
            store.settle_submission(version, Ok(()), None, 6).unwrap();
        }
        let stand = |store: &SiteStore| {
            let owners = |row: super::super::PlacedProgram| row.program.owner.unwrap();
            let ladder: Vec<String> = store.ladder(RENJU, 0, 9).unwrap().into_iter().map(owners).collect();
            (ladder, store.ladder_size(RENJU).unwrap(), store.users_place(RENJU, 1000.0).unwrap())
        };
        assert_eq!(stand(&store), (vec!["ada".to_owned(), "bob".to_owned()], 2, 1), "neither is rated");
        let programs = accounts.map(|account| store.programs_of(account).unwrap()[0].id);
        let seats = programs.map(|program| (program, Some(1)));
        let bout =
            store.begin_bout(&NewBout { competition: RENJU, kind: BoutKind::Ladder, seed: 1, seats }, 7).unwrap();
        store.end_bout(bout, &super::super::games::tests::won(Winner::First), 8).unwrap();
        assert_eq!(stand(&store), (vec!["ada".to_owned(), "bob".to_owned()], 2, 3));
        store.freeze_account(accounts[0], true).unwrap();
        assert_eq!(stand(&store), (vec!["bob".to_owned()], 1, 2));
        let best: Vec<(Option<u32>, String)> =
            store.best(RENJU, 9).unwrap().into_iter().map(|row| (row.place, row.program.owner.unwrap())).collect();
        assert_eq!(best, [(Some(1), "bob".to_owned())]);
        store.freeze_account(accounts[0], false).unwrap();
        assert_eq!(stand(&store).1, 2);
    }

    #[test]
    fn who_has_had_no_rated_game_has_no_place_and_equal_ratings_share_one() {
        use super::super::games::tests::won;
        use super::super::{Submission, SubmissionLimits};
        use agon_referee::agent::Language;
        let (_folder, mut store) = new_store();
        let limits = SubmissionLimits { daily: 9, programs: 9, waiting: 9 };
        store.enter_builtins(RENJU, &[("random".to_owned(), 1490.0, true)], 1).unwrap();
        let mark = store.builtin(RENJU, "random").unwrap().unwrap().id;
        let programs = ["ada", "bob", "cem", "dan", "eve"].map(|name| {
            let account = store.create_account(name, "x", false, 1).unwrap().unwrap();
            let own = Submission { account, competition: RENJU, name, language: Language::Python3, source: name };
            let version = store.submit(&own, &limits, 5).unwrap().unwrap();
            store.take_submission().unwrap();
            store.settle_submission(version, Ok(()), None, 6).unwrap();
            store.version(version).unwrap().unwrap().program
        });
        let shown = |store: &SiteStore, from, most| -> Vec<(String, Option<u32>)> {
            let rows = store.ladder(RENJU, from, most).unwrap();
            rows.into_iter().map(|row| (row.program.name, row.place)).collect()
        };
        let row = |name: &str, place: Option<u32>| (name.to_owned(), place);
        let first = ["ada", "bob", "cem", "dan", "eve"].map(|name| row(name, None));
        assert_eq!(shown(&store, 0, 9), [&[row("random", None)][..], &first[..]].concat());
        assert_eq!(store.unsettled(RENJU).unwrap(), (5, 5));
        // Ada, Bob and Cem lose to the benchmark: eve, who has not played, would be above them with her 1500.
        let play = |store: &mut SiteStore, program: i64, winner| {
            let new = NewBout {
                competition: RENJU,
                kind: BoutKind::Ladder,
                seed: 1,
                seats: [(program, Some(1)), (mark, None)],
            };
            let bout = store.begin_bout(&new, 7).unwrap();
            store.end_bout(bout, &won(winner), 8).unwrap();
        };
        for program in &programs[..3] {
            play(&mut store, *program, Winner::Second);
        }
        play(&mut store, programs[3], Winner::First);
        let all = [
            row("dan", Some(1)),
            row("random", None),
            row("ada", Some(2)),
            row("bob", Some(2)),
            row("cem", Some(2)),
            row("eve", None),
        ];
        assert_eq!(shown(&store, 0, 9), all);
        // Whatever page it is on.
        for from in 0..all.len() {
            assert_eq!(shown(&store, from as u32, 2), all[from..all.len().min(from + 2)], "from {from}");
        }
        for (program, place) in programs.iter().zip([Some(2), Some(2), Some(2), Some(1), None]) {
            assert_eq!(store.place_of(&store.program(*program).unwrap().unwrap()).unwrap(), place);
        }
        let best: Vec<Option<u32>> = store.best(RENJU, 9).unwrap().into_iter().map(|row| row.place).collect();
        assert_eq!(best, [Some(1), Some(2), Some(2), Some(2), None]);
        assert_eq!(store.unsettled(RENJU).unwrap(), (1, 5));
        // A program that is out has no place.
        store.bar_program(programs[0], true).unwrap();
        assert_eq!(store.place_of(&store.program(programs[0]).unwrap().unwrap()).unwrap(), None);
    }

    #[test]
    fn points_of_both_sides_are_one_row() {
        let (_folder, mut store) = new_store();
        let players = ["a", "b"].map(|name| (name.to_owned(), 1500.0, false));
        store.enter_builtins(RENJU, &players, 1).unwrap();
        let [a, b] = ["a", "b"].map(|name| store.builtin(RENJU, name).unwrap().unwrap().id);
        for (seats, winner) in [([a, b], Winner::First), ([b, a], Winner::First), ([b, a], Winner::Draw)] {
            let seats = seats.map(|id| (id, None));
            let id =
                store.begin_bout(&NewBout { competition: RENJU, kind: BoutKind::Ladder, seed: 1, seats }, 5).unwrap();
            let played = PlayedBout {
                winner,
                reason: Stated::default(),
                verdicts: [Verdict::Ok; 2],
                plies: 1,
                time_ms: [0.0; 2],
                record: String::new(),
                worker: None,
                game_digest: None,
            };
            store.end_bout(id, &played, 6).unwrap();
        }
        let mut rows = Vec::new();
        store.each_ladder_row(RENJU, |row| rows.push(row)).unwrap();
        assert_eq!(rows, [LadderRow { programs: [a, b], points: [1.5, 1.5] }]);
        store.each_ladder_row(RENJU - 1, |row| panic!("{row:?}")).unwrap();
        let mut rows = Vec::new();
        store.each_version_row(RENJU, |row| rows.push(row)).unwrap();
        let [a, b] = [a, b].map(|program| LadderPlayer { program, version: None });
        let row = |players, points| VersionRow { players, points };
        assert_eq!(rows, [row([a, b], [1.0, 0.0]), row([b, a], [1.5, 0.5])]);
        assert_eq!(store.fixed_ratings(RENJU).unwrap(), []);
        let candidates = store.candidates(RENJU).unwrap();
        let lead = |at: usize| (candidates[at].lead, candidates[at].last);
        assert_eq!((lead(0), lead(1)), ((-1, 5), (1, 5)));
        let (size, rated) = (store.ladder_size(RENJU).unwrap(), store.rated_seats(RENJU).unwrap());
        assert_eq!((size, rated, store.rated_seats(RENJU - 1).unwrap()), (2, 6, 0));
        let best = |from| store.ladder(RENJU, from, 1).unwrap()[0].program.clone();
        assert!(best(0).rating > best(1).rating, "{} {}", best(0).rating, best(1).rating);
        assert_eq!(store.users_place(RENJU, 0.0).unwrap(), 1, "marks take no place");
        assert_eq!(store.candidates(RENJU - 1).unwrap(), []);
    }
}
