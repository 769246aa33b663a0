//! What authors do with programs that they no longer want: withdraw, rename and delete them.

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::SiteStore;
use super::finals::is_in_final;
use super::programs::TAKEN_PLACES;
use agon_arena::store::StoreError;

/// Whether no game of the ladder and no final has this program.
fn may_be_deleted(connection: &Connection, program: i64) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM bout WHERE first = ?1 AND kind IN ('ladder', 'final'))
                   OR EXISTS (SELECT 1 FROM bout WHERE second = ?1 AND kind IN ('ladder', 'final'))";
    if connection.query_row(sql, [program], |row| row.get(0))? {
        return Ok(false);
    }
    Ok(!is_in_final(connection, program)?)
}

impl SiteStore {
    /// Withdraws a program of a user: it plays no games and has no place until it returns. Requested games that have
    /// not begun are dropped; running games are played to their end.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn withdraw_program(&mut self, program: i64, now: i64) -> Result<(), StoreError> {
        let transaction = self.begin()?;
        let withdrawn = transaction.execute(
            "UPDATE program SET withdrawn = ?2, withdrawn_version = active, active = NULL
             WHERE id = ?1 AND withdrawn IS NULL AND builtin IS NULL",
            params![program, now],
        )?;
        if withdrawn == 1 {
            let sql = "UPDATE asked_bout SET games = begun WHERE begun < games AND ?1 IN (first, second)";
            transaction.execute(sql, [program])?;
        }
        Ok(transaction.commit()?)
    }

    /// Lets a withdrawn program play again with the version that it had; false if its account has as many programs in
    /// the competition as it may.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn return_program(&mut self, program: i64, most: u32) -> Result<bool, StoreError> {
        let transaction = self.begin()?;
        let returning = "SELECT account, contest FROM program WHERE id = ?1 AND withdrawn IS NOT NULL";
        let read = |row: &Row| Ok((row.get(0)?, row.get(1)?));
        let returning: Option<(i64, i64)> = transaction.query_row(returning, [program], read).optional()?;
        let Some((account, competition)) = returning else { return Ok(true) };
        let taken: u32 = transaction.query_row(TAKEN_PLACES, [account, competition], |row| row.get(0))?;
        if taken >= most {
            return Ok(false);
        }
        let sql = "UPDATE program SET withdrawn = NULL, active = withdrawn_version, withdrawn_version = NULL
                   WHERE id = ?1";
        transaction.execute(sql, [program])?;
        transaction.commit()?;
        Ok(true)
    }

    /// Gives a program another name; false if its account has a program of that name in the competition. Its games and
    /// finals of before keep the name that they were played under where they wrote it down: in records and standings.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn rename_program(&mut self, program: i64, name: &str) -> Result<bool, StoreError> {
        let sql = "UPDATE OR IGNORE program SET name = ?2 WHERE id = ?1";
        Ok(self.connection.execute(sql, params![program, name])? == 1)
    }

    /// Deletes a program with its versions and their checks; false if it has had a game of the ladder or is in a final:
    /// those are its opponents' games too.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn delete_program(&mut self, program: i64, now: i64) -> Result<bool, StoreError> {
        let transaction = self.begin()?;
        if !may_be_deleted(&transaction, program)? {
            return Ok(false);
        }
        // The daily limit counts its versions on, or it would be none.
        transaction.execute("DELETE FROM deleted_version WHERE submitted <= ?1", [now - 86_400])?;
        transaction.execute(
            "INSERT INTO deleted_version (account, contest, submitted)
             SELECT account, contest, submitted FROM program JOIN version ON version.program = program.id
             WHERE program.id = ?1 AND account IS NOT NULL AND submitted > ?2",
            params![program, now - 86_400],
        )?;
        // It names its active version, which goes first.
        transaction.execute("UPDATE program SET active = NULL WHERE id = ?1", [program])?;
        transaction.execute("DELETE FROM program WHERE id = ?1", [program])?;
        transaction.commit()?;
        Ok(true)
    }

    /// Whether a program has had no game of the ladder and is in no final, so that it can be deleted.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn may_be_deleted(&self, program: i64) -> Result<bool, StoreError> {
        Ok(may_be_deleted(&self.connection, program)?)
    }
}

#[cfg(test)]
mod tests {
    use agon_arena::plan::{Entrant, Plan};
    use agon_catalog::Game;
    use agon_referee::agent::Language;

    use super::super::finals::tests::entrant;
    use super::super::{
        BoutKind, EntrantStage, NewBout, RENJU, Submission, SubmissionError, SubmissionLimits, new_store,
    };
    use super::*;

    const LIMITS: SubmissionLimits = SubmissionLimits { daily: 99, programs: 2, waiting: 9 };

    fn submit(store: &mut SiteStore, account: i64, name: &str, source: &str) -> Result<i64, SubmissionError> {
        let submission = Submission { account, competition: RENJU, name, language: Language::Python3, source };
        store.submit(&submission, &LIMITS, 5).unwrap()
    }

    /// A program whose version has passed its check, or failed it.
    fn settled(store: &mut SiteStore, account: i64, name: &str, source: &str, passed: bool) -> i64 {
        let version = submit(store, account, name, source).unwrap();
        store.take_submission().unwrap().unwrap();
        let found = if passed { Ok(()) } else { Err("it fails".into()) };
        store.settle_submission(version, found, None, 6).unwrap();
        store.version(version).unwrap().unwrap().program
    }

    fn plays(store: &SiteStore, program: i64) -> Option<u32> {
        store.program(program).unwrap().unwrap().active.map(|(_, number)| number)
    }

    #[test]
    fn a_withdrawn_program_plays_nothing_and_takes_no_place() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "x", false, 1).unwrap().unwrap();
        store.enter_builtins(RENJU, &[("a".to_owned(), 1500.0, false)], 1).unwrap();
        let builtin = store.builtin(RENJU, "a").unwrap().unwrap().id;
        let bot = settled(&mut store, ada, "bot", "1", true);
        settled(&mut store, ada, "stone", "1", true);
        store.set_groups(RENJU, &[(ada, "A".to_owned())]).unwrap();
        assert_eq!(submit(&mut store, ada, "third", "1"), Err(SubmissionError::Programs { limit: 2 }));
        assert!(store.ask_for_bouts(ada, [bot, builtin], 2, 9, 5).unwrap());
        store.withdraw_program(bot, 7).unwrap();
        store.withdraw_program(builtin, 7).unwrap();
        let program = store.program(bot).unwrap().unwrap();
        assert!(program.withdrawn && program.active.is_none());
        assert!(!store.program(builtin).unwrap().unwrap().withdrawn, "a built-in player has no author");
        let names = |rows: Vec<super::super::PlacedProgram>| -> Vec<String> {
            rows.into_iter().filter(|row| row.program.builtin.is_none()).map(|row| row.program.name).collect()
        };
        assert_eq!(names(store.ladder(RENJU, 0, 9).unwrap()), ["stone"]);
        assert_eq!(names(store.ladder_of(RENJU, None, Some("A"), 9).unwrap()), ["stone"]);
        assert_eq!(names(store.ladder_of(RENJU, Some(Language::Python3), None, 9).unwrap()), ["stone"]);
        assert_eq!(names(store.best(RENJU, 9).unwrap()), ["stone"], "nor do finals choose it");
        assert!(store.candidates(RENJU).unwrap().iter().all(|candidate| candidate.program != bot));
        assert_eq!((store.next_asked(&[]).unwrap(), store.open_asked().unwrap()), (None, 0));
        assert!(!store.activate(bot, 1).unwrap());
        // Its place is free; then there is none for it.
        settled(&mut store, ada, "third", "1", true);
        assert!(!store.return_program(bot, LIMITS.programs).unwrap());
        assert_eq!(submit(&mut store, ada, "bot", "2"), Err(SubmissionError::Programs { limit: 2 }));
        assert!(store.return_program(bot, 3).unwrap());
        assert_eq!((plays(&store, bot), names(store.best(RENJU, 9).unwrap()).len()), (Some(1), 3));
    }

    #[test]
    fn a_program_returns_with_its_version_or_by_a_new_one() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "x", false, 1).unwrap().unwrap();
        let bot = settled(&mut store, ada, "bot", "1", true);
        settled(&mut store, ada, "bot", "2", true);
        store.activate(bot, 1).unwrap();
        store.withdraw_program(bot, 7).unwrap();
        assert!(store.return_program(bot, 2).unwrap());
        assert_eq!(plays(&store, bot), Some(1), "the version that its author chose");
        // A check that is under way does not bring it back.
        let third = submit(&mut store, ada, "bot", "3").unwrap();
        store.take_submission().unwrap().unwrap();
        store.withdraw_program(bot, 8).unwrap();
        assert_eq!(store.desk(RENJU, 9).unwrap()[0].stage, EntrantStage::NothingSubmitted);
        store.settle_submission(third, Ok(()), None, 9).unwrap();
        assert_eq!(plays(&store, bot), None);
        assert!(store.return_program(bot, 2).unwrap());
        assert_eq!(plays(&store, bot), Some(3));
        // Of a submission only what it submits plays.
        store.withdraw_program(bot, 10).unwrap();
        let fourth = submit(&mut store, ada, "bot", "4").unwrap();
        assert_eq!((store.program(bot).unwrap().unwrap().withdrawn, plays(&store, bot)), (false, None));
        store.take_submission().unwrap().unwrap();
        store.settle_submission(fourth, Ok(()), None, 11).unwrap();
        assert_eq!(plays(&store, bot), Some(4));
    }

    #[test]
    fn a_program_is_renamed_to_what_no_other_of_its_account_is_called() {
        let (_folder, mut store) = new_store();
        let [ada, bob] = ["ada", "bob"].map(|name| store.create_account(name, "x", false, 1).unwrap().unwrap());
        let bot = settled(&mut store, ada, "bot", "1", true);
        settled(&mut store, ada, "stone", "1", true);
        settled(&mut store, bob, "rock", "1", true);
        assert!(!store.rename_program(bot, "Stone").unwrap());
        assert!(store.rename_program(bot, "rock").unwrap());
        assert!(store.rename_program(bot, "Rock").unwrap());
        assert_eq!(store.program(bot).unwrap().unwrap().name, "Rock");
        assert_eq!(store.find_programs("bot", 9).unwrap(), []);
    }

    #[test]
    fn what_has_met_others_is_not_deleted() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "x", false, 1).unwrap().unwrap();
        let failed = settled(&mut store, ada, "failed", "1", false);
        let played = settled(&mut store, ada, "played", "1", true);
        let seats = [(played, Some(1)), (failed, Some(1))];
        let mut begin = |kind| store.begin_bout(&NewBout { competition: RENJU, kind, seed: 1, seats }, 6).unwrap();
        let check = begin(BoutKind::Check);
        assert!(store.may_be_deleted(failed).unwrap());
        let ladder =
            store.begin_bout(&NewBout { competition: RENJU, kind: BoutKind::Ladder, seed: 1, seats }, 6).unwrap();
        assert!(!store.delete_program(failed, 9).unwrap());
        store.abandon_bout(ladder).unwrap();
        assert!(store.delete_program(failed, 9).unwrap());
        assert_eq!((store.program(failed).unwrap(), store.bout(check).unwrap()), (None, None));
        assert_eq!(store.programs_of(ada).unwrap().len(), 1);
        // It is in a final before its first game there.
        let version = store.program(played).unwrap().unwrap().active.unwrap().0;
        let own = Entrant { agent: version.to_string(), ..entrant("played v1 (ada)") };
        let plan = Plan::of_match(Game::RENJU, [own, Entrant { agent: "random".to_owned(), ..entrant("random") }], 2);
        store.begin_final(RENJU, "Final", &plan, 7).unwrap();
        assert!(!store.delete_program(played, 9).unwrap());
    }

    #[test]
    fn deleting_gives_no_submissions_back() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "x", false, 1).unwrap().unwrap();
        let limits = SubmissionLimits { daily: 2, ..LIMITS };
        let submit = |store: &mut SiteStore, name: &str, now| {
            let language = Language::Python3;
            let submission = Submission { account: ada, competition: RENJU, name, language, source: "1" };
            store.submit(&submission, &limits, now).unwrap()
        };
        for name in ["one", "two"] {
            let version = submit(&mut store, name, 100).unwrap();
            let program = store.version(version).unwrap().unwrap().program;
            assert!(store.delete_program(program, 100).unwrap());
        }
        assert_eq!(store.submitted_by(ada, 99).unwrap(), 2);
        assert_eq!(submit(&mut store, "three", 101), Err(SubmissionError::Daily { limit: 2 }));
        assert!(submit(&mut store, "three", 101 + 86_400).is_ok());
    }
}
