//! For everyone else, the contents of a private competition do not exist: no page, no file, no stream. Lists leave it
//! out through [`Visitor::sees`]; anything with an address of its own is refused here, before anything else looks at
//! it.

use std::sync::Arc;

use agon_catalog::Game;
use agon_site::store::CompetitionPart;
use axum::RequestPartsExt as _;
use axum::extract::{FromRequestParts as _, MatchedPath, RawPathParams, Request, State};
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::error::SiteError;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// What the parameters of a route name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Named {
    /// A competition, by its address.
    Competition,
    /// The same, or a game, whose rules everyone may read.
    Rules,
    /// A part of a competition, by its number.
    Part(CompetitionPart),
    /// Nothing of a competition, or something for the host only.
    Other,
}

/// What the parameters of a route name, judging by the path before them.
pub(crate) fn named(route: &str) -> Named {
    let path = route.strip_prefix("/api/v1").unwrap_or(route);
    match path.split('/').nth(1).unwrap_or_default() {
        "ladder" | "try" | "contests" => Named::Competition,
        "rules" => Named::Rules,
        "game" | "games" => Named::Part(CompetitionPart::Bout),
        "program" | "programs" | "versus" => Named::Part(CompetitionPart::Program),
        "version" | "versions" => Named::Part(CompetitionPart::Version),
        "final" | "finals" => Named::Part(CompetitionPart::Final),
        _ => Named::Other,
    }
}

/// Answers "not found" if a visitor may not know that something exists.
pub(crate) async fn veiled(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    if !site.competitions().iter().any(agon_site::store::Competition::is_private) {
        return next.run(request).await;
    }
    let (mut parts, body) = request.into_parts();
    match look(&site, &mut parts).await {
        Ok(()) => next.run(Request::from_parts(parts, body)).await,
        Err(error) => error.into_response(),
    }
}

async fn look(site: &Arc<Site>, parts: &mut Parts) -> SiteResult<()> {
    let route = parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let named = named(route);
    if named == Named::Other || !route.contains('{') {
        return Ok(());
    }
    let values: Vec<String> = match parts.extract::<RawPathParams>().await {
        Ok(all) => all.iter().map(|(_, value)| value.to_owned()).collect(),
        // The handler refuses text that is not UTF-8.
        Err(_) => return Ok(()),
    };
    let visitor = Visitor::from_request_parts(parts, site).await?;
    let competitions = site.competitions();
    let hidden = |slug: &String| competitions.iter().any(|one| one.slug == *slug && !visitor.sees(one.id));
    let refused = match named {
        Named::Competition => values.first().is_some_and(hidden),
        Named::Rules => values.first().is_some_and(|slug| hidden(slug) && Game::by_name(slug).is_none()),
        Named::Part(part) if !visitor.hidden.is_empty() => {
            let numbers: Vec<i64> = values.iter().filter_map(|value| value.parse().ok()).collect();
            let read = site.read(move |store| {
                numbers.into_iter().map(|number| store.competition_of(part, number)).collect::<Result<Vec<_>, _>>()
            });
            read.await?.into_iter().flatten().any(|competition| !visitor.sees(competition))
        }
        Named::Part(_) | Named::Other => false,
    };
    if refused { Err(SiteError::NotFound) } else { Ok(()) }
}
