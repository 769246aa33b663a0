//! The values of a run over its games, as a picture.

use std::fmt::Write as _;

use agon_training::spsa::TunedNumber;
use agon_training::tuning_run::TunedMoment;

use crate::page::escaped;

const WIDTH: f64 = 720.0;
/// Height of one panel.
const HEIGHT: f64 = 130.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 16.0;

/// A panel for each number, with its range, its start as a dashed line and its values as a curve.
pub(super) fn svg(names: &[&str], numbers: &[TunedNumber], history: &[TunedMoment], steps: u64) -> String {
    let height = HEIGHT * names.len() as f64 + 24.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n\
         <title>Values over {} games</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        2 * steps
    );
    let x = |step: u64| LEFT + (WIDTH - LEFT - RIGHT) * step as f64 / steps.max(1) as f64;
    for (at, (name, number)) in names.iter().zip(numbers).enumerate() {
        let top = HEIGHT * at as f64;
        let y = |value: f64| {
            let share = (value - number.low) / (number.high - number.low);
            top + HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share.clamp(0.0, 1.0)
        };
        let right = WIDTH - RIGHT;
        let first = history.first().map_or(number.low, |then| then.values[at]);
        let last = history.last().map_or(first, |then| then.values[at]);
        let _ = writeln!(
            svg,
            "<text x=\"{LEFT}\" y=\"{:.1}\" font-weight=\"bold\">{}</text>\
             <text x=\"{right}\" y=\"{0:.1}\" text-anchor=\"end\" fill=\"#555\">{} → {}</text>",
            top + TOP - 9.0,
            escaped(name),
            short(first),
            short(last),
        );
        for value in [number.low, number.high] {
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" x2=\"{right}\" y1=\"{0:.1}\" y2=\"{0:.1}\" stroke=\"#ccc\"/>\
                 <text x=\"{1}\" y=\"{2:.1}\" text-anchor=\"end\" fill=\"#555\">{3}</text>",
                y(value),
                LEFT - 6.0,
                y(value) + 4.0,
                short(value),
            );
        }
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{right}\" y1=\"{0:.1}\" y2=\"{0:.1}\" stroke=\"#999\" stroke-dasharray=\"4 4\"/>",
            y(first),
        );
        let points: Vec<String> =
            history.iter().map(|then| format!("{:.1},{:.1}", x(then.step), y(then.values[at]))).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#1f6fb2\" stroke-width=\"1.5\"/>",
            points.join(" ")
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"{0:.1}\" fill=\"#555\">0</text>\
         <text x=\"{1}\" y=\"{0:.1}\" text-anchor=\"end\" fill=\"#555\">{2} games</text>\n</svg>",
        height - 8.0,
        WIDTH - RIGHT,
        2 * steps,
    );
    svg
}

/// Four digits that count.
fn short(value: f64) -> String {
    let short: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    short.to_string().replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_a_panel() {
        let number = TunedNumber { low: 0.0, high: 10.0, step: 1.0, whole: true };
        let history: Vec<TunedMoment> =
            (0..=4).map(|step| TunedMoment { step, values: vec![5.0 + step as f64, 5.0] }).collect();
        let svg = svg(&["a<b", "c"], &[number; 2], &history, 4);
        assert_eq!((svg.matches("<polyline").count(), svg.matches("a&lt;b").count()), (2, 1), "{svg}");
        assert!(svg.contains("5 → 9") && svg.contains("8 games") && svg.trim_end().ends_with("</svg>"), "{svg}");
        // The values of the first go up in the picture.
        let points = svg.split("points=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        let heights: Vec<f64> =
            points.split(' ').map(|point| point.split(',').nth(1).unwrap().parse().unwrap()).collect();
        assert!(heights.is_sorted_by(|a, b| a > b), "{heights:?}");
    }
}
