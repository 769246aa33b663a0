//! Games that authors have requested between two programs. They are not rated.

use rusqlite::{Row, params};

use super::SiteStore;
use agon_arena::store::StoreError;

/// The next game that an author has requested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AskedBout {
    /// The number of the request.
    pub id: i64,
    pub competition: i64,
    /// The programs, the first seat first: the seats alternate.
    pub programs: [i64; 2],
    /// Their active versions; `None` for a built-in.
    pub versions: [Option<i64>; 2],
}

/// Games that an account has requested, and their progress.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AskedGames {
    pub programs: [i64; 2],
    pub names: [String; 2],
    pub games: u32,
    /// How many have ended.
    pub played: u32,
    pub created: i64,
}

const OPEN_OF_ACCOUNT: &str =
    "SELECT coalesce(sum(games - begun), 0) FROM asked_bout WHERE account = ?1 AND begun < games";

const ASKED_SINCE: &str = "SELECT coalesce(sum(games), 0) FROM asked_bout
    WHERE account = ?1 AND ?2 IN (first, second) AND created > ?3";

const NEXT: &str = "SELECT asked_bout.id, one.contest, first, second, one.active, two.active, begun
    FROM asked_bout CROSS JOIN program one ON one.id = first CROSS JOIN program two ON two.id = second
    WHERE begun < asked_bout.games AND coalesce(one.active, one.builtin) IS NOT NULL
      AND coalesce(two.active, two.builtin) IS NOT NULL AND NOT one.barred AND NOT two.barred
      AND NOT EXISTS (SELECT 1 FROM account WHERE frozen AND account.id IN (one.account, two.account))
    ORDER BY asked_bout.id";

impl SiteStore {
    /// The requests of an account, the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn asked_of(&self, account: i64, most: u32) -> Result<Vec<AskedGames>, StoreError> {
        let sql = "SELECT first, second, one.name, two.name, asked_bout.games,
                          (SELECT count(*) FROM bout WHERE asked = asked_bout.id AND ended IS NOT NULL),
                          asked_bout.created
                   FROM asked_bout CROSS JOIN program one ON one.id = first CROSS JOIN program two ON two.id = second
                   WHERE asked_bout.account = ?1 ORDER BY asked_bout.id DESC LIMIT ?2";
        let read = |row: &Row| {
            Ok(AskedGames {
                programs: [row.get(0)?, row.get(1)?],
                names: [row.get(2)?, row.get(3)?],
                games: row.get(4)?,
                played: row.get(5)?,
                created: row.get(6)?,
            })
        };
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_map(params![account, most], read)?.collect::<Result<_, _>>()?)
    }

    /// Requests games between two programs; false if more than `most` of the account would then be waiting.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn ask_for_bouts(
        &mut self,
        account: i64,
        programs: [i64; 2],
        games: u32,
        most: u32,
        now: i64,
    ) -> Result<bool, StoreError> {
        let transaction = self.begin()?;
        let open: u32 = transaction.query_row(OPEN_OF_ACCOUNT, [account], |row| row.get(0))?;
        if open + games > most {
            return Ok(false);
        }
        let sql = "INSERT INTO asked_bout (account, first, second, games, created) VALUES (?1, ?2, ?3, ?4, ?5)";
        transaction.execute(sql, params![account, programs[0], programs[1], games, now])?;
        transaction.commit()?;
        Ok(true)
    }

    /// How many games of a program an account has requested since a time.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn asked_since(&self, account: i64, program: i64, since: i64) -> Result<u32, StoreError> {
        Ok(self.connection.prepare_cached(ASKED_SINCE)?.query_row([account, program, since], |row| row.get(0))?)
    }

    /// How many requested games have not begun.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn open_asked(&self) -> Result<u32, StoreError> {
        let sql = "SELECT coalesce(sum(games - begun), 0) FROM asked_bout WHERE begun < games";
        Ok(self.connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
    }

    /// The earliest requested game that has not been played, between programs that both can and may play; those of
    /// `resting` are skipped.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn next_asked(&self, resting: &[i64]) -> Result<Option<AskedBout>, StoreError> {
        let read = |row: &Row| {
            let (mut programs, mut versions) = ([row.get(2)?, row.get(3)?], [row.get(4)?, row.get(5)?]);
            if row.get::<_, u32>(6)? % 2 == 1 {
                programs.reverse();
                versions.reverse();
            }
            Ok(AskedBout { id: row.get(0)?, competition: row.get(1)?, programs, versions })
        };
        let mut statement = self.connection.prepare_cached(NEXT)?;
        let mut open = statement.query_map([], read)?;
        Ok(open.find(|asked| asked.as_ref().map_or(true, |asked| !resting.contains(&asked.id))).transpose()?)
    }
}

#[cfg(test)]
mod tests {
    use agon_referee::record::Winner;

    use super::super::games::tests::won;
    use agon_referee::agent::Language;

    use super::super::{BoutKind, NewBout, RENJU, Submission, SubmissionLimits, new_store, query_plan};
    use super::{ASKED_SINCE, NEXT, OPEN_OF_ACCOUNT};

    #[test]
    fn seats_alternate_and_no_game_is_rated() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "x", false, 1).unwrap().unwrap();
        let players = ["a", "b"].map(|name| (name.to_owned(), 1500.0, false));
        store.enter_builtins(RENJU, &players, 1).unwrap();
        let both = ["a", "b"].map(|name| store.builtin(RENJU, name).unwrap().unwrap().id);
        assert!(store.ask_for_bouts(ada, both, 2, 3, 5).unwrap());
        assert!(!store.ask_for_bouts(ada, both, 2, 3, 5).unwrap(), "too many");
        for first in [0, 1] {
            let asked = store.next_asked(&[]).unwrap().unwrap();
            assert_eq!(asked.programs, [both[first], both[1 - first]]);
            let kind = BoutKind::Asked { id: asked.id };
            let new =
                NewBout { competition: asked.competition, kind, seed: 1, seats: asked.programs.map(|id| (id, None)) };
            let bout = store.begin_bout(&new, 6).unwrap();
            assert_ne!(
                store.next_asked(&[]).unwrap().map(|next| next.programs),
                Some(asked.programs),
                "it is being played"
            );
            store.abandon_bout(bout).unwrap();
            assert_eq!(store.next_asked(&[]).unwrap(), Some(asked), "it is to be played again");
            let bout = store.begin_bout(&new, 6).unwrap();
            store.end_bout(bout, &won(Winner::First), 7).unwrap();
            assert_eq!(store.bout(bout).unwrap().unwrap().kind, kind);
        }
        assert_eq!(store.next_asked(&[]).unwrap(), None);
        let asked = |program, since| store.asked_since(ada, program, since).unwrap();
        assert_eq!((asked(both[1], 4), asked(both[1], 5), asked(77, 4)), (2, 0, 0));
        assert_eq!(store.program(both[0]).unwrap().unwrap().games, 0);
        assert_eq!(store.bouts_between(both[0], both[1], 9).unwrap().len(), 2);
        assert!(store.ask_for_bouts(ada, both, 3, 3, 5).unwrap(), "what was played makes room");
    }

    #[test]
    fn games_of_frozen_accounts_wait() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "x", false, 1).unwrap().unwrap();
        store.enter_builtins(RENJU, &[("a".to_owned(), 1500.0, false)], 1).unwrap();
        let builtin = store.builtin(RENJU, "a").unwrap().unwrap().id;
        let submission =
            Submission { account: ada, competition: RENJU, name: "bot", language: Language::Python3, source: "1" };
        let limits = SubmissionLimits { daily: 9, programs: 9, waiting: 9 };
        let version = store.submit(&submission, &limits, 9).unwrap().unwrap();
        store.take_submission().unwrap().unwrap();
        store.settle_submission(version, Ok(()), None, 9).unwrap();
        let own = store.programs_of(ada).unwrap()[0].id;
        assert!(store.ask_for_bouts(ada, [own, builtin], 1, 3, 5).unwrap());
        store.freeze_account(ada, true).unwrap();
        assert_eq!(store.next_asked(&[]).unwrap(), None);
        store.freeze_account(ada, false).unwrap();
        store.bar_program(own, true).unwrap();
        assert_eq!(store.next_asked(&[]).unwrap(), None, "one that is disqualified");
        store.bar_program(own, false).unwrap();
        assert_eq!(store.next_asked(&[]).unwrap().map(|asked| asked.programs), Some([own, builtin]));
    }

    #[test]
    fn what_has_been_played_is_not_read_again() {
        let (_folder, store) = new_store();
        let check = |sql, index: &str| {
            let plan = query_plan(&store, sql);
            let reads = |table: &str| plan.lines().filter(|line| line.contains(table)).count();
            assert!(plan.contains(index) && !plan.contains("TEMP B-TREE"), "{plan}");
            assert_eq!((reads("asked_bout"), reads(" bout")), (1, 0), "{plan}");
        };
        check(NEXT, "SCAN asked_bout USING INDEX asked_bout_open\n");
        check(OPEN_OF_ACCOUNT, "INDEX asked_bout_open_account (account=?)");
        check(ASKED_SINCE, "INDEX asked_bout_account (account=? AND created>?)");
    }
}
