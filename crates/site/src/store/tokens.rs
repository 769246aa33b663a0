//! Tokens, with which programs act for an account. The store has only their digests.

use std::fmt;

use rusqlite::types::{FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use rusqlite::{OptionalExtension, Row, ToSql, params};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::SiteStore;
use super::accounts::{COLUMNS, SiteAccount, account};
use agon_arena::store::StoreError;
use agon_message::messages;

messages! {
    /// The purpose of a token; its message describes what it allows.
    #[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(rename_all = "lowercase")]
    #[schema(as = Scope)]
    pub enum TokenScope {
        /// Reading what others cannot see: own sources, error streams, notices.
        Read = "read your sources, checks, error streams and notices, and export them",
        /// Submitting programs, choosing the version that plays, asking for games.
        Submit = "submit programs, choose the version that plays, request games",
        /// Creating teams, inviting others, joining and leaving; members of a team see its sources.
        Team = "create, join and leave teams, and invite others",
        /// The host's actions.
        Host = "act as host: accounts, competitions, invitations, announcements, finals, exports",
    }
}

impl TokenScope {
    pub const ALL: [Self; 4] = [Self::Read, Self::Submit, Self::Team, Self::Host];

    /// Its name, in the store and outside.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Submit => "submit",
            Self::Team => "team",
            Self::Host => "host",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The purposes of a token; by default what a participant needs: reading and submitting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TokenScopes(u8);

impl TokenScopes {
    pub fn new(scopes: impl IntoIterator<Item = TokenScope>) -> Self {
        Self(scopes.into_iter().fold(0, |all, scope| all | scope.bit()))
    }

    /// Whether it has this purpose.
    pub const fn has(self, scope: TokenScope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Whether it has no purpose.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn iter(self) -> impl Iterator<Item = TokenScope> {
        TokenScope::ALL.into_iter().filter(move |scope| self.has(*scope))
    }

    fn read(text: &str) -> Option<Self> {
        let scope = |name: &str| TokenScope::ALL.into_iter().find(|scope| scope.name() == name);
        let scopes: Option<Vec<TokenScope>> = text.split(',').filter(|name| !name.is_empty()).map(scope).collect();
        scopes.map(Self::new)
    }
}

impl Default for TokenScopes {
    fn default() -> Self {
        Self::new([TokenScope::Read, TokenScope::Submit])
    }
}

impl fmt::Display for TokenScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.iter().map(TokenScope::name).collect::<Vec<_>>().join(","))
    }
}

impl rusqlite::types::FromSql for TokenScopes {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Self::read(value.as_str()?).ok_or(FromSqlError::InvalidType)
    }
}

impl ToSql for TokenScopes {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.to_string().into())
    }
}

/// A token with which a program acts for an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteToken {
    pub id: i64,
    /// Its name, given by its owner.
    pub name: String,
    pub scopes: TokenScopes,
    pub created: i64,
    /// Roughly when it was last used; `None` if never.
    pub used: Option<i64>,
    /// When it becomes invalid; `None` if it is valid until it is revoked.
    pub expires: Option<i64>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TokenBearer {
    pub account: SiteAccount,
    pub scopes: TokenScopes,
    pub token: i64,
    /// About when it was sent last.
    pub used: Option<i64>,
}

impl SiteStore {
    /// Makes a token and returns its number.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn add_token(
        &mut self,
        account: i64,
        name: &str,
        scopes: TokenScopes,
        digest: &[u8],
        (now, expires): (i64, Option<i64>),
    ) -> Result<i64, StoreError> {
        let sql = "INSERT INTO token (account, name, scopes, digest, created, expires)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id";
        Ok(self.connection.query_row(sql, params![account, name, scopes, digest, now, expires], |row| row.get(0))?)
    }

    /// The tokens of an account.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn tokens(&self, account: i64) -> Result<Vec<SiteToken>, StoreError> {
        let sql = "SELECT id, name, scopes, created, used, expires FROM token WHERE account = ?1 ORDER BY id";
        let mut statement = self.connection.prepare_cached(sql)?;
        let token = |row: &Row| {
            Ok(SiteToken {
                id: row.get(0)?,
                name: row.get(1)?,
                scopes: row.get(2)?,
                created: row.get(3)?,
                used: row.get(4)?,
                expires: row.get(5)?,
            })
        };
        Ok(statement.query_map([account], token)?.collect::<Result<_, _>>()?)
    }

    /// Revokes a token of an account; false if none has that number.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn delete_token(&mut self, account: i64, token: i64) -> Result<bool, StoreError> {
        let sql = "DELETE FROM token WHERE account = ?1 AND id = ?2";
        Ok(self.connection.execute(sql, params![account, token])? == 1)
    }

    /// Whose token it is, and its purposes; `None` if it has expired.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn bearer(&self, digest: &[u8], now: i64) -> Result<Option<TokenBearer>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS}, token.scopes, token.id AS token, token.used
             FROM token JOIN account ON account.id = token.account
             WHERE digest = ?1 AND NOT frozen AND (expires IS NULL OR expires > ?2)"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        let bearer = |row: &Row| {
            let (scopes, token, used) = (row.get("scopes")?, row.get("token")?, row.get("used")?);
            Ok(TokenBearer { account: account(row)?, scopes, token, used })
        };
        Ok(statement.query_row(params![digest, now], bearer).optional()?)
    }

    /// Records that a token was used.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn note_token_use(&mut self, token: i64, now: i64) -> Result<(), StoreError> {
        self.connection.execute("UPDATE token SET used = ?2 WHERE id = ?1", [token, now])?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::new_store;
    use super::*;

    #[test]
    fn a_token_is_for_what_it_was_made_for() {
        let (_folder, mut store) = new_store();
        let ada = store.create_account("ada", "x", false, 1).unwrap().unwrap();
        let scopes = TokenScopes::new([TokenScope::Host, TokenScope::Read]);
        let id = store.add_token(ada, "laptop", scopes, b"one", (2, None)).unwrap();
        let bearer = store.bearer(b"one", 9).unwrap().unwrap();
        let found = bearer.scopes;
        assert_eq!((bearer.account.id, found, found.to_string().as_str()), (ada, scopes, "read,host"));
        assert!(!found.has(TokenScope::Submit) && TokenScopes::default().has(TokenScope::Submit));
        let sql = "INSERT INTO token (account, name, digest, created) VALUES (?1, 'old', x'00', 1)";
        store.connection.execute(sql, [ada]).unwrap();
        let old = store.tokens(ada).unwrap()[1].clone();
        assert_eq!(old.scopes, TokenScopes::default(), "of before there were scopes");
        assert!(store.delete_token(ada, id).unwrap() && !store.delete_token(ada, id).unwrap());
        assert_eq!(store.bearer(b"one", 9).unwrap(), None);
        let short = store.add_token(ada, "phone", scopes, b"two", (2, Some(50))).unwrap();
        assert!(store.bearer(b"two", 50).unwrap().is_none(), "it has expired");
        assert_eq!(store.bearer(b"two", 49).unwrap().unwrap().used, None);
        store.note_token_use(short, 49).unwrap();
        let token = store.tokens(ada).unwrap().pop().unwrap();
        assert_eq!((token.name.as_str(), token.used, token.expires), ("phone", Some(49), Some(50)));
        assert!(TokenScopes::read("read,write").is_none() && TokenScopes::read("").unwrap().is_empty());
    }
}
