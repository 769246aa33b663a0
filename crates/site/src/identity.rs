//! The users of a site, and what belongs to whom.

use agon_arena::store::StoreError;
use agon_referee::verdict::Verdict;

use crate::check_message::CheckMessage;
use crate::clock::now;
use crate::store::{SiteAccount, SiteRemoval, SiteStore, SiteTeam};

/// The accounts that a visitor acts for.
#[derive(Clone, Debug, Default)]
pub struct Identity {
    /// The own account; none while signed out.
    pub account: Option<SiteAccount>,
    pub teams: Vec<SiteTeam>,
}

impl Identity {
    /// Whether this is the user's own account or one of the teams. This alone decides what belongs to whom.
    pub fn is(&self, account: Option<i64>) -> bool {
        account.is_some_and(|account| self.owners().any(|own| own == account))
    }

    /// The own account and then the teams.
    pub fn owners(&self) -> impl Iterator<Item = i64> {
        self.account.iter().map(|account| account.id).chain(self.teams.iter().map(|team| team.id))
    }

    /// The team of a name; the own account for an empty one.
    pub fn owner_id(&self, name: &str) -> Option<i64> {
        match name {
            "" => self.account.as_ref().map(|account| account.id),
            name => self.teams.iter().find(|team| team.name.to_lowercase() == name.to_lowercase()).map(|team| team.id),
        }
    }

    pub fn is_host(&self) -> bool {
        self.account.as_ref().is_some_and(|own| own.host)
    }
}

/// How far back faults are listed, in seconds.
const FAULTS_WINDOW_SECONDS: i64 = 86_400;

/// What an account should know.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Notices {
    /// Programs of the account and its teams that have failed within a day: number, name, verdict, games.
    pub faults: Vec<(i64, String, Verdict, u32)>,
    /// Newest versions whose check has failed: number, name, and what was found.
    pub failed: Vec<(i64, String, CheckMessage)>,
    /// The teams that ask it to join.
    pub asking: Vec<SiteTeam>,
    /// Programs whose version rests: number, name, version, since when.
    pub resting: Vec<(i64, String, u32, i64)>,
    /// Messages of the host that it has not read.
    pub messages: u32,
    /// Competitions that the host has removed it or its teams from.
    pub removals: Vec<SiteRemoval>,
}

impl Notices {
    /// # Errors
    /// [`StoreError`].
    pub fn read(store: &SiteStore, account: i64) -> Result<Self, StoreError> {
        let since = now() - FAULTS_WINDOW_SECONDS;
        Ok(Self {
            faults: store.faults_of(account, since)?,
            failed: store.failed_of(account)?,
            asking: store.teams_asking(account)?,
            resting: store.resting_of(account)?,
            messages: store.new_messages(account)?,
            removals: store.removals_of(account)?,
        })
    }

    /// Games, failed checks, questions, programs that rest, and messages; not removals, which stay.
    pub fn count(&self) -> usize {
        let games = self.faults.iter().map(|(.., games)| *games as usize).sum::<usize>();
        games + self.failed.len() + self.asking.len() + self.resting.len() + self.messages as usize
    }
}
