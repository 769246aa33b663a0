//! Puzzles: positions of games between weak players in which one move alone is right, as the engines prove: every other
//! one loses, or in domineering does not win.

mod domineering;
mod puzzle;
mod renju;

use std::collections::HashSet;

use agon_catalog::{Capability, Game, NameError};
use agon_game::Position as _;
use agon_game::seed::Stream;
use agon_rules::renju::Renju;
use agon_search::{SearchLimits, Stop, Task};

use puzzle::{Difficulty, PLAYER_NODES};
pub use puzzle::{Puzzle, PuzzleKind};

/// Makes puzzles of a game: the same ones for the same seed.
pub struct PuzzleMaker {
    game: Game,
    stream: Stream,
    kind: Option<PuzzleKind>,
    /// The positions of the puzzles that were made: games may come to the same one.
    seen: HashSet<String>,
}

impl PuzzleMaker {
    /// Puzzles of this game, drawn from this seed; of a game that has no puzzles there are none.
    pub fn new(game: Game, seed: u64) -> Self {
        Self { game, stream: Stream::new(seed, "puzzles"), kind: None, seen: HashSet::new() }
    }

    /// The same of one kind alone, which must be one of the game's ([`PuzzleKind::of`]).
    pub fn of_kind(self, kind: Option<PuzzleKind>) -> Self {
        Self { kind, ..self }
    }

    /// The next puzzle; `None` when the game has none, or it was stopped.
    ///
    /// # Errors
    /// [`NameError`] when there are no players for the games.
    pub fn next(&mut self, stop: &Stop) -> Result<Option<Puzzle>, NameError> {
        let kinds = PuzzleKind::of(self.game);
        if kinds.is_empty() || self.kind.is_some_and(|kind| !kinds.contains(&kind)) {
            return Ok(None);
        }
        // Most positions are for defence: half of the puzzles are of a kind that is drawn, if their games have one.
        let drawn = (self.stream.below(2) == 0).then(|| kinds[self.stream.below(kinds.len())]);
        let wanted = self.kind.or(drawn);
        while !stop.is_raised() {
            let seed = self.stream.next();
            let found = if self.game.can(Capability::Threats) {
                renju_of_a_game(seed, wanted, stop)?
            } else {
                domineering::of_a_game(seed, stop)?
            };
            let found = found.filter(|puzzle| self.kind.is_none_or(|kind| puzzle.kind == kind));
            if let Some(puzzle) = found
                && !stop.is_raised()
                && self.seen.insert(puzzle.position.clone())
            {
                return Ok(Some(puzzle));
            }
        }
        Ok(None)
    }
}

/// The first puzzle of this kind in a game of weak players, or else its first puzzle.
fn renju_of_a_game(seed: u64, wanted: Option<PuzzleKind>, stop: &Stop) -> Result<Option<Puzzle>, NameError> {
    let mut players =
        [agon_catalog::engine::<Renju>("champion:4", seed)?, agon_catalog::engine::<Renju>("champion:3", seed)?];
    let mut position = Renju::default();
    let mut spare = None;
    while position.outcome().is_none() && !stop.is_raised() {
        if let Some(found) = renju::puzzle_at(&position, stop) {
            let difficulty = Difficulty(found.difficulty(), renju::GRADES);
            let (kind, numbers) = (found.kind, (found.plies, found.nodes));
            let puzzle = Puzzle::new(Game::RENJU, kind, &position, &found.line, numbers, &difficulty);
            if wanted.is_none_or(|wanted| kind == wanted) {
                return Ok(Some(puzzle));
            }
            spare = spare.or(Some(puzzle));
        }
        let player = &mut players[position.turn().index()];
        let Some(m) = player.best_move(&position, &Task::from(SearchLimits::nodes(PLAYER_NODES))) else { break };
        position.play_unchecked(m, &mut ());
    }
    Ok(spare)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use agon_engines::domineering::Solver;
    use agon_engines::renju::{PatternBoard, Threats};
    use agon_game::{Outcome, Show as _};
    use agon_proof::threat_win;
    use agon_proof::verifier::exhaustive;
    use agon_rules::domineering::Domineering;
    use agon_rules::renju::Move;

    use super::*;

    fn first(game: Game, seed: u64) -> Puzzle {
        PuzzleMaker::new(game, seed).next(&Stop::default()).unwrap().unwrap()
    }

    /// The move with which the side to move wins by threats, found with much larger bounds than those of the puzzles.
    fn attack(threats: &mut Threats, position: &Renju) -> Option<Move> {
        threat_win::winning_move(threats, position, SearchLimits::nodes(50_000))
    }

    /// Whether the side to move wins, by the rules alone: every answer to every move of the attack is tried.
    fn is_won(position: &Renju, first: Option<Move>) -> bool {
        if let Some(outcome) = position.outcome() {
            return outcome == Outcome::Win(position.turn());
        }
        let mut threats = Threats::new(16 << 20);
        let verified = exhaustive::verify(position, 2_000_000, &mut |at| {
            first.filter(|_| at == position).or_else(|| attack(&mut threats, at))
        });
        verified.is_ok()
    }

    fn after(position: &Renju, m: Move) -> Renju {
        let mut next = position.clone();
        next.play_unchecked(m, &mut ());
        next
    }

    /// Proves a puzzle of renju a second time, in another way.
    fn prove(puzzle: &Puzzle) {
        let position: Renju = puzzle.position.parse().unwrap();
        let only = position.read_move(&puzzle.solution[0]).unwrap();
        let mut all = Vec::new();
        position.legal_moves(&mut all);
        for m in all.into_iter().filter(|&m| m != only) {
            assert!(is_won(&after(&position, m), None), "{} does not lose: {puzzle:?}", m.letters());
        }
        if puzzle.kind == PuzzleKind::Defence {
            let mut threats = Threats::new(16 << 20);
            let next = after(&position, only);
            let mut board = PatternBoard::new(next.board());
            let found = threats.wins(&mut board, next.turn(), SearchLimits::nodes(50_000));
            assert_ne!(found, Ok(Some(true)), "it does not hold: {puzzle:?}");
            return;
        }
        assert!(is_won(&position, Some(only)), "it does not win: {puzzle:?}");
        // The line leads to the win.
        let mut end = position.clone();
        for text in &puzzle.solution {
            let m = end.read_move(text).unwrap();
            end.play_unchecked(m, &mut ());
        }
        assert_eq!(end.outcome(), Some(Outcome::Win(position.turn())), "{puzzle:?}");
        assert_eq!(puzzle.plies, puzzle.solution.len());
    }

    /// As many as ten seconds allow; 500 with `AGON_SLOW`.
    #[test]
    fn no_puzzle_of_renju_is_refuted() {
        let slow = std::env::var_os("AGON_SLOW").is_some();
        let begun = Instant::now();
        let mut maker = PuzzleMaker::new(Game::RENJU, 7);
        let (mut turns, mut count) = ([0; 2], 0);
        while count < 500 && (slow || begun.elapsed() < Duration::from_secs(10)) {
            let puzzle = maker.next(&Stop::default()).unwrap().unwrap();
            prove(&puzzle);
            turns[puzzle.turn] += 1;
            count += 1;
        }
        assert!(!slow || turns.iter().all(|&turn| turn > 100), "{turns:?}");
    }

    #[test]
    fn the_seed_and_the_kind_decide() {
        let puzzle = first(Game::RENJU, 5);
        assert_eq!(puzzle, first(Game::RENJU, 5));
        let seat = Renju::SEATS[puzzle.turn];
        assert!(puzzle.text.starts_with(&format!("{seat} to move")) && (1..=5).contains(&puzzle.grade), "{puzzle:?}");
        let defence = PuzzleMaker::new(Game::RENJU, 5).of_kind(Some(PuzzleKind::Defence)).next(&Stop::default());
        assert_eq!(defence.unwrap().unwrap().kind, PuzzleKind::Defence);
        let none = PuzzleMaker::new(Game::RENJU, 5).of_kind(Some(PuzzleKind::Exact)).next(&Stop::default());
        assert_eq!(none, Ok(None));
        assert_eq!(PuzzleMaker::new(Game::PETRI, 1).next(&Stop::default()), Ok(None));
    }

    #[test]
    fn one_domino_alone_wins() {
        let puzzle = first(Game::DOMINEERING, 1);
        assert_eq!(puzzle, first(Game::DOMINEERING, 1));
        let position: Domineering = puzzle.position.parse().unwrap();
        let mut solver = Solver::new(position.board(), 8 << 20);
        let mut winning = Vec::new();
        for (m, next) in position.successors() {
            if solver.outcome(&next, SearchLimits::default()).unwrap() == Outcome::Win(position.turn()) {
                winning.push(m.to_string());
            }
        }
        assert_eq!(winning, puzzle.solution);
        assert!(position.places(position.turn()).count_ones() >= 6);
    }
}
