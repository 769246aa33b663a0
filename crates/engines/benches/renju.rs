//! The incremental board: stones placed and taken back per second, and the additional cost of an evaluation.

use std::hint::black_box;
use std::sync::Arc;

use agon_engines::renju::{Evaluation, NetworkEvaluation, PatternBoard, network};
use agon_game::Side;
use agon_rules::renju as rules;
use agon_search::nnue::simd::{Kernel, Width};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// A game around the centre, and the empty points of the middle.
fn middle() -> (PatternBoard, Vec<u8>) {
    let mut board = PatternBoard::new(&rules::Board::EMPTY);
    for (number, stone) in [112, 97, 98, 126, 113, 111, 82, 128, 127, 141, 96, 95, 110, 125].into_iter().enumerate() {
        board.place(stone, Side::BOTH[number % 2]);
    }
    let in_middle = |cell: &u8| (3..12).contains(&(cell % 15)) && (3..12).contains(&(cell / 15));
    let cells = board.empties().iter().filter(in_middle).collect();
    (board, cells)
}

/// Places and takes back a stone on every point in the middle.
fn placing(c: &mut Criterion) {
    let mut group = c.benchmark_group("renju");
    let (mut board, cells) = middle();
    group.throughput(Throughput::Elements(2 * cells.len() as u64));
    group.bench_function("place and take back", |bencher| {
        bencher.iter(|| {
            for &cell in &cells {
                for side in Side::BOTH {
                    board.place(cell, side);
                    black_box(board.hash());
                    board.take_back();
                }
            }
        });
    });
    group.finish();
}

/// The same, evaluating each position.
fn valuing(c: &mut Criterion) {
    let mut group = c.benchmark_group("renju, place, value and take back");
    let (mut board, cells) = middle();
    group.throughput(Throughput::Elements(2 * cells.len() as u64));
    let with = |kernel| NetworkEvaluation::with_kernel(Arc::clone(network::built_in().network()), kernel);
    let networks = Width::ALL
        .into_iter()
        .filter_map(Kernel::new)
        .filter_map(|kernel| Some((kernel.width().name(), Evaluation::Network(Box::new(with(kernel).ok()?)))));
    for (name, mut evaluation) in [("classic", Evaluation::Classic)].into_iter().chain(networks) {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for &cell in &cells {
                    for side in Side::BOTH {
                        board.place(cell, side);
                        black_box(evaluation.value(&mut board, side.other()));
                        board.take_back();
                    }
                }
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_secs(2));
    targets = placing, valuing
}
criterion_main!(benches);
