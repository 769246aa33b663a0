//! `bench`: the same work on every machine, to compare speeds, and searches by their count of nodes.

use std::time::{Duration, Instant};

use agon_rules::bacteria::Bacteria;
use agon_search::{Analyst, Limits, Stop, Task};

/// How deep each position is searched when nothing else is said, in plies.
pub const DEPTH: u32 = 8;

/// The positions, from the start of a game to its end.
pub const POSITIONS: [&str; 8] = [
    "x5o/7/7/7/7/7/o5x x 0 1",
    "x5o/5oo/4o1o/7/7/1xx4/oxx3x x 0 5",
    "x4oo/4ooo/3oo2/1x5/1xx4/xxxx2o/xxx2ox x 0 9",
    "xx2ooo/xxo1ooo/1xo1o2/1xxo3/1xxx3/xxxx1oo/xxx2oo o 0 14",
    "1xxoooo/xxxoooo/xxxo2o/1xx4/1xx1oo1/xxxooox/xxoooxx x 0 17",
    "xxxxooo/xxxxxoo/xxxxoo1/xooox2/oooox2/ooooxxx/oooo1xx o 0 22",
    "oooxxx1/oooxxxx/ooooxxx/xxoooxx/xxxoo1x/xxxoo1x/xxx1oox x 0 24",
    "xxxxxxx/xoooxxx/xoooox1/xooooox/xxooooo/xxxoooo/xxxx1oo o 0 25",
];

/// What a bench came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// Nodes of all positions, as the engine told them last of each.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

/// Has an engine search all positions, each as if of another game, until it is stopped. `tell` hears the number of each
/// position, from 1, and its nodes.
pub fn run(analyst: &mut dyn Analyst<Bacteria>, depth: u32, stop: &Stop, mut tell: impl FnMut(usize, u64)) -> Count {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let task = Task { limits, stop: stop.clone(), ..Task::default() };
    let start = Instant::now();
    let mut total = 0;
    for (number, position) in (1..).zip(POSITIONS.iter().filter_map(|fen| fen.parse::<Bacteria>().ok())) {
        if stop.is_raised() {
            break;
        }
        analyst.forget();
        let mut nodes = 0;
        analyst.analyze(&position, &task, &mut |info| nodes = info.nodes);
        tell(number, nodes);
        total += nodes;
    }
    analyst.forget();
    Count { nodes: total, time: start.elapsed() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_game::Position;

    #[test]
    fn every_position_is_one_to_think_about() {
        for fen in POSITIONS {
            let position: Bacteria = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(position.to_string(), fen);
            assert!(position.count_moves() > 1, "{fen}");
        }
    }
}
