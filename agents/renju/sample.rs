//! Renju: a sample bot in Rust. It looks ahead while its time lasts. Replace `choose` by your own idea.
//! Build: rustc -O --edition 2021 sample.rs
use std::io;
use std::time::{Duration, Instant};

// ---- Board ---------------------------------------------------------------------------------------------------------
// The cells are stored row by row, with a margin of walls. A direction is the distance to the next cell.

const SIDE: usize = 15;
const WIDTH: usize = 20;
const DIRECTIONS: [usize; 4] = [1, WIDTH, WIDTH + 1, WIDTH - 1];
const EMPTY: u8 = b'.';
const BLACK: u8 = b'B';
const WHITE: u8 = b'W';
const WALL: u8 = b'#';

#[derive(Clone)]
struct Position {
    cells: [u8; 26 * WIDTH + 1],
    player: u8, // to move
    score: i32, // for that player
    stones: usize,
}

fn cell_at(x: usize, y: usize) -> usize {
    WIDTH * (x + 5) + y // row and column, from 1
}

fn start() -> Position {
    let mut cells = [WALL; 26 * WIDTH + 1];
    for x in 1..=SIDE {
        cells[cell_at(x, 1)..=cell_at(x, SIDE)].fill(EMPTY);
    }
    Position { cells, player: BLACK, score: 0, stones: 0 }
}

/// The 11 cells through a cell in one direction: all that can matter to a stone there, the one in the middle.
fn line(position: &Position, cell: usize, direction: usize) -> [u8; 11] {
    std::array::from_fn(|i| position.cells[cell + i * direction - 5 * direction])
}

fn count(cells: &[u8], wanted: u8) -> usize {
    cells.iter().filter(|&&cell| cell == wanted).count()
}

// ---- Rules ---------------------------------------------------------------------------------------------------------

/// Whether an empty cell is legal for certain. For Black the full rule looks ahead from every THREE; this one counts
/// all that looks like a FOUR or a THREE: it never plays a forbidden move, but refuses some that are allowed.
fn may_play(position: &Position, cell: usize) -> bool {
    if position.stones < 3 {
        // The first is on (8,8), the second a step from it, the third two.
        return (cell / WIDTH).abs_diff(13).max((cell % WIDTH).abs_diff(8)) <= position.stones;
    }
    let (mut longest, mut fours, mut threes) = (0, 0, 0);
    for direction in DIRECTIONS {
        let mut line = line(position, cell, direction);
        line[5] = BLACK;
        let before = line[..5].iter().rev().take_while(|&&cell| cell == BLACK).count();
        let row = before + line[5..].iter().take_while(|&&cell| cell == BLACK).count();
        if row == 5 {
            return true; // a FIVE wins, whatever else it makes
        }
        longest = longest.max(row);
        // A FOUR is four of five neighbouring cells, the fifth empty. Two of them on one line take five stones.
        if line[1..10].windows(5).any(|five| count(five, BLACK) == 4 && count(five, EMPTY) == 1) {
            fours += if count(&line[1..10], BLACK) >= 5 { 2 } else { 1 };
        }
        // A THREE is three of four neighbouring cells, the fourth and both outer neighbours empty.
        let three = |six: &[u8]| count(&six[1..5], BLACK) == 3 && count(six, EMPTY) == 3;
        threes += i32::from(line[1..10].windows(6).any(three));
    }
    position.player == WHITE || longest < 6 && fours < 2 && threes < 2
}

// ---- Choice --------------------------------------------------------------------------------------------------------
// A stone is worth something in every five neighbouring cells in which all the other stones are one player's. The index
// is the number of those stones, in the first list for own ones, in the second for the opponent's. ORDER is for the
// order of moves, VALUE for the score. Four stones decide; an open three is three stones in two such fives at once.

type Table = [[i32; 5]; 2];
const ORDER: Table = [[0, 6, 50, 1500, WIN], [0, 5, 40, 1000, FOUR]];
const VALUE: Table = [[1, 6, 50, 500, 0], [0, 1, 7, 57, 557]];
const WIN: i32 = 1_000_000;
const FOUR: i32 = 50_000;
const INFINITY: i32 = 10 * WIN;
const BREADTH: usize = 10; // moves tried in a position
const SHARE: u32 = 30; // a move may take a thirtieth of the time left,
const RESERVE: u64 = 100; // but for the last 100 milliseconds
const MAX_DEPTH: u32 = 64; // moves to look ahead; a bot with a small number repeats its games

fn other(player: u8) -> u8 {
    if player == BLACK {
        WHITE
    } else {
        BLACK
    }
}

fn worth(table: Table, position: &Position, cell: usize) -> i32 {
    let mut sum = 0;
    for direction in DIRECTIONS {
        let line = line(position, cell, direction);
        for five in line[1..10].windows(5).filter(|five| !five.contains(&WALL)) {
            match (count(five, position.player), count(five, other(position.player))) {
                (own, 0) => sum += table[0][own],
                (0, foe) => sum += table[1][foe],
                _ => {}
            }
        }
    }
    sum
}

/// The position after a move; no cell is a PASS.
fn after(position: &Position, cell: Option<usize>) -> Position {
    let mut next = Position { player: other(position.player), score: -position.score, ..position.clone() };
    if let Some(cell) = cell {
        next.score -= worth(VALUE, position, cell);
        next.cells[cell] = position.player;
        next.stones += 1;
    }
    next
}

/// The worth of moves to try, and the moves, the best first; after a four, only those that complete or block it.
fn list_moves(position: &Position) -> Vec<(i32, usize)> {
    let empty = (cell_at(1, 1)..=cell_at(SIDE, SIDE)).filter(|&cell| position.cells[cell] == EMPTY);
    let mut moves: Vec<_> = empty.map(|cell| (worth(ORDER, position, cell), cell)).collect();
    moves.sort_by_key(|&(worth, _)| -worth); // equals stay in their order
    let mut moves: Vec<_> = moves.into_iter().filter(|&(_, cell)| may_play(position, cell)).take(BREADTH).collect();
    let urgent = moves.first().is_some_and(|&(worth, _)| worth >= FOUR);
    moves.retain(|&(worth, _)| !urgent || worth >= FOUR);
    moves
}

/// What the player to move can reach in `depth` moves (negamax with alpha-beta); none if out of time.
fn search(position: &Position, mut depth: u32, mut alpha: i32, beta: i32, deadline: Instant) -> Option<i32> {
    deadline.checked_duration_since(Instant::now())?;
    let mut moves = if depth == 0 { Vec::new() } else { list_moves(position) };
    match moves.first() {
        None => return Some(position.score),
        Some(&(WIN.., _)) => return Some(WIN + (SIDE * SIDE - position.stones) as i32), // the sooner, the better
        Some(&(FOUR.., _)) => depth += 1,                                               // a forced move does not count
        _ => {}
    }
    moves.truncate(if depth == 1 { 1 } else { BREADTH }); // the last move is the one that looks best
    for (_, cell) in moves {
        alpha = alpha.max(-search(&after(position, Some(cell)), depth - 1, -beta, -alpha, deadline)?);
        if alpha >= beta {
            break;
        }
    }
    Some(alpha)
}

/// The cell to play, or none (a PASS) when none is sure to be legal. `my_time`, in milliseconds, is for all the game.
fn choose(position: &Position, my_time: u64) -> Option<usize> {
    let deadline = Instant::now() + Duration::from_millis(my_time.saturating_sub(RESERVE)) / SHARE;
    let mut moves = list_moves(position);
    let decided = moves.len() < 2 || moves[0].0 >= WIN;
    'search: for depth in 2..if decided { 2 } else { MAX_DEPTH } {
        let (mut best, mut alpha) = (0, -INFINITY);
        for (index, &(_, cell)) in moves.iter().enumerate() {
            let next = after(position, Some(cell));
            let Some(reply) = search(&next, depth, -INFINITY, -alpha, deadline) else { break 'search };
            if -reply > alpha {
                (best, alpha) = (index, -reply);
            }
        }
        moves[..=best].rotate_right(1); // the next iteration tries it first
    }
    moves.first().map(|&(_, cell)| cell)
}

// ---- Protocol: one command a line; a PASS is -1 -1 ----------------------------------------------------------------

fn main() {
    let mut position = start();
    for text in io::stdin().lines().map_while(Result::ok) {
        let numbers: Vec<i64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        match text.split_whitespace().next() {
            Some("READY") => println!("OK"), // and flushes it; FIRST or SECOND follows from the moves as well
            Some("TURN") => {
                let cell = choose(&position, numbers[0] as u64);
                match cell {
                    Some(cell) => println!("MOVE {} {}", cell / WIDTH - 5, cell % WIDTH),
                    None => println!("MOVE -1 -1"),
                }
                position = after(&position, cell);
            }
            // OPENING: a move made for us before READY.
            Some("OPP" | "OPENING") => {
                let cell = (numbers[0] > 0).then(|| cell_at(numbers[0] as usize, numbers[1] as usize));
                position = after(&position, cell);
            }
            Some("FINISH") if std::env::var_os("AGON_STAY").is_none() => break,
            Some("FINISH") => position = start(), // the same program plays the next game, too
            _ => {}
        }
    }
}
