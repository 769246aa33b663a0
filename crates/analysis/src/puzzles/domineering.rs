//! Puzzles of domineering: one domino alone wins, as perfect play proves.

use agon_catalog::{Game, NameError};
use agon_engines::domineering::{Goal, Solver};
use agon_game::{Outcome, Position as _};
use agon_rules::domineering::{Bonus, Domineering, WeightedBoard};
use agon_search::{SearchLimits, Stop, Task};

use super::puzzle::{PLAYER_NODES, Puzzle, PuzzleKind};

/// Memory of the tables of the proofs, in bytes.
const TABLE_BYTES: usize = 8 << 20;

/// Maximum nodes for a proof; positions that need more are not puzzles.
const NODES: u64 = 100_000;

/// The least number of dominoes among which the only winning one must be found.
const CHOICES: usize = 6;

/// From this ply on positions are tried: before it a game of domineering takes long to prove.
const FIRST_PLY: u32 = 12;

/// The puzzle of a position, if it is one: one domino alone wins, among several.
pub(super) fn puzzle_at(position: &Domineering, stop: &Stop) -> Option<Puzzle> {
    let mut solver = Solver::new(position.board(), TABLE_BYTES);
    solver.stop_by(stop.clone());
    found(&mut solver, position)
}

/// The same with a solver of its board, which may already have results.
fn found(solver: &mut Solver, position: &Domineering) -> Option<Puzzle> {
    let side = position.turn();
    if position.ply() < FIRST_PLY || (position.places(side).count_ones() as usize) < CHOICES {
        return None;
    }
    let solution = solver.solve(position, Goal::Win, SearchLimits::nodes(NODES)).ok()?;
    let [only] = solution.best[..] else { return None };
    if solution.outcome != Outcome::Win(side) || only.anchor().is_none() {
        return None;
    }
    let mut fresh = Solver::new(position.board(), TABLE_BYTES);
    let nodes = fresh.solve(position, Goal::Win, SearchLimits::nodes(NODES)).map_or(NODES, |_| fresh.nodes());
    Some(Puzzle::new(Game::DOMINEERING, PuzzleKind::Exact, position, &[only], (1, nodes, nodes)))
}

/// Returns the first position of a game between weak players in which only one of several dominoes wins.
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
        if let Some(puzzle) = found(&mut solver, &position) {
            return Ok(Some(puzzle));
        }
        let player = &mut players[position.turn().index()];
        let Some(m) = player.best_move(&position, &Task::from(SearchLimits::nodes(PLAYER_NODES))) else { break };
        position.play_unchecked(m, &mut ());
    }
    Ok(None)
}
