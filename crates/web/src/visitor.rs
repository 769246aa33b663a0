//! Who a request is from.

use std::net::IpAddr;
use std::sync::Arc;

use agon_arena::store::StoreError;
use agon_referee::verdict::Verdict;
use agon_site::store::{Competition, CompetitionPhase, SiteAccount, SiteStore, SiteTeam, TokenScopes};

use crate::clock::now;
use crate::secret::SecretDigest;

/// How far back faults are told, in seconds: a day.
const TOLD: i64 = 86_400;

/// What an account is to be told.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Notices {
    /// Of its programs and its teams' that have failed within a day: number, name, verdict, and how often.
    pub faults: Vec<(i64, String, Verdict, u32)>,
    /// The teams that ask it to join.
    pub asking: Vec<SiteTeam>,
}

impl Notices {
    /// What an account is to be told now.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn of(store: &SiteStore, account: i64) -> Result<Self, StoreError> {
        Ok(Self { faults: store.faults_of(account, now() - TOLD)?, asking: store.teams_asking(account)? })
    }

    /// How many things those are: games and questions.
    pub fn count(&self) -> usize {
        self.faults.iter().map(|(.., games)| *games as usize).sum::<usize>() + self.asking.len()
    }
}

/// Somebody who looks at a page.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// The account, of one who has signed in.
    pub account: Option<SiteAccount>,
    /// The teams that it is in.
    pub teams: Vec<SiteTeam>,
    /// The digest of the session's word, where that is how the account was proved.
    pub session: Option<SecretDigest>,
    /// What a token is for, where the account was proved by one.
    pub token: Option<TokenScopes>,
    /// Where the request came from.
    pub address: IpAddr,
    /// What it is to be told, where a page is made for it.
    pub notices: Arc<Notices>,
    /// What can be entered and watched.
    pub contests: Arc<Vec<Competition>>,
    /// Whether the site lets nothing be changed, which its pages say.
    pub read_only: bool,
}

impl Visitor {
    /// Somebody who has not signed in.
    pub fn nobody(address: IpAddr, contests: Arc<Vec<Competition>>) -> Self {
        Self {
            account: None,
            teams: Vec::new(),
            session: None,
            token: None,
            address,
            notices: Arc::default(),
            contests,
            read_only: false,
        }
    }

    /// Whether this visitor acts for the account of that number: it is his own, or that of a team that he is in. This decides
    /// what belongs to whom, everywhere.
    pub fn is(&self, account: Option<i64>) -> bool {
        account.is_some_and(|account| self.shelves().any(|own| own == account))
    }

    /// The accounts that this visitor acts for, his own first.
    pub fn shelves(&self) -> impl Iterator<Item = i64> {
        self.account.iter().map(|account| account.id).chain(self.teams.iter().map(|team| team.id))
    }

    /// The account of a name that this visitor acts for; his own of no name.
    pub fn shelf(&self, name: &str) -> Option<i64> {
        match name {
            "" => self.account.as_ref().map(|account| account.id),
            name => self.teams.iter().find(|team| team.name.to_lowercase() == name.to_lowercase()).map(|team| team.id),
        }
    }

    /// The contests that go on without an end: those that the navigation shows.
    pub fn standing(&self) -> impl Iterator<Item = &Competition> {
        let now = now();
        let standing =
            move |contest: &&Competition| contest.closes.is_none() && contest.phase(now) == CompetitionPhase::Running;
        self.contests.iter().filter(standing)
    }

    /// Whether this visitor administers the site.
    pub fn is_host(&self) -> bool {
        self.account.as_ref().is_some_and(|own| own.host)
    }
}
