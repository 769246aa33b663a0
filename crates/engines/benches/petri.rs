//! Whole games within the process, decisions included: cell decisions per second.

use agon_engines::petri::{Match, play};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn games(c: &mut Criterion) {
    let mut group = c.benchmark_group("petri");
    // Decisions of the champion take longest in the thick of a fight between equals.
    for [first, second] in [
        ["coordinated", "evolution"],
        ["evolution", "coordinated"],
        ["amoeba", "midground"],
        ["champion", "coordinated"],
        ["champion", "champion"],
    ] {
        let programs = [first, second].map(|name| agon_catalog::petri::program(name).expect("a species"));
        let setup = Match { width: 20, height: 20, ..Match::contest(programs) }.setup();
        let decisions = play(&setup, programs, 1).expect("a playable dish").actions;
        group.throughput(Throughput::Elements(decisions));
        group.bench_function(format!("{first} against {second} 20x20"), |bencher| {
            bencher.iter(|| play(&setup, programs, 1).expect("a playable dish"));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_secs(3));
    targets = games
}
criterion_main!(benches);
