//! The stored bouts.

use std::ops::Range;

use agon_referee::record::Winner;
use agon_referee::verdict::Verdict;
use rusqlite::{OptionalExtension, Row, params};

use super::packing::unpack;
use super::{Store, StoreError};
use crate::summary::Summary;

/// Which bouts of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Filter {
    /// All of them.
    All,
    /// Those in which an agent got another verdict than OK.
    Failed,
}

impl Filter {
    const fn condition(self) -> &'static str {
        match self {
            Self::All => "true",
            Self::Failed => "(first_verdict <> 'OK' OR second_verdict <> 'OK')",
        }
    }
}

const COLUMNS: &str = "slot, first, second, seed, winner, reason, first_verdict, second_verdict, first_score, \
                       second_score, plies, first_ms, second_ms, first_delay_ms, second_delay_ms, first_disturbed, \
                       second_disturbed, started, course";

const WINNERS: [Winner; 4] = [Winner::First, Winner::Second, Winner::Draw, Winner::Void];

const VERDICTS: [Verdict; 6] =
    [Verdict::Ok, Verdict::Tle, Verdict::Re, Verdict::Mle, Verdict::Ce, Verdict::Interrupted];

impl Store {
    /// Keeps bouts, each with its record as a [`super::Packer`] packed it. Once this returns, they stay; when it fails,
    /// none of them does.
    ///
    /// # Errors
    /// [`StoreError::Sql`] when a slot has been played already, or the store cannot be written.
    pub fn keep<'a>(
        &mut self,
        run: i64,
        bouts: impl IntoIterator<Item = (&'a Summary, &'a [u8])>,
    ) -> Result<(), StoreError> {
        let transaction = self.connection.transaction()?;
        {
            let mut enter = transaction.prepare_cached(&format!(
                "INSERT INTO bout (run, {COLUMNS}) VALUES
                 (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)"
            ))?;
            let mut file = transaction.prepare_cached("INSERT INTO record (bout, text) VALUES (?1, ?2)")?;
            for (bout, record) in bouts {
                let [first_score, second_score] = bout.score.map_or([None, None], |score| score.map(Some));
                let [first_verdict, second_verdict] = bout.verdicts.map(Verdict::name);
                let id = enter.insert(params![
                    run,
                    bout.slot,
                    bout.seats[0] as i64,
                    bout.seats[1] as i64,
                    bout.seed as i64,
                    bout.winner.to_string(),
                    bout.reason,
                    first_verdict,
                    second_verdict,
                    first_score,
                    second_score,
                    bout.plies,
                    bout.time_ms[0],
                    bout.time_ms[1],
                    bout.delay_ms[0],
                    bout.delay_ms[1],
                    bout.disturbed[0],
                    bout.disturbed[1],
                    bout.started as i64,
                    bout.game_digest,
                ])?;
                file.execute(params![id, record])?;
            }
        }
        transaction.commit()?;
        Ok(())
    }

    /// The bouts of a run in these slots, in the order of the schedule.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    pub fn bouts(&self, run: i64, slots: Range<u32>) -> Result<Vec<Summary>, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT {COLUMNS} FROM bout WHERE run = ?1 AND slot >= ?2 AND slot < ?3 ORDER BY slot"
        ))?;
        let mut rows = statement.query(params![run, slots.start, slots.end])?;
        let mut bouts = Vec::new();
        while let Some(row) = rows.next()? {
            bouts.push(read(row)?);
        }
        Ok(bouts)
    }

    /// How many bouts of a run are kept.
    ///
    /// # Errors
    /// [`StoreError::Sql`] when the store cannot be read.
    pub fn count(&self, run: i64) -> Result<u64, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT count(*) FROM bout WHERE run = ?1")?;
        Ok(statement.query_row([run], |row| row.get::<_, i64>(0))? as u64)
    }

    /// How many different bouts of a run are kept. Two that started and went alike between the same agents in the same
    /// seats tell as much as one.
    ///
    /// # Errors
    /// [`StoreError::Sql`] when the store cannot be read.
    pub fn distinct(&self, run: i64) -> Result<u64, StoreError> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT count(*) FROM (SELECT DISTINCT first, second, course FROM bout WHERE run = ?1)")?;
        Ok(statement.query_row([run], |row| row.get::<_, i64>(0))? as u64)
    }

    /// The record of one bout, as [`agon_referee::record::Record::read`] reads it; `None` when it has not been played.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read.
    pub fn record(&self, run: i64, slot: u32) -> Result<Option<String>, StoreError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT text FROM record JOIN bout ON bout.id = record.bout WHERE run = ?1 AND slot = ?2",
        )?;
        let packed: Option<Vec<u8>> = statement.query_row(params![run, slot], |row| row.get(0)).optional()?;
        packed.map(|bytes| unpack(&bytes)).transpose()
    }

    /// Shows every bout of a run with its record, in the order of the schedule, one at a time.
    ///
    /// # Errors
    /// What `look` returns, which also ends it, and [`StoreError`] when the store cannot be read.
    pub fn records<E: From<StoreError>>(
        &self,
        run: i64,
        filter: Filter,
        mut look: impl FnMut(&Summary, &str) -> Result<(), E>,
    ) -> Result<(), E> {
        let sql = format!(
            "SELECT {COLUMNS}, text FROM bout JOIN record ON record.bout = bout.id WHERE run = ?1 AND {} ORDER BY slot",
            filter.condition()
        );
        let mut statement = self.connection.prepare_cached(&sql).map_err(StoreError::from)?;
        let mut rows = statement.query([run]).map_err(StoreError::from)?;
        while let Some(row) = rows.next().map_err(StoreError::from)? {
            let packed = row.get_ref("text").map_err(StoreError::from)?;
            let packed = packed.as_blob().map_err(|error| damaged(run, "a record", error.to_string()))?;
            look(&read(row)?, &unpack(packed)?)?;
        }
        Ok(())
    }
}

fn damaged(run: i64, what: &str, problem: String) -> StoreError {
    StoreError::Damaged { what: format!("{what} of run {run}"), problem }
}

fn read(row: &Row) -> Result<Summary, StoreError> {
    let text = |at: usize| -> Result<String, rusqlite::Error> { row.get(at) };
    let verdict = |at: usize| -> Result<Verdict, StoreError> {
        let name = text(at)?;
        let unknown = || StoreError::Damaged { what: "a stored verdict".to_owned(), problem: format!("`{name}`") };
        VERDICTS.into_iter().find(|verdict| verdict.name() == name).ok_or_else(unknown)
    };
    let name = text(4)?;
    let unknown = || StoreError::Damaged { what: "a stored winner".to_owned(), problem: format!("`{name}`") };
    let score: (Option<f64>, Option<f64>) = (row.get(8)?, row.get(9)?);
    Ok(Summary {
        slot: row.get(0)?,
        seats: [row.get::<_, u32>(1)? as usize, row.get::<_, u32>(2)? as usize],
        seed: row.get::<_, i64>(3)? as u64,
        winner: WINNERS.into_iter().find(|winner| winner.to_string() == name).ok_or_else(unknown)?,
        reason: text(5)?,
        verdicts: [verdict(6)?, verdict(7)?],
        score: score.0.zip(score.1).map(|(first, second)| [first, second]),
        plies: row.get(10)?,
        time_ms: [row.get(11)?, row.get(12)?],
        delay_ms: [row.get(13)?, row.get(14)?],
        disturbed: [row.get(15)?, row.get(16)?],
        started: row.get::<_, i64>(17)? as u64,
        game_digest: row.get(18)?,
    })
}
