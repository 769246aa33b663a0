//! The champion's evaluations of every position of a game, kept once a visitor has asked.

use rusqlite::{OptionalExtension, params};

use super::SiteStore;
use agon_arena::store::StoreError;

impl SiteStore {
    /// The evaluation of a game, as it was kept.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn evaluation(&self, bout: i64) -> Result<Option<String>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT points FROM evaluation WHERE bout = ?1")?;
        Ok(statement.query_row([bout], |row| row.get(0)).optional()?)
    }

    /// Stores the evaluation of a game, unless the game is gone.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn keep_evaluation(&mut self, bout: i64, points: &str) -> Result<(), StoreError> {
        let transaction = self.begin()?;
        let sql = "INSERT INTO evaluation (bout, points) SELECT id, ?2 FROM bout WHERE id = ?1
                   ON CONFLICT (bout) DO UPDATE SET points = excluded.points";
        transaction.execute(sql, params![bout, points])?;
        transaction.commit()?;
        Ok(())
    }
}
