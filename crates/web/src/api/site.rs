//! The site: what it plays and allows, what is waiting, and searches by name.

use std::sync::Arc;

use agon_boards::json::Json;
use agon_catalog::Game;
use agon_external::RulesFile;
use agon_queue::progress::ages;
use agon_queue::waiting::{self, WaitReason, Waiting, WaitingWork};
use agon_referee::agent::Language;
use agon_site::accounts::is_open;
use agon_site::names::composed;
use agon_site::queue::Estimate;
use agon_site::submission::MAX_SOURCE_BYTES;
use axum::extract::{Path, Query, State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::answers::{ApiGame, ApiProgram, slug};
use super::visitor::ApiVisitor;
use crate::error::SiteError;
use crate::site::{Site, SiteResult};

const MAX_FOUND_PROGRAMS: u32 = 50;
const MAX_ANNOUNCEMENTS: u32 = 20;

/// A language that programs can be written in.
#[derive(Serialize, ToSchema)]
#[schema(as = Language)]
pub(super) struct ApiLanguage {
    /// Its name, as submissions give it.
    name: String,
    /// Whether it is offered here: whether its compiler or interpreter is installed.
    offered: bool,
}

/// Limits of every game.
#[derive(Serialize, ToSchema)]
#[schema(as = GameLimits)]
pub(super) struct ApiGameLimits {
    /// The clock of each side for a whole game, in milliseconds.
    clock_ms: u64,
    /// The time for READY, in milliseconds.
    ready_ms: u64,
    /// The time for an action of the petri dish, in milliseconds.
    invocation_ms: u64,
    /// Memory, in MiB.
    #[serde(rename = "memory_mb")]
    memory_mib: u64,
}

/// How much one account may submit.
#[derive(Serialize, ToSchema)]
#[schema(as = SubmissionLimits)]
pub(super) struct ApiSubmissionLimits {
    /// Versions within 24 hours.
    daily: u32,
    /// Programs for one game.
    programs: u32,
    /// Versions that wait for their check at once.
    waiting: u32,
    /// Bytes of a source.
    source_bytes: usize,
}

/// A site.
#[derive(Serialize, ToSchema)]
#[schema(as = Site)]
pub(super) struct ApiSite {
    /// The version of Agon.
    agon: String,
    /// Whether anyone may sign up.
    open: bool,
    /// The names of its games.
    games: Vec<String>,
    /// The languages of programs.
    languages: Vec<ApiLanguage>,
    /// Limits of every game.
    game_limits: ApiGameLimits,
    /// How much one account may submit.
    submission_limits: ApiSubmissionLimits,
    /// Games that can be played at once.
    workers: usize,
}

/// The site
///
/// Its games, its languages and its limits.
#[utoipa::path(get, path = "/api/v1/site", tag = "site", security(()), responses((status = 200, body = ApiSite)))]
pub(super) async fn site(State(site): State<Arc<Site>>, _: ApiVisitor) -> SiteResult<Json<ApiSite>> {
    let language =
        |language: Language| ApiLanguage { name: language.name().to_owned(), offered: site.queue.offers(language) };
    let (limits, submissions) = (&site.options.limits, &site.options.submissions);
    Ok(Json(ApiSite {
        agon: env!("CARGO_PKG_VERSION").to_owned(),
        open: site.read(is_open).await?,
        games: Game::all().iter().map(|game| game.name().to_owned()).collect(),
        languages: Language::ALL.into_iter().map(language).collect(),
        game_limits: ApiGameLimits {
            clock_ms: limits.clock_ms,
            ready_ms: limits.ready_ms,
            invocation_ms: limits.invocation_ms,
            memory_mib: limits.memory_mib,
        },
        submission_limits: ApiSubmissionLimits {
            daily: submissions.daily,
            programs: submissions.programs,
            waiting: submissions.waiting,
            source_bytes: MAX_SOURCE_BYTES,
        },
        workers: site.queue.capacity(),
    }))
}

/// The rules of a game.
#[derive(Serialize, ToSchema)]
#[schema(as = Rules)]
pub(super) struct ApiRules {
    /// The game's name.
    game: String,
    /// Its title.
    title: String,
    /// A summary in one line.
    summary: String,
    /// Its rules, line by line.
    rules: Vec<String>,
    /// The address of ALPHANO's own text.
    source: String,
    /// A program to start from, in Python.
    sample: String,
    /// The files of a game whose rules are a program: rules, samples and page. Empty of built-in games.
    files: Vec<ApiRulesFile>,
}

/// A file of a game whose rules are a program.
#[derive(Serialize, ToSchema)]
#[schema(as = RulesFile)]
pub(super) struct ApiRulesFile {
    /// Its name in the folder of the game.
    name: String,
    /// What it holds.
    text: String,
    /// True if it is a program.
    executable: bool,
}

/// The files of a game, those that are no text left out.
fn files(game: Game) -> Vec<ApiRulesFile> {
    let file = |file: &RulesFile| {
        let text = String::from_utf8(file.bytes.clone()).ok()?;
        Some(ApiRulesFile { name: file.name.clone(), text, executable: file.executable })
    };
    agon_external::files_of(game).into_iter().flatten().filter_map(file).collect()
}

/// The rules of a game
///
/// With a program to start from, and the files of a game whose rules are a program.
#[utoipa::path(
    get, path = "/api/v1/rules/{game}", tag = "site", security(()),
    params(("game" = String, Path, description = "The name of the game, or the address of a competition")),
    responses((status = 200, body = ApiRules), (status = 404, description = "No such game"))
)]
pub(super) async fn rules(visitor: ApiVisitor, Path(name): Path<String>) -> SiteResult<Json<ApiRules>> {
    let competitions = visitor.competitions();
    let competition = competitions.iter().find(|one| one.slug == name).map(|one| one.game);
    let game = competition.or_else(|| Game::by_name(&name)).ok_or(SiteError::NotFound)?;
    Ok(Json(ApiRules {
        game: game.name().to_owned(),
        title: game.title().to_owned(),
        summary: game.summary.to_owned(),
        rules: game.rules.iter().map(|line| (*line).to_owned()).collect(),
        source: game.source.to_owned(),
        sample: game.sample().to_owned(),
        files: files(game),
    }))
}

/// What is waiting, and what is being played.
#[derive(Serialize, ToSchema)]
#[schema(as = Queue)]
pub(super) struct ApiQueue {
    /// Submissions that wait or are being checked.
    waiting: u32,
    /// When the oldest of them was submitted; null if there is none.
    oldest: Option<i64>,
    /// About how many seconds a submission would wait now; null while that is not known.
    wait_seconds: Option<f64>,
    /// About how many seconds its check would take then.
    check_seconds: Option<f64>,
    /// Games that are being played, the newest first.
    running: Vec<ApiGame>,
    /// Games that can be played at once.
    workers: usize,
    /// What is waiting to be played, in order, and why.
    waits: Vec<ApiWaiting>,
}

/// Something waiting to be played.
#[derive(Serialize, ToSchema)]
#[schema(as = Waiting)]
pub(super) struct ApiWaiting {
    /// `checks`, `final`, `asked` games or a `ladder`.
    what: &'static str,
    /// The number of checks, or of requested games; null for others.
    count: Option<u32>,
    /// The number of the final; null of others.
    #[serde(rename = "final")]
    of_final: Option<i64>,
    /// The competition of the ladder; null of others.
    #[serde(rename = "contest")]
    competition: Option<String>,
    /// `stopped`: the site is read-only, or its disk is full; `no-workers`: no machine plays; `busy`: all workers play
    /// games; `round`: the next round depends on games that are being played; `checks` or a `final` come first;
    /// `paused` by the host.
    why: &'static str,
    /// The games that it waits for.
    games: Vec<i64>,
    /// When that will have ended at the latest; null if unknown.
    until: Option<i64>,
}

impl ApiWaiting {
    fn new(site: &Site, Waiting { what, why }: Waiting) -> Self {
        let (what, count, of_final, competition) = match what {
            WaitingWork::Checks(count) => ("checks", Some(count), None, None),
            WaitingWork::Final { id, .. } => ("final", None, Some(id), None),
            WaitingWork::Asked(count) => ("asked", Some(count), None, None),
            WaitingWork::Ladder { competition } => ("ladder", None, None, Some(slug(site, competition))),
        };
        let (why, games, until) = match why {
            WaitReason::Stopped => ("stopped", Vec::new(), None),
            WaitReason::NoWorkers => ("no-workers", Vec::new(), None),
            WaitReason::Busy { games, until } => ("busy", games, until),
            WaitReason::Round { games } => ("round", games, None),
            WaitReason::Checks(_) => ("checks", Vec::new(), None),
            WaitReason::Final(_) => ("final", Vec::new(), None),
            WaitReason::Paused => ("paused", Vec::new(), None),
        };
        Self { what, count, of_final, competition, why, games, until }
    }
}

/// The queue
///
/// Submissions that wait, and games that are being played.
#[utoipa::path(get, path = "/api/v1/queue", tag = "site", security(()), responses((status = 200, body = ApiQueue)))]
pub(super) async fn queue(State(site): State<Arc<Site>>, visitor: ApiVisitor) -> SiteResult<Json<ApiQueue>> {
    let (own, visible) = (Arc::clone(&site), visitor.competitions());
    let read = site.read(move |store| {
        Ok((store.check_queue()?, store.running()?, store.recent_times()?, waiting::read(&own.queue, store, &visible)?))
    });
    let (queue, running, times, waits) = read.await?;
    let estimate = Estimate::new(queue.queued, &ages(&running), site.queue.capacity(), site.options.workers > 0, times);
    Ok(Json(ApiQueue {
        waiting: queue.queued + queue.checking,
        oldest: queue.oldest,
        wait_seconds: estimate.map(|estimate| estimate.wait),
        check_seconds: estimate.map(|estimate| estimate.check),
        running: running
            .iter()
            .filter(|bout| visitor.sees(bout.competition))
            .map(|bout| ApiGame::new(&site, bout))
            .collect(),
        workers: site.queue.capacity(),
        waits: waits.into_iter().map(|one| ApiWaiting::new(&site, one)).collect(),
    }))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct SearchParams {
    /// With what the name of the program or of its owner begins.
    q: String,
}

/// Programs that were found.
#[derive(Serialize, ToSchema)]
#[schema(as = FoundPrograms)]
pub(super) struct ApiFoundPrograms {
    /// These, by name.
    programs: Vec<ApiProgram>,
}

/// Search programs
///
/// By the beginning of their names or of their owners' names; at most 50.
#[utoipa::path(
    get, path = "/api/v1/search", tag = "ladder", security(()),
    params(SearchParams),
    responses((status = 200, body = ApiFoundPrograms))
)]
pub(super) async fn search(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Query(query): Query<SearchParams>,
) -> SiteResult<Json<ApiFoundPrograms>> {
    let text = composed(query.q.trim());
    let found =
        site.read(
            move |store| if text.is_empty() { Ok(Vec::new()) } else { store.find_programs(&text, MAX_FOUND_PROGRAMS) },
        );
    let mut found = found.await?;
    found.retain(|program| visitor.sees(program.competition));
    let programs = found.iter().map(|program| ApiProgram::new(&site, program)).collect();
    Ok(Json(ApiFoundPrograms { programs }))
}

/// Announcements of the host.
#[derive(Serialize, ToSchema)]
#[schema(as = Announcement)]
pub(super) struct ApiAnnouncement {
    /// Its number.
    pub id: i64,
    /// The text.
    pub text: String,
    /// Since when.
    pub created: i64,
}

/// Announcements.
#[derive(Serialize, ToSchema)]
#[schema(as = Announcements)]
pub(super) struct ApiAnnouncements {
    /// The last 20, the newest first.
    announcements: Vec<ApiAnnouncement>,
}

/// The last announcements of the host
#[utoipa::path(
    get, path = "/api/v1/announcements", tag = "site", security(()),
    responses((status = 200, body = ApiAnnouncements))
)]
pub(super) async fn announcements(State(site): State<Arc<Site>>, _: ApiVisitor) -> SiteResult<Json<ApiAnnouncements>> {
    let all = site.read(|store| store.announcements(MAX_ANNOUNCEMENTS)).await?;
    let announcements = all.into_iter().map(|(id, text, created)| ApiAnnouncement { id, text, created }).collect();
    Ok(Json(ApiAnnouncements { announcements }))
}
