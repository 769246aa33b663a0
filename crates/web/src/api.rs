//! What programs may ask and do: JSON below `/api/v1`.

use std::sync::Arc;

use agon_arena::store::site::{SiteBout, SiteProgram, SiteVersion};
use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequestParts, Path, Query, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::{ApiError, SiteError};
use crate::pages::draft::Draft;
use crate::pages::submit;
use crate::rate::{LimitedAction, LimitedActor};
use crate::site::Site;
use crate::visitor::Visitor;

/// Rows of a ladder in an answer, and games of a program.
const ROWS: u32 = 100;
const GAMES: u32 = 50;

type ApiResult = Result<Response, ApiError>;

/// A visitor within its allowance.
pub struct ApiVisitor(Visitor);

impl FromRequestParts<Arc<Site>> for ApiVisitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<Self, ApiError> {
        let visitor = Visitor::from_request_parts(parts, site).await?;
        let actor = visitor.account.as_ref().map(|account| LimitedActor::Account(account.id));
        let actor = actor.unwrap_or_else(|| LimitedActor::at(visitor.address));
        let taken = site.limits.take(LimitedAction::Api, actor);
        taken.map_err(|wait| SiteError::TooMany(LimitedAction::Api, wait))?;
        Ok(Self(visitor))
    }
}

impl ApiVisitor {
    fn account(&self) -> Result<i64, ApiError> {
        let account = self.0.account.as_ref().ok_or(SiteError::SignIn { back: String::new() })?;
        Ok(account.id)
    }
}

#[derive(Deserialize)]
pub struct FromQuery {
    #[serde(default)]
    from: u32,
}

/// A ladder from a place on.
pub async fn ladder(
    State(site): State<Arc<Site>>,
    _: ApiVisitor,
    Path(slug): Path<String>,
    Query(query): Query<FromQuery>,
) -> ApiResult {
    let contest = site.contest_at(&slug).ok_or(SiteError::NotFound)?;
    let id = contest.id;
    let read = site.read(move |store| Ok((store.ladder(id, query.from, ROWS)?, store.ladder_size(id, 0.0)?.0)));
    let (programs, size) = read.await?;
    let programs: Vec<Value> = programs.iter().map(|program| row(&site, program)).collect();
    let answer = json!({
        "contest": contest.slug, "game": contest.game.name(), "from": query.from, "size": size, "programs": programs,
    });
    Ok(Json(answer).into_response())
}

fn row(site: &Site, program: &SiteProgram) -> Value {
    let together = site.together(program.contest).get(&program.id).copied().filter(|_| !program.fixed);
    json!({
        "id": program.id,
        "name": program.name,
        "owner": program.owner,
        "contest": site.contest(program.contest).map(|contest| contest.slug),
        "team": program.team.then_some(program.account),
        "game": program.game.name(),
        "version": program.active.map(|(_, number)| number),
        "rating": program.rating,
        "fixed": program.fixed,
        "all_games": together.map(|rating| json!({ "value": rating.value, "low": rating.low, "high": rating.high })),
        "games": program.games,
        "wins": program.wins,
        "draws": program.draws,
        "losses": program.losses(),
        "faults": program.faults,
        "form": program.form,
    })
}

/// A program with its versions and its last games.
pub async fn program(State(site): State<Arc<Site>>, _: ApiVisitor, Path(id): Path<i64>) -> ApiResult {
    let read = site.read(move |store| {
        let Some(program) = store.program(id)? else { return Ok(None) };
        Ok(Some((program, store.versions(id)?, store.bouts_of(id, i64::MAX, GAMES)?)))
    });
    let (program, versions, bouts) = read.await?.ok_or(SiteError::NotFound)?;
    let mut answer = row(&site, &program);
    let version = |version: &SiteVersion| {
        json!({
            "number": version.number, "language": version.language.name(), "state": version.state.name(),
            "games": version.games, "submitted": version.submitted,
        })
    };
    answer["versions"] = versions.iter().map(version).collect();
    answer["last_games"] = bouts.iter().map(|bout| told(&site, bout)).collect();
    Ok(Json(answer).into_response())
}

fn told(site: &Site, bout: &SiteBout) -> Value {
    let seats = bout.seats.each_ref().map(|seat| {
        json!({
            "program": seat.program, "name": seat.name, "version": seat.version,
            "verdict": seat.verdict.map(agon_referee::verdict::Verdict::name),
            "time_ms": seat.time_ms, "rating": seat.rating,
        })
    });
    json!({
        "id": bout.id, "contest": site.contest(bout.contest).map(|contest| contest.slug),
        "game": bout.game.name(), "kind": bout.kind.name(),
        "seats": seats, "winner": bout.winner, "reason": bout.reason, "plies": bout.plies, "begun": bout.begun,
    })
}

/// A game.
pub async fn game(State(site): State<Arc<Site>>, _: ApiVisitor, Path(id): Path<i64>) -> ApiResult {
    let bout = site.read(move |store| store.bout(id)).await?.ok_or(SiteError::NotFound)?;
    Ok(Json(told(&site, &bout)).into_response())
}

/// Takes a submission.
pub async fn submit(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    draft: Result<Json<Draft>, JsonRejection>,
) -> ApiResult {
    visitor.account()?;
    let Json(draft) = draft.map_err(|error| SiteError::Bad(error.body_text()))?;
    let checked = draft.check(&site.contests()).map_err(SiteError::Bad)?;
    let version = submit::enter(&site, &visitor.0, checked).await?.map_err(SiteError::Bad)?;
    let address = site.options.address(&format!("/version/{version}"));
    Ok((StatusCode::CREATED, Json(json!({ "version": version, "address": address }))).into_response())
}

/// How far the check of an own version is.
pub async fn version(State(site): State<Arc<Site>>, visitor: ApiVisitor, Path(id): Path<i64>) -> ApiResult {
    let read = site.read(move |store| {
        let Some(version) = store.version(id)? else { return Ok(None) };
        Ok(store.program(version.program)?.map(|program| (version, program)))
    });
    let (version, program) = read.await?.ok_or(SiteError::NotFound)?;
    if !visitor.0.is(program.account) {
        return Err(SiteError::NotFound.into());
    }
    let answer = json!({
        "id": version.id, "program": program.id, "name": program.name, "number": version.number,
        "state": version.state.name(), "message": version.message, "game": version.bout,
    });
    Ok(Json(answer).into_response())
}
