//! The incremental board: stones placed and taken back a second.

use std::hint::black_box;

use agon_engines::renju::Board;
use agon_game::Side;
use agon_rules::renju as rules;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// A game of thirty stones around the centre; in it every point of the middle is placed and taken back.
fn placing(c: &mut Criterion) {
    let mut group = c.benchmark_group("renju");
    let mut board = Board::new(&rules::Board::EMPTY);
    for (number, stone) in [112, 97, 98, 126, 113, 111, 82, 128, 127, 141, 96, 95, 110, 125].into_iter().enumerate() {
        board.place(stone, Side::BOTH[number % 2]);
    }
    let cells: Vec<u8> = board
        .empties()
        .iter()
        .filter(|cell| (3..12).contains(&(cell % 15)) && (3..12).contains(&(cell / 15)))
        .collect();
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

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_secs(2));
    targets = placing
}
criterion_main!(benches);
