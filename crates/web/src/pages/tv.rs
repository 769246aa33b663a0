//! A broadcast: the last games most worth watching, one after the other, at a pace that people can follow.

use std::sync::Arc;

use agon_boards::layout::{Page, data};
use agon_boards::text::t;
use agon_boards::viewer;
use agon_site::access::{inside, may_watch};
use agon_site::identity::Identity;
use agon_site::store::Competition;
use axum::extract::{Query, State};
use axum::response::Response;
use maud::html;
use serde::Deserialize;

use super::game::{curve, drawn, has_program_rules, heading, without_scripts};
use crate::error::SiteError;
use crate::featured::next_on_air;
use crate::games::with_record;
use crate::layout::ShowPage as _;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// How many games the address remembers for a visitor.
const REMEMBERED: usize = 30;

#[derive(Deserialize)]
pub(crate) struct TvQuery {
    /// The numbers of games that were shown, the last one last, between dots.
    #[serde(default)]
    shown: String,
    /// The address of the only competition to show.
    competition: Option<String>,
}

pub(crate) async fn show(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Query(query): Query<TvQuery>,
) -> SiteResult<Response> {
    let mut competitions: Vec<Competition> = visitor.competitions.to_vec();
    if let Some(slug) = &query.competition {
        competitions.retain(|competition| competition.slug == *slug);
        if competitions.is_empty() {
            return Err(SiteError::NotFound);
        }
    }
    // A game that cannot be drawn is not broadcast.
    competitions.retain(|competition| !competition.game.is_missing());
    let own = Arc::clone(&site);
    let mut bouts = site.read(move |store| own.featured.programme(store, &competitions)).await?;
    bouts.retain(|bout| may_watch(site.competition(bout.competition).as_ref(), &visitor, bout));
    let mut shown: Vec<i64> = query.shown.split('.').filter_map(|id| id.parse().ok()).collect();
    // A game whose record has been removed is passed over.
    while let Some(at) = next_on_air(&bouts, &shown) {
        let bout = bouts.remove(at);
        let (id, open) = (bout.id, inside(&visitor, &bout));
        let Some(game) = with_record(&site, id, move |record| drawn(&record, open)).await? else { continue };
        let (game, _) = game.map_err(SiteError::internal)?;
        let game = viewer::spoken(game);
        shown.push(id);
        let remembered: Vec<String> =
            shown[shown.len().saturating_sub(REMEMBERED)..].iter().map(ToString::to_string).collect();
        let of = query.competition.as_ref().map_or_else(String::new, |slug| format!("&competition={slug}"));
        let next = format!("/tv?shown={}{of}", remembered.join("."));
        let anyone_sees = may_watch(site.competition(bout.competition).as_ref(), &Identity::default(), &bout);
        let body = html! {
            (heading(&site, &bout))
            section.game.with-bar id="game" tabindex="0" data-words=(viewer::words()) data-ply="0" data-next=(next) {
                noscript { (without_scripts(id, &game, anyone_sees)) }
            }
            (curve(id, has_program_rules(&site, &bout)))
            nav.actions aria-label=(t!("layout-games")) {
                a.button.primary href=(next) rel="next" { (t!("tv-next")) }
                a.button href={ "/game/" (id) } { (t!("tv-whole")) }
            }
            p.faint { (t!("tv-lead")) }
            (data(&game))
        };
        return Ok(Page::new(t!("tv-title"), body).with_script("evaluation.js").show(&visitor));
    }
    let body = html! {
        h1 { (t!("tv-title")) }
        p.empty { (t!("tv-empty")) }
        p { a.button href="/games" { (t!("layout-games")) } }
    };
    Ok(Page::new(t!("tv-title"), body).show(&visitor))
}
