//! Keeps a site within its limits: the queue of checks and how long it takes, the age and size of the records, and the
//! size of the file.

use rusqlite::{OptionalExtension, Row, params};

use super::SiteStore;
use agon_arena::store::StoreError;

/// How many games and checks an average covers.
const RECENT: u32 = 20;

/// The newest games of each program that keep their records, however old they are.
pub const RECORDS_OF_EACH: u32 = 20;

/// How many records are examined in one step.
const STEP: u32 = 100;

/// The versions that are not settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CheckQueue {
    pub queued: u32,
    /// Those that are being compiled, or play their check game.
    pub checking: u32,
    /// When the oldest of them was submitted, or its check requested again.
    pub oldest: Option<i64>,
}

/// How long things have taken lately, in seconds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct RecentTimes {
    /// A check from the moment when a worker takes it, the mean of the last ones; none when there was none.
    pub check: Option<f64>,
    /// A game of any kind, also in seconds.
    pub game: Option<f64>,
}

impl RecentTimes {
    /// How many seconds `games` take if `capacity` are played at once; `None` before the first game.
    pub fn seconds_for(&self, games: u64, capacity: usize) -> Option<f64> {
        Some(games as f64 * self.game? / capacity.max(1) as f64)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Retention {
    /// The maximum age of a game, in seconds.
    pub age: Option<i64>,
    /// The maximum size of all records together, in bytes as they are stored.
    pub size: Option<u64>,
}

/// The result of one step of dropping old records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RetentionStep {
    /// How many it has dropped.
    pub dropped: u32,
    /// The game after which the next step continues; `None` when nothing more must be dropped.
    pub next: Option<i64>,
}

/// A record that may be old.
struct OldRecord {
    bout: i64,
    size: u64,
    begun: i64,
    programs: [i64; 2],
    of_final: bool,
}

fn old_record(row: &Row) -> rusqlite::Result<OldRecord> {
    Ok(OldRecord {
        bout: row.get(0)?,
        size: row.get::<_, i64>(1)? as u64,
        begun: row.get(2)?,
        programs: [row.get(3)?, row.get(4)?],
        of_final: row.get(5)?,
    })
}

impl SiteStore {
    /// The versions that are not settled.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn check_queue(&self) -> Result<CheckQueue, StoreError> {
        let sql = "SELECT count(*) FILTER (WHERE state = 'queued'), count(*) FILTER (WHERE state = 'checking'),
                          min(coalesce(requeued, submitted))
                   FROM version WHERE state IN ('queued', 'checking')";
        let read = |row: &Row| Ok(CheckQueue { queued: row.get(0)?, checking: row.get(1)?, oldest: row.get(2)? });
        Ok(self.connection.prepare_cached(sql)?.query_row([], read)?)
    }

    /// How many versions of a competition are not settled.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn unchecked(&self, competition: i64) -> Result<u32, StoreError> {
        let sql = "SELECT count(*) FROM version CROSS JOIN program ON program.id = version.program
                   WHERE state IN ('queued', 'checking') AND contest = ?1";
        Ok(self.connection.prepare_cached(sql)?.query_row([competition], |row| row.get(0))?)
    }

    /// Remembers how long a check took, from the moment when a worker took it.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn note_check_time(&mut self, version: i64, ms: u64) -> Result<(), StoreError> {
        self.connection.execute("UPDATE version SET check_ms = ?2 WHERE id = ?1", params![version, ms as i64])?;
        Ok(())
    }

    /// How long checks and games have taken lately. Only the newest versions are read, with or without a recorded time:
    /// skipping a version would read past its source.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn recent_times(&self) -> Result<RecentTimes, StoreError> {
        let sql = "SELECT (SELECT avg(check_ms) / 1000.0 FROM
                           (SELECT check_ms FROM version ORDER BY id DESC LIMIT 5 * ?1)),
                          (SELECT avg(ended - begun) FROM
                           (SELECT begun, ended FROM bout WHERE ended IS NOT NULL ORDER BY id DESC LIMIT ?1))";
        let read = |row: &Row| Ok(RecentTimes { check: row.get(0)?, game: row.get(1)? });
        Ok(self.connection.prepare_cached(sql)?.query_row([RECENT], read)?)
    }

    /// The size of all records together, in bytes as they are stored.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn records_size(&self) -> Result<u64, StoreError> {
        let sql = "SELECT bytes FROM storage WHERE name = 'records'";
        Ok(self.connection.prepare_cached(sql)?.query_row([], |row| row.get::<_, i64>(0))?.max(0) as u64)
    }

    /// Unused bytes of the file, which are filled before it grows.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn unused_size(&self) -> Result<u64, StoreError> {
        let number = |name| self.connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        Ok((number("freelist_count")? * number("page_size")?).max(0) as u64)
    }

    /// Drops records of the oldest games after one: at most a hundred, so that nothing else waits for long. Records of
    /// finals and of the newest games of each program stay; all games stay.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn drop_old_records(
        &mut self,
        retention: &Retention,
        after: i64,
        now: i64,
    ) -> Result<RetentionStep, StoreError> {
        let mut size = self.records_size()?;
        let transaction = self.begin()?;
        let mut step = RetentionStep { dropped: 0, next: None };
        {
            let sql = "SELECT record.bout, length(text), begun, first, second, final IS NOT NULL
                       FROM record JOIN bout ON bout.id = record.bout
                       WHERE record.bout > ?1 ORDER BY record.bout LIMIT ?2";
            let old: Vec<OldRecord> = transaction
                .prepare_cached(sql)?
                .query_map(params![after, STEP], old_record)?
                .collect::<Result<_, _>>()?;
            // Does the program have a game that many games later?
            let mut later = transaction.prepare_cached(
                "SELECT 1 FROM (SELECT id FROM bout WHERE first = ?1 AND id > ?2
                                UNION ALL SELECT id FROM bout WHERE second = ?1 AND id > ?2) LIMIT 1 OFFSET ?3",
            )?;
            let mut drop_record = transaction.prepare_cached("DELETE FROM record WHERE bout = ?1")?;
            for record in &old {
                let too_old = retention.age.is_some_and(|age| record.begun < now - age);
                if !too_old && retention.size.is_none_or(|most| size <= most) {
                    step.next = None;
                    break;
                }
                step.next = Some(record.bout);
                let mut newest = record.of_final;
                for program in record.programs {
                    let found = later.query_row(params![program, record.bout, RECORDS_OF_EACH - 1], |_| Ok(()));
                    newest |= found.optional()?.is_none();
                }
                if !newest {
                    drop_record.execute([record.bout])?;
                    size = size.saturating_sub(record.size);
                    step.dropped += 1;
                }
            }
        }
        transaction.commit()?;
        Ok(step)
    }
}

#[cfg(test)]
mod tests {
    use agon_referee::record::Winner;

    use super::super::games::tests::won;
    use super::super::{BoutKind, NewBout, RENJU, new_store};
    use super::*;

    /// A store with games between two players, game `n` begun at the time `n`.
    fn played(games: i64) -> (tempfile::TempDir, SiteStore) {
        let (folder, mut store) = new_store();
        let players = ["a", "b"].map(|name| (name.to_owned(), 1500.0, false));
        store.enter_builtins(RENJU, &players, 1).unwrap();
        let seats = ["a", "b"].map(|name| (store.builtin(RENJU, name).unwrap().unwrap().id, None));
        for at in 1..=games {
            let new = NewBout { competition: RENJU, kind: BoutKind::Ladder, seed: 1, seats };
            let id = store.begin_bout(&new, at).unwrap();
            assert_eq!(id, at);
            store.end_bout(id, &won(Winner::First), at + 4).unwrap();
        }
        (folder, store)
    }

    fn drop_all(store: &mut SiteStore, retention: Retention, now: i64) -> u32 {
        let (mut after, mut dropped) = (0, 0);
        loop {
            let step = store.drop_old_records(&retention, after, now).unwrap();
            dropped += step.dropped;
            let Some(next) = step.next else { return dropped };
            after = next;
        }
    }

    #[test]
    fn old_records_are_dropped_and_games_stay() {
        let (_folder, mut store) = played(150);
        let whole = store.records_size().unwrap();
        let each = whole / 150;
        assert_eq!(each * 150, whole, "all are alike");
        let age = |age| Retention { age: Some(age), size: None };
        assert_eq!(drop_all(&mut store, age(1000), 151), 0);
        assert_eq!(drop_all(&mut store, age(141), 151), 9, "begun before the time 10");
        assert_eq!(drop_all(&mut store, age(141), 151), 0, "once");
        assert_eq!((store.record_of_bout(9).unwrap(), store.record_of_bout(10).unwrap().is_some()), (None, true));
        assert_eq!(store.bout(9).unwrap().unwrap().winner, Some(Winner::First));
        assert_eq!(store.records_size().unwrap(), 141 * each);
        let size = Retention { age: None, size: Some(100 * each) };
        assert_eq!(drop_all(&mut store, size, 151), 41);
        assert_eq!(store.records_size().unwrap(), 100 * each);
        // The newest games of each program stay in any case.
        assert_eq!(drop_all(&mut store, age(0), 1_000_000), 100 - RECORDS_OF_EACH);
        assert_eq!(store.record_of_bout(150 - i64::from(RECORDS_OF_EACH)).unwrap(), None);
        assert!(store.record_of_bout(151 - i64::from(RECORDS_OF_EACH)).unwrap().is_some());
        assert_eq!(store.program(1).unwrap().unwrap().games, 150, "what is counted stays");
    }

    #[test]
    fn records_of_finals_stay() {
        let (_folder, mut store) = played(60);
        let sql = "INSERT INTO final (id, title, plan, state, created) VALUES (1, '', '', 'complete', 1);
                   UPDATE bout SET final = 1, slot = id WHERE id <= 2";
        store.connection.execute_batch(sql).unwrap();
        assert_eq!(drop_all(&mut store, Retention { age: Some(0), size: None }, 1000), 60 - 2 - RECORDS_OF_EACH);
        assert!(store.record_of_bout(1).unwrap().is_some() && store.record_of_bout(3).unwrap().is_none());
    }

    #[test]
    fn the_size_follows_records_that_go_with_their_games() {
        let (_folder, store) = played(5);
        assert!(store.records_size().unwrap() > 0);
        store.connection.execute("DELETE FROM bout", []).unwrap();
        assert_eq!(store.records_size().unwrap(), 0);
        assert_eq!(store.recent_times().unwrap(), RecentTimes::default());
    }

    #[test]
    fn times_are_means_of_the_last() {
        let (_folder, store) = played(3);
        assert_eq!(store.recent_times().unwrap(), RecentTimes { check: None, game: Some(4.0) });
        assert_eq!(store.check_queue().unwrap(), CheckQueue::default());
    }
}
