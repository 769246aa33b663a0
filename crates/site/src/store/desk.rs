//! A host's overview of a competition: how far each participant has come.

use std::collections::HashMap;

use agon_arena::store::StoreError;
use rusqlite::Row;

use super::{CheckState, CompetitionPhase, SiteEntrant, SiteStore};
use crate::check_message::CheckMessage;

/// After this time without a new version someone is idle.
pub const IDLE_SECONDS: i64 = 7 * 86_400;

/// How far a participant of a competition, a person or a team, has come.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EntrantStage {
    /// The host has removed it.
    Removed,
    /// It has set no password.
    NoPassword,
    NothingSubmitted,
    /// Its newest version waits for its check or is being checked; none plays.
    Checking,
    /// The check of its newest version has failed; none plays.
    Failed,
    /// All of its versions that would play rest, because they have failed in game after game.
    Resting,
    /// It plays, and its newest version is older than [`IDLE_SECONDS`].
    Idle,
    Playing,
}

impl EntrantStage {
    /// All, from those who need help first to those who need none.
    pub const ALL: [Self; 8] = [
        Self::Failed,
        Self::Resting,
        Self::NoPassword,
        Self::NothingSubmitted,
        Self::Checking,
        Self::Idle,
        Self::Playing,
        Self::Removed,
    ];

    /// Its name in addresses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Removed => "removed",
            Self::NoPassword => "no-password",
            Self::NothingSubmitted => "nothing-submitted",
            Self::Checking => "checking",
            Self::Failed => "failed",
            Self::Resting => "resting",
            Self::Idle => "idle",
            Self::Playing => "playing",
        }
    }
}

/// The newest version of a person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewestVersion {
    pub id: i64,
    /// The program's name with the version's number.
    pub label: String,
    pub submitted: i64,
    /// Why its check has failed.
    pub message: CheckMessage,
}

/// A person or a team of a competition, and how far it has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeskEntrant {
    pub entrant: SiteEntrant,
    pub stage: EntrantStage,
    pub newest: Option<NewestVersion>,
}

/// An account's versions in a competition.
struct OwnVersions {
    newest: NewestVersion,
    state: CheckState,
    /// Versions that should play, and those of them that rest.
    active: u32,
    resting: u32,
}

impl SiteStore {
    /// The participants of a competition and how far each has come, in the order of [`Self::entrants`].
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn desk(&self, competition: i64, now: i64) -> Result<Vec<DeskEntrant>, StoreError> {
        let mut versions = self.own_versions(competition)?;
        // Where nothing can be submitted, no entrant is idle.
        let is_open = self.competition(competition)?.is_some_and(|one| one.phase(now) == CompetitionPhase::Running);
        let quiet = if is_open { now - IDLE_SECONDS } else { i64::MIN };
        let rows = self.entrants(competition)?.into_iter().map(|entrant| {
            let own = versions.remove(&entrant.account);
            let stage = match &own {
                _ if entrant.removed => EntrantStage::Removed,
                Some(own) if own.active > own.resting && own.newest.submitted <= quiet => EntrantStage::Idle,
                Some(own) if own.active > own.resting => EntrantStage::Playing,
                Some(own) if own.active > 0 => EntrantStage::Resting,
                Some(own) if own.state == CheckState::Failed => EntrantStage::Failed,
                Some(_) => EntrantStage::Checking,
                None if entrant.has_password || entrant.team => EntrantStage::NothingSubmitted,
                None => EntrantStage::NoPassword,
            };
            DeskEntrant { entrant, stage, newest: own.map(|own| own.newest) }
        });
        Ok(rows.collect())
    }

    /// By account, the versions in a competition of those who have submitted something, without those of withdrawn
    /// programs.
    fn own_versions(&self, competition: i64) -> Result<HashMap<i64, OwnVersions>, StoreError> {
        // For a bare column, SQLite uses the row that has the maximum.
        let sql = "SELECT account, max(version.id), program.name || ' v' || version.number, submitted, message, state,
                          count(*) FILTER (WHERE version.id = active),
                          count(*) FILTER (WHERE version.id = active AND resting IS NOT NULL), message_keyed
                   FROM program JOIN version ON version.program = program.id
                   WHERE contest = ?1 AND account IS NOT NULL AND withdrawn IS NULL GROUP BY account";
        let read = |row: &Row| {
            let message = CheckMessage::of_row(row, 4, 8)?;
            let newest = NewestVersion { id: row.get(1)?, label: row.get(2)?, submitted: row.get(3)?, message };
            let state: CheckState = row.get(5)?;
            Ok((row.get(0)?, OwnVersions { newest, state, active: row.get(6)?, resting: row.get(7)? }))
        };
        Ok(self.connection.prepare_cached(sql)?.query_map([competition], read)?.collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use agon_referee::agent::Language;

    use super::super::{RENJU, Submission, SubmissionLimits, new_store};
    use super::*;

    const LIMITS: SubmissionLimits = SubmissionLimits { daily: 99, programs: 9, waiting: 9 };

    fn submit(store: &mut SiteStore, account: i64, name: &str, source: &str) -> i64 {
        let submission = Submission { account, competition: RENJU, name, language: Language::Python3, source };
        store.submit(&submission, &LIMITS, 5).unwrap().unwrap()
    }

    #[test]
    fn a_host_sees_how_far_each_person_has_come() {
        let (_folder, mut store) = new_store();
        let bob = store.create_account("bob", "x", false, 1).unwrap().unwrap();
        let people = ["ada", "bob"].map(|name| (name, "", crate::secret::digest(name)));
        store.enter_roster(&people, Some(RENJU), 99, 1).unwrap().unwrap();
        let stages = |store: &SiteStore| -> Vec<(String, EntrantStage)> {
            store.desk(RENJU, 9).unwrap().into_iter().map(|row| (row.entrant.name, row.stage)).collect()
        };
        let stage = |store: &SiteStore| stages(store).pop().unwrap().1;
        assert_eq!(stages(&store)[0], ("ada".to_owned(), EntrantStage::NoPassword));
        assert_eq!(stage(&store), EntrantStage::NothingSubmitted);
        let first = submit(&mut store, bob, "bot", "1");
        assert_eq!(stage(&store), EntrantStage::Checking);
        let settle = |store: &mut SiteStore, found| {
            let version = store.take_submission().unwrap().unwrap().id;
            store.settle_submission(version, found, None, 6).unwrap();
        };
        settle(&mut store, Err("RE: it crashed".into()));
        let row = store.desk(RENJU, 9).unwrap().pop().unwrap();
        let newest = row.newest.unwrap();
        assert_eq!(
            (row.stage, newest.id, newest.message.text().as_str()),
            (EntrantStage::Failed, first, "RE: it crashed")
        );
        assert_eq!((newest.label.as_str(), row.entrant.seen), ("bot v1", None));
        // Requests are noted once an hour.
        assert!(store.note_seen(bob, 4000).unwrap() && !store.note_seen(bob, 7599).unwrap());
        assert_eq!(store.desk(RENJU, 9).unwrap().pop().unwrap().entrant.seen, Some(4000));
        assert!(store.note_seen(bob, 7600).unwrap());
        assert_eq!(store.seen(bob).unwrap(), Some(7600));
        submit(&mut store, bob, "bot", "2");
        settle(&mut store, Ok(()));
        assert_eq!(stage(&store), EntrantStage::Playing);
        // A version that fails does not stop the one before it.
        submit(&mut store, bob, "bot", "3");
        settle(&mut store, Err("TLE".into()));
        assert_eq!(stage(&store), EntrantStage::Playing);
        // Its last version was submitted at 5.
        let later = |store: &SiteStore, now| store.desk(RENJU, now).unwrap().pop().unwrap().stage;
        assert_eq!(later(&store, IDLE_SECONDS + 4), EntrantStage::Playing);
        assert_eq!(later(&store, IDLE_SECONDS + 5), EntrantStage::Idle);
        store.set_removed(RENJU, bob, true, 7).unwrap();
        assert_eq!(stage(&store), EntrantStage::Removed);
    }
}
