//! Programs: what everyone sees of them, and what their authors do with them.

use std::sync::Arc;

use agon_boards::json::Json;
use agon_site::programs::{CURVE_GAMES, meeting};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use super::answers::{
    ApiGame, ApiHeadToHead, ApiOpponent, ApiOpponents, ApiProgram, ApiProgramDetails, ApiVersionSummary,
};
use super::visitor::ApiVisitor;
use crate::error::SiteError;
use crate::site::{Site, SiteResult};

/// Games and opponents in an answer.
const GAMES: u32 = 50;
const OPPONENTS: u32 = 1000;

/// A program
///
/// With its versions and its last 50 games.
#[utoipa::path(
    get, path = "/api/v1/programs/{id}", tag = "programs", security(()),
    params(("id" = i64, Path, description = "The program's number")),
    responses((status = 200, body = ApiProgramDetails), (status = 404, description = "No such program"))
)]
pub(super) async fn program(
    State(site): State<Arc<Site>>,
    _: ApiVisitor,
    Path(id): Path<i64>,
) -> SiteResult<Json<ApiProgramDetails>> {
    let read = site.read(move |store| {
        let Some(program) = store.program(id)? else { return Ok(None) };
        let place = store.place_of(&program)?;
        let ratings = if program.fixed { Vec::new() } else { store.ratings_of(id, CURVE_GAMES)? };
        Ok(Some((program, place, ratings, store.versions(id)?, store.bouts_of(id, i64::MAX, GAMES)?)))
    });
    let (program, place, ratings, versions, bouts) = read.await?.ok_or(SiteError::NotFound)?;
    Ok(Json(ApiProgramDetails {
        program: ApiProgram::new(&site, &program),
        place,
        ratings: ratings.into_iter().rev().collect(),
        versions: versions.iter().map(ApiVersionSummary::from).collect(),
        last_games: bouts.iter().map(|bout| ApiGame::new(&site, bout)).collect(),
    }))
}

/// The opponents of a program
///
/// The totals of its rated games by opponent, for the 1000 that it met most.
#[utoipa::path(
    get, path = "/api/v1/programs/{id}/opponents", tag = "programs", security(()),
    params(("id" = i64, Path, description = "The program's number")),
    responses((status = 200, body = ApiOpponents), (status = 404, description = "No such program"))
)]
pub(super) async fn opponents(
    State(site): State<Arc<Site>>,
    _: ApiVisitor,
    Path(id): Path<i64>,
) -> SiteResult<Json<ApiOpponents>> {
    let read = site.read(move |store| Ok((store.program(id)?, store.meetings(id, OPPONENTS)?)));
    let (found, meetings) = read.await?;
    found.ok_or(SiteError::NotFound)?;
    Ok(Json(ApiOpponents { opponents: meetings.iter().map(ApiOpponent::from).collect() }))
}

/// Two programs against each other
///
/// The totals of their rated games, and their last 100 games of any kind.
#[utoipa::path(get, path = "/api/v1/programs/{id}/versus/{other}", tag = "programs", security(()),
    params(("id" = i64, Path, description = "A program's number"), ("other" = i64, Path, description = "Another's")),
    responses((status = 200, body = ApiHeadToHead), (status = 404, description = "No such programs")))]
pub(super) async fn head_to_head(
    State(site): State<Arc<Site>>,
    _: ApiVisitor,
    Path((id, other)): Path<(i64, i64)>,
) -> SiteResult<Json<ApiHeadToHead>> {
    let (first, second, meeting, bouts) = site.consult(move |store| meeting(store, id, other)).await?;
    Ok(Json(ApiHeadToHead {
        first: ApiProgram::new(&site, &first),
        second: ApiProgram::new(&site, &second),
        rated: meeting.as_ref().map(ApiOpponent::from),
        games: bouts.iter().map(|bout| ApiGame::new(&site, bout)).collect(),
    }))
}

/// The version that should play.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Activation)]
pub(super) struct ActivationBody {
    /// The number of the version within the program.
    number: u32,
}

/// Choose the version that plays
///
/// One that has passed its check. Scope `submit`.
#[utoipa::path(
    put, path = "/api/v1/programs/{id}/active", operation_id = "activate_version", tag = "programs",
    params(("id" = i64, Path, description = "An own program's number")),
    request_body = ActivationBody,
    responses(
        (status = 200, body = ApiProgram),
        (status = 403, description = "Another's program"),
        (status = 404, description = "No such program"),
        (status = 422, description = "No version of that number has passed its check")
    )
)]
pub(super) async fn activate(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
    Json(body): Json<ActivationBody>,
) -> SiteResult<Json<ApiProgram>> {
    let (visitor, _) = visitor.author()?;
    site.activate(visitor, id, body.number).await?;
    ApiProgram::read(&site, id).await
}

/// Whether everyone may play against a program.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ByHand)]
pub(super) struct ByHandBody {
    /// Everyone, or only the author.
    on: bool,
}

/// Let people play against a program on a board
///
/// Its author always may. Scope `submit`.
#[utoipa::path(
    put, path = "/api/v1/programs/{id}/by-hand", operation_id = "open_program", tag = "programs",
    params(("id" = i64, Path, description = "An own program's number")),
    request_body = ByHandBody,
    responses(
        (status = 200, body = ApiProgram),
        (status = 403, description = "Another's program"),
        (status = 404, description = "No such program")
    )
)]
pub(super) async fn set_by_hand(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
    Json(body): Json<ByHandBody>,
) -> SiteResult<Json<ApiProgram>> {
    let (visitor, _) = visitor.author()?;
    site.set_by_hand(visitor, id, body.on).await?;
    ApiProgram::read(&site, id).await
}

/// Whether a program is withdrawn.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Withdrawal)]
pub(super) struct WithdrawalBody {
    /// Withdrawn, or on the ladder.
    on: bool,
}

/// Withdraw a program, or let it return
///
/// A withdrawn program plays no games, has no place, and takes none of the account's places in the competition. Its
/// games stay; running games and finals are played to their end. It returns with the version that played. Scope
/// `submit`.
#[utoipa::path(
    put, path = "/api/v1/programs/{id}/withdrawn", operation_id = "withdraw_program", tag = "programs",
    params(("id" = i64, Path, description = "An own program's number")),
    request_body = WithdrawalBody,
    responses(
        (status = 200, body = ApiProgram),
        (status = 403, description = "Another's program"),
        (status = 404, description = "No such program"),
        (status = 409, description = "The account has as many programs in the competition as it may")
    )
)]
pub(super) async fn set_withdrawn(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
    Json(body): Json<WithdrawalBody>,
) -> SiteResult<Json<ApiProgram>> {
    let (visitor, _) = visitor.author()?;
    site.set_withdrawn(visitor, id, body.on).await?;
    ApiProgram::read(&site, id).await
}

/// The name of a program.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ProgramName)]
pub(super) struct NameBody {
    /// Its new name.
    #[schema(max_length = 32, example = "bot")]
    name: String,
}

/// Rename a program
///
/// Pages show the new name for games of before, too; records and standings of finals keep the old one. Scope `submit`.
#[utoipa::path(
    put, path = "/api/v1/programs/{id}/name", operation_id = "rename_program", tag = "programs",
    params(("id" = i64, Path, description = "An own program's number")),
    request_body = NameBody,
    responses(
        (status = 200, body = ApiProgram),
        (status = 403, description = "Another's program"),
        (status = 404, description = "No such program"),
        (status = 422, description = "The name is wrong, or another program of the account has it")
    )
)]
pub(super) async fn rename(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
    Json(body): Json<NameBody>,
) -> SiteResult<Json<ApiProgram>> {
    let (visitor, _) = visitor.author()?;
    site.rename_program(visitor, id, body.name).await?;
    ApiProgram::read(&site, id).await
}

/// Delete a program
///
/// With its versions and their checks. One that has played on the ladder or is in a final can only be withdrawn: its
/// games belong to its opponents too. Scope `submit`.
#[utoipa::path(
    delete, path = "/api/v1/programs/{id}", operation_id = "delete_program", tag = "programs",
    params(("id" = i64, Path, description = "An own program's number")),
    responses(
        (status = 204, description = "Deleted"),
        (status = 403, description = "Another's program"),
        (status = 404, description = "No such program"),
        (status = 409, description = "It has played on the ladder or is in a final")
    )
)]
pub(super) async fn delete(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
) -> SiteResult<StatusCode> {
    let (visitor, _) = visitor.author()?;
    site.delete_program(visitor, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// How many games to play.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AskedGames)]
pub(super) struct AskedGamesBody {
    /// Games, seats alternating; they are not rated.
    #[schema(minimum = 1, maximum = 10)]
    games: u32,
}

/// Ask for games between two programs
///
/// One of the programs is your own; both are in one competition. Scope `submit`. The games are played when a
/// worker is free, and are not rated.
#[utoipa::path(
    post, path = "/api/v1/programs/{id}/versus/{other}/games", operation_id = "ask_for_games", tag = "programs",
    params(("id" = i64, Path, description = "A program's number"), ("other" = i64, Path, description = "Another's")),
    request_body = AskedGamesBody,
    responses(
        (status = 202, description = "They will be played"),
        (status = 403, description = "Neither program is your own, or one cannot play"),
        (status = 404, description = "No such programs"),
        (status = 409, description = "Too many games that were asked for wait"),
        (status = 422, description = "Too many games, or none")
    )
)]
pub(super) async fn ask(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path((one, other)): Path<(i64, i64)>,
    Json(body): Json<AskedGamesBody>,
) -> SiteResult<StatusCode> {
    let (visitor, account) = visitor.author()?;
    site.ask_for_games(visitor, account.id, [one, other], body.games).await?;
    Ok(StatusCode::ACCEPTED)
}
