//! The solver of domineering, against brute force through the rules and positions solved elsewhere.

use std::collections::HashMap;

use agon_engines::domineering::{Goal, Solver};
use agon_game::seed::Stream;
use agon_game::{GameScore, Outcome, Position, Side};
use agon_rules::domineering::{Bonus, Domineering, Move, WeightedBoard};
use agon_search::SearchLimits;
use rayon::prelude::*;

const TABLE: usize = 1 << 20;

fn moves(position: &Domineering) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

fn after(position: &Domineering, m: Move) -> Domineering {
    let mut next = *position;
    next.play_unchecked(m, &mut ());
    next
}

/// The points that the two sides can still get, first minus second: every line of play is tried.
fn value(position: &Domineering, known: &mut HashMap<u64, i32>) -> i32 {
    let key = position.future_key();
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let values = moves(position).into_iter().map(|m| value_of(position, m, known));
    let best = match position.turn() {
        Side::First => values.max(),
        Side::Second => values.min(),
    };
    // Nothing is won after the end.
    let best = best.unwrap_or(0);
    known.insert(key, best);
    best
}

fn value_of(position: &Domineering, m: Move, known: &mut HashMap<u64, i32>) -> i32 {
    let next = after(position, m);
    (next.lead() - position.lead()).halves() / 2 + value(&next, known)
}

fn outcome(position: &Domineering, value: i32) -> Outcome {
    Outcome::by_score(position.lead() + GameScore::from(value), GameScore::default())
}

/// Values, outcomes and both sets of best moves are those of brute force, and the bounds hold them.
fn check(position: &Domineering, solver: &mut Solver, known: &mut HashMap<u64, i32>) {
    let expected = value(position, known);
    let limits = SearchLimits::default();
    assert_eq!(solver.value(position, limits), Ok(expected), "{position}");
    assert_eq!(solver.outcome(position, limits), Ok(outcome(position, expected)), "{position}");
    let values: Vec<(Move, i32)> = moves(position).into_iter().map(|m| (m, value_of(position, m, known))).collect();
    for goal in [Goal::Score, Goal::Win] {
        let solution = solver.solve(position, goal, limits).expect("no limits");
        let achieves = |&&(_, value): &&(Move, i32)| match goal {
            Goal::Score => value == expected,
            Goal::Win => outcome(position, value) == outcome(position, expected),
        };
        let best: Vec<Move> = values.iter().filter(achieves).map(|&(m, _)| m).collect();
        assert_eq!(solution.best, best, "{goal:?}, {position}");
        assert_eq!(solution.outcome, outcome(position, expected), "{goal:?}, {position}");
        assert_eq!(solution.value, (goal == Goal::Score).then_some(expected), "{position}");
    }
    let analysis = solver.analyse(position, limits, &mut |_, _| {});
    assert_eq!(analysis.estimate, expected, "{position}");
    let judged: Vec<_> = analysis.moves.iter().map(|judged| (judged.m, judged.value())).collect();
    let values: Vec<_> = values.into_iter().map(|(m, value)| (m, Some(value))).collect();
    assert_eq!(judged, values, "{position}");
    let end = analysis.line.iter().fold(*position, |position, &m| after(&position, m));
    assert_eq!((end.lead() - position.lead()).halves(), 2 * expected, "{:?} from {position}", analysis.line);
    assert!(end.outcome().is_some(), "{:?} from {position}", analysis.line);
    if !position.last_pass() {
        let (low, high) = solver.bounds(position.empty(), position.turn());
        let mine = if position.turn() == Side::First { expected } else { -expected };
        assert!(low <= mine && mine <= high, "{mine} is not from {low} to {high}: {position}");
    }
}

fn slow() -> bool {
    std::env::var_os("AGON_SLOW").is_some()
}

/// How many positions of a board were checked, and in how many of them the side to move gains nothing.
fn check_board(seed: u64) -> [u32; 2] {
    let [mut positions, mut quiet] = [0, 0];
    let mut stream = Stream::new(seed, "solver");
    let (rows, columns) = loop {
        let (rows, columns) = (1 + stream.below(8), 1 + stream.below(8));
        if rows * columns <= 18 {
            break (rows, columns);
        }
    };
    let largest = [0, 1, 3, 3, 3, 9, 99][stream.below(7)];
    let board = WeightedBoard::drawn(rows, columns, largest, seed).expect("a board");
    let bonus = Bonus::try_from(GameScore::from_halves(stream.below(13) as i32 - 6)).expect("a bonus");
    let mut solver = Solver::new(&board, TABLE);
    let mut known = HashMap::new();
    for _ in 0..8 {
        let percent = stream.below(60);
        let cells = (1..=rows).flat_map(|row| (1..=columns).map(move |column| (row, column)));
        let covered: Vec<(usize, usize)> = cells.filter(|_| stream.below(100) < percent).collect();
        for side in Side::BOTH {
            for last_pass in [false, true] {
                let position = Domineering::bare(board, bonus, covered.iter().copied(), side, last_pass);
                let position = position.expect("on the board");
                check(&position, &mut solver, &mut known);
                positions += 1;
                let profit = value(&position, &mut known) * if side == Side::First { 1 } else { -1 };
                quiet += u32::from(position.outcome().is_none() && profit <= 0);
            }
        }
    }
    [positions, quiet]
}

/// Boards of up to 18 cells, some covered, either side to move, after a PASS and not, with light and heavy weights.
#[test]
fn brute_force_agrees() {
    let boards: u64 = if slow() { 20_000 } else { 500 };
    let add = |[a, b]: [u32; 2], [c, d]: [u32; 2]| [a + c, b + d];
    let [positions, quiet] = (0..boards).into_par_iter().map(check_board).reduce(|| [0, 0], add);
    // A PASS matters only if the side to move gains nothing.
    assert!(quiet > positions / 20, "only {quiet} of {positions} positions are quiet");
}

/// All 3 × 3 boards of one weight, with every set of covered cells: nothing is left to chance.
#[test]
fn brute_force_agrees_on_every_small_position() {
    for rows in [["111", "111", "111"], ["012", "310", "203"], ["300", "030", "003"]] {
        let weights: Vec<Vec<u8>> = rows.iter().map(|row| row.bytes().map(|digit| digit - b'0').collect()).collect();
        let board = WeightedBoard::new(&weights).expect("a board");
        let mut solver = Solver::new(&board, TABLE);
        let mut known = HashMap::new();
        for set in 0..1 << 9 {
            let covered = (0..9).filter(|cell| set >> cell & 1 == 1).map(|cell| (cell / 3 + 1, cell % 3 + 1));
            for side in Side::BOTH {
                for last_pass in [false, true] {
                    let position = Domineering::bare(board, Bonus::default(), covered.clone(), side, last_pass);
                    check(&position.expect("on the board"), &mut solver, &mut known);
                }
            }
        }
    }
}

/// Solves the position of a line, whose value and whole set of best moves another program has found; false where it is
/// left out.
fn check_solved(line: &str) -> bool {
    let fields: Vec<&str> = line.split(" | ").collect();
    let [position, value, best, _] = fields[..] else { panic!("`{line}`: four columns expected") };
    let position: Domineering = position.parse().expect("a position");
    // The others take minutes without optimisation.
    if position.empty().count_ones() > 36 && !slow() {
        return false;
    }
    let mut solver = Solver::new(position.board(), if slow() { 64 << 20 } else { TABLE });
    let solution = solver.solve(&position, Goal::Score, SearchLimits::default()).expect("no limits");
    assert_eq!(solution.value, Some(value.parse().expect("a value")), "{position}");
    let mut found: Vec<String> = solution.best.iter().map(ToString::to_string).collect();
    let mut best: Vec<&str> = best.split(", ").collect();
    found.sort_unstable();
    best.sort_unstable();
    assert_eq!(found, best, "{position}");
    true
}

#[test]
fn solved_positions_have_their_values_and_best_moves() {
    let text = include_str!("../../../rules/tests/data/domineering/solved.txt");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let solved = lines.par_iter().filter(|line| check_solved(line)).count();
    assert!(solved >= 90, "only {solved} positions");
}

/// If this fails, the search has changed: say so where the change is described, with the new numbers.
#[test]
fn the_search_is_pinned() {
    let found = [(1, 10), (2, 10), (3, 8)].map(|(seed, plies)| {
        let board = WeightedBoard::drawn(8, 8, 3, seed).expect("a board");
        let mut position = Domineering::new(board, Bonus::default());
        let mut stream = Stream::new(seed, "opening");
        for _ in 0..plies {
            let moves = moves(&position);
            position = after(&position, moves[stream.below(moves.len() - 1)]);
        }
        let mut solver = Solver::new(&board, TABLE);
        let value = solver.value(&position, SearchLimits::default()).expect("no limits");
        (value, solver.nodes())
    });
    assert_eq!(found, [(-13, 1143), (0, 3814), (11, 1330)]);
}

/// A search that is stopped says so, and what it has proved by then stays true.
#[test]
fn a_limit_stops_a_search_and_spoils_nothing() {
    let board = WeightedBoard::drawn(5, 5, 3, 7).expect("a board");
    let position = Domineering::new(board, Bonus::default());
    let expected = Solver::new(&board, TABLE).value(&position, SearchLimits::default()).expect("no limits");
    let mut solver = Solver::new(&board, TABLE);
    let mut stopped = 0;
    for nodes in 0.. {
        match solver.value(&position, SearchLimits::nodes(nodes)) {
            Ok(value) => {
                assert_eq!(value, expected);
                break;
            }
            Err(_) => stopped += 1,
        }
        assert_eq!(solver.nodes(), nodes);
    }
    assert!(stopped > 3, "only {stopped} searches were stopped");
}

/// Cut short anywhere, an analysis makes no false claim.
#[test]
fn an_analysis_cut_short_is_true() {
    for seed in 0..40 {
        let board = WeightedBoard::drawn(4, 4, 3, seed).expect("a board");
        let position = Domineering::new(board, Bonus::default());
        let known = &mut HashMap::new();
        for nodes in [0, 1, 2, 5, 20, 100] {
            let analysis = Solver::new(&board, TABLE).analyse(&position, SearchLimits::nodes(nodes), &mut |_, _| {});
            for judged in &analysis.moves {
                let value = value_of(&position, judged.m, known);
                assert!(judged.low <= value && value <= judged.high, "{value} is not in {judged:?}: {position}");
            }
            let (low, high) = analysis.bounds(&position);
            let value = value(&position, known);
            assert!(low <= value && value <= high, "{value} is not from {low} to {high}: {position}");
        }
    }
}
