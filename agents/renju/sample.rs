//! Renju: a sample bot in Rust. It counts what every row of five is worth. Replace `choose` by your own idea.
//!
//! Build: rustc -O --edition 2021 sample.rs

use std::io::{self, BufRead, Write};

// ---- Board ---------------------------------------------------------------------------------------------------------

const SIDE: i32 = 15;
const LINE: usize = 11;
const CENTRE: usize = 5;

#[derive(Clone, Copy, PartialEq)]
enum Point {
    Empty,
    Black,
    White,
    Wall,
}
use Point::{Black, Empty, Wall, White};

/// A row and a column, from 1.
type Cell = (i32, i32);

const PASS: Cell = (-1, -1);
const DIRECTIONS: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

struct Board {
    points: [[Point; SIDE as usize + 1]; SIDE as usize + 1],
    moves_played: i32,
}

impl Board {
    fn at(&self, (x, y): Cell) -> Point {
        let inside = (1..=SIDE).contains(&x) && (1..=SIDE).contains(&y);
        if inside { self.points[x as usize][y as usize] } else { Wall }
    }

    /// The 11 points through a cell in one direction: all that can matter to a stone there, in the CENTRE.
    fn line(&self, (x, y): Cell, (dx, dy): (i32, i32)) -> [Point; LINE] {
        std::array::from_fn(|i| {
            let steps = i as i32 - CENTRE as i32;
            self.at((x + steps * dx, y + steps * dy))
        })
    }

    fn play(&mut self, player: Point, cell: Cell) {
        if cell != PASS {
            self.points[cell.0 as usize][cell.1 as usize] = player;
        }
        self.moves_played += 1;
    }
}

fn other(player: Point) -> Point {
    if player == Black { White } else { Black }
}

fn count(points: &[Point], wanted: Point) -> usize {
    points.iter().filter(|&&point| point == wanted).count()
}

// ---- Rules ---------------------------------------------------------------------------------------------------------

/// Whether Black should keep off an empty cell. The full rule looks ahead from every THREE. This one counts all that
/// looks like a FOUR or a THREE, so that it never plays a forbidden move, but refuses some that are allowed.
fn may_be_forbidden(board: &Board, cell: Cell) -> bool {
    let (mut overline, mut fours, mut threes) = (false, 0, 0);
    for direction in DIRECTIONS {
        let mut line = board.line(cell, direction);
        line[CENTRE] = Black;
        let before = line[..CENTRE].iter().rev().take_while(|&&point| point == Black).count();
        let behind = line[CENTRE..].iter().take_while(|&&point| point == Black).count();
        if before + behind == 5 {
            return false; // a FIVE wins, whatever else it makes
        }
        overline |= before + behind > 5;
        // A FOUR is four of five neighbouring cells, the fifth empty. Two of them on one line take five stones.
        if line[1..10].windows(5).any(|five| count(five, Black) == 4 && count(five, Empty) == 1) {
            fours += if count(&line[1..10], Black) >= 5 { 2 } else { 1 };
        }
        // A THREE is three of four neighbouring cells, the fourth and both outer neighbours empty.
        let three = |six: &[Point]| count(&six[1..5], Black) == 3 && count(six, Empty) == 3;
        threes += i32::from(line[1..10].windows(6).any(three));
    }
    overline || fours >= 2 || threes >= 2
}

/// Whether a cell is legal for certain: empty, within the opening's bounds, and not forbidden.
fn may_play(board: &Board, me: Point, (x, y): Cell) -> bool {
    let reach = if board.moves_played < 3 { board.moves_played } else { SIDE }; // (8,8), then one around it, then two
    let near = (x - 8).abs() <= reach && (y - 8).abs() <= reach;
    board.at((x, y)) == Empty && near && !(me == Black && may_be_forbidden(board, (x, y)))
}

// ---- Choice --------------------------------------------------------------------------------------------------------
// Every five neighbouring cells are worth something to a player alone there, the more the more stones it has: ATTACK
// is for a player's own, DEFEND for blocking the other's. Four stones decide; then comes an open three, which is three
// stones in two such rows at once.

const ATTACK: [i32; 5] = [1, 6, 50, 1500, 1_000_000];
const DEFEND: [i32; 5] = [0, 5, 40, 1000, 50_000];

fn worth(board: &Board, me: Point, cell: Cell) -> i32 {
    let mut sum = 0;
    for direction in DIRECTIONS {
        let line = board.line(cell, direction);
        for five in line[1..10].windows(5).filter(|five| !five.contains(&Wall)) {
            match (count(five, me), count(five, other(me))) {
                (own, 0) => sum += ATTACK[own],
                (0, foe) => sum += DEFEND[foe],
                _ => {}
            }
        }
    }
    sum
}

/// The cell to play, or a PASS when none is sure to be legal. The clock, in milliseconds, is not needed here.
fn choose(board: &Board, me: Point, _my_time: i32) -> Cell {
    let (mut best, mut best_worth) = (PASS, -1);
    for cell in (1..=SIDE).flat_map(|x| (1..=SIDE).map(move |y| (x, y))) {
        if board.at(cell) == Empty {
            let value = worth(board, me, cell);
            if value > best_worth && may_play(board, me, cell) {
                (best, best_worth) = (cell, value);
            }
        }
    }
    best
}

// ---- Protocol: one command a line; a PASS is -1 -1 ----------------------------------------------------------------

fn main() -> io::Result<()> {
    const START: Board = Board { points: [[Empty; SIDE as usize + 1]; SIDE as usize + 1], moves_played: 0 };
    let mut board = START;
    let mut me = Black;
    let mut output = io::stdout();
    for text in io::stdin().lock().lines() {
        let text = text?;
        let words: Vec<&str> = text.split_whitespace().collect();
        let numbers: Vec<i32> = words.iter().skip(1).filter_map(|word| word.parse().ok()).collect();
        match words.first() {
            Some(&"READY") => {
                me = if words.contains(&"FIRST") { Black } else { White };
                writeln!(output, "OK")?;
            }
            Some(&"TURN") => {
                let cell = choose(&board, me, numbers[0]);
                board.play(me, cell);
                writeln!(output, "MOVE {} {}", cell.0, cell.1)?;
            }
            Some(&"OPP") => board.play(other(me), (numbers[0], numbers[1])),
            // A move made for us before READY.
            Some(&"OPENING") => {
                board.play(if board.moves_played % 2 == 0 { Black } else { White }, (numbers[0], numbers[1]));
            }
            Some(&"FINISH") if std::env::var_os("AGON_STAY").is_none() => break,
            // The same program plays the next game, too.
            Some(&"FINISH") => board = START,
            _ => {}
        }
        output.flush()?; // or the judge waits for an answer that never leaves this process
    }
    Ok(())
}
