//! A run over time as a drawing.

use std::fmt::Write as _;

use agon_arena::stats::{Interval, elo};
use agon_arena::tally::elo_steps;
use agon_arena::{Plan, Summary, Tally};

use crate::page::escaped;

/// A chart is drawn twice, so that its letters are as large on a telephone: its class, width and height, and the most
/// words below it.
const SIZES: [(&str, f64, f64, usize); 2] = [("broad", 900.0, 260.0, 40), ("narrow", 350.0, 220.0, 5)];

/// Left edge of the curves, right of the row labels.
const LEFT: f64 = 64.0;

/// Maximum number of versions with a name below the curve.
const MAX_NAMES: usize = 15;

/// Maximum number of points of an agent's curve: more than one per pixel cannot be seen.
const POINTS: usize = 900;

/// Draws the course of a run: for a test the path to its decision, otherwise the ratings over time.
pub(crate) fn over_time(plan: &Plan, bouts: &[Summary]) -> String {
    if plan.test.is_some() { likelihood(plan, bouts) } else { ratings(plan, bouts) }
}

/// The log likelihood ratio of the run's test after each pair that counts, between its bounds.
fn likelihood(plan: &Plan, bouts: &[Summary]) -> String {
    let mut tally = Tally::new(plan);
    let mut curve = vec![(0.0, 0.0)];
    let mut bounds = (0.0, 0.0);
    for bout in bouts {
        tally.add(bout);
        let Some(decision) = tally.test() else { break };
        bounds = decision.bounds;
        let pairs = decision.pairs.pairs() as f64;
        if pairs > curve[curve.len() - 1].0 {
            curve.push((pairs, decision.llr));
        }
    }
    let (low, high) = bounds;
    let values = || curve.iter().map(|point| point.1);
    let drawing = Drawing {
        heading: "Log likelihood ratio, pair by pair",
        label: format!("log likelihood ratio after each pair, between {low:.2} for H0 and {high:.2} for H1"),
        range: [values().fold(low, f64::min) - 0.2, values().fold(high, f64::max) + 0.2],
        rows: vec![(low, format!("H0 {low:.2}")), (0.0, "0".to_owned()), (high, format!("H1 +{high:.2}"))],
        columns: whole_ticks(curve[curve.len() - 1].0),
        unit: "pairs",
        dots: false,
    };
    drawing.svg(&[(curve, colour(0, 1))])
}

/// Each agent's ALPHANO Elo after each of its games.
fn ratings(plan: &Plan, bouts: &[Summary]) -> String {
    let agents = plan.agents.len();
    let mut curves = vec![vec![(0.0, elo::START)]; agents];
    for (number, seats, after) in elo_steps(agents, bouts) {
        for (agent, rating) in seats.into_iter().zip(after) {
            curves[agent].push((number as f64 + 1.0, rating));
        }
    }
    let all = curves.iter().flatten().map(|point| point.1);
    let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), r| (low.min(r), high.max(r)));
    let (low, high) = (low - 10.0, high + 10.0);
    let drawing = Drawing {
        heading: "ALPHANO Elo, game by game",
        label: format!("ALPHANO Elo of every agent after each game, from {low:.0} to {high:.0}"),
        range: [low, high],
        rows: rows_of([low, high]),
        columns: whole_ticks(curves.iter().filter_map(|curve| Some(curve.last()?.0)).fold(1.0, f64::max)),
        unit: "games",
        dots: false,
    };
    let curves: Vec<_> = curves.into_iter().enumerate().map(|(agent, curve)| (curve, colour(agent, agents))).collect();
    let mut html = drawing.svg(&curves);
    html += "<p>";
    for (entrant, (_, colour)) in plan.agents.iter().zip(&curves) {
        let _ = write!(
            html,
            "<span class=\"key\"><span style=\"color:{colour}\">■</span> {}</span> ",
            escaped(&entrant.name)
        );
    }
    html + "</p>\n"
}

/// The rating of each version with its interval, by their numbers.
pub(crate) fn over_versions(rated: &[(u32, Interval)]) -> String {
    let curve = |value: fn(&Interval) -> f64| -> Vec<(f64, f64)> {
        rated.iter().enumerate().map(|(at, (_, rating))| (at as f64, value(rating))).collect()
    };
    let [low, middle, high] = [curve(|it| it.low), curve(|it| it.value), curve(|it| it.high)];
    let lowest = low.iter().map(|point| point.1).fold(f64::INFINITY, f64::min) - 10.0;
    let highest = high.iter().map(|point| point.1).fold(f64::NEG_INFINITY, f64::max) + 10.0;
    let [first, last] = [rated[0].0, rated[rated.len() - 1].0];
    // Names that would touch are left out.
    let every = rated.len().div_ceil(MAX_NAMES);
    let named = rated.iter().enumerate().filter(|(at, _)| at % every == 0);
    let drawing = Drawing {
        heading: "Ratings by version",
        label: format!("rating of each version from v{first} to v{last}, from {lowest:.0} to {highest:.0}"),
        range: [lowest, highest],
        rows: rows_of([lowest, highest]),
        columns: named.map(|(at, (number, _))| (at as f64, format!("v{number}"))).collect(),
        unit: "",
        dots: true,
    };
    let faint = "var(--faint)".to_owned();
    let html = drawing.svg(&[(low, faint.clone()), (high, faint), (middle, colour(0, 1))]);
    format!("{html}<p class=\"faint\">v{first} to v{last}; the grey curves are the 95 % interval.</p>\n")
}

/// Lines at round ratings of a range.
fn rows_of([low, high]: [f64; 2]) -> Vec<(f64, String)> {
    ticks(low, high).into_iter().map(|rating| (rating, format!("{rating:.0}").replace('-', "−"))).collect()
}

/// Marks at round numbers of games or pairs.
fn whole_ticks(last: f64) -> Vec<(f64, String)> {
    ticks(0.0, last).into_iter().filter(|at| at.fract() == 0.0).map(|at| (at, format!("{at:.0}"))).collect()
}

/// Round values in a range, four to ten: multiples of 1, 2 or 5 times a power of ten.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low).max(f64::MIN_POSITIVE) / 10.0;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|&step| step >= rough);
    let step = step.unwrap_or(power);
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    (first..=last).map(|at| at as f64 * step).collect()
}

/// Frame of a chart.
struct Drawing {
    heading: &'static str,
    /// Accessible label.
    label: String,
    /// The values at the bottom and the top.
    range: [f64; 2],
    /// Values with a line across and a word of their own.
    rows: Vec<(f64, String)>,
    /// Places with a mark and a word of their own.
    columns: Vec<(f64, String)>,
    /// Unit of the places, after the last one.
    unit: &'static str,
    /// Mark the points of the last curve.
    dots: bool,
}

impl Drawing {
    /// Curves by place, from 0, and value, each with its colour.
    fn svg(&self, curves: &[(Vec<(f64, f64)>, String)]) -> String {
        let sizes: String = SIZES.iter().map(|size| self.of_size(curves, *size)).collect();
        format!("<h2>{}</h2>\n<figure class=\"curves\">\n{sizes}</figure>\n", self.heading)
    }

    fn of_size(
        &self,
        curves: &[(Vec<(f64, f64)>, String)],
        (class, width, height, most): (&str, f64, f64, usize),
    ) -> String {
        let [low, high] = self.range;
        let length = curves.iter().filter_map(|(curve, _)| Some(curve.last()?.0)).fold(1.0, f64::max);
        let x = |place: f64| LEFT + (width - LEFT - 10.0) * place / length;
        let bottom = height - 28.0;
        let y = |value: f64| bottom - (bottom - 20.0) * (value - low) / (high - low);
        let mut svg = format!(
            "<svg class=\"chart {class}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">\n",
            self.label
        );
        for (value, word) in &self.rows {
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{1:.1}\" y2=\"{1:.1}\"/><text x=\"4\" y=\"{2:.1}\">{word}</text>",
                width - 10.0,
                y(*value),
                y(*value) + 4.0
            );
        }
        let columns: Vec<_> = self.columns.iter().step_by(self.columns.len().div_ceil(most).max(1)).collect();
        for (at, (place, word)) in columns.iter().enumerate() {
            let unit = if at + 1 == columns.len() && !self.unit.is_empty() {
                format!(" {}", self.unit)
            } else {
                String::new()
            };
            // A word at an edge stays within it.
            let anchor = match at {
                0 => "start",
                _ if *place > 0.95 * length => "end",
                _ => "middle",
            };
            let _ = writeln!(
                svg,
                "<line x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{bottom:.1}\" y2=\"{1:.1}\"/>\
                 <text x=\"{0:.1}\" y=\"{2:.1}\" text-anchor=\"{anchor}\">{word}{unit}</text>",
                x(*place),
                bottom + 5.0,
                height - 6.0
            );
        }
        for (curve, colour) in curves {
            let points: Vec<String> =
                thinned(curve).iter().map(|&(place, value)| format!("{:.1},{:.1}", x(place), y(value))).collect();
            let _ = writeln!(svg, "<polyline points=\"{}\" style=\"stroke:{colour}\"/>", points.join(" "));
        }
        if let Some((curve, colour)) = curves.last().filter(|_| self.dots) {
            for &(place, value) in curve {
                let (x, y) = (x(place), y(value));
                let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" style=\"fill:{colour}\"/>");
            }
        }
        svg + "</svg>\n"
    }
}

/// Returns one of as many colours as there are agents, spaced as far apart as possible.
fn colour(agent: usize, agents: usize) -> String {
    format!("hsl({} 60% var(--curve))", 360 * agent / agents.max(1) + 205)
}

/// At most about [`POINTS`] of a curve's points, including the first and the last.
fn thinned(curve: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let step = curve.len().div_ceil(POINTS).max(1);
    let mut points: Vec<_> = curve.iter().copied().step_by(step).collect();
    if !(curve.len() - 1).is_multiple_of(step) {
        points.extend(curve.last());
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_fits_a_page_and_a_telephone() {
        let drawing = Drawing {
            heading: "Rating",
            label: "the rating".to_owned(),
            range: [1000.0, 2000.0],
            rows: vec![(1500.0, "1500".to_owned())],
            columns: whole_ticks(100.0),
            unit: "games",
            dots: false,
        };
        let svg = drawing.svg(&[(vec![(0.0, 1500.0), (100.0, 1600.0)], colour(0, 1))]);
        let (broad, narrow) = svg.split_once("</svg>").unwrap();
        assert!(broad.contains("class=\"chart broad\" viewBox=\"0 0 900 260\""), "{broad}");
        assert!(narrow.contains("class=\"chart narrow\" viewBox=\"0 0 350 220\""), "{narrow}");
        assert_eq!([broad, narrow].map(|chart| chart.matches("<text").count()), [12, 5], "{svg}");
        assert!([broad, narrow].iter().all(|chart| chart.contains(" games</text>")), "{svg}");
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks(-150.0, 1704.0), [0.0, 200.0, 400.0, 600.0, 800.0, 1000.0, 1200.0, 1400.0, 1600.0]);
        assert_eq!(
            ticks(1490.0, 1510.0),
            [1490.0, 1492.0, 1494.0, 1496.0, 1498.0, 1500.0, 1502.0, 1504.0, 1506.0, 1508.0, 1510.0]
        );
        let words = |last| whole_ticks(last).into_iter().map(|(_, word)| word).collect::<Vec<_>>();
        assert_eq!(words(3.0), ["0", "1", "2", "3"]);
        assert_eq!(words(100_000.0).last().unwrap(), "100000");
        for range in [0.3, 7.0, 77.0, 12_345.0] {
            assert!((4..=11).contains(&ticks(0.0, range).len()), "{range}");
        }
    }

    #[test]
    fn a_long_curve_keeps_its_ends() {
        let check = |games: usize, points: usize| {
            let curve: Vec<(f64, f64)> = (0..games).map(|n| (n as f64, 1500.0)).collect();
            let thin = thinned(&curve);
            assert_eq!((thin.len(), thin.first(), thin.last()), (points, curve.first(), curve.last()), "{games}");
        };
        check(1, 1);
        check(900, 900);
        check(901, 451);
        check(100_000, 894);
    }
}
