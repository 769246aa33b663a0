//! Accounts, and what proves that a request comes from them. For sessions, tokens and invitations the store has only
//! digests.

use agon_arena::store::StoreError;
use agon_message::Locale;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::SiteStore;
use super::competitions::{self, enter};
use crate::names::{is_reserved, skeleton};
use crate::secret::SecretDigest;

/// How long a session lasts, in seconds: 30 days.
const SESSION: i64 = 30 * 86_400;

/// An account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = Account)]
pub struct SiteAccount {
    /// Its number.
    pub id: i64,
    /// The name with which a person signs in.
    pub name: String,
    /// Whether it administers the site.
    pub host: bool,
    /// Whether it is a team, which has no password.
    pub team: bool,
    /// Whether the host has frozen it: it can only look.
    pub frozen: bool,
    /// When it was created.
    pub created: i64,
    /// The language of its pages, if it has chosen one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<Locale>,
}

/// A link to sign up by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteInvitation {
    pub id: i64,
    /// Whom it is for, in the host's words.
    pub note: String,
    pub host: bool,
    /// How many more accounts it creates.
    pub uses: u32,
    pub expires: i64,
    /// The competition that it opens.
    pub competition: Option<i64>,
}

/// A session of an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SiteSession {
    pub id: i64,
    pub begun: i64,
    /// Whether it is the requesting one.
    pub own: bool,
}

/// Seconds within which the requests of an account are noted once.
pub const SEEN_INTERVAL: i64 = 3600;

pub(super) const COLUMNS: &str =
    "account.id, account.name, account.host, account.frozen, account.team, account.created, account.language";
/// How many columns these are.
pub(super) const WIDTH: usize = 7;

/// Reads a row of [`COLUMNS`].
pub(super) fn account(row: &Row) -> rusqlite::Result<SiteAccount> {
    Ok(SiteAccount {
        id: row.get(0)?,
        name: row.get(1)?,
        host: row.get(2)?,
        frozen: row.get(3)?,
        team: row.get(4)?,
        created: row.get(5)?,
        language: row.get::<_, Option<String>>(6)?.as_deref().and_then(Locale::parse),
    })
}

fn invitation(row: &Row) -> rusqlite::Result<SiteInvitation> {
    Ok(SiteInvitation {
        id: row.get(0)?,
        note: row.get(1)?,
        host: row.get(2)?,
        uses: row.get(3)?,
        expires: row.get(4)?,
        competition: row.get(5)?,
    })
}

/// Creates an account, which may be an administrator's or a team; `None` if its name looks like another one, or like an
/// administrator's.
pub(super) fn insert(
    connection: &Connection,
    name: &str,
    password: &str,
    (host, team): (bool, bool),
    now: i64,
) -> rusqlite::Result<i64> {
    if !host && is_reserved(name) {
        return Err(rusqlite::Error::QueryReturnedNoRows);
    }
    let sql = "INSERT INTO account (name, password, host, team, created, skeleton) SELECT ?1, ?2, ?3, ?4, ?5, ?6
               WHERE NOT EXISTS (SELECT 1 FROM account WHERE skeleton = ?6) RETURNING id";
    let row = params![name, password, host, team, now, skeleton(name)];
    connection.prepare_cached(sql)?.query_row(row, |row| row.get(0))
}

/// `None` if a name is taken.
pub(super) fn unless_taken(made: rusqlite::Result<i64>) -> Result<Option<i64>, StoreError> {
    match made {
        Err(rusqlite::Error::QueryReturnedNoRows) => Ok(None),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => Ok(None),
        made => Ok(Some(made?)),
    }
}

/// What existed of an account before a list contained its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RosterBefore {
    Nothing,
    /// A link that had not been used to set a password; it has been replaced.
    Link,
    /// A password, which stays.
    Password,
}

impl SiteStore {
    /// Creates an account; `None` if the name is taken.
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
        unless_taken(insert(&self.connection, name, password, (host, false), now))
    }

    /// Creates an account by an invitation, which uses it once. `None` if there is no such invitation, or it is used up
    /// or has expired; the inner `None` if the name is taken.
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
        let Some((host, competition)): Option<(bool, Option<i64>)> = used else { return Ok(None) };
        let made = unless_taken(insert(&transaction, name, password, (host, false), now))?;
        // A taken name must not use up the link.
        if let Some(account) = made {
            if let Some(competition) = competition {
                enter(&transaction, competition, account, now)?;
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
        Ok(statement.query_row([name], |row| Ok((account(row)?, row.get(WIDTH)?))).optional()?)
    }

    /// An account by its number, and the hash of its password.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn account(&self, id: i64) -> Result<Option<(SiteAccount, String)>, StoreError> {
        let sql = format!("SELECT {COLUMNS}, password FROM account WHERE id = ?1");
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row([id], |row| Ok((account(row)?, row.get(WIDTH)?))).optional()?)
    }

    /// Creates the accounts of a list, each with the digest of a link for a password, and admits them to a competition.
    /// An existing account gets a link, too, unless it has a password. The inner error is the name for which no account
    /// can be created; then none is.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn enter_roster(
        &mut self,
        people: &[(&str, &str, SecretDigest)],
        competition: Option<i64>,
        expires: i64,
        now: i64,
    ) -> Result<Result<Vec<RosterBefore>, String>, StoreError> {
        let transaction = self.begin()?;
        let mut before = Vec::new();
        for (name, group, digest) in people {
            let sql = "SELECT id, host OR team OR frozen, password <> '' FROM account WHERE name = ?1";
            let known: Option<(i64, bool, bool)> =
                transaction.query_row(sql, [name], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
            before.push(match known {
                Some((_, _, true)) => RosterBefore::Password,
                Some((_, _, false)) => RosterBefore::Link,
                None => RosterBefore::Nothing,
            });
            let account = match known {
                Some((id, false, _)) => Some(id),
                Some((_, true, _)) => None,
                // No password fits a hash that is none.
                None => unless_taken(insert(&transaction, name, "", (false, false), now))?,
            };
            let Some(account) = account else { return Ok(Err((*name).to_owned())) };
            // A slip of paper left lying about must not open an account that has a password.
            if before.last() != Some(&RosterBefore::Password) {
                transaction.execute(
                    "INSERT INTO recovery (account, digest, expires) VALUES (?1, ?2, ?3)
                     ON CONFLICT (account) DO UPDATE SET digest = excluded.digest, expires = excluded.expires",
                    params![account, digest, expires],
                )?;
            }
            if let Some(competition) = competition {
                enter(&transaction, competition, account, now)?;
                competitions::let_in_again(&transaction, competition, account)?;
                if !group.is_empty() {
                    competitions::group(&transaction, competition, account, group)?;
                }
            }
        }
        transaction.commit()?;
        Ok(Ok(before))
    }

    /// Chooses the language of an account's pages.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn set_language(&mut self, account: i64, language: Locale) -> Result<(), StoreError> {
        let sql = "UPDATE account SET language = ?2 WHERE id = ?1";
        self.connection.execute(sql, params![account, language.code()])?;
        Ok(())
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

    /// Whether anyone administers the site.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn has_host(&self) -> Result<bool, StoreError> {
        Ok(self.connection.query_row("SELECT EXISTS (SELECT 1 FROM account WHERE host)", [], |row| row.get(0))?)
    }

    /// Changes a password, and ends all tokens and all sessions of the account except the requesting one.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn set_password(&mut self, account: i64, password: &str, keep: &[u8]) -> Result<(), StoreError> {
        let transaction = self.begin()?;
        transaction.execute("UPDATE account SET password = ?2 WHERE id = ?1", params![account, password])?;
        transaction.execute("DELETE FROM session WHERE account = ?1 AND digest <> ?2", params![account, keep])?;
        transaction.execute("DELETE FROM token WHERE account = ?1", [account])?;
        Ok(transaction.commit()?)
    }

    /// Freezes or unfreezes an account. A frozen one has no sessions, and its programs get no games.
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

    /// About when the last request of an account came.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn seen(&self, account: i64) -> Result<Option<i64>, StoreError> {
        let sql = "SELECT seen FROM account WHERE id = ?1";
        Ok(self.connection.prepare_cached(sql)?.query_row([account], |row| row.get(0)).optional()?.flatten())
    }

    /// Shows an account no notices any more of games that have ended up to now.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn dismiss_notices(&mut self, account: i64, now: i64) -> Result<(), StoreError> {
        self.connection.execute("UPDATE account SET dismissed = ?2 WHERE id = ?1", [account, now])?;
        Ok(())
    }

    /// Begins a session, and deletes expired ones.
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

    /// The sessions of an account, the newest first; of the one with this digest it is said.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn sessions(&self, account: i64, own: &[u8], now: i64) -> Result<Vec<SiteSession>, StoreError> {
        let sql = "SELECT rowid, begun, digest = ?2 FROM session WHERE account = ?1 AND begun > ?3 ORDER BY begun DESC";
        let mut statement = self.connection.prepare_cached(sql)?;
        let read = |row: &Row| Ok(SiteSession { id: row.get(0)?, begun: row.get(1)?, own: row.get(2)? });
        Ok(statement.query_map(params![account, own, now - SESSION], read)?.collect::<Result<_, _>>()?)
    }

    /// Ends a session of an account by its number.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn end_session_of(&mut self, account: i64, id: i64) -> Result<(), StoreError> {
        self.connection.execute("DELETE FROM session WHERE account = ?1 AND rowid = ?2", [account, id])?;
        Ok(())
    }

    /// Creates a link with which an account sets a new password; an earlier link becomes invalid.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn add_recovery(&mut self, account: i64, digest: &[u8], expires: i64) -> Result<(), StoreError> {
        let sql = "INSERT INTO recovery (account, digest, expires) VALUES (?1, ?2, ?3)
                   ON CONFLICT (account) DO UPDATE SET digest = excluded.digest, expires = excluded.expires";
        self.connection.execute(sql, params![account, digest, expires])?;
        Ok(())
    }

    /// The account of such a link.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn recovered(&self, digest: &[u8], now: i64) -> Result<Option<SiteAccount>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM recovery JOIN account ON account.id = recovery.account
             WHERE digest = ?1 AND expires > ?2 AND NOT frozen AND NOT team"
        );
        Ok(self.connection.prepare_cached(&sql)?.query_row(params![digest, now], account).optional()?)
    }

    /// Sets a new password through such a link, which uses it up, and ends all sessions and tokens; returns whether the
    /// link existed.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn use_recovery(&mut self, digest: &[u8], password: &str, now: i64) -> Result<bool, StoreError> {
        let Some(found) = self.recovered(digest, now)? else { return Ok(false) };
        let transaction = self.begin()?;
        // If two arrive at once, one is first.
        let used = transaction.execute("DELETE FROM recovery WHERE digest = ?1", [digest])? == 1;
        if used {
            transaction.execute("UPDATE account SET password = ?2 WHERE id = ?1", params![found.id, password])?;
            transaction.execute("DELETE FROM session WHERE account = ?1", [found.id])?;
            transaction.execute("DELETE FROM token WHERE account = ?1", [found.id])?;
        }
        transaction.commit()?;
        Ok(used)
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
        let SiteInvitation { note, host, uses, expires, competition, .. } = invitation;
        let sql = "INSERT INTO invitation (digest, note, host, uses, created, expires, contest)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        self.connection.execute(sql, params![digest, note, host, uses, now, expires, competition])?;
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

    /// Withdraws an invitation; the one for the first administrator, which has no number, by creating a new one.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn delete_invitation(&mut self, id: i64) -> Result<(), StoreError> {
        self.connection.execute("DELETE FROM invitation WHERE id = ?1", [id])?;
        Ok(())
    }

    /// Withdraws all invitations for administrators.
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

    /// The announcements: number, text, time; the newest first.
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
    fn no_two_names_look_alike() {
        let (folder, mut store) = new_store();
        store.create_account("paypal", "x", false, 1).unwrap().unwrap();
        for name in ["paypaI", "PAYPAL", "раураl"] {
            assert_eq!(store.create_account(name, "x", false, 1).unwrap(), None, "{name}");
        }
        let limits = super::super::TeamLimits { teams: 9, members: 9 };
        assert!(store.create_team("paypa1", 1, limits, 1).unwrap().is_err(), "nor does a team's");
        // Two that were there before it was noted may.
        let sql = "INSERT INTO account (name, password, host, created) VALUES ('Bob1', '', 0, 1), ('Bobl', '', 0, 1)";
        store.connection.execute(sql, []).unwrap();
        drop(store);
        let mut store = SiteStore::open(&folder.path().join("site.db")).unwrap();
        assert_eq!(store.create_account("BobI", "x", false, 1).unwrap(), None);
        assert_eq!(store.accounts().unwrap().len(), 3);
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
        store.add_token(ada, "phone", TokenScopes::default(), b"phone", (100, None)).unwrap();
        store.set_password(ada, "y", b"one").unwrap();
        assert_eq!(store.bearer(b"phone", 101).unwrap(), None, "tokens, too");
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
    fn a_link_sets_a_new_password_once() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "x", false, 1).unwrap().unwrap();
        store.begin_session(ada, b"session", 1).unwrap();
        store.add_token(ada, "laptop", TokenScopes::default(), b"token", (1, None)).unwrap();
        store.add_recovery(ada, b"early", 50).unwrap();
        store.add_recovery(ada, b"late", 50).unwrap();
        assert!(!store.use_recovery(b"early", "y", 2).unwrap(), "the last one alone counts");
        assert!(!store.use_recovery(b"late", "y", 50).unwrap(), "it has expired");
        assert_eq!(store.recovered(b"late", 2).unwrap().map(|account| account.id), Some(ada));
        store.freeze_account(ada, true).unwrap();
        assert!(!store.use_recovery(b"late", "y", 2).unwrap(), "a frozen account stays out");
        store.freeze_account(ada, false).unwrap();
        store.begin_session(ada, b"session", 1).unwrap();
        assert!(store.use_recovery(b"late", "y", 2).unwrap() && !store.use_recovery(b"late", "z", 2).unwrap());
        assert_eq!(store.account_by_name("ada").unwrap().unwrap().1, "y");
        assert_eq!((store.session(b"session", 3).unwrap(), store.bearer(b"token", 3).unwrap()), (None, None));
    }

    #[test]
    fn sessions_are_listed_and_ended_one_by_one() {
        let (_folder, mut store) = new_store();
        let [ada, bob] = ["ada", "bob"].map(|name| store.create_account(name, "x", false, 1).unwrap().unwrap());
        for (account, digest, begun) in [(ada, b"one", 100), (ada, b"two", 200), (bob, b"six", 300)] {
            store.begin_session(account, digest, begun).unwrap();
        }
        let list = store.sessions(ada, b"one", 300).unwrap();
        assert_eq!(list.iter().map(|found| (found.begun, found.own)).collect::<Vec<_>>(), [(200, false), (100, true)]);
        store.end_session_of(bob, list[0].id).unwrap();
        assert_eq!(store.sessions(ada, b"one", 300).unwrap().len(), 2, "another's");
        store.end_session_of(ada, list[0].id).unwrap();
        assert_eq!(store.session(b"two", 300).unwrap(), None);
        assert_eq!(store.sessions(ada, b"one", 100 + SESSION).unwrap(), [], "what has expired is not shown");
    }

    #[test]
    fn an_invitation_makes_as_many_accounts_as_it_says() {
        let (_folder, mut store) = new_store();
        let link = SiteInvitation { id: 0, note: "class".into(), host: true, uses: 1, expires: 50, competition: None };
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
