//! Speed of renju's rules: all forbidden points from scratch, and the moves of a game.

use std::hint::black_box;

use agon_game::seed::Stream;
use agon_game::{Position, Side};
use agon_rules::renju::{Point, Renju};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde_json::Value;

/// The positions of the tests' vectors.
fn positions() -> Vec<Renju> {
    let points = |line: &Value, key: &str| -> Vec<Point> {
        let point = |pair: &Value| Point::new(pair[0].as_u64()?, pair[1].as_u64()?);
        line[key].as_array().into_iter().flatten().filter_map(point).collect()
    };
    include_str!("../tests/data/renju/forbidden.jsonl")
        .lines()
        .map(|text| serde_json::from_str(text).expect("a line of JSON"))
        .map(|line: Value| Renju::from_stones(&points(&line, "black"), &points(&line, "white"), Side::First))
        .map(|position| position.expect("a position"))
        .collect()
}

fn benches(criterion: &mut Criterion) {
    let positions = positions();
    let mut group = criterion.benchmark_group("renju");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("forbidden points", |bench| {
        bench.iter(|| positions.iter().map(|position| black_box(position).forbidden_points().len()).sum::<usize>());
    });
    group.bench_function("wins", |bench| {
        bench.iter(|| positions.iter().map(|position| black_box(position).wins().len()).sum::<usize>());
    });
    group.throughput(Throughput::Elements(1));
    group.bench_function("random game", |bench| {
        bench.iter(|| {
            let (mut stream, mut moves, mut position) = (Stream::new(1, "bench"), Vec::new(), Renju::default());
            while position.outcome().is_none() {
                moves.clear();
                position.legal_moves(&mut moves);
                position.play_unchecked(moves[stream.below(moves.len())], &mut ());
            }
            position.ply()
        });
    });
    group.finish();
}

criterion_group! {
    name = renju;
    config = Criterion::default().sample_size(20);
    targets = benches
}
criterion_main!(renju);
