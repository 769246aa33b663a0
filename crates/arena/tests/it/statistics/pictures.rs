//! The pictures of the statistics in docs/series.md and of docs/levels.md: drawn here, and compared with the files by a
//! test.
//!
//! `scripts/statistics-pictures` rewrites the files.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use agon_arena::stats::sprt::{Scale, Sprt};
use agon_catalog::Game;
use agon_game::seed::Stream;

use crate::statistics::coverage::{KINDS, MATCHES, PAIRS, claimed, of_matches, of_tournaments};
use crate::statistics::llr::{agree, llr, reference_llr, test};

const WIDTH: f64 = 470.0;
const HEIGHT: f64 = 330.0;
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#555555"];

/// Tournaments of the curve of ratings, whose five intervals each count.
const TOURNAMENTS: u32 = MATCHES / 5;

/// Smaller deviations are drawn as this: they are rounding, which differs from machine to machine.
const MIN_DEVIATION: f64 = 1e-8;

/// An axis between two values, with the values that have a tick.
struct Axis {
    from: f64,
    to: f64,
    ticks: Vec<(f64, String)>,
    name: &'static str,
}

/// A drawing with two axes.
struct Plot {
    x: Axis,
    y: Axis,
    body: String,
    keys: usize,
}

impl Plot {
    fn new(title: &str, x: Axis, y: Axis) -> Self {
        let mut plot = Self { x, y, body: String::new(), keys: 0 };
        plot.text(WIDTH / 2.0, 18.0, "middle", &format!("<tspan font-weight=\"bold\">{title}</tspan>"));
        let lines: Vec<_> = plot.x.ticks.iter().map(|(at, label)| (plot.across(*at), label.clone())).collect();
        for (x, label) in lines {
            plot.line(x, 30.0, x, HEIGHT - 50.0, "#ddd");
            plot.text(x, HEIGHT - 34.0, "middle", &label);
        }
        let lines: Vec<_> = plot.y.ticks.iter().map(|(at, label)| (plot.up(*at), label.clone())).collect();
        for (y, label) in lines {
            plot.line(62.0, y, WIDTH - 24.0, y, "#ddd");
            plot.text(56.0, y + 4.0, "end", &label);
        }
        plot.text(WIDTH / 2.0, HEIGHT - 14.0, "middle", plot.x.name);
        let middle = HEIGHT / 2.0 - 10.0;
        let name = plot.y.name;
        let _ = writeln!(
            plot.body,
            "<text x=\"14\" y=\"{middle:.1}\" text-anchor=\"middle\" \
             transform=\"rotate(-90 14 {middle:.1})\">{name}</text>"
        );
        plot
    }

    fn across(&self, value: f64) -> f64 {
        62.0 + (WIDTH - 86.0) * (value - self.x.from) / (self.x.to - self.x.from)
    }

    fn up(&self, value: f64) -> f64 {
        HEIGHT - 50.0 - (HEIGHT - 80.0) * (value - self.y.from) / (self.y.to - self.y.from)
    }

    fn line(&mut self, x1: f64, y1: f64, x2: f64, y2: f64, colour: &str) {
        let _ = writeln!(
            self.body,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>"
        );
    }

    fn text(&mut self, x: f64, y: f64, anchor: &str, text: &str) {
        let _ = writeln!(self.body, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>");
    }

    fn curve(&mut self, points: &[(f64, f64)], colour: &str) {
        let points: Vec<String> =
            points.iter().map(|&(x, y)| format!("{:.1},{:.1}", self.across(x), self.up(y))).collect();
        let points = points.join(" ");
        let _ = writeln!(
            self.body,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
        );
    }

    fn dots(&mut self, points: &[(f64, f64)], colour: &str, radius: f64) {
        for &(x, y) in points {
            let (x, y) = (self.across(x), self.up(y));
            let _ = writeln!(
                self.body,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"none\" stroke=\"{colour}\"/>"
            );
        }
    }

    /// A line of the legend, at the upper left or the lower right.
    fn key(&mut self, at: (f64, f64), colour: &str, text: &str) {
        let y = at.1 + 15.0 * self.keys as f64;
        self.keys += 1;
        self.line(at.0, y - 4.0, at.0 + 18.0, y - 4.0, colour);
        self.text(at.0 + 23.0, y, "start", text);
    }
}

/// Plots next to each other.
fn svg(description: &str, plots: &[Plot]) -> String {
    let width = WIDTH * plots.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\" role=\"img\" aria-label=\"{description}\">\n\
         <rect width=\"{width}\" height=\"{HEIGHT}\" fill=\"#fff\"/>\n"
    );
    for (at, plot) in plots.iter().enumerate() {
        let _ = write!(svg, "<g transform=\"translate({} 0)\">\n{}</g>\n", WIDTH * at as f64, plot.body);
    }
    svg + "</svg>\n"
}

/// A scale that shows thousands and hundredths, of both signs.
fn wide(value: f64) -> f64 {
    value.asinh()
}

/// A hundred pairs of two independent games, whose games are won with this chance, a third of them drawn.
fn pairs_of(score: f64) -> [u64; 5] {
    let draw = 2.0 / 3.0 * score.min(1.0 - score);
    let game = [1.0 - score - draw / 2.0, draw, score - draw / 2.0];
    let mut chances = [0.0; 5];
    for (a, first) in game.iter().enumerate() {
        for (b, second) in game.iter().enumerate() {
            chances[a + b] += first * second;
        }
    }
    chances.map(|chance| (100.0 * chance).round() as u64)
}

fn ratios(title: &str, bounds: [(f64, f64); 4], scale: Scale) -> Plot {
    let unit = if scale == Scale::Logistic { "Elo" } else { "nElo" };
    let y = [-1000.0, -100.0, -10.0, -1.0, 0.0, 1.0, 10.0, 100.0, 1000.0];
    let x = Axis {
        from: 0.0,
        to: 1.0,
        ticks: [0.0, 0.25, 0.5, 0.75, 1.0].map(|at| (at, format!("{:.0} %", 100.0 * at))).into(),
        name: "points in 100 pairs",
    };
    let y = Axis {
        from: wide(-1500.0),
        to: wide(1500.0),
        ticks: y.map(|at| (wide(at), format!("{at}").replace('-', "−"))).into(),
        name: "log likelihood ratio",
    };
    let mut plot = Plot::new(title, x, y);
    for ((elo0, elo1), colour) in bounds.into_iter().zip(COLOURS) {
        let test = test(elo0, elo1, scale);
        let of = |n: u32| f64::from(n) / 100.0;
        let curve: Vec<_> = (0..=100).map(|n| (of(n), wide(llr(&test, pairs_of(of(n)))))).collect();
        let others = (0..=100).step_by(5).map(|n| {
            let (counts, wanted) = (pairs_of(of(n)), reference_llr(&test, pairs_of(of(n))));
            assert!(agree(llr(&test, counts), wanted), "{counts:?} {test:?}");
            (of(n), wide(wanted))
        });
        let others: Vec<_> = others.collect();
        plot.curve(&curve, colour);
        plot.dots(&others, colour, 3.0);
        let text = format!("{elo0} against {elo1} {unit}").replace('-', "−");
        plot.key((75.0, 46.0), colour, &text);
    }
    plot
}

/// How far ratios are from those of the other optimiser, for random counts and bounds.
fn deviations() -> Plot {
    let mut stream = Stream::new(1, "deviations");
    let digits = |at: i32| {
        let most = if f64::from(at) <= MIN_DEVIATION.log10() { "≤ " } else { "" };
        let power = at.to_string().replace('-', "−");
        (f64::from(at), format!("{most}10<tspan dy=\"-4\" font-size=\"9\">{power}</tspan>"))
    };
    let x = Axis {
        from: 0.0,
        to: 3.2,
        ticks: [1.0, 10.0, 100.0, 1000.0].map(|at: f64| (at.log10(), format!("{at}"))).into(),
        name: "the farther bound, in Elo or nElo",
    };
    let y = Axis { from: -8.5, to: -3.0, ticks: [-8, -7, -6, -5, -4].map(digits).into(), name: "relative deviation" };
    let mut plot = Plot::new("From the reference, 1000 random tests", x, y);
    for (scale, colour, name) in
        [(Scale::Logistic, COLOURS[0], "logistic Elo"), (Scale::Normalized, COLOURS[1], "normalised Elo")]
    {
        let mut dots = Vec::new();
        while dots.len() < 500 {
            let any = |stream: &mut Stream| stream.below(10_000) as f64 / 10_000.0;
            let far = 10_f64.powf(3.0 * any(&mut stream));
            let (elo0, elo1) = (-far * any(&mut stream), far);
            let counts: [u64; 5] = std::array::from_fn(|_| 10_f64.powf(5.0 * any(&mut stream) - 1.0) as u64);
            if counts.iter().sum::<u64>() == 0 {
                continue;
            }
            let test: Sprt = test(elo0, elo1, scale);
            let (found, wanted) = (llr(&test, counts), reference_llr(&test, counts));
            assert!(agree(found, wanted), "{counts:?} {test:?}: {found} {wanted}");
            let deviation = ((found - wanted) / wanted).abs().max(MIN_DEVIATION);
            dots.push((far.log10(), deviation.log10()));
        }
        plot.dots(&dots, colour, 1.5);
        plot.key((75.0, 46.0), colour, name);
    }
    let limit = plot.up(5e-5_f64.log10());
    plot.line(62.0, limit, WIDTH - 24.0, limit, "#000");
    plot.text(WIDTH - 28.0, limit - 5.0, "end", "four digits");
    plot
}

fn coverage() -> Plot {
    let share = |at: f64| (at, format!("{:.0} %", 100.0 * at));
    let x = Axis {
        from: 0.9,
        to: 3.1,
        ticks: PAIRS.map(|pairs| (f64::from(pairs).log10(), pairs.to_string())).into(),
        name: "pairs of games",
    };
    let y = Axis {
        from: 0.88,
        to: 1.0,
        ticks: [0.88, 0.9, 0.92, 0.94, 0.95, 0.96, 0.98, 1.0].map(share).into(),
        name: "intervals that hold the truth",
    };
    let mut plot = Plot::new("95 % intervals in 10 000 matches each", x, y);
    let at = |pairs: u32| f64::from(pairs).log10();
    let band = |end: fn(u32) -> f64| PAIRS.map(|pairs| (at(pairs), end(pairs)));
    plot.curve(&band(|pairs| *claimed(pairs).start()), "#000");
    plot.curve(&band(|pairs| claimed(pairs).end().min(1.0)), "#000");
    let mut add = |colour: &str, name: &str, share: &dyn Fn(u32) -> f64| {
        let points = PAIRS.map(|pairs| (at(pairs), share(pairs)));
        for (pairs, (_, share)) in PAIRS.into_iter().zip(points) {
            assert!(claimed(pairs).contains(&share), "{name}, {pairs} pairs: {share}");
        }
        plot.curve(&points, colour);
        plot.dots(&points, colour, 3.0);
        plot.key((240.0, 180.0), colour, name);
    };
    for ((name, chances), colour) in KINDS.into_iter().zip(COLOURS) {
        add(colour, name, &|pairs| of_matches(chances, pairs));
    }
    add(COLOURS[5], "ratings of 5 agents", &|pairs| of_tournaments(pairs, TOURNAMENTS));
    plot.key((240.0, 180.0), "#000", "95 % ± the error claimed");
    plot
}

/// How far each level is above the first.
fn levels() -> Plot {
    let x = Axis {
        from: 0.5,
        to: 10.5,
        ticks: (1..=10).map(|level| (f64::from(level), level.to_string())).collect(),
        name: "level",
    };
    let y = Axis {
        from: 0.0,
        to: 3000.0,
        ticks: (0..=6).map(|at| (500.0 * f64::from(at), (500 * at).to_string())).collect(),
        name: "Elo above level 1",
    };
    let mut plot = Plot::new("The levels of the champions", x, y);
    for (game, colour) in [Game::BACTERIA, Game::RENJU, Game::DOMINEERING].into_iter().zip(COLOURS) {
        let champion = game.builtins.iter().find(|builtin| builtin.name == "champion").unwrap();
        let sums = champion.level_steps.unwrap().iter().scan(0.0, |sum, step| {
            *sum += step;
            Some(*sum)
        });
        let points: Vec<(f64, f64)> =
            std::iter::once(0.0).chain(sums).zip(1..).map(|(elo, level)| (f64::from(level), elo)).collect();
        plot.curve(&points, colour);
        plot.dots(&points, colour, 3.0);
        plot.key((80.0, 50.0), colour, game.title());
    }
    plot
}

/// Whether two drawings differ by at most a point: the last digits of computed values vary between machines.
fn alike(kept: &str, drawn: &str) -> bool {
    let parts = |text: &str| text.split([' ', ',', '"', '<', '>']).map(str::to_owned).collect::<Vec<_>>();
    let (kept, drawn) = (parts(kept), parts(drawn));
    let near = |(a, b): (&String, &String)| {
        a == b || a.parse::<f64>().ok().zip(b.parse::<f64>().ok()).is_some_and(|(a, b)| (a - b).abs() <= 1.0)
    };
    kept.len() == drawn.len() && kept.iter().zip(&drawn).all(near)
}

#[test]
fn the_pictures_of_the_statistics_are_what_they_compute() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures");
    let write = std::env::var_os("AGON_WRITE_PICTURES").is_some();
    let logistic = [(0.0, 10.0), (-10.0, 0.0), (0.0, 100.0), (-600.0, 600.0)];
    let normalized = [(0.0, 4.0), (-10.0, 0.0), (0.0, 250.0), (-900.0, 900.0)];
    let ratios = [
        ratios("Logistic bounds", logistic, Scale::Logistic),
        ratios("Normalised bounds", normalized, Scale::Normalized),
    ];
    let pictures = [
        ("sprt-llr", svg("Log likelihood ratios by the score, as curves, on the points of another optimiser", &ratios)),
        (
            "statistics-errors",
            svg("Deviations from another optimiser; coverage of the intervals", &[deviations(), coverage()]),
        ),
        ("levels", svg("The Elo of each level above level 1, in three games", &[levels()])),
    ];
    for (name, drawn) in pictures {
        let file = folder.join(format!("{name}.svg"));
        if write {
            fs::write(&file, &drawn).unwrap();
        }
        let kept = fs::read_to_string(&file).unwrap_or_default();
        assert!(alike(&kept, &drawn), "{} is not what is computed: run scripts/statistics-pictures", file.display());
    }
}
