//! Finals.

use std::collections::BTreeMap;
use std::sync::Arc;

use agon_arena::plan::Kind;
use agon_arena::standings::TieBreak;
use agon_boards::json::Json;
use agon_site::competition::CompetitionError;
use agon_site::finals::{FinalForm, FinalTable};
use agon_site::store::{FinalState, FinalToCome, SiteFinal};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answers::slug;
use super::visitor::ApiVisitor;
use crate::site::{Site, SiteResult};

/// How a final pairs its programs.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = FinalSystem)]
pub(super) enum ApiFinalSystem {
    RoundRobin,
    Swiss,
}

/// A final.
#[derive(Serialize, ToSchema)]
#[schema(as = Final)]
pub(super) struct ApiFinal {
    /// Its number.
    id: i64,
    /// Its title.
    title: String,
    /// The competition.
    #[serde(rename = "contest")]
    competition: String,
    /// The game.
    game: String,
    /// How its programs are paired.
    system: ApiFinalSystem,
    /// Rounds of a Swiss tournament; null of others.
    rounds: Option<u32>,
    /// Games of a pairing.
    games_a_pairing: u32,
    /// The seed from which everything random follows.
    seed: u64,
    /// Its state.
    state: FinalState,
    /// Its programs, by name, version and owner.
    programs: Vec<String>,
    /// When it was begun.
    created: i64,
}

impl ApiFinal {
    fn new(site: &Site, one: &SiteFinal) -> Self {
        let rounds = if let Kind::Swiss { rounds } = one.plan.kind { Some(rounds) } else { None };
        Self {
            id: one.id,
            title: one.title.clone(),
            competition: slug(site, one.competition),
            game: one.plan.game.name().to_owned(),
            system: if rounds.is_some() { ApiFinalSystem::Swiss } else { ApiFinalSystem::RoundRobin },
            rounds,
            games_a_pairing: one.plan.games,
            seed: one.plan.seed,
            state: one.state,
            programs: one.plan.agents.iter().map(|agent| agent.name.clone()).collect(),
            created: one.created,
        }
    }
}

/// A final that begins by itself.
#[derive(Serialize, ToSchema)]
#[schema(as = ScheduledFinal)]
pub(super) struct ApiScheduledFinal {
    /// The number that it will have; of several divisions, the first one.
    id: i64,
    /// Its title.
    title: String,
    /// The competition.
    #[serde(rename = "contest")]
    competition: String,
    /// When it begins.
    begins: i64,
    /// True if it could not begin at that time.
    failed: bool,
    /// The numbers of its divisions, by their titles; empty if it is undivided.
    divisions: BTreeMap<String, i64>,
}

impl ApiScheduledFinal {
    fn new(site: &Site, coming: FinalToCome) -> Self {
        Self {
            id: coming.number,
            competition: slug(site, coming.competition),
            title: coming.form.title,
            begins: coming.begins,
            failed: coming.failed,
            divisions: coming.divisions,
        }
    }
}

/// Finals.
#[derive(Serialize, ToSchema)]
#[schema(as = Finals)]
pub(super) struct ApiFinals {
    /// Those that begin by themselves, the next one first.
    scheduled: Vec<ApiScheduledFinal>,
    /// These, the newest first.
    finals: Vec<ApiFinal>,
}

/// A row of the standings.
#[derive(Serialize, ToSchema)]
#[schema(as = StandingsRow)]
pub(super) struct ApiStanding {
    /// The place, from 1; programs that are level in every tie-break share one. Null of a built-in player, and of a
    /// program without a game or a bye.
    place: Option<usize>,
    /// The program, by name, version and owner.
    program: String,
    /// Points: one for a win, half for a draw, those of a whole pairing for a bye.
    points: f64,
    /// The most points that it could have by now.
    possible: f64,
    /// Games won.
    won: u64,
    /// Games drawn.
    drawn: u64,
    /// Games lost.
    lost: u64,
    /// Rounds of a Swiss tournament without an opponent, each worth the points of all games of a pairing.
    byes: u32,
    /// The sum of the opponents' points; that of a bye has as many as the program itself.
    buchholz: f64,
    /// The sum of the points scored times the opponents' points.
    sonneborn_berger: f64,
    /// Games won in the second seat.
    wins_in_second_seat: u64,
}

/// Two programs that meet in a round.
#[derive(Serialize, ToSchema)]
#[schema(as = Pairing)]
pub(super) struct ApiPairing {
    /// By name, version and owner.
    programs: [String; 2],
    /// The points of both so far.
    points: [f64; 2],
    /// Games that have a result.
    played: u32,
}

/// A round of a Swiss tournament.
#[derive(Serialize, ToSchema)]
#[schema(as = Round)]
pub(super) struct ApiRound {
    /// Its number, from 1.
    round: u32,
    /// Who meets whom.
    pairings: Vec<ApiPairing>,
    /// The program without an opponent; null if all have one.
    bye: Option<String>,
    /// Whether all its games have ended; then the bye has its points.
    complete: bool,
}

/// A final with its standings.
#[derive(Serialize, ToSchema)]
#[schema(as = FinalDetails)]
pub(super) struct ApiFinalDetails {
    /// The final.
    #[serde(flatten)]
    about: ApiFinal,
    /// Games played.
    played: u64,
    /// The total number of games.
    of: u64,
    /// The programs that are out, whose games do not count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    disqualified: Vec<String>,
    /// The standings, from the first place to the last.
    standings: Vec<ApiStanding>,
    /// What decides between programs with equal points, in this order.
    tie_breaks: Vec<ApiTieBreak>,
    /// The rounds of a Swiss tournament that have been paired; empty for others.
    pairings: Vec<ApiRound>,
}

/// What decides between programs with equal points.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TieBreak)]
pub(super) enum ApiTieBreak {
    /// The sum of the opponents' points.
    Buchholz,
    /// The sum of the points scored times the opponents' points.
    SonnebornBerger,
    /// Points against those who are level, if all of them have met.
    DirectEncounter,
    /// Games won.
    Wins,
    /// Games won in the second seat.
    WinsInSecondSeat,
}

impl From<TieBreak> for ApiTieBreak {
    fn from(tie_break: TieBreak) -> Self {
        match tie_break {
            TieBreak::Buchholz => Self::Buchholz,
            TieBreak::SonnebornBerger => Self::SonnebornBerger,
            TieBreak::DirectEncounter => Self::DirectEncounter,
            TieBreak::Wins => Self::Wins,
            TieBreak::WinsInSecondSeat => Self::WinsInSecondSeat,
        }
    }
}

fn details(site: &Site, table: &FinalTable) -> ApiFinalDetails {
    let one = &table.one;
    let name = |agent: usize| one.plan.agents[agent].name.clone();
    let standings = table.standings.rows.iter().map(|row| ApiStanding {
        place: row.place,
        program: one.plan.agents[row.agent].name.clone(),
        points: row.points,
        possible: row.possible,
        won: row.bouts.wins,
        drawn: row.bouts.draws,
        lost: row.bouts.losses,
        byes: row.byes,
        buchholz: row.buchholz,
        sonneborn_berger: row.sonneborn,
        wins_in_second_seat: row.second_seat_wins,
    });
    let rounds = table.rounds.iter().map(|round| ApiRound {
        round: round.number,
        pairings: round
            .pairings
            .iter()
            .map(|pairing| ApiPairing {
                programs: pairing.agents.map(name),
                points: pairing.points,
                played: pairing.played,
            })
            .collect(),
        bye: round.bye.map(name),
        complete: round.whole,
    });
    ApiFinalDetails {
        about: ApiFinal::new(site, one),
        played: table.played,
        of: one.plan.bouts(),
        disqualified: table.outs.iter().map(|&agent| one.plan.agents[agent].name.clone()).collect(),
        standings: standings.collect(),
        tie_breaks: TieBreak::for_kind(one.plan.kind).iter().copied().map(ApiTieBreak::from).collect(),
        pairings: rounds.collect(),
    }
}

/// All finals, the newest first, and the scheduled ones
#[utoipa::path(get, path = "/api/v1/finals", tag = "finals", security(()), responses((status = 200, body = ApiFinals)))]
pub(super) async fn finals(State(site): State<Arc<Site>>, visitor: ApiVisitor) -> SiteResult<Json<ApiFinals>> {
    let (mut all, mut coming) = site.read(|store| Ok((store.finals()?, store.finals_to_come()?))).await?;
    all.retain(|one| visitor.sees(one.competition));
    coming.retain(|one| visitor.sees(one.competition));
    let scheduled = coming.into_iter().map(|coming| ApiScheduledFinal::new(&site, coming)).collect();
    Ok(Json(ApiFinals { scheduled, finals: all.iter().map(|one| ApiFinal::new(&site, one)).collect() }))
}

/// A final with its standings
#[utoipa::path(
    get, path = "/api/v1/finals/{id}", operation_id = "final", tag = "finals", security(()),
    params(("id" = i64, Path, description = "The final's number")),
    responses((status = 200, body = ApiFinalDetails), (status = 404, description = "No such final"))
)]
pub(super) async fn one(
    State(site): State<Arc<Site>>,
    _: ApiVisitor,
    Path(id): Path<i64>,
) -> SiteResult<Json<ApiFinalDetails>> {
    let table = site.consult(move |store| FinalTable::read(store, id)).await?;
    Ok(Json(details(&site, &table)))
}

/// A final to begin, and where.
#[derive(Deserialize, ToSchema)]
pub(super) struct NewFinal {
    /// The address of the competition, as in `/ladder/…`.
    #[serde(alias = "game")]
    #[schema(example = "renju")]
    #[serde(rename = "contest")]
    competition: String,
    #[serde(flatten)]
    form: FinalForm,
}

/// Begin a final
///
/// Between the 64 best programs of users, as they are now. For the host, scope `host`.
#[utoipa::path(
    post, path = "/api/v1/finals", operation_id = "begin_final", tag = "host", request_body = NewFinal,
    responses(
        (status = 201, body = ApiFinalDetails),
        (status = 202, body = ApiScheduledFinal, description = "It begins later, with the best programs of that time"),
        (status = 403, description = "Not the host"),
        (status = 422, description = "A field is wrong, or there are fewer than two programs")
    )
)]
pub(super) async fn begin(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Json(new): Json<NewFinal>,
) -> SiteResult<Response> {
    visitor.host()?;
    let unknown = || CompetitionError::unknown(&new.competition);
    let competition = site.competition_at(&new.competition).ok_or_else(unknown)?;
    let of = competition.id;
    let Some(id) = site.begin_final(competition, new.form).await? else {
        let coming = site.read(move |store| Ok(store.finals_to_come()?.into_iter().find(|one| one.competition == of)));
        let scheduled = coming.await?.map(|coming| ApiScheduledFinal::new(&site, coming));
        return Ok((StatusCode::ACCEPTED, Json(scheduled)).into_response());
    };
    let table = site.consult(move |store| FinalTable::read(store, id)).await?;
    Ok((StatusCode::CREATED, Json(details(&site, &table))).into_response())
}

/// Stop a final
///
/// For the host, scope `host`. Games that are being played end.
#[utoipa::path(
    post, path = "/api/v1/finals/{id}/stop", operation_id = "stop_final", tag = "host",
    params(("id" = i64, Path, description = "The final's number")),
    responses(
        (status = 200, body = ApiFinalDetails),
        (status = 403, description = "Not the host"),
        (status = 404, description = "No such final")
    )
)]
pub(super) async fn stop(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
) -> SiteResult<Json<ApiFinalDetails>> {
    visitor.host()?;
    site.write(move |store| store.end_final(id, FinalState::Stopped)).await?;
    let table = site.consult(move |store| FinalTable::read(store, id)).await?;
    Ok(Json(details(&site, &table)))
}
