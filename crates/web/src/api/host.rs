//! The host's actions.

use std::sync::Arc;

use agon_boards::json::Json;
use agon_queue::storage::Storage;
use agon_site::accounts::{self, check_announcement};
use agon_site::clock::now;
use agon_site::programs::set_barred;
use agon_site::store::{SiteAccount, SiteCounts, SiteStore};
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::answers::{ApiInvitation, ApiProgram};
use super::site::ApiAnnouncement;
use super::teams::ApiTeamName;
use super::visitor::ApiVisitor;
use crate::download::download;
use crate::error::SiteError;
use crate::site::{Site, SiteResult};

/// The state of the site.
#[derive(Serialize, ToSchema)]
#[schema(as = SiteState)]
pub(super) struct ApiSiteState {
    /// Accounts of people.
    accounts: u64,
    /// Programs of users.
    programs: u64,
    /// Submitted versions.
    versions: u64,
    /// Games, including those in progress.
    games: u64,
    /// Bytes of the data folder.
    data_bytes: u64,
    /// Bytes of the records, which are a part of that.
    records_bytes: u64,
    /// Bytes of the compiled programs.
    builds_bytes: u64,
    /// Bytes that are free on the disk.
    free_bytes: u64,
    /// Why nothing new is accepted or played; null if it is.
    shortage: Option<String>,
    /// Whether everything can be read, and nothing is changed or played.
    read_only: bool,
}

/// The state of the site
///
/// Its contents and the room on its disk. Scope `host`.
#[utoipa::path(
    get, path = "/api/v1/host/state", operation_id = "state", tag = "host",
    responses((status = 200, body = ApiSiteState), (status = 403, description = "Not the host"))
)]
pub(super) async fn state(State(site): State<Arc<Site>>, visitor: ApiVisitor) -> SiteResult<Json<ApiSiteState>> {
    visitor.host()?;
    let SiteCounts { accounts, programs, versions, games } = site.read(SiteStore::counts).await?;
    let Storage { data, records, builds, free, shortage } = site.queue.maintenance.storage();
    Ok(Json(ApiSiteState {
        accounts,
        programs,
        versions,
        games,
        data_bytes: data,
        records_bytes: records,
        builds_bytes: builds,
        free_bytes: free,
        shortage: shortage.map(|shortage| shortage.to_string()),
        read_only: site.queue.maintenance.is_read_only(),
    }))
}

/// Everything on the site
///
/// A `.tar.gz` without passwords, tokens or invitations, but with every source and error stream. Scope `host`.
#[utoipa::path(
    get, path = "/api/v1/host/export", operation_id = "export_site", tag = "host",
    responses(
        (status = 200, body = Vec<u8>, content_type = "application/gzip"),
        (status = 403, description = "Not the host")
    )
)]
pub(super) async fn export(State(site): State<Arc<Site>>, visitor: ApiVisitor) -> SiteResult<Response> {
    let (visitor, account) = visitor.host()?;
    download(&site, account.id, None, visitor.origin()).await
}

/// Remove the games by link that wait for the other player
///
/// A flood of them keeps everyone from opening another one. Games in progress stay. Scope `host`.
#[utoipa::path(
    delete, path = "/api/v1/host/waiting-games", operation_id = "clear_waiting_games", tag = "host",
    responses((status = 204, description = "Removed"), (status = 403, description = "Not the host"))
)]
pub(super) async fn clear_shared(State(site): State<Arc<Site>>, visitor: ApiVisitor) -> SiteResult<StatusCode> {
    visitor.host()?;
    site.clear_unjoined_games().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The new state of a switch.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Switch)]
pub(super) struct SwitchBody {
    /// The new state.
    pub on: bool,
}

/// Set who may sign up
///
/// On: anyone; off: only by invitation. Scope `host`.
#[utoipa::path(
    put, path = "/api/v1/host/sign-up", operation_id = "set_sign_up", tag = "host", request_body = SwitchBody,
    responses((status = 204, description = "Set"), (status = 403, description = "Not the host"))
)]
pub(super) async fn sign_up(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Json(body): Json<SwitchBody>,
) -> SiteResult<StatusCode> {
    let origin = visitor.host()?.0.origin();
    site.write(move |store| accounts::set_open(store, body.on, &origin)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Make the site read-only, or end that
///
/// Meanwhile everything can be read, and nothing but this is changed or played. Scope `host`.
#[utoipa::path(
    put, path = "/api/v1/host/read-only", operation_id = "set_read_only", tag = "host", request_body = SwitchBody,
    responses(
        (status = 204, description = "Set"),
        (status = 403, description = "Not the host"),
        (status = 409, description = "The site was started read-only")
    )
)]
pub(super) async fn read_only(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Json(body): Json<SwitchBody>,
) -> SiteResult<StatusCode> {
    let origin = visitor.host()?.0.origin();
    site.set_read_only(body.on, origin).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A text for everybody.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewAnnouncement)]
pub(super) struct NewAnnouncementBody {
    /// A line.
    #[schema(max_length = 300)]
    text: String,
}

/// Announce something
///
/// It appears on the front page. Scope `host`.
#[utoipa::path(
    post, path = "/api/v1/announcements", tag = "host", request_body = NewAnnouncementBody,
    responses(
        (status = 201, body = ApiAnnouncement),
        (status = 403, description = "Not the host"),
        (status = 422, description = "No text, or too long a text")
    )
)]
pub(super) async fn announce(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Json(body): Json<NewAnnouncementBody>,
) -> SiteResult<Response> {
    visitor.host()?;
    let text = check_announcement(&body.text)?;
    let (line, created) = (text.clone(), now());
    let id = site.write(move |store| store.announce(&line, created)).await?;
    Ok((StatusCode::CREATED, Json(ApiAnnouncement { id, text, created })).into_response())
}

/// Take an announcement back
///
/// Scope `host`.
#[utoipa::path(
    delete, path = "/api/v1/announcements/{id}", tag = "host",
    params(("id" = i64, Path, description = "The announcement's number")),
    responses((status = 204, description = "Deleted"), (status = 403, description = "Not the host"))
)]
pub(super) async fn unannounce(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
) -> SiteResult<StatusCode> {
    visitor.host()?;
    site.write(move |store| store.delete_announcement(id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Invitations.
#[derive(Serialize, ToSchema)]
#[schema(as = Invitations)]
pub(super) struct ApiInvitations {
    /// Those that can be used.
    invitations: Vec<ApiInvitation>,
}

/// The invitations that can be used
///
/// Scope `host`. Their links were shown once.
#[utoipa::path(
    get, path = "/api/v1/host/invitations", tag = "host",
    responses((status = 200, body = ApiInvitations), (status = 403, description = "Not the host"))
)]
pub(super) async fn invitations(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
) -> SiteResult<Json<ApiInvitations>> {
    visitor.host()?;
    let invitations = site.read(|store| store.invitations(now())).await?;
    Ok(Json(ApiInvitations { invitations: invitations.iter().map(|one| ApiInvitation::new(&site, one)).collect() }))
}

/// An invitation to create.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewInvitation)]
pub(super) struct NewInvitationBody {
    /// Whom it is for.
    note: String,
    /// How many accounts it creates.
    #[serde(default = "once")]
    #[schema(minimum = 1, maximum = 1000, default = 1)]
    uses: u32,
    /// Whether they become administrators.
    #[serde(default)]
    host: bool,
}

const fn once() -> u32 {
    1
}

/// A link.
#[derive(Serialize, ToSchema)]
#[schema(as = MadeInvitation)]
pub(super) struct MadeInvitation {
    /// The address to sign up at; it is shown this once.
    link: String,
}

/// Make an invitation
///
/// Scope `host`. The link can be used for 30 days.
#[utoipa::path(
    post, path = "/api/v1/host/invitations", tag = "host", request_body = NewInvitationBody,
    responses(
        (status = 201, body = MadeInvitation),
        (status = 403, description = "Not the host"),
        (status = 422, description = "A field is wrong")
    )
)]
pub(super) async fn invite(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Json(body): Json<NewInvitationBody>,
) -> SiteResult<Response> {
    let link = site.invite(body.note, body.uses, body.host, None, visitor.host()?.0).await?;
    Ok((StatusCode::CREATED, Json(MadeInvitation { link })).into_response())
}

/// An invitation to a competition, to be created.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewEntry)]
pub(super) struct NewEntryBody {
    /// Whom it is for.
    note: String,
    /// How many accounts it admits.
    #[serde(default = "once")]
    #[schema(minimum = 1, maximum = 1000, default = 1)]
    uses: u32,
}

/// Make an invitation into a competition
///
/// Its link lets people sign up and enter the competition, and existing accounts enter it. It is valid for 30 days.
/// Scope `host`.
#[utoipa::path(
    post, path = "/api/v1/host/contests/{competition}/invitations", operation_id = "invite_into_contest", tag = "host",
    params(("competition" = String, Path, description = "The competition, by its place in addresses")),
    request_body = NewEntryBody,
    responses(
        (status = 201, body = MadeInvitation),
        (status = 403, description = "Not the host"),
        (status = 404, description = "No such competition"),
        (status = 422, description = "A field is wrong")
    )
)]
pub(super) async fn invite_into(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(slug): Path<String>,
    Json(body): Json<NewEntryBody>,
) -> SiteResult<Response> {
    let (host, _) = visitor.host()?;
    let competition = site.competition_at(&slug).ok_or(SiteError::NotFound)?.id;
    let link = site.invite(body.note, body.uses, false, Some(competition), host).await?;
    Ok((StatusCode::CREATED, Json(MadeInvitation { link })).into_response())
}

/// Take an invitation back
///
/// Scope `host`.
#[utoipa::path(
    delete, path = "/api/v1/host/invitations/{id}", tag = "host",
    params(("id" = i64, Path, description = "The invitation's number")),
    responses((status = 204, description = "Deleted"), (status = 403, description = "Not the host"))
)]
pub(super) async fn uninvite(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
) -> SiteResult<StatusCode> {
    visitor.host()?;
    site.write(move |store| store.delete_invitation(id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct AccountsParams {
    /// How many accounts to skip, the newest first.
    #[serde(default)]
    from: usize,
    /// The most accounts in the answer.
    #[serde(default = "page")]
    #[param(minimum = 1, maximum = 1000, default = 1000)]
    limit: usize,
}

const fn page() -> usize {
    1000
}

/// Accounts.
#[derive(Serialize, ToSchema)]
#[schema(as = Accounts)]
pub(super) struct ApiAccounts {
    /// How many there are in all.
    size: usize,
    /// These, the newest first.
    accounts: Vec<SiteAccount>,
}

/// The accounts, the newest first
///
/// Scope `host`.
#[utoipa::path(
    get, path = "/api/v1/host/accounts", tag = "host",
    params(AccountsParams),
    responses((status = 200, body = ApiAccounts), (status = 403, description = "Not the host"))
)]
pub(super) async fn accounts(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Query(query): Query<AccountsParams>,
) -> SiteResult<Json<ApiAccounts>> {
    visitor.host()?;
    let all = site.read(SiteStore::accounts).await?;
    let accounts = all.iter().skip(query.from).take(query.limit.clamp(1, page())).cloned().collect();
    Ok(Json(ApiAccounts { size: all.len(), accounts }))
}

/// An account with its programs.
#[derive(Serialize, ToSchema)]
#[schema(as = AccountDetails)]
pub(super) struct ApiAccountDetails {
    /// The account.
    account: SiteAccount,
    /// Its programs.
    programs: Vec<ApiProgram>,
    /// Its teams, without frozen ones.
    teams: Vec<ApiTeamName>,
}

async fn details(site: &Arc<Site>, id: i64) -> SiteResult<ApiAccountDetails> {
    let read = site.read(move |store| Ok((store.account(id)?, store.programs_of(id)?, store.teams_of(id)?)));
    let (found, programs, teams) = read.await?;
    let (account, _) = found.ok_or(SiteError::NotFound)?;
    Ok(ApiAccountDetails {
        account,
        programs: programs.iter().map(|program| ApiProgram::new(site, program)).collect(),
        teams: teams.iter().map(ApiTeamName::from).collect(),
    })
}

/// An account with its programs
///
/// Scope `host`.
#[utoipa::path(
    get, path = "/api/v1/host/accounts/{id}", tag = "host",
    params(("id" = i64, Path, description = "The account's number")),
    responses(
        (status = 200, body = ApiAccountDetails),
        (status = 403, description = "Not the host"),
        (status = 404, description = "No such account")
    )
)]
pub(super) async fn account(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
) -> SiteResult<Json<ApiAccountDetails>> {
    visitor.host()?;
    Ok(Json(details(&site, id).await?))
}

/// Freeze or unfreeze an account
///
/// A frozen account cannot sign in, its tokens are invalid, and its programs get no games. Scope `host`.
#[utoipa::path(
    put, path = "/api/v1/host/accounts/{id}/frozen", operation_id = "freeze_account", tag = "host",
    params(("id" = i64, Path, description = "The account's number")),
    request_body = SwitchBody,
    responses(
        (status = 200, body = ApiAccountDetails),
        (status = 403, description = "Not the host, or the own account"),
        (status = 404, description = "No such account")
    )
)]
pub(super) async fn freeze(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
    Json(body): Json<SwitchBody>,
) -> SiteResult<Json<ApiAccountDetails>> {
    let origin = visitor.host()?.0.origin();
    site.change(move |store| accounts::set_frozen(store, id, body.on, &origin)).await?;
    Ok(Json(details(&site, id).await?))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct DeletionParams {
    /// The account's name, to confirm the choice.
    name: String,
}

/// Delete an account
///
/// With its programs and all their games, for good. Scope `host`.
#[utoipa::path(
    delete, path = "/api/v1/host/accounts/{id}", operation_id = "delete_account", tag = "host",
    params(("id" = i64, Path, description = "The account's number"), DeletionParams),
    responses(
        (status = 204, description = "Deleted"),
        (status = 403, description = "Not the host, or the own account"),
        (status = 404, description = "No such account"),
        (status = 422, description = "The name does not match")
    )
)]
pub(super) async fn delete(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
    Query(query): Query<DeletionParams>,
) -> SiteResult<StatusCode> {
    let origin = visitor.host()?.0.origin();
    site.change(move |store| accounts::delete(store, id, &query.name, &origin)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Disqualify a program, or let it play again
///
/// Scope `host`.
#[utoipa::path(
    put, path = "/api/v1/host/programs/{id}/barred", operation_id = "bar_program", tag = "host",
    params(("id" = i64, Path, description = "The program's number")),
    request_body = SwitchBody,
    responses(
        (status = 200, body = ApiProgram),
        (status = 403, description = "Not the host"),
        (status = 404, description = "No such program")
    )
)]
pub(super) async fn bar(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
    Json(body): Json<SwitchBody>,
) -> SiteResult<Json<ApiProgram>> {
    let origin = visitor.host()?.0.origin();
    site.change(move |store| set_barred(store, id, body.on, &origin)).await?;
    site.queue.announce_change();
    ApiProgram::read(&site, id).await
}
