//! Speed of the rules of Bacteria War: counting lines of play, listing moves, playing them on copies.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]

use std::hint::black_box;

use agon_game::Position;
use agon_game::seed::Stream;
use agon_rules::bacteria::{Bacteria, Move};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Every position of 100 random games, with the move played there.
fn games() -> Vec<(Bacteria, Move)> {
    let mut played = Vec::new();
    let mut moves = Vec::new();
    for seed in 0..100 {
        let mut stream = Stream::new(seed, "bench");
        let mut position = Bacteria::start();
        while position.outcome().is_none() {
            moves.clear();
            position.legal_moves(&mut moves);
            let m = moves[stream.below(moves.len())];
            played.push((position.clone(), m));
            position.play_unchecked(m, &mut ());
        }
    }
    played
}

fn bacteria(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("bacteria");

    let start = Bacteria::start();
    group.sample_size(10).throughput(Throughput::Elements(start.perft(6)));
    group.bench_function("perft 6", |bencher| bencher.iter(|| black_box(&start).perft(6)));
    group.throughput(Throughput::Elements(start.perft(7)));
    group.bench_function("perft 7", |bencher| bencher.iter(|| black_box(&start).perft(7)));

    let played = games();
    group.sample_size(50).throughput(Throughput::Elements(played.len() as u64));
    group.bench_function("plies", |bencher| {
        bencher.iter(|| {
            for (position, m) in &played {
                let mut next = position.clone();
                next.play_unchecked(*m, &mut ());
                black_box(next);
            }
        });
    });

    let mut moves = Vec::with_capacity(512);
    let listed: u64 = played.iter().map(|(position, _)| position.count_moves()).sum();
    group.throughput(Throughput::Elements(listed));
    group.bench_function("legal moves", |bencher| {
        bencher.iter(|| {
            for (position, _) in &played {
                moves.clear();
                position.legal_moves(&mut moves);
                black_box(&moves);
            }
        });
    });
    group.finish();
}

criterion_group!(benches, bacteria);
criterion_main!(benches);
