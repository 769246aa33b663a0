//! A broadcast: the last games most worth watching, one after the other, at a pace that people can follow.

use std::sync::Arc;

use agon_boards::brand::wordmark;
use agon_boards::layout::{Page, data};
use agon_boards::text::t;
use agon_boards::viewer;
use agon_site::access::{inside, may_watch};
use agon_site::identity::Identity;
use agon_site::store::{Competition, SiteBout, SiteSeat};
use axum::extract::{Query, State};
use axum::response::Response;
use maud::html;
use serde::Deserialize;

use super::game::{curve, drawn, has_program_rules, heading, without_scripts};
use super::stage::{card_of, numbers, stage};
use crate::error::SiteError;
use crate::featured::{Featured, next_on_air, owners};
use crate::games::with_record;
use crate::layout::{ShowPage as _, competition_title};
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// How many games the address remembers for a visitor.
const REMEMBERED: usize = 30;

/// After how many seconds a wall shows other games without scripts.
const WALL_SECONDS: u32 = 60;

/// How many games a wall shows at most, and without being asked.
const MAX_BOARDS: usize = 4;

#[derive(Deserialize)]
pub(crate) struct TvQuery {
    /// The numbers of games that were shown, the last one last, between dots.
    #[serde(default)]
    shown: String,
    /// The address of the only competition to show.
    competition: Option<String>,
    /// The number of boards of a wall.
    boards: Option<usize>,
    /// The numbers of the games on the other boards of a wall, between dots.
    #[serde(default)]
    beside: String,
}

impl TvQuery {
    /// The address of another page of the same broadcast, with the games that it need not show again.
    fn address(&self, page: &str, shown: &[i64]) -> String {
        let remembered: Vec<String> =
            shown[shown.len().saturating_sub(REMEMBERED)..].iter().map(ToString::to_string).collect();
        let mut parts = Vec::new();
        if !remembered.is_empty() {
            parts.push(format!("shown={}", remembered.join(".")));
        }
        parts.extend(self.competition.iter().map(|slug| format!("competition={slug}")));
        if parts.is_empty() { page.to_owned() } else { format!("{page}?{}", parts.join("&")) }
    }
}

/// The games that this visitor may watch, those most worth watching first.
async fn programme(site: &Arc<Site>, visitor: &Visitor, query: &TvQuery) -> SiteResult<Vec<SiteBout>> {
    let mut competitions: Vec<Competition> = visitor.competitions.to_vec();
    if let Some(slug) = &query.competition {
        competitions.retain(|competition| competition.slug == *slug);
        if competitions.is_empty() {
            return Err(SiteError::NotFound);
        }
    }
    // A game that cannot be drawn is not broadcast.
    competitions.retain(|competition| !competition.game.is_missing());
    let own = Arc::clone(site);
    let mut bouts = site.read(move |store| own.featured.programme(store, &competitions)).await?;
    bouts.retain(|bout| may_watch(site.competition(bout.competition).as_ref(), visitor, bout));
    Ok(bouts)
}

pub(crate) async fn show(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Query(query): Query<TvQuery>,
) -> SiteResult<Response> {
    let mut bouts = programme(&site, &visitor, &query).await?;
    let mut shown = numbers(&query.shown);
    // A game whose record has been removed is passed over.
    while let Some(at) = next_on_air(&bouts, &shown, &[]) {
        let bout = bouts.remove(at);
        let (id, open) = (bout.id, inside(&visitor, &bout));
        let names = bout.seats.each_ref().map(SiteSeat::label);
        let drawn = with_record(&site, id, move |record| drawn(&record, &names, open)).await?;
        let Some(game) = drawn else { continue };
        let (game, _) = game.map_err(SiteError::internal)?;
        let game = viewer::spoken(game);
        shown.push(id);
        let next = query.address("/tv", &shown);
        let anyone_sees = may_watch(site.competition(bout.competition).as_ref(), &Identity::default(), &bout);
        let of = bout.clone();
        let owners = site.read(move |store| owners(store, &of)).await?;
        let body = html! {
            div.tv {
                header {
                    a.brand href="/" { (wordmark()) }
                    (heading(&site, &bout, Some(&owners)))
                }
                section.game.with-bar id="game" tabindex="0" data-words=(viewer::words()) data-ply="0"
                    data-next=(next) {
                    noscript { (without_scripts(id, &game, anyone_sees)) }
                }
                (curve(id, has_program_rules(&site, &bout)))
                nav.actions aria-label=(t!("layout-games")) {
                    a.button.primary href=(next) rel="next" title=(t!("tv-lead")) { (t!("tv-next")) }
                    a.button href={ "/game/" (id) } { (t!("tv-whole")) }
                    a.button href=(query.address("/tv/wall", &[])) { (t!("tv-wall")) }
                }
            }
            (data(&game))
        };
        return Ok(Page::new(t!("tv-title"), body).with_script("evaluation.js").show_on_screen(&visitor));
    }
    Ok(empty().show(&visitor))
}

fn empty() -> Page {
    let body = html! {
        h1 { (t!("tv-title")) }
        p.empty { (t!("tv-empty")) }
        p { a.button href="/games" { (t!("layout-games")) } }
    };
    Page::new(t!("tv-title"), body)
}

/// Up to four games at once, for a projector: each begins another when it has ended.
pub(crate) async fn wall(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Query(query): Query<TvQuery>,
) -> SiteResult<Response> {
    let bouts = programme(&site, &visitor, &query).await?;
    let boards = query.boards.unwrap_or(MAX_BOARDS).clamp(1, MAX_BOARDS);
    let (mut shown, mut beside) = (numbers(&query.shown), numbers(&query.beside));
    let mut cards = Vec::new();
    while cards.len() < boards
        && let Some(at) = next_on_air(&bouts, &shown, &beside)
    {
        let bout = bouts[at].clone();
        // Fewer games than boards: none stands on two of them.
        if cards.iter().any(|card: &Featured| card.bout.id == bout.id) {
            break;
        }
        shown.push(bout.id);
        beside.push(bout.id);
        cards.push(card_of(&site, bout).await?);
    }
    if cards.is_empty() {
        return Ok(empty().show_on_screen(&visitor));
    }
    let competition = query.competition.as_deref().and_then(|slug| visitor.competition_at(slug));
    let body = html! {
        header.wall-head {
            a.brand href="/" { (wordmark()) }
            h1 { @if let Some(one) = &competition { (competition_title(one)) " · " } (t!("tv-title")) }
        }
        div class={ "wall of-" (cards.len()) } data-next=(query.address("/tv/wall", &[])) {
            @for card in &cards { (stage(&site, card)) }
        }
    };
    let page = Page { refresh: Some(WALL_SECONDS), ..Page::new(t!("tv-title"), body) };
    Ok(page.with_script("wall.js").show_on_screen(&visitor))
}
