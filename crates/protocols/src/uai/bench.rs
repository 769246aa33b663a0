//! `bench`: the positions of `agon lab bench bacteria`, searched by the current engine.

use std::time::{Duration, Instant};

use agon_engines::bacteria::bench::POSITIONS;
use agon_rules::bacteria::Bacteria;
use agon_search::{Engine, SearchLimits, Stop, Task};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// Nodes of all positions, as the engine reported them last for each.
    pub nodes: u64,
    pub time: Duration,
}

/// Makes an engine search all positions, each as if in a new game, until it is stopped. `report` receives the number of
/// each position, from 1, and its nodes.
pub fn run(engine: &mut dyn Engine<Bacteria>, depth: u32, stop: &Stop, mut report: impl FnMut(usize, u64)) -> Count {
    let limits = SearchLimits { depth: Some(depth), ..SearchLimits::default() };
    let task = Task { limits, stop: stop.clone(), ..Task::default() };
    let start = Instant::now();
    let mut total = 0;
    for (number, position) in (1..).zip(POSITIONS.iter().filter_map(|fen| fen.parse::<Bacteria>().ok())) {
        if stop.is_raised() {
            break;
        }
        engine.new_game();
        let mut nodes = 0;
        engine.search(&position, &task, &mut |info| nodes = info.nodes);
        report(number, nodes);
        total += nodes;
    }
    engine.new_game();
    Count { nodes: total, time: start.elapsed() }
}
