//! How often intervals contain the truth, in simulated matches and tournaments.

use agon_arena::stats::ratings::{Ratings, Results};
use agon_arena::stats::{Pentanomial, expected};
use agon_game::seed::Stream;

/// Simulated matches of each kind. Their share of hits has a standard error of 0.22 %.
pub const MATCHES: u32 = 10_000;

/// Numbers of pairs in a match.
pub const PAIRS: [u32; 7] = [10, 20, 50, 100, 200, 500, 1000];

/// Kinds of matches: a name, the chances of a pair's five scores.
pub const KINDS: [(&str, [f64; 5]); 5] = [
    ("even, few draws", [0.2, 0.1, 0.4, 0.1, 0.2]),
    ("even, many draws", [0.01, 0.09, 0.8, 0.09, 0.01]),
    ("60 % of the points", [0.06, 0.14, 0.36, 0.22, 0.22]),
    ("80 % of the points", [0.02, 0.05, 0.18, 0.21, 0.54]),
    ("95 % of the points", [0.0, 0.0, 0.06, 0.08, 0.86]),
];

/// A number from 0 to 1.
fn uniform(stream: &mut Stream) -> f64 {
    (stream.next() >> 11) as f64 / (1_u64 << 53) as f64
}

/// The share of simulated matches whose interval holds the true score; as that of Elo holds the true Elo.
pub fn of_matches(chances: [f64; 5], pairs: u32) -> f64 {
    let mut stream = Stream::new(pairs.into(), "coverage of matches");
    let truth: f64 = (0..5).map(|halves| halves as f64 / 4.0 * chances[halves]).sum();
    let hits = (0..MATCHES).filter(|_| {
        let mut seen = Pentanomial::default();
        for _ in 0..pairs {
            let mut left = uniform(&mut stream);
            let halves = chances.iter().position(|chance| {
                left -= chance;
                left < 0.0
            });
            seen.add(halves.unwrap_or(4));
        }
        seen.score().contains(truth)
    });
    f64::from(hits.count() as u32) / f64::from(MATCHES)
}

/// For a round robin: the ratings of its agents, and how often an interval contains one of them.
pub fn of_tournaments(pairs: u32, tournaments: u32) -> f64 {
    const RATINGS: [f64; 5] = [1310.0, 1430.0, 1500.0, 1560.0, 1700.0];
    let mut stream = Stream::new(pairs.into(), "coverage of tournaments");
    let mut hits = 0;
    for _ in 0..tournaments {
        let mut results = Results::new(RATINGS.len());
        for (a, stronger) in RATINGS.iter().enumerate() {
            for (b, weaker) in RATINGS.iter().enumerate().take(a) {
                let score = expected(stronger - weaker);
                let mut seen = Pentanomial::default();
                for _ in 0..pairs {
                    let won = |stream: &mut Stream| usize::from(uniform(stream) < score);
                    seen.add(2 * (won(&mut stream) + won(&mut stream)));
                }
                results.add_pairs(a, b, &seen);
            }
        }
        let ratings = Ratings::fit(&results, &[None; RATINGS.len()]);
        hits += RATINGS.iter().enumerate().filter(|(at, truth)| ratings.of(*at).contains(**truth)).count();
    }
    hits as f64 / (RATINGS.len() as f64 * f64::from(tournaments))
}

/// The coverage that an interval claims: 95 %, within the error of the simulation. With few pairs it may be higher: the
/// worse their estimate of the variance, the wider the interval.
pub fn claimed(pairs: u32) -> std::ops::RangeInclusive<f64> {
    let (error, few) = (3.0 * (0.95_f64 * 0.05 / f64::from(MATCHES)).sqrt(), f64::from(pairs).recip());
    0.95 - error - 0.3 * few..=0.95 + error + 0.6 * few
}

#[test]
fn ninety_five_per_cent_of_the_intervals_hold_the_truth() {
    for (name, chances) in KINDS {
        for pairs in PAIRS {
            let share = of_matches(chances, pairs);
            eprintln!("{name}, {pairs} pairs: {share}");
            assert!(claimed(pairs).contains(&share), "{name}, {pairs} pairs: {share}");
        }
    }
}
