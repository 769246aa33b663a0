//! What the games of a program say about it: its rating over time, whom it beats, why and when it loses.

use std::collections::BTreeMap;

use agon_boards::layout::coded;
use agon_boards::text::{stated, t};
use agon_message::Stated;
use agon_referee::verdict::Verdict;
use agon_site::store::{Meeting, OwnResult, SiteProgram};
use maud::{Markup, html};

use super::parts;

/// The space beside and below a chart for numbers.
const LEFT: f64 = 48.0;
const BELOW: f64 = 26.0;

/// A chart is drawn twice, so that its letters are as large on a telephone: its class, width and height.
const CHARTS: [(&str, f64, f64); 2] = [("broad", 960.0, 260.0), ("narrow", 350.0, 210.0)];

/// Opponents of the matchups.
const MAX_CELLS: usize = 60;

/// Causes of losses that are listed.
const MAX_CAUSES: usize = 8;

/// The rating over the last games, the newest at the right; a line marks each change of version.
pub(super) fn chart(program: &SiteProgram, results: &[OwnResult]) -> Markup {
    let results: Vec<&OwnResult> = results.iter().rev().collect();
    if program.fixed || results.len() < 2 {
        return html! {};
    }
    let label = t!(
        "rating-course",
        count = results.len(),
        from = results[0].rating.round() as i64,
        to = program.rating.round() as i64,
    );
    html! {
        figure.rating-chart {
            @for (class, width, height) in CHARTS {
                svg class={ "chart " (class) } viewBox={ "0 0 " (width) " " (height) } role="img" aria-label=(label) {
                    (course(&results, width, height))
                }
            }
            figcaption.faint { (t!("program-chart", count = results.len())) }
        }
    }
}

/// The drawing of the ratings, on an area of this size.
fn course(results: &[&OwnResult], width: f64, height: f64) -> Markup {
    let ratings = || results.iter().map(|result| result.rating);
    let [low, high] = ratings().fold([f64::MAX, f64::MIN], |[low, high], r| [low.min(r), high.max(r)]);
    let [low, high] = [(low / 50.0).floor() * 50.0, (high / 50.0).ceil() * 50.0 + 1.0];
    let x = |at: usize| LEFT + (width - LEFT - 10.0) * at as f64 / (results.len() - 1) as f64;
    let y = |rating: f64| 12.0 + (height - BELOW - 12.0) * (high - rating) / (high - low);
    let points: Vec<String> =
        ratings().enumerate().map(|(at, rating)| format!("{:.1},{:.1}", x(at), y(rating))).collect();
    let area = format!(
        "{:.1},{:.1} {} {:.1},{:.1}",
        x(0),
        height - BELOW,
        points.join(" "),
        x(results.len() - 1),
        height - BELOW
    );
    let step = [50.0, 100.0, 200.0].into_iter().find(|step| (high - low) / step <= 6.0).unwrap_or(400.0);
    let lines = (0..20).map(|n| low + step * f64::from(n)).take_while(|rating| *rating <= high);
    let changes = (0..results.len())
        .filter(|at| results[*at].version.is_some() && (*at == 0 || results[*at].version != results[at - 1].version));
    // The names of versions that played few games would overlap.
    let mut last = f64::MIN;
    let named: Vec<(usize, Option<u32>)> = changes
        .map(|at| {
            let room = x(at) - last > 34.0;
            if room {
                last = x(at);
            }
            (at, results[at].version.filter(|_| room))
        })
        .collect();
    html! {
        @for rating in lines {
            line x1=(LEFT) x2=(width - 10.0) y1=(short(y(rating))) y2=(short(y(rating))) {}
            text x="6" y=(short(y(rating) + 4.0)) { (format!("{rating:.0}")) }
        }
        @for (at, version) in named {
            line.version x1=(short(x(at))) x2=(short(x(at))) y1="12" y2=(height - BELOW) {}
            @if let Some(version) = version {
                text.version x=(short(x(at) + 4.0)) y=(height - BELOW - 6.0) { "v" (version) }
            }
        }
        polygon.under points=(area) {}
        polyline.rating points=(points.join(" ")) {}
    }
}

/// A coordinate, as precise as can be seen.
fn short(value: f64) -> String {
    format!("{value:.1}")
}

/// The colour class of a share of points: five steps from mostly lost to mostly won.
pub(super) fn heat(share: f64) -> usize {
    ((share * 5.0).floor() as usize).min(4)
}

/// The opponents from the strongest to the weakest, each a cell with the share of the points.
pub(super) fn matchups(program: i64, meetings: &[Meeting]) -> Markup {
    html! {
        ul.heat {
            @for meeting in meetings.iter().take(MAX_CELLS) {
                @let share = parts::share(meeting);
                li {
                    a class={ "heat" (heat(share)) } href={ "/versus/" (program) "/" (meeting.opponent) } {
                        span.name { (meeting.name) }
                        span.share-text { (format!("{:.0} %", 100.0 * share)) }
                        span.detail {
                            (format!("{:.0}", meeting.rating)) " · " (meeting.wins) "–" (meeting.draws) "–"
                            (meeting.games - meeting.wins - meeting.draws)
                        }
                    }
                }
            }
        }
        p.faint.key { (t!("program-matchups")) }
    }
}

/// Why a game was lost, without the parts that differ from game to game.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Cause {
    /// By its own failure.
    Failed(&'static str),
    /// By the rules, or by the other side's actions.
    Ended(Stated),
}

impl Cause {
    fn new(result: &OwnResult) -> Self {
        match result.verdict {
            Verdict::Ok => Self::Ended(result.reason.kind().clone()),
            verdict => Self::Failed(verdict.name()),
        }
    }

    /// In the language of the request.
    fn name(&self) -> String {
        match self {
            Self::Failed(verdict) => t!("cause-fault", verdict = parts::verdict_words(verdict)),
            Self::Ended(reason) => stated(reason),
        }
    }
}

/// Why games were lost, the most frequent cause first.
pub(super) fn causes(results: &[OwnResult]) -> Vec<(Cause, u32)> {
    let mut counts: BTreeMap<Cause, u32> = BTreeMap::new();
    for result in results.iter().filter(|result| result.points == 0.0) {
        *counts.entry(Cause::new(result)).or_default() += 1;
    }
    let mut all: Vec<(Cause, u32)> = counts.into_iter().collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    all.truncate(MAX_CAUSES);
    all
}

/// Games by their length in thirds, from the shortest to the longest: from and to how many moves, and the share of
/// points in them.
pub(super) fn phases(results: &[OwnResult]) -> Vec<(u32, u32, u32, f64)> {
    let mut sorted: Vec<&OwnResult> = results.iter().collect();
    sorted.sort_by_key(|result| result.plies);
    if sorted.len() < 9 {
        return Vec::new();
    }
    let third = sorted.len().div_ceil(3);
    let of = |games: &[&OwnResult]| {
        let points: f64 = games.iter().map(|result| result.points).sum();
        (games[0].plies, games[games.len() - 1].plies, games.len() as u32, points / games.len() as f64)
    };
    sorted.chunks(third).map(of).collect()
}

/// Whether there is anything to say about how games end.
pub(super) fn has_losses(results: &[OwnResult]) -> bool {
    !causes(results).is_empty() || !phases(results).is_empty()
}

/// Why and when games were lost.
pub(super) fn losses(results: &[OwnResult]) -> Markup {
    let (causes, phases) = (causes(results), phases(results));
    let lost: u32 = causes.iter().map(|(_, count)| count).sum();
    html! {
        div.tops {
            @if lost > 0 { section.card { h3 { (t!("program-causes")) }
                ul.bars { @for (cause, count) in &causes { li {
                    span { (coded(&cause.name())) } span.strong { (count) }
                    (parts::share_bar(f64::from(*count) / f64::from(lost)))
                } } }
            } }
            @if !phases.is_empty() { section.card { h3 { (t!("program-phases")) }
                @let names = [t!("phase-short"), t!("phase-middle"), t!("phase-long")];
                ul.bars { @for ((from, to, games, share), name) in phases.iter().zip(names) { li {
                    span { (name) span.faint { ", " (t!("phase-moves", from = from, to = to, games = games)) } }
                    span.strong { (format!("{:.0} %", 100.0 * share)) }
                    (parts::share_bar(*share))
                } } }
                p.faint { (t!("phase-share")) }
            } }
        }
    }
}

#[cfg(test)]
mod tests {
    use agon_boards::text::within;
    use agon_message::{Locale, Message};
    use agon_rules::bacteria::BacteriaEnding;
    use agon_rules::petri::{DishEnding, TurnsOver};
    use agon_rules::renju::{Axis, RenjuEnding, RenjuWin};

    use super::*;

    fn result(points: f64, plies: u32, reason: impl Into<Stated>, verdict: Verdict) -> OwnResult {
        OwnResult {
            bout: 1,
            version: Some(1),
            opponent: 2,
            points,
            verdict,
            plies,
            reason: reason.into(),
            rating: 1500.0,
            begun: 1,
        }
    }

    #[test]
    fn causes_are_counted_without_their_numbers() {
        let lost = |reason: &dyn Message| result(0.0, 9, reason, Verdict::Ok);
        let kind = TurnsOver::TurnsOver;
        let five = |line, from: &str| {
            let (from, to) = (from.to_owned(), "K11 (5,11)".to_owned());
            RenjuEnding::Row { kind: RenjuWin::WhiteFive, line, from, to }
        };
        let results = [
            lost(&DishEnding::LastTurn { kind, first: 19, second: 20 }),
            lost(&DishEnding::LastTurnOneCell { kind, second: 20 }),
            result(1.0, 9, &DishEnding::LastTurn { kind, first: 30, second: 20 }, Verdict::Ok),
            lost(&five(Axis::Rising, "G7 (9,7)")),
            lost(&five(Axis::Row, "G11 (5,7)")),
            lost(&BacteriaEnding::LastTurn),
            result(0.0, 9, "first failed: TLE: no answer", Verdict::Tle),
            // From a site older than the keys of reasons.
            result(0.0, 9, "O has vanished", Verdict::Ok),
        ];
        let ended = |reason: &dyn Message| Cause::Ended(reason.into());
        let wanted = [
            (ended(&RenjuWin::WhiteFive), 2),
            (ended(&kind), 2),
            (Cause::Failed("TLE"), 1),
            (Cause::Ended("O has vanished".into()), 1),
            (ended(&BacteriaEnding::LastTurn), 1),
        ];
        assert_eq!(causes(&results), wanted);
        for (cause, _) in &wanted {
            let korean = within(Locale::Korean, || cause.name());
            let is_old = *cause == Cause::Ended("O has vanished".into());
            assert!(!korean.contains("the ") && (is_old || korean != cause.name()), "{korean}");
        }
        assert_eq!(causes(&[]), []);
    }

    #[test]
    fn phases_are_thirds_by_length() {
        let games: Vec<OwnResult> =
            (1..=9).map(|plies| result(if plies > 6 { 1.0 } else { 0.0 }, plies, "", Verdict::Ok)).collect();
        assert_eq!(phases(&games), [(1, 3, 3, 0.0), (4, 6, 3, 0.0), (7, 9, 3, 1.0)]);
        assert_eq!(phases(&games[..8]), [], "too few to say anything");
    }

    #[test]
    fn heat_has_five_steps() {
        assert_eq!([0.0, 0.19, 0.2, 0.5, 0.79, 0.8, 1.0].map(heat), [0, 0, 1, 2, 3, 4, 4]);
    }
}
