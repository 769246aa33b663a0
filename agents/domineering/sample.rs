//! Domineering: a sample bot in Rust. It looks ahead while its time lasts. Replace `choose` by your own idea.
//! Build: rustc -O --edition 2021 sample.rs
use std::io;
use std::time::{Duration, Instant};

// ---- Board ---------------------------------------------------------------------------------------------------------
// Each player lays dominoes along lines of his own: FIRST the rows, SECOND the columns.

const FIRST: usize = 0;
const SECOND: usize = 1;
const MAX_SIDE: usize = 8;

type Place = (usize, usize); // a line, and the index of the domino's first cell on it, from 0

#[derive(Clone, Default)]
struct Board {
    mover: usize,
    size: [usize; 2], // how many lines each player has; they are as long as the other one has lines
    weight: [[[i32; MAX_SIDE]; MAX_SIDE]; 2], // for each player, the numbers on each of his lines
    taken: [[u32; MAX_SIDE]; 2], // bit i of a line is set if its cell i is taken
}

// ---- Rules ---------------------------------------------------------------------------------------------------------

impl Board {
    /// The points of a domino, if it fits.
    fn points(&self, player: usize, (line, i): Place) -> Option<i32> {
        let weight = self.weight[player][line];
        (self.taken[player][line] >> i & 3 == 0).then(|| weight[i] + weight[i + 1])
    }

    fn after(&self, place: Option<Place>) -> Board {
        let foe = 1 - self.mover;
        let mut next = Board { mover: foe, ..self.clone() };
        if let Some((line, i)) = place {
            next.taken[self.mover][line] |= 3 << i;
            next.taken[foe][i] |= 1 << line;
            next.taken[foe][i + 1] |= 1 << line;
        }
        next
    }
}

// ---- Choice --------------------------------------------------------------------------------------------------------

const SHARE: u32 = 10; // a move may take a tenth of the time left,
const RESERVE: u64 = 100; // but for the last 100 milliseconds
const MAX_DEPTH: i32 = 64; // moves to look ahead; a bot with a small number repeats its games
const INFINITY: i32 = 1_000_000;

/// The points a player could still make if the other one laid no more dominoes. Dominoes of one player never cross
/// from line to line, so each line is solved alone: its first j+1 cells are worth what the first j are, or what the
/// first j-1 are and a domino on the last two.
fn prospects(board: &Board, player: usize) -> i32 {
    let solve = |line| {
        let (mut best, mut shorter) = (0, 0); // for the first j cells and the first j-1 cells
        for place in (1..board.size[1 - player]).map(|j| (line, j - 1)) {
            let with = board.points(player, place).map_or(0, |points| shorter + points);
            (shorter, best) = (best, best.max(with));
        }
        best
    };
    (0..board.size[player]).map(solve).sum()
}

/// All moves as (value, points, place), the highest value first: that of the board after the move, and the points.
fn list_moves(board: &Board) -> Vec<(i32, i32, Place)> {
    let (me, foe) = (board.mover, 1 - board.mover);
    let places = (0..board.size[me]).flat_map(|line| (1..board.size[foe]).map(move |j| (line, j - 1)));
    let value = |place| {
        let (gain, next) = (board.points(me, place)?, board.after(Some(place)));
        Some((gain + prospects(&next, me) - prospects(&next, foe), gain, place))
    };
    let mut moves: Vec<_> = places.filter_map(value).collect();
    moves.sort_by_key(|&(value, ..)| -value); // equals stay in their order
    moves
}

/// The points that the player to move can still gain on the other one (negamax with alpha-beta); none if out of time.
fn search(board: &Board, depth: i32, mut alpha: i32, beta: i32, deadline: Instant) -> Option<i32> {
    deadline.checked_duration_since(Instant::now())?;
    let moves = list_moves(board);
    if moves.is_empty() || depth == 1 {
        // Without a move, the other player lays all the dominoes that fit.
        return Some(moves.first().map_or_else(|| -prospects(board, 1 - board.mover), |&(value, ..)| value));
    }
    for (_, gain, place) in moves {
        let next = board.after(Some(place));
        alpha = alpha.max(gain - search(&next, depth - 1, gain - beta, gain - alpha, deadline)?);
        if alpha >= beta {
            break;
        }
    }
    Some(alpha)
}

/// The place to play; none (a PASS) only when there is none. `my_time`, in milliseconds, is left for the whole game.
fn choose(board: &Board, my_time: u64) -> Option<Place> {
    let deadline = Instant::now() + Duration::from_millis(my_time.saturating_sub(RESERVE)) / SHARE;
    let mut moves = list_moves(board);
    'search: for depth in 1..if moves.len() > 1 { MAX_DEPTH } else { 1 } {
        let (mut best, mut alpha) = (0, -INFINITY);
        for (index, &(_, gain, place)) in moves.iter().enumerate() {
            let next = board.after(Some(place));
            let Some(reply) = search(&next, depth, -INFINITY, gain - alpha, deadline) else { break 'search };
            if gain - reply > alpha {
                (best, alpha) = (index, gain - reply);
            }
        }
        moves[..=best].rotate_right(1); // the next iteration tries it first
    }
    moves.first().map(|&(.., place)| place)
}

// ---- Protocol: the board first, then one command a line; rows and columns count from 1; a PASS is -1 -1 -------------

fn main() {
    let mut board = Board::default();
    for text in io::stdin().lines().map_while(Result::ok) {
        let numbers: Vec<i32> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        match text.split_whitespace().next() {
            Some("READY") => println!("OK"), // and flushes it; FIRST or SECOND, which follows from the moves as well
            Some("TURN") => {
                let place = choose(&board, numbers[0] as u64);
                match place {
                    Some((line, i)) if board.mover == FIRST => println!("MOVE {} {}", line + 1, i + 1),
                    Some((line, i)) => println!("MOVE {} {}", i + 1, line + 1),
                    None => println!("MOVE -1 -1"),
                }
                board = board.after(place);
            }
            // OPENING: a move made for us before READY.
            Some("OPP" | "OPENING") => {
                let place = (numbers[0] > 0).then(|| (numbers[0] as usize - 1, numbers[1] as usize - 1));
                board = board.after(place.map(|(x, y)| if board.mover == FIRST { (x, y) } else { (y, x) }));
            }
            Some("FINISH") if std::env::var_os("AGON_STAY").is_none() => break,
            Some("FINISH") => board = Board::default(), // the same program plays the next game, too
            _ => {
                // A row of the board.
                let x = board.size[FIRST];
                for (y, &number) in numbers.iter().enumerate() {
                    board.weight[FIRST][x][y] = number;
                    board.weight[SECOND][y][x] = number;
                }
                board.size = [x + 1, numbers.len()];
            }
        }
    }
}
