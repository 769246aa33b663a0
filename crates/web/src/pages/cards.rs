//! Programs as cards.

use agon_boards::picture::illustration;
use agon_boards::text::t;
use agon_site::store::SiteProgram;
use maud::{Markup, html};

use super::{parts, standings};
use crate::layout::competition_title;
use crate::site::Site;

/// Programs: where each plays, its rating, its course and its last results.
pub(super) fn of(site: &Site, programs: &[SiteProgram]) -> Markup {
    html! {
        div.tops { @for program in programs {
            section.card.program-card {
                header {
                    span.thumb { (illustration(program.game)) }
                    div {
                        h3 { a href={ "/program/" (program.id) } { (program.name) } }
                        @if let Some(competition) = site.competition(program.competition) {
                            a.faint href={ "/ladder/" (competition.slug) } { (competition_title(&competition)) }
                        }
                    }
                    @if program.active.is_some() { span.strong.elo { (format!("{:.0}", program.rating)) } }
                }
                @if program.withdrawn { p.faint { (t!("program-withdrawn")) } }
                @else if program.active.is_none() { p.faint { (t!("teams-no-version")) } }
                @else {
                    p.program-course {
                        @if let Some(trend) = site.queue.ratings.trends(program.competition).get(&program.id) {
                            (standings::spark(&trend.ratings))
                        }
                        " " (parts::form(&program.form))
                        span.faint { (t!("program-rated-games", count = program.games)) }
                    }
                }
            }
        } }
    }
}
