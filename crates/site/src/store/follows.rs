//! Programs and people that accounts follow, and when an account was last here.

use rusqlite::{OptionalExtension as _, Row, params};

use super::SiteStore;
use super::accounts::SEEN_INTERVAL;
use agon_arena::store::StoreError;

/// Programs and people that one account may follow, each.
pub const MAX_FOLLOWED: u32 = 30;

/// Seconds without a request after which the next one begins another visit.
const VISIT_PAUSE: i64 = 3 * 3600;

/// What can be followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Followed {
    /// The number of a program.
    Program(i64),
    /// The number of an account: all its programs.
    Person(i64),
}

impl Followed {
    /// Its table's column, and its number.
    const fn row(self) -> (&'static str, i64) {
        match self {
            Followed::Program(id) => ("program", id),
            Followed::Person(id) => ("person", id),
        }
    }
}

impl SiteStore {
    /// Makes an account follow a program or a person; false if it follows [`MAX_FOLLOWED`] of them.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn follow(&mut self, account: i64, followed: Followed, now: i64) -> Result<bool, StoreError> {
        let (column, id) = followed.row();
        let transaction = self.begin()?;
        let sql = format!("SELECT count(*) FROM follow WHERE account = ?1 AND {column} IS NOT NULL AND {column} != ?2");
        let others: u32 = transaction.query_row(&sql, [account, id], |row| row.get(0))?;
        if others >= MAX_FOLLOWED {
            return Ok(false);
        }
        let sql = format!("INSERT OR IGNORE INTO follow (account, {column}, since) VALUES (?1, ?2, ?3)");
        transaction.execute(&sql, [account, id, now])?;
        transaction.commit()?;
        Ok(true)
    }

    /// Makes an account follow a program or a person no more.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn unfollow(&mut self, account: i64, followed: Followed) -> Result<(), StoreError> {
        let (column, id) = followed.row();
        self.connection.execute(&format!("DELETE FROM follow WHERE account = ?1 AND {column} = ?2"), [account, id])?;
        Ok(())
    }

    /// What an account follows, in the order in which it began to.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn followed(&self, account: i64) -> Result<Vec<Followed>, StoreError> {
        let sql = "SELECT program, person FROM follow WHERE account = ?1 ORDER BY rowid";
        let read = |row: &Row| {
            Ok(match row.get::<_, Option<i64>>(0)? {
                Some(program) => Followed::Program(program),
                None => Followed::Person(row.get(1)?),
            })
        };
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_map([account], read)?.collect::<Result<_, _>>()?)
    }

    /// How many accounts follow a program or a person.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn followers(&self, followed: Followed) -> Result<u32, StoreError> {
        let (column, id) = followed.row();
        let sql = format!("SELECT count(*) FROM follow WHERE {column} = ?1");
        Ok(self.connection.prepare_cached(&sql)?.query_row([id], |row| row.get(0))?)
    }

    /// Records that a request of an account came, once in [`SEEN_INTERVAL`]; returns whether it was recorded. After a
    /// pause it begins another visit.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn note_seen(&mut self, account: i64, now: i64) -> Result<bool, StoreError> {
        let sql = "UPDATE account SET last_visit = iif(seen <= ?2 - ?4, seen, last_visit), seen = ?2
                   WHERE id = ?1 AND coalesce(seen, 0) <= ?2 - ?3";
        Ok(self.connection.execute(sql, [account, now, SEEN_INTERVAL, VISIT_PAUSE])? == 1)
    }

    /// About when the visit before the present one ended.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn last_visit(&self, account: i64) -> Result<Option<i64>, StoreError> {
        let sql = "SELECT last_visit FROM account WHERE id = ?1";
        Ok(self.connection.prepare_cached(sql)?.query_row(params![account], |row| row.get(0)).optional()?.flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{RENJU, new_store};
    use super::*;

    #[test]
    fn programs_and_people_are_followed_until_they_are_gone() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "x", false, 1).unwrap().unwrap();
        let bob = store.create_account("bob", "x", false, 1).unwrap().unwrap();
        store.enter_builtins(RENJU, &[("random".to_owned(), 1500.0, false)], 1).unwrap();
        let program = Followed::Program(store.builtin(RENJU, "random").unwrap().unwrap().id);
        let person = Followed::Person(bob);
        for _ in 0..2 {
            assert!(store.follow(ada, program, 5).unwrap() && store.follow(ada, person, 6).unwrap());
        }
        assert_eq!(store.followed(ada).unwrap(), [program, person]);
        assert_eq!((store.followers(program).unwrap(), store.followers(person).unwrap()), (1, 1));
        assert_eq!(store.followed(bob).unwrap(), []);
        store.unfollow(ada, program).unwrap();
        assert_eq!(store.followed(ada).unwrap(), [person]);
        store.delete_account(bob).unwrap();
        assert_eq!(store.followed(ada).unwrap(), []);
    }

    #[test]
    fn an_account_follows_a_limited_number() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "x", false, 1).unwrap().unwrap();
        let mut last = ada;
        for at in 0..=MAX_FOLLOWED {
            last = store.create_account(&format!("person{at}"), "x", false, 1).unwrap().unwrap();
            assert_eq!(store.follow(ada, Followed::Person(last), 2).unwrap(), at < MAX_FOLLOWED);
        }
        let first = store.followed(ada).unwrap()[0];
        assert!(store.follow(ada, first, 3).unwrap(), "what it follows already");
        store.unfollow(ada, first).unwrap();
        assert!(store.follow(ada, Followed::Person(last), 4).unwrap());
    }

    #[test]
    fn a_visit_ends_with_a_pause() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "x", false, 1).unwrap().unwrap();
        let hour = 3600;
        for (at, wanted) in [(1, None), (2, None), (5, Some(2)), (6, Some(2)), (20, Some(6))] {
            assert!(store.note_seen(ada, at * hour).unwrap());
            assert_eq!(store.last_visit(ada).unwrap(), wanted.map(|at| at * hour), "{at}");
        }
    }
}
