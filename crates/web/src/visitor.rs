//! Who a request is from.

use std::net::IpAddr;
use std::sync::Arc;

use agon_arena::store::site::{ContestPhase, SiteAccount, SiteContest};

use crate::clock::now;
use crate::secret::SecretDigest;

/// Somebody who looks at a page.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// The account, of one who has signed in.
    pub account: Option<SiteAccount>,
    /// The digest of the session's word, where that is how the account was proved.
    pub session: Option<SecretDigest>,
    /// Where the request came from.
    pub address: IpAddr,
    /// What can be entered and watched.
    pub contests: Arc<Vec<SiteContest>>,
}

impl Visitor {
    /// Whether this visitor has an account of that number.
    pub fn is(&self, account: Option<i64>) -> bool {
        self.account.as_ref().is_some_and(|own| Some(own.id) == account)
    }

    /// The contests that go on without an end: those that the navigation shows.
    pub fn standing(&self) -> impl Iterator<Item = &SiteContest> {
        let now = now();
        let standing =
            move |contest: &&SiteContest| contest.closes.is_none() && contest.phase(now) == ContestPhase::Running;
        self.contests.iter().filter(standing)
    }

    /// Whether this visitor administers the site.
    pub fn is_host(&self) -> bool {
        self.account.as_ref().is_some_and(|own| own.host)
    }
}
