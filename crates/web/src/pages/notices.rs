//! What a visitor is to be told: faults of programs, and teams that ask.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};

use super::teams;
use crate::auth::SignedIn;
use crate::clock::now;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// Faults that are told at once, the most frequent ones.
const MOST: usize = 4;

/// All that a visitor is to be told.
pub fn list(visitor: &Visitor) -> Markup {
    let faults = &visitor.notices.faults;
    html! {
        (teams::invitations(&visitor.notices.asking))
        @if !faults.is_empty() {
            div.notice.bad {
                @for (program, name, verdict, count) in faults.iter().take(MOST) {
                    p { "Your program " a href={ "/program/" (program) } { (name) } " ended " (count)
                        @if *count == 1 { " game" } @else { " games" } " with " (verdict) " within a day." }
                }
                @if faults.len() > MOST { p { (faults.len() - MOST) " more like that." } }
                form method="post" action="/me/notices/dismiss" { button.small { "Dismiss" } }
            }
        }
    }
}

/// Tells no more of what has happened up to now.
pub async fn dismiss(State(site): State<Arc<Site>>, member: SignedIn) -> SiteResult<Response> {
    let account = member.account.id;
    site.write(move |store| store.dismiss_notices(account, now())).await?;
    Ok(Redirect::to("/me").into_response())
}
