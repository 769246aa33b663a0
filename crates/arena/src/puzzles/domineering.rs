//! Puzzles of domineering: one domino alone wins, as perfect play proves.

use agon_catalog::{Game, NameError};
use agon_engines::domineering::{Goal, Solver};
use agon_game::{Outcome, Position as _};
use agon_rules::domineering::{Bonus, Domineering, WeightedBoard};
use agon_search::{SearchLimits, Stop, Task};

use super::puzzle::{Difficulty, PLAYER_NODES, Puzzle, PuzzleKind};

/// Memory of the tables of the proofs, in bytes.
const TABLE_BYTES: usize = 8 << 20;

/// Nodes of one proof; a position that needs more is no puzzle.
const NODES: u64 = 100_000;

/// Dominoes among which the only winning one is to be found, at least.
const CHOICES: usize = 6;

/// From this ply on positions are tried: before it a game of domineering takes long to prove.
const FIRST_PLY: u32 = 12;

/// Up to how many nodes the proof of a puzzle of each grade takes.
const GRADES: [u64; 4] = [0, 4, 15, 50];

/// The first position of a game of weak players in which one domino alone wins, among several.
pub(super) fn of_a_game(seed: u64, stop: &Stop) -> Result<Option<Puzzle>, NameError> {
    let mut players = [
        agon_catalog::engine::<Domineering>("champion:4", seed)?,
        agon_catalog::engine::<Domineering>("champion:3", seed)?,
    ];
    let Ok(board) = WeightedBoard::drawn(8, 8, 3, seed) else { return Ok(None) };
    let mut solver = Solver::new(&board, TABLE_BYTES);
    solver.stop_by(stop.clone());
    let mut position = Domineering::new(board, Bonus::default());
    while position.outcome().is_none() && !stop.is_raised() {
        let side = position.turn();
        if position.ply() >= FIRST_PLY && position.places(side).count_ones() as usize >= CHOICES {
            let solved = solver.solve(&position, Goal::Win, SearchLimits::nodes(NODES));
            if let Ok(solution) = solved
                && solution.outcome == Outcome::Win(side)
                && let [only] = solution.best[..]
                && only.anchor().is_some()
            {
                let mut fresh = Solver::new(position.board(), TABLE_BYTES);
                let nodes =
                    fresh.solve(&position, Goal::Win, SearchLimits::nodes(NODES)).map_or(NODES, |_| fresh.nodes());
                let (kind, difficulty) = (PuzzleKind::Exact, Difficulty(nodes, GRADES));
                return Ok(Some(Puzzle::new(Game::DOMINEERING, kind, &position, &[only], (1, nodes), &difficulty)));
            }
        }
        let player = &mut players[side.index()];
        let Some(m) = player.best_move(&position, &Task::from(SearchLimits::nodes(PLAYER_NODES))) else { break };
        position.play_unchecked(m, &mut ());
    }
    Ok(None)
}
