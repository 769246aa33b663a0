//! The champion: principal variation search with a network.

use std::time::Duration;

use agon_game::Position;
use agon_rules::bacteria::board::size;
use agon_rules::bacteria::{Bacteria, Move, PLY_LIMIT};
use agon_search::deepening::SearchResult;
use agon_search::pvs::{PvSearch, Tuning};
use agon_search::{Evaluate, Info, Task};

use super::classic::Classic;
use super::game::{BacteriaGame, filling};
use super::network::{self, NetworkEvaluation};
use crate::timed::{RootSearch, TableSize, TimedEngine};

/// A principal variation search with the evaluation given: the network that is built in, when none is named.
pub type Champion<E = NetworkEvaluation> = TimedEngine<PvSearch<BacteriaGame, E>>;

impl Default for Champion {
    fn default() -> Self {
        Self::new(network::built_in(), Tuning::default())
    }
}

impl Default for Champion<Classic> {
    fn default() -> Self {
        Self::new(Classic::default(), Tuning::default())
    }
}

impl<E: Evaluate<Bacteria>> Champion<E> {
    /// A champion with this evaluation and these parameters of the search.
    pub fn new(evaluation: E, tuning: Tuning) -> Self {
        Self::of(PvSearch::new(evaluation, tuning, 0))
    }
}

impl<E: Evaluate<Bacteria>> RootSearch for PvSearch<BacteriaGame, E> {
    type Position = Bacteria;

    /// A move takes some hundredths of the game's clock, whose nodes such a table still holds.
    const TABLES: TableSize = TableSize { most: 128 << 20, least: 1 << 20, per_second: 2 << 20, exact: true };
    const RESERVE: Duration = Duration::ZERO;
    const INSTANT_NODES: u64 = 500;

    /// What is left in games of 5 000 nodes a move, on average.
    fn moves_to_go(position: &Bacteria) -> f64 {
        let left = u32::from(PLY_LIMIT).saturating_sub(position.ply());
        let empty = f64::from(size(position.empty()));
        (6.0 + empty).min(f64::from(left.div_ceil(2))).max(1.0)
    }

    /// A division, where only filling is left: a search without time would leap to and fro to the end of the game.
    fn instant(position: &Bacteria) -> Option<Move> {
        filling(position)
    }

    fn search(
        &mut self,
        position: &Bacteria,
        task: &Task,
        listener: &mut dyn FnMut(&Info<Move>),
    ) -> Option<SearchResult<Move>> {
        self.think(position, task, listener)
    }

    fn forget(&mut self) {
        self.forget();
    }

    fn set_memory(&mut self, bytes: usize) {
        self.set_memory(bytes);
    }

    fn set_threads(&mut self, threads: usize) {
        self.set_threads(threads);
    }

    fn set_seed(&mut self, seed: u64) {
        self.set_seed(seed);
    }
}
