//! Actions applied per second, from a recorded game.

use std::hint::black_box;

use agon_rules::petri::{Action, Dish, DishSetup, Rules, Species};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use serde_json::Value;

const GAMES: &str = include_str!("../tests/data/petri/games.jsonl");

/// The start of the recorded game with the most actions on a dish of this size, and the actions.
fn longest(width: u64, height: u64) -> (Dish, Vec<Action>) {
    let games = GAMES.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let game = games
        .filter(|game| game["width"] == width && game["height"] == height)
        .max_by_key(|game| game["actions"].as_array().map(Vec::len))
        .expect("a game of that size");
    let species = [0, 1].map(|seat| {
        let points = [0, 1, 2].map(|point| game["species"][seat][point].as_u64().expect("a number") as u8);
        Species::new(points[0], points[1], points[2]).expect("twelve points")
    });
    let setup =
        DishSetup { width: width as usize, height: height as usize, turns: 150, species, rules: Rules::Contest };
    let actions = game["actions"].as_array().expect("a list").iter();
    let read = |action: &Value| Action::read(action[1].as_str().expect("an output").as_bytes());
    (Dish::new(&setup).expect("a playable dish"), actions.map(|action| read(action).unwrap_or(Action::Rest)).collect())
}

fn actions(c: &mut Criterion) {
    let mut group = c.benchmark_group("petri");
    for (width, height) in [(10, 4), (20, 20)] {
        let (start, actions) = longest(width, height);
        group.throughput(Throughput::Elements(actions.len() as u64));
        group.bench_function(format!("actions {width}x{height}"), |bencher| {
            bencher.iter_batched_ref(
                || start.clone(),
                |dish| {
                    for &action in &actions {
                        black_box(dish.act(action));
                    }
                    assert!(dish.outcome().is_some(), "the whole game was played");
                },
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_secs(3));
    targets = actions
}
criterion_main!(benches);
