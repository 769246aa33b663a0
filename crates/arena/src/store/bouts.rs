//! The stored bouts.

use std::ops::Range;

use agon_referee::protocol::quote;
use agon_referee::record::{Termination, Winner};
use agon_referee::verdict::Verdict;
use rusqlite::types::{FromSql, ValueRef};
use rusqlite::{Row, TransactionBehavior, params, params_from_iter};

use super::migrations::{FAULTS, KEYS};
use super::packing::unpack;
use super::{Store, StoreError, reason};
use crate::summary::{SideFault, Summary, side_faults};

/// Selects bouts of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Filter {
    All,
    /// Those in which an agent got another verdict than OK.
    Failed,
}

const COLUMNS: &str = "slot, first, second, seed, winner, reason, first_verdict, second_verdict, first_score, \
                       second_score, plies, first_ms, second_ms, first_delay_ms, second_delay_ms, first_disturbed, \
                       second_disturbed, started, course, termination, faults, reason_keyed";

/// The columns of a bout other than its place in a run.
pub(super) const OTHER_COLUMNS: &str = "seed, winner, reason, first_verdict, second_verdict, first_score, \
                                        second_score, plies, first_ms, second_ms, first_delay_ms, second_delay_ms, \
                                        first_disturbed, second_disturbed, started, course, termination, faults, \
                                        reason_keyed, worker";

const WINNERS: [Winner; 4] = [Winner::First, Winner::Second, Winner::Draw, Winner::Void];

const VERDICTS: [Verdict; 6] =
    [Verdict::Ok, Verdict::Tle, Verdict::Re, Verdict::Mle, Verdict::Ce, Verdict::Interrupted];

impl Store {
    /// Stores bouts, each with its record as compressed by a [`super::Packer`]. Once this returns, they are safe; if it
    /// fails, none is stored.
    ///
    /// # Errors
    /// [`StoreError::Locked`] while another program writes to the store; [`StoreError::Sql`] when a slot has been
    /// played already, or the store cannot be written.
    pub fn keep<'a>(
        &mut self,
        run: i64,
        bouts: impl IntoIterator<Item = (&'a Summary, &'a [u8])>,
    ) -> Result<(), StoreError> {
        self.keep_from(run, bouts.into_iter().map(|(bout, record)| (bout, record, None)))
    }

    /// The same, each with the machine of a fleet that played it.
    ///
    /// # Errors
    /// As [`Self::keep`].
    pub fn keep_from<'a>(
        &mut self,
        run: i64,
        bouts: impl IntoIterator<Item = (&'a Summary, &'a [u8], Option<&'a str>)>,
    ) -> Result<(), StoreError> {
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        {
            let mut enter = transaction.prepare_cached(&format!(
                "INSERT INTO bout (run, {COLUMNS}, worker) VALUES
                 (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,
                  ?22, ?23, ?24)"
            ))?;
            let mut file = transaction.prepare_cached("INSERT INTO record (bout, text) VALUES (?1, ?2)")?;
            for (bout, record, worker) in bouts {
                let [first_score, second_score] = bout.score.map_or([None, None], |score| score.map(Some));
                let [first_verdict, second_verdict] = bout.verdicts.map(Verdict::name);
                let faults = bout.faults.as_ref().map(serde_json::to_string);
                let faults =
                    faults.transpose().map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
                let id = enter.insert(params![
                    run,
                    bout.slot,
                    bout.seats[0] as i64,
                    bout.seats[1] as i64,
                    bout.seed as i64,
                    bout.winner.to_string(),
                    bout.reason.text,
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
                    bout.termination.map(Termination::name),
                    faults,
                    reason::keyed(&bout.reason)?,
                    worker,
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
    /// [`StoreError::Damaged`] when a row contains what no bout has; others when the store cannot be read.
    pub fn bouts(&self, run: i64, slots: Range<u32>) -> Result<Vec<Summary>, StoreError> {
        let rows =
            self.rows("WHERE run = ?1 AND slot >= ?2 AND slot < ?3 ORDER BY slot", run, &[slots.start, slots.end])?;
        rows.into_iter().map(|row| row.map(|(_, bout)| bout)).collect()
    }

    /// All readable bouts of a run, in the order of the schedule, and the error for each unreadable one.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read at all.
    pub fn readable(&self, run: i64) -> Result<(Vec<Summary>, Vec<StoreError>), StoreError> {
        let (bouts, damaged) = self.numbered(run)?;
        Ok((bouts.into_iter().map(|(_, bout)| bout).collect(), damaged))
    }

    /// The same, each with its key.
    fn numbered(&self, run: i64) -> Result<(Vec<Numbered>, Vec<StoreError>), StoreError> {
        let ends = |rows: &[Result<Numbered, StoreError>]| matches!(rows.last(), Some(Err(StoreError::Sql(_))));
        let mut rows = self.rows("WHERE run = ?1", run, &[])?;
        if ends(&rows) {
            // Perhaps it is only the index that is damaged.
            rows = self.rows("NOT INDEXED WHERE run = ?1", run, &[])?;
        }
        let (mut bouts, mut damaged) = (Vec::new(), Vec::new());
        for row in rows {
            match row {
                Ok(bout) => bouts.push(bout),
                Err(StoreError::Sql(error)) => {
                    let what = format!("the table of the games of run {run}");
                    damaged.push(StoreError::Damaged { what, problem: error.to_string() });
                }
                Err(error) => damaged.push(error),
            }
        }
        bouts.sort_by_key(|(_, bout)| bout.slot);
        Ok((bouts, damaged))
    }

    /// Rows of a run, up to the first at which the file itself cannot be read.
    fn rows(&self, which: &str, run: i64, slots: &[u32]) -> Result<Vec<Result<Numbered, StoreError>>, StoreError> {
        let agents = self.run(run)?.plan.agents.len();
        let mut columns = COLUMNS.to_owned();
        if self.layout < FAULTS {
            let termination = "CASE WHEN reason LIKE 'adjudicated: %' THEN 'adjudication' END";
            columns = columns.replace("termination, faults", &format!("{termination}, NULL"));
        }
        if self.layout < KEYS {
            columns = columns.replace("reason_keyed", "NULL");
        }
        let mut statement = self.connection.prepare_cached(&format!("SELECT {columns}, id FROM bout {which}"))?;
        let values = [run].into_iter().chain(slots.iter().map(|&slot| slot.into()));
        let mut rows = statement.query(params_from_iter(values))?;
        let mut bouts = Vec::new();
        loop {
            match rows.next().map_err(StoreError::from) {
                Ok(Some(row)) => {
                    let bout = read(row, agents).map_err(|problem| damaged(run, row.get(0).ok(), problem));
                    bouts.push(bout.and_then(|bout| Ok((row.get(22)?, bout))));
                }
                Ok(None) => return Ok(bouts),
                Err(StoreError::Sql(error)) => {
                    bouts.push(Err(StoreError::Sql(error)));
                    return Ok(bouts);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// How many bouts of a run are stored.
    ///
    /// # Errors
    /// [`StoreError::Sql`] when the store cannot be read.
    pub fn count(&self, run: i64) -> Result<u64, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT count(*) FROM bout WHERE run = ?1")?;
        Ok(statement.query_row([run], |row| row.get::<_, i64>(0))? as u64)
    }

    /// How many bouts of a run with lower places in the schedule are stored.
    ///
    /// # Errors
    /// [`StoreError::Sql`] when the store cannot be read.
    pub fn count_below(&self, run: i64, slot: u64) -> Result<u64, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT count(*) FROM bout WHERE run = ?1 AND slot < ?2")?;
        let slot = i64::try_from(slot).unwrap_or(i64::MAX);
        Ok(statement.query_row([run, slot], |row| row.get::<_, i64>(0))? as u64)
    }

    /// How many different bouts of a run are stored. Two that started and went alike between the same agents in the
    /// same seats are only as much evidence as one.
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
    /// [`StoreError::Damaged`] when it is not text, or longer than a record may be; others when the store cannot be
    /// read.
    pub fn record(&self, run: i64, slot: u32) -> Result<Option<String>, StoreError> {
        match self.record_in("bout", run, slot) {
            // Perhaps it is only the index that is damaged.
            Ok(None) | Err(StoreError::Sql(_)) => self.record_in("bout NOT INDEXED", run, slot),
            found => found,
        }
    }

    fn record_in(&self, table: &str, run: i64, slot: u32) -> Result<Option<String>, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!(
            "SELECT text FROM {table} LEFT JOIN record ON record.bout = bout.id WHERE run = ?1 AND slot = ?2"
        ))?;
        let mut rows = statement.query(params![run, slot])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        text(row.get_ref(0)?).map(Some).map_err(|problem| damaged(run, Some(slot.into()), problem))
    }

    /// Passes every bout of a run with its record to `look`, in the order of the schedule, one at a time. Returns the
    /// error for each one that cannot be read.
    ///
    /// # Errors
    /// Any error of `look`, which also stops the iteration, and [`StoreError`] when the store cannot be read at all.
    pub fn records<E: From<StoreError>>(
        &self,
        run: i64,
        filter: Filter,
        mut look: impl FnMut(&Summary, &str) -> Result<(), E>,
    ) -> Result<Vec<StoreError>, E> {
        let (bouts, mut unreadable) = self.numbered(run)?;
        for (id, bout) in bouts.iter().filter(|(_, bout)| filter == Filter::All || !bout.is_clean()) {
            match self.record_of(*id) {
                Ok(Ok(text)) => look(bout, &text)?,
                Ok(Err(problem)) => unreadable.push(damaged(run, Some(bout.slot.into()), problem)),
                Err(StoreError::Locked) => return Err(StoreError::Locked.into()),
                Err(error) => unreadable.push(damaged(run, Some(bout.slot.into()), error.to_string())),
            }
        }
        Ok(unreadable)
    }

    /// The record of the bout with this key, or what is wrong with it.
    fn record_of(&self, id: i64) -> Result<Result<String, String>, StoreError> {
        let mut statement = self.connection.prepare_cached("SELECT text FROM record WHERE bout = ?1")?;
        let mut rows = statement.query([id])?;
        Ok(text(rows.next()?.map_or(Ok(ValueRef::Null), |row| row.get_ref(0))?))
    }
}

/// A bout with its key.
type Numbered = (i64, Summary);

/// The record in a column.
fn text(value: ValueRef) -> Result<String, String> {
    match value {
        ValueRef::Blob(packed) => unpack(packed),
        other => Err(format!("its record is {}", shown(other))),
    }
}

fn damaged(run: i64, slot: Option<i64>, problem: String) -> StoreError {
    let game = slot.map_or("a game".to_owned(), |slot| format!("game {slot}"));
    StoreError::Damaged { what: format!("{game} of run {run}"), problem }
}

/// A value of the database for people.
fn shown(value: ValueRef) -> String {
    match value {
        ValueRef::Null => "missing".to_owned(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(text) => quote(text).to_string(),
        ValueRef::Blob(bytes) => format!("{} bytes", bytes.len()),
    }
}

/// Reads a row of [`COLUMNS`]; an error names the column whose value no bout between this number of agents can have.
fn read(row: &Row, agents: usize) -> Result<Summary, String> {
    let refused = |at: usize| {
        let value = row.get_ref(at).map_or_else(|error| error.to_string(), shown);
        let name = COLUMNS.split(", ").nth(at).unwrap_or_default();
        format!("`{name}` is {value}")
    };
    let number = |at: usize| cell::<u32>(row, at).ok_or_else(|| refused(at));
    let agent =
        |at: usize| number(at).and_then(|n| if (n as usize) < agents { Ok(n as usize) } else { Err(refused(at)) });
    let whole = |at: usize| cell::<i64>(row, at).ok_or_else(|| refused(at));
    let time =
        |at: usize| cell::<f64>(row, at).filter(|time| time.is_finite() && *time >= 0.0).ok_or_else(|| refused(at));
    let score = |at: usize| match row.get::<_, Option<f64>>(at) {
        Ok(score) if score.is_none_or(f64::is_finite) => Ok(score),
        _ => Err(refused(at)),
    };
    let verdict = |at: usize| {
        let name = cell::<String>(row, at);
        VERDICTS.into_iter().find(|verdict| name.as_deref() == Some(verdict.name())).ok_or_else(|| refused(at))
    };
    let winner = cell::<String>(row, 4);
    let winner = WINNERS.into_iter().find(|known| winner.as_ref() == Some(&known.to_string()));
    let seats = [agent(1)?, agent(2)?];
    if seats[0] == seats[1] {
        return Err(refused(2));
    }
    cell::<String>(row, 5).ok_or_else(|| refused(5))?;
    let reason = reason::stated(row, 5, 21).ok().flatten().ok_or_else(|| refused(21))?;
    let verdicts = [verdict(6)?, verdict(7)?];
    let faults = match row.get::<_, Option<String>>(20) {
        Ok(Some(text)) => Some(serde_json::from_str(&text).map_err(|_| refused(20))?),
        // A bout of before kinds were stored keeps its text.
        Ok(None) => {
            let fault = |verdict| {
                (verdict != Verdict::Ok).then(|| SideFault { reason: reason.text.as_str().into(), kind: None })
            };
            side_faults(verdicts.map(fault))
        }
        Err(_) => return Err(refused(20)),
    };
    let termination = match row.get::<_, Option<String>>(19) {
        Ok(None) => None,
        Ok(Some(name)) => Some(Termination::named(&name).ok_or_else(|| refused(19))?),
        Err(_) => return Err(refused(19)),
    };
    Ok(Summary {
        slot: number(0)?,
        seats,
        seed: whole(3)? as u64,
        winner: winner.ok_or_else(|| refused(4))?,
        reason,
        verdicts,
        faults,
        termination,
        score: score(8)?.zip(score(9)?).map(|(first, second)| [first, second]),
        plies: number(10)?,
        time_ms: [time(11)?, time(12)?],
        delay_ms: [time(13)?, time(14)?],
        disturbed: [number(15)?, number(16)?],
        started: whole(17)? as u64,
        game_digest: whole(18)?,
    })
}

fn cell<T: FromSql>(row: &Row, at: usize) -> Option<T> {
    row.get(at).ok()
}
