//! Pairs of bouts, counted by their score.

use serde::{Deserialize, Serialize};

use super::distribution::{Distribution, moments, with_mean};
use super::normal::{Z95, student_cumulative, student95};
use super::{ELO_PER_LOGIT, Interval, difference, expected};

/// Normalized Elo points of one standard deviation of a game's score: 800 / ln 10.
///
/// Source: M. Van den Bergh, Normalized Elo, <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>.
pub const NORMALIZED_ELO: f64 = 347.435_585_522_027_46;

/// The probability outside a 95 % interval on each side.
const ONE_SIDE: f64 = 0.025;

/// How often the two bouts of a pair gave one agent 0, ½, 1, 1½ and 2 points.
///
/// The bouts of a pair share their opening, so their results are not independent: an opening that favours a side brings
/// one win each. The variance of whole pairs knows that; the variance of single bouts would overstate the error.
///
/// Two deterministic agents repeat themselves. A game that repeats an earlier one move for move does not count, so a
/// pair with such a game is not a pair: it is counted only among the *copies*.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Pentanomial {
    /// Pairs with two losses; a loss and a draw; two draws or one win each; a win and a draw; two wins.
    pub counts: [u64; 5],
    /// Pairs that are left out because one of their games repeats an earlier one.
    pub copies: u64,
}

impl Pentanomial {
    /// Counts a pair that brought `halves` half points, 0 to 4.
    ///
    /// # Panics
    /// If `halves` is above 4.
    pub fn add(&mut self, halves: usize) {
        self.counts[halves] += 1;
    }

    pub fn merge(&mut self, other: &Self) {
        self.counts.iter_mut().zip(other.counts).for_each(|(count, more)| *count += more);
        self.copies += other.copies;
    }

    /// Removes a pair that brought `halves` half points, because it has turned out to be a copy.
    pub(crate) fn take_out(&mut self, halves: usize) {
        self.counts[halves] -= 1;
        self.copies += 1;
    }

    /// The points of all pairs: 1 a win, ½ a draw.
    pub fn points(&self) -> f64 {
        (0_u32..).zip(self.counts).map(|(halves, count)| f64::from(halves) / 2.0 * count as f64).sum()
    }

    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The same pairs from the opponent's side.
    pub fn reversed(mut self) -> Self {
        self.counts.reverse();
        self
    }

    /// The share of each score in all pairs; all 0 without pairs.
    pub fn shares(&self) -> Distribution {
        let pairs = self.pairs().max(1) as f64;
        self.counts.map(|count| count as f64 / pairs)
    }

    /// The score, 0 to 1, with a 95 % interval; one half, and everything, without pairs.
    ///
    /// The interval comes from the variance of the pairs, by Student's distribution on the Elo scale: a few pairs
    /// estimate their own variance poorly, and near the end of the scale errors are not symmetric. If all pairs gave
    /// the same score, their variance says nothing: the interval then contains every score under which the pairs are
    /// not too unlikely.
    pub fn score(&self) -> Interval {
        let pairs = self.pairs() as f64;
        if pairs == 0.0 {
            return Interval { low: 0.0, value: 0.5, high: 1.0 };
        }
        let (value, variance) = moments(&self.shares());
        if variance == 0.0 || pairs < 2.0 {
            return self.likelihood_interval(value, pairs);
        }
        let error = error_in_logits(value, variance, pairs);
        let (elo, reach) = (difference(value), student95(pairs - 1.0) * error * ELO_PER_LOGIT);
        Interval { low: expected(elo - reach), value, high: expected(elo + reach) }
    }

    /// The Elo difference with a 95 % interval; its bounds may be infinite.
    pub fn elo(&self) -> Interval {
        self.score().map(difference)
    }

    /// The likelihood of superiority, 0 to 1: the probability that the agent is the stronger one, without prior
    /// knowledge.
    ///
    /// It comes from the same distribution as the interval of [`Self::score`], so the two never contradict each other:
    /// it is above 97.5 % exactly if the interval lies above one half.
    pub fn los(&self) -> f64 {
        let pairs = self.pairs() as f64;
        if pairs == 0.0 {
            return 0.5;
        }
        let (mean, variance) = moments(&self.shares());
        if variance == 0.0 || pairs < 2.0 {
            // All pairs are alike: if they are won, each halves the chance that it was luck.
            let luck = (-(pairs + 1.0) * self.unlikeliness(0.5)).exp().min(0.5);
            return if mean > 0.5 { 1.0 - luck } else { luck };
        }
        let logits = difference(mean) / ELO_PER_LOGIT;
        student_cumulative(logits / error_in_logits(mean, variance, pairs), self.pairs() - 1)
    }

    /// Normalized Elo with a 95 % interval: the score's distance from one half in standard deviations of a single
    /// bout's score, times [`NORMALIZED_ELO`]. It determines how many games it takes to see a difference, whatever the
    /// share of draws. `None` until there is any spread.
    pub fn normalized_elo(&self) -> Option<Interval> {
        let pairs = self.pairs() as f64;
        let (mean, variance) = moments(&self.shares());
        if pairs == 0.0 || variance == 0.0 {
            return None;
        }
        // The score of a pair is the mean of two, so it spreads 1/√2 as wide as a bout's.
        let unit = NORMALIZED_ELO / (2.0 * variance).sqrt();
        let (value, reach) = ((mean - 0.5) * unit, Z95 * (variance / pairs).sqrt() * unit);
        Some(Interval { low: value - reach, value, high: value + reach })
    }

    /// The scores under which pairs that are all alike are not too unlikely.
    ///
    /// The bound that leaves 2.5 % to each side if all pairs are won, by the prior of [`Self::los`]: there the score s
    /// to the power of one more than the pairs is 2.5 %. Wilks' bound of 95 % would be far too close.
    fn likelihood_interval(&self, value: f64, pairs: f64) -> Interval {
        let unlikely = |score: f64| (pairs + 1.0) * self.unlikeliness(score) > -ONE_SIDE.ln();
        let bound = |end: f64| {
            let (mut inside, mut outside) = (value, end);
            for _ in 0..60 {
                let middle = f64::midpoint(inside, outside);
                if unlikely(middle) { outside = middle } else { inside = middle }
            }
            inside
        };
        Interval { low: bound(0.0), value, high: bound(1.0) }
    }

    /// The log of the likelihood of the shares over that under the likeliest distribution with this mean score.
    fn unlikeliness(&self, score: f64) -> f64 {
        let seen = self.regularized();
        seen.iter().zip(with_mean(&seen, score)).map(|(seen, p)| seen * (seen / p).ln()).sum()
    }

    /// The shares with a trace of every score that never came, so that likelihoods stay positive; as fishtest does.
    pub(super) fn regularized(&self) -> Distribution {
        let counts = self.counts.map(|count| (count as f64).max(1e-3));
        let all: f64 = counts.iter().sum();
        counts.map(|count| count / all)
    }
}

/// The standard error of the logit of a mean score, from the variance of the scores of this many pairs.
fn error_in_logits(mean: f64, variance: f64, pairs: f64) -> f64 {
    (variance / (pairs - 1.0)).sqrt() / (mean * (1.0 - mean))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_game::seed::Stream;

    fn near(found: f64, wanted: f64) -> bool {
        (found - wanted).abs() < 5e-4
    }

    #[test]
    fn copies_change_nothing() {
        let once = Pentanomial { counts: [1, 2, 3, 4, 5], copies: 0 };
        let copied = Pentanomial { copies: 30, ..once };
        assert_eq!((once.score(), once.los(), once.pairs()), (copied.score(), copied.los(), copied.pairs()));
    }

    #[test]
    fn a_count_worked_out_by_hand() {
        // 10 pairs: 1 LL, 1 LD, 4 even, 2 WD, 2 WW. Mean (0 + .25 + 2 + 1.5 + 2) / 10 = .575.
        // Squares (.0625 + 1 + 1.125 + 2) / 10 = .41875; variance .41875 - .330625 = .088125; error of the mean
        // sqrt(.088125 / 9) = .0989529, in logits .0989529 / (.575 * .425) = .404922; Student's t of 9 is 2.26216.
        let pairs = Pentanomial { counts: [1, 1, 4, 2, 2], copies: 0 };
        let score = pairs.score();
        assert!(near(score.value, 0.575) && near(score.low, 0.35121) && near(score.high, 0.77176), "{score:?}");
        // 400 log10(.575 / .425) = 52.512; the ends 159.12 below and above, 173.718 * 2.26216 * .404922.
        let elo = pairs.elo();
        assert!((elo.value - 52.512).abs() < 1e-3, "{elo:?}");
        assert!((elo.low + 106.61).abs() < 0.1 && (elo.high - 211.63).abs() < 0.1, "{elo:?}");
        // The logit ln(.575 / .425) = .302281 is .746516 errors, whose probability by Student's t of 9 is .762798.
        assert!(near(pairs.los(), 0.762_798));
        // .075 / sqrt(2 * .088125) * 347.4356 = 62.0685.
        assert!((pairs.normalized_elo().unwrap().value - 62.0685).abs() < 1e-3);
    }

    #[test]
    fn seen_from_the_other_side_it_is_the_opposite() {
        let (pairs, other) = (
            Pentanomial { counts: [3, 8, 20, 15, 9], copies: 0 },
            Pentanomial { counts: [9, 15, 20, 8, 3], copies: 0 },
        );
        assert_eq!(pairs.reversed(), other);
        assert!((pairs.elo().value + other.elo().value).abs() < 1e-9);
        assert!((pairs.elo().low + other.elo().high).abs() < 1e-9);
        assert!((pairs.los() + other.los() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn few_or_equal_pairs_leave_a_wide_interval() {
        let check = |counts, low: f64, high: f64| {
            let score = Pentanomial { counts, copies: 0 }.score();
            assert!((score.low - low).abs() < 0.01 && (score.high - high).abs() < 0.01, "{counts:?} {score:?}");
        };
        check([0; 5], 0.0, 1.0);
        // All won: the score s is too unlikely when s to the power of n + 1 falls below .025.
        check([0, 0, 0, 0, 1], 0.158, 1.0);
        check([0, 0, 0, 0, 10], 0.715, 1.0);
        check([10, 0, 0, 0, 0], 0.0, 0.285);
        // All even: half a point of drift takes as much again on one side.
        check([0, 0, 10, 0, 0], 0.358, 0.642);
    }

    #[test]
    fn likelihood_of_superiority_and_interval_say_the_same() {
        // All counts of up to six pairs.
        let mut all = vec![[0_u64; 5]];
        for at in 0..5 {
            for counts in all.clone() {
                all.extend((1..=6).map(|n| std::array::from_fn(|i| if i == at { n } else { counts[i] })));
            }
        }
        for counts in all.into_iter().filter(|counts| (1..=6).contains(&counts.iter().sum::<u64>())) {
            let pairs = Pentanomial { counts, copies: 0 };
            let (elo, los) = (pairs.elo(), pairs.los());
            assert_eq!(elo.low > 0.0, los > 1.0 - ONE_SIDE, "{counts:?}: {elo:?}, {los}");
            assert_eq!(elo.high < 0.0, los < ONE_SIDE, "{counts:?}: {elo:?}, {los}");
        }
    }

    /// The share of simulated matches whose interval holds the true score.
    fn coverage(p: Distribution, pairs: usize, seed: u64) -> f64 {
        const MATCHES: u32 = 4000;
        let mut stream = Stream::new(seed, "coverage");
        let truth = moments(&p).0;
        let hits = (0..MATCHES).filter(|_| {
            let mut seen = Pentanomial::default();
            for _ in 0..pairs {
                seen.add(crate::stats::sprt::tests::draw(&mut stream, &p));
            }
            seen.score().contains(truth)
        });
        hits.count() as f64 / f64::from(MATCHES)
    }

    #[test]
    fn ninety_five_per_cent_of_the_intervals_hold_the_truth() {
        // 4000 matches: three standard errors are 1 %. More and larger matches: tests/it/statistics.
        for (p, pairs) in [
            ([0.1, 0.2, 0.4, 0.2, 0.1], 100),
            ([0.02, 0.08, 0.5, 0.25, 0.15], 200),
            ([0.25, 0.0, 0.5, 0.0, 0.25], 60),
            ([0.0, 0.1, 0.2, 0.3, 0.4], 100),
        ] {
            let share = coverage(p, pairs, 11);
            assert!((0.935..=0.965).contains(&share), "{p:?} {pairs}: {share}");
        }
    }
}
