//! Tuning many numbers at once by playing games.
//!
//! Simultaneous perturbation stochastic approximation (J. Spall, "Multivariate stochastic approximation using a
//! simultaneous perturbation gradient approximation", 1992), as chess programs use it: all numbers are moved a little,
//! each to a random side; the program with the moved numbers plays the one with the numbers moved the opposite way; all
//! go some way towards the winner.

use agon_game::seed::Stream;
use agon_search::parameters::Parameter;
use serde::{Deserialize, Serialize};

/// Decay of both step sizes: the exponents recommended by Spall.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;

/// A number that is tuned.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct TunedNumber {
    pub low: f64,
    pub high: f64,
    /// The smallest change that can be expected to matter: how far it is moved at the end of a run.
    pub step: f64,
    /// True for an integer; fractions are then rounded at random.
    pub whole: bool,
}

impl From<&Parameter> for TunedNumber {
    fn from(parameter: &Parameter) -> Self {
        let [low, high] = [parameter.range.start(), parameter.range.end()].map(|end| f64::from(*end));
        Self { low, high, step: f64::from(parameter.step), whole: true }
    }
}

impl TunedNumber {
    /// A value as it can be used.
    pub fn usable(&self, value: f64) -> f64 {
        (if self.whole { value.round() } else { value }).clamp(self.low, self.high)
    }
}

/// A run of a number of steps over a set of numbers.
#[derive(Clone, Debug)]
pub struct Spsa {
    numbers: Vec<TunedNumber>,
    values: Vec<f64>,
    steps: u64,
    step: u64,
    rate: f64,
}

/// The two sides of a perturbation.
#[derive(Clone, PartialEq, Debug)]
pub struct Perturbed {
    /// The numbers of one player.
    pub plus: Vec<f64>,
    /// The numbers of its opponent.
    pub minus: Vec<f64>,
    /// Shift of each number for the first player, with its sign.
    shifts: Vec<f64>,
}

impl Spsa {
    /// Begins at these values; at the last of `steps` steps a perturbation is as large as each number's step, and a
    /// point of lead is worth `rate` of that.
    pub const fn new(numbers: Vec<TunedNumber>, values: Vec<f64>, steps: u64, rate: f64) -> Self {
        Self { numbers, values, steps, step: 0, rate }
    }

    /// Goes on from a step, with the values after it.
    pub fn resumed(self, step: u64, values: Vec<f64>) -> Self {
        Self { values, step, ..self }
    }

    /// The numbers now, between the whole ones.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The numbers now, as they can be used.
    pub fn usable(&self) -> Vec<f64> {
        self.values.iter().zip(&self.numbers).map(|(value, number)| number.usable(*value)).collect()
    }

    pub fn numbers(&self) -> &[TunedNumber] {
        &self.numbers
    }

    pub const fn steps(&self) -> u64 {
        self.steps
    }

    pub const fn step(&self) -> u64 {
        self.step
    }

    /// Draws the next perturbation from the stream. Several may be drawn before any is learnt from.
    pub fn perturb(&self, stream: &mut Stream) -> Perturbed {
        let grown = (self.steps as f64 / (self.step + 1) as f64).powf(GAMMA);
        let shifts: Vec<f64> = self
            .numbers
            .iter()
            .map(|number| {
                let size = number.step * grown;
                if stream.below(2) == 0 { size } else { -size }
            })
            .collect();
        let moved = |sign: f64, stream: &mut Stream| {
            let moved = self.values.iter().zip(&shifts).zip(&self.numbers);
            moved
                .map(|((value, shift), number)| {
                    // A whole number is rounded at random, so that steps below one are felt in the mean.
                    let chance = stream.below(1 << 20) as f64 / f64::from(1 << 20);
                    let moved = value + sign * shift;
                    (if number.whole { (moved + chance).floor() } else { moved }).clamp(number.low, number.high)
                })
                .collect()
        };
        Perturbed { plus: moved(1.0, stream), minus: moved(-1.0, stream), shifts }
    }

    /// Learns from a pair of games of a perturbation: `lead` is the first player's lead in points, −2 to 2.
    pub fn learn(&mut self, perturbed: &Perturbed, lead: f64) {
        // Spall's stabiliser: a tenth of the steps.
        let stable = self.steps as f64 / 10.0;
        let rate = self.rate * ((stable + self.steps as f64) / (stable + (self.step + 1) as f64)).powf(ALPHA);
        for ((value, shift), number) in self.values.iter_mut().zip(&perturbed.shifts).zip(&self.numbers) {
            *value = (*value + rate * lead * number.step * shift.signum()).clamp(number.low, number.high);
        }
        self.step += 1;
    }
}

/// Change of a number in steps per point of lead, at the end of a long run.
pub const RATE: f64 = 0.02;

/// The same for a run of any length: in a short one, each pair has a larger effect, so that luck alone moves a number
/// about as far as in one of 5000 pairs.
pub fn rate_for(steps: u64) -> f64 {
    const LONG: f64 = 5000.0;
    (RATE * (LONG / steps.max(1) as f64).sqrt()).clamp(RATE, 10.0 * RATE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NUMBER: TunedNumber = TunedNumber { low: 0.0, high: 100.0, step: 5.0, whole: true };

    /// A game that is won more often the closer the numbers are to a target.
    fn lead(perturbed: &Perturbed, target: [f64; 2], stream: &mut Stream) -> f64 {
        let far = |values: &[f64]| values.iter().zip(target).map(|(v, t)| (v - t).powi(2)).sum::<f64>();
        let better = (far(&perturbed.minus) - far(&perturbed.plus)) / 2000.0;
        let luck = stream.below(1000) as f64 / 500.0 - 1.0;
        (better + luck).clamp(-1.0, 1.0).round() * 2.0
    }

    #[test]
    fn it_finds_the_target_through_the_noise() {
        let check = |steps: u64, rate: f64, whole: bool| {
            let mut spsa = Spsa::new(vec![TunedNumber { whole, ..NUMBER }; 2], vec![20.0, 90.0], steps, rate);
            let mut stream = Stream::new(3, "test");
            for _ in 0..steps {
                let perturbed = spsa.perturb(&mut stream);
                let lead = lead(&perturbed, [70.0, 40.0], &mut stream);
                spsa.learn(&perturbed, lead);
            }
            let found = spsa.usable();
            assert!((found[0] - 70.0).abs() < 15.0 && (found[1] - 40.0).abs() < 15.0, "{found:?}");
        };
        check(8_000, RATE, true);
        check(8_000, RATE, false);
        // A user's few games, with steps that follow from them.
        check(1_000, rate_for(1_000), true);
    }

    #[test]
    fn numbers_stay_in_their_ranges() {
        for whole in [true, false] {
            let mut spsa = Spsa::new(vec![TunedNumber { whole, ..NUMBER }], vec![99.0], 10, RATE);
            let mut stream = Stream::new(1, "test");
            for _ in 0..1_000 {
                let perturbed = spsa.perturb(&mut stream);
                for values in [&perturbed.plus, &perturbed.minus] {
                    assert!((0.0..=100.0).contains(&values[0]), "{values:?}");
                    assert!(!whole || values[0].fract() == 0.0, "{values:?}");
                }
                let up = perturbed.shifts[0].signum();
                spsa.learn(&perturbed, 2.0 * up);
            }
            assert_eq!(spsa.usable(), [100.0]);
        }
    }
}
