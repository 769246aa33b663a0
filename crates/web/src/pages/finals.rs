//! Finals: their standings, their games, and how the host begins one.

use std::sync::Arc;

use agon_arena::plan::Kind;
use agon_arena::{Plan, Standings};
use agon_boards::layout::Page;
use agon_boards::picture::{Picture, illustration};
use agon_boards::text::{ago, localized, moment, read_time, t, time, typed_time, until};
use agon_site::access::may_watch;
use agon_site::clock::now;
use agon_site::finals::{self, FinalForm, FinalRound, FinalTable, MAX_CHAMPIONS, MAX_DIVISIONS, MAX_PROGRAMS};
use agon_site::queue::about;
use agon_site::store::{Competition, DELETED, FinalState, FinalToCome, RecentTimes, SiteFinal, SiteStore};
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::parts;
use super::preview::{Preview, game_picture};
use crate::auth::Host;
use crate::download::as_csv;
use crate::layout::{ShowPage as _, competition_title};
use crate::once::once;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// Games on the page of a final.
const GAMES_SHOWN: usize = 200;

/// Games between two that a cell of the cross table leads to.
const MAX_LINKED: usize = 6;

/// How often the page for a projector reloads.
const SCREEN_SECONDS: u32 = 5;

/// Boards of games that are being played.
const BOARDS: usize = 4;

/// Rows of standings with a step of the podium.
const PODIUM_PLACES: usize = 3;

/// All finals.
pub(crate) async fn list(State(site): State<Arc<Site>>, visitor: Visitor) -> SiteResult<Response> {
    let mut all = site.read(SiteStore::finals).await?;
    all.retain(|one| visitor.sees(one.competition));
    let body = html! {
        h1 { (t!("finals-title")) }
        @if all.is_empty() { p.empty { (t!("finals-none")) " " a href="/games" { (t!("layout-games")) } } }
        ul.plain { @for one in &all { li {
            a href={ "/final/" (one.id) } { (one.title) }
            span.faint {
                " · " (site.competition(one.competition).map_or(String::new(), |own| competition_title(&own))) " · "
                (t!("finals-programs", count = one.plan.agents.len())) " · " (state_words(one.state)) " · "
                (ago(one.created))
            }
        } } }
    };
    Ok(Page::new(t!("finals-title"), body).show(&visitor))
}

/// The scheduled finals, for those who see their competitions.
pub(super) fn to_come(site: &Site, finals: &[FinalToCome]) -> Markup {
    html! {
        @for coming in finals.iter().filter(|coming| !coming.failed) {
            p.notice {
                @match site.competition(coming.competition) {
                    Some(competition) => a href={ "/ladder/" (competition.slug) } { (coming.form.title) },
                    None => (coming.form.title),
                }
                ": "
                (t!("finals-to-come", left = until(coming.begins))) " (" (time(coming.begins)) ")"
                @if coming.begins > now() {
                    " " strong.countdown data-until=(moment(coming.begins)) aria-hidden="true" {}
                }
            }
        }
    }
}

/// The state of a final in one word.
pub(crate) fn state_words(state: FinalState) -> String {
    match state {
        FinalState::Running => t!("finals-state-running"),
        FinalState::Complete => t!("finals-state-complete"),
        FinalState::Stopped => t!("finals-state-stopped"),
    }
}

#[derive(Deserialize)]
pub(crate) struct FinalQuery {
    /// The round of a Swiss final after which the standings are shown; 0 for the current standings.
    #[serde(default)]
    round: u32,
}

/// A final.
pub(crate) async fn show(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(id): Path<i64>,
    Query(query): Query<FinalQuery>,
) -> SiteResult<Response> {
    let (table, times) = site.consult(move |store| Ok((FinalTable::read(store, id)?, store.recent_times()?))).await?;
    let programs = programs_of(&site, &table).await?;
    let one = &table.one;
    let rounds = table.rounds.iter().filter(|round| round.whole).count() as u32;
    let after = Some(query.round).filter(|round| (1..rounds).contains(round));
    let earlier = after.map(|round| table.standings_after(round));
    let mut games: Vec<_> = table.bouts.iter().rev().filter_map(|played| played.bout.clone()).collect();
    games.truncate(GAMES_SHOWN);
    let running = one.state == FinalState::Running;
    let body = html! {
        h1 { (one.title) }
        p {
            @if let Some(competition) = site.competition(one.competition) {
                a href={ "/ladder/" (competition.slug) } { (competition_title(&competition)) } " · "
            }
            (system(&one.plan)) " · "
            (t!("finals-terms", games = one.plan.games, seed = one.plan.seed.to_string())) " · "
            (ago(one.created))
        }
        p { (progress(&table)) (time_left(&site, &table, times)) }
        @if one.state == FinalState::Complete && after.is_none() {
            section.card.podium-card { (podium(&table, &programs)) }
        }
        (boards(&site, &visitor, &table))
        p.links {
            a href={ "/final/" (id) "/screen" } { (t!("finals-screen")) }
            a href={ "/final/" (id) "/standings.csv" } { (t!("finals-csv")) }
            @if !table.rounds.is_empty() { a href={ "/final/" (id) "/pairings.csv" } { (t!("finals-pairings-csv")) } }
            a href={ "/api/v1/finals/" (id) } { "JSON" }
        }
        @if visitor.is_host() && running {
            @let form = html! {
                form method="post" action={ "/final/" (id) "/stop" } { button.danger { (t!("finals-stop")) } }
            };
            (parts::confirmed(&t!("finals-stop"), &t!("finals-stop-sure"), &form))
        }
        @if rounds > 1 { (round_links(id, rounds, after)) }
        @match &earlier {
            Some(earlier) => (standings(&table, earlier, &programs, false)),
            None => (standings(&table, &table.standings, &programs, visitor.is_host())),
        }
        h2 { (t!("finals-cross")) }
        (cross_table(&table))
        (pairings(&table))
        @if !games.is_empty() { h2 { (t!("finals-games")) } (parts::games(&site, &games, None, false)) }
    };
    let competition = site.competition(one.competition);
    let head = competition.map(|competition| {
        let preview = Preview {
            title: &one.title,
            text: &t!("finals-preview", title = competition_title(&competition)),
            path: &format!("/final/{id}"),
            picture: &game_picture(competition.game),
        };
        preview.head(&site)
    });
    let mut page = Page::new(one.title.clone(), body).with_head(head.unwrap_or_default());
    page.refresh = running.then_some(30);
    Ok(page.show(&visitor))
}

/// Links to the standings after each round that has been played.
fn round_links(id: i64, rounds: u32, after: Option<u32>) -> Markup {
    html! {
        nav.rounds aria-label=(t!("finals-after")) {
            span.faint { (t!("finals-after")) }
            @for round in 1..rounds {
                @let current = (after == Some(round)).then_some("page");
                " " a href={ "/final/" (id) "?round=" (round) } aria-current=[current] { (round) }
            }
            " " a href={ "/final/" (id) } aria-current=[after.is_none().then_some("page")] { (rounds) }
        }
    }
}

/// Roughly how long the remaining games take, while a final runs.
fn time_left(site: &Site, table: &FinalTable, times: RecentTimes) -> Markup {
    let goes_on = table.one.state == FinalState::Running && table.left() > 0;
    let seconds = times.seconds_for(table.left(), site.queue.capacity()).filter(|_| goes_on);
    html! {
        @if let Some(seconds) = seconds {
            " " (t!("finals-left", time = localized(&about(seconds))))
        }
    }
}

/// The first three that are not built-in players.
fn podium(table: &FinalTable, programs: &[Option<i64>]) -> Markup {
    let placed = table.standings.rows.iter().filter_map(|row| Some((row.place?, row)));
    html! {
        ol.podium { @for (place, row) in placed.take_while(|(place, _)| *place <= PODIUM_PLACES) {
            li class={ "place" (place) } {
                span.medal aria-hidden="true" { (place) }
                span { (linked_name(&table.one, programs, row.agent)) }
                @let [points, possible] = [row.points, row.possible].map(|points| points.to_string());
                span.strong { (t!("finals-points-of", points = points, possible = possible)) }
            }
        } }
    }
}

/// The boards of games in progress, for those who may watch them.
fn boards(site: &Site, visitor: &Visitor, table: &FinalTable) -> Markup {
    let competition = site.competition(table.one.competition);
    let running = table.bouts.iter().filter(|played| played.winner.is_none()).filter_map(|played| played.bout.as_ref());
    let playing: Vec<_> = running.filter(|bout| may_watch(competition.as_ref(), visitor, bout)).collect();
    html! {
        @if !playing.is_empty() {
            h2 { span.live-mark { (t!("front-live")) } " " (t!("finals-now")) }
            div.boards { @for bout in playing.iter().take(BOARDS) {
                @let stands = site.queue.live.find(bout.id).and_then(|live| live.stands());
                a.board-link href={ "/game/" (bout.id) } {
                    @match stands.as_ref().and_then(|(view, _)| Picture::from_view(view)) {
                        Some(picture) => div.board.mini { (picture.svg(Some(&t!("front-board-now")))) },
                        None => div.board.mini { (illustration(bout.game)) },
                    }
                    strong { (bout.seats[0].label()) " – " (bout.seats[1].label()) }
                    " " span.faint {
                        @match stands {
                            Some((_, moves @ 1..)) => (t!("front-moves", count = moves)),
                            _ => (t!("front-begins")),
                        }
                    }
                }
            } }
            @if playing.len() > BOARDS { p.faint { (t!("finals-more", count = playing.len() - BOARDS)) } }
        }
    }
}

/// The same in large letters for a projector; it reloads itself.
pub(crate) async fn screen(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(id): Path<i64>,
) -> SiteResult<Response> {
    let (table, times) = site.consult(move |store| Ok((FinalTable::read(store, id)?, store.recent_times()?))).await?;
    let programs = programs_of(&site, &table).await?;
    let complete = table.one.state == FinalState::Complete;
    let body = html! {
        div.projector data-again=[(table.one.state == FinalState::Running).then_some(SCREEN_SECONDS)] {
            h1 { a href={ "/final/" (id) } { (table.one.title) } }
            p { (progress(&table)) (time_left(&site, &table, times)) }
            @if complete { (podium(&table, &programs)) }
            (boards(&site, &visitor, &table))
            @if let Some(round) = table.rounds.last().filter(|_| !complete) {
                h2 { (t!("finals-round", number = round.number)) }
                (pairings_of(&table.one, round))
            }
            (standings(&table, &table.standings, &programs, false))
        }
    };
    let mut page = Page::new(table.one.title.clone(), body).with_script("again.js");
    page.refresh = (table.one.state == FinalState::Running).then_some(SCREEN_SECONDS);
    Ok(page.show_on_screen(&visitor))
}

fn system(plan: &Plan) -> String {
    match plan.kind {
        Kind::Swiss { rounds } => t!("finals-swiss-rounds", count = rounds),
        _ => t!("finals-round-robin"),
    }
}

/// How far a final has come, in one sentence.
fn progress(table: &FinalTable) -> Markup {
    html! {
        (t!("finals-played", played = table.played, all = table.one.plan.bouts())) " "
        @match table.one.state {
            FinalState::Running => (t!("finals-running")),
            FinalState::Complete => (t!("finals-complete")),
            FinalState::Stopped => (t!("finals-stopped")),
        }
    }
}

/// The name of a program in the plan.
fn agent_name(one: &SiteFinal, agent: usize) -> String {
    match one.plan.agents[agent].name.as_str() {
        DELETED => t!("finals-deleted"),
        name => name.to_owned(),
    }
}

/// The programs of a final by their positions in the plan; `None` for one that has been deleted.
async fn programs_of(site: &Arc<Site>, table: &FinalTable) -> SiteResult<Vec<Option<i64>>> {
    let competition = table.one.competition;
    let agents: Vec<String> = table.one.plan.agents.iter().map(|entrant| entrant.agent.clone()).collect();
    let read = site.read(move |store| {
        let program = |agent: &String| match agent.parse() {
            Ok(version) => Ok(store.version(version)?.map(|version| version.program)),
            Err(_) => Ok(store.builtin(competition, agent)?.map(|program| program.id)),
        };
        agents.iter().map(program).collect()
    });
    read.await
}

/// A program of the plan, with a link to its page.
fn linked_name(one: &SiteFinal, programs: &[Option<i64>], agent: usize) -> Markup {
    let name = agent_name(one, agent);
    html! {
        @if let Some(program) = programs[agent] { a href={ "/program/" (program) } { (name) } } @else { (name) }
    }
}

/// The standings, with links to the programs; a host takes programs out and lets them back in.
fn standings(table: &FinalTable, standings: &Standings, programs: &[Option<i64>], host: bool) -> Markup {
    let (one, swiss) = (&table.one, matches!(table.one.plan.kind, Kind::Swiss { .. }));
    let button = |agent: usize, out: bool| {
        html! {
            form.inline method="post" action={ "/final/" (one.id) "/out" } {
                input type="hidden" name="agent" value=(agent);
                input type="hidden" name="out" value=(if out { "yes" } else { "no" });
                @if out {
                    (parts::confirmed(
                        &t!("finals-out"),
                        &t!("finals-out-sure"),
                        &html! { button.small.danger { (t!("finals-out")) } },
                    ))
                } @else {
                    button.small { (t!("finals-in")) }
                }
            }
        }
    };
    let has_byes =
        table.rounds.iter().any(|round| round.bye.is_some()) || standings.rows.iter().any(|row| row.byes > 0);
    let tie = if swiss { t!("finals-buchholz") } else { t!("finals-sonneborn") };
    let name = |agent: usize| linked_name(one, programs, agent);
    html! {
        div.scroll tabindex="0" role="region" aria-label=(t!("finals-standings")) { table.wide.standings.cards {
            thead {
                tr {
                    th scope="col" { "#" }
                    th.name scope="col" { (t!("finals-program")) }
                    th scope="col" { (t!("finals-points")) }
                    th scope="col" { (t!("finals-possible")) }
                    th scope="col" { (t!("finals-won")) }
                    th scope="col" { (t!("finals-drawn")) }
                    th scope="col" { (t!("finals-lost")) }
                    @if swiss { th scope="col" { (t!("finals-byes")) } }
                    th scope="col" { (tie) }
                    @if host { td {} }
                }
            }
            tbody {
                @for row in &standings.rows {
                    @let mark = one.is_builtin(row.agent);
                    tr class=[mark.then_some("faint")] {
                        td { @if let Some(place) = row.place { (place) } }
                        th.name scope="row" { (name(row.agent)) }
                        td.strong.elo { (row.points) } td data-label=(t!("finals-possible")) { (row.possible) }
                        td data-label=(t!("finals-won")) { (row.bouts.wins) }
                        td data-label=(t!("finals-drawn")) { (row.bouts.draws) }
                        td data-label=(t!("finals-lost")) { (row.bouts.losses) }
                        @if swiss { td data-label=(t!("finals-byes")) { (row.byes) } }
                        td data-label=(tie) { @if swiss { (row.buchholz) } @else { (row.sonneborn) } }
                        @if host { td.name { @if !mark { (button(row.agent, true)) } } }
                    }
                }
                @for &agent in &table.outs { tr.faint {
                    td { "–" }
                    th.name scope="row" { (name(agent)) }
                    td colspan=(if swiss { 7 } else { 6 }) { (t!("finals-is-out")) }
                    @if host { td.name { (button(agent, false)) } }
                } }
            }
        } }
        p.faint {
            @if swiss {
                (t!("finals-ties-swiss"))
                @if has_byes {
                    " " (t!("finals-bye-worth", points = one.plan.games))
                }
            } @else { (t!("finals-ties")) }
            " " (t!("finals-shared"))
        }
    }
}

/// Who has met whom in the rounds of a Swiss final, and who had a bye; the newest round first.
fn pairings(table: &FinalTable) -> Markup {
    let one = &table.one;
    html! {
        @if !table.rounds.is_empty() {
            h2 { (t!("finals-pairings")) }
            @for round in table.rounds.iter().rev() {
                details open[round.number as usize == table.rounds.len()] {
                    summary { (t!("finals-round", number = round.number)) }
                    (pairings_of(one, round))
                }
            }
        }
    }
}

/// Who meets whom in a round, with the results so far.
fn pairings_of(one: &SiteFinal, round: &FinalRound) -> Markup {
    html! {
        ul.plain {
            @for pairing in &round.pairings { li {
                (agent_name(one, pairing.agents[0])) " – " (agent_name(one, pairing.agents[1])) " "
                @if pairing.played > 0 {
                    strong { (pairing.points[0]) "–" (pairing.points[1]) }
                }
                @if pairing.played < pairing.games {
                    " " span.faint {
                        (t!("finals-pairing-played", played = pairing.played, all = pairing.games))
                    }
                }
            } }
            @if let Some(agent) = round.bye { li {
                (agent_name(one, agent)) " " span.faint {
                    (t!("finals-bye", points = one.plan.games))
                }
            } }
        }
    }
}

/// Everyone against everyone: the results of the row's program, with links to the games. Programs are numbered in the
/// order of their places; a built-in player, which takes none, has a letter.
fn cross_table(table: &FinalTable) -> Markup {
    let agents: Vec<usize> = table.standings.rows.iter().map(|row| row.agent).collect();
    let (mut numbers, mut letters) = (1.., 'a'..='z');
    let label = |agent: &usize| {
        if table.one.is_builtin(*agent) {
            letters.next().map(String::from).unwrap_or_default()
        } else {
            numbers.next().map(|number: usize| number.to_string()).unwrap_or_default()
        }
    };
    let labels: Vec<String> = agents.iter().map(label).collect();
    html! {
        div.scroll tabindex="0" role="region" aria-label=(t!("finals-cross")) { table.cross {
            thead { tr {
                th scope="col" { "#" } th.name scope="col" { (t!("finals-program")) }
                @for label in &labels { th scope="col" { (label) } }
            } }
            tbody { @for (label, &agent) in labels.iter().zip(&agents) { tr {
                td { (label) }
                th.name scope="row" { (agent_name(&table.one, agent)) }
                @for &other in &agents {
                    @if agent == other { td.self { "×" } } @else { td { (results(&table.between(agent, other))) } }
                }
            } } }
        } }
    }
}

/// Games between two: each a link, or the points if there are many.
fn results(games: &[(Option<i64>, f64)]) -> Markup {
    let word = |points: f64| match points {
        1.0.. => ("won", "1"),
        0.5.. => ("drawn", "½"),
        _ => ("lost", "0"),
    };
    html! {
        @if games.len() > MAX_LINKED {
            (games.iter().map(|(_, points)| points).sum::<f64>()) "/" (games.len()) " "
        }
        @for &(bout, points) in games.iter().take(MAX_LINKED) {
            @let (class, sign) = word(points);
            @if let Some(bout) = bout {
                a class=(class) href={ "/game/" (bout) } { (sign) }
            } @else {
                span class=(class) { (sign) }
            }
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct OutForm {
    /// Its place in the plan.
    agent: usize,
    out: String,
}

/// Takes a program out of a final, or lets it back in: the standings are recomputed.
pub(crate) async fn set_out(
    State(site): State<Arc<Site>>,
    _: Host,
    Path(id): Path<i64>,
    Form(form): Form<OutForm>,
) -> SiteResult<Response> {
    site.change(move |store| finals::set_out(store, id, form.agent, form.out == "yes")).await?;
    Ok(Redirect::to(&format!("/final/{id}")).into_response())
}

/// The standings as a file.
pub(crate) async fn csv(State(site): State<Arc<Site>>, Path(id): Path<i64>) -> SiteResult<Response> {
    let table = site.consult(move |store| FinalTable::read(store, id)).await?;
    Ok(as_csv(&format!("final-{id}.csv"), &finals::standings(&table)))
}

/// The pairings of a Swiss final as a file.
pub(crate) async fn pairings_csv(State(site): State<Arc<Site>>, Path(id): Path<i64>) -> SiteResult<Response> {
    let table = site.consult(move |store| FinalTable::read(store, id)).await?;
    Ok(as_csv(&format!("final-{id}-pairings.csv"), &finals::pairings(&table)))
}

/// The form with which a host begins a final, with the input.
pub(crate) fn final_form(action: &str, competition: &Competition, typed: Option<&FinalForm>) -> Markup {
    let title =
        typed.map_or_else(|| t!("finals-of", title = competition_title(competition)), |typed| typed.title.clone());
    let (rounds, games, seed) = typed.map_or((7, 4, ""), |typed| (typed.rounds, typed.games, &typed.seed));
    let swiss = typed.is_some_and(|typed| typed.kind == "swiss");
    let (champions, one_each) = typed.map_or((0, false), |typed| (typed.champions, typed.one_each));
    let divisions = typed.map_or("", |typed| typed.divisions.as_str());
    let begins = typed.map_or_else(String::new, |typed| read_time(&typed.begins).map_or_else(String::new, typed_time));
    html! {
        form.stack method="post" action=(action) {
            (once())
            div.fields {
                label { (t!("finals-form-title")) input name="title" required maxlength="60" value=(title); }
                label {
                    (t!("finals-system"))
                    select name="kind" {
                        option value="round-robin" { (t!("finals-round-robin")) }
                        option value="swiss" selected[swiss] { (t!("finals-swiss")) }
                    }
                }
                label {
                    (t!("finals-rounds"))
                    input type="number" name="rounds" value=(rounds) min="1" max="50" required;
                }
                label {
                    (t!("finals-pairing"))
                    input type="number" name="games" value=(games) min="2" max="100" step="2" required;
                }
                label {
                    (t!("finals-champions"))
                    input type="number" name="champions" value=(champions) min="0" max=(MAX_CHAMPIONS) required;
                }
                label {
                    (t!("finals-divisions"))
                    select name="divisions" {
                        option value="" { (t!("finals-undivided")) }
                        @for count in 2..=MAX_DIVISIONS {
                            option value=(count) selected[divisions == count.to_string()] {
                                (t!("finals-by-rating", count = count))
                            }
                        }
                        option value="groups" selected[divisions == "groups"] { (t!("finals-by-groups")) }
                    }
                }
                label {
                    (t!("finals-begins"))
                    // A browser that restores the input would lose its time zone.
                    input type="datetime-local" name="begins" value=(begins) autocomplete="off";
                }
                label {
                    (t!("finals-seed"))
                    input name="seed" inputmode="numeric" placeholder=(t!("finals-seed-usual")) value=(seed)
                        maxlength="18";
                }
            }
            label.check {
                input type="checkbox" name="one_each" value="true" checked[one_each];
                (t!("finals-one-each"))
            }
            p.faint { (t!("finals-hint", most = MAX_PROGRAMS)) }
            p { button.primary { (t!("desk-look-final")) } }
        }
    }
}

/// Stops a final.
pub(crate) async fn stop(State(site): State<Arc<Site>>, _: Host, Path(id): Path<i64>) -> SiteResult<Response> {
    site.write(move |store| store.end_final(id, FinalState::Stopped)).await?;
    Ok(Redirect::to(&format!("/final/{id}")).into_response())
}
