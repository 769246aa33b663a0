//! Finals: their standings, their games, and how the host begins one.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use agon_arena::plan::{Entrant, Kind};
use agon_arena::standings::{Standing, TieBreak};
use agon_arena::store::StoreError;
use agon_arena::{Plan, Standings};
use agon_boards::layout::{Page, sentence};
use agon_boards::picture::Picture;
use agon_boards::text::{ago, localized, moment, read_time, rich, t, time, typed_time, until};
use agon_site::access::may_watch;
use agon_site::clock::now;
use agon_site::error::{FieldError, Refusal};
use agon_site::finals::{
    self, FinalError, FinalForm, FinalRound, FinalTable, MAX_CHAMPIONS, MAX_DIVISIONS, MAX_PROGRAMS,
};
use agon_site::queue::about;
use agon_site::store::{Competition, DELETED, FinalState, FinalToCome, RecentTimes, SiteBout, SiteFinal, SiteStore};
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::parts;
use super::preview::{Preview, game_picture};
use super::stage::{ShownGames, can_be_played, card_of, stage};
use crate::auth::Host;
use crate::download::as_csv;
use crate::featured::next_on_air;
use crate::layout::{ShowPage as _, competition_title};
use crate::once::once;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// Games on the page of a final.
const GAMES_SHOWN: usize = 25;

/// Games between two up to which a cell of the cross table has only their results, and up to which it has them at all.
const FEW_GAMES: usize = 2;
const MAX_LINKED: usize = 12;

/// How often the page for a projector reloads.
const SCREEN_SECONDS: u32 = 5;

/// After how many seconds a game in progress is one that people can follow.
const FOLLOWED_SECONDS: i64 = 5;

/// Boards of games that are being played.
const BOARDS: usize = 4;

/// Rows of standings with a step of the podium.
const PODIUM_PLACES: usize = 3;

/// All finals.
pub(crate) async fn list(State(site): State<Arc<Site>>, visitor: Visitor) -> SiteResult<Response> {
    let (mut all, mut coming) = site.read(|store| Ok((store.finals()?, store.finals_to_come()?))).await?;
    all.retain(|one| visitor.sees(one.competition));
    coming.retain(|one| visitor.sees(one.competition));
    let body = html! {
        h1 { (t!("finals-title")) }
        @if all.is_empty() && coming.is_empty() {
            p.empty { (t!("finals-none")) " " a href="/games" { (t!("layout-games")) } }
        }
        (to_come(&coming))
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
pub(super) fn to_come(finals: &[FinalToCome]) -> Markup {
    html! {
        @for coming in finals.iter().filter(|coming| !coming.failed) {
            p.notice {
                a href={ "/final/" (coming.number) } { (coming.form.title) } ": "
                (rich!("finals-to-come", left = countdown(coming.begins)))
                " (" (time(coming.begins)) ")"
            }
        }
    }
}

/// How long until a moment in a few words, which the page's script keeps up to date.
fn countdown(begins: i64) -> Markup {
    let ahead = (begins > now()).then(|| moment(begins));
    html! { span.countdown data-until=[ahead] data-words=(t!("finals-begins-in", left = "{left}")) { (until(begins)) } }
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
    /// How many of the newest games are passed over.
    #[serde(default)]
    from: usize,
}

/// A final.
pub(crate) async fn show(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(id): Path<i64>,
    Query(query): Query<FinalQuery>,
) -> SiteResult<Response> {
    if let Some(scheduled) = ScheduledFinal::read(&site, id).await? {
        return Ok(scheduled.page(&site, &visitor));
    }
    let (table, times) = site.consult(move |store| Ok((FinalTable::read(store, id)?, store.recent_times()?))).await?;
    let programs = programs_of(&site, &table).await?;
    let one = &table.one;
    let rounds = table.rounds.iter().filter(|round| round.whole).count() as u32;
    let after = Some(query.round).filter(|round| (1..rounds).contains(round));
    let earlier = after.map(|round| table.standings_after(round));
    let mut games: Vec<_> = table.bouts.iter().rev().filter_map(|played| played.bout.clone()).collect();
    let newer = query.from.checked_sub(1).map(|last| (last + 1).saturating_sub(GAMES_SHOWN));
    games.drain(..query.from.min(games.len()));
    let older = (games.len() > GAMES_SHOWN).then(|| query.from + GAMES_SHOWN);
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
        p data-part="progress" { (progress(&table)) (time_left(&site, &table, times)) }
        @if one.state == FinalState::Complete && after.is_none() {
            section.card.podium-card { (podium(&table, &programs)) }
        }
        section data-part="boards" { (boards(&site, &visitor, &table)) }
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
        section data-part="standings" {
            @match &earlier {
                Some(earlier) => (standings(&table, earlier, &programs, false)),
                None => (standings(&table, &table.standings, &programs, visitor.is_host())),
            }
        }
        h2 { (t!("finals-cross")) }
        div data-part="cross" { (cross_table(&table, &programs)) }
        section data-part="pairings" { (pairings(&table)) }
        @if !games.is_empty() {
            h2 id="games" { (t!("finals-games")) }
            div data-part="games" { (parts::games(&site, &games, None, false)) }
            nav.pages aria-label=(t!("pages-label")) {
                @if let Some(from) = newer { a href={ "?from=" (from) "#games" } rel="prev" { (t!("finals-newer")) } }
                @if let Some(from) = older { a href={ "?from=" (from) "#games" } rel="next" { (t!("games-older")) } }
            }
        }
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
    if running {
        page = page.with_script("page.js");
    }
    // The script shows what changes; the end of a final is another page.
    page.refresh = running.then_some(30);
    Ok(page.show(&visitor))
}

/// A final that has not begun.
struct ScheduledFinal {
    /// That of the page: of the whole, or of one of its divisions.
    number: i64,
    coming: FinalToCome,
    competition: Competition,
    /// What it would be now.
    plans: Result<Vec<Division>, FieldError>,
}

/// The title and the plan of a division, and the programs of the plan.
type Division = (String, Plan, Vec<Option<i64>>);

impl ScheduledFinal {
    async fn read(site: &Arc<Site>, number: i64) -> SiteResult<Option<Self>> {
        let limits = site.options.limits;
        let read = move |store: &SiteStore| {
            let Some(coming) = store.final_to_come(number)? else { return Ok(None) };
            let Some(competition) = store.competition(coming.competition)? else { return Ok(None) };
            let is_shown = |(title, _): &(String, Plan)| number == coming.number || title == coming.title(number);
            let plans = match finals::plans(store, &competition, &coming.form, limits) {
                Ok(plans) if plans.iter().any(is_shown) => Ok(plans
                    .into_iter()
                    .filter(is_shown)
                    .map(|(title, plan)| programs_in(store, &plan, competition.id).map(|own| (title, plan, own)))
                    .collect::<Result<_, _>>()?),
                Ok(_) => Err(FieldError::new("divisions", FinalError::TooFewPrograms)),
                Err(Refusal::Field(wrong)) => Err(wrong),
                Err(other) => return Err(other),
            };
            Ok(Some(Self { number, coming, competition, plans }))
        };
        site.consult(read).await
    }

    /// After how many seconds the page is renewed: it becomes that of the final when this has begun.
    fn renewed(&self, usually: u32) -> Option<u32> {
        let due = self.coming.begins <= now() + i64::from(usually);
        (!self.coming.failed).then_some(if due { SCREEN_SECONDS } else { usually })
    }

    fn page(&self, site: &Site, visitor: &Visitor) -> Response {
        let (id, title) = (self.number, self.coming.title(self.number));
        let again = self.renewed(60);
        // In the order of the divisions.
        let mut others: Vec<_> = self.coming.divisions.iter().filter(|(_, number)| **number != id).collect();
        others.sort_by_key(|(_, number)| **number);
        let body = html! {
            div data-again=[again] data-state="scheduled" {
                h1 { (title) }
                p {
                    a href={ "/ladder/" (self.competition.slug) } { (competition_title(&self.competition)) }
                    @if let Ok([(_, plan, _), ..]) = self.plans.as_deref() {
                        " · " (system(plan)) " · " (t!("finals-games-each", games = plan.games))
                    }
                }
                (self.begins())
                p.links {
                    a href={ "/final/" (id) "/screen" } { (t!("finals-screen")) }
                    @if id != self.coming.number {
                        a href={ "/final/" (self.coming.number) } { (self.coming.form.title) }
                    } @else { @for (title, number) in others {
                        a href={ "/final/" (number) } { (title) }
                    } }
                    @if visitor.is_host() {
                        a href={ "/host/competitions/" (self.competition.id) "/final" } { (t!("finals-change")) }
                    }
                }
                (self.programs())
                p.faint { (t!("desk-final-then")) }
            }
        };
        let preview = Preview {
            title,
            text: &t!("finals-preview", title = competition_title(&self.competition)),
            path: &format!("/final/{id}"),
            picture: &game_picture(self.competition.game),
        };
        let page = Page::new(title.to_owned(), body).with_head(preview.head(site)).with_script("again.js");
        Page { refresh: again, ..page }.show(visitor)
    }

    fn screen(&self, visitor: &Visitor) -> Response {
        let (again, title) = (self.renewed(SCREEN_SECONDS), self.coming.title(self.number));
        let body = html! {
            div.projector.coming data-again=[again] data-state="scheduled" {
                header {
                    h1 { a href={ "/final/" (self.number) } { (title) } }
                    p { (competition_title(&self.competition)) }
                }
                (self.begins())
                div.roll { div { div data-renewed="programs" { (self.programs()) } } }
            }
        };
        let page = Page::new(title.to_owned(), body).with_script("again.js");
        Page { refresh: again, ..page }.show_on_screen(visitor)
    }

    /// When it begins, or why it did not.
    fn begins(&self) -> Markup {
        if self.coming.failed {
            return html! {
                p.notice.bad role="status" {
                    (t!("desk-final-failed"))
                    @if let Err(wrong) = &self.plans { ": " (localized(&*wrong.reason)) }
                }
            };
        }
        let begins = self.coming.begins;
        html! {
            div.begins {
                @if begins > now() {
                    strong.clock data-until=(moment(begins)) { (until(begins)) }
                } @else { strong { (t!("finals-begins-now")) } }
                span { (t!("finals-begins-at")) " " (time(begins)) }
            }
        }
    }

    /// The programs that would play now, by division.
    fn programs(&self) -> Markup {
        html! {
            @match &self.plans {
                Ok(plans) => @for (title, plan, programs) in plans {
                    h2 {
                        @if plans.len() > 1 { (title) ": " }
                        (t!("finals-would-play", count = plan.agents.len()))
                    }
                    ol.entrants { @for agent in 0..plan.agents.len() { li { (linked_name(plan, programs, agent)) } } }
                },
                Err(wrong) => p.empty { (sentence(&localized(&*wrong.reason))) },
            }
        }
    }
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

/// The first three that are not built-in players, with their places.
fn podium_rows(table: &FinalTable) -> impl Iterator<Item = (usize, &Standing)> {
    let placed = table.standings.rows.iter().filter_map(|row| Some((row.place?, row)));
    placed.take_while(|(place, _)| *place <= PODIUM_PLACES)
}

fn podium(table: &FinalTable, programs: &[Option<i64>]) -> Markup {
    html! {
        ol.podium { @for (place, row) in podium_rows(table) {
            li class={ "place" (place) } {
                span.medal aria-hidden="true" { (place) }
                span { (linked_name(&table.one.plan, programs, row.agent)) }
                span.strong { (points_of(row)) }
            }
        } }
    }
}

fn points_of(row: &Standing) -> String {
    let [points, possible] = [row.points, row.possible].map(|points| points.to_string());
    t!("finals-points-of", points = points, possible = possible)
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
                    // A picture of the game in general would be taken for this one.
                    @if let Some(picture) = stands.as_ref().and_then(|(view, _)| Picture::from_view(view)) {
                        div.board.mini { (picture.svg(Some(&t!("front-board-now")))) }
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

/// The same in large letters for a projector, with one large board; it renews itself.
pub(crate) async fn screen(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(id): Path<i64>,
    Query(query): Query<ShownGames>,
) -> SiteResult<Response> {
    if let Some(scheduled) = ScheduledFinal::read(&site, id).await? {
        return Ok(scheduled.screen(&visitor));
    }
    let (table, times) = site.consult(move |store| Ok((FinalTable::read(store, id)?, store.recent_times()?))).await?;
    let state = table.one.state;
    let is_complete = state == FinalState::Complete;
    let again = (state == FinalState::Running).then_some(SCREEN_SECONDS);
    let body = html! {
        div.projector data-again=[again] data-state=(state.name()) {
            header data-renewed="head" {
                h1 { a href={ "/final/" (id) } { (table.one.title) } }
                p { (progress(&table)) (time_left(&site, &table, times)) }
            }
            @if is_complete { (podium_steps(&table)) } @else {
                div.wall.of-1 data-next={ "/final/" (id) "/screen" } data-waits=(SCREEN_SECONDS) {
                    (on_board(&site, &visitor, &table, &query.shown()).await?)
                }
            }
            // The first ones are on the podium.
            @let from = if is_complete { podium_rows(&table).count() } else { 0 };
            @if from < table.standings.rows.len() {
                // The box rolls, what is in it is renewed.
                div.roll { div { div data-renewed="standings" {
                    @if let Some(round) = table.rounds.last().filter(|_| !is_complete) {
                        h2 { (t!("finals-round", number = round.number)) }
                        (pairings_of(&table.one, round))
                    }
                    (large_standings(&table, from))
                } } }
            }
        }
    };
    let mut page = Page::new(table.one.title.clone(), body).with_script("wall.js");
    page.refresh = again;
    Ok(page.show_on_screen(&visitor))
}

/// The first places as the steps of a podium; those who share a place stand on the same one.
fn podium_steps(table: &FinalTable) -> Markup {
    let rows: Vec<(usize, &Standing)> = podium_rows(table).collect();
    // What has decided between those of equal points, wherever they stand.
    let ties = |points: f64| {
        let equal = table.standings.rows.iter().filter(|row| row.points.eq(&points)).cloned().collect();
        Standings { rows: equal }.decisive(table.one.plan.kind)
    };
    html! {
        ol.pedestals { @for level in rows.chunk_by(|(one, _), (other, _)| one == other) {
            li class={ "place" (level[0].0) } {
                ul.plain { @for (_, row) in level { li { (name_and_owner(&table.one.plan, row.agent)) } } }
                div.step {
                    span.medal { (level[0].0) }
                    @let row = level[0].1;
                    strong { (row.points) span.faint { " / " (row.possible) } }
                    @for tie in ties(row.points) { span.tie { (tie_words(tie)) " " (row.tie_break(tie)) } }
                }
            }
        } }
    }
}

/// The name of a tie-break, as the head of a column.
fn tie_words(tie: TieBreak) -> String {
    match tie {
        TieBreak::Buchholz => t!("finals-buchholz"),
        TieBreak::SonnebornBerger => t!("finals-sonneborn"),
        TieBreak::DirectEncounter => t!("finals-direct"),
        TieBreak::Wins => t!("finals-wins"),
        TieBreak::WinsInSecondSeat => t!("finals-second-wins"),
    }
}

/// Place, name and points of all but the first ones, in the order of the standings, and what has decided between equal
/// points once all games have been played.
fn large_standings(table: &FinalTable, from: usize) -> Markup {
    let over = table.one.state == FinalState::Complete;
    let ties = if over { table.standings.decisive(table.one.plan.kind) } else { Vec::new() };
    html! {
        table.wide.standings aria-label=(t!("finals-standings")) {
            @if !ties.is_empty() {
                thead { tr {
                    th scope="col" { "#" } th.name scope="col" { (t!("finals-program")) }
                    th scope="col" { (t!("finals-points")) }
                    @for tie in &ties { th.tie scope="col" { (tie_words(*tie)) } }
                } }
            }
            tbody { @for row in table.standings.rows.iter().skip(from) {
                tr class=[table.one.is_builtin(row.agent).then_some("faint")] {
                    td { @if let Some(place) = row.place { (place) } }
                    th.name scope="row" { (name_and_owner(&table.one.plan, row.agent)) }
                    td { strong { (row.points) } span.faint { " / " (row.possible) } }
                    @for tie in &ties { td.tie { (row.tie_break(*tie)) } }
                }
            } }
        }
    }
}

/// The card of the board: a game that is played slowly enough to be followed, or else one that has been played, the
/// best programs and the newest first; if there is none yet, any that is being played. Before that, the first pairings.
async fn on_board(site: &Arc<Site>, visitor: &Visitor, table: &FinalTable, shown: &[i64]) -> SiteResult<Markup> {
    let competition = site.competition(table.one.competition);
    let seen = |bout: &&SiteBout| may_watch(competition.as_ref(), visitor, bout);
    let bouts: Vec<&SiteBout> = table.bouts.iter().filter_map(|played| played.bout.as_ref()).filter(seen).collect();
    // One whose programs are not ready has no board: the game's picture in its place would look like one that hangs.
    let stands = |bout: &SiteBout| site.queue.live.find(bout.id).and_then(|live| live.stands()).is_some();
    let live: Vec<&SiteBout> = bouts.iter().copied().filter(|bout| stands(bout)).collect();
    let slow = live.iter().find(|bout| bout.begun <= now() - FOLLOWED_SECONDS);
    let rank: HashMap<usize, usize> = (0..).zip(&table.standings.rows).map(|(at, row)| (row.agent, at)).collect();
    let ranks: HashMap<i64, usize> = table
        .games
        .iter()
        .filter_map(|game| Some((game.bout?, game.agents.iter().filter_map(|agent| rank.get(agent)).sum())))
        .collect();
    let mut played: Vec<SiteBout> = bouts.iter().copied().filter(|bout| can_be_played(bout)).cloned().collect();
    played.sort_by_key(|bout| (ranks.get(&bout.id).copied(), Reverse(bout.id)));
    let next = next_on_air(&played, shown, &[]).map(|at| &played[at]);
    let chosen = slow.copied().or(next).or(live.first().copied());
    let Some(bout) = chosen.cloned() else {
        return Ok(html! {
            section.card.featured.preparing {
                p { strong { (t!("finals-first-games")) } }
                ul.plain { @for agents in finals::first_pairings(&table.one.plan, BOARDS) { li {
                    (name_and_owner(&table.one.plan, agents[0])) " – " (name_and_owner(&table.one.plan, agents[1]))
                } } }
            }
        });
    };
    Ok(stage(site, &card_of(site, bout).await?))
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
fn agent_name(plan: &Plan, agent: usize) -> String {
    match plan.agents[agent].name.as_str() {
        DELETED => t!("finals-deleted"),
        name => name.to_owned(),
    }
}

/// The name of a program in the plan, and whose it is apart from it.
fn name_and_owner(plan: &Plan, agent: usize) -> Markup {
    let name = agent_name(plan, agent);
    html! {
        @match name.strip_suffix(')').and_then(|name| name.rsplit_once(" (")) {
            Some((program, owner)) => { strong { (program) } " " span.faint { (owner) } }
            None => strong { (name) },
        }
    }
}

/// The programs of a plan by their positions in it; `None` for one that has been deleted.
fn programs_in(store: &SiteStore, plan: &Plan, competition: i64) -> Result<Vec<Option<i64>>, StoreError> {
    let program = |entrant: &Entrant| match entrant.agent.parse() {
        Ok(version) => Ok(store.version(version)?.map(|version| version.program)),
        Err(_) => Ok(store.builtin(competition, &entrant.agent)?.map(|program| program.id)),
    };
    plan.agents.iter().map(program).collect()
}

/// The programs of a final by their positions in the plan; `None` for one that has been deleted.
async fn programs_of(site: &Arc<Site>, table: &FinalTable) -> SiteResult<Vec<Option<i64>>> {
    let (plan, competition) = (table.one.plan.clone(), table.one.competition);
    site.read(move |store| programs_in(store, &plan, competition)).await
}

/// A program of the plan, with a link to its page.
fn linked_name(plan: &Plan, programs: &[Option<i64>], agent: usize) -> Markup {
    let name = agent_name(plan, agent);
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
                    (parts::confirmed_over(
                        &format!("out-{agent}"),
                        &t!("finals-out"),
                        &agent_name(&one.plan, agent),
                        &t!("finals-out-sure"),
                        &html! { button.danger { (t!("finals-out")) } },
                    ))
                } @else {
                    button.small { (t!("finals-in")) }
                }
            }
        }
    };
    let has_byes =
        table.rounds.iter().any(|round| round.bye.is_some()) || standings.rows.iter().any(|row| row.byes > 0);
    let mut ties = vec![TieBreak::for_kind(one.plan.kind)[0]];
    // Wins have a column already.
    let others = standings.decisive(one.plan.kind).into_iter().filter(|tie| *tie != TieBreak::Wins && *tie != ties[0]);
    ties.extend(others.collect::<Vec<_>>());
    let name = |agent: usize| linked_name(&one.plan, programs, agent);
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
                    @for tie in &ties { th scope="col" { (tie_words(*tie)) } }
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
                        @for tie in &ties { td data-label=(tie_words(*tie)) { (row.tie_break(*tie)) } }
                        @if host { td.name { @if !mark { (button(row.agent, true)) } } }
                    }
                }
                @for &agent in &table.outs { tr.faint {
                    td { "–" }
                    th.name scope="row" { (name(agent)) }
                    td colspan=(ties.len() + if swiss { 6 } else { 5 }) { (t!("finals-is-out")) }
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
            } @else {
                @if one.state == FinalState::Running { (t!("finals-by-share")) " " }
                (t!("finals-ties"))
            }
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
                (agent_name(&one.plan, pairing.agents[0])) " – " (agent_name(&one.plan, pairing.agents[1])) " "
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
                (agent_name(&one.plan, agent)) " " span.faint {
                    (t!("finals-bye", points = one.plan.games))
                }
            } }
        }
    }
}

/// Everyone against everyone: the results of the row's program, with links to the games. Programs are numbered in the
/// order of their places; a built-in player, which takes none, has a letter.
fn cross_table(table: &FinalTable, programs: &[Option<i64>]) -> Markup {
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
                th.name scope="row" { (agent_name(&table.one.plan, agent)) }
                @for &other in &agents {
                    @if agent == other { td.self { "×" } } @else {
                        td { (results(&table.between(agent, other), [programs[agent], programs[other]])) }
                    }
                }
            } } }
        } }
    }
}

/// Games between two: each a link, and before them the points if there are several, which lead to all their games.
fn results(games: &[(Option<i64>, f64)], programs: [Option<i64>; 2]) -> Markup {
    let word = |points: f64| match points {
        1.0.. => ("won", "1"),
        0.5.. => ("drawn", "½"),
        _ => ("lost", "0"),
    };
    let points = games.iter().map(|(_, points)| points).sum::<f64>();
    html! {
        @if games.len() > FEW_GAMES {
            @let sum = html! { strong { (points) } "/" (games.len()) };
            @match programs {
                [Some(own), Some(other)] => a.sum href={ "/versus/" (own) "/" (other) } { (sum) },
                _ => span.sum { (sum) },
            }
        }
        @if games.len() <= MAX_LINKED {
            span.each[games.len() > FEW_GAMES] { @for &(bout, points) in games {
                @let (class, sign) = word(points);
                @if let Some(bout) = bout {
                    a class=(class) href={ "/game/" (bout) } { (sign) }
                } @else {
                    span class=(class) { (sign) }
                }
            } }
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
pub(crate) fn final_form(action: &str, typed: &FinalForm) -> Markup {
    let FinalForm { title, rounds, games, seed, champions, divisions, .. } = typed;
    let begins = read_time(&typed.begins).map_or_else(String::new, typed_time);
    html! {
        form.stack method="post" action=(action) {
            (once())
            div.fields {
                label { (t!("finals-form-title")) input name="title" required maxlength="60" value=(title); }
                label {
                    (t!("finals-system"))
                    select name="kind" {
                        option value="round-robin" { (t!("finals-round-robin")) }
                        option value="swiss" selected[typed.kind == "swiss"] { (t!("finals-swiss")) }
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
                            option value=(count) selected[*divisions == count.to_string()] {
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
                input type="checkbox" name="one_each" value="true" checked[typed.one_each];
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
