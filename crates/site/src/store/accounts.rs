//! Accounts, and what proves that a request is theirs. Of sessions, tokens and invitations the store has only digests.

use rusqlite::{ErrorCode, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::SiteStore;
use super::competitions::enter;
use agon_arena::store::StoreError;

/// How long a session lasts, in seconds: 30 days.
const SESSION: i64 = 30 * 86_400;

/// An account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Account)]
pub struct SiteAccount {
    /// Its number.
    pub id: i64,
    /// Its name, by which a person signs in.
    pub name: String,
    /// Whether it administers the site.
    pub host: bool,
    /// Whether it is a team, which has no password.
    pub team: bool,
    /// Whether the host has frozen it: it can do nothing but look.
    pub frozen: bool,
    /// When it was made.
    pub created: i64,
}

/// A link to sign up by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteInvitation {
    pub id: i64,
    /// Whom it is for, in the host's words.
    pub note: String,
    pub host: bool,
    /// How many accounts it still makes.
    pub uses: u32,
    pub expires: i64,
    /// The competition that it opens.
    pub contest: Option<i64>,
}

pub(super) const COLUMNS: &str =
    "account.id, account.name, account.host, account.frozen, account.team, account.created";

/// Reads a row of [`COLUMNS`].
pub(super) fn account(row: &Row) -> rusqlite::Result<SiteAccount> {
    Ok(SiteAccount {
        id: row.get(0)?,
        name: row.get(1)?,
        host: row.get(2)?,
        frozen: row.get(3)?,
        team: row.get(4)?,
        created: row.get(5)?,
    })
}

fn invitation(row: &Row) -> rusqlite::Result<SiteInvitation> {
    Ok(SiteInvitation {
        id: row.get(0)?,
        note: row.get(1)?,
        host: row.get(2)?,
        uses: row.get(3)?,
        expires: row.get(4)?,
        contest: row.get(5)?,
    })
}

/// `None` where a name is taken.
pub(super) fn unless_taken(made: rusqlite::Result<i64>) -> Result<Option<i64>, StoreError> {
    match made {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => Ok(None),
        made => Ok(Some(made?)),
    }
}

impl SiteStore {
    /// Makes an account; `None` when there is one of that name.
    ///
    /// # Errors
    /// [`StoreError`] when the store fails, as every method here.
    pub fn create_account(
        &mut self,
        name: &str,
        password: &str,
        host: bool,
        now: i64,
    ) -> Result<Option<i64>, StoreError> {
        let sql = "INSERT INTO account (name, password, host, created) VALUES (?1, ?2, ?3, ?4) RETURNING id";
        unless_taken(self.connection.query_row(sql, params![name, password, host, now], |row| row.get(0)))
    }

    /// Makes an account by an invitation, which is thereby used once: `None` when the name is taken. The inner `None`
    /// when there is no such invitation, or it is used up or has expired.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn accept_invitation(
        &mut self,
        digest: &[u8],
        name: &str,
        password: &str,
        now: i64,
    ) -> Result<Option<Option<i64>>, StoreError> {
        let transaction = self.begin()?;
        let sql = "UPDATE invitation SET uses = uses - 1 WHERE digest = ?1 AND uses > 0 AND expires > ?2
                   RETURNING host, contest";
        let used = transaction.query_row(sql, params![digest, now], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        let Some((host, contest)): Option<(bool, Option<i64>)> = used else { return Ok(None) };
        let sql = "INSERT INTO account (name, password, host, created) VALUES (?1, ?2, ?3, ?4) RETURNING id";
        let made = unless_taken(transaction.query_row(sql, params![name, password, host, now], |row| row.get(0)))?;
        // A name that is taken must not use up the link.
        if let Some(account) = made {
            if let Some(contest) = contest {
                enter(&transaction, contest, account, now)?;
            }
            transaction.commit()?;
        }
        Ok(Some(made))
    }

    /// An account with a password, and the hash of its password.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn account_by_name(&self, name: &str) -> Result<Option<(SiteAccount, String)>, StoreError> {
        let sql = format!("SELECT {COLUMNS}, password FROM account WHERE name = ?1 AND NOT team");
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row([name], |row| Ok((account(row)?, row.get(6)?))).optional()?)
    }

    /// An account by its number, and the hash of its password.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn account(&self, id: i64) -> Result<Option<(SiteAccount, String)>, StoreError> {
        let sql = format!("SELECT {COLUMNS}, password FROM account WHERE id = ?1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row([id], |row| Ok((account(row)?, row.get(6)?))).optional()?)
    }

    /// All accounts, the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn accounts(&self) -> Result<Vec<SiteAccount>, StoreError> {
        let mut statement =
            self.connection.prepare_cached(&format!("SELECT {COLUMNS} FROM account ORDER BY id DESC"))?;
        Ok(statement.query_map([], account)?.collect::<Result<_, _>>()?)
    }

    /// Whether anybody administers the site.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn has_host(&self) -> Result<bool, StoreError> {
        Ok(self.connection.query_row("SELECT EXISTS (SELECT 1 FROM account WHERE host)", [], |row| row.get(0))?)
    }

    /// Changes a password, and ends all sessions of the account but the one that asks for it.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn set_password(&mut self, account: i64, password: &str, keep: &[u8]) -> Result<(), StoreError> {
        let transaction = self.begin()?;
        transaction.execute("UPDATE account SET password = ?2 WHERE id = ?1", params![account, password])?;
        transaction.execute("DELETE FROM session WHERE account = ?1 AND digest <> ?2", params![account, keep])?;
        Ok(transaction.commit()?)
    }

    /// Freezes an account or lets it go on. A frozen one has no sessions, and its programs get no games.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn freeze_account(&mut self, account: i64, frozen: bool) -> Result<(), StoreError> {
        let transaction = self.begin()?;
        transaction.execute("UPDATE account SET frozen = ?2 WHERE id = ?1", params![account, frozen])?;
        if frozen {
            transaction.execute("DELETE FROM session WHERE account = ?1", [account])?;
        }
        Ok(transaction.commit()?)
    }

    /// Shows an account no notices any more of games that have ended up to now.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn dismiss_notices(&mut self, account: i64, now: i64) -> Result<(), StoreError> {
        self.connection.execute("UPDATE account SET dismissed = ?2 WHERE id = ?1", [account, now])?;
        Ok(())
    }

    /// Begins a session, and forgets those that have expired.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn begin_session(&mut self, account: i64, digest: &[u8], now: i64) -> Result<(), StoreError> {
        let transaction = self.begin()?;
        transaction.execute("DELETE FROM session WHERE begun <= ?1", [now - SESSION])?;
        transaction.execute(
            "INSERT INTO session (digest, account, begun) VALUES (?1, ?2, ?3)",
            params![digest, account, now],
        )?;
        Ok(transaction.commit()?)
    }

    /// Whose session it is.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn session(&self, digest: &[u8], now: i64) -> Result<Option<SiteAccount>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM session JOIN account ON account.id = session.account
             WHERE digest = ?1 AND begun > ?2 AND NOT frozen"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row(params![digest, now - SESSION], account).optional()?)
    }

    /// Ends a session.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn end_session(&mut self, digest: &[u8]) -> Result<(), StoreError> {
        self.connection.execute("DELETE FROM session WHERE digest = ?1", [digest])?;
        Ok(())
    }

    /// Makes an invitation.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn add_invitation(&mut self, digest: &[u8], invitation: &SiteInvitation, now: i64) -> Result<(), StoreError> {
        let SiteInvitation { note, host, uses, expires, contest, .. } = invitation;
        let sql = "INSERT INTO invitation (digest, note, host, uses, created, expires, contest)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        self.connection.execute(sql, params![digest, note, host, uses, now, expires, contest])?;
        Ok(())
    }

    /// An invitation that can still be used.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn invitation(&self, digest: &[u8], now: i64) -> Result<Option<SiteInvitation>, StoreError> {
        let sql = "SELECT id, note, host, uses, expires, contest FROM invitation
                   WHERE digest = ?1 AND uses > 0 AND expires > ?2";
        Ok(self.connection.query_row(sql, params![digest, now], invitation).optional()?)
    }

    /// All invitations that can still be used.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn invitations(&self, now: i64) -> Result<Vec<SiteInvitation>, StoreError> {
        let sql =
            "SELECT id, note, host, uses, expires, contest FROM invitation WHERE uses > 0 AND expires > ?1 ORDER BY id";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_map([now], invitation)?.collect::<Result<_, _>>()?)
    }

    /// Takes an invitation back; that for the first administrator, of no number, by making it anew.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn delete_invitation(&mut self, id: i64) -> Result<(), StoreError> {
        self.connection.execute("DELETE FROM invitation WHERE id = ?1", [id])?;
        Ok(())
    }

    /// Takes back all invitations that make administrators.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn delete_host_invitations(&mut self) -> Result<(), StoreError> {
        self.connection.execute("DELETE FROM invitation WHERE host", [])?;
        Ok(())
    }

    /// A setting of the site.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn setting(&self, name: &str) -> Result<Option<String>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT value FROM setting WHERE name = ?1")?;
        Ok(statement.query_row([name], |row| row.get(0)).optional()?)
    }

    /// Changes a setting of the site.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn set_setting(&mut self, name: &str, value: &str) -> Result<(), StoreError> {
        let sql = "INSERT INTO setting (name, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = excluded.value";
        self.connection.execute(sql, [name, value])?;
        Ok(())
    }

    /// Says something to everybody.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn announce(&mut self, text: &str, now: i64) -> Result<i64, StoreError> {
        let sql = "INSERT INTO announcement (text, created) VALUES (?1, ?2) RETURNING id";
        Ok(self.connection.query_row(sql, params![text, now], |row| row.get(0))?)
    }

    /// What was said to everybody: number, text, time; the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn announcements(&self, most: u32) -> Result<Vec<(i64, String, i64)>, StoreError> {
        let sql = "SELECT id, text, created FROM announcement ORDER BY id DESC LIMIT ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let read = |row: &Row| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        Ok(statement.query_map([most], read)?.collect::<Result<_, _>>()?)
    }

    /// Takes back an announcement.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn delete_announcement(&mut self, id: i64) -> Result<(), StoreError> {
        self.connection.execute("DELETE FROM announcement WHERE id = ?1", [id])?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::TokenScopes;
    use super::super::new_store;
    use super::*;

    #[test]
    fn names_differ_by_more_than_case() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("Ada", "x", false, 1).unwrap().unwrap();
        assert_eq!(store.create_account("ADA", "y", false, 1).unwrap(), None);
        let (found, password) = store.account_by_name("ada").unwrap().unwrap();
        assert_eq!((found.id, found.name.as_str(), password.as_str()), (ada, "Ada", "x"));
    }

    #[test]
    fn sessions_end() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "x", false, 1).unwrap().unwrap();
        let whose = |store: &SiteStore, digest: &[u8], now| store.session(digest, now).unwrap().map(|a| a.id);
        for digest in [b"one", b"two"] {
            store.begin_session(ada, digest, 100).unwrap();
        }
        assert_eq!(whose(&store, b"one", 101), Some(ada));
        assert_eq!(whose(&store, b"one", 100 + SESSION), None, "by time");
        store.set_password(ada, "y", b"one").unwrap();
        assert_eq!((whose(&store, b"one", 101), whose(&store, b"two", 101)), (Some(ada), None), "by a new password");
        store.end_session(b"one").unwrap();
        assert_eq!(whose(&store, b"one", 101), None, "by signing out");
        store.begin_session(ada, b"three", 100).unwrap();
        store.add_token(ada, "laptop", TokenScopes::default(), b"token", (100, None)).unwrap();
        store.freeze_account(ada, true).unwrap();
        assert_eq!(whose(&store, b"three", 101), None, "by freezing");
        assert_eq!(store.bearer(b"token", 101).unwrap(), None);
        store.freeze_account(ada, false).unwrap();
        assert_eq!(store.bearer(b"token", 101).unwrap().unwrap().account.id, ada);
    }

    #[test]
    fn an_invitation_makes_as_many_accounts_as_it_says() {
        let (_folder, mut store) = new_store();
        let link = SiteInvitation { id: 0, note: "class".into(), host: true, uses: 1, expires: 50, contest: None };
        store.add_invitation(b"link", &link, 1).unwrap();
        store.create_account("ada", "x", false, 1).unwrap().unwrap();
        let mut accept = |digest: &[u8], name, now| store.accept_invitation(digest, name, "x", now).unwrap();
        assert_eq!(accept(b"other", "bob", 2), None);
        assert_eq!(accept(b"link", "bob", 50), None, "it has expired");
        assert_eq!(accept(b"link", "ada", 2), Some(None), "the name is taken, and the link is not used up");
        let bob = accept(b"link", "bob", 2).flatten().unwrap();
        assert_eq!(accept(b"link", "eve", 2), None);
        assert!(store.account(bob).unwrap().unwrap().0.host && store.has_host().unwrap());
    }
}
