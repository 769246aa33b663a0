//! Domineering: a sample bot in Rust. It weighs the board after each of its moves. Replace `choose` by your own idea.
//!
//! Build: rustc -O --edition 2021 sample.rs

use std::io::{self, BufRead, Write};

// ---- Board ---------------------------------------------------------------------------------------------------------

const MAX_SIDE: usize = 8;

#[derive(Clone, Copy, PartialEq)]
enum Player {
    /// Lays dominoes along a row.
    First,
    /// Lays dominoes along a column.
    Second,
}

/// Row and column, from 0, of a cell; a domino is named by its first one.
type Place = (usize, usize);

#[derive(Clone, Default)]
struct Board {
    rows: usize,
    columns: usize,
    weight: [[i32; MAX_SIDE]; MAX_SIDE],
    taken: [[bool; MAX_SIDE]; MAX_SIDE],
}

impl Player {
    fn other(self) -> Player {
        if self == Player::First { Player::Second } else { Player::First }
    }

    fn second_cell(self, (x, y): Place) -> Place {
        if self == Player::First { (x, y + 1) } else { (x + 1, y) }
    }
}

// ---- Rules ---------------------------------------------------------------------------------------------------------

impl Board {
    fn fits(&self, player: Player, (x, y): Place) -> bool {
        let (x2, y2) = player.second_cell((x, y));
        x2 < self.rows && y2 < self.columns && !self.taken[x][y] && !self.taken[x2][y2]
    }

    fn points(&self, player: Player, (x, y): Place) -> i32 {
        let (x2, y2) = player.second_cell((x, y));
        self.weight[x][y] + self.weight[x2][y2]
    }

    fn lay(&mut self, player: Player, (x, y): Place) {
        let (x2, y2) = player.second_cell((x, y));
        self.taken[x][y] = true;
        self.taken[x2][y2] = true;
    }
}

// ---- Choice --------------------------------------------------------------------------------------------------------

/// The points a player could still make if the other one laid no more dominoes. Dominoes of one player never cross
/// from line to line, so each line is solved alone: its first j+1 cells are worth what the first j are, or what the
/// first j-1 are and a domino on the last two.
fn prospects(board: &Board, player: Player) -> i32 {
    let (rows, columns) = (board.rows, board.columns);
    let (lines, length) = if player == Player::First { (rows, columns) } else { (columns, rows) };
    let mut sum = 0;
    for line in 0..lines {
        let (mut best, mut shorter) = (0, 0); // for the first j cells and the first j-1 cells
        for j in 1..length {
            let place = if player == Player::First { (line, j - 1) } else { (j - 1, line) };
            let with = if board.fits(player, place) { shorter + board.points(player, place) } else { 0 };
            (shorter, best) = (best, best.max(with));
        }
        sum += best;
    }
    sum
}

/// The place to play; none (a PASS) only when there is none. The clock, in milliseconds, is not needed here.
fn choose(board: &Board, me: Player, _my_time: i32) -> Option<Place> {
    let (mut best, mut best_value) = (None, i32::MIN);
    for place in (0..board.rows).flat_map(|x| (0..board.columns).map(move |y| (x, y))) {
        if board.fits(me, place) {
            let mut next = board.clone();
            next.lay(me, place);
            let value = board.points(me, place) + prospects(&next, me) - prospects(&next, me.other());
            if value > best_value {
                (best, best_value) = (Some(place), value);
            }
        }
    }
    best
}

// ---- Protocol: the board first, then one command a line; rows and columns count from 1; a PASS is -1 -1 -------------

fn main() -> io::Result<()> {
    let mut board = Board::default();
    let (mut me, mut mover) = (Player::First, Player::First);
    let mut output = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let numbers: Vec<i32> = words.iter().filter_map(|word| word.parse().ok()).collect();
        match words.first() {
            Some(&"READY") => {
                me = if words.contains(&"FIRST") { Player::First } else { Player::Second };
                writeln!(output, "OK")?;
            }
            Some(&"TURN") => match choose(&board, me, numbers[0]) {
                Some((x, y)) => {
                    board.lay(me, (x, y));
                    writeln!(output, "MOVE {} {}", x + 1, y + 1)?;
                }
                None => writeln!(output, "MOVE -1 -1")?,
            },
            Some(&"OPP") if numbers[0] > 0 => board.lay(me.other(), (numbers[0] as usize - 1, numbers[1] as usize - 1)),
            // A move made for us before READY.
            Some(&"OPENING") => {
                if numbers[0] > 0 {
                    board.lay(mover, (numbers[0] as usize - 1, numbers[1] as usize - 1));
                }
                mover = mover.other();
            }
            Some(&"FINISH") if std::env::var_os("AGON_STAY").is_none() => break,
            // The same program plays the next game, too.
            Some(&"FINISH") => (board, mover) = (Board::default(), Player::First),
            // A row of the board.
            _ if board.rows < MAX_SIDE && numbers.len() == words.len() => {
                board.columns = numbers.len();
                board.weight[board.rows][..numbers.len()].copy_from_slice(&numbers);
                board.rows += 1;
            }
            _ => {}
        }
        output.flush()?; // or the judge waits for an answer that never leaves this process
    }
    Ok(())
}
