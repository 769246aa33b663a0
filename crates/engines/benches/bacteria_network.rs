//! Cost of an evaluation: the network, with registers of each width, against the hand-made evaluation.

use std::sync::Arc;

use agon_engines::bacteria::Classic;
use agon_engines::bacteria::evaluation::{self, NetworkEvaluation};
use agon_game::Position;
use agon_game::seed::Stream;
use agon_rules::bacteria::{Bacteria, Move};
use agon_search::Evaluate;
use agon_search::nnue::Evaluator;
use agon_search::nnue::simd::{Kernel, Width};
use criterion::{Bencher, Criterion, Throughput, criterion_group, criterion_main};

/// Positions of random games, each with its moves.
fn positions() -> Vec<(Bacteria, Vec<Move>)> {
    let mut positions = Vec::new();
    for seed in 0..4 {
        let mut stream = Stream::new(seed, "bench");
        let mut position = Bacteria::start();
        while position.outcome().is_none() && position.ply() < 60 {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let m = moves[stream.below(moves.len())];
            positions.push((position.clone(), moves));
            position.play_unchecked(m, &mut ());
        }
    }
    positions
}

/// Values a position and all that can follow, as the last plies of a search do.
fn visit(evaluation: &mut impl Evaluate<Bacteria>, positions: &[(Bacteria, Vec<Move>)]) -> i32 {
    let mut sum = 0_i32;
    for (position, moves) in positions {
        evaluation.reset(position);
        sum = sum.wrapping_add(evaluation.value(position));
        for &m in moves {
            let mut next = position.clone();
            evaluation.push();
            next.play_unchecked(m, evaluation);
            sum = sum.wrapping_add(evaluation.value(&next));
            evaluation.pop();
        }
    }
    sum
}

fn values(c: &mut Criterion) {
    let positions = positions();
    let mut group = c.benchmark_group("value");
    group.throughput(Throughput::Elements(positions.iter().map(|(_, moves)| 1 + moves.len() as u64).sum()));
    group.bench_function("classic", |b| b.iter(|| visit(&mut Classic::default(), &positions)));
    for kernel in Width::ALL.into_iter().filter_map(Kernel::new) {
        let network = Arc::clone(evaluation::built_in().network());
        let mut evaluator: NetworkEvaluation = Evaluator::with_kernel(network, kernel).expect("the built-in network");
        let values = |b: &mut Bencher| {
            b.iter(|| {
                // Else the values would be those of the last round, and only looked up.
                evaluator.clear_cache();
                visit(&mut evaluator, &positions)
            });
        };
        group.bench_function(kernel.width().name(), values);
    }
    group.finish();
}

criterion_group!(benches, values);
criterion_main!(benches);
