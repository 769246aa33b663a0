//! Finals: their standings, their games, and how the host begins one.

use std::fmt::Write as _;
use std::sync::Arc;

use agon_arena::export::csv_field;
use agon_arena::plan::{Entrant, Kind, Plan};
use agon_arena::{Standings, Tally};
use agon_site::store::{Competition, FinalBout, FinalState, SiteFinal};
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use utoipa::ToSchema;

use super::parts;
use crate::auth::Host;
use crate::clock::{ago, now};
use crate::error::{FieldError, SiteError};
use crate::layout::Page;
use crate::play::final_tally;
use crate::secret;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// The most programs and the most games of a final.
const MOST_PROGRAMS: u32 = 64;
const MOST_GAMES: u64 = 10_000;

/// Games on the page of a final.
const SHOWN: usize = 200;

/// All finals.
pub async fn list(State(site): State<Arc<Site>>, visitor: Visitor) -> SiteResult<Response> {
    let finals = site.read(agon_site::store::SiteStore::finals).await?;
    let body = html! {
        h1 { "Finals" }
        @if finals.is_empty() { p { "None yet." } }
        ul.plain { @for one in &finals { li {
            a href={ "/final/" (one.id) } { (one.title) }
            span.faint { " · " (site.contest(one.contest).map_or(String::new(), |contest| contest.title)) " · " (one.plan.agents.len()) " programs · " (one.state.name()) " · " (ago(one.created)) }
        } } }
    };
    Ok(Page::new("Finals", body).show(&visitor))
}

/// A final, its games, and what they add up to.
pub async fn find(site: &Arc<Site>, id: i64) -> SiteResult<(SiteFinal, Vec<FinalBout>, Tally)> {
    let read = site.read(move |store| {
        let Some(one) = store.final_by_id(id)? else { return Ok(None) };
        Ok(Some((one, store.final_bouts(id)?)))
    });
    let (one, bouts) = read.await?.ok_or(SiteError::NotFound)?;
    let tally = final_tally(&one.plan, &bouts);
    Ok((one, bouts, tally))
}

/// A final.
pub async fn show(State(site): State<Arc<Site>>, visitor: Visitor, Path(id): Path<i64>) -> SiteResult<Response> {
    let (one, bouts, tally) = find(&site, id).await?;
    let standings = Standings::new(&one.plan, &tally);
    let swiss = matches!(one.plan.kind, Kind::Swiss { .. });
    let mut games: Vec<_> = bouts.iter().rev().map(|played| played.bout.clone()).collect();
    games.truncate(SHOWN);
    let body = html! {
        h1 { (one.title) }
        p { @if let Some(contest) = site.contest(one.contest) { a href={ "/ladder/" (contest.slug) } { (contest.title) } " · " }
            @if let Kind::Swiss { rounds } = one.plan.kind { "Swiss system, " (rounds) " rounds" } @else { "everybody against everybody" }
            " · " (one.plan.games) " games a pairing · seed " (one.plan.seed) " · " (ago(one.created)) }
        p { (tally.bouts()) " of " (one.plan.bouts()) " games played; "
            @match one.state { FinalState::Running => "it goes on", FinalState::Complete => "these are the final standings", FinalState::Stopped => "it was stopped" }
            ". " a href={ "/final/" (id) "/standings.csv" } { "As CSV" } }
        @if visitor.is_host() && one.state == FinalState::Running {
            form method="post" action={ "/final/" (id) "/stop" } { button.danger { "Stop it" } }
        }
        div.scroll { table.wide {
            thead { tr { th scope="col" { "#" } th.name scope="col" { "Program" } th scope="col" { "Points" } th scope="col" { "Of" }
                th scope="col" { "Won" } th scope="col" { "Drawn" } th scope="col" { "Lost" }
                th scope="col" { @if swiss { "Buchholz" } @else { "Sonneborn–Berger" } } } }
            tbody { @for (place, row) in standings.rows.iter().enumerate() { tr {
                td { (place + 1) }
                th.name scope="row" { (one.plan.agents[row.agent].name) }
                td.strong { (row.points) } td { (row.possible) }
                td { (row.bouts.wins) } td { (row.bouts.draws) } td { (row.bouts.losses) }
                td { @if swiss { (row.buchholz) } @else { (row.sonneborn) } }
            } } }
        } }
        @if !games.is_empty() { h2 { "Games" } (parts::games(&site, &games, None, false)) }
    };
    let mut page = Page::new(one.title.clone(), body);
    page.refresh = (one.state == FinalState::Running).then_some(30);
    Ok(page.show(&visitor))
}

/// The standings as a file.
pub async fn csv(State(site): State<Arc<Site>>, Path(id): Path<i64>) -> SiteResult<Response> {
    let (one, bouts, _) = find(&site, id).await?;
    let name = format!("attachment; filename=\"final-{id}.csv\"");
    let headers = [(header::CONTENT_TYPE, "text/csv; charset=utf-8"), (header::CONTENT_DISPOSITION, name.as_str())];
    Ok((headers, standings(&one, &bouts)).into_response())
}

/// The standings as comma-separated values (RFC 4180).
pub fn standings(one: &SiteFinal, bouts: &[FinalBout]) -> String {
    let mut text = "place,program,points,possible,won,drawn,lost,buchholz,sonneborn_berger\r\n".to_owned();
    for (place, row) in Standings::new(&one.plan, &final_tally(&one.plan, bouts)).rows.iter().enumerate() {
        let name = csv_field(&one.plan.agents[row.agent].name);
        let bouts = row.bouts;
        let _ = write!(
            text,
            "{},{name},{},{},{},{},{},{},{}\r\n",
            place + 1,
            row.points,
            row.possible,
            bouts.wins,
            bouts.draws,
            bouts.losses,
            row.buchholz,
            row.sonneborn
        );
    }
    text
}

/// A final to be begun.
#[derive(Deserialize, ToSchema)]
pub struct FinalForm {
    /// What it is called.
    #[schema(max_length = 60)]
    title: String,
    /// `round-robin` or `swiss`.
    #[schema(example = "swiss")]
    kind: String,
    /// Games of a pairing, an even number.
    #[schema(minimum = 2, maximum = 100)]
    games: u32,
    /// Rounds of a Swiss tournament.
    #[serde(default)]
    #[schema(maximum = 50)]
    rounds: u32,
    /// The seed, a number; drawn where it is empty.
    #[serde(default)]
    seed: String,
}

/// The form by which a host begins a final, with what was typed.
pub fn final_form(action: &str, contest: &Competition, typed: Option<&FinalForm>) -> Markup {
    let title = typed.map_or_else(|| format!("Final of {}", contest.title), |typed| typed.title.clone());
    let (rounds, games, seed) = typed.map_or((5, 2, ""), |typed| (typed.rounds, typed.games, &typed.seed));
    let swiss = typed.is_some_and(|typed| typed.kind == "swiss");
    html! {
        form.row method="post" action=(action) {
            input name="title" required maxlength="60" value=(title) aria-label="Title of the final";
            select name="kind" aria-label="System" { option value="round-robin" { "everybody against everybody" } option value="swiss" selected[swiss] { "Swiss system" } }
            label { "rounds (Swiss) " input type="number" name="rounds" value=(rounds) min="1" max="50" required; }
            label { "games a pairing " input type="number" name="games" value=(games) min="2" max="100" step="2" required; }
            input name="seed" inputmode="numeric" placeholder="seed, or drawn" value=(seed) aria-label="Seed" maxlength="18";
            button { "Begin" }
        }
        p.faint { "Between the " (MOST_PROGRAMS) " best programs of users, as they are now. While it goes on, no games of the ladders are played; checks are." }
    }
}

/// The plan of a final between these programs, each given by its name and the number of its version.
fn plan(form: &FinalForm, contest: &Competition, site: &Site, programs: &[(String, i64)]) -> Result<Plan, FieldError> {
    let seed = match form.seed.trim() {
        "" => secret::number() >> 12,
        text => text.parse().map_err(|_| FieldError::new("seed", "the seed is a number, or nothing"))?,
    };
    if form.games == 0 || form.games % 2 == 1 || form.games > 100 {
        let wrong = "the games of a pairing are an even number up to 100, since seats are swapped";
        return Err(FieldError::new("games", wrong));
    }
    let entrant = |(name, version): &(String, i64)| Entrant {
        name: name.clone(),
        agent: version.to_string(),
        rating: None,
        openings: false,
        fingerprint: version.to_string(),
    };
    let kind = match form.kind.as_str() {
        "swiss" if (1..=50).contains(&form.rounds) => Kind::Swiss { rounds: form.rounds },
        "swiss" => return Err(FieldError::new("rounds", "a Swiss tournament has 1 to 50 rounds")),
        "round-robin" => Kind::RoundRobin,
        other => return Err(FieldError::new("kind", format!("`{other}` is no kind of final: round-robin or swiss"))),
    };
    let [first, second, ..] = programs else {
        return Err(FieldError::new("contest", "there are fewer than two programs on this ladder"));
    };
    let mut plan = Plan::of_match(contest.game, [entrant(first), entrant(second)], form.games);
    plan.agents = programs.iter().map(entrant).collect();
    plan.kind = kind;
    plan.parameters.clone_from(&contest.parameters);
    plan.openings = contest.openings;
    plan.limits = contest.limits(site.options.limits);
    plan.seed = seed;
    if plan.bouts() > MOST_GAMES {
        let wrong = format!("that would be {} games, and a final has at most {MOST_GAMES}", plan.bouts());
        return Err(FieldError::new("games", wrong));
    }
    Ok(plan)
}

/// Begins a final between the best programs of a contest, as they are now, and returns its number.
pub async fn start(site: &Arc<Site>, contest: &Competition, form: &FinalForm) -> SiteResult<i64> {
    let id = contest.id;
    let title = form.title.trim().to_owned();
    if title.is_empty() || title.chars().count() > 60 || title.chars().any(char::is_control) {
        return Err(FieldError::new("title", "The title of a final is a line of at most 60 characters.").into());
    }
    let best = site.read(move |store| store.best(id, MOST_PROGRAMS)).await?;
    let named = |(_, program): &(u32, agon_site::store::SiteProgram)| {
        let (version, number) = program.active?;
        let owner = program.owner.as_deref().unwrap_or_default();
        Some((format!("{} v{number} ({owner})", program.name), version))
    };
    let programs: Vec<(String, i64)> = best.iter().filter_map(named).collect();
    let plan = plan(form, contest, site, &programs)?;
    let id = site.write(move |store| store.begin_final(id, &title, &plan, now())).await?;
    site.announce_change();
    Ok(id)
}

/// Stops a final.
pub async fn stop(State(site): State<Arc<Site>>, _: Host, Path(id): Path<i64>) -> SiteResult<Response> {
    site.write(move |store| store.end_final(id, FinalState::Stopped)).await?;
    Ok(Redirect::to(&format!("/final/{id}")).into_response())
}
