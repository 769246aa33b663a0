//! Bacteria War: a sample bot in Rust. Greedy with one reply looked ahead. Replace `choose` by your own idea.
//!
//! Build: rustc -O --edition 2021 sample.rs

use std::io::{self, BufRead, Write};

// ---- Board ---------------------------------------------------------------------------------------------------------

/// A set of cells: bit 7 * row + column (both from 0) is one cell.
type Cells = u64;

/// A board, seen by the player to move.
#[derive(Clone, Copy)]
struct Board {
    own: Cells,
    foe: Cells,
}

/// A move from a cell to a cell, each 0..49; no move is a PASS.
type Move = Option<(usize, usize)>;

const SIDE: usize = 7;
const AREA: usize = SIDE * SIDE;
const FULL: Cells = (1 << AREA) - 1;
const BEST: i32 = 1_000_000;

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

impl Board {
    /// All moves but PASS. Divisions to one cell all have the same effect: the first one stands for all.
    fn moves(self) -> Vec<Move> {
        let mut moves = Vec::new();
        for to in (0..AREA).filter(|to| (self.own | self.foe) >> to & 1 == 0) {
            let division = NEAR[to] & self.own;
            if division != 0 {
                moves.push(Some((division.trailing_zeros() as usize, to)));
            }
            let mut leap = FAR[to] & self.own;
            while leap != 0 {
                moves.push(Some((leap.trailing_zeros() as usize, to)));
                leap &= leap - 1;
            }
        }
        moves
    }

    /// The board after a move, still seen by the player who made it.
    fn after(self, m: Move) -> Board {
        let Some((from, to)) = m else { return self };
        let infected = self.foe & NEAR[to];
        let source = FAR[to] & 1 << from; // a leap empties its source
        Board { own: (self.own | infected | 1 << to) & !source, foe: self.foe & !infected }
    }

    fn turned(self) -> Board {
        Board { own: self.foe, foe: self.own }
    }
}

// ---- Choice --------------------------------------------------------------------------------------------------------

/// What the player to move can reach in `depth` moves: own cells minus foe cells (negamax with alpha-beta).
fn value(board: Board, depth: u32, mut alpha: i32, beta: i32) -> i32 {
    let lead = board.own.count_ones() as i32 - board.foe.count_ones() as i32;
    if board.own == 0 || board.foe == 0 || board.own | board.foe == FULL {
        return 100 * lead; // the game is over
    }
    if depth == 0 {
        return lead;
    }
    let mut moves = board.moves();
    if moves.is_empty() {
        moves.push(None);
    }
    for m in moves {
        alpha = alpha.max(-value(board.after(m).turned(), depth - 1, -beta, -alpha));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// The move to play; `my_time` is what is left of the clock for the whole game, in milliseconds.
fn choose(board: Board, my_time: i32) -> Move {
    let depth = if my_time > 1000 { 2 } else { 1 }; // my move and one reply; hurry when time runs out
    let (mut best, mut best_value) = (None, -BEST);
    for m in board.moves() {
        let v = -value(board.after(m).turned(), depth - 1, -BEST, -best_value);
        if v > best_value {
            (best, best_value) = (m, v);
        }
    }
    best
}

// ---- Protocol: one command a line; rows and columns count from 1; a PASS is -1 -1 -1 -1 ---------------------------

fn main() -> io::Result<()> {
    // The first player, who moves, has (1,1) and (7,7).
    const START: Board = Board { own: 1 | 1 << 48, foe: 1 << 6 | 1 << 42 };
    let (mut board, mut first_moves) = (START, true);
    let mut output = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let numbers: Vec<i32> = words.iter().skip(1).filter_map(|word| word.parse().ok()).collect();
        match words.first() {
            Some(&"READY") => {
                if words.contains(&"FIRST") != first_moves {
                    board = board.turned(); // from here on as I see it
                }
                writeln!(output, "OK")?;
            }
            Some(&"TURN") => {
                let m = choose(board, numbers[0]);
                board = board.after(m);
                match m {
                    Some((a, b)) => writeln!(output, "MOVE {} {} {} {}", a / 7 + 1, a % 7 + 1, b / 7 + 1, b % 7 + 1)?,
                    None => writeln!(output, "MOVE -1 -1 -1 -1")?,
                }
            }
            Some(&(command @ ("OPP" | "OPENING"))) => {
                let cell = |x: i32, y: i32| (7 * (x - 1) + y - 1) as usize;
                let m = (numbers[0] > 0).then(|| (cell(numbers[0], numbers[1]), cell(numbers[2], numbers[3])));
                if command == "OPP" {
                    board = board.turned().after(m).turned();
                } else {
                    // A move made for us before READY.
                    board = board.after(m).turned();
                    first_moves = !first_moves;
                }
            }
            Some(&"POSITION") => {
                // Where the game begins; x moves first.
                let (mut cells, mut cell) = ([0; 2], 0);
                for c in words[1].chars() {
                    match c {
                        'x' | 'o' => {
                            cells[usize::from(c == 'o')] |= 1 << cell;
                            cell += 1;
                        }
                        '/' => {}
                        _ => cell += c.to_digit(10).unwrap_or(0),
                    }
                }
                first_moves = words[2] == "x";
                board = Board { own: cells[0], foe: cells[1] };
                if !first_moves {
                    board = board.turned();
                }
            }
            Some(&"FINISH") if std::env::var_os("AGON_STAY").is_none() => break,
            // The same program plays the next game, too.
            Some(&"FINISH") => (board, first_moves) = (START, true),
            _ => {}
        }
        output.flush()?; // or the judge waits for an answer that never leaves this process
    }
    Ok(())
}
