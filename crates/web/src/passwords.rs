//! Passwords, hashed and compared when their turn has come.

use std::sync::Arc;

use agon_boards::limits::{Effort, LimitedActor};
use agon_site::secret;

use crate::rate::LimitedAction;
use crate::site::{Site, SiteResult};

/// The hash of a new password.
pub(crate) async fn hashed(site: &Arc<Site>, password: String) -> SiteResult<String> {
    Ok(site.rooms.passwords.run(move |_| secret::hash(&password)).await?)
}

/// Whether this is the password of a signed-in account; each try counts.
///
/// # Errors
/// [`SiteError::TooMany`](crate::error::SiteError::TooMany) after too many tries.
pub(crate) async fn is_own(site: &Arc<Site>, account: i64, password: String) -> SiteResult<bool> {
    site.take(LimitedAction::SignIn, LimitedActor::Account(account))?;
    let found = site.read(move |store| store.account(account)).await?;
    let verify = move |_: &Effort| secret::verify(&password, found.as_ref().map(|(_, hash)| hash.as_str()));
    Ok(site.rooms.passwords.run(verify).await?)
}
