//! The stored runs.

use std::collections::BTreeSet;
use std::time::{SystemTime, UNIX_EPOCH};

use agon_catalog::{Game, UnknownGame};
use rusqlite::{OptionalExtension, Row, TransactionBehavior, params};
use serde::Deserialize;

use super::bouts::OTHER_COLUMNS;
use super::{Store, StoreError};
use crate::plan::Plan;
use crate::reuse::reusable;

#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    pub id: i64,
    /// Its plan, with the length last requested.
    pub plan: Plan,
    /// The version of Agon that began it.
    pub agon: String,
    /// When it began, in seconds since 1970 (UTC).
    pub begun: u64,
}

const COLUMNS: &str = "id, plan, agon, begun";

impl Store {
    /// The run of a plan: an existing one, which then adopts the plan's length, bounds and fixed ratings, or a new one.
    /// It takes over what other runs of the store have for it: see [`crate::reuse`].
    ///
    /// # Errors
    /// [`StoreError::Sql`] when the store cannot be written.
    ///
    /// # Panics
    /// Never: everything in a plan can be written as JSON.
    pub fn begin(&mut self, plan: &Plan) -> Result<i64, StoreError> {
        let text = serde_json::to_string(plan).expect("a plan can be written as JSON");
        let digest = plan.digest();
        let (runs, _) = self.runs()?;
        // By the stored plan and not by its digest: an earlier version included more in the digest.
        let mut begun: Vec<&Run> = runs.iter().filter(|run| run.plan.digest() == digest).collect();
        begun.sort_by_key(|run| (run.plan.test == plan.test, run.id));
        let id = if let Some(run) = begun.last() {
            self.connection.execute("UPDATE run SET plan = ?1 WHERE id = ?2", params![text, run.id])?;
            run.id
        } else {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64);
            self.connection.query_row(
                "INSERT INTO run (digest, plan, agon, begun) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (digest) DO UPDATE SET plan = excluded.plan RETURNING id",
                params![digest, text, env!("CARGO_PKG_VERSION"), now],
                |row| row.get(0),
            )?
        };
        for other in runs.iter().rev().filter(|other| other.id != id && plan.shares_bouts(&other.plan)) {
            self.take_over(id, plan, other)?;
        }
        Ok(id)
    }

    /// Copies what a plan can use from another run.
    fn take_over(&mut self, run: i64, plan: &Plan, other: &Run) -> Result<(), StoreError> {
        let known = {
            let mut statement = self.connection.prepare_cached("SELECT slot FROM bout WHERE run = ?1")?;
            statement.query_map([run], |row| row.get(0))?.collect::<Result<BTreeSet<u32>, _>>()?
        };
        if known.len() as u64 >= plan.bouts() {
            return Ok(());
        }
        let (bouts, _) = self.readable(other.id)?;
        let reused = reusable(plan, &known, &other.plan, &bouts);
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for one in reused {
            transaction.execute(
                &format!(
                    "INSERT INTO bout (run, slot, first, second, {OTHER_COLUMNS})
                     SELECT ?1, ?2, ?3, ?4, {OTHER_COLUMNS} FROM bout WHERE run = ?5 AND slot = ?6"
                ),
                params![run, one.slot, one.seats[0] as i64, one.seats[1] as i64, other.id, one.from],
            )?;
            transaction.execute(
                "INSERT INTO record (bout, text) SELECT last_insert_rowid(), text FROM record
                 WHERE bout = (SELECT id FROM bout WHERE run = ?1 AND slot = ?2)",
                params![other.id, one.from],
            )?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// All readable runs, in the order in which they began, and the error for each unreadable one.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read at all.
    pub fn runs(&self) -> Result<(Vec<Run>, Vec<StoreError>), StoreError> {
        let mut statement = self.connection.prepare_cached(&format!("SELECT {COLUMNS} FROM run ORDER BY id"))?;
        let mut rows = statement.query([])?;
        let (mut runs, mut damaged) = (Vec::new(), Vec::new());
        while let Some(row) = rows.next()? {
            match read(row) {
                Ok(run) => runs.push(run),
                Err(error) => damaged.push(error),
            }
        }
        Ok((runs, damaged))
    }

    /// One run.
    ///
    /// # Errors
    /// [`StoreError::NoRun`] when no run has this number; others when the store cannot be read.
    pub fn run(&self, run: i64) -> Result<Run, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!("SELECT {COLUMNS} FROM run WHERE id = ?1"))?;
        let mut rows = statement.query([run])?;
        read(rows.next()?.ok_or(StoreError::NoRun { run })?)
    }

    /// The latest run of the same texts with other programs, for a plan that has no run yet: the one that the user may
    /// expect to resume.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be read at all.
    pub fn replaced_by(&self, plan: &Plan) -> Result<Option<Run>, StoreError> {
        let (digest, text) = (plan.digest(), plan.text_digest());
        let (runs, _) = self.runs()?;
        if runs.iter().any(|run| run.plan.digest() == digest) {
            return Ok(None);
        }
        Ok(runs.into_iter().rev().find(|run| run.plan.text_digest() == text))
    }

    /// The run that was begun last.
    ///
    /// # Errors
    /// [`StoreError::Sql`] when the store cannot be read.
    pub fn latest(&self) -> Result<Option<i64>, StoreError> {
        Ok(self.connection.query_row("SELECT max(id) FROM run", [], |row| row.get(0)).optional()?.flatten())
    }
}

/// Why the game of a plan is not known, if its rules are a program that was not given.
fn missing_rules(plan: &str) -> Option<UnknownGame> {
    #[derive(Deserialize)]
    struct Named {
        game: String,
    }
    let Named { game } = serde_json::from_str(plan).ok()?;
    Game::recorded(&game).err().filter(|unknown| unknown.of_program)
}

fn read(row: &Row) -> Result<Run, StoreError> {
    let id: Option<i64> = row.get(0).ok();
    let damaged = |problem: String| {
        let what = id.map_or("a run".to_owned(), |id| format!("run {id}"));
        StoreError::Damaged { what, problem }
    };
    let wrong = |error: rusqlite::Error| damaged(error.to_string());
    let text: String = row.get(1).map_err(wrong)?;
    if let Some(problem) = missing_rules(&text) {
        return Err(StoreError::Rules { run: id.unwrap_or_default(), problem });
    }
    let plan: Plan = serde_json::from_str(&text).map_err(|error| damaged(format!("its plan: {error}")))?;
    if plan.agents.len() < 2 {
        return Err(damaged(format!("its plan has {} agents", plan.agents.len())));
    }
    let begun = row.get::<_, i64>(3).map_err(wrong)? as u64;
    Ok(Run { id: row.get(0).map_err(wrong)?, plan, agon: row.get(2).map_err(wrong)?, begun })
}
