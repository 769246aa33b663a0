//! Many agents on one scale: maximum likelihood by the model of Bradley and Terry.
//!
//! The expected score of agent i against j is 1 / (1 + 10^((Rj − Ri) / 400)). A draw counts as half a win and half a
//! loss, so a difference of ratings means the same as the Elo difference of a match between two agents; models with
//! draws of their own (Davidson, Rao–Kupper) use another scale.
//!
//! The intervals come from how far the pairs of bouts really spread about what the ratings make expected (the
//! "sandwich" of H. White, Maximum Likelihood Estimation of Misspecified Models, 1982): many draws, or openings that
//! bring one win each, make them narrow, though the model knows neither. Where few pairs have been played, the spread
//! that the model expects counts as some more of them.
//!
//! A weak prior keeps everything finite: each agent that is not anchored has half a drawn game against an imaginary
//! agent in the middle. It holds an agent that has won or lost everything within some hundred points of the others,
//! and groups that have not met at the same middle; beside real games it is too light to matter.
//!
//! Sources: R. A. Bradley and M. E. Terry, Rank Analysis of Incomplete Block Designs (1952); D. R. Hunter, MM
//! algorithms for generalized Bradley–Terry models (2004).

use super::normal::{Z95, cumulative};
use super::{ELO_PER_LOGIT, Interval, Pentanomial, elo, expected};

/// The weight of the prior, in games.
const PRIOR_GAMES: f64 = 0.5;

/// How many pairs the spread that the model expects is worth beside the pairs that were seen.
const EXPECTED_PAIRS: f64 = 4.0;

/// Who has scored how much against whom.
#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    agents: usize,
    /// Points of the row's agent against the column's.
    points: Vec<f64>,
    /// Whole pairs of the row's agent against the column's.
    pairs: Vec<Pentanomial>,
}

/// So many of the whole as the different pairs are among all pairs.
fn evidence(whole: f64, pairs: &Pentanomial) -> f64 {
    if pairs.copies == 0 { whole } else { whole * pairs.different() as f64 / pairs.pairs() as f64 }
}

impl Results {
    /// No games yet between this many agents.
    pub fn new(agents: usize) -> Self {
        let pairings = agents * agents;
        Self { agents, points: vec![0.0; pairings], pairs: vec![Pentanomial::default(); pairings] }
    }

    /// Adds the points that two agents scored against each other in games of which no more is known: 1 a win, ½ a
    /// draw.
    ///
    /// # Panics
    /// If there is no such agent.
    pub fn add(&mut self, a: usize, b: usize, points: [f64; 2]) {
        assert!(a < self.agents && b < self.agents, "no such agent");
        self.points[a * self.agents + b] += points[0];
        self.points[b * self.agents + a] += points[1];
    }

    /// Adds pairs of games of the same opening with the seats swapped, counted from the first agent's side. All that are known of
    /// two agents come at once, for copies among them take weight from all.
    ///
    /// # Panics
    /// If there is no such agent.
    pub fn add_pairs(&mut self, a: usize, b: usize, pairs: &Pentanomial) {
        let points = [pairs, &pairs.reversed()].map(Pentanomial::points);
        self.add(a, b, points.map(|points| evidence(points, pairs)));
        self.pairs[a * self.agents + b].merge(pairs);
        self.pairs[b * self.agents + a].merge(&pairs.reversed());
    }

    /// The variance of all points of one agent against another, where a game brings it `p` points on the average.
    fn variance(&self, a: usize, b: usize, p: f64) -> f64 {
        let pairs = &self.pairs[a * self.agents + b];
        let (seen, model) = (pairs.different() as f64, p * (1.0 - p));
        let single = (self.games(a, b) - 2.0 * seen).max(0.0);
        let squares = (0..).zip(pairs.counts).map(|(halves, count)| {
            let far = f64::from(halves) / 2.0 - 2.0 * p;
            evidence(count as f64, pairs) * far * far
        });
        let of_a_pair = (squares.sum::<f64>() + EXPECTED_PAIRS * 2.0 * model) / (seen + EXPECTED_PAIRS);
        seen * of_a_pair + single * model
    }

    fn points(&self, a: usize, b: usize) -> f64 {
        self.points[a * self.agents + b]
    }

    fn games(&self, a: usize, b: usize) -> f64 {
        self.points(a, b) + self.points(b, a)
    }
}

/// The most likely ratings.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    values: Vec<f64>,
    anchored: bool,
    /// In squared Elo points; against the mean of all where nobody is anchored.
    covariance: Matrix,
    /// Into how many groups the agents fall that have not met, not even through others.
    pub groups: usize,
}

impl Ratings {
    /// Fits ratings to results. `anchors` fixes the ratings of some agents; without any, the mean is 1500.
    ///
    /// # Panics
    /// If there are not as many anchors as agents.
    pub fn fit(results: &Results, anchors: &[Option<f64>]) -> Self {
        let n = results.agents;
        assert_eq!(n, anchors.len(), "one anchor or none for each agent");
        let fixed: Vec<f64> = anchors.iter().flatten().copied().collect();
        let anchored = !fixed.is_empty();
        let centre = if anchored { fixed.iter().sum::<f64>() / fixed.len() as f64 } else { elo::START };
        let mut values: Vec<f64> = anchors.iter().map(|anchor| anchor.unwrap_or(centre)).collect();
        let free: Vec<usize> = (0..n).filter(|&i| anchors[i].is_none()).collect();

        let mut inverse = Matrix::zero(free.len());
        // Newton's method on a concave function; the step is bounded since far from the top it may overshoot.
        for _ in 0..500 {
            let (gradient, information) = slopes(results, &values, &free, centre);
            inverse = information.inverse();
            let step = inverse.times(&gradient);
            let largest = step.iter().map(|step| step.abs()).fold(0.0, f64::max);
            let scale = (1.0 / largest).min(1.0);
            for (&i, step) in free.iter().zip(&step) {
                values[i] += step * scale * ELO_PER_LOGIT;
            }
            if largest < 1e-10 {
                break;
            }
        }
        let sandwich = inverse.product(&spread(results, &values, &free, centre)).product(&inverse);
        let mut covariance = Matrix::zero(n);
        for (a, &i) in free.iter().enumerate() {
            for (b, &j) in free.iter().enumerate() {
                covariance.set(i, j, sandwich.at(a, b) * ELO_PER_LOGIT.powi(2));
            }
        }
        if !anchored && n > 0 {
            let mean = values.iter().sum::<f64>() / n as f64;
            for value in &mut values {
                *value += centre - mean;
            }
            covariance = covariance.centred();
        }
        Self { values, anchored, covariance, groups: groups(results) }
    }

    /// An agent's rating with its 95 % interval. The interval is that of the distance from the anchors, or from the
    /// mean of all agents where there are none; an anchor's is empty.
    ///
    /// # Panics
    /// If there is no such agent.
    pub fn of(&self, agent: usize) -> Interval {
        let (value, reach) = (self.values[agent], Z95 * self.covariance.at(agent, agent).max(0.0).sqrt());
        Interval { low: value - reach, value, high: value + reach }
    }

    /// The likelihood, 0 to 1, that the first of two agents is the stronger.
    ///
    /// # Panics
    /// If there is no such agent.
    pub fn los(&self, a: usize, b: usize) -> f64 {
        let at = |i, j| self.covariance.at(i, j);
        let variance = at(a, a) + at(b, b) - 2.0 * at(a, b);
        let difference = self.values[a] - self.values[b];
        if variance <= 0.0 {
            0.5 + 0.5 * difference.partial_cmp(&0.0).map_or(0.0, |o| f64::from(o as i8))
        } else {
            cumulative(difference / variance.sqrt())
        }
    }

    /// Whether some ratings were given.
    pub const fn anchored(&self) -> bool {
        self.anchored
    }
}

/// The gradient of the log likelihood by the free ratings, in logits, and the Fisher information.
fn slopes(results: &Results, values: &[f64], free: &[usize], centre: f64) -> (Vec<f64>, Matrix) {
    let mut gradient = vec![0.0; free.len()];
    let mut information = Matrix::zero(free.len());
    for (a, &i) in free.iter().enumerate() {
        let p = expected(values[i] - centre);
        gradient[a] += PRIOR_GAMES * (0.5 - p);
        information.add(a, a, PRIOR_GAMES * p * (1.0 - p));
        for j in (0..results.agents).filter(|&j| j != i && results.games(i, j) > 0.0) {
            let (p, games) = (expected(values[i] - values[j]), results.games(i, j));
            gradient[a] += results.points(i, j) - games * p;
            information.add(a, a, games * p * (1.0 - p));
            if let Ok(b) = free.binary_search(&j) {
                information.add(a, b, -games * p * (1.0 - p));
            }
        }
    }
    (gradient, information)
}

/// The covariance of that gradient as far as the games show it.
fn spread(results: &Results, values: &[f64], free: &[usize], centre: f64) -> Matrix {
    let mut spread = Matrix::zero(free.len());
    for (a, &i) in free.iter().enumerate() {
        let p = expected(values[i] - centre);
        spread.add(a, a, PRIOR_GAMES * p * (1.0 - p));
        for j in (0..results.agents).filter(|&j| j != i && results.games(i, j) > 0.0) {
            let variance = results.variance(i, j, expected(values[i] - values[j]));
            spread.add(a, a, variance);
            if let Ok(b) = free.binary_search(&j) {
                spread.add(a, b, -variance);
            }
        }
    }
    spread
}

/// How many groups of agents there are that no game connects.
fn groups(results: &Results) -> usize {
    let mut seen = vec![false; results.agents];
    let mut groups = 0;
    for start in 0..results.agents {
        if seen[start] {
            continue;
        }
        groups += 1;
        let mut open = vec![start];
        while let Some(i) = open.pop() {
            if !std::mem::replace(&mut seen[i], true) {
                open.extend((0..results.agents).filter(|&j| !seen[j] && results.games(i, j) > 0.0));
            }
        }
    }
    groups
}

/// A small square matrix.
#[derive(Clone, PartialEq, Debug)]
struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    fn zero(size: usize) -> Self {
        Self { size, cells: vec![0.0; size * size] }
    }

    fn at(&self, i: usize, j: usize) -> f64 {
        self.cells[i * self.size + j]
    }

    fn set(&mut self, i: usize, j: usize, value: f64) {
        self.cells[i * self.size + j] = value;
    }

    fn add(&mut self, i: usize, j: usize, value: f64) {
        self.cells[i * self.size + j] += value;
    }

    fn times(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.size).map(|i| (0..self.size).map(|j| self.at(i, j) * vector[j]).sum()).collect()
    }

    fn product(&self, other: &Self) -> Self {
        let mut product = Self::zero(self.size);
        for i in 0..self.size {
            for j in 0..self.size {
                product.set(i, j, (0..self.size).map(|k| self.at(i, k) * other.at(k, j)).sum());
            }
        }
        product
    }

    /// By Gauss and Jordan. The information is positive definite, so no pivot is ever 0 and none need be sought.
    fn inverse(&self) -> Self {
        let n = self.size;
        let (mut left, mut right) = (self.clone(), Self::zero(n));
        for i in 0..n {
            right.set(i, i, 1.0);
        }
        for i in 0..n {
            let pivot = left.at(i, i);
            for j in 0..n {
                left.set(i, j, left.at(i, j) / pivot);
                right.set(i, j, right.at(i, j) / pivot);
            }
            for k in (0..n).filter(|&k| k != i) {
                let factor = left.at(k, i);
                for j in 0..n {
                    left.add(k, j, -factor * left.at(i, j));
                    right.add(k, j, -factor * right.at(i, j));
                }
            }
        }
        right
    }

    /// The covariance of the differences from the mean.
    fn centred(&self) -> Self {
        let n = self.size as f64;
        let rows: Vec<f64> = (0..self.size).map(|i| (0..self.size).map(|j| self.at(i, j)).sum::<f64>() / n).collect();
        let all = rows.iter().sum::<f64>() / n;
        let mut centred = self.clone();
        for i in 0..self.size {
            for j in 0..self.size {
                centred.add(i, j, all - rows[i] - rows[j]);
            }
        }
        centred
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::difference;
    use agon_game::seed::Stream;

    fn near(found: f64, wanted: f64, by: f64) {
        assert!((found - wanted).abs() <= by, "{found} is not {wanted} ± {by}");
    }

    #[test]
    fn two_agents_are_as_far_apart_as_their_match_says() {
        let mut results = Results::new(2);
        results.add(0, 1, [650.0, 350.0]);
        let ratings = Ratings::fit(&results, &[None, None]);
        near(ratings.of(0).value - ratings.of(1).value, difference(0.65), 0.2);
        near(ratings.of(0).value + ratings.of(1).value, 3000.0, 1e-6);
        // The binomial error of the difference is 173.72 / sqrt(1000 * .65 * .35); each carries half of it.
        let error = ELO_PER_LOGIT / (1000.0_f64 * 0.65 * 0.35).sqrt();
        near(ratings.of(0).high - ratings.of(0).value, Z95 * error / 2.0, 0.05);
        near(ratings.los(0, 1), 1.0, 1e-9);
        near(ratings.los(0, 1) + ratings.los(1, 0), 1.0, 1e-12);
    }

    #[test]
    fn three_in_a_ring_are_equal() {
        let mut results = Results::new(3);
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            results.add(a, b, [30.0, 10.0]);
        }
        let ratings = Ratings::fit(&results, &[None; 3]);
        (0..3).for_each(|i| near(ratings.of(i).value, 1500.0, 1e-6));
    }

    #[test]
    fn anchors_stand_and_carry_the_others() {
        let mut results = Results::new(3);
        results.add(0, 1, [500.0, 500.0]);
        results.add(1, 2, [750.0, 250.0]);
        let ratings = Ratings::fit(&results, &[Some(2000.0), None, None]);
        assert!(ratings.anchored());
        let anchor = ratings.of(0);
        assert_eq!(anchor, Interval { low: 2000.0, value: 2000.0, high: 2000.0 });
        near(ratings.of(1).value, 2000.0, 0.5);
        near(ratings.of(2).value, 2000.0 - difference(0.75), 0.5);
        // Errors add up with the distance from the anchor.
        let reach = |i| ratings.of(i).high - ratings.of(i).value;
        assert!(reach(1) < reach(2));
    }

    #[test]
    fn nobody_is_infinitely_strong() {
        let mut results = Results::new(4);
        results.add(0, 1, [20.0, 0.0]);
        let ratings = Ratings::fit(&results, &[None; 4]);
        let distance = ratings.of(0).value - ratings.of(1).value;
        assert!((500.0..1500.0).contains(&distance), "{distance}");
        assert_eq!(ratings.groups, 3);
        near(ratings.of(2).value, 1500.0, 1e-6);
        assert!(ratings.of(2).high - ratings.of(2).low > 800.0, "an agent without games is not known");
        assert_eq!(Ratings::fit(&Results::new(0), &[]).groups, 0);
    }

    const PLANTED: [f64; 6] = [1180.0, 1340.0, 1500.0, 1530.0, 1640.0, 1810.0];

    /// Plays every pairing this many pairs of games. A share of the pairs is decided by the opening, which wins both
    /// games for its side, and a share of the other games is drawn; both as far as the expected score lets them.
    fn play(stream: &mut Stream, pairs: u32, draws: f64, openings: f64) -> Results {
        let mut results = Results::new(PLANTED.len());
        let mut below = |share: f64| ((stream.next() >> 11) as f64) < share * (1_u64 << 53) as f64;
        for (a, stronger) in PLANTED.iter().enumerate() {
            for (b, weaker) in PLANTED.iter().enumerate().take(a) {
                let p = expected(stronger - weaker);
                let decided = openings * 2.0 * p.min(1.0 - p);
                // The other games bring what is missing to the expected score.
                let p = (p - decided / 2.0) / (1.0 - decided);
                let drawn = draws * 2.0 * p.min(1.0 - p);
                let wins = (p - drawn / 2.0) / (1.0 - drawn);
                let mut seen = Pentanomial::default();
                for _ in 0..pairs {
                    if below(decided) {
                        seen.add(2);
                    } else {
                        seen.add(
                            [0; 2]
                                .map(|_: usize| if below(drawn) { 1 } else { 2 * usize::from(below(wins)) })
                                .iter()
                                .sum(),
                        );
                    }
                }
                results.add_pairs(a, b, &seen);
            }
        }
        results
    }

    #[test]
    fn planted_ratings_are_recovered() {
        let results = play(&mut Stream::new(8, "planted"), 2000, 0.4, 0.2);
        let ratings = Ratings::fit(&results, &[None; PLANTED.len()]);
        assert_eq!(ratings.groups, 1);
        for (i, planted) in PLANTED.iter().enumerate() {
            near(ratings.of(i).value, *planted, 8.0);
        }
    }

    #[test]
    fn ninety_five_per_cent_of_the_intervals_hold_the_truth() {
        let mut stream = Stream::new(9, "coverage");
        for (draws, openings) in [(0.0, 0.0), (0.5, 0.0), (0.9, 0.0), (0.3, 0.6)] {
            let (mut held, mut all) = (0_u32, 0_u32);
            for _ in 0..400 {
                let ratings = Ratings::fit(&play(&mut stream, 20, draws, openings), &[None; PLANTED.len()]);
                for (i, planted) in PLANTED.iter().enumerate() {
                    held += u32::from(ratings.of(i).contains(*planted));
                    all += 1;
                }
            }
            let share = f64::from(held) / f64::from(all);
            assert!((0.93..=0.975).contains(&share), "{draws} {openings}: {share}");
        }
    }
}
