//! Contests.

use std::collections::BTreeMap;
use std::sync::Arc;

use agon_arena::store::site::{ContestPhase, EntryRule, ReplayRule, SiteContest};
use agon_referee::agent::Language;
use axum::Json;
use axum::extract::{Path, State};
use serde::Serialize;
use utoipa::ToSchema;

use super::visitor::ApiVisitor;
use crate::clock::now;
use crate::error::SiteError;
use crate::site::{Site, SiteResult};

/// Whether a contest takes submissions and plays games.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ContestPhase)]
pub enum ApiContestPhase {
    Coming,
    Running,
    Closed,
}

/// Who may enter a contest.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = EntryRule)]
pub enum ApiEntryRule {
    Open,
    Invited,
}

/// From when on everybody may see the moves of games; results are seen at once.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ReplayRule)]
pub enum ApiReplayRule {
    Always,
    After,
}

/// A contest.
#[derive(Serialize, ToSchema)]
#[schema(as = Contest)]
pub struct ApiContest {
    /// Its place in addresses: by it other routes name it.
    slug: String,
    /// What it is called.
    title: String,
    /// What its host says about it.
    description: String,
    /// What is played.
    game: String,
    /// Parameters of the game; those left out have their defaults.
    parameters: BTreeMap<String, String>,
    /// Plies that are drawn for both sides before each game.
    openings: u32,
    /// The clock of each side for a whole game, in milliseconds.
    clock_ms: u64,
    /// Memory of a program, in MiB.
    memory_mb: u64,
    /// The languages that may be used; null for all that the site offers.
    languages: Option<Vec<String>>,
    /// When it opens; null when it always was open.
    opens: Option<i64>,
    /// When it closes; null when it never does.
    closes: Option<i64>,
    /// Whether it is open now.
    phase: ApiContestPhase,
    /// Submissions of an account within 24 hours.
    daily: u32,
    /// Who may enter.
    entry: ApiEntryRule,
    /// Who sees the moves.
    replays: ApiReplayRule,
    /// When it was made.
    created: i64,
}

impl ApiContest {
    fn new(site: &Site, contest: &SiteContest) -> Self {
        let limits = contest.limits(site.options.limits);
        let names = |languages: &Vec<Language>| languages.iter().map(|language| language.name().to_owned()).collect();
        Self {
            slug: contest.slug.clone(),
            title: contest.title.clone(),
            description: contest.description.clone(),
            game: contest.game.name().to_owned(),
            parameters: contest.parameters.clone(),
            openings: contest.openings,
            clock_ms: limits.clock_ms,
            memory_mb: limits.memory_mb,
            languages: contest.languages.as_ref().map(names),
            opens: contest.opens,
            closes: contest.closes,
            phase: match contest.phase(now()) {
                ContestPhase::Coming => ApiContestPhase::Coming,
                ContestPhase::Running => ApiContestPhase::Running,
                ContestPhase::Closed => ApiContestPhase::Closed,
            },
            daily: contest.daily.unwrap_or(site.options.submissions.daily),
            entry: match contest.entry {
                EntryRule::Open => ApiEntryRule::Open,
                EntryRule::Invited => ApiEntryRule::Invited,
            },
            replays: match contest.replays {
                ReplayRule::Always => ApiReplayRule::Always,
                ReplayRule::After => ApiReplayRule::After,
            },
            created: contest.created,
        }
    }
}

/// Contests.
#[derive(Serialize, ToSchema)]
#[schema(as = Contests)]
pub struct ApiContests {
    /// These, the oldest first.
    contests: Vec<ApiContest>,
}

/// All contests
///
/// Each game has one of its own name, which never closes unless the host says so.
#[utoipa::path(get, path = "/api/v1/contests", tag = "ladder", security(()), responses((status = 200, body = ApiContests)))]
pub async fn contests(State(site): State<Arc<Site>>, _: ApiVisitor) -> Json<ApiContests> {
    let contests = site.contests();
    Json(ApiContests { contests: contests.iter().map(|contest| ApiContest::new(&site, contest)).collect() })
}

/// A contest
#[utoipa::path(get, path = "/api/v1/contests/{contest}", tag = "ladder", security(()), params(("contest" = String, Path, description = "The contest, by its place in addresses")),
    responses((status = 200, body = ApiContest), (status = 404, description = "No such contest")))]
pub async fn contest(
    State(site): State<Arc<Site>>,
    _: ApiVisitor,
    Path(slug): Path<String>,
) -> SiteResult<Json<ApiContest>> {
    let contest = site.contest_at(&slug).ok_or(SiteError::NotFound)?;
    Ok(Json(ApiContest::new(&site, &contest)))
}
