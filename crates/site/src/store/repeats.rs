//! Games of a ladder that went like an earlier one: the same versions in the same seats, the same start, moves and
//! verdicts. The first of them to begin counts; the others are stored and shown, but not rated. The transaction that
//! ends a game decides this, so it does not depend on the order in which games end.

use rusqlite::{Connection, OptionalExtension, params};

use super::SiteStore;
use super::games::{BOUT, SiteBout, bout, rated};
use super::ratings::{self, RatedResult};
use agon_arena::store::{StoreError, unpack};
use agon_arena::summary::game_digest;
use agon_referee::record::{Record, Winner};
use agon_referee::verdict::Verdict;

/// What makes two games of two versions in their seats the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameKey {
    /// The digest of its start and moves.
    pub digest: i64,
    pub winner: Winner,
    pub verdicts: [Verdict; 2],
}

/// The settings for the last older game with a digest, and for the last of the older games: those played before digests
/// were stored.
const DIGESTED: &str = "digested";
const UNDIGESTED: &str = "undigested";

/// How many old games are digested in one step.
const STEP: u32 = 50;

/// Adds a game that has just ended to those that went the same way; returns whether it counts. If a game that began
/// later was counted instead, that one no longer is.
pub(super) fn counts(connection: &Connection, bout: &SiteBout, key: GameKey) -> Result<bool, StoreError> {
    let Some(other) = counted_twin(connection, bout, key)? else { return Ok(true) };
    if other < bout.id {
        mark(connection, bout, other)?;
        return Ok(false);
    }
    take_out(connection, other, bout.id)?;
    Ok(true)
}

/// The other game that counts and went alike.
fn counted_twin(connection: &Connection, bout: &SiteBout, key: GameKey) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT id FROM bout
               WHERE first = ?1 AND second = ?2 AND game_digest = ?3 AND kind = 'ladder' AND game_digest IS NOT NULL
                   AND id <> ?4 AND first_version IS ?5 AND second_version IS ?6 AND winner = ?7
                   AND first_verdict = ?8 AND second_verdict = ?9 AND repeats IS NULL
               ORDER BY id LIMIT 1";
    let [first, second] = &bout.seats;
    let values = params![
        first.program,
        second.program,
        key.digest,
        bout.id,
        first.version,
        second.version,
        key.winner.to_string(),
        key.verdicts[0].name(),
        key.verdicts[1].name(),
    ];
    Ok(connection.prepare_cached(sql)?.query_row(values, |row| row.get(0)).optional()?)
}

/// Records that a game, which is not rated, repeats another one.
fn mark(connection: &Connection, bout: &SiteBout, of: i64) -> Result<(), StoreError> {
    let sql = "UPDATE bout SET repeats = ?2, first_rating = NULL, second_rating = NULL WHERE id = ?1";
    connection.prepare_cached(sql)?.execute([bout.id, of])?;
    count_repeat(connection, bout, 1)
}

/// Adds a game to the repeated games of both programs, or removes it.
fn count_repeat(connection: &Connection, bout: &SiteBout, games: i32) -> Result<(), StoreError> {
    let mut update = connection.prepare_cached("UPDATE program SET repeats = repeats + ?2 WHERE id = ?1")?;
    for seat in &bout.seats {
        update.execute(params![seat.program, games])?;
    }
    Ok(())
}

/// A game that has ended, and how it counts if it is counted.
fn ended(connection: &Connection, id: i64) -> Result<Option<(SiteBout, RatedResult)>, StoreError> {
    let sql = format!("{BOUT} WHERE bout.id = ?1 AND ended IS NOT NULL");
    let found = connection.prepare_cached(&sql)?.query_row([id], bout).optional()?;
    Ok(found.and_then(|bout| {
        let [Some(first), Some(second)] = bout.seats.each_ref().map(|seat| seat.verdict) else { return None };
        let rated = rated(&bout, bout.winner?, [first, second])?;
        Some((bout, rated))
    }))
}

/// Removes a counted game from the ratings, because it repeats one that was begun before it.
fn take_out(connection: &Connection, id: i64, of: i64) -> Result<(), StoreError> {
    let Some((bout, rated)) = ended(connection, id)? else { return Ok(()) };
    ratings::discount(connection, &rated)?;
    mark(connection, &bout, of)?;
    connection.prepare_cached("UPDATE bout SET repeats = ?2 WHERE repeats = ?1")?.execute([id, of])?;
    for program in rated.programs {
        ratings::read_form(connection, program)?;
    }
    ratings::rate_anew(connection, rated.competition, id, &rated.programs)
}

/// Forgets the course of a game that is withdrawn: if others went the same way, the first of them counts in its place.
/// Returns whether it had been counted itself; the caller recomputes the ratings.
pub(super) fn forget(connection: &Connection, bout: &SiteBout) -> Result<bool, StoreError> {
    let repeats: Option<i64> =
        connection.query_row("SELECT repeats FROM bout WHERE id = ?1", [bout.id], |row| row.get(0))?;
    if repeats.is_some() {
        count_repeat(connection, bout, -1)?;
        return Ok(false);
    }
    let heir: Option<i64> =
        connection.query_row("SELECT min(id) FROM bout WHERE repeats = ?1", [bout.id], |row| row.get(0))?;
    if let Some(heir) = heir
        && let Some((other, rated)) = ended(connection, heir)?
    {
        // Any ratings mark it as rated: they are recomputed.
        let sql = "UPDATE bout SET repeats = NULL, first_rating = 0.0, second_rating = 0.0 WHERE id = ?1";
        connection.execute(sql, [heir])?;
        connection.execute("UPDATE bout SET repeats = ?2 WHERE repeats = ?1", [bout.id, heir])?;
        count_repeat(connection, &other, -1)?;
        ratings::recount(connection, &rated)?;
    }
    Ok(true)
}

impl SiteStore {
    /// Whether there are games from before digests were stored that still have none.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn is_undigested(&self) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM setting WHERE name = ?1)";
        Ok(self.connection.prepare_cached(sql)?.query_row([UNDIGESTED], |row| row.get(0))?)
    }

    /// Digests some of the games from before digests were stored: each with its digest, or `None` if its record is gone
    /// or unreadable. Empty when all are done.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn digest_older(&self) -> Result<Vec<(i64, Option<i64>)>, StoreError> {
        let sql = "SELECT bout.id, record.text FROM bout LEFT JOIN record ON record.bout = bout.id
                   WHERE bout.id > (SELECT CAST(value AS INTEGER) FROM setting WHERE name = ?1)
                       AND bout.id <= (SELECT CAST(value AS INTEGER) FROM setting WHERE name = ?2)
                       AND ended IS NOT NULL AND kind IN ('ladder', 'final')
                   ORDER BY bout.id LIMIT ?3";
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query(params![DIGESTED, UNDIGESTED, STEP])?;
        let mut digests = Vec::new();
        while let Some(row) = rows.next()? {
            let packed: Option<Vec<u8>> = row.get(1)?;
            let text = packed.and_then(|packed| unpack(&packed).ok());
            let record = text.and_then(|text| Record::read(&text).ok());
            digests.push((row.get(0)?, record.as_ref().map(game_digest)));
        }
        Ok(digests)
    }

    /// Stores the digests of older games, and removes those that repeat others from the ratings, which
    /// [`Self::rate_late`] then recomputes.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn keep_digests(&mut self, digests: &[(i64, Option<i64>)]) -> Result<(), StoreError> {
        let transaction = self.begin()?;
        for (id, digest) in digests {
            let Some(digest) = *digest else { continue };
            transaction.prepare_cached("UPDATE bout SET game_digest = ?2 WHERE id = ?1")?.execute([*id, digest])?;
            let Some((bout, rated)) = ended(&transaction, *id)? else { continue };
            let (Some(winner), [Some(first), Some(second)]) =
                (bout.winner, bout.seats.each_ref().map(|seat| seat.verdict))
            else {
                continue;
            };
            let key = GameKey { digest, winner, verdicts: [first, second] };
            if let Some(other) = counted_twin(&transaction, &bout, key)? {
                let (kept, out) = (other.min(*id), other.max(*id));
                let Some((later, _)) = ended(&transaction, out)? else { continue };
                ratings::discount(&transaction, &rated)?;
                mark(&transaction, &later, kept)?;
                transaction.execute("UPDATE bout SET repeats = ?2 WHERE repeats = ?1", [out, kept])?;
                for program in rated.programs {
                    ratings::read_form(&transaction, program)?;
                }
                ratings::note_late(&transaction, rated.competition, out)?;
            }
        }
        match digests.last() {
            Some((id, _)) => transaction
                .execute("UPDATE setting SET value = ?2 WHERE name = ?1", params![DIGESTED, id.to_string()])?,
            None => transaction.execute("DELETE FROM setting WHERE name IN (?1, ?2)", [DIGESTED, UNDIGESTED])?,
        };
        Ok(transaction.commit()?)
    }

    /// How many games of a competition's ladder repeat earlier ones and are not rated.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn repeated_games(&self, competition: i64) -> Result<u64, StoreError> {
        let sql = "SELECT coalesce(sum(repeats), 0) / 2 FROM program WHERE contest = ?1";
        Ok(self.connection.prepare_cached(sql)?.query_row([competition], |row| row.get::<_, i64>(0))? as u64)
    }
}

#[cfg(test)]
mod tests {
    use agon_arena::store::Quarantine;
    use agon_game::seed::Stream;

    use super::super::games::tests::won;
    use super::super::{BoutKind, NewBout, PlayedBout, RENJU, new_store};
    use super::*;

    /// A store with four players; games move the ratings of three.
    fn store() -> (tempfile::TempDir, SiteStore, Vec<i64>) {
        let (folder, mut store) = new_store();
        let players: Vec<(String, f64, bool)> = (0..4).map(|at| (format!("p{at}"), 1500.0, at == 0)).collect();
        store.enter_builtins(RENJU, &players, 1).unwrap();
        let ids = players.iter().map(|(name, ..)| store.builtin(RENJU, name).unwrap().unwrap().id).collect();
        (folder, store, ids)
    }

    fn begin(store: &mut SiteStore, seats: [i64; 2]) -> i64 {
        let seats = seats.map(|id| (id, None));
        store.begin_bout(&NewBout { competition: RENJU, kind: BoutKind::Ladder, seed: 1, seats }, 5).unwrap()
    }

    fn played_alike(digest: i64, winner: Winner) -> PlayedBout {
        PlayedBout { game_digest: Some(digest), ..won(winner) }
    }

    /// Everything that a game could count for.
    fn counted(store: &SiteStore) -> Vec<String> {
        let read = |sql: &str| -> Vec<String> {
            let mut statement = store.connection.prepare(sql).unwrap();
            statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
        };
        let programs = "SELECT concat_ws(' ', id, rating, games, firsts, wins, draws, faults, form) FROM program";
        let meetings = "SELECT concat_ws(' ', program, opponent, games, wins, draws) FROM meeting ORDER BY 1";
        [read(programs), read(meetings)].concat()
    }

    #[test]
    fn a_repeated_game_counts_nowhere() {
        let (_folder, mut store, ids) = store();
        let seats = [ids[1], ids[2]];
        let first = begin(&mut store, seats);
        assert!(store.end_bout(first, &played_alike(7, Winner::First), 6).unwrap());
        let once = counted(&store);
        let again = begin(&mut store, seats);
        assert!(store.end_bout(again, &played_alike(7, Winner::First), 6).unwrap(), "it is stored");
        assert_eq!(counted(&store), once);
        let bout = store.bout(again).unwrap().unwrap();
        assert_eq!((bout.repeats, bout.seats[0].rating, bout.winner), (Some(first), None, Some(Winner::First)));
        assert_eq!(store.bout(first).unwrap().unwrap().repeats, None, "it is no copy of itself");
        assert_eq!((store.program(ids[1]).unwrap().unwrap().repeats, store.repeated_games(RENJU).unwrap()), (1, 1));
        assert_eq!(store.results_of(ids[1], 9).unwrap().len(), 1);
        // The other seats, other moves, another verdict, another program: all of these count.
        let others = [
            ([ids[2], ids[1]], played_alike(7, Winner::First)),
            (seats, played_alike(8, Winner::First)),
            (seats, played_alike(7, Winner::Second)),
            (seats, PlayedBout { verdicts: [Verdict::Ok; 2], ..played_alike(7, Winner::First) }),
            ([ids[1], ids[3]], played_alike(7, Winner::First)),
            (seats, won(Winner::First)),
        ];
        for (seats, played) in others {
            let before = counted(&store);
            let id = begin(&mut store, seats);
            store.end_bout(id, &played, 6).unwrap();
            assert_ne!(counted(&store), before, "{played:?}");
        }
        assert_eq!(store.repeated_games(RENJU).unwrap(), 1);
    }

    /// Games of a few digests between four players, so that many repeat others.
    fn games(ids: &[i64]) -> Vec<([i64; 2], PlayedBout)> {
        let mut stream = Stream::new(3, "repeats");
        let all = (0..60).map(|_| {
            let first = stream.below(4);
            let second = (first + 1 + stream.below(3)) % 4;
            let digest = stream.below(3) as i64;
            let winner = [Winner::First, Winner::Second, Winner::Draw][digest as usize];
            let worker = Some(if stream.below(4) == 0 { "liar" } else { "honest" }.to_owned());
            ([ids[first], ids[second]], PlayedBout { worker, ..played_alike(digest, winner) })
        });
        all.collect()
    }

    fn rows(store: &SiteStore) -> Vec<String> {
        let sql = "SELECT concat_ws(' ', id, winner, first_rating, second_rating, repeats) FROM bout ORDER BY id";
        let mut statement = store.connection.prepare(sql).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn the_order_in_which_repeated_games_end_does_not_matter() {
        let play = |order: &[usize]| {
            let (folder, mut store, ids) = store();
            let games = games(&ids);
            let begun: Vec<i64> = games.iter().map(|(seats, _)| begin(&mut store, *seats)).collect();
            for &at in order {
                assert!(store.end_bout(begun[at], &games[at].1, 6).unwrap());
            }
            drop(folder);
            (counted(&store), rows(&store), store.repeated_games(RENJU).unwrap())
        };
        let mut order: Vec<usize> = (0..60).collect();
        let wanted = play(&order);
        assert!(wanted.2 > 15, "{}", wanted.2);
        let mut stream = Stream::new(5, "order");
        for _ in 0..8 {
            for at in (1..60).rev() {
                order.swap(at, stream.below(at + 1));
            }
            assert_eq!(play(&order), wanted);
        }
    }

    #[test]
    fn a_game_in_quarantine_leaves_its_place_to_the_next_like_it() {
        let play = |skip: bool| {
            let (folder, mut store, ids) = store();
            for (seats, played) in games(&ids) {
                let id = begin(&mut store, seats);
                if !(skip && played.worker.as_deref() == Some("liar")) {
                    assert!(store.end_bout(id, &played, 6).unwrap());
                }
            }
            if !skip {
                let liar = Quarantine { worker: "liar".to_owned(), why: "it lies".to_owned() };
                store.quarantine(&liar, 9).unwrap();
            }
            drop(folder);
            (counted(&store), rows(&store), store.repeated_games(RENJU).unwrap())
        };
        assert_eq!(play(false), play(true));
    }

    #[test]
    fn older_games_are_digested_step_by_step() {
        let (_folder, mut store, ids) = store();
        let games = games(&ids);
        let mut begun = Vec::new();
        for (seats, played) in &games {
            let id = begin(&mut store, *seats);
            store.end_bout(id, played, 6).unwrap();
            begun.push(id);
        }
        let wanted = (counted(&store), rows(&store), store.repeated_games(RENJU).unwrap());
        // The same games as an earlier release left them.
        let (_folder, mut store, ids) = self::store();
        for (seats, played) in self::games(&ids) {
            let id = begin(&mut store, seats);
            store.end_bout(id, &PlayedBout { game_digest: None, ..played }, 6).unwrap();
        }
        assert_ne!(counted(&store), wanted.0);
        let last = begun.last().unwrap();
        let old = format!("INSERT INTO setting VALUES ('digested', '0'), ('undigested', '{last}')");
        store.connection.execute_batch(&old).unwrap();
        let mut steps = 0;
        while store.is_undigested().unwrap() {
            // The records in these tests are not real ones.
            let found = store.digest_older().unwrap();
            assert!(found.len() <= STEP as usize && found.iter().all(|(_, digest)| digest.is_none()));
            let known = |id: i64| begun.iter().position(|one| *one == id).and_then(|at| games[at].1.game_digest);
            let found: Vec<(i64, Option<i64>)> = found.into_iter().map(|(id, _)| (id, known(id))).collect();
            store.keep_digests(&found).unwrap();
            steps += 1;
        }
        assert_eq!(steps, 3, "60 games in steps of {STEP}, and one that finds none");
        assert!(store.rate_late().unwrap());
        assert_eq!((counted(&store), rows(&store), store.repeated_games(RENJU).unwrap()), wanted);
    }
}
