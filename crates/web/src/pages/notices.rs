//! What an account should know: faults of its programs, and invitations to teams.

use std::sync::Arc;

use agon_boards::layout::sentence;
use agon_boards::text::{ago, rich, stated, t};
use agon_site::clock::now;
use agon_site::store::MAX_FAILURES;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};

use super::{parts, teams};
use crate::auth::SignedIn;
use crate::options::SiteOptions;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// The most frequent faults are shown.
const MAX_FAULTS: usize = 4;

pub(crate) fn list(visitor: &Visitor) -> Markup {
    let faults = &visitor.notices.faults;
    html! {
        (teams::invitations(&visitor.notices.asking))
        @if visitor.notices.messages > 0 {
            p.notice {
                a href="/me/messages" { (t!("notices-messages", count = visitor.notices.messages)) }
            }
        }
        @for (program, name, number, since) in &visitor.notices.resting {
            div.notice.bad {
                p {
                    (rich!(
                        "notices-resting",
                        program = html! { a href={ "/program/" (program) } { (name) " v" (number) } },
                        games = MAX_FAILURES,
                        ago = ago(*since),
                    ))
                }
                form method="post" action={ "/program/" (program) "/activate" } {
                    input type="hidden" name="number" value=(number);
                    button.small { (t!("notices-wake")) }
                }
            }
        }
        @if !visitor.notices.failed.is_empty() {
            div.notice.bad {
                @for (version, label, found) in visitor.notices.failed.iter().take(MAX_FAULTS) {
                    p {
                        (rich!(
                            "notices-failed",
                            version = html! { a href={ "/version/" (version) } { (label) } },
                        ))
                        @if let Some(first) = found.lines.first() { " " (sentence(&stated(first))) }
                    }
                }
                form method="post" action="/me/notices/dismiss" { button.small { (t!("notices-dismiss")) } }
            }
        }
        @if !faults.is_empty() {
            div.notice.bad {
                @for (program, name, verdict, count) in faults.iter().take(MAX_FAULTS) {
                    p {
                        (rich!(
                            "notices-faults",
                            program = html! { a href={ "/program/" (program) } { (name) } },
                            count = count,
                            verdict = format!("{} ({verdict})", parts::verdict_words(verdict.name())),
                        ))
                    }
                }
                @if faults.len() > MAX_FAULTS { p { (t!("notices-more", count = faults.len() - MAX_FAULTS)) } }
                form method="post" action="/me/notices/dismiss" { button.small { (t!("notices-dismiss")) } }
            }
        }
    }
}

/// That an address to be passed on leads no other machine to the site.
pub(super) fn unreachable(options: &SiteOptions, address: &str) -> Markup {
    html! {
        @if !SiteOptions::reaches_others(address) {
            p.notice.bad role="alert" {
                (rich!(
                    "notices-unreachable",
                    listen = html! { code { "--listen 0.0.0.0:" (options.listen.port()) } },
                    base = html! { code { "--base-url" } },
                ))
            }
        }
    }
}

/// Which competitions the host has removed the visitor or a team from; or whether from one of them.
pub(crate) fn removals(visitor: &Visitor, competition: Option<i64>) -> Markup {
    let found = &visitor.notices.removals;
    html! {
        @for one in found.iter().filter(|one| competition.is_none_or(|wanted| one.competition == wanted)) {
            p.notice.bad {
                @match &one.team {
                    Some(team) => { (t!("notices-team-removed", team = team, competition = &one.title)) }
                    None => { (t!("notices-removed", competition = &one.title)) }
                }
            }
        }
    }
}

/// Dismisses the faults up to now.
pub(crate) async fn dismiss(State(site): State<Arc<Site>>, member: SignedIn) -> SiteResult<Response> {
    let account = member.account.id;
    site.write(move |store| store.dismiss_notices(account, now())).await?;
    Ok(Redirect::to("/me").into_response())
}
