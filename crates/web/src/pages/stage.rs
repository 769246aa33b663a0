//! A game as a card, whose board plays it: on the front page, on a wall, and on the projector page of a final.

use std::sync::Arc;

use agon_boards::layout::coded;
use agon_boards::picture::{Picture, illustration};
use agon_boards::text::{ago, stated, t};
use agon_boards::viewer;
use agon_referee::record::Winner;
use agon_site::store::{BoutKind, SiteBout};
use maud::{Markup, html};
use serde::Deserialize;

use super::parts;
use crate::featured::{Featured, owners, position};
use crate::games::with_record;
use crate::layout::competition_title;
use crate::site::{Site, SiteResult};

/// The numbers between dots.
pub(super) fn numbers(text: &str) -> Vec<i64> {
    text.split('.').filter_map(|id| id.parse().ok()).collect()
}

#[derive(Deserialize)]
pub(crate) struct ShownGames {
    /// The numbers of games that were shown, the last one last, between dots.
    #[serde(default)]
    shown: String,
}

impl ShownGames {
    pub(super) fn shown(&self) -> Vec<i64> {
        numbers(&self.shown)
    }
}

/// A game with its last position, and whose its programs are.
pub(super) async fn card_of(site: &Arc<Site>, bout: SiteBout) -> SiteResult<Featured> {
    let view = match site.queue.live.find(bout.id) {
        Some(live) => live.stands().map(|(view, _)| view),
        None => with_record(site, bout.id, |record| position(&record, u32::MAX)).await?.flatten(),
    };
    let picture = view.as_ref().and_then(Picture::from_view).map(Arc::new);
    let ratings = bout.seats.each_ref().map(|seat| seat.rating);
    site.read(move |store| Ok(Featured { ratings, owners: owners(store, &bout)?, bout, picture })).await
}

/// The most moves of a finished game that a card plays: one of the petri dish would be megabytes.
const MAX_PLAYED: u32 = 400;

/// Whether a card can play a game that has ended.
pub(super) fn can_be_played(bout: &SiteBout) -> bool {
    bout.winner.is_some() && (1..=MAX_PLAYED).contains(&bout.plies)
}

/// A game as a card, its board, its players, and why it is shown: live, or from its start, if it has been played.
pub(super) fn stage(site: &Site, featured: &Featured) -> Markup {
    let bout = &featured.bout;
    let live = featured.is_live();
    let steps = can_be_played(bout).then(|| format!("/game/{}/steps", bout.id));
    let events = live.then(|| format!("/game/{}/events", bout.id));
    let competition = site.competition(bout.competition);
    let stones = featured.picture.as_ref().is_some_and(|picture| picture.crossings);
    let of = if live { format!("{} live", bout.id) } else { bout.id.to_string() };
    html! {
        section.card.featured data-part="featured" data-of=(of) {
            header {
                @if live { span.live-mark { (t!("front-live")) } } @else { span.tag { (t!("front-last")) } }
                @if let Some(competition) = &competition {
                    a href={ "/ladder/" (competition.slug) } { (competition_title(competition)) }
                }
                @if let BoutKind::Final { id, .. } = bout.kind { a.tag href={ "/final/" (id) } { (t!("front-final")) } }
                a.tag href="/tv" { (t!("tv-title")) }
            }
            a.board-link href={ "/game/" (bout.id) } {
                span.unseen { (t!("front-watch-game", number = bout.id)) " " }
                @let label = if live { t!("front-board-now") } else { t!("front-board-end") };
                div.board.mini data-words=[(live || steps.is_some()).then(viewer::words)] data-label=(label)
                    data-steps=[steps.as_deref()] data-events=[events.as_deref()] {
                    @if let Some(picture) = &featured.picture {
                        (picture.svg(Some(&label)))
                    } @else { (illustration(bout.game)) }
                }
            }
            div.balance hidden aria-hidden="true" {}
            @for (at, seat) in bout.seats.iter().enumerate() {
                p.player data-side=(at) {
                    i class={ "chip " (if stones { "stone" } else { "side" }) (at) } aria-hidden="true" {}
                    " " (parts::seat_name(seat, Some("who")))
                    @if let Some(owner) = &featured.owners[at] { " " span.faint.owner { (owner) } }
                    @if let Some(rating) = featured.ratings[at] { " " span.faint { (format!("{rating:.0}")) } }
                    " " span.clock {
                        @if won(bout, at) { (t!("result-won")) }
                    }
                }
            }
            p.faint.why {
                @if live {
                    // The script says more once it follows the game.
                    span.plies data-begins=(t!("front-begins")) {
                        @match site.queue.live.find(bout.id).and_then(|live| live.stands()) {
                            Some((_, moves @ 1..)) => (t!("front-moves", count = moves)),
                            _ => (t!("front-begins")),
                        }
                    }
                } @else {
                    span.plies data-begins=(t!("front-begins")) { (coded(&stated(&bout.reason))) }
                    " · " (t!("front-moves", count = bout.plies)) " · " (ago(bout.begun))
                }
            }
        }
    }
}

fn won(bout: &SiteBout, seat: usize) -> bool {
    bout.winner == Some([Winner::First, Winner::Second][seat])
}
