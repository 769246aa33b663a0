//! Chooses the game of a pool that teaches most: the one after which the order of the versions is expected to be known
//! best.
//!
//! The uncertainty about two versions is measured in Elo points: the average loss from taking the one with the higher
//! rating for the stronger one. A game between two members makes some variances smaller; by how much follows from the
//! covariance of the ratings before it is played. The chosen game is the one that most reduces the sum over all pairs
//! of versions.
//!
//! Games between two versions would order those two soonest; but what a change gains against the previous version, it
//! may lose against others. So every version first plays every opponent, and never has more games against versions than
//! against opponents.
//!
//! Sources: S. S. Gupta and K. J. Miescke, Bayesian look ahead one-stage sampling allocations for selection of the best
//! population (1996); P. Frazier, W. Powell and S. Dayanik, A knowledge-gradient policy for sequential information
//! collection (2008).

use crate::stats::normal::{cumulative, density};
use crate::stats::ratings::{Ratings, Results};
use crate::stats::{ELO_PER_LOGIT, expected};

/// The variance of the difference of two members that no games connect, in Elo² points.
const UNKNOWN_VARIANCE: f64 = 400.0 * 400.0;

/// The members of a pool and their games.
pub(super) struct Field<'a> {
    /// Versions come first, then their opponents.
    pub members: usize,
    pub versions: usize,
    pub results: &'a Results,
    /// How many games two members have played, the lower number first.
    pub games: &'a dyn Fn(usize, usize) -> u32,
    /// Whether two members may play each other, the lower number first.
    pub plays: &'a dyn Fn(usize, usize) -> bool,
}

impl Field<'_> {
    /// Whether a version has fewer games against versions than against opponents, if there are any.
    fn is_balanced(&self, version: usize) -> bool {
        let games = |others: std::ops::Range<usize>| -> u32 {
            others.filter(|&at| at != version).map(|at| (self.games)(version.min(at), version.max(at))).sum()
        };
        self.members == self.versions || games(0..self.versions) < games(self.versions..self.members)
    }

    /// The two members that play next, the lower number first. `None` if no version has anyone to play.
    pub(super) fn next(&self) -> Option<[usize; 2]> {
        let unmet = |a: usize, b: usize| b >= self.versions && (self.games)(a, b) == 0 && (self.plays)(a, b);
        let allowed = |a: usize, b: usize| {
            (self.plays)(a, b) && (b >= self.versions || self.is_balanced(a) && self.is_balanced(b))
        };
        self.best(&unmet).or_else(|| self.best(&allowed)).or_else(|| self.best(self.plays))
    }

    /// The most informative of the allowed games.
    fn best(&self, allowed: &dyn Fn(usize, usize) -> bool) -> Option<[usize; 2]> {
        most_informative(self.results, self.members, self.versions, self.plays, allowed)
    }
}

/// The most informative of the allowed games for ordering the versions that can play at all.
fn most_informative(
    results: &Results,
    members: usize,
    versions: usize,
    plays: &dyn Fn(usize, usize) -> bool,
    allowed: &dyn Fn(usize, usize) -> bool,
) -> Option<[usize; 2]> {
    let ratings = Ratings::fit(results, &vec![None; members]);
    let value: Vec<f64> = (0..members).map(|at| ratings.of(at).value).collect();
    let variance = |a: usize, b: usize| match ratings.variance_between(a, b) {
        _ if a == b => 0.0,
        Some(variance) => variance,
        None => UNKNOWN_VARIANCE,
    };
    let all: Vec<Vec<f64>> = (0..members).map(|a| (0..members).map(|b| variance(a, b)).collect()).collect();
    let ranked: Vec<usize> =
        (0..versions).filter(|&a| (0..members).any(|b| a != b && plays(a.min(b), a.max(b)))).collect();
    let mut best: Option<(f64, [usize; 2])> = None;
    for &a in &ranked {
        for b in (a + 1..members).filter(|&b| allowed(a, b)) {
            let p = expected(value[a] - value[b]);
            // The information of a pair of games about the difference.
            let weight = 2.0 * p * (1.0 - p) / ELO_PER_LOGIT.powi(2);
            let scale = weight / weight.mul_add(all[a][b], 1.0);
            let mut gain = 0.0;
            for (at, &i) in ranked.iter().enumerate() {
                for &j in &ranked[at + 1..] {
                    let covariance = (all[i][b] + all[j][a] - all[i][a] - all[j][b]) / 2.0;
                    let (before, gap) = (all[i][j], (value[i] - value[j]).abs());
                    let after = (before - scale * covariance * covariance).max(0.0);
                    gain += loss(gap, before) - loss(gap, after);
                }
            }
            // If there is nothing to order, the least known pair plays.
            let gain = if ranked.len() > 1 { gain } else { weight * all[a][b] };
            if best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, [a, b]));
            }
        }
    }
    best.map(|(_, pair)| pair)
}

/// The average loss in Elo points from taking the higher of two ratings for the stronger agent, if they differ by `gap`
/// and the difference has this variance (the unit normal loss).
fn loss(gap: f64, variance: f64) -> f64 {
    let deviation = variance.sqrt();
    if deviation <= 0.0 {
        return 0.0;
    }
    let z = gap / deviation;
    deviation * (density(z) - z * cumulative(-z))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use agon_game::seed::Stream;

    use super::*;
    use crate::stats::Pentanomial;

    /// The strengths of eight versions, some of them worse than the one before, and of five opponents.
    const VERSIONS: [f64; 8] = [0.0, 90.0, 60.0, 180.0, 260.0, 220.0, 360.0, 310.0];
    const OPPONENTS: [f64; 5] = [-150.0, 40.0, 150.0, 280.0, 450.0];

    /// The share of draws between equals.
    const DRAWS: f64 = 0.2;

    struct Simulation {
        strengths: Vec<f64>,
        results: Results,
        met: BTreeMap<[usize; 2], u32>,
        games: u32,
        stream: Stream,
    }

    impl Simulation {
        fn new(seed: u64) -> Self {
            let strengths: Vec<f64> = VERSIONS.into_iter().chain(OPPONENTS).collect();
            let results = Results::new(strengths.len());
            Self { results, strengths, met: BTreeMap::new(), games: 0, stream: Stream::new(seed, "pool") }
        }

        fn uniform(&mut self) -> f64 {
            (self.stream.next() >> 11) as f64 / (1_u64 << 53) as f64
        }

        /// Half points of the first in a game.
        fn game(&mut self, a: usize, b: usize) -> usize {
            let p = expected(self.strengths[a] - self.strengths[b]);
            let draws = DRAWS * 4.0 * p * (1.0 - p);
            match self.uniform() {
                drawn if drawn < p - draws / 2.0 => 2,
                drawn if drawn < p + draws / 2.0 => 1,
                _ => 0,
            }
        }

        fn pair(&mut self, [a, b]: [usize; 2]) {
            let halves = self.game(a, b) + self.game(a, b);
            let mut pair = Pentanomial::default();
            pair.counts[halves] = 1;
            self.results.add_pairs(a, b, &pair);
            self.games += 2;
            *self.met.entry([a, b]).or_default() += 2;
        }

        fn next(&self, plays: &dyn Fn(usize, usize) -> bool) -> Option<[usize; 2]> {
            let games = |a, b| self.met.get(&[a, b]).copied().unwrap_or_default();
            let (members, versions) = (self.strengths.len(), VERSIONS.len());
            Field { members, versions, results: &self.results, games: &games, plays }.next()
        }

        fn ratings(&self) -> Vec<f64> {
            let ratings = Ratings::fit(&self.results, &vec![None; self.strengths.len()]);
            (0..VERSIONS.len()).map(|at| ratings.of(at).value).collect()
        }
    }

    /// The share of the pairs of versions that two lists of ratings order alike.
    fn agreement(a: &[f64], b: &[f64]) -> f64 {
        let pairs: Vec<bool> = (0..a.len())
            .flat_map(|i| (i + 1..a.len()).map(move |j| [i, j]))
            .map(|[i, j]| (a[i] > a[j]) == (b[i] > b[j]))
            .collect();
        pairs.iter().filter(|&&same| same).count() as f64 / pairs.len() as f64
    }

    #[test]
    fn a_pool_orders_versions_in_a_tenth_of_the_games() {
        let seeds = 20;
        let mut shares = Vec::new();
        for seed in 0..seeds {
            let mut all = Simulation::new(seed);
            while all.games < 4000 {
                for a in 0..all.strengths.len() {
                    (a + 1..all.strengths.len()).for_each(|b| all.pair([a, b]));
                }
            }
            let mut pool = Simulation::new(1000 + seed);
            while pool.games < 400 {
                let pair = pool.next(&|_, _| true).unwrap();
                pool.pair(pair);
            }
            shares.push(agreement(&pool.ratings(), &all.ratings()));
        }
        let mean = shares.iter().sum::<f64>() / shares.len() as f64;
        assert!(mean >= 0.9, "{mean}: {shares:?}");
    }

    #[test]
    fn a_version_without_games_plays_first() {
        let mut field = Simulation::new(1);
        for at in 0..7 {
            for opponent in 8..13 {
                (0..10).for_each(|_| field.pair([at, opponent]));
            }
        }
        let pair = field.next(&|_, _| true).unwrap();
        assert!(pair.contains(&7), "{pair:?}");
    }

    #[test]
    fn what_may_not_play_does_not() {
        let field = Simulation::new(1);
        assert_eq!(field.next(&|_, _| false), None);
        assert_eq!(field.next(&|a, b| (a, b) == (3, 9)), Some([3, 9]));
    }
}
