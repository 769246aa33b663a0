//! Who uses the interface for programs, and with what rights.

use std::sync::Arc;

use agon_boards::limits::LimitedActor;
use agon_site::store::{Competition, SiteAccount, TokenScope};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::error::{RequestError, SiteError};
use crate::rate::LimitedAction;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// A visitor within its allowance.
pub(crate) struct ApiVisitor(Visitor);

impl FromRequestParts<Arc<Site>> for ApiVisitor {
    type Rejection = SiteError;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<Self, SiteError> {
        let visitor = Visitor::from_request_parts(parts, site).await?;
        let actor = visitor.account.as_ref().map(|account| LimitedActor::Account(account.id));
        let actor = actor.unwrap_or_else(|| LimitedActor::at(visitor.address));
        site.take(LimitedAction::Api, actor)?;
        Ok(Self(visitor))
    }
}

impl ApiVisitor {
    /// Whether it may know that this competition exists.
    pub(crate) fn sees(&self, competition: i64) -> bool {
        self.0.sees(competition)
    }

    /// The competitions that are shown.
    pub(crate) fn competitions(&self) -> Arc<Vec<Competition>> {
        Arc::clone(&self.0.competitions)
    }

    fn has(&self, scope: TokenScope) -> bool {
        self.0.token.is_none_or(|scopes| scopes.has(scope))
    }

    /// The visitor if it has an account, through a browser or through a token for this purpose.
    fn signed_in(&self, for_this: bool, scopes: &'static str) -> SiteResult<(&Visitor, &SiteAccount)> {
        let account = self.0.account.as_ref().ok_or(SiteError::SignIn { back: String::new() })?;
        if for_this { Ok((&self.0, account)) } else { Err(SiteError::Scope(scopes)) }
    }

    /// A visitor who may read its own things.
    pub(crate) fn reader(&self) -> SiteResult<(&Visitor, &SiteAccount)> {
        self.signed_in(self.has(TokenScope::Read), "`read`")
    }

    pub(crate) fn author(&self) -> SiteResult<(&Visitor, &SiteAccount)> {
        self.signed_in(self.has(TokenScope::Submit), "`submit`")
    }

    /// A visitor who may create, join and leave teams.
    pub(crate) fn teammate(&self) -> SiteResult<(&Visitor, &SiteAccount)> {
        self.signed_in(self.has(TokenScope::Team), "`team`")
    }

    /// A visitor who may read the state of a submission.
    pub(crate) fn follower(&self) -> SiteResult<(&Visitor, &SiteAccount)> {
        self.signed_in(self.has(TokenScope::Read) || self.has(TokenScope::Submit), "`read` or `submit`")
    }

    pub(crate) fn host(&self) -> SiteResult<(&Visitor, &SiteAccount)> {
        let (visitor, account) = self.signed_in(self.has(TokenScope::Host), "`host`")?;
        if visitor.needs_totp {
            return Err(SiteError::forbidden(RequestError::TotpRequired));
        }
        if account.host { Ok((visitor, account)) } else { Err(SiteError::forbidden(RequestError::HostOnly)) }
    }

    /// A visitor who has signed in with a browser: a leaked token must not create others.
    pub(crate) fn by_browser(&self) -> SiteResult<(&Visitor, &SiteAccount)> {
        let (visitor, account) = self.signed_in(true, "")?;
        if visitor.session.is_some() {
            Ok((visitor, account))
        } else {
            Err(SiteError::forbidden(RequestError::BrowserOnly))
        }
    }

    /// A visitor who sees what everyone sees, and also a little of its own if it may read that.
    pub(crate) fn viewer(&self) -> Visitor {
        if self.has(TokenScope::Read) { self.0.clone() } else { self.0.nameless() }
    }
}
