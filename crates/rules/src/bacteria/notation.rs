//! The judge's notation: `x1 y1 x2 y2`, rows and columns from 1, and `-1 -1 -1 -1` for PASS.

use agon_game::position::read_numbers;
use agon_game::{MoveError, Position, Side};

use super::board::{WIDTH, bit, distance};
use super::letters::name;
use super::{Bacteria, Move};

/// The cell in this row and column from 1, if they are on the board.
fn cell(x: i32, y: i32) -> Option<usize> {
    let index = |n: i32| usize::try_from(n).ok()?.checked_sub(1).filter(|&n| n < WIDTH);
    Some(index(x)? * WIDTH + index(y)?)
}

/// Reads a move and proves it legal in `position`.
pub(super) fn read(position: &Bacteria, text: &str) -> Result<Move, MoveError> {
    if position.is_over() {
        return Err(MoveError::Over { text: text.to_owned() });
    }
    let numbers = read_numbers::<4>(text, "four whole numbers x1 y1 x2 y2")?;
    prove(position, numbers).map_err(|mut reason| {
        if position.within_two() == 0 {
            reason.push_str("; the only legal move is PASS, -1 -1 -1 -1");
        }
        MoveError::illegal(text, reason)
    })
}

/// The move that the numbers mean, or the rule they break. The game is not over.
fn prove(position: &Bacteria, [x1, y1, x2, y2]: [i32; 4]) -> Result<Move, String> {
    if [x1, y1, x2, y2] == [-1; 4] {
        return match position.within_two() {
            0 => Ok(Move::PASS),
            _ => Err(match position.count_moves() {
                1 => "PASS is legal only when nothing else is: 1 move is".to_owned(),
                n => format!("PASS is legal only when nothing else is: {n} moves are"),
            }),
        };
    }
    let on_board = |x, y| cell(x, y).ok_or_else(|| format!("({x},{y}) is outside the board"));
    let (from, to) = (on_board(x1, y1)?, on_board(x2, y2)?);
    // As the board is labelled, and as the program has written it.
    let both = |cell, x, y| format!("{} ({x},{y})", name(cell));
    let (source, destination) = (|| both(from, x1, y1), || both(to, x2, y2));
    let mover = position.turn();
    let owner = |cell| Side::BOTH.into_iter().find(|&side| position.cells(side) & bit(cell) != 0);
    match owner(from) {
        Some(side) if side == mover => {}
        Some(_) => return Err(format!("{} holds no bacterium of yours: it is the opponent's", source())),
        None => return Err(format!("{} holds no bacterium of yours: it is empty", source())),
    }
    match distance(from, to) {
        0 => return Err(format!("{} cannot move to itself: a division goes 1 far and a leap 2", source())),
        1 | 2 => {}
        far => return Err(format!("distance {far} is neither a division nor a leap")),
    }
    match owner(to) {
        None => Ok(Move::new(from, to)),
        Some(side) if side == mover => Err(format!("{} is not empty: it is yours", destination())),
        Some(_) => Err(format!("{} is not empty: it is the opponent's", destination())),
    }
}
