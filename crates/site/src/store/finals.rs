//! Finals: tournaments between the programs that play on a ladder, as they are at that moment.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::RangeInclusive;

use rusqlite::types::{FromSqlError, FromSqlResult, ToSqlOutput, Type, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, ToSql, Transaction, params};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::SiteStore;
use super::games::{BOUT, SiteBout, SiteSeat, bout, forfeit_winner, winner};
use super::migrations::{FINAL_RESULTS, FINALS_TO_COME};
use agon_arena::plan::Plan;
use agon_arena::store::StoreError;
use agon_arena::summary::Summary;
use agon_referee::record::Winner;
use agon_referee::verdict::Verdict;

use crate::final_form::FinalForm;

/// The state of a final.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FinalState {
    /// Its games are being played.
    Running,
    /// All games have been played.
    Complete,
    /// It was stopped, by its host or because a built-in player in it no longer exists.
    Stopped,
}

impl FinalState {
    /// Its name, in the store and on pages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Complete => "complete",
            Self::Stopped => "stopped",
        }
    }
}

impl rusqlite::types::FromSql for FinalState {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let (all, name) = ([Self::Running, Self::Complete, Self::Stopped], value.as_str()?);
        all.into_iter().find(|state| state.name() == name).ok_or(FromSqlError::InvalidType)
    }
}

impl ToSql for FinalState {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.name().into())
    }
}

/// A final that begins by itself.
#[derive(Clone, Debug)]
pub struct FinalToCome {
    /// The number that it will have; of several divisions, the first one.
    pub number: i64,
    /// The numbers of its divisions, as far as they were known when it was scheduled, by their titles.
    pub divisions: BTreeMap<String, i64>,
    pub competition: i64,
    pub begins: i64,
    /// The host's choices.
    pub form: FinalForm,
    /// It could not begin at the scheduled time.
    pub failed: bool,
}

impl FinalToCome {
    fn has_number(&self, number: i64) -> bool {
        self.number == number || self.divisions.values().any(|own| *own == number)
    }

    /// The title under this number: that of a division, or of the whole.
    pub fn title(&self, number: i64) -> &str {
        let division = self.divisions.iter().find(|(_, own)| **own == number && number != self.number);
        division.map_or(&self.form.title, |(title, _)| title)
    }
}

/// What is stored of a final that begins by itself.
#[derive(Serialize, Deserialize)]
struct StoredForm {
    #[serde(flatten)]
    form: FinalForm,
    #[serde(default)]
    numbers: BTreeMap<String, i64>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct SiteFinal {
    pub id: i64,
    /// The competition whose programs meet.
    pub competition: i64,
    pub title: String,
    /// Who meets whom, from which seed. An agent's text is the number of its version among all.
    pub plan: Plan,
    pub state: FinalState,
    pub created: i64,
}

impl SiteFinal {
    /// Whether a place in the plan belongs to a built-in player, which has no version.
    pub fn is_builtin(&self, agent: usize) -> bool {
        self.plan.agents[agent].agent.parse::<i64>().is_err()
    }
}

/// A game of a final, by its place in the schedule.
#[derive(Clone, PartialEq, Debug)]
pub struct FinalBout {
    pub slot: u32,
    /// Who won, if it has ended.
    pub winner: Option<Winner>,
    /// The game; `None` if it was deleted with an account, or not played because a program was.
    pub bout: Option<SiteBout>,
}

/// The name in a final's plan for a program whose account has been deleted.
pub const DELETED: &str = "deleted account";

impl FinalBout {
    /// The game as a tally counts it, if it has ended; `seats` are the agents of its slot.
    pub fn summary(&self, seats: [usize; 2], seed: u64) -> Option<Summary> {
        let winner = self.winner?;
        let bout = self.bout.as_ref();
        let [first, second] = [0, 1].map(|side: usize| bout.map(|bout| &bout.seats[side]));
        // Points follow from the winner alone.
        let verdict = |seat: Option<&SiteSeat>| seat.and_then(|seat| seat.verdict).unwrap_or(Verdict::Ok);
        let time_ms = |seat: Option<&SiteSeat>| seat.and_then(|seat| seat.time_ms).unwrap_or_default();
        Some(Summary {
            slot: self.slot,
            seats,
            seed,
            winner,
            reason: bout.map(|bout| bout.reason.clone()).unwrap_or_default(),
            verdicts: [verdict(first), verdict(second)],
            faults: None,
            termination: None,
            score: None,
            plies: bout.map(|bout| bout.plies).unwrap_or_default(),
            time_ms: [time_ms(first), time_ms(second)],
            delay_ms: [0.0; 2],
            disturbed: [0; 2],
            started: bout.map(|bout| bout.begun as u64).unwrap_or_default(),
            // One without a digest went as no other one.
            game_digest: bout.and_then(|bout| bout.game_digest).unwrap_or_else(|| i64::from(self.slot)),
        })
    }
}

fn read(row: &Row) -> rusqlite::Result<SiteFinal> {
    let text: String = row.get(2)?;
    let wrong = |error: serde_json::Error| rusqlite::Error::FromSqlConversionFailure(2, Type::Text, error.into());
    let plan = serde_json::from_str(&text).map_err(wrong)?;
    Ok(SiteFinal {
        id: row.get(0)?,
        title: row.get(1)?,
        plan,
        state: row.get(3)?,
        created: row.get(4)?,
        competition: row.get(5)?,
    })
}

/// Keeps the results of finals in which programs of an account have played, without its name, before it is deleted.
pub(super) fn keep_results(transaction: &Transaction, account: i64) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO final_result (final, slot, winner)
               SELECT final, slot, winner FROM bout
               WHERE final IS NOT NULL AND winner IS NOT NULL
                   AND (first IN (SELECT id FROM program WHERE account = ?1)
                       OR second IN (SELECT id FROM program WHERE account = ?1))";
    transaction.execute(sql, [account])?;
    let sql = "SELECT version.id FROM version JOIN program ON program.id = version.program WHERE account = ?1";
    let versions: HashSet<String> = transaction
        .prepare(sql)?
        .query_map([account], |row| Ok(row.get::<_, i64>(0)?.to_string()))?
        .collect::<Result<_, _>>()?;
    let finals: Vec<SiteFinal> = transaction
        .prepare(FINAL)?
        .query_map([], |row| Ok(read(row).ok()))?
        .filter_map(Result::transpose)
        .collect::<Result<_, _>>()?;
    for mut one in finals {
        let agents = one.plan.agents.iter_mut().filter(|entrant| versions.contains(&entrant.agent));
        if agents.map(|entrant| DELETED.clone_into(&mut entrant.name)).count() > 0 {
            let plan = serde_json::to_string(&one.plan).expect("a plan can be written as JSON");
            transaction.execute("UPDATE final SET plan = ?2 WHERE id = ?1", params![one.id, plan])?;
        }
    }
    Ok(())
}

/// Whether the plan of a final has a version of this program, whatever has been played of it.
pub(super) fn is_in_final(connection: &Connection, program: i64) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (
                   SELECT 1 FROM final JOIN program ON program.contest = final.contest,
                       json_each(final.plan, '$.agents') AS entrant
                   WHERE program.id = ?1
                       AND json_extract(entrant.value, '$.agent')
                           IN (SELECT id || '' FROM version WHERE version.program = ?1))";
    connection.query_row(sql, [program], |row| row.get(0))
}

const FINAL: &str = "SELECT id, title, plan, state, created, contest FROM final";

/// Begins a final with this number, or with the next one.
fn insert(
    connection: &Connection,
    number: Option<i64>,
    competition: i64,
    (title, plan): (&str, &Plan),
    now: i64,
) -> rusqlite::Result<i64> {
    let text = serde_json::to_string(plan).expect("a plan can be written as JSON");
    let sql =
        "INSERT INTO final (id, contest, title, plan, state, created) VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING id";
    connection.query_row(sql, params![number, competition, title, text, FinalState::Running, now], |row| row.get(0))
}

/// A number that no other final gets.
fn reserve(connection: &Connection, competition: i64) -> rusqlite::Result<i64> {
    let sql = "INSERT INTO final (contest, title, plan, state, created) VALUES (?1, '', '{}', 'taken', 0) RETURNING id";
    let number = connection.query_row(sql, [competition], |row| row.get(0))?;
    connection.execute("DELETE FROM final WHERE id = ?1", [number])?;
    Ok(number)
}

impl SiteStore {
    /// Begins a final.
    ///
    /// # Errors
    /// [`StoreError`].
    ///
    /// # Panics
    /// Never: everything in a plan can be written as JSON.
    pub fn begin_final(&mut self, competition: i64, title: &str, plan: &Plan, now: i64) -> Result<i64, StoreError> {
        Ok(insert(&self.connection, None, competition, (title, plan), now)?)
    }

    /// Begins the finals of a competition, all or none of them, and returns their numbers: those of the schedule, if
    /// there was one.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn begin_finals(
        &mut self,
        finals: &[(String, Plan)],
        scheduled: Option<&FinalToCome>,
        competition: i64,
        now: i64,
    ) -> Result<Vec<i64>, StoreError> {
        let transaction = self.begin()?;
        transaction.execute(
            "DELETE FROM final_to_come WHERE contest = ?1 AND number = ?2",
            params![competition, scheduled.map(|one| one.number)],
        )?;
        let known = |title: &str| scheduled.and_then(|one| one.divisions.get(title).copied());
        let mut first = scheduled.map(|one| one.number);
        if finals.iter().any(|(title, _)| known(title).is_some_and(|number| Some(number) == first)) {
            first = None;
        }
        let begun = finals.iter().map(|(title, plan)| {
            let number = known(title).or_else(|| first.take());
            insert(&transaction, number, competition, (title, plan), now)
        });
        let begun = begun.collect::<Result<_, _>>()?;
        transaction.commit()?;
        Ok(begun)
    }

    /// Schedules a final of a competition that begins by itself, replacing an earlier one, whose numbers it gets.
    /// `divisions` are the titles of its divisions, none if it is undivided.
    ///
    /// # Errors
    /// [`StoreError`].
    ///
    /// # Panics
    /// Never: everything in a form can be written as JSON.
    pub fn put_final_to_come(
        &mut self,
        competition: i64,
        form: &FinalForm,
        divisions: &[String],
        begins: i64,
    ) -> Result<(), StoreError> {
        let earlier = self.finals_to_come()?.into_iter().find(|one| one.competition == competition);
        let transaction = self.begin()?;
        let mut known: BTreeSet<i64> =
            earlier.iter().flat_map(|one| one.divisions.values().copied().chain([one.number])).collect();
        let mut next = || known.pop_first().map_or_else(|| reserve(&transaction, competition), Ok);
        let number = next()?;
        let mut numbers = BTreeMap::new();
        for (at, title) in divisions.iter().enumerate() {
            numbers.insert(title.clone(), if at == 0 { number } else { next()? });
        }
        let stored = StoredForm { form: form.clone(), numbers };
        let text = serde_json::to_string(&stored).expect("a form can be written as JSON");
        let sql = "INSERT OR REPLACE INTO final_to_come (contest, begins, form, number) VALUES (?1, ?2, ?3, ?4)";
        transaction.execute(sql, params![competition, begins, text, number])?;
        Ok(transaction.commit()?)
    }

    /// Removes the final of a competition that would begin by itself.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn remove_final_to_come(&mut self, competition: i64) -> Result<(), StoreError> {
        self.connection.execute("DELETE FROM final_to_come WHERE contest = ?1", [competition])?;
        Ok(())
    }

    /// Records that the final of a competition could not begin.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn fail_final_to_come(&mut self, competition: i64) -> Result<(), StoreError> {
        self.connection.execute("UPDATE final_to_come SET failed = 1 WHERE contest = ?1", [competition])?;
        Ok(())
    }

    /// The finals that begin by themselves, the next one first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn finals_to_come(&self) -> Result<Vec<FinalToCome>, StoreError> {
        if self.layout < FINALS_TO_COME {
            return Ok(Vec::new());
        }
        let sql = "SELECT contest, begins, form, failed, number FROM final_to_come ORDER BY begins, contest";
        let read = |row: &Row| {
            let StoredForm { form, numbers } = serde_json::from_str(&row.get::<_, String>(2)?)
                .map_err(|error| rusqlite::Error::FromSqlConversionFailure(2, Type::Text, error.into()))?;
            let (competition, begins, failed, number) = (row.get(0)?, row.get(1)?, row.get(3)?, row.get(4)?);
            Ok(FinalToCome { number, divisions: numbers, competition, begins, form, failed })
        };
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_map([], read)?.collect::<Result<_, _>>()?)
    }

    /// Whether a final begins by itself at one of these times.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn has_final_in(&self, times: RangeInclusive<i64>) -> Result<bool, StoreError> {
        if self.layout < FINALS_TO_COME {
            return Ok(false);
        }
        let sql = "SELECT EXISTS (SELECT 1 FROM final_to_come WHERE NOT failed AND begins BETWEEN ?1 AND ?2)";
        Ok(self.connection.prepare_cached(sql)?.query_row([times.start(), times.end()], |row| row.get(0))?)
    }

    /// The final that will have this number, or a division with it, as long as it has not begun.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn final_to_come(&self, number: i64) -> Result<Option<FinalToCome>, StoreError> {
        Ok(self.finals_to_come()?.into_iter().find(|coming| coming.has_number(number)))
    }

    /// Says that a running final is over.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn end_final(&mut self, id: i64, state: FinalState) -> Result<(), StoreError> {
        let sql = "UPDATE final SET state = ?2 WHERE id = ?1 AND state = 'running'";
        self.connection.execute(sql, params![id, state])?;
        Ok(())
    }

    /// Takes a version out of a final, or lets it back in.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn set_final_out(&mut self, id: i64, version: i64, out: bool, now: i64) -> Result<(), StoreError> {
        if out {
            let sql = "INSERT INTO final_out (final, version, since) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
            self.connection.execute(sql, params![id, version, now])?;
        } else {
            self.connection.execute("DELETE FROM final_out WHERE final = ?1 AND version = ?2", [id, version])?;
        }
        Ok(())
    }

    /// The versions that count no longer in a final.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn final_outs(&self, id: i64) -> Result<Vec<i64>, StoreError> {
        // A store of an earlier release is exported as it is.
        let known = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'final_out')";
        if !self.connection.query_row(known, [], |row| row.get::<_, bool>(0))? {
            return Ok(Vec::new());
        }
        let mut statement =
            self.connection.prepare_cached("SELECT version FROM final_out WHERE final = ?1 ORDER BY version")?;
        Ok(statement.query_map([id], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    /// All finals, the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn finals(&self) -> Result<Vec<SiteFinal>, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!("{FINAL} ORDER BY id DESC"))?;
        Ok(statement.query_map([], read)?.collect::<Result<_, _>>()?)
    }

    /// The finals of a competition, the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn finals_of(&self, competition: i64) -> Result<Vec<SiteFinal>, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!("{FINAL} WHERE contest = ?1 ORDER BY id DESC"))?;
        Ok(statement.query_map([competition], read)?.collect::<Result<_, _>>()?)
    }

    /// A final.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn final_by_id(&self, id: i64) -> Result<Option<SiteFinal>, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!("{FINAL} WHERE id = ?1"))?;
        Ok(statement.query_row([id], read).optional()?)
    }

    /// The running finals, the first to begin first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn running_finals(&self) -> Result<Vec<SiteFinal>, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!("{FINAL} WHERE state = 'running' ORDER BY id"))?;
        Ok(statement.query_map([], read)?.collect::<Result<_, _>>()?)
    }

    /// Whether a final is running.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn has_running_final(&self) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM final WHERE state = 'running')";
        Ok(self.connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
    }

    /// How many games of a final have a result.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn final_played(&self, id: i64) -> Result<u64, StoreError> {
        let count = |sql: &str| -> Result<u64, StoreError> {
            Ok(self.connection.prepare_cached(sql)?.query_row([id], |row| row.get::<_, i64>(0))? as u64)
        };
        let stored = count("SELECT COUNT(*) FROM bout WHERE final = ?1 AND winner IS NOT NULL")?;
        if self.layout < FINAL_RESULTS {
            return Ok(stored);
        }
        // For games that are no longer stored.
        Ok(stored + count("SELECT COUNT(*) FROM final_result WHERE final = ?1")?)
    }

    /// The games of a final, in the order of its schedule, including those in progress.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn final_bouts(&self, id: i64) -> Result<Vec<FinalBout>, StoreError> {
        let sql = format!("{BOUT} WHERE bout.final = ?1 ORDER BY slot");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let read = |row: &Row| {
            let bout = bout(row)?;
            Ok(FinalBout { slot: row.get(22)?, winner: bout.winner, bout: Some(bout) })
        };
        let mut bouts: Vec<FinalBout> = statement.query_map([id], read)?.collect::<Result<_, _>>()?;
        if self.layout >= FINAL_RESULTS {
            let sql = "SELECT slot, winner FROM final_result WHERE final = ?1";
            let mut statement = self.connection.prepare_cached(sql)?;
            let kept = |row: &Row| Ok(FinalBout { slot: row.get(0)?, winner: winner(row, 1)?, bout: None });
            let kept: Vec<FinalBout> = statement.query_map([id], kept)?.collect::<Result<_, _>>()?;
            bouts.extend(kept);
            bouts.sort_by_key(|bout| bout.slot);
        }
        Ok(bouts)
    }

    /// Records the winner of a game of a final that cannot be played because the account of a program in it was
    /// deleted: the side that is not out, if there is one.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn forfeit_slot(&mut self, id: i64, slot: u32, out: [bool; 2]) -> Result<(), StoreError> {
        let sql = "INSERT INTO final_result (final, slot, winner) VALUES (?1, ?2, ?3)";
        self.connection.execute(sql, params![id, slot, forfeit_winner(out).to_string()])?;
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use agon_catalog::Game;

    use super::super::games::tests::won;
    use super::super::{BoutKind, CompetitionPart, NewBout, RENJU, Submission, SubmissionLimits, new_store};
    use super::*;
    use crate::finals::{FinalStep, FinalTable, next};
    use agon_arena::plan::{Entrant, Kind};
    use agon_referee::agent::Language;

    /// A participant of a final, by name.
    pub(crate) fn entrant(name: &str) -> Entrant {
        Entrant {
            name: name.to_owned(),
            agent: "1".to_owned(),
            rating: None,
            openings: false,
            fingerprint: String::new(),
            clock: None,
            identity: None,
        }
    }

    #[test]
    fn a_slot_is_played_once() {
        let (_folder, mut store) = new_store();
        let players = ["a", "b"].map(|name| (name.to_owned(), 1500.0, false));
        store.enter_builtins(RENJU, &players, 1).unwrap();
        let both = ["a", "b"].map(|name| store.builtin(RENJU, name).unwrap().unwrap().id);
        let mut plan = Plan::of_match(Game::RENJU, [entrant("a"), entrant("b")], 2);
        plan.kind = Kind::Swiss { rounds: 1 };
        let id = store.begin_final(RENJU, "Friday", &plan, 5).unwrap();
        assert_eq!(store.running_finals().unwrap()[0].plan, plan);
        let new = NewBout {
            competition: RENJU,
            kind: BoutKind::Final { id, slot: 1 },
            seed: 1,
            seats: both.map(|id| (id, None)),
        };
        let bout = store.begin_bout(&new, 6).unwrap();
        assert!(store.begin_bout(&new, 6).is_err());
        assert_eq!(store.final_bouts(id).unwrap()[0].summary([0, 1], 1), None, "it is being played");
        store.end_bout(bout, &won(Winner::First), 7).unwrap();
        let played = store.final_bouts(id).unwrap();
        assert_eq!(
            store.final_played(id).unwrap() as usize,
            played.iter().filter(|bout| bout.winner.is_some()).count()
        );
        assert_eq!((played.len(), played[0].slot), (1, 1));
        assert_eq!(played[0].summary([0, 1], 1).unwrap().winner, Winner::First);
        assert_eq!(store.program(both[0]).unwrap().unwrap().games, 0, "a final is not rated");
        store.end_final(id, FinalState::Complete).unwrap();
        store.end_final(id, FinalState::Stopped).unwrap();
        assert_eq!(store.final_by_id(id).unwrap().unwrap().state, FinalState::Complete);
        assert_eq!((store.has_running_final().unwrap(), store.finals().unwrap().len()), (false, 1));
        assert_eq!((store.finals_of(RENJU).unwrap().len(), store.finals_of(1).unwrap().len()), (1, 0));
    }

    #[test]
    fn a_final_has_its_number_before_it_begins() {
        let (_folder, mut store) = new_store();
        let form = FinalForm::default();
        let plan = Plan::of_match(Game::RENJU, [entrant("a"), entrant("b")], 2);
        store.put_final_to_come(RENJU, &form, &[], 50).unwrap();
        store.put_final_to_come(1, &form, &[], 60).unwrap();
        let numbers = |store: &SiteStore| -> Vec<i64> {
            store.finals_to_come().unwrap().iter().map(|coming| coming.number).collect()
        };
        assert_eq!(numbers(&store), [1, 2]);
        assert_eq!(store.begin_final(RENJU, "Now", &plan, 5).unwrap(), 3, "both numbers are taken");
        // One that is put off keeps its number, and so does one that begins.
        store.put_final_to_come(RENJU, &form, &[], 70).unwrap();
        assert_eq!(numbers(&store), [2, 1]);
        let both = ["one", "two"].map(|title| (title.to_owned(), plan.clone()));
        let coming = store.final_to_come(1).unwrap().unwrap();
        assert_eq!(store.begin_finals(&both, Some(&coming), RENJU, 70).unwrap(), [1, 4]);
        assert_eq!((numbers(&store), store.final_to_come(1).unwrap().is_none()), (vec![2], true));
        // The number of one that was cancelled is not used again.
        store.remove_final_to_come(1).unwrap();
        store.put_final_to_come(1, &form, &[], 60).unwrap();
        assert_eq!(numbers(&store), [5]);
        // So does each division, in whichever order they begin.
        let titles = ["X · 1", "X · 2", "X · 3"].map(str::to_owned);
        store.put_final_to_come(1, &form, &titles, 60).unwrap();
        store.put_final_to_come(1, &form, &titles, 80).unwrap();
        let coming = store.final_to_come(7).unwrap().unwrap();
        assert_eq!((coming.number, coming.title(7), coming.title(5)), (5, "X · 3", ""));
        let of = |number| store.competition_of(CompetitionPart::Final, number).unwrap();
        assert_eq!([4, 5, 6, 7, 8].map(of), [Some(RENJU), Some(1), Some(1), Some(1), None], "it hides a private one");
        assert_eq!(coming.divisions.values().copied().collect::<Vec<_>>(), [5, 6, 7]);
        let begun = ["X · 4", "X · 3", "X · 1"].map(|title| (title.to_owned(), plan.clone()));
        assert_eq!(store.begin_finals(&begun, Some(&coming), 1, 80).unwrap(), [8, 7, 5]);
        assert!(store.final_to_come(6).unwrap().is_none(), "it had too few programs");
    }

    #[test]
    fn results_stay_when_an_account_is_deleted() {
        let (_folder, mut store) = new_store();
        let limits = SubmissionLimits { daily: 9, programs: 9, waiting: 9 };
        let entered = ["ada", "bob", "eve"].map(|name| {
            let account = store.create_account(name, "x", false, 1).unwrap().unwrap();
            let submission =
                Submission { account, competition: RENJU, name: "bot", language: Language::Python3, source: name };
            let version = store.submit(&submission, &limits, 3).unwrap().unwrap();
            store.take_submission().unwrap().unwrap();
            store.settle_submission(version, Ok(()), None, 4).unwrap();
            (name, account, store.version(version).unwrap().unwrap().program, version)
        });
        let mut plan = Plan::of_match(Game::RENJU, [entrant("a"), entrant("b")], 2);
        let named = |(name, _, _, version): &(&str, i64, i64, i64)| Entrant {
            agent: version.to_string(),
            ..entrant(&format!("bot v1 ({name})"))
        };
        plan.agents = entered.iter().map(named).collect();
        let id = store.begin_final(RENJU, "Friday", &plan, 5).unwrap();
        while let FinalStep::Play(slot) = next(&plan, &store.final_bouts(id).unwrap()) {
            let seats = slot.seats.map(|seat| (entered[seat].2, Some(1)));
            let kind = BoutKind::Final { id, slot: slot.number };
            let bout = store.begin_bout(&NewBout { competition: RENJU, kind, seed: 1, seats }, 6).unwrap();
            let winner = if slot.seats[0] < slot.seats[1] { Winner::First } else { Winner::Second };
            store.end_bout(bout, &won(winner), 7).unwrap();
        }
        store.end_final(id, FinalState::Complete).unwrap();
        let other = store.begin_final(RENJU, "Saturday", &plan, 8).unwrap();
        let before = FinalTable::read(&store, id).unwrap();
        store.delete_account(entered[0].1).unwrap();
        let after = FinalTable::read(&store, id).unwrap();
        let rows = |table: &FinalTable| -> Vec<(usize, f64, f64)> {
            table.standings.rows.iter().map(|row| (row.agent, row.points, row.possible)).collect()
        };
        assert_eq!((before.played, rows(&before)), (6, vec![(0, 4.0, 4.0), (1, 2.0, 4.0), (2, 0.0, 4.0)]));
        assert_eq!((after.played, rows(&after), after.places()), (6, rows(&before), before.places()));
        let names: Vec<&str> = after.one.plan.agents.iter().map(|agent| agent.name.as_str()).collect();
        assert_eq!(names, [DELETED, "bot v1 (bob)", "bot v1 (eve)"]);
        assert_eq!(after.between(0, 1), [(None, 1.0); 2]);
        assert!(after.between(1, 2).iter().all(|(bout, _)| bout.is_some()));
        // Games that were not played are won by the others.
        while let FinalStep::Play(slot) = next(&plan, &store.final_bouts(other).unwrap()) {
            store.forfeit_slot(other, slot.number, slot.seats.map(|seat| seat == 0)).unwrap();
            assert!(store.forfeit_slot(other, slot.number, [true; 2]).is_err(), "a slot is filled once");
        }
        assert_eq!(FinalTable::read(&store, other).unwrap().standings.rows.last().unwrap().agent, 0);
    }

    #[test]
    fn what_is_not_played_is_won_by_the_other_side() {
        let (_folder, mut store) = new_store();
        let players = ["a", "b"].map(|name| (name.to_owned(), 1500.0, false));
        store.enter_builtins(RENJU, &players, 1).unwrap();
        let both = ["a", "b"].map(|name| store.builtin(RENJU, name).unwrap().unwrap().id);
        let plan = Plan::of_match(Game::RENJU, [entrant("a"), entrant("b")], 4);
        let id = store.begin_final(RENJU, "Friday", &plan, 5).unwrap();
        let cases = [([true, false], Winner::Second), ([false, true], Winner::First), ([true, true], Winner::Void)];
        for (slot, (out, winner)) in (0..).zip(cases) {
            let kind = BoutKind::Final { id, slot };
            let new = NewBout { competition: RENJU, kind, seed: 1, seats: both.map(|id| (id, None)) };
            store.forfeit_bout(&new, out, 6).unwrap();
            assert!(store.forfeit_bout(&new, out, 6).is_err(), "a slot is filled once");
            let bouts = store.final_bouts(id).unwrap();
            let last = bouts.last().unwrap();
            assert_eq!(last.summary([0, 1], 1).unwrap().winner, winner);
            let bout = last.bout.as_ref().unwrap();
            assert!(bout.is_forfeit && bout.plies == 0, "{bout:?}");
            assert_eq!(store.record_of_bout(bout.id).unwrap(), None);
        }
        assert_eq!(store.running().unwrap(), [], "none of them is being played");
    }
}
