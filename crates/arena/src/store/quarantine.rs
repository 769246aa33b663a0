//! Workers of a fleet whose games count no longer.

use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, TransactionBehavior, params};

use super::{Store, StoreError};

/// A worker whose games count no longer in a run.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Quarantine {
    pub worker: String,
    pub why: String,
}

impl Store {
    /// Puts a worker into quarantine: the bouts it has played for the run are removed from the store. Returns the slots
    /// that must be played again, in order.
    ///
    /// # Errors
    /// [`StoreError::Locked`] while another program writes to the store; [`StoreError::Sql`] when it cannot be written.
    pub fn quarantine(&mut self, run: i64, quarantine: &Quarantine) -> Result<Vec<u32>, StoreError> {
        let Quarantine { worker, why } = quarantine;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let sql = "INSERT OR IGNORE INTO quarantine (run, worker, why, since) VALUES (?1, ?2, ?3, ?4)";
        transaction.execute(sql, params![run, worker, why, now as i64])?;
        let slots = {
            let sql = "SELECT slot FROM bout WHERE run = ?1 AND worker = ?2 ORDER BY slot";
            let mut statement = transaction.prepare(sql)?;
            statement.query_map(params![run, worker], |row| row.get(0))?.collect::<Result<Vec<u32>, _>>()?
        };
        remove(&transaction, "run = ?1 AND worker = ?2", params![run, worker])?;
        transaction.commit()?;
        Ok(slots)
    }

    /// Removes all bouts of a run from this slot on from the store: what they were drawn from is played again.
    ///
    /// # Errors
    /// As [`Self::quarantine`].
    pub fn forget_from(&mut self, run: i64, slot: u32) -> Result<(), StoreError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        remove(&transaction, "run = ?1 AND slot >= ?2", params![run, slot])?;
        transaction.commit()?;
        Ok(())
    }

    /// The workers whose games count no longer in a run, by name.
    ///
    /// # Errors
    /// [`StoreError::Sql`] when the store cannot be read.
    pub fn quarantined(&self, run: i64) -> Result<Vec<Quarantine>, StoreError> {
        let sql = "SELECT worker, why FROM quarantine WHERE run = ?1 ORDER BY worker";
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map([run], |row| Ok(Quarantine { worker: row.get(0)?, why: row.get(1)? }))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// Removes bouts with their records.
fn remove(connection: &Connection, which: &str, values: &[&dyn rusqlite::ToSql]) -> Result<(), StoreError> {
    connection.execute(&format!("DELETE FROM record WHERE bout IN (SELECT id FROM bout WHERE {which})"), values)?;
    connection.execute(&format!("DELETE FROM bout WHERE {which}"), values)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use agon_referee::record::Winner;

    use super::*;
    use crate::plan::Kind;
    use crate::plan::tests::plan;
    use crate::store::Packer;
    use crate::tally::tests::bout;

    #[test]
    fn the_games_of_a_worker_in_quarantine_are_taken_out() {
        let mut store = Store::in_memory().unwrap();
        let run = store.begin(&plan(Kind::RoundRobin, 2, 8)).unwrap();
        let other = store.begin(&crate::Plan { seed: 9, ..plan(Kind::RoundRobin, 2, 8) }).unwrap();
        let record = Packer::default().pack("x");
        for (slot, worker) in [(0, Some("liar")), (1, Some("honest")), (2, None), (3, Some("liar"))] {
            let bout = bout(slot, [0, 1], Winner::Draw);
            store.keep_from(run, [(&bout, &*record, worker)]).unwrap();
            store.keep_from(other, [(&bout, &*record, worker)]).unwrap();
        }
        let quarantine = Quarantine { worker: "liar".to_owned(), why: "it lies".to_owned() };
        assert_eq!(store.quarantine(run, &quarantine).unwrap(), [0, 3]);
        assert_eq!(store.quarantine(run, &quarantine).unwrap(), [] as [u32; 0]);
        let left = |run: i64| store.bouts(run, 0..9).unwrap().iter().map(|bout| bout.slot).collect::<Vec<_>>();
        assert_eq!((left(run), left(other)), (vec![1, 2], vec![0, 1, 2, 3]));
        assert_eq!((store.record(run, 3).unwrap(), store.record(run, 1).unwrap()), (None, Some("x".to_owned())));
        assert_eq!((store.quarantined(run).unwrap(), store.quarantined(other).unwrap()), (vec![quarantine], vec![]));
        // A removed bout can be stored again.
        store.keep_from(run, [(&bout(3, [0, 1], Winner::Draw), &*record, Some("honest"))]).unwrap();
        store.forget_from(run, 2).unwrap();
        assert_eq!(store.count(run).unwrap(), 1);
    }
}
