//! Perft: counts lines of play without playing the last two plies.
//!
//! The count needs no table of positions, because it counts moves in bulk. All moves to one destination infect the same
//! cells, so the opponent's answers differ between them by at most the one cell that a leap empties. A count of answers
//! is a sum over pairs of a bacterium and an empty cell, so it follows from the parent's count by subtracting the pairs
//! of the infected bacteria and of the filled cell. That leaves one dilation for each destination.
//!
//! The caller must make sure that no line reaches the limit on plies.

use super::board::{BOARD, Cells, bit, dilate, neighbours, ring, size};

/// Returns the number of lines of `depth` plies with `own` to move against `opp`.
pub(super) fn lines(own: u64, opp: u64, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => one_ply(own, opp),
        2 => two_plies(own, opp),
        _ => {
            let empty = BOARD & !(own | opp);
            if own == 0 || opp == 0 || empty == 0 {
                return 0;
            }
            let near = dilate(own);
            let reach = dilate(near) & empty;
            if reach == 0 {
                return lines(opp, own, depth - 1);
            }
            let mut nodes = 0;
            for to in Cells(reach) {
                let infected = neighbours(to) & opp;
                let (grown, rest) = (own | infected | bit(to), opp ^ infected);
                if near & bit(to) != 0 {
                    nodes += lines(rest, grown, depth - 1);
                }
                for from in Cells(ring(to) & own) {
                    nodes += lines(rest, grown ^ bit(from), depth - 1);
                }
            }
            nodes
        }
    }
}

/// Returns the number of moves: divisions by destination, leaps by destination and source, or one forced pass.
fn one_ply(own: u64, opp: u64) -> u64 {
    let empty = BOARD & !(own | opp);
    if own == 0 || opp == 0 || empty == 0 {
        return 0;
    }
    u64::from(size(dilate(own) & empty) + leaps(own, empty)).max(1)
}

/// Returns the number of pairs of a cell in `own` and a cell in `empty` at distance 2.
#[inline]
fn leaps(own: u64, empty: u64) -> u32 {
    Cells(own).map(|from| size(ring(from) & empty)).sum()
}

/// Returns the number of lines of two plies: the sum of the opponent's answers to every move.
fn two_plies(own: u64, opp: u64) -> u64 {
    let empty = BOARD & !(own | opp);
    let near = dilate(own);
    let reach = dilate(near) & empty;
    if reach == 0 {
        // A pass, or the game is over.
        return one_ply(opp, own);
    }
    let around = dilate(opp);
    let before = leaps(opp, empty);

    // Replies that leap into the cell vacated by a leap, ignoring infection. Those of infected cells are subtracted
    // below, where the divisions into it are added.
    let mut nodes: u32 = Cells(own).map(|from| size(ring(from) & empty) * size(ring(from) & opp)).sum();

    for to in Cells(reach) {
        let infected = neighbours(to) & opp;
        let rest = opp ^ infected;
        let sources = ring(to) & own;
        let moves = u32::from(near & bit(to) != 0) + size(sources);
        // All answers except those that need the emptied cell.
        let mut answers = before - size(ring(to) & opp);
        let around = if infected == 0 { around } else { dilate(rest) };
        for cell in Cells(infected) {
            answers -= size(ring(cell) & empty);
            nodes -= size(ring(cell) & sources);
        }
        answers += size(around & empty & !bit(to));
        nodes += moves * answers + size(sources & around);
        if answers == 0 && rest != 0 {
            // Only the vacated cell may be empty: a side that cannot use it must pass, unless the board is full.
            let division = near & bit(to) != 0 && empty != bit(to);
            nodes += u32::from(division) + size(sources & !dilate(around));
        }
    }
    u64::from(nodes)
}
