//! Puzzles: positions from games between weak players in which only one move is correct, as the engines prove: every
//! other one loses or, in domineering and Bacteria War, does not win. Some come with the program: [`PuzzleSet`].

mod answer;
mod bacteria;
mod domineering;
mod puzzle;
mod renju;
mod set;
mod verdict;

use std::collections::HashSet;

use agon_catalog::{Capability, Game, NameError};
use agon_game::Position as _;
use agon_game::seed::Stream;
use agon_rules::renju::Renju;
use agon_search::{SearchLimits, Stop, Task};

use crate::judge::read;
use puzzle::PLAYER_NODES;

pub use answer::answer;
pub use puzzle::{Puzzle, PuzzleKind, PuzzleTask};
pub use set::{PuzzleSet, SetError};
pub use verdict::{Answer, Verdict};

/// Makes puzzles of a game: the same ones for the same seed.
pub struct PuzzleMaker {
    game: Game,
    stream: Stream,
    kind: Option<PuzzleKind>,
    /// Positions of the puzzles made so far: games may reach the same one.
    seen: HashSet<String>,
}

impl PuzzleMaker {
    /// Creates puzzles of this game, drawn from this seed; a game without puzzles yields none.
    pub fn new(game: Game, seed: u64) -> Self {
        Self { game, stream: Stream::new(seed, "puzzles"), kind: None, seen: HashSet::new() }
    }

    /// Restricts them to one kind, which must be one of the game's ([`PuzzleKind::in_game`]).
    pub fn of_kind(self, kind: Option<PuzzleKind>) -> Self {
        Self { kind, ..self }
    }

    /// The next puzzle; `None` if the game has none, or the search was stopped.
    ///
    /// # Errors
    /// [`NameError`] if there are no players for the games.
    pub fn next(&mut self, stop: &Stop) -> Result<Option<Puzzle>, NameError> {
        let kinds = PuzzleKind::in_game(self.game);
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
            } else if self.game.can(Capability::Solving) {
                domineering::of_a_game(seed, stop)?
            } else {
                bacteria::of_a_game(seed, stop)?
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

/// Returns the puzzle at a position, if it is one, by the same proof as for generated puzzles.
///
/// # Errors
/// The reason why the position is invalid.
pub fn puzzle_at(game: Game, position: &str, stop: &Stop) -> Result<Option<Puzzle>, String> {
    Ok(if game.can(Capability::Threats) {
        let position: Renju = read(position)?;
        renju::puzzle_at(&position, stop).map(|found| renju_puzzle(&position, &found))
    } else if game.can(Capability::Solving) {
        domineering::puzzle_at(&read(position)?, stop)
    } else if game == Game::BACTERIA {
        bacteria::puzzle_at(&read(position)?, stop)
    } else {
        return Err(format!("there are no puzzles of {game}"));
    })
}

fn renju_puzzle(position: &Renju, found: &renju::RenjuPuzzle) -> Puzzle {
    let numbers = (found.plies, found.nodes, found.difficulty());
    Puzzle::new(Game::RENJU, found.kind, position, &found.line, numbers)
}

/// The first puzzle of this kind in a game of weak players, or else its first puzzle.
fn renju_of_a_game(seed: u64, wanted: Option<PuzzleKind>, stop: &Stop) -> Result<Option<Puzzle>, NameError> {
    let mut players =
        [agon_catalog::engine::<Renju>("champion:4", seed)?, agon_catalog::engine::<Renju>("champion:3", seed)?];
    let mut position = Renju::default();
    let mut spare = None;
    while position.outcome().is_none() && !stop.is_raised() {
        if let Some(found) = renju::puzzle_at(&position, stop) {
            let puzzle = renju_puzzle(&position, &found);
            if wanted.is_none_or(|wanted| found.kind == wanted) {
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
    use agon_engines::domineering::Solver;
    use agon_engines::renju::{PatternBoard, Threats};
    use agon_game::{Outcome, Show as _, Side};
    use agon_proof::threat_win;
    use agon_proof::verifier::exhaustive;
    use agon_proof::verifier::line::fives;
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

    /// Returns true if the side to move wins, using only the rules: every answer to every move of the attack is tried.
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

    /// The puzzles of the set: every twentieth; with `AGON_SLOW` all of them, plus fresh ones to make 500.
    #[test]
    fn no_puzzle_of_renju_is_refuted() {
        let set = PuzzleSet::own(Game::RENJU).unwrap().unwrap();
        let slow = std::env::var_os("AGON_SLOW").is_some();
        let mut turns = [0; 2];
        for puzzle in set.puzzles.iter().step_by(if slow { 1 } else { 20 }) {
            prove(puzzle);
            turns[puzzle.turn] += 1;
        }
        let mut maker = PuzzleMaker::new(Game::RENJU, 7);
        while slow && turns.iter().sum::<usize>() < 500 {
            let puzzle = maker.next(&Stop::default()).unwrap().unwrap();
            prove(&puzzle);
            turns[puzzle.turn] += 1;
        }
        assert!(!slow || turns.iter().all(|&turn| turn > 100), "{turns:?}");
    }

    /// With the same limits as when they were made: a search that finds less than it did would leave some without
    /// proof.
    #[test]
    fn the_puzzles_of_renju_are_proved_again() {
        for puzzle in &PuzzleSet::own(Game::RENJU).unwrap().unwrap().puzzles {
            let again = puzzle_at(Game::RENJU, &puzzle.position, &Stop::default()).unwrap();
            let again = again.map(|again| (again.kind, again.solution[0].clone()));
            assert_eq!(again, Some((puzzle.kind, puzzle.solution[0].clone())), "{puzzle:?}");
        }
    }

    /// The sets read, as many of each kind and grade as there are, no position twice, and write themselves.
    #[test]
    fn the_sets_are_whole() {
        // Races are found at a few a minute: their set is small yet.
        for (game, least, text) in [
            (Game::RENJU, 11, include_str!("../../../../books/puzzles/renju.puzzles")),
            (Game::DOMINEERING, 11, include_str!("../../../../books/puzzles/domineering.puzzles")),
            (Game::BACTERIA, 1, include_str!("../../../../books/puzzles/bacteria.puzzles")),
        ] {
            let set = PuzzleSet::own(game).unwrap().unwrap();
            assert_eq!(set.to_string(), text);
            let positions: HashSet<&str> = set.puzzles.iter().map(|puzzle| puzzle.position.as_str()).collect();
            assert_eq!(positions.len(), set.puzzles.len(), "{game}");
            // Quiet moves are rare.
            for kind in PuzzleKind::in_game(game).iter().filter(|&&kind| kind != PuzzleKind::Quiet) {
                assert!(set.puzzles.iter().any(|puzzle| puzzle.kind == *kind), "{game}: {}", kind.name());
            }
            for turn in 0..2 {
                assert!(
                    set.puzzles.iter().filter(|puzzle| puzzle.turn == turn).count() >= least,
                    "{game}: side {turn}"
                );
            }
            let grades: HashSet<usize> = set.puzzles.iter().map(|puzzle| puzzle.grade).collect();
            assert!(grades.len() == 5 || least == 1, "{game}: {grades:?}");
            let days: HashSet<usize> = (0..set.puzzles.len() as u64).map(|day| set.of_day(20_000 + day)).collect();
            assert_eq!(days.len(), set.puzzles.len(), "{game}: each has its day");
        }
        let sum = |text: &str| PuzzleSet::read(text).unwrap_err().to_string();
        assert!(sum("agon puzzles 1 chess\n").contains("`agon puzzles 1` and the name of a game expected"));
        assert!(sum("agon puzzles 1 renju\nsum 0\n").contains("the file was changed or cut off"));
    }

    /// Eight puzzles of domineering and the race with the fewest nodes are proved again; with `AGON_SLOW`, all of both.
    #[test]
    fn no_puzzle_of_other_games_is_refuted() {
        let slow = std::env::var_os("AGON_SLOW").is_some();
        let stop = Stop::default();
        for game in [Game::DOMINEERING, Game::BACTERIA] {
            let set = PuzzleSet::own(game).unwrap().unwrap();
            let mut stream = Stream::new(1, "sample");
            // Proving a race takes seconds.
            let sample: Vec<usize> = if game == Game::BACTERIA {
                let nodes = |&at: &usize| set.puzzles[at].nodes;
                (0..set.puzzles.len()).min_by_key(nodes).into_iter().collect()
            } else {
                (0..8).map(|_| stream.below(set.puzzles.len())).collect()
            };
            for (_, puzzle) in set.puzzles.iter().enumerate().filter(|(at, _)| slow || sample.contains(at)) {
                let mut state = game.state_at(&puzzle.position).unwrap();
                let right = answer(game, puzzle.kind, &puzzle.position, &puzzle.solution[..1], &stop).unwrap();
                assert!(matches!(right.verdict, Verdict::Right | Verdict::Solved), "{right:?}: {puzzle:?}");
                let after = |text: &str| {
                    let mut next = game.state_at(&puzzle.position).unwrap();
                    next.answer(text).unwrap();
                    next.position()
                };
                let only = after(&puzzle.solution[0]);
                let most = if !slow && puzzle.kind == PuzzleKind::Race { 1 } else { usize::MAX };
                for m in state.legal().into_iter().filter(|m| after(m) != only).take(most) {
                    let wrong = answer(game, puzzle.kind, &puzzle.position, std::slice::from_ref(&m), &stop).unwrap();
                    assert_eq!(wrong.verdict, Verdict::Wrong, "{m}: {puzzle:?}");
                }
                if puzzle.kind == PuzzleKind::Race {
                    for m in &puzzle.solution {
                        state.answer(m).unwrap();
                    }
                    let winner = state.ending().unwrap().outcome.winner();
                    assert_eq!(winner.map(Side::index), Some(puzzle.turn), "{puzzle:?}");
                }
            }
        }
    }

    /// Each first move but the right one is refuted with moves, and no solution lets the other side pass.
    #[test]
    fn tries_are_refuted_with_moves() {
        let set = PuzzleSet::own(Game::RENJU).unwrap().unwrap();
        for (number, puzzle) in set.puzzles.iter().enumerate() {
            let mut at: Renju = puzzle.position.parse().unwrap();
            for text in &puzzle.solution {
                let m = at.read_move(text).unwrap();
                // Nothing but a forbidden stone would stop the five.
                assert!(m != Move::Pass || !fives(&at, at.turn().other()).is_empty(), "{puzzle:?}");
                at.play_unchecked(m, &mut ());
            }
            if number % 20 != 15 {
                continue;
            }
            let position: Renju = puzzle.position.parse().unwrap();
            let tried = position.stone_moves().map(Move::Stone);
            // All of them take minutes.
            for m in tried.filter(|m| m.to_string() != puzzle.solution[0]).step_by(7) {
                let found = answer(Game::RENJU, puzzle.kind, &puzzle.position, &[m.to_string()], &Stop::default());
                let found = found.unwrap();
                assert_eq!(found.verdict, Verdict::Wrong, "{} of {puzzle:?}", m.letters());
                assert!(!found.line.is_empty(), "{} of {puzzle:?}", m.letters());
            }
        }
    }

    /// Played with any winning move against the toughest answers, a puzzle comes to its end.
    #[test]
    fn a_puzzle_is_played_out() {
        let stop = Stop::default();
        let mut threats = Threats::new(16 << 20);
        for (game, kind) in [
            (Game::RENJU, PuzzleKind::Fours),
            (Game::RENJU, PuzzleKind::Threats),
            (Game::RENJU, PuzzleKind::Defence),
            (Game::DOMINEERING, PuzzleKind::Exact),
            (Game::BACTERIA, PuzzleKind::Race),
        ] {
            let set = PuzzleSet::own(game).unwrap().unwrap();
            let puzzle = set.puzzles.iter().find(|puzzle| puzzle.kind == kind).unwrap();
            let mut moves = vec![puzzle.solution[0].clone()];
            loop {
                assert!(moves.len() < 80, "{moves:?} of {puzzle:?}");
                let found = answer(game, kind, &puzzle.position, &moves, &stop).unwrap();
                if found.verdict == Verdict::Solved {
                    break;
                }
                assert_eq!(found.verdict, Verdict::Right, "{moves:?} of {puzzle:?}");
                moves.push(found.line[0].judged.clone());
                let mut state = game.state_at(&puzzle.position).unwrap();
                for m in &moves {
                    state.answer(m).unwrap();
                }
                let position = state.position();
                let tries = if game == Game::RENJU {
                    vec![attack(&mut threats, &position.parse().unwrap()).unwrap().to_string()]
                } else {
                    state.legal()
                };
                let wins = |m: &&String| {
                    let tried = [&moves[..], std::slice::from_ref(*m)].concat();
                    let found = answer(game, kind, &puzzle.position, &tried, &stop).unwrap();
                    matches!(found.verdict, Verdict::Right | Verdict::Solved)
                };
                let next = tries.iter().find(wins).unwrap_or_else(|| panic!("{moves:?} of {puzzle:?}")).clone();
                moves.push(next);
            }
        }
        let none = answer(Game::RENJU, PuzzleKind::Exact, "", &["1 1".to_owned()], &stop);
        assert_eq!(none, Err("puzzles of renju are not of the kind exact".to_owned()));
        assert!(answer(Game::RENJU, PuzzleKind::Fours, "", &[], &stop).unwrap_err().contains("an odd number"));
    }

    #[test]
    fn the_seed_and_the_kind_decide() {
        // In the game of this seed puzzles come early.
        let puzzle = first(Game::RENJU, 14);
        assert_eq!(puzzle, first(Game::RENJU, 14));
        let seat = Renju::SEATS[puzzle.turn];
        assert!(puzzle.text.starts_with(&format!("{seat} to move")) && (1..=5).contains(&puzzle.grade), "{puzzle:?}");
        let defence = PuzzleMaker::new(Game::RENJU, 14).of_kind(Some(PuzzleKind::Defence)).next(&Stop::default());
        assert_eq!(defence.unwrap().unwrap().kind, PuzzleKind::Defence);
        let none = PuzzleMaker::new(Game::RENJU, 14).of_kind(Some(PuzzleKind::Exact)).next(&Stop::default());
        assert_eq!(none, Ok(None));
        assert_eq!(PuzzleMaker::new(Game::PETRI, 1).next(&Stop::default()), Ok(None));
    }

    #[test]
    fn one_domino_alone_wins() {
        let puzzle = first(Game::DOMINEERING, 3);
        assert_eq!(puzzle, first(Game::DOMINEERING, 3));
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
