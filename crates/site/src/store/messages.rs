//! Messages of the host to accounts.

use rusqlite::{Row, params};

use super::SiteStore;
use agon_arena::store::StoreError;

/// A message, as its reader has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteMessage {
    pub id: i64,
    pub text: String,
    pub sent: i64,
    /// When it was read; `None` while it is new.
    pub read: Option<i64>,
}

/// Messages of one account that are kept; older ones go.
pub const MAX_KEPT_MESSAGES: u32 = 200;

/// The recipients of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recipients {
    /// All people.
    All,
    /// The people with a program in a competition, and those admitted to it.
    Competition(i64),
    Account(i64),
}

fn message(row: &Row) -> rusqlite::Result<SiteMessage> {
    Ok(SiteMessage { id: row.get(0)?, text: row.get(1)?, sent: row.get(2)?, read: row.get(3)? })
}

impl SiteStore {
    /// Sends a message, and says to how many accounts.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn send_message(&mut self, to: Recipients, text: &str, now: i64) -> Result<u32, StoreError> {
        let (chosen, number) = match to {
            Recipients::All => ("?1 = 0", 0),
            Recipients::Account(account) => ("id = ?1", account),
            // For a team's program, its members.
            Recipients::Competition(competition) => (
                "id IN (WITH entered AS (SELECT account FROM entrant WHERE contest = ?1
                                         UNION SELECT account FROM program WHERE contest = ?1
                                         EXCEPT SELECT account FROM removal WHERE contest = ?1)
                        SELECT account FROM entered
                        UNION SELECT member.account FROM member JOIN entered ON team = entered.account
                        WHERE joined IS NOT NULL)",
                competition,
            ),
        };
        let transaction = self.begin()?;
        let sql = format!(
            "INSERT INTO message (account, text, sent) SELECT id, ?2, ?3 FROM account WHERE NOT team AND {chosen}"
        );
        let sent = transaction.execute(&sql, params![number, text, now])? as u32;
        transaction.execute(
            "DELETE FROM message WHERE id IN (
                 SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY account ORDER BY id DESC) AS place
                                 FROM message) WHERE place > ?1)",
            [MAX_KEPT_MESSAGES],
        )?;
        transaction.commit()?;
        Ok(sent)
    }

    /// The messages of an account, the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn messages(&self, account: i64) -> Result<Vec<SiteMessage>, StoreError> {
        let sql = "SELECT id, text, sent, read FROM message WHERE account = ?1 ORDER BY id DESC";
        Ok(self.connection.prepare_cached(sql)?.query_map([account], message)?.collect::<Result<_, _>>()?)
    }

    /// How many of them are new.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn new_messages(&self, account: i64) -> Result<u32, StoreError> {
        let sql = "SELECT count(*) FROM message WHERE account = ?1 AND read IS NULL";
        Ok(self.connection.prepare_cached(sql)?.query_row([account], |row| row.get(0))?)
    }

    /// Marks them as read, up to the last one shown.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn read_messages(&mut self, account: i64, last: i64, now: i64) -> Result<(), StoreError> {
        let sql = "UPDATE message SET read = ?3 WHERE account = ?1 AND id <= ?2 AND read IS NULL";
        self.connection.execute(sql, params![account, last, now])?;
        Ok(())
    }

    /// The last messages that the host has sent: the text, when, to how many, and how many have read it.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn sent_messages(&self, most: u32) -> Result<Vec<(String, i64, u32, u32)>, StoreError> {
        let sql = "SELECT text, sent, count(*), count(read) FROM message GROUP BY text, sent
                   ORDER BY max(id) DESC LIMIT ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let read = |row: &Row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
        Ok(statement.query_map([most], read)?.collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{RENJU, new_store};
    use super::*;

    #[test]
    fn messages_reach_those_they_are_for_and_are_read_once() {
        let (_folder, mut store) = new_store();
        let [ada, bob] = ["ada", "bob"].map(|name| store.create_account(name, "x", false, 1).unwrap().unwrap());
        assert_eq!(store.send_message(Recipients::All, "Hello", 5).unwrap(), 2);
        assert_eq!(store.send_message(Recipients::Account(ada), "You", 6).unwrap(), 1);
        assert_eq!(store.send_message(Recipients::Competition(RENJU), "No one", 7).unwrap(), 0);
        let texts = |account| store.messages(account).unwrap().into_iter().map(|one| one.text).collect::<Vec<_>>();
        assert_eq!((texts(ada), texts(bob)), (vec!["You".to_owned(), "Hello".to_owned()], vec!["Hello".to_owned()]));
        let last = store.messages(ada).unwrap()[1].id;
        store.read_messages(ada, last, 9).unwrap();
        assert_eq!((store.new_messages(ada).unwrap(), store.new_messages(bob).unwrap()), (1, 1));
        assert_eq!(store.sent_messages(9).unwrap(), [("You".into(), 6, 1, 0), ("Hello".into(), 5, 2, 1)]);
    }

    #[test]
    fn old_messages_go() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "x", false, 1).unwrap().unwrap();
        for number in 0..=MAX_KEPT_MESSAGES {
            store.send_message(Recipients::Account(ada), &number.to_string(), 5).unwrap();
        }
        let all = store.messages(ada).unwrap();
        assert_eq!((all.len() as u32, all.last().unwrap().text.as_str()), (MAX_KEPT_MESSAGES, "1"));
    }
}
