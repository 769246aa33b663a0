//! Ratings over a run as a drawing.

use std::fmt::Write as _;

use agon_arena::stats::elo;
use agon_arena::tally::elo_steps;
use agon_arena::{Plan, Summary};

use crate::page::escaped;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 260.0;

/// Maximum number of points of an agent's curve: more than one per pixel cannot be seen.
const POINTS: usize = 900;

/// Each agent's ALPHANO Elo after each of its games.
pub fn over_time(plan: &Plan, bouts: &[Summary]) -> String {
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
    let x = |n: f64| 50.0 + (WIDTH - 60.0) * n / (bouts.len().max(1)) as f64;
    let y = |rating: f64| HEIGHT - 20.0 - (HEIGHT - 40.0) * (rating - low) / (high - low);
    let mut svg = format!(
        "<h2>ALPHANO Elo, game by game</h2>\n\
         <div class=\"scroll\" role=\"region\" aria-label=\"ALPHANO Elo\" tabindex=\"0\">\
         <svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-label=\"ALPHANO Elo of every agent after each game, from {low:.0} to {high:.0}\">\n"
    );
    for rating in [low, f64::midpoint(low, high), high] {
        let _ = writeln!(
            svg,
            "<line x1=\"50\" x2=\"{}\" y1=\"{1:.1}\" y2=\"{1:.1}\"/><text x=\"4\" y=\"{2:.1}\">{rating:.0}</text>",
            WIDTH - 10.0,
            y(rating),
            y(rating) + 4.0
        );
    }
    for (agent, curve) in curves.iter().enumerate() {
        let points: Vec<String> =
            thinned(curve).iter().map(|&(n, rating)| format!("{:.1},{:.1}", x(n), y(rating))).collect();
        let _ = writeln!(svg, "<polyline points=\"{}\" style=\"stroke:{}\"/>", points.join(" "), colour(agent, agents));
    }
    svg += "</svg></div>\n<p>";
    for (agent, entrant) in plan.agents.iter().enumerate() {
        let colour = colour(agent, agents);
        let _ = write!(
            svg,
            "<span class=\"key\"><span style=\"color:{colour}\">■</span> {}</span> ",
            escaped(&entrant.name)
        );
    }
    svg + "</p>\n"
}

/// As many colours as there are agents, as far from each other as they can be.
fn colour(agent: usize, agents: usize) -> String {
    format!("hsl({} 60% var(--curve))", 360 * agent / agents.max(1) + 205)
}

/// At most about [`POINTS`] of a curve's points, the first and the last among them.
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
