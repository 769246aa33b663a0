//! The losses of a training as a picture.

use std::fmt::Write as _;

use crate::Epoch;

const WIDTH: f32 = 640.0;
const HEIGHT: f32 = 360.0;
/// Around the plot: left for the numbers, top for the title, right, bottom for the epochs.
const LEFT: f32 = 72.0;
const TOP: f32 = 48.0;
const RIGHT: f32 = 24.0;
const BOTTOM: f32 = 44.0;

/// About how many lines across.
const LINES: f32 = 5.0;

/// Draws the errors of the epochs, on training and held-out data, as an SVG picture.
pub fn svg(title: &str, epochs: &[Epoch]) -> String {
    let losses = || epochs.iter().flat_map(|epoch| [epoch.training, epoch.validation]);
    let (low, high) = losses().fold((f32::MAX, f32::MIN), |(low, high), loss| (low.min(loss), high.max(loss)));
    let (low, high) = if low < high { (low, high) } else { (0.0, 1.0) };
    let step = step((high - low) / LINES);
    let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
    let last = epochs.len().max(2) as f32;
    let x = |epoch: f32| LEFT + (epoch - 1.0) / (last - 1.0) * (WIDTH - LEFT - RIGHT);
    let y = |loss: f32| TOP + (high - loss) / (high - low) * (HEIGHT - TOP - BOTTOM);

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\" fill=\"#333\">\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"15\">{}</text>\n",
        title.replace('&', "&amp;").replace('<', "&lt;")
    );
    for line in 0..=((high - low) / step).round() as usize {
        let loss = low + line as f32 * step;
        let (x1, x2, y) = (LEFT, WIDTH - RIGHT, y(loss));
        let _ = writeln!(svg, "<path d=\"M{x1} {y:.1}H{x2}\" stroke=\"#ddd\"/>");
        let digits = (-step.log10().floor()).max(0.0) as usize;
        let _ =
            writeln!(svg, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{loss:.digits$}</text>", x1 - 8.0, y + 4.0);
    }
    let every = (self::step(last / 8.0).max(1.0)) as usize;
    for epoch in (1..=epochs.len()).filter(|epoch| epoch.is_multiple_of(every) || *epoch == 1) {
        let (x, y) = (x(epoch as f32), HEIGHT - BOTTOM + 18.0);
        let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{epoch}</text>");
    }
    let middle = LEFT.midpoint(WIDTH - RIGHT);
    let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">epoch</text>", HEIGHT - 8.0);
    let curves = [("learnt from", "#2b6cb0"), ("held out", "#c05621")];
    for (number, (name, colour)) in curves.into_iter().enumerate() {
        let loss = |epoch: &Epoch| [epoch.training, epoch.validation][number];
        let mut path = String::new();
        for (at, epoch) in epochs.iter().enumerate() {
            let command = if at == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{command}{:.1} {:.1}", x(at as f32 + 1.0), y(loss(epoch)));
        }
        let _ = writeln!(svg, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>");
        let (x, y) = (WIDTH - RIGHT - 110.0, TOP + 16.0 + 18.0 * number as f32);
        let end = epochs.last().map_or(0.0, loss);
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\">{name} {end:.5}</text>");
    }
    svg + "</svg>\n"
}

/// The nearest of 1, 2 and 5 times a power of ten that is not below.
fn step(wanted: f32) -> f32 {
    let power = 10.0_f32.powf(wanted.max(f32::MIN_POSITIVE).log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|times| times * power).into_iter().find(|step| *step >= wanted).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        let check = |wanted: f32, expected: f32| {
            assert!((step(wanted) / expected - 1.0).abs() < 1e-4, "{wanted}: {} instead of {expected}", step(wanted));
        };
        check(0.0011, 0.002);
        check(0.0034, 0.005);
        check(0.6, 1.0);
        check(12.0, 20.0);
        check(1.0, 1.0);
    }

    #[test]
    fn a_picture_has_a_point_for_every_epoch() {
        let epoch = |loss: f32| Epoch { training: loss, validation: loss + 0.01 };
        let epochs: Vec<Epoch> = [0.12, 0.08, 0.07, 0.066].map(epoch).to_vec();
        let picture = svg("a < b", &epochs);
        assert!(picture.contains("a &lt; b") && picture.ends_with("</svg>\n"));
        let points = |command: char| {
            picture
                .lines()
                .filter(|line| line.contains("fill=\"none\""))
                .map(|line| line.matches(command).count())
                .sum::<usize>()
        };
        assert_eq!((points('M'), points('L')), (2, 2 * 3));
        // No data must not fail.
        assert!(!svg("", &[]).contains("NaN"));
    }
}
