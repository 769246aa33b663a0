//! Puzzles of Bacteria War: races for the last cells, in which only one move wins, as [`Ending`] proves.

use agon_catalog::{Game, NameError};
use agon_engines::bacteria::{Ending, Margin};
use agon_game::Position as _;
use agon_rules::bacteria::{Bacteria, Move};
use agon_search::{SearchLimits, Stop, Task};

use super::puzzle::{PLAYER_NODES, Puzzle, PuzzleKind};

/// Memory of the table of a proof, in bytes.
const TABLE_BYTES: usize = 8 << 20;

/// Empty cells of a puzzle.
const EMPTY: std::ops::RangeInclusive<u32> = 3..=8;

/// The least number of moves among which the only winning one must be found.
const CHOICES: usize = 6;

/// Range of the length of the shortest line, in plies.
const PLIES: std::ops::RangeInclusive<usize> = 3..=40;

/// Maximum number of plies before a puzzle: nothing is proved near the end of the longest game.
const MAX_PLY: u32 = 200;

/// Maximum nodes for the proof of one move; positions that need more are not puzzles.
const NODES: u64 = 30_000;

/// Nodes that usually suffice to decide the winner after a move.
const QUICK_NODES: u64 = 2_000;

/// The proofs of the positions of a puzzle.
pub(super) struct Races {
    ending: Ending,
    stop: Stop,
    pub(super) nodes: u64,
}

impl Races {
    pub(super) fn new(stop: &Stop) -> Self {
        Self { ending: Ending::new(TABLE_BYTES), stop: stop.clone(), nodes: 0 }
    }

    /// Returns the proved final margin for the side to move.
    pub(super) fn margin(&mut self, position: &Bacteria, nodes: u64) -> Margin {
        let margin = self.ending.prove(position, SearchLimits::nodes(nodes), &self.stop);
        self.nodes += self.ending.nodes();
        margin
    }

    /// Returns whether the move that led here wins; `None` if undecided.
    pub(super) fn is_won(&mut self, next: &Bacteria, nodes: u64) -> Option<bool> {
        if let Some(outcome) = next.outcome() {
            return Some(outcome.winner() == Some(next.turn().other()));
        }
        loses(&self.margin(next, nodes))
    }

    /// The line of a win to the end of the game, with the answers that lose least.
    fn line(&mut self, position: &Bacteria, first: Move) -> Option<Vec<Move>> {
        let (mut line, mut at) = (vec![first], after(position, first));
        while at.outcome().is_none() {
            let m = self.margin(&at, 10 * NODES).best?;
            line.push(m);
            at.play_unchecked(m, &mut ());
            if line.len() > *PLIES.end() {
                return None;
            }
        }
        let wins = at.outcome().and_then(agon_game::Outcome::winner) == Some(position.turn());
        (wins && PLIES.contains(&line.len())).then_some(line)
    }
}

/// Returns whether the side to move loses; `None` if undecided.
pub(super) fn loses(margin: &Margin) -> Option<bool> {
    if margin.high < 0 {
        return Some(true);
    }
    (margin.low >= 0).then_some(false)
}

pub(super) fn after(position: &Bacteria, m: Move) -> Bacteria {
    let mut next = position.clone();
    next.play_unchecked(m, &mut ());
    next
}

/// Returns true if one of these moves may be the only winning one. Quickly decided moves come first: two winning moves
/// make no puzzle, nor does a position with an undecided move.
fn may_be_puzzle(successors: &[(Move, Bacteria)], stop: &Stop) -> bool {
    let mut races = Races::new(stop);
    let mut open: Vec<&Bacteria> = successors.iter().map(|(_, next)| next).collect();
    let mut won = 0;
    for nodes in [QUICK_NODES, NODES] {
        for next in std::mem::take(&mut open) {
            match races.is_won(next, nodes) {
                // An immediate win makes no puzzle.
                Some(true) => won += if next.outcome().is_some() { 2 } else { 1 },
                Some(false) => {}
                None if nodes == NODES => return false,
                None => open.push(next),
            }
            if won > 1 {
                return false;
            }
        }
    }
    won == 1
}

/// The only move of the side to move that wins, with its line, if all others are proved not to win.
fn only_win(position: &Bacteria, stop: &Stop) -> Option<(Vec<Move>, u64)> {
    let successors = position.successors();
    if successors.len() < CHOICES || !may_be_puzzle(&successors, stop) {
        return None;
    }
    let mut races = Races::new(stop);
    let mut only = None;
    for (m, next) in successors {
        let ended = next.outcome().is_some();
        // An immediate win makes no puzzle, nor do two winning moves.
        if races.is_won(&next, NODES)? && (ended || only.replace(m).is_some()) {
            return None;
        }
    }
    let nodes = races.nodes;
    Some((races.line(position, only?)?, nodes))
}

/// The puzzle of a position, if it is one.
pub(super) fn puzzle_at(position: &Bacteria, stop: &Stop) -> Option<Puzzle> {
    let fits = EMPTY.contains(&position.empty().count_ones()) && position.ply() <= MAX_PLY;
    if position.outcome().is_some() || !fits {
        return None;
    }
    let (line, nodes) = only_win(position, stop)?;
    let numbers = (line.len(), nodes, difficulty(line.len(), nodes));
    Some(Puzzle::new(Game::BACTERIA, PuzzleKind::Race, position, &line, numbers))
}

/// Returns the first position of a game between weak players in which only one move wins.
pub(super) fn of_a_game(seed: u64, stop: &Stop) -> Result<Option<Puzzle>, NameError> {
    let mut players =
        [agon_catalog::engine::<Bacteria>("champion:4", seed)?, agon_catalog::engine::<Bacteria>("champion:3", seed)?];
    let mut position = Bacteria::start();
    while position.outcome().is_none() && !stop.is_raised() {
        if let Some(puzzle) = puzzle_at(&position, stop) {
            return Ok(Some(puzzle));
        }
        let player = &mut players[position.turn().index()];
        let Some(m) = player.best_move(&position, &Task::from(SearchLimits::nodes(PLAYER_NODES))) else { break };
        position.play_unchecked(m, &mut ());
    }
    Ok(None)
}

/// Returns the difficulty of a race: the logarithm of its proof's nodes, and the solver's moves in the win.
fn difficulty(plies: usize, nodes: u64) -> u64 {
    u64::from((nodes + 1).ilog2()) + plies as u64 / 2
}
