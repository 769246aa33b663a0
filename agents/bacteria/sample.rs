//! Bacteria War: a sample bot in Rust. It looks ahead while its time lasts. Replace `choose` by your own idea.
//! Build: rustc -O --edition 2021 sample.rs
use std::io;
use std::time::{Duration, Instant};

// ---- Board ---------------------------------------------------------------------------------------------------------

type Cells = u64; // a set: bit 7 * row + column (both from 0) is one cell
type Board = (Cells, Cells); // own cells and the other's, seen by the player to move
type Move = Option<(usize, usize)>; // from a cell to a cell, each 0..49; no move is a PASS

const SIDE: usize = 7;
const AREA: usize = SIDE * SIDE;
const FULL: Cells = (1 << AREA) - 1;
const INFINITY: i32 = 1_000_000;

/// For every cell, the cells at distance 1 (a division comes from there, an infection goes there).
const NEAR: [Cells; AREA] = at_distance(1);
/// For every cell, the cells at distance 2 (a leap comes from there).
const FAR: [Cells; AREA] = at_distance(2);

const fn at_distance(wanted: usize) -> [Cells; AREA] {
    let mut result = [0; AREA];
    let mut pair = 0;
    while pair < AREA * AREA {
        let (a, b) = (pair / AREA, pair % AREA);
        let (rows, columns) = ((a / SIDE).abs_diff(b / SIDE), (a % SIDE).abs_diff(b % SIDE));
        if wanted == if rows > columns { rows } else { columns } {
            result[a] |= 1 << b;
        }
        pair += 1;
    }
    result
}

// ---- Rules ---------------------------------------------------------------------------------------------------------

/// All moves, the one that gains most first. Divisions to one cell all have the same effect: one stands for all.
fn list_moves((own, foe): Board) -> Vec<Move> {
    let mut moves = Vec::new();
    for to in (0..AREA).filter(|to| (own | foe) >> to & 1 == 0) {
        let gain = 2 * (foe & NEAR[to]).count_ones() as i32;
        let division = (0..AREA).find(|from| NEAR[to] & own & 1 << from != 0);
        let leaps = (0..AREA).filter(|from| FAR[to] & own & 1 << from != 0);
        moves.extend(division.map(|from| (gain + 1, Some((from, to)))));
        moves.extend(leaps.map(|from| (gain, Some((from, to)))));
    }
    moves.sort_by_key(|&(gain, _)| -gain); // equals stay in their order
    if moves.is_empty() {
        vec![None]
    } else {
        moves.into_iter().map(|(_, m)| m).collect()
    }
}

/// The board after a move, seen by the other player.
fn after((own, foe): Board, m: Move) -> Board {
    let Some((from, to)) = m else { return (foe, own) };
    let infected = foe & NEAR[to];
    let source = FAR[to] & 1 << from; // a leap empties its source
    (foe & !infected, (own | infected | 1 << to) & !source)
}

// ---- Choice --------------------------------------------------------------------------------------------------------

const SHARE: u32 = 30; // a move may take a thirtieth of the time left,
const RESERVE: u64 = 100; // but for the last 100 milliseconds
const MAX_DEPTH: u32 = 64; // moves to look ahead; a bot with a small number repeats its games

/// What the player to move can reach in `depth` moves: own cells minus foe cells (negamax with alpha-beta);
/// none if out of time.
fn search(board: Board, depth: u32, mut alpha: i32, beta: i32, deadline: Instant) -> Option<i32> {
    let (own, foe) = board;
    let lead = own.count_ones() as i32 - foe.count_ones() as i32;
    if own == 0 || foe == 0 || own | foe == FULL {
        return Some(100 * lead); // the game is over
    }
    if depth == 0 {
        return Some(lead);
    }
    deadline.checked_duration_since(Instant::now())?;
    let mut moves = list_moves(board);
    moves.truncate(if depth == 1 { 1 } else { moves.len() }); // the last move is the one that gains most
    for m in moves {
        alpha = alpha.max(-search(after(board, m), depth - 1, -beta, -alpha, deadline)?);
        if alpha >= beta {
            break;
        }
    }
    Some(alpha)
}

/// The move to play; `my_time` is what is left of the clock for the whole game, in milliseconds.
fn choose(board: Board, my_time: u64) -> Move {
    let deadline = Instant::now() + Duration::from_millis(my_time.saturating_sub(RESERVE)) / SHARE;
    let mut moves = list_moves(board);
    'search: for depth in 1..if moves.len() > 1 { MAX_DEPTH } else { 1 } {
        let (mut best, mut alpha) = (0, -INFINITY);
        for (index, &m) in moves.iter().enumerate() {
            let Some(reply) = search(after(board, m), depth, -INFINITY, -alpha, deadline) else { break 'search };
            if -reply > alpha {
                (best, alpha) = (index, -reply);
            }
        }
        moves[..=best].rotate_right(1); // the next iteration tries it first
    }
    moves[0]
}

// ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 ---------------------------

fn main() {
    // The first player, who moves, has (1,1) and (7,7).
    const START: Board = (1 | 1 << 48, 1 << 6 | 1 << 42);
    let mut board = START;
    for line in io::stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let numbers: Vec<i32> = words.iter().skip(1).filter_map(|word| word.parse().ok()).collect();
        match words.first() {
            Some(&"READY") => println!("OK"), // and flushes it; FIRST or SECOND follows from the moves as well
            Some(&"TURN") => {
                let m = choose(board, numbers[0] as u64);
                match m {
                    Some((a, b)) => println!("MOVE {} {} {} {}", a / 7 + 1, a % 7 + 1, b / 7 + 1, b % 7 + 1),
                    None => println!("MOVE -1 -1 -1 -1"),
                }
                board = after(board, m);
            }
            // OPENING: a move made for us before READY.
            Some(&"OPP" | &"OPENING") => {
                let cell = |x: i32, y: i32| (7 * (x - 1) + y - 1) as usize;
                let m = (numbers[0] > 0).then(|| (cell(numbers[0], numbers[1]), cell(numbers[2], numbers[3])));
                board = after(board, m);
            }
            // Where the game begins: rows of x, o and numbers of empty cells; x moves first.
            Some(&"POSITION") => {
                let (mut sets, mut cell) = ((0, 0), 0);
                for c in words[1].chars().filter(|&c| c != '/') {
                    sets.0 |= Cells::from(c == 'x') << cell;
                    sets.1 |= Cells::from(c == 'o') << cell;
                    cell += c.to_digit(10).unwrap_or(1);
                }
                board = if words[2] == "x" { sets } else { (sets.1, sets.0) };
            }
            Some(&"FINISH") if std::env::var_os("AGON_STAY").is_none() => break,
            Some(&"FINISH") => board = START, // the same program plays the next game, too
            _ => {}
        }
    }
}
