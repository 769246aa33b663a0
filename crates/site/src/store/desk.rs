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
    /// The check of a program's newest version has failed; others may play.
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

/// A version of a participant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeskVersion {
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
    /// The version that has come that far.
    pub version: Option<DeskVersion>,
    /// The one that plays, if that is another one.
    pub plays: Option<String>,
}

/// The newest version of a program, or the one that would play.
struct OwnVersion {
    version: DeskVersion,
    state: CheckState,
    is_newest: bool,
    is_active: bool,
    rests: bool,
}

impl OwnVersion {
    const fn plays(&self) -> bool {
        self.is_active && !self.rests
    }
}

/// How far these versions of one account have come, the oldest first: the stage, and the version that is there.
fn reached(own: &[OwnVersion], quiet: i64) -> Option<(EntrantStage, &OwnVersion)> {
    let newest = own.last()?;
    let is_quiet = |own: &OwnVersion| own.version.submitted <= quiet;
    let last = |which: fn(&OwnVersion) -> bool| own.iter().rfind(|own| which(own));
    let plays = last(OwnVersion::plays);
    // A failure of long ago is left alone by someone who plays.
    let failed = last(|own| own.is_newest && own.state == CheckState::Failed);
    if let Some(failed) = failed.filter(|failed| plays.is_none() || !is_quiet(failed)) {
        return Some((EntrantStage::Failed, failed));
    }
    Some(match (plays, last(|own| own.is_active)) {
        (Some(plays), _) if is_quiet(newest) => (EntrantStage::Idle, plays),
        (Some(plays), _) => (EntrantStage::Playing, plays),
        (None, Some(rests)) => (EntrantStage::Resting, rests),
        (None, None) => (EntrantStage::Checking, newest),
    })
}

impl SiteStore {
    /// The participants of a competition and how far each has come, in the order of [`Self::entrants`].
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn desk(&self, competition: i64, now: i64) -> Result<Vec<DeskEntrant>, StoreError> {
        let versions = self.own_versions(competition)?;
        // Where nothing can be submitted, no entrant is idle.
        let is_open = self.competition(competition)?.is_some_and(|one| one.phase(now) == CompetitionPhase::Running);
        let quiet = if is_open { now - IDLE_SECONDS } else { i64::MIN };
        let rows = self.entrants(competition)?.into_iter().map(|entrant| {
            let own = versions.get(&entrant.account).map_or(&[][..], Vec::as_slice);
            let reached = reached(own, quiet);
            let stage = match reached {
                _ if entrant.removed => EntrantStage::Removed,
                Some((stage, _)) => stage,
                None if entrant.has_password || entrant.team => EntrantStage::NothingSubmitted,
                None => EntrantStage::NoPassword,
            };
            let version = reached.map(|(_, own)| own.version.clone());
            let plays = own.iter().rfind(|own| own.plays()).map(|own| own.version.label.clone());
            let plays = plays.filter(|plays| version.as_ref().is_some_and(|version| version.label != *plays));
            DeskEntrant { entrant, stage, version, plays }
        });
        Ok(rows.collect())
    }

    /// By account, the versions in a competition that count for how far it has come, the oldest first, without those of
    /// withdrawn programs.
    fn own_versions(&self, competition: i64) -> Result<HashMap<i64, Vec<OwnVersion>>, StoreError> {
        let sql = "SELECT account, version.id, program.name || ' v' || version.number, submitted, message,
                          message_keyed, state, version.id = newest, version.id IS active, resting IS NOT NULL
                   FROM (SELECT *, (SELECT max(id) FROM version WHERE program = program.id) AS newest FROM program)
                       AS program
                   JOIN version ON version.id IN (newest, active)
                   WHERE contest = ?1 AND account IS NOT NULL AND withdrawn IS NULL ORDER BY version.id";
        let read = |row: &Row| {
            let message = CheckMessage::of_row(row, 4, 5)?;
            let version = DeskVersion { id: row.get(1)?, label: row.get(2)?, submitted: row.get(3)?, message };
            let (state, is_newest, is_active, rests) = (row.get(6)?, row.get(7)?, row.get(8)?, row.get(9)?);
            Ok((row.get(0)?, OwnVersion { version, state, is_newest, is_active, rests }))
        };
        let mut all: HashMap<i64, Vec<OwnVersion>> = HashMap::new();
        for row in self.connection.prepare_cached(sql)?.query_map([competition], read)? {
            let (account, own) = row?;
            all.entry(account).or_default().push(own);
        }
        Ok(all)
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
        let newest = row.version.unwrap();
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
        // A version that fails does not stop the one before it, nor another program.
        let reached = |store: &SiteStore| {
            let row = store.desk(RENJU, 9).unwrap().pop().unwrap();
            (row.stage, row.version.unwrap().label, row.plays)
        };
        submit(&mut store, bob, "bot", "3");
        settle(&mut store, Err("TLE".into()));
        assert_eq!(reached(&store), (EntrantStage::Failed, "bot v3".to_owned(), Some("bot v2".to_owned())));
        submit(&mut store, bob, "other", "1");
        assert_eq!(reached(&store), (EntrantStage::Failed, "bot v3".to_owned(), Some("bot v2".to_owned())));
        submit(&mut store, bob, "bot", "4");
        assert_eq!(reached(&store), (EntrantStage::Playing, "bot v2".to_owned(), None), "of what plays");
        settle(&mut store, Err("TLE".into()));
        settle(&mut store, Ok(()));
        assert_eq!(reached(&store), (EntrantStage::Failed, "other v1".to_owned(), Some("bot v4".to_owned())));
        submit(&mut store, bob, "other", "2");
        settle(&mut store, Ok(()));
        assert_eq!(reached(&store), (EntrantStage::Playing, "other v2".to_owned(), None));
        // Its last version was submitted at 5.
        let later = |store: &SiteStore, now| store.desk(RENJU, now).unwrap().pop().unwrap().stage;
        assert_eq!(later(&store, IDLE_SECONDS + 4), EntrantStage::Playing);
        assert_eq!(later(&store, IDLE_SECONDS + 5), EntrantStage::Idle);
        store.set_removed(RENJU, bob, true, 7).unwrap();
        assert_eq!(stage(&store), EntrantStage::Removed);
    }
}
