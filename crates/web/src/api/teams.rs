//! Teams.

use std::sync::Arc;

use agon_boards::json::Json;
use agon_site::identity::Identity;
use agon_site::store::{SiteTeam, TeamMember};
use agon_site::teams;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answers::ApiProgram;
use super::visitor::ApiVisitor;
use crate::error::SiteError;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// A team by its name.
#[derive(Serialize, ToSchema)]
#[schema(as = TeamName)]
pub(super) struct ApiTeamName {
    /// Its number.
    id: i64,
    /// Its name.
    name: String,
}

impl From<&SiteTeam> for ApiTeamName {
    fn from(team: &SiteTeam) -> Self {
        Self { id: team.id, name: team.name.clone() }
    }
}

/// The teams of the account that asks.
#[derive(Serialize, ToSchema)]
#[schema(as = OwnTeams)]
pub(super) struct ApiOwnTeams {
    /// Its teams.
    teams: Vec<ApiTeamName>,
    /// The teams that have invited it.
    asking: Vec<ApiTeamName>,
}

/// A member of a team, or an account that has been asked.
#[derive(Serialize, ToSchema)]
#[schema(as = TeamMember)]
pub(super) struct ApiTeamMember {
    /// The number of the account.
    account: i64,
    /// Its name.
    name: String,
    /// Since when; null for an invited account that has not answered, which only members and the host see.
    joined: Option<i64>,
}

impl From<&TeamMember> for ApiTeamMember {
    fn from(member: &TeamMember) -> Self {
        Self { account: member.account, name: member.name.clone(), joined: member.joined }
    }
}

/// A team.
#[derive(Serialize, ToSchema)]
#[schema(as = Team)]
pub(super) struct ApiTeam {
    /// Its number.
    id: i64,
    /// Its name.
    name: String,
    /// Whether the host has frozen it.
    frozen: bool,
    /// When it was created.
    created: i64,
    /// Its members, the longest-standing first, and then the invited accounts.
    members: Vec<ApiTeamMember>,
    /// Its programs.
    programs: Vec<ApiProgram>,
}

async fn details(site: &Arc<Site>, visitor: &Visitor, id: i64) -> SiteResult<Json<ApiTeam>> {
    let read = site.read(move |store| Ok((store.account(id)?, store.members(id)?, store.programs_of(id)?)));
    let (found, members, mut programs) = read.await?;
    programs.retain(|program| visitor.sees(program.competition));
    let (team, _) = found.filter(|(account, _)| account.team).ok_or(SiteError::NotFound)?;
    let sees_asked = teams::sees_asked(visitor, id);
    let members = members.iter().filter(|member| member.joined.is_some() || sees_asked);
    Ok(Json(ApiTeam {
        id,
        name: team.name,
        frozen: team.frozen,
        created: team.created,
        members: members.map(ApiTeamMember::from).collect(),
        programs: programs.iter().map(|program| ApiProgram::new(site, program)).collect(),
    }))
}

/// A team
///
/// Whom it has asked to join, its members and the host alone see (scope `read`).
#[utoipa::path(
    get, path = "/api/v1/teams/{id}", operation_id = "team", tag = "teams",
    security((), ("token" = ["read"]), ("cookie" = [])),
    params(("id" = i64, Path, description = "The team's number")),
    responses((status = 200, body = ApiTeam), (status = 404, description = "No such team"))
)]
pub(super) async fn team(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
) -> SiteResult<Json<ApiTeam>> {
    details(&site, &visitor.viewer(), id).await
}

/// The teams of the account that asks
///
/// Including the teams that have invited it. Scope `read`.
#[utoipa::path(
    get, path = "/api/v1/me/teams", operation_id = "own_teams", tag = "teams",
    responses((status = 200, body = ApiOwnTeams))
)]
pub(super) async fn own(State(site): State<Arc<Site>>, visitor: ApiVisitor) -> SiteResult<Json<ApiOwnTeams>> {
    let (visitor, account) = visitor.reader()?;
    let id = account.id;
    let asking = site.read(move |store| store.teams_asking(id)).await?;
    let names = |teams: &[SiteTeam]| teams.iter().map(ApiTeamName::from).collect();
    Ok(Json(ApiOwnTeams { teams: names(&visitor.teams), asking: names(&asking) }))
}

/// The name of a team, or of an account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Named)]
pub(super) struct NamedBody {
    /// The name.
    #[schema(max_length = 24)]
    name: String,
}

/// What a member sees after an action.
async fn as_member(site: &Arc<Site>, visitor: &Visitor, id: i64) -> SiteResult<Json<ApiTeam>> {
    let Some(account) = visitor.account.as_ref().map(|account| account.id) else { return Err(SiteError::NotFound) };
    let teams = site.read(move |store| store.teams_of(account)).await?;
    let who = Identity { teams, ..visitor.who.clone() };
    details(site, &Visitor { who, ..visitor.clone() }, id).await
}

/// Make a team
///
/// Its first member is the requesting account. Scope `team`.
#[utoipa::path(
    post, path = "/api/v1/teams", operation_id = "make_team", tag = "teams", request_body = NamedBody,
    responses(
        (status = 201, body = ApiTeam),
        (status = 409, description = "The account is in five teams"),
        (status = 422, description = "The name is taken, or cannot be shown")
    )
)]
pub(super) async fn make(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Json(body): Json<NamedBody>,
) -> SiteResult<Response> {
    let (visitor, account) = visitor.teammate()?;
    let account = account.id;
    let id = site.change(move |store| teams::create(store, account, &body.name)).await?;
    Ok((StatusCode::CREATED, as_member(&site, visitor, id).await?).into_response())
}

/// Ask an account to join
///
/// For members. The invited account answers by joining or leaving. Scope `team`.
#[utoipa::path(
    post, path = "/api/v1/teams/{id}/members", operation_id = "ask_to_join", tag = "teams",
    params(("id" = i64, Path, description = "The team's number")),
    request_body = NamedBody,
    responses(
        (status = 200, body = ApiTeam),
        (status = 403, description = "Not a member"),
        (status = 409, description = "The team is full"),
        (status = 422, description = "There is no account of this name, or it is in the team, or asked")
    )
)]
pub(super) async fn ask(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
    Json(body): Json<NamedBody>,
) -> SiteResult<Json<ApiTeam>> {
    let (visitor, _) = visitor.teammate()?;
    let who = visitor.who.clone();
    site.change(move |store| teams::ask(store, &who, id, &body.name)).await?;
    as_member(&site, visitor, id).await
}

/// Take a member out of a team
///
/// Or withdraw an invitation, which every member may; removing a member is for the longest-standing member and for the
/// host. Scope `team`.
#[utoipa::path(
    delete, path = "/api/v1/teams/{id}/members/{account}", operation_id = "remove_member", tag = "teams",
    params(
        ("id" = i64, Path, description = "The team's number"),
        ("account" = i64, Path, description = "The number of another account")
    ),
    responses(
        (status = 204, description = "The account is not in the team"),
        (status = 403, description = "Not allowed, or the account was not in the team"),
        (status = 409, description = "The account is the last member, and the team has programs")
    )
)]
pub(super) async fn remove(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path((id, other)): Path<(i64, i64)>,
) -> SiteResult<StatusCode> {
    let (visitor, _) = visitor.teammate()?;
    let who = visitor.who.clone();
    site.change(move |store| teams::remove(store, &who, id, other)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Join a team that has asked
///
/// Scope `team`.
#[utoipa::path(
    post, path = "/api/v1/teams/{id}/join", operation_id = "join_team", tag = "teams",
    params(("id" = i64, Path, description = "The team's number")),
    responses(
        (status = 200, body = ApiTeam),
        (status = 403, description = "The team has not asked"),
        (status = 409, description = "The account is in five teams")
    )
)]
pub(super) async fn join(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
) -> SiteResult<Json<ApiTeam>> {
    let (visitor, account) = visitor.teammate()?;
    let account = account.id;
    site.change(move |store| teams::join(store, account, id)).await?;
    as_member(&site, visitor, id).await
}

/// Leave a team, or decline to join it
///
/// With its last member a team without programs ends. Scope `team`.
#[utoipa::path(
    post, path = "/api/v1/teams/{id}/leave", operation_id = "leave_team", tag = "teams",
    params(("id" = i64, Path, description = "The team's number")),
    responses(
        (status = 204, description = "Left, or declined"),
        (status = 403, description = "Not in this team, nor asked"),
        (status = 409, description = "The last member, and the team has programs")
    )
)]
pub(super) async fn leave(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
) -> SiteResult<StatusCode> {
    let (_, account) = visitor.teammate()?;
    let account = account.id;
    site.change(move |store| teams::leave(store, account, id)).await?;
    Ok(StatusCode::NO_CONTENT)
}
