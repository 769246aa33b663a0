//! Puzzles: positions of games between weak players in which one move alone wins, as the engines prove.

use agon_catalog::{Capability, Game, NameError};
use agon_engines::domineering::{Goal, Solver};
use agon_engines::renju::{Fours, PatternBoard};
use agon_game::seed::Stream;
use agon_game::{Outcome, Position, Show, View};
use agon_proof::verifier::check_fours;
use agon_rules::domineering::{Bonus, Domineering, WeightedBoard};
use agon_rules::renju::{Move, Point, Renju};
use agon_search::{SearchLimits, Stop, Task};
use serde::{Deserialize, Serialize};

/// Memory of the tables of the proofs, in bytes.
const TABLE_BYTES: usize = 8 << 20;

/// Nodes of one proof; a position that needs more is no puzzle.
const NODES: u64 = 100_000;

/// Moves of the shortest win by fours that is asked for: three fours or more, with their answers.
const MIN_WIN_PLIES: usize = 5;

/// Dominoes among which the only winning one is to be found, at least.
const CHOICES: usize = 6;

/// From this ply on positions are tried: before it a game of domineering takes long to prove.
const FIRST_PLY: u32 = 12;

/// Up to how many nodes a puzzle of a game has each grade; harder ones have the last, 5. They part the puzzles that are
/// made into fifths, as nearly as numbers so small can: see docs/board.md.
fn grades(game: Game) -> [u64; 4] {
    if game.can(Capability::Threats) { [3, 4, 5, 9] } else { [0, 4, 15, 50] }
}

/// A position in which one move alone wins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Puzzle {
    /// The name of the game.
    pub game: String,
    /// What is to be found.
    pub text: String,
    /// The position in the game's own notation.
    pub position: String,
    /// Who is to move: 0 or 1.
    pub turn: usize,
    /// The only winning move; of a win by fours the line to its end, the answers included. As the judge writes them.
    pub solution: Vec<String>,
    /// The same as people write it.
    pub letters: Vec<String>,
    /// How many nodes the proof takes with empty tables: that the move wins, and that no other one does.
    pub nodes: u64,
    /// How hard it is, from 1 to 5, by the nodes.
    pub grade: usize,
}

impl Puzzle {
    fn of<P: Show>(game: Game, text: &str, position: &P, line: &[P::Move], nodes: u64) -> Self {
        let turn = position.turn().index();
        Self {
            game: game.name().to_owned(),
            text: format!("{} {text}", P::SEATS[turn]),
            position: position.to_string(),
            turn,
            solution: line.iter().map(ToString::to_string).collect(),
            letters: line.iter().map(|&m| P::letters(m)).collect(),
            nodes,
            grade: 1 + grades(game).iter().filter(|&&most| nodes > most).count(),
        }
    }

    /// The board to be drawn.
    pub fn view(&self) -> Option<View> {
        Game::by_name(&self.game)?.state_at(&self.position).ok().map(|state| state.view())
    }
}

/// Makes puzzles of a game: the same ones for the same seed.
pub struct PuzzleMaker {
    game: Game,
    stream: Stream,
}

impl PuzzleMaker {
    /// Puzzles of this game, drawn from this seed; of a game that has no puzzles there are none.
    pub fn new(game: Game, seed: u64) -> Self {
        Self { game, stream: Stream::new(seed, "puzzles") }
    }

    /// The next puzzle; `None` when the game has none, or it was stopped.
    ///
    /// # Errors
    /// [`NameError`] when there are no players for the games.
    pub fn next(&mut self, stop: &Stop) -> Result<Option<Puzzle>, NameError> {
        while !stop.is_raised() {
            let seed = self.stream.next();
            let found = if self.game.can(Capability::Threats) {
                fours_of_a_game(seed, stop)?
            } else if self.game.can(Capability::Solving) {
                domino_of_a_game(seed, stop)?
            } else {
                return Ok(None);
            };
            if found.is_some() && !stop.is_raised() {
                return Ok(found);
            }
        }
        Ok(None)
    }
}

/// The first win by fours in a game of weak players that begins with one move alone.
fn fours_of_a_game(seed: u64, stop: &Stop) -> Result<Option<Puzzle>, NameError> {
    let mut players =
        [agon_catalog::engine::<Renju>("champion:4", seed)?, agon_catalog::engine::<Renju>("champion:3", seed)?];
    let mut fours = Fours::new(TABLE_BYTES);
    let mut position = Renju::default();
    while position.outcome().is_none() && !stop.is_raised() {
        if only_fours(&mut fours, &position).is_some()
            && let Some((line, nodes)) = only_fours(&mut Fours::new(TABLE_BYTES), &position)
        {
            return Ok(Some(Puzzle::of(Game::RENJU, "to move and win by fours", &position, &line, nodes)));
        }
        let player = &mut players[position.turn().index()];
        let Some(m) = player.best_move(&position, &Task::from(SearchLimits::nodes(NODES))) else { break };
        position.play_unchecked(m, &mut ());
    }
    Ok(None)
}

/// A win by fours of the side to move and the nodes of its proof, if its first move is the only one that wins so.
fn only_fours(fours: &mut Fours, position: &Renju) -> Option<(Vec<Move>, u64)> {
    let (side, limits) = (position.turn(), SearchLimits::nodes(NODES));
    if position.passes() > 0 || fours.wins(&mut PatternBoard::new(position.board()), side, limits) != Ok(true) {
        return None;
    }
    let mut nodes = fours.nodes();
    let line: Vec<Move> = fours.line().map(stone).collect();
    if line.len() < MIN_WIN_PLIES || check_fours(position, &line).is_err() {
        return None;
    }
    let mut others = position.stone_moves().map(Move::Stone).filter(|m| Some(m) != line.first());
    others.all(|m| !wins_by_four(fours, position, m, &mut nodes)).then_some((line, nodes))
}

fn stone(cell: u8) -> Move {
    Point::from_index(cell.into()).map_or(Move::Pass, Move::Stone)
}

/// Whether a stone wins at once or makes a four with which a win by fours begins. What is not decided in time counts as
/// a win. Adds the nodes of the search.
fn wins_by_four(fours: &mut Fours, position: &Renju, m: Move, nodes: &mut u64) -> bool {
    let side = position.turn();
    let after = |position: &Renju, m: Move| {
        let mut next = position.clone();
        next.play_unchecked(m, &mut ());
        next
    };
    let next = after(position, m);
    if next.outcome() == Some(Outcome::Win(side)) {
        return true;
    }
    // Whoever can make a five need not answer a four.
    if !next.wins().is_empty() {
        return false;
    }
    let fives: Vec<Point> = after(&next, Move::Pass).wins().iter().collect();
    match fives[..] {
        [] => false,
        [five] if next.check(Move::Stone(five)).is_ok() => {
            let answered = after(&next, Move::Stone(five));
            let limits = SearchLimits::nodes(NODES);
            let wins = fours.wins(&mut PatternBoard::new(answered.board()), side, limits) != Ok(false);
            *nodes += fours.nodes();
            wins
        }
        // Two fives cannot both be stopped, nor one on a forbidden point.
        _ => true,
    }
}

/// The first position of a game of weak players in which one domino alone wins, among several.
fn domino_of_a_game(seed: u64, stop: &Stop) -> Result<Option<Puzzle>, NameError> {
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
                let text = "to move: find the only winning domino";
                return Ok(Some(Puzzle::of(Game::DOMINEERING, text, &position, &[only], nodes)));
            }
        }
        let player = &mut players[side.index()];
        let Some(m) = player.best_move(&position, &Task::from(SearchLimits::nodes(NODES))) else { break };
        position.play_unchecked(m, &mut ());
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(game: Game, seed: u64) -> Puzzle {
        PuzzleMaker::new(game, seed).next(&Stop::default()).unwrap().unwrap()
    }

    #[test]
    fn a_win_by_fours_has_one_first_move() {
        let puzzle = first(Game::RENJU, 1);
        assert_eq!(puzzle, first(Game::RENJU, 1), "the seed decides");
        let position: Renju = puzzle.position.parse().unwrap();
        let seat = Renju::SEATS[puzzle.turn];
        assert_eq!(puzzle.text, format!("{seat} to move and win by fours"));
        // The line leads to a win, and each of its stones makes a four whose answer is forced.
        let mut end = position.clone();
        for (at, text) in puzzle.solution.iter().enumerate() {
            assert_eq!(end.outcome(), None);
            let m = end.read_move(text).unwrap();
            assert_eq!(Renju::letters(m), puzzle.letters[at]);
            end.play_unchecked(m, &mut ());
        }
        assert_eq!(end.outcome(), Some(Outcome::Win(position.turn())));
        // By the other proof: after any other stone there is no win by fours any more.
        let only = position.read_move(&puzzle.solution[0]).unwrap();
        let mut fours = Fours::new(TABLE_BYTES);
        let winning: Vec<Move> = position
            .stone_moves()
            .map(Move::Stone)
            .filter(|&m| wins_by_four(&mut fours, &position, m, &mut 0))
            .collect();
        assert_eq!(winning, [only]);
    }

    #[test]
    fn one_domino_alone_wins() {
        let puzzle = first(Game::DOMINEERING, 1);
        assert_eq!(puzzle, first(Game::DOMINEERING, 1));
        let position: Domineering = puzzle.position.parse().unwrap();
        let mut solver = Solver::new(position.board(), TABLE_BYTES);
        let mut winning = Vec::new();
        for (m, next) in position.successors() {
            if solver.outcome(&next, SearchLimits::default()).unwrap() == Outcome::Win(position.turn()) {
                winning.push(m.to_string());
            }
        }
        assert_eq!(winning, puzzle.solution);
        assert!(position.places(position.turn()).count_ones() as usize >= CHOICES);
    }

    #[test]
    fn grades_go_by_nodes() {
        let position = Renju::default();
        let grade = |game, nodes| Puzzle::of(game, "", &position, &[], nodes).grade;
        assert_eq!([2, 3, 4, 5, 9, 10].map(|nodes| grade(Game::RENJU, nodes)), [1, 1, 2, 3, 4, 5]);
        assert_eq!([0, 1, 4, 15, 50, 51].map(|nodes| grade(Game::DOMINEERING, nodes)), [1, 2, 2, 3, 4, 5]);
        assert_eq!(PuzzleMaker::new(Game::PETRI, 1).next(&Stop::default()), Ok(None));
    }
}
