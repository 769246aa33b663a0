//! A pool as a page: which version is best, how the ratings developed, and against which opponents points are lost.

use std::fmt::Write as _;

use agon_arena::pool::{Pool, PoolStanding};
use agon_arena::stats::Interval;

use super::show::{conclusion, date, points};
use crate::arena::chart;
use crate::arena::html::{html_table, rating_bars, seats};
use crate::page::{escaped, limits, page};
use crate::show::counted;

/// The whole page.
pub(super) fn html(pool: &Pool, standing: &PoolStanding) -> String {
    let title = format!("Pool of {}", pool.game().title());
    let (_, interaction) = seats(pool.terms());
    let facts = [
        counted(pool.versions().len() as u64, "version"),
        counted(pool.opponents().len() as u64, "opponent"),
        counted(standing.games(), "game"),
        limits(&pool.terms().limits, interaction).to_string(),
    ];
    let mut body = format!("<h1>{}</h1>\n<p class=\"faint\">{}</p>\n", escaped(&title), escaped(&facts.join(" · ")));
    let Some(best) = standing.best() else {
        body += "<p>No games yet: <code>agon pool play</code> plays them.</p>\n";
        return page(&title, &body);
    };
    let _ = writeln!(body, "<p><strong>{}.</strong></p>", escaped(&conclusion(pool, standing, best)));
    let rated: Vec<(usize, Interval)> =
        (0..pool.members()).filter_map(|at| Some((at, standing.of(at).rating?))).collect();
    let versions: Vec<(u32, Interval)> =
        rated.iter().filter_map(|&(at, rating)| Some((pool.versions().get(at)?.number, rating))).collect();
    if versions.len() > 1 {
        body += &chart::over_versions(&versions);
    }
    body += "<h2>Versions</h2>\n";
    body += &html_table("versions", &versions_of(pool, standing));
    let named: Vec<(String, Interval)> = rated.iter().map(|&(at, rating)| (pool.name(at), rating)).collect();
    body += &rating_bars("", &named);
    body += "<h2>Points against each opponent</h2>\n";
    body += &html_table("points against each opponent", &against(pool, standing));
    page(&title, &body)
}

/// A row for each version, the newest first.
fn versions_of(pool: &Pool, standing: &PoolStanding) -> Vec<Vec<String>> {
    let words = ["agent", "saved", "rating", "±", "games", "points", "failures", "note"];
    let row = |(at, version): (usize, &agon_arena::pool::Version)| {
        let found = standing.of(at);
        let rating = found.rating.map_or_else(Default::default, |rating| {
            [format!("{:.0}", rating.value), format!("{:.0}", (rating.high - rating.low) / 2.0)]
        });
        let [value, margin] = rating;
        let note = version.note.clone().unwrap_or_default();
        let numbers = [found.games.to_string(), points(found.points), found.failures.to_string()];
        [pool.name(at), date(version.saved), value, margin].into_iter().chain(numbers).chain([note]).collect()
    };
    let rows = pool.versions().iter().enumerate().rev().map(row);
    [words.map(str::to_owned).to_vec()].into_iter().chain(rows).collect()
}

/// `7.5 of 12` of each version against each opponent, the newest first.
fn against(pool: &Pool, standing: &PoolStanding) -> Vec<Vec<String>> {
    let opponents = || pool.versions().len()..pool.members();
    let head = ["agent".to_owned()].into_iter().chain(opponents().map(|at| pool.name(at))).collect();
    let row = |version: usize| {
        let cells = opponents().map(|opponent| match standing.against(version, opponent) {
            [_, 0.0] => "–".to_owned(),
            [own, games] => format!("{} of {games:.0}", points(own)),
        });
        [pool.name(version)].into_iter().chain(cells).collect()
    };
    [head].into_iter().chain((0..pool.versions().len()).rev().map(row)).collect()
}
