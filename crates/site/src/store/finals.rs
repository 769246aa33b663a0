//! Finals: tournaments between the programs that play on a ladder, as they are at that moment.

use rusqlite::types::{FromSqlError, FromSqlResult, ToSqlOutput, Type, ValueRef};
use rusqlite::{OptionalExtension, Row, ToSql, params};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::SiteStore;
use super::games::{BOUT, SiteBout, bout};
use agon_arena::plan::Plan;
use agon_arena::store::StoreError;
use agon_arena::summary::Summary;

/// How far a final is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FinalState {
    /// Its games are being played.
    Running,
    /// All of them have been played.
    Complete,
    /// It was stopped, by its host or because a program in it was deleted.
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

#[derive(Clone, PartialEq, Debug)]
pub struct SiteFinal {
    pub id: i64,
    /// The competition whose programs meet.
    pub contest: i64,
    pub title: String,
    /// Who meets whom, from which seed. An agent's text is the number of its version among all.
    pub plan: Plan,
    pub state: FinalState,
    pub created: i64,
}

/// A game of a final, by its place in the schedule.
#[derive(Clone, PartialEq, Debug)]
pub struct FinalBout {
    pub slot: u32,
    pub bout: SiteBout,
}

impl FinalBout {
    /// The game as a tally counts it, if it has ended; `seats` are the agents of its slot.
    pub fn summary(&self, seats: [usize; 2], seed: u64) -> Option<Summary> {
        let seat = |side: usize| &self.bout.seats[side];
        Some(Summary {
            slot: self.slot,
            seats,
            seed,
            winner: self.bout.winner?,
            reason: self.bout.reason.clone(),
            verdicts: [seat(0).verdict?, seat(1).verdict?],
            score: None,
            plies: self.bout.plies,
            time_ms: [seat(0).time_ms?, seat(1).time_ms?],
            delay_ms: [0.0; 2],
            disturbed: [0; 2],
            started: self.bout.begun as u64,
            // Games that went alike count all the same: standings are points.
            game_digest: i64::from(self.slot),
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
        contest: row.get(5)?,
    })
}

const FINAL: &str = "SELECT id, title, plan, state, created, contest FROM final";

impl SiteStore {
    /// Begins a final.
    ///
    /// # Errors
    /// [`StoreError`].
    ///
    /// # Panics
    /// Never: a plan holds nothing that JSON cannot.
    pub fn begin_final(&mut self, contest: i64, title: &str, plan: &Plan, now: i64) -> Result<i64, StoreError> {
        let text = serde_json::to_string(plan).expect("a plan can be written as JSON");
        let sql = "INSERT INTO final (contest, title, plan, state, created) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id";
        Ok(self.connection.query_row(sql, params![contest, title, text, FinalState::Running, now], |row| row.get(0))?)
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

    /// The finals of a contest, the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn finals_of(&self, contest: i64) -> Result<Vec<SiteFinal>, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!("{FINAL} WHERE contest = ?1 ORDER BY id DESC"))?;
        Ok(statement.query_map([contest], read)?.collect::<Result<_, _>>()?)
    }

    /// A final.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn final_by_id(&self, id: i64) -> Result<Option<SiteFinal>, StoreError> {
        let mut statement = self.connection.prepare_cached(&format!("{FINAL} WHERE id = ?1"))?;
        Ok(statement.query_row([id], read).optional()?)
    }

    /// The final whose games are to be played next.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn running_final(&self) -> Result<Option<SiteFinal>, StoreError> {
        let sql = format!("{FINAL} WHERE state = 'running' ORDER BY id LIMIT 1");
        Ok(self.connection.prepare_cached(&sql)?.query_row([], read).optional()?)
    }

    /// The games of a final, in the order of its schedule; those being played among them.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn final_bouts(&self, id: i64) -> Result<Vec<FinalBout>, StoreError> {
        let sql = format!("{BOUT} WHERE bout.final = ?1 ORDER BY slot");
        let mut statement = self.connection.prepare_cached(&sql)?;
        let read = |row: &Row| Ok(FinalBout { slot: row.get(22)?, bout: bout(row)? });
        Ok(statement.query_map([id], read)?.collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use agon_catalog::Game;
    use agon_referee::record::Winner;

    use super::super::games::tests::won;
    use super::super::{BoutKind, NewBout, RENJU, new_store};
    use super::*;
    use agon_arena::plan::{Entrant, Kind};

    /// Who plays in a final, by name.
    pub fn entrant(name: &str) -> Entrant {
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
        assert_eq!(store.running_final().unwrap().unwrap().plan, plan);
        let new = NewBout {
            contest: RENJU,
            kind: BoutKind::Final { id, slot: 1 },
            seed: 1,
            seats: both.map(|id| (id, None)),
        };
        let bout = store.begin_bout(&new, 6).unwrap();
        assert!(store.begin_bout(&new, 6).is_err());
        assert_eq!(store.final_bouts(id).unwrap()[0].summary([0, 1], 1), None, "it is being played");
        store.end_bout(bout, &won(Winner::First), 7).unwrap();
        let played = store.final_bouts(id).unwrap();
        assert_eq!((played.len(), played[0].slot), (1, 1));
        assert_eq!(played[0].summary([0, 1], 1).unwrap().winner, Winner::First);
        assert_eq!(store.program(both[0]).unwrap().unwrap().games, 0, "a final is not rated");
        store.end_final(id, FinalState::Complete).unwrap();
        store.end_final(id, FinalState::Stopped).unwrap();
        assert_eq!(store.final_by_id(id).unwrap().unwrap().state, FinalState::Complete);
        assert_eq!((store.running_final().unwrap(), store.finals().unwrap().len()), (None, 1));
        assert_eq!((store.finals_of(RENJU).unwrap().len(), store.finals_of(1).unwrap().len()), (1, 0));
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
            let new = NewBout { contest: RENJU, kind, seed: 1, seats: both.map(|id| (id, None)) };
            store.forfeit_bout(&new, out, 6).unwrap();
            assert!(store.forfeit_bout(&new, out, 6).is_err(), "a slot is filled once");
            let bouts = store.final_bouts(id).unwrap();
            let last = bouts.last().unwrap();
            assert_eq!(last.summary([0, 1], 1).unwrap().winner, winner);
            assert!(last.bout.is_forfeit() && last.bout.plies == 0, "{:?}", last.bout);
            assert_eq!(store.record_of_bout(last.bout.id).unwrap(), None);
        }
        assert_eq!(store.running().unwrap(), [], "none of them is being played");
    }
}
