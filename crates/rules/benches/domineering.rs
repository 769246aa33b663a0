//! Speed of domineering's rules: lines counted, positions played.
#![allow(missing_docs, reason = "criterion's macros write undocumented functions")]

use std::hint::black_box;

use agon_game::Position;
use agon_game::seed::Stream;
use agon_rules::domineering::{Bonus, Domineering, WeightedBoard};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn start() -> Domineering {
    Domineering::new(WeightedBoard::drawn(8, 8, 3, 1).expect("a board"), Bonus::default())
}

/// Plays one random game to the end, hashing each position; returns the number of plies.
fn game(start: &Domineering, stream: &mut Stream) -> u32 {
    let mut position = *start;
    let mut moves = Vec::with_capacity(64);
    loop {
        moves.clear();
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            return position.ply();
        }
        position.play_unchecked(moves[stream.below(moves.len())], &mut ());
        black_box(position.hash());
    }
}

fn domineering(criterion: &mut Criterion) {
    let position = start();
    let mut group = criterion.benchmark_group("domineering");
    group.sample_size(20).throughput(Throughput::Elements(position.perft(4)));
    group.bench_function("perft 4", |bencher| bencher.iter(|| black_box(&position).perft(4)));
    // The same count by listing, copying and playing moves, as a search does. Only the last ply is counted in bulk.
    group.bench_function("perft 4 by playing", |bencher| bencher.iter(|| black_box(&position).plain_perft(4)));
    group.throughput(Throughput::Elements(1));
    group.bench_function("random game", |bencher| {
        let mut stream = Stream::new(1, "games");
        bencher.iter(|| game(&position, &mut stream));
    });
    group.finish();
}

criterion_group!(benches, domineering);
criterion_main!(benches);
