//! How often the interval of a rating contains the strength that it measures: ladders of players of known strength.

use agon_game::seed::Stream;

use super::elo;
use super::expected;
use super::ratings::{Ratings, Results};

/// Players of a ladder, the spread of their strengths, its games, and the share of draws between equals.
struct Ladder {
    players: usize,
    spread: f64,
    games: u32,
    draws: f64,
}

/// The ladder of a new competition with twelve programs after an hour.
const HOUR: Ladder = Ladder { players: 12, spread: 250.0, games: 335, draws: 0.0 };

fn uniform(stream: &mut Stream) -> f64 {
    ((stream.next() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
}

impl Ladder {
    /// Plays the ladder of a seed as a site does; how many intervals hold the strength, and of how many players.
    fn covered(&self, seed: u64) -> (u32, u32) {
        let mut stream = Stream::new(seed, "coverage");
        let normal = |stream: &mut Stream| {
            (-2.0 * uniform(stream).ln()).sqrt() * (std::f64::consts::TAU * uniform(stream)).cos()
        };
        let strengths: Vec<f64> = (0..self.players).map(|_| self.spread * normal(&mut stream)).collect();
        let mean = strengths.iter().sum::<f64>() / self.players as f64;
        let (mut points, mut games) = (vec![elo::START; self.players], vec![0; self.players]);
        let mut results = Results::new(self.players);
        for _ in 0..self.games {
            let from = stream.below(self.players);
            let order = (0..self.players).map(|at| (from + at) % self.players);
            let one = order.min_by_key(|&at| games[at]).expect("there are players");
            let others: Vec<usize> = (0..self.players).filter(|&at| at != one).collect();
            let near: Vec<f64> = others.iter().map(|&at| points[at]).collect();
            let other = others[elo::opponent(points[one], &near, &mut stream).expect("there are others")];
            let win = expected(strengths[one] - strengths[other]);
            let draw = self.draws * 2.0 * win.min(1.0 - win);
            let drawn = uniform(&mut stream);
            let score = if drawn < win - draw / 2.0 {
                1.0
            } else if drawn < win + draw / 2.0 {
                0.5
            } else {
                0.0
            };
            (points[one], points[other]) = elo::after(points[one], points[other], score);
            results.add(one, other, [score, 1.0 - score]);
            games[one] += 1;
            games[other] += 1;
        }
        let ratings = Ratings::fit_ladder(&results, &vec![None; self.players]);
        let held = (0..self.players).filter(|&at| ratings.of(at).contains(strengths[at] - mean + elo::START));
        (held.count() as u32, self.players as u32)
    }

    /// The share of intervals that hold the strength in this many ladders.
    fn coverage(&self, ladders: u64) -> f64 {
        let (mut held, mut all) = (0, 0);
        for seed in 0..ladders {
            let (covered, players) = self.covered(seed);
            held += covered;
            all += players;
        }
        f64::from(held) / f64::from(all)
    }
}

/// With `AGON_SLOW` in 10 000 ladders of each kind, otherwise in 60.
#[test]
fn intervals_of_ladders_hold_what_they_measure() {
    let slow = std::env::var_os("AGON_SLOW").is_some();
    let ladders = if slow { 10_000 } else { 60 };
    let check = |name: &str, ladder: &Ladder| {
        let coverage = ladder.coverage(ladders);
        println!("{name}: {:.2} % of the 95 % intervals in {ladders} ladders", 100.0 * coverage);
        assert!((0.925..=0.995).contains(&coverage), "{name}: {coverage}");
    };
    check("an hour of twelve programs", &HOUR);
    check("half of the games between equals drawn", &Ladder { draws: 0.5, ..HOUR });
    check("a narrow field", &Ladder { spread: 150.0, ..HOUR });
    check("10 games each", &Ladder { games: 60, ..HOUR });
    check("333 games each", &Ladder { games: 2000, ..HOUR });
}
