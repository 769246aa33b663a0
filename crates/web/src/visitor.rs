//! Who a request is from.

use std::net::IpAddr;

use agon_arena::store::site::SiteAccount;

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
}

impl Visitor {
    /// Whether this visitor has an account of that number.
    pub fn is(&self, account: Option<i64>) -> bool {
        self.account.as_ref().is_some_and(|own| Some(own.id) == account)
    }

    /// Whether this visitor administers the site.
    pub fn is_host(&self) -> bool {
        self.account.as_ref().is_some_and(|own| own.host)
    }
}
