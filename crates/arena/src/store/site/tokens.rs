//! Tokens, by which programs act for an account. The store has only their digests.

use std::fmt;

use rusqlite::types::{FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use rusqlite::{OptionalExtension, Row, ToSql, params};

use super::super::StoreError;
use super::SiteStore;
use super::accounts::{COLUMNS, SiteAccount, account};

/// Something that a token may be for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenScope {
    /// Reading what others do not see: own sources, error streams, notices.
    Read,
    /// Submitting programs, choosing the version that plays, asking for games.
    Submit,
    /// Making teams, asking others to join, joining and leaving; whoever is in a team sees its sources.
    Team,
    /// What the host of a site does.
    Host,
}

impl TokenScope {
    /// All of them.
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

    /// What it allows, for the one who makes a token.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Read => "read your sources, checks, error streams and notices, and export them",
            Self::Submit => "submit programs, choose the version that plays, ask for games",
            Self::Team => "make teams, ask others to join, join and leave",
            Self::Host => "do what the host does: accounts, contests, invitations, announcements, finals, exports",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// What a token is for; by default what a participant needs: reading and submitting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TokenScopes(u8);

impl TokenScopes {
    /// A token for these.
    pub fn new(scopes: impl IntoIterator<Item = TokenScope>) -> Self {
        Self(scopes.into_iter().fold(0, |all, scope| all | scope.bit()))
    }

    /// Whether it is for this.
    pub const fn has(self, scope: TokenScope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Whether it is for nothing.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What it is for.
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

/// A token by which a program acts for an account.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteToken {
    /// Its number.
    pub id: i64,
    /// What it is called, in its owner's words.
    pub name: String,
    /// What it is for.
    pub scopes: TokenScopes,
    /// When it was made.
    pub created: i64,
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
        now: i64,
    ) -> Result<i64, StoreError> {
        let sql = "INSERT INTO token (account, name, scopes, digest, created) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id";
        Ok(self.connection.query_row(sql, params![account, name, scopes, digest, now], |row| row.get(0))?)
    }

    /// The tokens of an account.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn tokens(&self, account: i64) -> Result<Vec<SiteToken>, StoreError> {
        let sql = "SELECT id, name, scopes, created FROM token WHERE account = ?1 ORDER BY id";
        let mut statement = self.connection.prepare_cached(sql)?;
        let token =
            |row: &Row| Ok(SiteToken { id: row.get(0)?, name: row.get(1)?, scopes: row.get(2)?, created: row.get(3)? });
        Ok(statement.query_map([account], token)?.collect::<Result<_, _>>()?)
    }

    /// Revokes a token of an account; false where there is none of that number.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn delete_token(&mut self, account: i64, token: i64) -> Result<bool, StoreError> {
        let sql = "DELETE FROM token WHERE account = ?1 AND id = ?2";
        Ok(self.connection.execute(sql, params![account, token])? == 1)
    }

    /// Whose token it is, and what for.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn account_by_token(&self, digest: &[u8]) -> Result<Option<(SiteAccount, TokenScopes)>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS}, token.scopes FROM token JOIN account ON account.id = token.account
             WHERE digest = ?1 AND NOT frozen"
        );
        let mut statement = self.connection.prepare_cached(&sql)?;
        Ok(statement.query_row([digest], |row| Ok((account(row)?, row.get("scopes")?))).optional()?)
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
        let id = store.add_token(ada, "laptop", scopes, b"one", 2).unwrap();
        let (account, found) = store.account_by_token(b"one").unwrap().unwrap();
        assert_eq!((account.id, found, found.to_string().as_str()), (ada, scopes, "read,host"));
        assert!(!found.has(TokenScope::Submit) && TokenScopes::default().has(TokenScope::Submit));
        let sql = "INSERT INTO token (account, name, digest, created) VALUES (?1, 'old', x'00', 1)";
        store.connection.execute(sql, [ada]).unwrap();
        let old = store.tokens(ada).unwrap()[1].clone();
        assert_eq!(old.scopes, TokenScopes::default(), "of before there were scopes");
        assert!(store.delete_token(ada, id).unwrap() && !store.delete_token(ada, id).unwrap());
        assert_eq!(store.account_by_token(b"one").unwrap(), None);
        assert!(TokenScopes::read("read,write").is_none() && TokenScopes::read("").unwrap().is_empty());
    }
}
