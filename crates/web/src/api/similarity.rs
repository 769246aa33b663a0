//! How alike the submitted sources are; only for the host.

use std::ops::Range;
use std::sync::Arc;

use agon_arena::similarity::SharedRegion;
use agon_boards::json::Json;
use agon_site::similarity::{ComparedSources, SimilarPair, compare_pair};
use agon_site::store::SubmittedSource;
use agon_site::unlikely;
use axum::extract::{Path, State};
use serde::Serialize;
use utoipa::ToSchema;

use super::visitor::ApiVisitor;
use crate::site::{Site, SiteResult};

/// A version that was compared.
#[derive(Serialize, ToSchema)]
#[schema(as = ComparedVersion)]
pub(super) struct ApiComparedVersion {
    /// Its number among all versions.
    version: i64,
    /// Its number within the program.
    number: u32,
    /// The program.
    program: i64,
    /// The program's name.
    name: String,
    /// Its owner.
    account: i64,
    /// The name of that account.
    owner: String,
    /// Its language.
    language: String,
}

impl From<&SubmittedSource> for ApiComparedVersion {
    fn from(source: &SubmittedSource) -> Self {
        let SubmittedSource { version, program, account, owner, name, number, language, .. } = source;
        Self {
            version: *version,
            number: *number,
            program: *program,
            name: name.clone(),
            account: *account,
            owner: owner.clone(),
            language: language.name().to_owned(),
        }
    }
}

/// Two versions that are alike.
#[derive(Serialize, ToSchema)]
#[schema(as = SimilarPair)]
pub(super) struct ApiSimilarPair {
    /// The game of both.
    game: String,
    /// Both.
    #[schema(min_items = 2, max_items = 2)]
    versions: Vec<ApiComparedVersion>,
    /// For each, the part of its fingerprints that the other one also has: 0 to 1. Pairs are ranked by the larger one.
    #[schema(min_items = 2, max_items = 2)]
    shares: Vec<f64>,
}

impl From<&SimilarPair> for ApiSimilarPair {
    fn from(pair: &SimilarPair) -> Self {
        Self {
            game: pair.versions[0].game.name().to_owned(),
            versions: pair.versions.iter().map(ApiComparedVersion::from).collect(),
            shares: pair.likeness.parts.to_vec(),
        }
    }
}

/// A comparison of all sources.
#[derive(Serialize, ToSchema)]
#[schema(as = SimilarityReport)]
pub(super) struct ApiSimilarityReport {
    /// Whether the next one is being created.
    running: bool,
    /// When this one was created; null if none has been since the site started.
    made: Option<i64>,
    /// How many versions were compared.
    versions: usize,
    /// The 200 pairs that are most alike, those first.
    pairs: Vec<ApiSimilarPair>,
}

fn report(site: &Site) -> Json<ApiSimilarityReport> {
    let (report, running) = site.similarity.state();
    let report = report.as_deref();
    Json(ApiSimilarityReport {
        running,
        made: report.map(|report| report.made),
        versions: report.map_or(0, |report| report.versions),
        pairs: report.map_or(&[][..], |report| &report.pairs).iter().map(ApiSimilarPair::from).collect(),
    })
}

/// A pair of programs whose rated games ended differently from what their results against all others suggest.
#[derive(Serialize, ToSchema)]
#[schema(as = UnlikelyPair)]
pub(super) struct ApiUnlikelyPair {
    /// The address of the competition.
    #[serde(rename = "contest")]
    competition: String,
    /// The program that has won too much, and the other one.
    #[schema(min_items = 2, max_items = 2)]
    programs: Vec<i64>,
    /// Their rated games.
    games: f64,
    /// Points of the first one.
    points: f64,
    /// The expected number.
    expected: f64,
    /// How many standard deviations apart the two are.
    deviations: f64,
}

/// The pairs of programs with unlikely results.
#[derive(Serialize, ToSchema)]
#[schema(as = UnlikelyResults)]
pub(super) struct ApiUnlikelyResults {
    /// By competition, the most unlikely ones first.
    pairs: Vec<ApiUnlikelyPair>,
}

/// Results that others do not explain
///
/// Versions that lose on purpose show up here. Scope `host`.
#[utoipa::path(
    get, path = "/api/v1/host/unlikely", operation_id = "unlikely", tag = "host",
    responses((status = 200, body = ApiUnlikelyResults), (status = 403, description = "Not the host"))
)]
pub(super) async fn unlikely(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
) -> SiteResult<Json<ApiUnlikelyResults>> {
    visitor.host()?;
    let competitions = site.competitions();
    let read = site.read(move |store| {
        let mut pairs = Vec::new();
        for competition in competitions.iter() {
            pairs.extend(unlikely::report(store, competition.id)?.iter().map(|pair| ApiUnlikelyPair {
                competition: competition.slug.clone(),
                programs: pair.programs.iter().map(|program| program.id).collect(),
                games: pair.games,
                points: pair.points,
                expected: pair.expected,
                deviations: pair.deviations,
            }));
        }
        Ok(pairs)
    });
    Ok(Json(ApiUnlikelyResults { pairs: read.await? }))
}

/// The last comparison of all sources
///
/// Scope `host`.
#[utoipa::path(
    get, path = "/api/v1/host/similarity", operation_id = "similarity", tag = "host",
    responses((status = 200, body = ApiSimilarityReport), (status = 403, description = "Not the host"))
)]
pub(super) async fn last(State(site): State<Arc<Site>>, visitor: ApiVisitor) -> SiteResult<Json<ApiSimilarityReport>> {
    visitor.host()?;
    Ok(report(&site))
}

/// Compare all sources
///
/// Every submitted version compared with those of other people and teams for the same game. The answer waits ten
/// seconds for it; an answer with `running` has the previous report, and the new one comes later. Scope `host`.
#[utoipa::path(
    post, path = "/api/v1/host/similarity", operation_id = "compare_sources", tag = "host",
    responses((status = 200, body = ApiSimilarityReport), (status = 403, description = "Not the host"))
)]
pub(super) async fn compare(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
) -> SiteResult<Json<ApiSimilarityReport>> {
    visitor.host()?;
    site.compare_sources().await;
    Ok(report(&site))
}

/// What two sources share, by bytes of each.
#[derive(Serialize, ToSchema)]
#[schema(as = SharedRegion)]
pub(super) struct ApiSharedRegion {
    /// The first byte in each source.
    #[schema(min_items = 2, max_items = 2)]
    starts: Vec<usize>,
    /// The byte after the last one in each source.
    #[schema(min_items = 2, max_items = 2)]
    ends: Vec<usize>,
}

impl From<&SharedRegion> for ApiSharedRegion {
    fn from(region: &SharedRegion) -> Self {
        let ends = |end: fn(&Range<usize>) -> usize| region.places.iter().map(end).collect();
        Self { starts: ends(|place| place.start), ends: ends(|place| place.end) }
    }
}

/// Two versions with their sources.
#[derive(Serialize, ToSchema)]
#[schema(as = ComparedSources)]
pub(super) struct ApiComparedSources {
    /// Both.
    #[schema(min_items = 2, max_items = 2)]
    versions: Vec<ApiComparedVersion>,
    /// Their sources.
    #[schema(min_items = 2, max_items = 2)]
    sources: Vec<String>,
    /// What they share, the longest first.
    regions: Vec<ApiSharedRegion>,
}

/// Two versions side by side
///
/// With their sources and what they share. Scope `host`.
#[utoipa::path(
    get, path = "/api/v1/host/similarity/{one}/{other}", operation_id = "similar_pair", tag = "host",
    params(
        ("one" = i64, Path, description = "The number of a version among all versions"),
        ("other" = i64, Path, description = "Another's")
    ),
    responses(
        (status = 200, body = ApiComparedSources),
        (status = 403, description = "Not the host"),
        (status = 404, description = "No such versions")
    )
)]
pub(super) async fn pair(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path((one, other)): Path<(i64, i64)>,
) -> SiteResult<Json<ApiComparedSources>> {
    visitor.host()?;
    let ComparedSources { versions, sources, regions } =
        site.consult(move |store| compare_pair(store, one, other)).await?;
    Ok(Json(ApiComparedSources {
        versions: versions.iter().map(ApiComparedVersion::from).collect(),
        sources: sources.into(),
        regions: regions.iter().map(ApiSharedRegion::from).collect(),
    }))
}
