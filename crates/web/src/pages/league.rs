//! The weekly league of a competition: its groups, and who moves up and down.

use std::sync::Arc;

use agon_boards::layout::Page;
use agon_boards::text::{rich, t, time};
use agon_site::clock::now;
use agon_site::league::{self, LeagueMove, LeagueTable};
use agon_site::store::SiteProgram;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::Deserialize;

use super::parts;
use crate::error::SiteError;
use crate::layout::{ShowPage as _, competition_title};
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

#[derive(Deserialize)]
pub(crate) struct LeagueQuery {
    /// The beginning of a week, or any later moment before the next one.
    week: Option<i64>,
}

pub(crate) async fn show(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(slug): Path<String>,
    Query(query): Query<LeagueQuery>,
) -> SiteResult<Response> {
    let competition = site.competition_at(&slug).ok_or(SiteError::NotFound)?;
    let (id, at) = (competition.id, now());
    let table = site.consult(move |store| LeagueTable::read(store, id, query.week.unwrap_or(at).min(at))).await?;
    let owners: Vec<i64> = visitor.owners().collect();
    let is_own = |program: &SiteProgram| program.account.is_some_and(|account| owners.contains(&account));
    let title = t!("league-of", title = competition_title(&competition));
    let is_current = table.week.ends > at;
    let body = html! {
        h1 { (title) }
        p {
            a href={ "/ladder/" (slug) } { (competition_title(&competition)) } " · "
            (rich!("league-week", from = time(table.week.begins), to = time(table.week.ends)))
        }
        @if table.groups.is_empty() { p.empty { (t!("league-none")) } }
        @for (number, group) in (1..).zip(&table.groups) {
            @for (place, row) in (1..).zip(group).filter(|(_, row)| is_own(&row.program)) {
                p.notice { a href={ "#group-" (number) } {
                    (t!("league-own", program = &row.program.name, group = number, place = place))
                } }
            }
        }
        div.sides { @for (number, group) in (1..).zip(&table.groups) {
            section {
                h2 id={ "group-" (number) } { (t!("league-group", number = number)) }
                table.wide.league {
                    thead { tr {
                        th scope="col" { "#" } th.name scope="col" { (t!("column-program")) }
                        th scope="col" { (t!("column-games")) } th scope="col" { (t!("finals-points")) }
                    } }
                    tbody { @for (place, row) in (1..).zip(group) {
                        tr class=[is_own(&row.program).then_some("own")] {
                            td.place { (place) " " (arrow(row.moves)) }
                            th.name scope="row" { (parts::program(&row.program)) }
                            td { (row.score.games) } td.strong { (row.score.points) }
                        }
                    } }
                }
            }
        } }
        p.faint { (t!("league-hint", moving = league::MOVING)) }
        nav.pages aria-label=(t!("pages-label")) {
            @if let Some(week) = table.earlier {
                a href={ "/ladder/" (slug) "/league?week=" (week) } rel="prev" { (t!("league-earlier")) }
            }
            @if !is_current { a href={ "/ladder/" (slug) "/league" } rel="next" { (t!("league-current")) } }
        }
    };
    Ok(Page::new(title.clone(), body).show(&visitor))
}

/// Where a program goes at the end of the week.
fn arrow(moves: LeagueMove) -> Markup {
    let (class, sign, words) = match moves {
        LeagueMove::Up => ("up", "↑", t!("league-up")),
        LeagueMove::Down => ("down", "↓", t!("league-down")),
        LeagueMove::Stay => return html! {},
    };
    html! { span class=(class) role="img" aria-label=(words) title=(words) { (sign) } }
}
