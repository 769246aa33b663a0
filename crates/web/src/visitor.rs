//! Who a request is from.

use std::net::IpAddr;
use std::ops::Deref;
use std::sync::Arc;

use agon_boards::text;
use agon_site::clock::now;
use agon_site::identity::{Identity, Notices};
use agon_site::secret::SecretDigest;
use agon_site::store::{Competition, CompetitionPhase, Origin, SiteAccount, SiteTeam, TokenScopes};

/// The sender of a request.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    pub who: Identity,
    /// The digest of the session's word, if a session identified the account.
    pub session: Option<SecretDigest>,
    /// The token's purposes, if a token identified the account.
    pub token: Option<TokenScopes>,
    /// Where the request came from.
    pub address: IpAddr,
    /// The host under which the browser reached the site, with its port.
    pub host: Option<String>,
    /// What the account should know, if a page is rendered for it.
    pub notices: Arc<Notices>,
    /// The competitions that the account and its teams have entered, the newest first, if a page is rendered for it.
    pub entered: Vec<i64>,
    /// What can be entered and watched.
    pub competitions: Arc<Vec<Competition>>,
    /// The private competitions that this visitor does not see.
    pub hidden: Vec<i64>,
    /// Whether the site lets nothing be changed, which its pages mention.
    pub read_only: bool,
    /// Whether this is an administrator without the codes that the site requires, who cannot administer anything until
    /// then.
    pub needs_totp: bool,
}

impl Visitor {
    /// A visitor who has not signed in.
    pub(crate) fn anonymous(address: IpAddr, competitions: Arc<Vec<Competition>>) -> Self {
        let hidden: Vec<i64> = competitions
            .iter()
            .filter(|competition| competition.is_private())
            .map(|competition| competition.id)
            .collect();
        Self {
            who: Identity::default(),
            session: None,
            token: None,
            address,
            host: None,
            notices: Arc::default(),
            entered: Vec::new(),
            competitions: without(competitions, &hidden),
            hidden,
            read_only: false,
            needs_totp: false,
        }
    }

    /// Makes this the visitor of an account; an administrator is one like others while `without_code`.
    pub(crate) fn sign_in(&mut self, mut account: SiteAccount, teams: Vec<SiteTeam>, without_code: bool) {
        self.needs_totp = account.host && without_code;
        account.host &= !without_code;
        if let Some(language) = account.language {
            text::speak(language);
        }
        self.who = Identity { account: Some(account), teams };
    }

    /// The same visitor, who sees all of these competitions except the hidden ones.
    #[must_use]
    pub(crate) fn seeing(self, competitions: Arc<Vec<Competition>>, hidden: Vec<i64>) -> Self {
        Self { competitions: without(competitions, &hidden), hidden, ..self }
    }

    /// The visitor without an account who sees the same competitions.
    pub(crate) fn nameless(&self) -> Self {
        let anonymous = Self::anonymous(self.address, Arc::default());
        Self { competitions: Arc::clone(&self.competitions), hidden: self.hidden.clone(), ..anonymous }
    }

    /// Whether the visitor may know that this competition exists.
    pub(crate) fn sees(&self, competition: i64) -> bool {
        !self.hidden.contains(&competition)
    }

    /// The competition of this address, if there is one for this visitor.
    pub(crate) fn competition_at(&self, slug: &str) -> Option<Competition> {
        self.competitions.iter().find(|competition| competition.slug == slug).cloned()
    }

    /// The private competitions that this visitor sees.
    pub(crate) fn private(&self) -> Vec<i64> {
        self.competitions.iter().filter(|one| one.is_private()).map(|one| one.id).collect()
    }

    /// Who makes this visitor's requests, and from where.
    pub(crate) fn origin(&self) -> Origin {
        Origin::request(self.account.as_ref().map(|account| account.id), self.address)
    }

    /// The competitions that the visitor has entered and that have not closed, the newest first.
    pub(crate) fn own_competitions(&self) -> impl Iterator<Item = &Competition> {
        let now = now();
        let seen = |id: &i64| self.competitions.iter().find(|competition| competition.id == *id);
        self.entered.iter().filter_map(seen).filter(move |one| one.phase(now) != CompetitionPhase::Closed)
    }

    /// The permanent competitions, which the navigation shows.
    pub(crate) fn standing(&self) -> impl Iterator<Item = &Competition> {
        let now = now();
        let standing = move |competition: &&Competition| {
            competition.closes.is_none() && competition.phase(now) == CompetitionPhase::Running
        };
        self.competitions.iter().filter(standing)
    }
}

/// These competitions without the hidden ones.
fn without(competitions: Arc<Vec<Competition>>, hidden: &[i64]) -> Arc<Vec<Competition>> {
    if hidden.is_empty() {
        return competitions;
    }
    Arc::new(competitions.iter().filter(|competition| !hidden.contains(&competition.id)).cloned().collect())
}

impl Deref for Visitor {
    type Target = Identity;

    fn deref(&self) -> &Identity {
        &self.who
    }
}
