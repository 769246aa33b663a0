//! The rows of a ladder: programs of users; the built-in players stand below it, by their ratings.

use std::cmp::Ordering;
use std::sync::Arc;

use agon_arena::stats::Interval;
use agon_boards::text::t;
use agon_queue::ratings::Trend;
use agon_site::store::{PlacedProgram, SiteProgram};
use maud::{Markup, html};

use super::parts;
use crate::site::Site;
use crate::visitor::Visitor;

/// The sizes of the small drawings in a row.
const SPARK: [f64; 2] = [84.0, 24.0];
const RANGE: [f64; 2] = [120.0, 14.0];

/// The Elo between which intervals are drawn.
#[derive(Clone, Copy)]
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn x(self, rating: f64) -> f64 {
        ((rating - self.low) / (self.high - self.low)).clamp(0.0, 1.0) * RANGE[0]
    }
}

/// The rows of a ladder, the best first.
pub(super) fn table(site: &Arc<Site>, programs: &[PlacedProgram], visitor: &Visitor) -> Markup {
    let competition = programs.first().map(|row| row.program.competition).unwrap_or_default();
    let trends = site.queue.ratings.trends(competition);
    let users = || programs.iter().map(|row| &row.program).filter(|program| program.builtin.is_none());
    let known: Vec<Interval> =
        users().filter_map(|program| site.queue.ratings.strength(program)).filter(parts::is_known).collect();
    let low = known.iter().map(|one| one.low.max(one.value - 400.0)).fold(f64::MAX, f64::min);
    let high = known.iter().map(|one| one.high.min(one.value + 400.0)).fold(f64::MIN, f64::max);
    let scale = Scale { low, high: high.max(low + 1.0) };
    html! {
        div.scroll {
            table.wide.ladder.cards {
                thead { tr {
                    th scope="col" { "#" } th.name scope="col" { (t!("column-program")) }
                    th scope="col" { abbr title=(t!("column-elo")) { (t!("column-points")) } }
                    th scope="col" { abbr title=(t!("column-day-title")) { (t!("column-day")) } }
                    th.name scope="col" {
                        abbr title=(t!("column-rating-title")) { (t!("column-rating")) }
                    }
                    th.name.course scope="col" { (t!("column-course")) }
                    th scope="col" { (t!("column-games")) } th scope="col" { (t!("column-won")) }
                    th scope="col" { (t!("column-faults")) }
                    th.name scope="col" { (t!("column-form")) }
                } }
                tbody {
                    @for row in programs.iter().filter(|row| row.program.builtin.is_none()) {
                        @let strength = site.queue.ratings.strength(&row.program);
                        (self::row(row, strength.as_ref(), trends.get(&row.program.id), scale, visitor))
                    }
                }
            }
        }
    }
}

/// The built-in players by rating. They stand in no row: rows are in the order of points, another scale.
pub(super) fn levels(site: &Site, builtins: &[SiteProgram]) -> Markup {
    let rating = |program: &SiteProgram| {
        if program.fixed {
            return Some(program.rating);
        }
        site.queue.ratings.strength(program).filter(parts::is_known).map(|known| known.value)
    };
    let mut rated: Vec<(Option<f64>, &SiteProgram)> = builtins.iter().map(|one| (rating(one), one)).collect();
    // Those without a rating come last.
    rated.sort_by(|one, other| other.0.partial_cmp(&one.0).unwrap_or(Ordering::Equal));
    html! {
        @if !rated.is_empty() {
            h2 { (t!("ladder-levels")) }
            p.faint {
                (t!("ladder-levels-scale"))
                @if rated.iter().any(|(_, program)| program.fixed) { " " (t!("ladder-fixed")) }
            }
            ul.levels { @for (rating, program) in rated { li {
                a href={ "/program/" (program.id) } { (program.name) }
                @if let Some(rating) = rating { " " span.strong { (format!("{rating:.0}")) } }
                @if program.fixed { abbr title=(t!("ladder-fixed-point")) { " ⚓" } }
            } } }
        }
    }
}

fn row(
    PlacedProgram { place, program }: &PlacedProgram,
    strength: Option<&Interval>,
    trend: Option<&Trend>,
    scale: Scale,
    visitor: &Visitor,
) -> Markup {
    let own = visitor.is(program.account).then_some("own");
    let gained = trend.and_then(|trend| trend.gained).unwrap_or_default().round() as i32;
    let climbed = trend.and_then(|trend| trend.climbed).unwrap_or_default();
    html! {
        tr class=[own] {
            td.place { (parts::medal(*place)) (places(climbed)) }
            th.name scope="row" { (parts::program(program)) }
            @if program.is_ranked() { td.strong.elo { (format!("{:.0}", program.rating)) } }
            @else { td.faint.elo { (t!("ladder-unrated")) } }
            td.day.none[gained == 0] data-label=(t!("column-day")) { (parts::change(gained)) }
            td.name.range data-label=(t!("column-rating")) {
                @if let Some(rating) = strength { (range(rating, scale)) }
            }
            td.name.course { @if let Some(trend) = trend { (spark(&trend.ratings)) } }
            td.games data-label=(t!("column-games")) { (program.games) }
            td data-label=(t!("column-won")) {
                @if program.games > 0 { (format!("{:.0} %", 100.0 * parts::score(program))) }
            }
            td data-label=(t!("column-faults")) class=(if program.faults > 0 { "bad" } else { "none" }) {
                (program.faults)
            }
            td.name data-label=(t!("column-form")) { (parts::form(&program.form)) }
        }
    }
}

/// How many places a program has climbed since yesterday.
fn places(climbed: i32) -> Markup {
    html! {
        @if climbed > 0 { " " span.up title=(t!("column-places")) { "↑" (climbed) } }
        @else if climbed < 0 { " " span.down title=(t!("column-places")) { "↓" (-climbed) } }
    }
}

/// A rating and its interval: a bar on the scale of the page.
fn range(rating: &Interval, scale: Scale) -> Markup {
    if !parts::is_known(rating) {
        return parts::rating(rating);
    }
    let [width, height] = RANGE;
    let [low, value, high] = [rating.low, rating.value, rating.high].map(|rating| scale.x(rating));
    let coordinate = |value: f64| format!("{value:.1}");
    html! {
        span.number { (format!("{:.0}", rating.value)) }
        svg.interval viewBox={ "0 0 " (width) " " (height) } role="img"
            aria-label=(t!("rating-between", low = rating.low.round() as i64, high = rating.high.round() as i64)) {
            rect.axis x="0" y=(height / 2.0 - 0.5) width=(width) height="1" {}
            rect.span x=(coordinate(low)) y=(height / 2.0 - 2.5) height="5" rx="2.5"
                width=(coordinate((high - low).max(2.0))) {}
            circle.value cx=(coordinate(value)) cy=(height / 2.0) r="4" {}
        }
        span.bounds { (format!("{:.0}–{:.0}", rating.low, rating.high)) }
    }
}

/// The course of a rating over the last games.
pub(super) fn spark(ratings: &[f64]) -> Markup {
    let [width, height] = SPARK;
    if ratings.len() < 3 {
        return html! {};
    }
    let [low, high] = ratings.iter().fold([f64::MAX, f64::MIN], |[low, high], r| [low.min(*r), high.max(*r)]);
    let reach = (high - low).max(40.0);
    let middle = f64::midpoint(low, high);
    let point = |(at, rating): (usize, &f64)| {
        let x = 2.0 + (width - 4.0) * at as f64 / (ratings.len() - 1) as f64;
        let y = height / 2.0 - (rating - middle) / reach * (height - 4.0);
        format!("{x:.1},{y:.1}")
    };
    let points: Vec<String> = ratings.iter().enumerate().map(point).collect();
    let rises = ratings[ratings.len() - 1] >= ratings[0];
    let label = t!(
        "rating-course",
        count = ratings.len(),
        from = ratings[0].round() as i64,
        to = ratings[ratings.len() - 1].round() as i64,
    );
    let end = points[points.len() - 1].split_once(',').map(|(x, y)| (x.to_owned(), y.to_owned())).unwrap_or_default();
    html! {
        svg.spark.rises[rises].falls[!rises] viewBox={ "0 0 " (width) " " (height) } role="img"
            aria-label=(label) {
            polyline points=(points.join(" ")) {}
            circle cx=(end.0) cy=(end.1) r="2.5" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_stays_in_its_box() {
        assert_eq!(spark(&[1500.0, 1510.0]).into_string(), "");
        let drawn = spark(&[1500.0, 1700.0, 1400.0, 1950.0]).into_string();
        assert!(drawn.contains("class=\"spark rises\"") && drawn.contains("from 1500 to 1950"), "{drawn}");
        let points = drawn.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
        for point in points.split(' ') {
            let (x, y) = point.split_once(',').unwrap();
            let [x, y] = [x, y].map(|text| text.parse::<f64>().unwrap());
            assert!((0.0..=SPARK[0]).contains(&x) && (0.0..=SPARK[1]).contains(&y), "{drawn}");
        }
    }
}
