//! Weekly leagues.

use std::sync::Arc;

use agon_boards::json::Json;
use agon_site::clock::now;
use agon_site::league::{self, LeagueMove, LeagueRow, LeagueTable};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::competitions::find;
use super::host::SwitchBody;
use super::visitor::ApiVisitor;
use crate::error::SiteError;
use crate::site::{Site, SiteResult};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct LeagueParams {
    /// A moment of the week; the current week if it is missing.
    #[serde(default)]
    week: Option<i64>,
}

/// How a program moves at the end of the week.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = LeagueMove)]
pub(super) enum ApiLeagueMove {
    Up,
    Stay,
    Down,
}

/// A program in its group.
#[derive(Serialize, ToSchema)]
#[schema(as = LeagueRow)]
pub(super) struct ApiLeagueRow {
    /// The number of the program.
    program: i64,
    /// Its name.
    name: String,
    /// The name of its owner.
    owner: Option<String>,
    /// Rated games within the group in this week.
    games: u32,
    /// One for a win, half for a draw.
    points: f64,
    /// How it moves if the week ends now.
    moves: ApiLeagueMove,
}

/// A week of a league.
#[derive(Serialize, ToSchema)]
#[schema(as = League)]
pub(super) struct ApiLeague {
    /// When the week begins.
    begins: i64,
    /// When it ends.
    ends: i64,
    /// The groups, the strongest first, each with its programs, the best first: by share of points.
    groups: Vec<Vec<ApiLeagueRow>>,
    /// The beginning of the week before; null of the first one.
    earlier: Option<i64>,
}

fn row(LeagueRow { program, score, moves }: LeagueRow) -> ApiLeagueRow {
    ApiLeagueRow {
        program: program.id,
        name: program.name,
        owner: program.owner,
        games: score.games,
        points: score.points,
        moves: match moves {
            LeagueMove::Up => ApiLeagueMove::Up,
            LeagueMove::Stay => ApiLeagueMove::Stay,
            LeagueMove::Down => ApiLeagueMove::Down,
        },
    }
}

/// The weekly league of a competition
#[utoipa::path(
    get, path = "/api/v1/ladder/{competition}/league", tag = "ladder", security(()),
    params(LeagueParams, ("competition" = String, Path, description = "The competition, by its place in addresses")),
    responses((status = 200, body = ApiLeague), (status = 404, description = "No such competition or league"))
)]
pub(super) async fn league(
    State(site): State<Arc<Site>>,
    _: ApiVisitor,
    Path(slug): Path<String>,
    Query(query): Query<LeagueParams>,
) -> SiteResult<Json<ApiLeague>> {
    let (id, at) = (site.competition_at(&slug).ok_or(SiteError::NotFound)?.id, now());
    let table = site.consult(move |store| LeagueTable::read(store, id, query.week.unwrap_or(at).min(at))).await?;
    let LeagueTable { week, earlier, groups } = table;
    let groups = groups.into_iter().map(|group| group.into_iter().map(row).collect()).collect();
    Ok(Json(ApiLeague { begins: week.begins, ends: week.ends, groups, earlier }))
}

/// Give a competition a weekly league, or end it
///
/// A league begins at once, with groups of ten by rating. Scope `host`.
#[utoipa::path(
    put, path = "/api/v1/host/contests/{competition}/league", operation_id = "set_league", tag = "host",
    params(("competition" = String, Path, description = "The competition, by its place in addresses")),
    request_body = SwitchBody,
    responses(
        (status = 204, description = "Done"),
        (status = 403, description = "Not the host"),
        (status = 404, description = "No such competition")
    )
)]
pub(super) async fn set(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(slug): Path<String>,
    Json(body): Json<SwitchBody>,
) -> SiteResult<StatusCode> {
    visitor.host()?;
    let competition = find(&site, &slug)?;
    site.write(move |store| league::set(store, &competition, body.on, now())).await?;
    site.queue.announce_change();
    Ok(StatusCode::NO_CONTENT)
}
