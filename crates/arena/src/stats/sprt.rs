//! The sequential test: play until it is clear which of two hypotheses holds.
//!
//! A generalized sequential probability ratio test on pairs. The log likelihood ratio compares the most likely
//! distribution of pair scores whose Elo is `elo1` with the most likely one whose Elo is `elo0`, both computed exactly
//! as maximum likelihood estimates; the test ends when it leaves Wald's bounds. A score that never came counts as a
//! thousandth of a pair, so that any hypothesis has a likelihood.
//!
//! Sources: A. Wald, Sequential Tests of Statistical Hypotheses (1945); M. Van den Bergh, The Generalized Sequential
//! Probability Ratio Test for chess engine testing, <https://www.cantate.be/Fishtest/GSPRT_approximation.pdf>, and
//! Normalized Elo, <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>; the same method as fishtest's
//! `LLRcalc.py`.

use serde::{Deserialize, Serialize};

use super::Pentanomial;
use super::distribution::{Distribution, with_effect, with_elo};
use super::pentanomial::NORMALIZED_ELO;

/// The largest Elo of a hypothesis, on either scale: an agent with this advantage loses one game in ten billion.
pub const MAX_ELO: f64 = 4000.0;

/// From how many different pairs on the length of a test is estimated.
const MIN_ESTIMATE_PAIRS: u64 = 8;

/// The scale on which the two hypotheses are given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Elo of the expected score.
    #[default]
    Logistic,
    /// Elo in units of the spread: the same bounds take the same number of games whatever the share of draws.
    Normalized,
}

/// A test of "the new one is `elo1` stronger" (H1) against "it is `elo0` stronger" (H0). Either may be negative: with
/// `elo0` −10 and `elo1` 0, H1 says that the new one is not weaker.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// H0, in Elo points.
    pub elo0: f64,
    /// H1, in Elo points; more than `elo0`.
    pub elo1: f64,
    /// How often H1 may be accepted when H0 holds, above 0 and below 0.5.
    pub alpha: f64,
    /// How often H0 may be accepted when H1 holds, above 0 and below 0.5.
    pub beta: f64,
    /// The scale of both hypotheses.
    pub scale: Scale,
}

/// A test that is impossible.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum SprtError {
    #[error("elo1 is {elo1}, but must be above elo0, which is {elo0}")]
    Bounds { elo0: f64, elo1: f64 },
    #[error("{name} is {value}, but must lie between {} and {MAX_ELO}", -MAX_ELO)]
    Elo { name: &'static str, value: f64 },
    #[error("{name} is {value}, but must lie between 0 and 0.5")]
    Rate { name: &'static str, value: f64 },
}

/// The state of a test so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Status {
    #[serde(rename = "continue")]
    Continue,
    /// H0 is accepted: the new one is not that much stronger.
    H0,
    /// H1 is accepted: it is.
    H1,
}

impl Default for Sprt {
    /// Is it stronger at all? 0 against 10 logistic Elo, both errors 5 %.
    fn default() -> Self {
        Self { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, scale: Scale::Logistic }
    }
}

impl Sprt {
    /// Checks that the test is possible.
    ///
    /// # Errors
    /// [`SprtError`] names the value that is wrong.
    pub fn checked(self) -> Result<Self, SprtError> {
        let Self { elo0, elo1, alpha, beta, .. } = self;
        // Written so that NaN fails.
        if !(elo0 < elo1 && elo0.is_finite() && elo1.is_finite()) {
            return Err(SprtError::Bounds { elo0, elo1 });
        }
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            if value.abs() > MAX_ELO {
                return Err(SprtError::Elo { name, value });
            }
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::Rate { name, value });
            }
        }
        Ok(self)
    }

    /// Wald's bounds on the log likelihood ratio: H0 is accepted at the lower, H1 at the upper.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log likelihood ratio of H1 against H0; 0 without pairs.
    ///
    /// A hypothesis beyond [`MAX_ELO`], which [`Self::checked`] refuses, counts as one there.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let seen = pairs.regularized();
        let steps = self.steps(&seen);
        let gain: f64 = seen.iter().zip(steps).map(|(seen, step)| seen * step).sum();
        gain * pairs.pairs() as f64
    }

    /// How much a pair of each score changes the log likelihood ratio if pairs are distributed as the observed ones.
    fn steps(&self, seen: &Distribution) -> Distribution {
        let [p0, p1] = [self.elo0, self.elo1].map(|elo| {
            let elo = elo.clamp(-MAX_ELO, MAX_ELO);
            match self.scale {
                Scale::Logistic => with_elo(seen, elo),
                // Between pairs the spread is 1/√2 of that between bouts, so the effect is √2 as large.
                Scale::Normalized => with_effect(seen, elo / NORMALIZED_ELO * std::f64::consts::SQRT_2),
            }
        });
        std::array::from_fn(|at| (p1[at] / p0[at]).ln())
    }

    /// The expected number of further pairs, if pairs go on like the observed ones; `None` for few pairs, and if no
    /// estimate is possible.
    ///
    /// The mean exit time of a Brownian motion with the drift and the variance of the steps so far. Source: A. Wald,
    /// Sequential Analysis (1947), appendix A.3.
    pub fn expected_pairs(&self, pairs: &Pentanomial) -> Option<f64> {
        if pairs.pairs() < MIN_ESTIMATE_PAIRS || self.status(pairs) != Status::Continue {
            return None;
        }
        let seen = pairs.regularized();
        let steps = self.steps(&seen);
        let drift: f64 = seen.iter().zip(steps).map(|(seen, step)| seen * step).sum();
        let variance: f64 = seen.iter().zip(steps).map(|(seen, step)| seen * (step - drift).powi(2)).sum();
        let (llr, (lower, upper)) = (self.llr(pairs), self.bounds());
        // The distances to the bound that it drifts towards, and to the other one.
        let (to, from) = if drift > 0.0 { (upper - llr, llr - lower) } else { (llr - lower, upper - llr) };
        let rate = 2.0 * drift.abs() / variance;
        let different = if rate * (to + from) < 1e-6 {
            to * from / variance
        } else {
            let reached = (-rate * from).exp_m1() / (-rate * (to + from)).exp_m1();
            (reached * to - (1.0 - reached) * from) / drift.abs()
        };
        // Copies bring the test no further.
        let pairs = different * (pairs.pairs() + pairs.copies) as f64 / pairs.pairs() as f64;
        pairs.is_finite().then_some(pairs)
    }

    pub fn status(&self, pairs: &Pentanomial) -> Status {
        let (llr, (lower, upper)) = (self.llr(pairs), self.bounds());
        if llr <= lower {
            Status::H0
        } else if llr >= upper {
            Status::H1
        } else {
            Status::Continue
        }
    }

    /// A hypothesis in words: `Elo ≤ 0`, `nElo ≥ 10`; empty while none is accepted.
    pub fn hypothesis(&self, status: Status) -> String {
        let elo = match self.scale {
            Scale::Logistic => "Elo",
            Scale::Normalized => "nElo",
        };
        match status {
            Status::H0 => format!("{elo} ≤ {}", plain(self.elo0)),
            Status::H1 => format!("{elo} ≥ {}", plain(self.elo1)),
            Status::Continue => String::new(),
        }
    }

    /// The error rates of the test: `α = β = 0.05`, `α = 0.05, β = 0.1`.
    pub fn errors(&self) -> String {
        let Self { alpha, beta, .. } = self;
        #[allow(clippy::float_cmp, reason = "two numbers that a user gave")]
        if alpha == beta { format!("α = β = {alpha}") } else { format!("α = {alpha}, β = {beta}") }
    }

    /// Both hypotheses and the errors: `H0: Elo ≤ 0, H1: Elo ≥ 10, α = β = 0.05`.
    pub fn setting(&self) -> String {
        format!("H0: {}, H1: {}, {}", self.hypothesis(Status::H0), self.hypothesis(Status::H1), self.errors())
    }

    /// What a status means: `H1 accepted (Elo ≥ 10 rather than ≤ 0, α = β = 0.05)`.
    pub fn verdict(&self, status: Status) -> String {
        let accepted = |name: &str, other: String| {
            format!("{name} accepted ({} rather than {other}, {})", self.hypothesis(status), self.errors())
        };
        match status {
            Status::H0 => accepted("H0", format!("≥ {}", plain(self.elo1))),
            Status::H1 => accepted("H1", format!("≤ {}", plain(self.elo0))),
            Status::Continue => format!("undecided ({})", self.setting()),
        }
    }
}

/// A number as a user gave it, with a typographic minus sign.
fn plain(value: f64) -> String {
    // Adding turns a negative zero into a plain one.
    format!("{}", value + 0.0).replace('-', "−")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::stats::distribution::{Distribution, SCORES, moments};
    use crate::stats::{difference, expected};
    use agon_game::seed::Stream;

    /// Draws a pair's half points.
    pub(crate) fn draw(stream: &mut Stream, p: &Distribution) -> usize {
        let mut left = (stream.next() >> 11) as f64 / (1_u64 << 53) as f64;
        for (halves, p) in p.iter().enumerate() {
            left -= p;
            if left < 0.0 {
                return halves;
            }
        }
        // Rounding: the last score that can come.
        p.iter().rposition(|&p| p > 0.0).unwrap()
    }

    /// Two independent bouts of an agent that is `elo` stronger, a share of them drawn.
    fn pair(elo: f64, draws: f64) -> Distribution {
        let win = expected(elo) - draws / 2.0;
        let bout = [1.0 - win - draws, draws, win];
        let mut p = [0.0; 5];
        for (a, pa) in bout.iter().enumerate() {
            for (b, pb) in bout.iter().enumerate() {
                p[a + b] += pa * pb;
            }
        }
        assert!((difference(moments(&p).0) - elo).abs() < 1e-6);
        p
    }

    #[test]
    fn bounds_are_walds() {
        let (lower, upper) = Sprt::default().bounds();
        assert!((upper - 19.0_f64.ln()).abs() < 1e-12 && (lower + 19.0_f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn the_ratio_of_large_counts_is_the_normal_one() {
        // For small differences the exact ratio tends to N (s1 - s0)(2 mean - s0 - s1) / (2 variance).
        let check = |counts, elo0, elo1| {
            let pairs = Pentanomial { counts, copies: 0 };
            let (mean, variance) = moments(&pairs.shares());
            let (s0, s1) = (expected(elo0), expected(elo1));
            let normal = pairs.pairs() as f64 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
            let llr = Sprt { elo0, elo1, ..Sprt::default() }.llr(&pairs);
            assert!((llr / normal - 1.0).abs() < 0.02, "{counts:?} {llr} {normal}");
        };
        check([210, 1000, 2100, 1070, 260], 0.0, 5.0);
        check([89, 3964, 9000, 4350, 120], 0.0, 2.0);
        check([260, 1070, 2100, 1000, 210], -5.0, 0.0);
    }

    #[test]
    fn a_ratio_by_hand() {
        // Only lost and won pairs: the ratio is that of a coin, W ln(s1/s0) + L ln((1-s1)/(1-s0)). The traces of the
        // scores that never came move it a little.
        let pairs = Pentanomial { counts: [40, 0, 0, 0, 60], copies: 0 };
        let test = Sprt { elo1: 40.0, ..Sprt::default() };
        let s1 = expected(40.0);
        let coin = 60.0 * (s1 / 0.5).ln() + 40.0 * ((1.0 - s1) / 0.5).ln();
        assert!((test.llr(&pairs) - coin).abs() < 1e-3, "{} {coin}", test.llr(&pairs));
        // One pair is never enough, whatever its score.
        for halves in 0..SCORES.len() {
            let mut one = Pentanomial::default();
            one.add(halves);
            for scale in [Scale::Logistic, Scale::Normalized] {
                assert_eq!(Sprt { scale, ..test }.status(&one), Status::Continue, "{halves} {scale:?}");
            }
        }
    }

    #[test]
    fn the_scales_agree_where_the_spread_is_known() {
        // A bout's spread is that of the model, so normalized bounds can be had from logistic ones.
        let counts = [600, 2400, 4100, 2300, 600];
        let pairs = Pentanomial { counts, copies: 0 };
        let spread = (2.0 * moments(&pairs.shares()).1).sqrt();
        let normalized = |elo: f64| (expected(elo) - 0.5) / spread * NORMALIZED_ELO;
        let logistic = Sprt { elo1: 4.0, ..Sprt::default() };
        let other = Sprt { elo1: normalized(4.0), scale: Scale::Normalized, ..Sprt::default() };
        let (a, b) = (logistic.llr(&pairs), other.llr(&pairs));
        assert!((a - b).abs() < 0.02 * a.abs(), "{a} {b}");
    }

    /// Plays tests to their end: the share that accepts H1, and the mean number of pairs.
    fn simulate(test: &Sprt, p: &Distribution, tests: u32) -> (f64, f64) {
        let mut stream = Stream::new(5, "sprt");
        let (mut accepted, mut all) = (0_u32, 0_u64);
        for _ in 0..tests {
            let mut pairs = Pentanomial::default();
            let status = loop {
                pairs.add(draw(&mut stream, p));
                match test.status(&pairs) {
                    Status::Continue => {}
                    status => break status,
                }
            };
            accepted += u32::from(status == Status::H1);
            all += pairs.pairs();
        }
        (f64::from(accepted) / f64::from(tests), all as f64 / f64::from(tests))
    }

    #[test]
    fn error_rates_and_lengths_are_as_wald_says() {
        const TESTS: u32 = 2000;
        let check = |test: &Sprt, p0: &Distribution, p1: &Distribution| {
            let (lower, upper) = test.bounds();
            for (p, holds, wrong, lean) in [(p0, 0, test.alpha, test.alpha), (p1, 1, test.beta, 1.0 - test.beta)] {
                let (accepted, length) = simulate(test, p, TESTS);
                let errors = if holds == 0 { accepted } else { 1.0 - accepted };
                // Three standard errors of the simulation itself.
                let slack = 3.0 * (wrong * (1.0 - wrong) / f64::from(TESTS)).sqrt();
                assert!(errors <= wrong + slack, "{test:?} {p:?}: {errors}");
                // Wald: the mean step times the mean length is the mean end. Real ends overshoot a little.
                let gains = p.iter().zip(p0.iter().zip(p1)).filter(|(p, _)| **p > 0.0);
                let step: f64 = gains.map(|(p, (q0, q1))| p * (q1 / q0).ln()).sum();
                let wald = (lean * upper + (1.0 - lean) * lower) / step;
                assert!((0.85..1.25).contains(&(length / wald)), "{test:?} {p:?}: {length} for {wald}");
            }
        };
        let logistic = Sprt { elo0: 0.0, elo1: 60.0, ..Sprt::default() };
        check(&logistic, &pair(0.0, 0.3), &pair(60.0, 0.3));
        let strict = Sprt { elo0: -30.0, elo1: 40.0, alpha: 0.1, beta: 0.02, ..Sprt::default() };
        check(&strict, &pair(-30.0, 0.1), &pair(40.0, 0.1));
        let spread = |p: &Distribution| (2.0 * moments(p).1).sqrt();
        let (p0, p1) = (pair(0.0, 0.5), pair(50.0, 0.5));
        let elo1 = (expected(50.0) - 0.5) / spread(&p1) * NORMALIZED_ELO;
        check(&Sprt { elo0: 0.0, elo1, scale: Scale::Normalized, ..Sprt::default() }, &p0, &p1);
    }

    #[test]
    fn the_length_of_a_test_is_estimated() {
        let test = Sprt { elo0: 0.0, elo1: 20.0, ..Sprt::default() };
        let expect = |counts| test.expected_pairs(&Pentanomial { counts, copies: 0 });
        assert_eq!((expect([0; 5]), expect([0, 1, 4, 2, 0])), (None, None));
        assert_eq!(expect([5, 10, 200, 90, 100]), None, "it is decided");
        let counts = [12, 40, 80, 44, 16];
        let pairs = Pentanomial { counts, copies: 0 };
        let expected = expect(counts).unwrap();
        // The same from the other side.
        let mirrored = Sprt { elo0: -20.0, elo1: 0.0, ..test };
        let other = mirrored.expected_pairs(&pairs.reversed()).unwrap();
        assert!((other / expected - 1.0).abs() < 1e-6, "{other} {expected}");
        // Simulated from here on, with pairs as those seen.
        let (shares, mut stream, mut all) = (pairs.shares(), Stream::new(6, "length"), 0_u64);
        for _ in 0..1000 {
            let mut more = pairs;
            while test.status(&more) == Status::Continue {
                more.add(draw(&mut stream, &shares));
            }
            all += more.pairs() - pairs.pairs();
        }
        let simulated = all as f64 / 1000.0;
        assert!((0.8..1.2).contains(&(expected / simulated)), "{expected} {simulated}");
        // Copies bring it no further.
        let half = Pentanomial { copies: pairs.pairs(), ..pairs };
        assert!((test.expected_pairs(&half).unwrap() / expected - 2.0).abs() < 1e-9);
    }

    #[test]
    fn decisions_are_put_in_words() {
        let check = |test: Sprt, status: Status, text: &str| assert_eq!(test.verdict(status), text);
        let strict = Sprt { elo0: -10.0, elo1: 0.0, ..Sprt::default() };
        check(strict, Status::H1, "H1 accepted (Elo ≥ 0 rather than ≤ −10, α = β = 0.05)");
        check(strict, Status::H0, "H0 accepted (Elo ≤ −10 rather than ≥ 0, α = β = 0.05)");
        let other = Sprt { elo0: -0.0, elo1: 2.5, beta: 0.1, scale: Scale::Normalized, ..strict };
        check(other, Status::H1, "H1 accepted (nElo ≥ 2.5 rather than ≤ 0, α = 0.05, β = 0.1)");
        check(other, Status::Continue, "undecided (H0: nElo ≤ 0, H1: nElo ≥ 2.5, α = 0.05, β = 0.1)");
    }

    #[test]
    fn impossible_tests_are_refused() {
        let check = |test: Sprt, text: &str| assert_eq!(test.checked().unwrap_err().to_string(), text);
        check(Sprt { elo1: -1.0, ..Sprt::default() }, "elo1 is -1, but must be above elo0, which is 0");
        check(Sprt { elo1: f64::NAN, ..Sprt::default() }, "elo1 is NaN, but must be above elo0, which is 0");
        check(Sprt { beta: 0.7, ..Sprt::default() }, "beta is 0.7, but must lie between 0 and 0.5");
        check(Sprt { elo1: 1e5, ..Sprt::default() }, "elo1 is 100000, but must lie between -4000 and 4000");
        assert!(Sprt::default().checked().is_ok());
    }
}
