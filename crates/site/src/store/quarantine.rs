//! Workers of a site's fleet whose games count no longer.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};

use super::SiteStore;
use super::finals::FinalState;
use super::games::{BOUT, BoutKind, SiteBout, bout, rated, seed};
use super::{ratings, repeats};
use agon_arena::plan::{Kind, Plan};
use agon_arena::store::{Quarantine, StoreError};

impl SiteStore {
    /// Puts a worker into quarantine: none of its games counts any longer, and ratings are as if it had played none.
    /// Those of ladders must be played again, under the same numbers, and are returned with their seeds, in order.
    /// Those of finals and those requested by authors are abandoned, so that they are played as if they had not begun;
    /// failed checks are repeated.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn quarantine(&mut self, quarantine: &Quarantine, now: i64) -> Result<Vec<(SiteBout, u64)>, StoreError> {
        let transaction = self.begin()?;
        let sql = "INSERT OR IGNORE INTO quarantine (worker, why, since) VALUES (?1, ?2, ?3)";
        transaction.execute(sql, params![quarantine.worker, quarantine.why, now])?;
        let bouts = {
            let mut statement = transaction.prepare(&format!("{BOUT} WHERE bout.worker = ?1 ORDER BY bout.id"))?;
            statement.query_map([&quarantine.worker], bout)?.collect::<Result<Vec<SiteBout>, _>>()?
        };
        // For each competition: from where its ratings must be recomputed, and whose.
        let mut ladders: BTreeMap<i64, (i64, Vec<i64>)> = BTreeMap::new();
        let mut again = Vec::new();
        for bout in bouts {
            match bout.kind {
                BoutKind::Ladder => {
                    let programs = bout.seats.each_ref().map(|seat| seat.program);
                    if let (Some(winner), [Some(first), Some(second)]) =
                        (bout.winner, bout.seats.each_ref().map(|seat| seat.verdict))
                        && let Some(rated) = rated(&bout, winner, [first, second])
                        && repeats::forget(&transaction, &bout)?
                    {
                        ratings::discount(&transaction, &rated)?;
                        let (_, concerned) = ladders.entry(bout.competition).or_insert((bout.id, Vec::new()));
                        concerned.extend(programs);
                    }
                    reopen(&transaction, bout.id)?;
                    again.push((bout.id, seed(&transaction, bout.id)?));
                }
                BoutKind::Final { id, slot } => forget_slot(&transaction, id, slot)?,
                BoutKind::Asked { .. } => drop(transaction.execute("DELETE FROM bout WHERE id = ?1", [bout.id])?),
                BoutKind::Check => {
                    let failed = "UPDATE version SET state = 'queued', message = '', bout = NULL, settled = NULL
                                  WHERE bout = ?1 AND state = 'failed'";
                    if transaction.execute(failed, [bout.id])? == 1 {
                        transaction.execute("DELETE FROM bout WHERE id = ?1", [bout.id])?;
                    }
                }
            }
        }
        for (competition, (from, mut programs)) in ladders {
            programs.sort_unstable();
            programs.dedup();
            for program in &programs {
                ratings::read_form(&transaction, *program)?;
            }
            ratings::rate_from(&transaction, competition, from, Some(&programs))?;
        }
        transaction.commit()?;
        let opened = again.into_iter().map(|(id, seed)| Ok(self.bout(id)?.map(|bout| (bout, seed))));
        opened.filter_map(Result::transpose).collect()
    }

    /// The workers whose games count no longer, and since when, by name.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn quarantined(&self) -> Result<Vec<(Quarantine, i64)>, StoreError> {
        let sql = "SELECT worker, why, since FROM quarantine ORDER BY worker";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement
            .query_map([], |row| Ok((Quarantine { worker: row.get(0)?, why: row.get(1)? }, row.get::<_, i64>(2)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// Marks a game as begun and not ended.
fn reopen(connection: &Connection, bout: i64) -> Result<(), StoreError> {
    connection.execute(
        "UPDATE bout SET ended = NULL, winner = NULL, reason = NULL, first_verdict = NULL, second_verdict = NULL,
             plies = NULL, first_ms = NULL, second_ms = NULL, first_rating = NULL, second_rating = NULL, worker = NULL,
             game_digest = NULL, repeats = NULL, reason_keyed = NULL
         WHERE id = ?1",
        [bout],
    )?;
    connection.execute("DELETE FROM record WHERE bout = ?1", [bout])?;
    connection.execute("DELETE FROM evaluation WHERE bout = ?1", [bout])?;
    Ok(())
}

/// Removes a game from a final, which resumes if it was complete; in a Swiss tournament also everything that came after
/// it, since its pairings followed from the result.
fn forget_slot(connection: &Connection, id: i64, slot: u32) -> Result<(), StoreError> {
    let plan: String = connection.query_row("SELECT plan FROM final WHERE id = ?1", [id], |row| row.get(0))?;
    let swiss = serde_json::from_str::<Plan>(&plan).is_ok_and(|plan| matches!(plan.kind, Kind::Swiss { .. }));
    let sql = "DELETE FROM bout WHERE final = ?1 AND (slot = ?2 OR slot > ?2 AND ?3)";
    connection.execute(sql, params![id, slot, swiss])?;
    let sql = "DELETE FROM final_result WHERE final = ?1 AND slot > ?2 AND ?3";
    connection.execute(sql, params![id, slot, swiss])?;
    let sql = "UPDATE final SET state = ?2 WHERE id = ?1 AND state = ?3";
    connection.execute(sql, params![id, FinalState::Running, FinalState::Complete])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use agon_referee::agent::Language;
    use agon_referee::record::Winner;

    use super::super::finals::tests::entrant;
    use super::super::games::tests::won;
    use super::super::{NewBout, PlayedBout, RENJU, Submission, SubmissionLimits, new_store};
    use super::*;
    use crate::store::CheckState;

    const LIMITS: SubmissionLimits = SubmissionLimits { daily: 4, programs: 2, waiting: 2 };

    fn by(worker: &str, winner: Winner) -> PlayedBout {
        PlayedBout { worker: Some(worker.to_owned()), ..won(winner) }
    }

    /// A store with three programs, and games of the ladder between them in turn, each with the worker that played it;
    /// those in `skip` are not yet played.
    fn ladder(games: &[(&str, Winner)], skip: &str) -> (tempfile::TempDir, SiteStore, [i64; 3], Vec<i64>) {
        let (folder, mut store) = new_store();
        let players = ["a", "b", "c"].map(|name| (name.to_owned(), 1500.0, false));
        store.enter_builtins(RENJU, &players, 1).unwrap();
        let all = ["a", "b", "c"].map(|name| store.builtin(RENJU, name).unwrap().unwrap().id);
        let mut begun = Vec::new();
        for (at, (worker, winner)) in games.iter().enumerate() {
            let seats = [all[at % 3], all[(at + 1) % 3]].map(|id| (id, None));
            let new = NewBout { competition: RENJU, kind: BoutKind::Ladder, seed: 40 + at as u64, seats };
            let id = store.begin_bout(&new, 5).unwrap();
            if *worker != skip {
                assert!(store.end_bout(id, &by(worker, *winner), 6).unwrap());
            }
            begun.push(id);
        }
        (folder, store, all, begun)
    }

    const GAMES: [(&str, Winner); 7] = [
        ("honest", Winner::First),
        ("liar", Winner::First),
        ("honest", Winner::Draw),
        ("liar", Winner::Void),
        ("honest", Winner::Second),
        ("liar", Winner::Draw),
        ("honest", Winner::First),
    ];

    #[test]
    fn ratings_are_as_if_a_liar_had_played_nothing() {
        let (_folder, mut store, all, begun) = ladder(&GAMES, "unknown");
        let (_other, without, ..) = ladder(&GAMES, "liar");
        let liar = Quarantine { worker: "liar".to_owned(), why: "it lies".to_owned() };
        let again = store.quarantine(&liar, 9).unwrap();
        let numbers: Vec<(i64, u64)> = again.iter().map(|(bout, seed)| (bout.id, *seed)).collect();
        assert_eq!(numbers, [(begun[1], 41), (begun[3], 43), (begun[5], 45)]);
        assert!(again.iter().all(|(bout, _)| bout.winner.is_none() && bout.seats[0].verdict.is_none()));
        for program in all {
            assert_eq!(store.program(program).unwrap(), without.program(program).unwrap());
            assert_eq!(store.meetings(program, 9).unwrap(), without.meetings(program, 9).unwrap());
        }
        for id in &begun {
            assert_eq!(store.bout(*id).unwrap(), without.bout(*id).unwrap());
            assert_eq!(store.record_of_bout(*id).unwrap(), without.record_of_bout(*id).unwrap());
        }
        assert_eq!(store.quarantined().unwrap(), [(liar.clone(), 9)]);
        // None of its games counts any more; another worker's does, and only once.
        assert!(!store.end_bout(begun[1], &by("liar", Winner::First), 10).unwrap());
        assert!(store.end_bout(begun[1], &by("honest", Winner::Second), 10).unwrap());
        assert!(!store.end_bout(begun[1], &by("honest", Winner::First), 10).unwrap());
        assert_eq!(store.quarantine(&liar, 11).unwrap(), []);
    }

    #[test]
    fn finals_and_checks_of_a_liar_are_made_again() {
        let (_folder, mut store, [a, b, _], _) = ladder(&[], "unknown");
        let slots = |store: &SiteStore, id| -> Vec<u32> {
            store.final_bouts(id).unwrap().iter().map(|bout| bout.slot).collect()
        };
        let seats = [(a, None), (b, None)];
        for (worker, swiss, left) in [("one", false, vec![0, 2]), ("two", true, vec![0])] {
            let mut plan = Plan::of_match(agon_catalog::Game::RENJU, [entrant("a"), entrant("b")], 4);
            if swiss {
                plan.kind = Kind::Swiss { rounds: 2 };
            }
            let id = store.begin_final(RENJU, "Friday", &plan, 5).unwrap();
            for (slot, worker) in [(0, "honest"), (1, worker), (2, "honest")] {
                let kind = BoutKind::Final { id, slot };
                let bout = store.begin_bout(&NewBout { competition: RENJU, kind, seed: 1, seats }, 5).unwrap();
                assert!(store.end_bout(bout, &by(worker, Winner::First), 6).unwrap());
            }
            store.end_final(id, FinalState::Complete).unwrap();
            let liar = Quarantine { worker: worker.to_owned(), why: "it lies".to_owned() };
            assert_eq!(store.quarantine(&liar, 9).unwrap(), []);
            assert_eq!(
                (slots(&store, id), store.running_finals().unwrap().first().map(|one| one.id)),
                (left, Some(id))
            );
            store.end_final(id, FinalState::Stopped).unwrap();
        }
        // A check that a liar let fail.
        let account = store.create_account("ada", "none", false, 1).unwrap().unwrap();
        let submission =
            Submission { account, competition: RENJU, name: "bot", language: Language::Python3, source: "print()" };
        let version = store.submit(&submission, &LIMITS, 2).unwrap().unwrap();
        let version = store.take_submission().unwrap().filter(|taken| taken.id == version).unwrap();
        let seats = [(version.program, Some(1)), (a, None)];
        let bout = store.begin_bout(&NewBout { competition: RENJU, kind: BoutKind::Check, seed: 1, seats }, 5).unwrap();
        assert!(store.end_bout(bout, &by("three", Winner::Second), 6).unwrap());
        store.settle_submission(version.id, Err("it fails".into()), Some(bout), 7).unwrap();
        let liar = Quarantine { worker: "three".to_owned(), why: "it lies".to_owned() };
        store.quarantine(&liar, 9).unwrap();
        assert_eq!(store.version(version.id).unwrap().unwrap().state, CheckState::Queued);
        assert_eq!(store.bout(bout).unwrap(), None);
    }
}
