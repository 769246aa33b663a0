//! A host's daily overview: what has failed, who is stuck, what rests.

use rusqlite::{Row, params};

use super::SiteStore;
use crate::check_message::CheckMessage;
use agon_arena::store::StoreError;

/// A version that the host may want to look at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TroubledVersion {
    pub version: i64,
    pub program: i64,
    /// The program's name with the version's number.
    pub label: String,
    /// Its owner: the number and the name of an account.
    pub account: i64,
    pub owner: String,
    /// What was found, if anything.
    pub message: CheckMessage,
    /// The time.
    pub at: i64,
}

const TROUBLED: &str =
    "SELECT version.id, program.id, program.name || ' v' || version.number, account.id, account.name,
                               version.message, coalesce(version.resting, version.settled, version.submitted),
                               version.message_keyed
                        FROM version JOIN program ON program.id = version.program
                        JOIN account ON account.id = program.account";

/// Checks that have failed one after the other until a person is stuck.
const STUCK_AFTER: u32 = 3;

fn troubled(row: &Row) -> rusqlite::Result<TroubledVersion> {
    Ok(TroubledVersion {
        version: row.get(0)?,
        program: row.get(1)?,
        label: row.get(2)?,
        account: row.get(3)?,
        owner: row.get(4)?,
        message: CheckMessage::of_row(row, 5, 7)?,
        at: row.get(6)?,
    })
}

impl SiteStore {
    /// The last versions whose check has failed since then, the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn failed_checks(&self, since: i64, most: u32) -> Result<Vec<TroubledVersion>, StoreError> {
        let sql = format!(
            "{TROUBLED} WHERE version.state = 'failed' AND version.settled > ?1 ORDER BY version.settled DESC LIMIT ?2"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_map(params![since, most], troubled)?.collect::<Result<_, _>>()?)
    }

    /// The newest version of each program whose last three checks have failed, the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn stuck_programs(&self, most: u32) -> Result<Vec<TroubledVersion>, StoreError> {
        let sql = format!(
            "{TROUBLED} WHERE version.id IN (
                 SELECT max(id) FROM (
                     SELECT id, program, state, row_number() OVER (PARTITION BY program ORDER BY number DESC) AS back
                     FROM version)
                 WHERE back <= ?1 GROUP BY program HAVING count(*) FILTER (WHERE state = 'failed') = ?1)
             ORDER BY version.id DESC LIMIT ?2"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_map([STUCK_AFTER, most], troubled)?.collect::<Result<_, _>>()?)
    }

    /// The versions that would play but rest because they have failed again and again.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn resting_versions(&self, most: u32) -> Result<Vec<TroubledVersion>, StoreError> {
        let sql = format!(
            "{TROUBLED} WHERE version.resting IS NOT NULL AND version.id = program.active
             ORDER BY version.resting DESC LIMIT ?1"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_map([most], troubled)?.collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use agon_referee::agent::Language;
    use agon_referee::record::Winner;
    use agon_referee::verdict::Verdict;

    use super::super::games::tests::won;
    use super::super::{BoutKind, MAX_FAILURES, NewBout, PlayedBout, RENJU, Submission, SubmissionLimits, new_store};
    use super::*;

    const LIMITS: SubmissionLimits = SubmissionLimits { daily: 99, programs: 9, waiting: 9 };

    fn submit(store: &mut SiteStore, account: i64, number: i64, found: Result<(), &str>) -> i64 {
        let source = number.to_string();
        let submission =
            Submission { account, competition: RENJU, name: "bot", language: Language::Python3, source: &source };
        let version = store.submit(&submission, &LIMITS, number).unwrap().unwrap();
        assert_eq!(store.take_submission().unwrap().unwrap().id, version);
        store.settle_submission(version, found.map_err(CheckMessage::from), None, number).unwrap();
        version
    }

    #[test]
    fn three_failed_checks_in_a_row_show_who_is_stuck() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "x", false, 1).unwrap().unwrap();
        for number in 1..=2 {
            submit(&mut store, ada, number, Err("RE: it crashed"));
        }
        assert_eq!(store.stuck_programs(9).unwrap(), []);
        let third = submit(&mut store, ada, 3, Err("RE: it crashed"));
        let stuck = store.stuck_programs(9).unwrap();
        assert_eq!((stuck.len(), stuck[0].version, stuck[0].owner.as_str()), (1, third, "ada"));
        assert_eq!(store.failed_checks(1, 9).unwrap().len(), 2, "since then");
        submit(&mut store, ada, 4, Ok(()));
        assert_eq!(store.stuck_programs(9).unwrap(), []);
    }

    #[test]
    fn a_version_that_fails_again_and_again_rests_until_it_is_woken() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "x", false, 1).unwrap().unwrap();
        let version = submit(&mut store, ada, 1, Ok(()));
        let program = store.version(version).unwrap().unwrap().program;
        store.enter_builtins(RENJU, &[("random".to_owned(), 1500.0, false)], 1).unwrap();
        let opponent = store.builtin(RENJU, "random").unwrap().unwrap().id;
        let play = |store: &mut SiteStore, verdict: Verdict| {
            let seats = [(program, Some(1)), (opponent, None)];
            let bout =
                store.begin_bout(&NewBout { competition: RENJU, kind: BoutKind::Ladder, seed: 1, seats }, 5).unwrap();
            let played = PlayedBout { verdicts: [verdict, Verdict::Ok], ..won(Winner::Second) };
            assert!(store.end_bout(bout, &played, 6).unwrap());
        };
        let plays = |store: &SiteStore| store.candidates(RENJU).unwrap().iter().any(|one| one.program == program);
        for _ in 1..MAX_FAILURES {
            play(&mut store, Verdict::Tle);
        }
        // A game that it ends itself counts from the beginning.
        play(&mut store, Verdict::Ok);
        for _ in 1..MAX_FAILURES {
            play(&mut store, Verdict::Re);
        }
        assert!(plays(&store));
        play(&mut store, Verdict::Mle);
        assert!(!plays(&store));
        assert_eq!(store.resting_of(ada).unwrap(), [(program, "bot".to_owned(), 1, 6)]);
        assert_eq!(store.resting_versions(9).unwrap().len(), 1);
        assert!(store.activate(program, 1).unwrap());
        assert!(plays(&store) && store.resting_of(ada).unwrap().is_empty());
    }

    #[test]
    fn a_version_that_is_checked_once_more_leaves_its_place_to_the_one_before_if_it_fails() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "x", false, 1).unwrap().unwrap();
        let [first, second] = [1, 2].map(|number| submit(&mut store, ada, number, Ok(())));
        let program = store.version(first).unwrap().unwrap().program;
        let active = |store: &SiteStore| store.program(program).unwrap().unwrap().active.map(|(version, _)| version);
        assert_eq!(active(&store), Some(second));
        assert!(store.rejudge(second).unwrap() && !store.rejudge(second).unwrap());
        assert_eq!(active(&store), Some(second), "it plays until it has failed");
        assert_eq!(store.take_submission().unwrap().unwrap().id, second);
        store.settle_submission(second, Err("TLE".into()), None, 9).unwrap();
        assert_eq!(active(&store), Some(first));
        assert!(store.rejudge(first).unwrap());
        assert_eq!(store.take_submission().unwrap().unwrap().id, first);
        store.settle_submission(first, Err("TLE".into()), None, 9).unwrap();
        assert_eq!(active(&store), None);
    }
}
