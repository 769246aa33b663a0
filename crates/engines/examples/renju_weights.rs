//! Fits the weights of renju's evaluation to the results of games that the champion plays against itself, and prints
//! them as `crates/engines/src/renju/weights.rs`.
//!
//! ```sh
//! cargo run --release -p agon-engines --example renju_weights -- GAMES NODES SEED > weights.rs
//! ```
//!
//! Every position in which no win is in sight is a sample: how often each kind of point occurs for either side, whose
//! turn it is, and who won in the end. The weights minimise the logistic loss of their sum, kept near the weights that
//! played the games.

use agon_engines::renju::evaluation::{KINDS, SCALE, kinds, weight};
use agon_engines::renju::{Board, Champion};
use agon_game::seed::Stream;
use agon_game::{Outcome, Position, Side};
use agon_rules::renju::{Move, Renju};
use agon_search::Limits;
use agon_search::evaluate::LARGEST;
use agon_search::pvs::Request;

/// The kinds that occur, each with its place among the weights and its number, a White point's being negative.
struct Sample {
    counts: Vec<(usize, f64)>,
    /// 1 when Black won, 0 when White did.
    result: f64,
}

/// A weight's place: for every side and kind, one with that side to move and one with the other.
fn place(side: Side, kind: usize, own_turn: bool) -> usize {
    (side.index() * KINDS + kind) * 2 + usize::from(!own_turn)
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>().expect("a number"));
    let mut next = |default| arguments.next().unwrap_or(default);
    let (games, nodes, seed) = (next(200), next(1_500), next(1));
    let mut samples = Vec::new();
    let mut wins = [0; 2];
    for game in 0..games {
        if let Some(side) = play(seed + game, nodes, &mut samples) {
            wins[side.index()] += 1;
        }
        if game % 20 == 19 {
            eprintln!("{} games, {} samples, won {wins:?}", game + 1, samples.len());
        }
    }
    print(&fit(&samples));
}

/// Plays a game from random stones and adds its samples.
fn play(seed: u64, nodes: u64, samples: &mut Vec<Sample>) -> Option<Side> {
    let mut stream = Stream::new(seed, "weights");
    let mut position = Renju::default();
    let random = 4 + stream.below(4) as u32;
    let mut champions = [(); 2].map(|()| Champion::default().limited(Limits::nodes(nodes)));
    let first = samples.len();
    while position.outcome().is_none() && position.ply() < 120 {
        let m = if position.ply() < random {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            moves.retain(|m| m.point().is_some_and(|point| point.distance_from_centre() <= 3));
            moves[stream.below(moves.len())]
        } else {
            let request = Request { limits: Limits::nodes(nodes), ..Request::default() };
            let champion = &mut champions[position.turn().index()];
            let found = champion.think(&position, &request, &mut |_| {});
            let (m, value) = found.map_or((Move::Pass, 0), |found| (found.line[0], found.value));
            if value.abs() <= LARGEST && position.may_pass() {
                let board = Board::new(position.board());
                let mut counts = Vec::new();
                for (side, sign) in [(Side::First, 1.0), (Side::Second, -1.0)] {
                    let there = kinds(&board, side).into_iter().enumerate().filter(|&(_, count)| count > 0);
                    let own_turn = side == position.turn();
                    counts.extend(there.map(|(kind, count)| (place(side, kind, own_turn), sign * f64::from(count))));
                }
                samples.push(Sample { counts, result: 0.5 });
            }
            m
        };
        position.play(m, &mut ());
    }
    let winner = position.outcome().and_then(Outcome::winner);
    let result = match winner {
        Some(Side::First) => 1.0,
        Some(Side::Second) => 0.0,
        None => 0.5,
    };
    samples[first..].iter_mut().for_each(|sample| sample.result = result);
    winner
}

/// Gradient descent (Adam), with a pull towards the weights there are.
fn fit(samples: &[Sample]) -> Vec<f64> {
    let mut prior = vec![0.0; 4 * KINDS];
    for side in Side::BOTH {
        for (kind, own_turn) in (0..KINDS).flat_map(|kind| [(kind, true), (kind, false)]) {
            prior[place(side, kind, own_turn)] = f64::from(weight(side, kind, own_turn));
        }
    }
    let mut weights = prior.clone();
    let (mut mean, mut square) = (vec![0.0; prior.len()], vec![0.0; prior.len()]);
    for step in 1..=600 {
        let mut loss = 0.0;
        let mut slopes: Vec<f64> = weights.iter().zip(&prior).map(|(weight, prior)| 2e-4 * (weight - prior)).collect();
        for Sample { counts, result } in samples {
            let value: f64 = counts.iter().map(|&(place, count)| count * weights[place]).sum();
            let expected = 1.0 / (1.0 + (-value / SCALE).exp());
            loss -= result * expected.max(1e-9).ln() + (1.0 - result) * (1.0 - expected).max(1e-9).ln();
            for &(place, count) in counts {
                slopes[place] += (expected - result) * count / SCALE;
            }
        }
        if step % 100 == 0 {
            eprintln!("step {step}: loss {:.4}", loss / samples.len() as f64);
        }
        for (((weight, mean), square), slope) in weights.iter_mut().zip(&mut mean).zip(&mut square).zip(slopes) {
            *mean = 0.9 * *mean + 0.1 * slope;
            *square = 0.99 * *square + 0.01 * slope * slope;
            *weight -= *mean / (square.sqrt() + 1e-6);
        }
    }
    weights
}

fn print(weights: &[f64]) {
    println!("//! The weights of kinds of points, fitted by `examples/renju_weights.rs`.");
    println!();
    println!("use super::evaluation::KINDS;");
    println!();
    println!("/// By side and kind: with that side to move, and with the other.");
    println!("#[rustfmt::skip]");
    println!("pub(super) const FITTED: [[[i32; 2]; KINDS]; 2] = [");
    for side in weights.chunks(2 * KINDS) {
        println!("    [");
        for row in side.chunks(12) {
            let row: Vec<String> = row.chunks(2).map(|pair| format!("[{:.0}, {:.0}]", pair[0], pair[1])).collect();
            println!("        {},", row.join(", "));
        }
        println!("    ],");
    }
    println!("];");
}
