//! Tuning many numbers at once by playing games.
//!
//! Simultaneous perturbation stochastic approximation (J. Spall, "Multivariate stochastic approximation using a
//! simultaneous perturbation gradient approximation", 1992), as chess programs use it: all numbers are moved a little,
//! each to a random side; the program with the moved numbers plays the one with the numbers moved the opposite way; all
//! go some way towards the winner.

use agon_game::seed::Stream;

use agon_search::parameters::Parameter;

/// How both step sizes shrink: the exponents that Spall recommends.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;

/// A run of a number of steps over a set of parameters.
#[derive(Clone, Debug)]
pub struct Spsa {
    parameters: Vec<Parameter>,
    values: Vec<f64>,
    steps: u64,
    step: u64,
}

/// The two sides of a perturbation.
#[derive(Clone, PartialEq, Debug)]
pub struct Perturbed {
    /// The numbers of one player.
    pub plus: Vec<i32>,
    /// The numbers of its opponent.
    pub minus: Vec<i32>,
    /// To which side each number was moved for the first, and how far.
    shifts: Vec<f64>,
}

impl Spsa {
    /// Begins at these values; at the last of `steps` steps a perturbation is as large as each parameter's step.
    pub const fn new(parameters: Vec<Parameter>, values: Vec<f64>, steps: u64) -> Self {
        Self { parameters, values, steps, step: 0 }
    }

    /// Goes on from a step.
    pub const fn resumed(mut self, step: u64) -> Self {
        self.step = step;
        self
    }

    /// The numbers now, between the whole ones.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The numbers now, as they can be used.
    pub fn rounded(&self) -> Vec<i32> {
        self.values.iter().map(|value| value.round() as i32).collect()
    }

    pub const fn step(&self) -> u64 {
        self.step
    }

    /// What to play next, drawn from the stream. Several may be drawn before any is learnt from.
    pub fn perturb(&self, stream: &mut Stream) -> Perturbed {
        let grown = (self.steps as f64 / (self.step + 1) as f64).powf(GAMMA);
        let shifts: Vec<f64> = self
            .parameters
            .iter()
            .map(|parameter| {
                let size = f64::from(parameter.step) * grown;
                if stream.below(2) == 0 { size } else { -size }
            })
            .collect();
        let moved = |sign: f64, stream: &mut Stream| {
            let moved = self.values.iter().zip(&shifts).zip(&self.parameters);
            moved
                .map(|((value, shift), parameter)| {
                    // Rounded at random, so that steps below one are felt in the mean.
                    let chance = stream.below(1 << 20) as f64 / f64::from(1 << 20);
                    let whole = (value + sign * shift + chance).floor() as i32;
                    whole.clamp(*parameter.range.start(), *parameter.range.end())
                })
                .collect()
        };
        Perturbed { plus: moved(1.0, stream), minus: moved(-1.0, stream), shifts }
    }

    /// A pair of games of a perturbation has ended: `lead` is how many more points the first player made, −2 to 2.
    pub fn learn(&mut self, perturbed: &Perturbed, lead: f64) {
        // Spall's stabiliser: a tenth of the steps.
        let stable = self.steps as f64 / 10.0;
        let rate = RATE * ((stable + self.steps as f64) / (stable + (self.step + 1) as f64)).powf(ALPHA);
        for ((value, shift), parameter) in self.values.iter_mut().zip(&perturbed.shifts).zip(&self.parameters) {
            let size = f64::from(parameter.step);
            *value += rate * lead * size * shift.signum();
            *value = value.clamp(f64::from(*parameter.range.start()), f64::from(*parameter.range.end()));
        }
        self.step += 1;
    }
}

/// How much of a parameter's step a point of lead is worth at the end of the run.
const RATE: f64 = 0.02;

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(name: &'static str, value: i32) -> Parameter {
        Parameter { name, value, range: 0..=100, step: 5 }
    }

    /// A game that is won the more often the nearer the numbers are to a target.
    fn lead(perturbed: &Perturbed, target: [i32; 2], stream: &mut Stream) -> f64 {
        let far = |values: &[i32]| values.iter().zip(target).map(|(v, t)| f64::from((v - t).pow(2))).sum::<f64>();
        let better = (far(&perturbed.minus) - far(&perturbed.plus)) / 2000.0;
        let luck = stream.below(1000) as f64 / 500.0 - 1.0;
        (better + luck).clamp(-1.0, 1.0).round() * 2.0
    }

    #[test]
    fn it_finds_the_target_through_the_noise() {
        let parameters = vec![parameter("a", 20), parameter("b", 90)];
        let mut spsa = Spsa::new(parameters, vec![20.0, 90.0], 8_000);
        let mut stream = Stream::new(3, "test");
        for _ in 0..8_000 {
            let perturbed = spsa.perturb(&mut stream);
            let lead = lead(&perturbed, [70, 40], &mut stream);
            spsa.learn(&perturbed, lead);
        }
        let found = spsa.rounded();
        assert!(found[0].abs_diff(70) < 15 && found[1].abs_diff(40) < 15, "{found:?}");
    }

    #[test]
    fn numbers_stay_in_their_ranges() {
        let mut spsa = Spsa::new(vec![parameter("a", 99)], vec![99.0], 10);
        let mut stream = Stream::new(1, "test");
        for _ in 0..1_000 {
            let perturbed = spsa.perturb(&mut stream);
            for values in [&perturbed.plus, &perturbed.minus] {
                assert!((0..=100).contains(&values[0]), "{values:?}");
            }
            let up = perturbed.shifts[0].signum();
            spsa.learn(&perturbed, 2.0 * up);
        }
        assert_eq!(spsa.rounded(), [100]);
    }
}
