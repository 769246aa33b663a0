//! Competitions.

use std::collections::BTreeMap;
use std::sync::Arc;

use agon_boards::json::Json;
use agon_referee::agent::Language;
use agon_site::accounts::set_removed;
use agon_site::clock::now;
use agon_site::competition::CompetitionSettings;
use agon_site::store::{Competition, CompetitionPhase, EntryRule, ReplayRule, SiteEntrant};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::host::SwitchBody;
use super::visitor::ApiVisitor;
use crate::error::SiteError;
use crate::site::{Site, SiteResult};

/// A competition.
#[derive(Serialize, ToSchema)]
#[schema(as = Competition)]
pub(super) struct ApiCompetition {
    /// Its name in addresses, which other routes use.
    slug: String,
    /// Its title.
    title: String,
    /// The host's description.
    description: String,
    /// The game.
    game: String,
    /// Parameters of the game; those left out have their defaults.
    parameters: BTreeMap<String, String>,
    /// Plies that are drawn for both sides before each game.
    openings: u32,
    /// Whether games begin with the balanced openings of the game.
    balanced: bool,
    /// The clock of each side for a whole game, in milliseconds.
    clock_ms: u64,
    /// Memory of a program, in MiB.
    #[serde(rename = "memory_mb")]
    memory_mib: u64,
    /// The allowed languages; null for all that the site offers.
    languages: Option<Vec<String>>,
    /// When it opens; null if it always was open.
    opens: Option<i64>,
    /// When it closes; null if it never does.
    closes: Option<i64>,
    /// Whether it is open now.
    phase: CompetitionPhase,
    /// Submissions of an account within 24 hours.
    daily: u32,
    /// Who may enter.
    entry: EntryRule,
    /// Who sees the moves.
    replays: ReplayRule,
    /// When it was created.
    created: i64,
}

impl ApiCompetition {
    /// A competition as everybody sees it.
    pub(super) fn new(site: &Site, competition: &Competition) -> Self {
        let limits = competition.limits(site.options.limits);
        let names = |languages: &Vec<Language>| languages.iter().map(|language| language.name().to_owned()).collect();
        Self {
            slug: competition.slug.clone(),
            title: competition.title.clone(),
            description: competition.description.clone(),
            game: competition.game.name().to_owned(),
            parameters: competition.parameters.clone(),
            openings: competition.openings,
            balanced: competition.balanced,
            clock_ms: limits.clock_ms,
            memory_mib: limits.memory_mib,
            languages: competition.languages.as_ref().map(names),
            opens: competition.opens,
            closes: competition.closes,
            phase: competition.phase(now()),
            daily: competition.daily.unwrap_or(site.options.submissions.daily),
            entry: competition.entry,
            replays: competition.replays,
            created: competition.created,
        }
    }
}

/// Competitions.
#[derive(Serialize, ToSchema)]
#[schema(as = Competitions)]
pub(super) struct ApiCompetitions {
    /// These, the oldest first.
    #[serde(rename = "contests")]
    competitions: Vec<ApiCompetition>,
}

/// All competitions
///
/// Each game has one of the same name, which never closes unless the host says so.
#[utoipa::path(
    get, path = "/api/v1/contests", tag = "ladder", security(()),
    responses((status = 200, body = ApiCompetitions))
)]
pub(super) async fn competitions(State(site): State<Arc<Site>>, visitor: ApiVisitor) -> Json<ApiCompetitions> {
    let competitions = visitor.competitions();
    Json(ApiCompetitions {
        competitions: competitions.iter().map(|competition| ApiCompetition::new(&site, competition)).collect(),
    })
}

/// A competition
#[utoipa::path(
    get, path = "/api/v1/contests/{competition}", tag = "ladder", security(()),
    params(("competition" = String, Path, description = "The competition, by its place in addresses")),
    responses((status = 200, body = ApiCompetition), (status = 404, description = "No such competition"))
)]
pub(super) async fn competition(
    State(site): State<Arc<Site>>,
    _: ApiVisitor,
    Path(slug): Path<String>,
) -> SiteResult<Json<ApiCompetition>> {
    Ok(Json(ApiCompetition::new(&site, &find(&site, &slug)?)))
}

pub(super) fn find(site: &Site, slug: &str) -> SiteResult<Competition> {
    site.competition_at(slug).ok_or(SiteError::NotFound)
}

/// A competition with its host's settings.
#[derive(Serialize, ToSchema)]
#[schema(as = HostedCompetition)]
pub(super) struct ApiHostedCompetition {
    /// The host's settings.
    settings: CompetitionSettings,
    /// Accounts that have been let in by an invitation.
    entrants: u32,
    /// Programs of users in it.
    programs: u32,
}

/// A person or a team in a competition.
#[derive(Serialize, ToSchema)]
#[schema(as = Entrant)]
pub(super) struct ApiEntrant {
    /// The number of the account.
    account: i64,
    /// Its name.
    name: String,
    /// Whether it is a team.
    team: bool,
    /// The group into which the host has put it; null for none.
    group: Option<String>,
    /// How many programs it has there.
    programs: u32,
    /// When it entered, in seconds since 1970.
    since: i64,
    /// Whether the host has removed it.
    removed: bool,
}

/// The participants of a competition.
#[derive(Serialize, ToSchema)]
#[schema(as = Entrants)]
pub(super) struct ApiEntrants {
    /// These, by group and name.
    people: Vec<ApiEntrant>,
}

impl From<SiteEntrant> for ApiEntrant {
    fn from(one: SiteEntrant) -> Self {
        let SiteEntrant { account, name, team, programs, since, group, removed, .. } = one;
        Self { account, name, team, group: Some(group).filter(|group| !group.is_empty()), programs, since, removed }
    }
}

/// The people of a competition
///
/// Those who entered by an invitation or have a program there, with their groups. Scope `host`.
#[utoipa::path(
    get, path = "/api/v1/host/contests/{competition}/people", operation_id = "entrants", tag = "host",
    params(("competition" = String, Path, description = "The competition, by its place in addresses")),
    responses(
        (status = 200, body = ApiEntrants),
        (status = 403, description = "Not the host"),
        (status = 404, description = "No such competition")
    )
)]
pub(super) async fn people(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(slug): Path<String>,
) -> SiteResult<Json<ApiEntrants>> {
    visitor.host()?;
    let id = find(&site, &slug)?.id;
    let people = site.read(move |store| store.entrants(id)).await?;
    Ok(Json(ApiEntrants { people: people.into_iter().map(ApiEntrant::from).collect() }))
}

/// Take a person or a team out of a competition, or let it in again
///
/// Its programs stop playing, it cannot submit there, and a private competition is hidden from it; its games stay.
/// Scope `host`.
#[utoipa::path(
    put, path = "/api/v1/host/contests/{competition}/people/{account}/removed", operation_id = "remove_entrant",
    tag = "host",
    params(
        ("competition" = String, Path, description = "The competition, by its place in addresses"),
        ("account" = i64, Path, description = "The number of the account")
    ),
    request_body = SwitchBody,
    responses(
        (status = 204, description = "Done"),
        (status = 403, description = "Not the host"),
        (status = 404, description = "No such competition, or it has no such account")
    )
)]
pub(super) async fn remove(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path((slug, account)): Path<(String, i64)>,
    Json(body): Json<SwitchBody>,
) -> SiteResult<StatusCode> {
    let origin = visitor.host()?.0.origin();
    let competition = find(&site, &slug)?;
    site.change(move |store| set_removed(store, &competition, account, body.on, &origin)).await?;
    site.queue.announce_change();
    Ok(StatusCode::NO_CONTENT)
}

/// A competition with its host's settings
///
/// Scope `host`.
#[utoipa::path(
    get, path = "/api/v1/host/contests/{competition}", operation_id = "hosted_contest", tag = "host",
    params(("competition" = String, Path, description = "The competition, by its place in addresses")),
    responses(
        (status = 200, body = ApiHostedCompetition),
        (status = 403, description = "Not the host"),
        (status = 404, description = "No such competition")
    )
)]
pub(super) async fn hosted(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(slug): Path<String>,
) -> SiteResult<Json<ApiHostedCompetition>> {
    visitor.host()?;
    let competition = find(&site, &slug)?;
    let id = competition.id;
    let read = site.read(move |store| Ok((store.count_entrants(id)?, store.count_programs(id)?)));
    let (entrants, programs) = read.await?;
    Ok(Json(ApiHostedCompetition { settings: CompetitionSettings::from(&competition), entrants, programs }))
}

fn answer(site: &Site, id: i64) -> SiteResult<Json<ApiCompetition>> {
    let competition = site.competition(id).ok_or(SiteError::NotFound)?;
    Ok(Json(ApiCompetition::new(site, &competition)))
}

/// Make a competition
///
/// Scope `host`.
#[utoipa::path(
    post, path = "/api/v1/host/contests", operation_id = "make_contest", tag = "host",
    request_body = CompetitionSettings,
    responses(
        (status = 201, body = ApiCompetition),
        (status = 403, description = "Not the host"),
        (status = 422, description = "A field is wrong: `field` names it")
    )
)]
pub(super) async fn make(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Json(settings): Json<CompetitionSettings>,
) -> SiteResult<Response> {
    visitor.host()?;
    let id = site.put_competition(settings.check(None)).await?;
    Ok((StatusCode::CREATED, answer(&site, id)?).into_response())
}

/// Applies a merge patch (RFC 7396) to an object: null removes, and objects are merged.
fn merge(into: &mut Value, patch: Value) {
    let Value::Object(fields) = patch else {
        *into = patch;
        return;
    };
    if !into.is_object() {
        *into = Value::Object(Map::new());
    }
    for (name, value) in fields {
        match value {
            Value::Null => drop(into.as_object_mut().and_then(|object| object.remove(&name))),
            value => merge(&mut into[&name], value),
        }
    }
}

/// Change a competition
///
/// By a merge patch (RFC 7396): fields left out stay, null stands for the default. A change of parameters or limits
/// takes effect with the next game. Scope `host`.
#[utoipa::path(
    patch, path = "/api/v1/host/contests/{competition}", operation_id = "change_contest", tag = "host",
    params(("competition" = String, Path, description = "The competition, by its place in addresses")),
    request_body = CompetitionSettings,
    responses(
        (status = 200, body = ApiCompetition),
        (status = 403, description = "Not the host"),
        (status = 404, description = "No such competition"),
        (status = 422, description = "A field is wrong: `field` names it")
    )
)]
pub(super) async fn change(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(slug): Path<String>,
    Json(patch): Json<Map<String, Value>>,
) -> SiteResult<Json<ApiCompetition>> {
    visitor.host()?;
    let competition = find(&site, &slug)?;
    let mut settings = serde_json::to_value(CompetitionSettings::from(&competition)).map_err(SiteError::internal)?;
    merge(&mut settings, Value::Object(patch));
    let unread = |error: serde_json::Error| SiteError::Refused(StatusCode::UNPROCESSABLE_ENTITY, error.to_string());
    let settings: CompetitionSettings = serde_json::from_value(settings).map_err(unread)?;
    let id = site.put_competition(settings.check(Some(&competition))).await?;
    answer(&site, id)
}

/// Close a competition now
///
/// One that is not open stays as it is. Scope `host`.
#[utoipa::path(
    post, path = "/api/v1/host/contests/{competition}/close", operation_id = "close_contest", tag = "host",
    params(("competition" = String, Path, description = "The competition, by its place in addresses")),
    responses(
        (status = 200, body = ApiCompetition),
        (status = 403, description = "Not the host"),
        (status = 404, description = "No such competition")
    )
)]
pub(super) async fn close(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(slug): Path<String>,
) -> SiteResult<Json<ApiCompetition>> {
    visitor.host()?;
    let competition = find(&site, &slug)?;
    let id = competition.id;
    site.close_competition(competition).await?;
    answer(&site, id)
}

/// Delete a competition without entrants
///
/// Scope `host`.
#[utoipa::path(
    delete, path = "/api/v1/host/contests/{competition}", operation_id = "delete_contest", tag = "host",
    params(("competition" = String, Path, description = "The competition, by its place in addresses")),
    responses(
        (status = 204, description = "Deleted"),
        (status = 403, description = "Not the host, a game's own competition, or one with programs of users"),
        (status = 404, description = "No such competition")
    )
)]
pub(super) async fn delete(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(slug): Path<String>,
) -> SiteResult<StatusCode> {
    visitor.host()?;
    site.delete_competition(&find(&site, &slug)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
