//! ALPHANO's own rating: sequential Elo, and how it finds the next opponent.
//!
//! Source: ALPHANO's service, as the judge's specification describes it: every agent starts at 1500, K is 32, and
//! opponents are drawn by a softmax over the nearness of ratings.

use agon_game::seed::Stream;

use super::expected;

/// The rating of an agent that has not played.
pub const START: f64 = 1500.0;

/// The most points that a rating can change in a game.
pub const K: f64 = 32.0;

/// Both ratings after a game; `score` is the first agent's, 1 for a win, ½ for a draw.
///
/// ```
/// use agon_arena::stats::elo::after;
/// assert_eq!(after(1500.0, 1500.0, 1.0), (1516.0, 1484.0));
/// assert_eq!(after(1500.0, 1500.0, 0.5), (1500.0, 1500.0));
/// ```
pub fn after(first: f64, second: f64, score: f64) -> (f64, f64) {
    let gain = K * (score - expected(first - second));
    (first + gain, second - gain)
}

/// How far in rating an agent looks for opponents: 200 at rating 0, falling to 10 from 2500 on.
pub fn reach(rating: f64) -> f64 {
    match rating {
        r if r < 500.0 => 200.0 - 0.2 * r,
        r if r < 1500.0 => 125.0 - 0.05 * r,
        r if r < 2500.0 => 110.0 - 0.04 * r,
        _ => 10.0,
    }
}

/// Draws the opponent of an agent of this rating: candidate i with probability proportional to
/// exp(−|difference| / reach). `None` without candidates.
///
/// By the Gumbel-max trick: the largest of −|difference| / reach plus Gumbel noise. Source: E. J. Gumbel, Statistical
/// Theory of Extreme Values (1954).
pub fn opponent(rating: f64, candidates: &[f64], stream: &mut Stream) -> Option<usize> {
    let reach = reach(rating);
    let drawn = candidates.iter().map(|candidate| {
        let uniform = ((stream.next() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
        -(candidate - rating).abs() / reach - (-uniform.ln()).ln()
    });
    drawn.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reach_falls_without_a_jump() {
        let check = |rating: f64, wanted: f64| assert!((reach(rating) - wanted).abs() < 1e-9, "{rating}");
        check(0.0, 200.0);
        check(500.0, 100.0);
        check(499.999_999, 100.000_000_2);
        check(1500.0, 50.0);
        check(1_499.999_999_99, 50.0);
        check(2500.0, 10.0);
        check(2_499.999_999_99, 10.0);
        check(4000.0, 10.0);
    }

    #[test]
    fn points_are_kept_and_the_underdog_gains_more() {
        let (low, high) = after(1300.0, 1700.0, 1.0);
        // 32 * (1 - 1/11).
        assert!((low - 1300.0 - 32.0 * 10.0 / 11.0).abs() < 1e-9 && (low + high - 3000.0).abs() < 1e-9);
    }

    #[test]
    fn opponents_are_drawn_as_the_softmax_says() {
        const DRAWS: u32 = 40_000;
        let candidates = [1500.0, 1550.0, 1400.0, 1650.0];
        let weights = candidates.map(|c: f64| (-(c - 1500.0).abs() / 50.0).exp());
        let all: f64 = weights.iter().sum();
        let mut stream = Stream::new(3, "opponents");
        let mut counts = [0_u32; 4];
        for _ in 0..DRAWS {
            counts[opponent(1500.0, &candidates, &mut stream).unwrap()] += 1;
        }
        for (count, weight) in counts.iter().zip(weights) {
            let (share, wanted) = (f64::from(*count) / f64::from(DRAWS), weight / all);
            let error = (wanted * (1.0 - wanted) / f64::from(DRAWS)).sqrt();
            assert!((share - wanted).abs() < 4.0 * error, "{counts:?}: {share} for {wanted}");
        }
        assert_eq!(opponent(1500.0, &[], &mut stream), None);
    }
}
