//! Weekly leagues: which programs play against each other in a week, and what they have scored.

use std::collections::HashMap;

use agon_arena::store::StoreError;
use rusqlite::{OptionalExtension, Row, params};

use super::SiteStore;

/// A program's week in its group.
#[derive(Clone, PartialEq, Debug)]
pub struct LeagueScore {
    pub program: i64,
    /// The group, from 0.
    pub group: u32,
    pub games: u32,
    /// One for a win, half for a draw.
    pub points: f64,
}

impl LeagueScore {
    /// Points of those possible, 0 to 1; below all others without a game.
    pub fn share(&self) -> f64 {
        if self.games > 0 { self.points / f64::from(self.games) } else { -1.0 }
    }
}

impl SiteStore {
    /// The competitions that have a league.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn leagues(&self) -> Result<Vec<i64>, StoreError> {
        if !self.has_leagues() {
            return Ok(Vec::new());
        }
        let mut statement = self.connection.prepare_cached("SELECT contest FROM league ORDER BY contest")?;
        Ok(statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    /// Whether a competition has a league.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn has_league(&self, competition: i64) -> Result<bool, StoreError> {
        Ok(self.leagues()?.contains(&competition))
    }

    /// Gives a competition a league, or ends it; its weeks stay.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn set_league(&mut self, competition: i64, on: bool, now: i64) -> Result<(), StoreError> {
        if on {
            let sql = "INSERT INTO league (contest, since) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
            self.connection.execute(sql, [competition, now])?;
        } else {
            self.connection.execute("DELETE FROM league WHERE contest = ?1", [competition])?;
        }
        Ok(())
    }

    /// The last week of a league up to this one, by its beginning.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn last_league_week(&self, competition: i64, week: i64) -> Result<Option<i64>, StoreError> {
        if !self.has_leagues() {
            return Ok(None);
        }
        let sql = "SELECT max(week) FROM league_place WHERE contest = ?1 AND week <= ?2";
        Ok(self.connection.prepare_cached(sql)?.query_row([competition, week], |row| row.get(0)).optional()?.flatten())
    }

    /// Begins a week with these groups, unless it has begun.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn begin_league_week(&mut self, competition: i64, week: i64, groups: &[Vec<i64>]) -> Result<(), StoreError> {
        let transaction = self.begin()?;
        let sql = "INSERT INTO league_place (contest, week, program, division, number) VALUES (?1, ?2, ?3, ?4, ?5)
                   ON CONFLICT DO NOTHING";
        for (division, group) in (0u32..).zip(groups) {
            for (number, program) in (0u32..).zip(group) {
                transaction.execute(sql, params![competition, week, program, division, number])?;
            }
        }
        Ok(transaction.commit()?)
    }

    /// The groups of programs in a week.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn league_groups(&self, competition: i64, week: i64) -> Result<HashMap<i64, u32>, StoreError> {
        let sql = "SELECT program, division FROM league_place WHERE contest = ?1 AND week = ?2";
        let mut statement = self.connection.prepare_cached(sql)?;
        let all = statement.query_map([competition, week], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(all.collect::<Result<_, _>>()?)
    }

    /// The programs of a week that ends at this time, with what they have scored in rated games within their group, by
    /// group, the best first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn league_scores(&self, competition: i64, week: i64, ends: i64) -> Result<Vec<LeagueScore>, StoreError> {
        let sql = "WITH place AS (SELECT program, division, number FROM league_place WHERE contest = ?1 AND week = ?2),
                   seat AS (
                       SELECT program, division, second AS other, winner, 'first' AS own
                       FROM place JOIN bout ON bout.first = program
                       WHERE kind = 'ladder' AND begun >= ?2 AND begun < ?3 AND first_rating IS NOT NULL
                       UNION ALL
                       SELECT program, division, first, winner, 'second' FROM place JOIN bout ON bout.second = program
                       WHERE kind = 'ladder' AND begun >= ?2 AND begun < ?3 AND first_rating IS NOT NULL),
                   met AS (
                       SELECT seat.program, CASE winner WHEN own THEN 1.0 WHEN 'draw' THEN 0.5 ELSE 0.0 END AS points
                       FROM seat JOIN place ON place.program = other AND place.division = seat.division)
                   SELECT place.program, division, count(points), coalesce(sum(points), 0.0)
                   FROM place LEFT JOIN met ON met.program = place.program GROUP BY place.program
                   ORDER BY division, number";
        let read = |row: &Row| {
            Ok(LeagueScore { program: row.get(0)?, group: row.get(1)?, games: row.get(2)?, points: row.get(3)? })
        };
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut all: Vec<LeagueScore> =
            statement.query_map([competition, week, ends], read)?.collect::<Result<_, _>>()?;
        // Who is level stays in the order of the beginning.
        all.sort_by(|a, b| {
            let better = b.share().total_cmp(&a.share()).then(b.points.total_cmp(&a.points));
            a.group.cmp(&b.group).then(better)
        });
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use agon_referee::record::Winner;

    use super::super::games::tests::won;
    use super::super::{BoutKind, NewBout, RENJU, new_store};
    use super::*;

    #[test]
    fn games_within_a_group_and_a_week_count() {
        let (_folder, mut store) = new_store();
        let players = ["a", "b", "c", "d"].map(|name| (name.to_owned(), 1500.0, false));
        store.enter_builtins(RENJU, &players, 1).unwrap();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| store.builtin(RENJU, name).unwrap().unwrap().id);
        assert!(!store.has_league(RENJU).unwrap());
        store.set_league(RENJU, true, 5).unwrap();
        store.set_league(RENJU, true, 6).unwrap();
        assert_eq!(store.leagues().unwrap(), [RENJU]);
        store.begin_league_week(RENJU, 100, &[vec![a, b], vec![d, c]]).unwrap();
        store.begin_league_week(RENJU, 100, &[vec![c, b, a]]).unwrap();
        assert_eq!(store.league_groups(RENJU, 100).unwrap(), HashMap::from([(a, 0), (b, 0), (c, 1), (d, 1)]));
        let mut play = |seats: [i64; 2], winner, begun| {
            let new = NewBout { competition: RENJU, kind: BoutKind::Ladder, seed: 1, seats: seats.map(|p| (p, None)) };
            let id = store.begin_bout(&new, begun).unwrap();
            assert!(store.end_bout(id, &won(winner), begun + 1).unwrap());
        };
        play([a, b], Winner::Second, 99);
        play([a, b], Winner::Second, 100);
        play([b, a], Winner::Draw, 150);
        play([a, c], Winner::First, 150);
        play([a, b], Winner::First, 200);
        let scores = store.league_scores(RENJU, 100, 200).unwrap();
        let scores: Vec<_> = scores.iter().map(|one| (one.program, one.group, one.games, one.points)).collect();
        assert_eq!(scores, [(b, 0, 2, 1.5), (a, 0, 2, 0.5), (d, 1, 0, 0.0), (c, 1, 0, 0.0)]);
        let last = |store: &SiteStore, week| store.last_league_week(RENJU, week).unwrap();
        assert_eq!((last(&store, 99), last(&store, 100), last(&store, 900)), (None, Some(100), Some(100)));
        store.set_league(RENJU, false, 7).unwrap();
        assert_eq!((store.leagues().unwrap(), last(&store, 900)), (Vec::new(), Some(100)), "its weeks stay");
    }
}
