//! Ladders.

use std::sync::Arc;

use agon_boards::json::Json;
use agon_site::store::PlacedProgram;
use axum::extract::{Path, Query, State};
use serde::Deserialize;
use utoipa::IntoParams;

use super::answers::{ApiLadder, ApiPlacedProgram, ApiProgram};
use super::visitor::ApiVisitor;
use crate::error::SiteError;
use crate::site::{Site, SiteResult};

/// Rows in an answer, unless fewer are requested.
const ROWS: u32 = 100;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct LadderParams {
    /// How many programs to skip, the best first.
    #[serde(default)]
    from: u32,
    /// The most programs in the answer.
    #[serde(default = "rows")]
    #[param(minimum = 1, maximum = 100, default = 100)]
    limit: u32,
    /// Only the programs of people and teams that the host has put into this group.
    #[serde(default)]
    group: Option<String>,
}

const fn rows() -> u32 {
    ROWS
}

/// The ladder of a competition
///
/// The programs that play, built-in ones among them, the best first.
#[utoipa::path(
    get, path = "/api/v1/ladder/{competition}", tag = "ladder", security(()),
    params(LadderParams, ("competition" = String, Path, description = "The competition, by its place in addresses")),
    responses((status = 200, body = ApiLadder), (status = 404, description = "No such competition"))
)]
pub(super) async fn ladder(
    State(site): State<Arc<Site>>,
    _: ApiVisitor,
    Path(slug): Path<String>,
    Query(query): Query<LadderParams>,
) -> SiteResult<Json<ApiLadder>> {
    let competition = site.competition_at(&slug).ok_or(SiteError::NotFound)?;
    let id = competition.id;
    let (from, limit) = (query.from, query.limit.clamp(1, ROWS));
    let read = site.read(move |store| {
        let programs = match &query.group {
            Some(group) => {
                let of_group = store.ladder_of(id, None, Some(group), from.saturating_add(limit))?;
                of_group.into_iter().skip(from as usize).collect()
            }
            None => store.ladder(id, from, limit)?,
        };
        Ok((programs, store.ladder_size(id)?, store.groups(id)?, store.unsettled(id)?))
    });
    let (programs, size, groups, (unrated, _)) = read.await?;
    let placed =
        |row: &PlacedProgram| ApiPlacedProgram { place: row.place, program: ApiProgram::new(&site, &row.program) };
    let programs = programs.iter().map(placed).collect();
    let game = competition.game.name().to_owned();
    Ok(Json(ApiLadder { competition: competition.slug, game, size, from, groups, unrated, programs }))
}
