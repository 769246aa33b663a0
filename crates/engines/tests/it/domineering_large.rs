//! Analyses of large boards, against the solver of the game's boards and against brute force.

use std::collections::HashMap;

use agon_engines::domineering::Solver;
use agon_engines::domineering::large::{LargeAnalysis, LargePosition, analyse};
use agon_game::Side;
use agon_game::seed::Stream;
use agon_rules::domineering::{Bonus, Domineering, WeightedBoard};
use agon_search::{SearchLimits, Stop};

const TABLE: usize = 1 << 20;

type Board = Vec<Vec<u8>>;

/// A question of an analysis.
#[derive(Clone)]
struct Question {
    board: Board,
    covered: Vec<(usize, usize)>,
    turn: Side,
    last_pass: bool,
}

impl Question {
    /// Draws a board of this size, some covered cells and the rest.
    fn drawn(rows: usize, columns: usize, stream: &mut Stream) -> Self {
        let board: Board = (0..rows).map(|_| (0..columns).map(|_| stream.below(4) as u8).collect()).collect();
        let all = (1..=rows).flat_map(|row| (1..=columns).map(move |column| (row, column)));
        let covered = all.filter(|_| stream.below(5) == 0).collect();
        Self { board, covered, turn: Side::BOTH[stream.below(2)], last_pass: stream.below(4) == 0 }
    }

    fn analysed(&self, limits: SearchLimits) -> LargeAnalysis {
        let covered = self.covered.iter().copied();
        let position = LargePosition::new(&self.board, covered, self.turn, self.last_pass, Bonus::default()).unwrap();
        analyse(&position, TABLE, limits, Stop::default(), &mut |_, _| {})
    }

    /// Rows and columns swapped, and the sides with them.
    fn turned(&self) -> Self {
        let board = (0..self.board[0].len()).map(|column| self.board.iter().map(|row| row[column]).collect());
        let covered = self.covered.iter().map(|&(row, column)| (column, row)).collect();
        Self { board: board.collect(), covered, turn: self.turn.other(), last_pass: self.last_pass }
    }

    /// The first side's points minus the second's, by trying everything.
    fn value(&self) -> i32 {
        let (rows, columns) = (self.board.len(), self.board[0].len());
        let is_empty = |row: usize, column: usize| !self.covered.contains(&(row + 1, column + 1));
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let empty: Vec<_> = cells.filter(|&(row, column)| is_empty(row, column)).collect();
        brute(&self.board, &empty, self.turn, u8::from(self.last_pass), &mut HashMap::new())
    }
}

type Known = HashMap<(Vec<(usize, usize)>, Side, u8), i32>;

fn brute(board: &Board, empty: &[(usize, usize)], turn: Side, passes: u8, known: &mut Known) -> i32 {
    let places = |side: Side| {
        let other = |(row, column): (usize, usize)| match side {
            Side::First => (row, column + 1),
            Side::Second => (row + 1, column),
        };
        let pairs = empty.iter().map(|&cell| (cell, other(cell))).filter(|(_, other)| empty.contains(other));
        pairs.collect::<Vec<_>>()
    };
    if passes == 2 || Side::BOTH.iter().all(|&side| places(side).is_empty()) {
        return 0;
    }
    let key = (empty.to_vec(), turn, passes);
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let weight = |(row, column): (usize, usize)| i32::from(board[row][column]);
    let sign = if turn == Side::First { 1 } else { -1 };
    let mut values = vec![brute(board, empty, turn.other(), passes + 1, known)];
    for (one, other) in places(turn) {
        let left: Vec<_> = empty.iter().copied().filter(|cell| ![one, other].contains(cell)).collect();
        values.push(sign * (weight(one) + weight(other)) + brute(board, &left, turn.other(), 0, known));
    }
    let value = values.into_iter().map(|value| sign * value).max().unwrap_or(0) * sign;
    known.insert(key, value);
    value
}

/// The proved value of a position is its value.
fn check(question: &Question, value: i32) {
    let whole = question.analysed(SearchLimits::default());
    assert_eq!((whole.low, whole.high, whole.estimate), (value, value, value), "{:?}", question.board);
    assert!(whole.moves.iter().all(|m| m.low == m.high && m.low == m.estimate), "{whole:?}");
    for nodes in [0, 1, 50, 2_000] {
        let part = question.analysed(SearchLimits::nodes(nodes));
        assert!(part.low <= value && value <= part.high, "{value}: {part:?}");
        assert!((part.low..=part.high).contains(&part.estimate), "{part:?}");
        for m in &part.moves {
            let exact = whole.moves.iter().find(|exact| exact.anchor == m.anchor).expect("the same moves");
            assert!((m.low..=m.high).contains(&exact.low), "{m:?} holds no {exact:?}");
        }
        assert_eq!(part, question.analysed(SearchLimits::nodes(nodes)), "it is repeatable");
    }
}

#[test]
fn small_parts_of_large_boards_are_solved() {
    let mut stream = Stream::new(1, "large");
    for (rows, columns) in [(1, 9), (2, 9), (2, 10), (9, 2), (10, 1), (3, 5), (4, 4)] {
        for _ in 0..3 {
            let question = Question::drawn(rows, columns, &mut stream);
            check(&question, question.value());
        }
    }
}

#[test]
fn the_solver_of_the_games_boards_agrees() {
    let mut stream = Stream::new(2, "large");
    for (rows, columns) in [(5, 5), (4, 6), (6, 4), (3, 8)] {
        let question = Question::drawn(rows, columns, &mut stream);
        let board = WeightedBoard::new(&question.board).unwrap();
        let covered = question.covered.iter().copied();
        let position = Domineering::bare(board, Bonus::default(), covered, question.turn, question.last_pass).unwrap();
        let value = Solver::new(&board, TABLE).value(&position, SearchLimits::default()).unwrap();
        check(&question, value);
    }
}

#[test]
fn a_turned_board_is_worth_the_opposite() {
    let mut stream = Stream::new(3, "large");
    for (rows, columns) in [(3, 9), (10, 3), (4, 9)] {
        let question = Question::drawn(rows, columns, &mut stream);
        let analysis = question.analysed(SearchLimits::default());
        assert_eq!(analysis.low, analysis.high);
        check(&question.turned(), -analysis.low);
    }
}

#[test]
fn ten_rows_have_bounds() {
    let question = Question::drawn(10, 10, &mut Stream::new(4, "large"));
    let analysis = question.analysed(SearchLimits::nodes(1_000));
    assert!(analysis.low < analysis.high && analysis.high - analysis.low < 60, "{analysis:?}");
    assert!(analysis.moves.iter().any(|m| m.anchor.is_some_and(|(row, column)| row == 10 || column == 10)));
}

#[test]
fn what_is_no_board_is_refused() {
    let check = |board: &Board, covered: Option<(usize, usize)>, message: &str| {
        let position = LargePosition::new(board, covered, Side::First, false, Bonus::default());
        assert_eq!(position.unwrap_err().to_string(), message);
    };
    let size = "a board that can be analyzed has 1 to 10 rows and columns, not";
    check(&vec![vec![1; 11]; 2], None, &format!("{size} 2 × 11"));
    check(&vec![vec![1; 2]; 11], None, &format!("{size} 11 × 2"));
    check(&Vec::new(), None, &format!("{size} 0 × 0"));
    check(&vec![vec![1, 2], vec![1]], None, "expected 2 numbers in row 2, found 1");
    check(&vec![vec![1, 100]], None, "row 1, column 2: weight 100 is too large; the limit is 99");
    check(&vec![vec![1; 9]; 9], Some((9, 10)), "(9,10) is outside the board of 9 rows and 9 columns");
}
