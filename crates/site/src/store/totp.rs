//! Secrets of authenticator apps, and the digests of recovery codes.

use rusqlite::{OptionalExtension, params};

use super::SiteStore;
use crate::secret::SecretDigest;
use agon_arena::store::StoreError;

/// An account's two-factor setup.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteTotp {
    pub secret: Vec<u8>,
    /// Since when codes are required; `None` until a first code has shown that the app has the secret.
    pub confirmed: Option<i64>,
    /// Recovery codes that are left.
    pub codes: u32,
}

impl SiteStore {
    /// An account's two-factor setup, if it has one.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn totp(&self, account: i64) -> Result<Option<SiteTotp>, StoreError> {
        let sql = "SELECT secret, confirmed, (SELECT count(*) FROM totp_code WHERE totp_code.account = totp.account)
                   FROM totp WHERE account = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let read =
            |row: &rusqlite::Row| Ok(SiteTotp { secret: row.get(0)?, confirmed: row.get(1)?, codes: row.get(2)? });
        Ok(statement.query_row([account], read).optional()?)
    }

    /// Whether an account must give codes.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn has_totp(&self, account: i64) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM totp WHERE account = ?1 AND confirmed IS NOT NULL)";
        Ok(self.connection.prepare_cached(sql)?.query_row([account], |row| row.get(0))?)
    }

    /// Begins the setup; false if it has been completed. An earlier attempt becomes invalid.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn begin_totp(&mut self, account: i64, secret: &[u8]) -> Result<bool, StoreError> {
        let sql = "INSERT INTO totp (account, secret) VALUES (?1, ?2)
                   ON CONFLICT (account) DO UPDATE SET secret = excluded.secret WHERE confirmed IS NULL";
        Ok(self.connection.execute(sql, params![account, secret])? == 1)
    }

    /// Completes the setup with the code of a step, and stores the digests of recovery codes; false if it was started
    /// with another secret, or completed before.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn confirm_totp(
        &mut self,
        account: i64,
        secret: &[u8],
        step: i64,
        codes: &[SecretDigest],
        now: i64,
    ) -> Result<bool, StoreError> {
        let transaction = self.begin()?;
        let sql = "UPDATE totp SET confirmed = ?4, last_step = ?3
                   WHERE account = ?1 AND secret = ?2 AND confirmed IS NULL";
        let confirmed = transaction.execute(sql, params![account, secret, step, now])? == 1;
        if confirmed {
            insert_codes(&transaction, account, codes)?;
        }
        transaction.commit()?;
        Ok(confirmed)
    }

    /// Uses up the code of a step, with those of all earlier steps; false if it was already used up.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn use_totp_step(&mut self, account: i64, step: i64) -> Result<bool, StoreError> {
        let sql = "UPDATE totp SET last_step = ?2 WHERE account = ?1 AND last_step < ?2 AND confirmed IS NOT NULL";
        Ok(self.connection.execute(sql, [account, step])? == 1)
    }

    /// Uses up a recovery code; false if it does not exist.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn use_recovery_code(&mut self, account: i64, digest: &SecretDigest) -> Result<bool, StoreError> {
        let sql = "DELETE FROM totp_code WHERE account = ?1 AND digest = ?2";
        Ok(self.connection.execute(sql, params![account, digest])? == 1)
    }

    /// Replaces all earlier recovery codes by these.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn set_recovery_codes(&mut self, account: i64, codes: &[SecretDigest]) -> Result<(), StoreError> {
        let transaction = self.begin()?;
        insert_codes(&transaction, account, codes)?;
        Ok(transaction.commit()?)
    }

    /// Stops requiring codes from an account; false if none were required.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn remove_totp(&mut self, account: i64) -> Result<bool, StoreError> {
        let transaction = self.begin()?;
        transaction.execute("DELETE FROM totp_code WHERE account = ?1", [account])?;
        let confirmed: Option<bool> = transaction
            .query_row("DELETE FROM totp WHERE account = ?1 RETURNING confirmed IS NOT NULL", [account], |row| {
                row.get(0)
            })
            .optional()?;
        transaction.commit()?;
        Ok(confirmed.unwrap_or_default())
    }
}

fn insert_codes(connection: &rusqlite::Connection, account: i64, codes: &[SecretDigest]) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM totp_code WHERE account = ?1", [account])?;
    let mut insert = connection.prepare_cached("INSERT INTO totp_code (account, digest) VALUES (?1, ?2)")?;
    for digest in codes {
        insert.execute(params![account, digest])?;
    }
    Ok(())
}
