//! Positions to test with.

use agon_game::Position;
use agon_game::seed::Stream;
use agon_rules::bacteria::board::{BOARD, CELLS, bit};
use agon_rules::bacteria::{Bacteria, Move};

/// Openings, forced passes, single bacteria, a board one cell short of full, one that is full.
pub const FENS: [&str; 10] = [
    "x5o/7/7/7/7/7/o5x x 0 1",
    "x5o/7/7/7/7/7/o5x o 0 1",
    "7/7/7/7/ooooooo/ooooooo/xxxxxxx x 0 1",
    "7/7/7/2x1o2/7/7/7 o 0 7",
    "x6/7/7/7/7/7/6o x 0 1",
    "xxxxxxx/xxxxxxx/xxxxxxx/xxx1ooo/ooooooo/ooooooo/ooooooo o 0 1",
    "1oooooo/ooooooo/ooooooo/ooooooo/ooooooo/oooxxxx/xxxxxxx x 0 1",
    "oo5/ooo4/ooooooo/ooooooo/ooooooo/ooooooo/xoooooo x 0 1",
    "xxxxxxx/xxxxxxx/xxxxxxx/xxxxooo/ooooooo/ooooooo/ooooooo x 0 1",
    "7/7/7/2xxx2/7/7/7 o 0 1",
];

pub fn dish(fen: &str) -> Bacteria {
    fen.parse().unwrap_or_else(|error| panic!("`{fen}`: {error}"))
}

pub fn legal_moves(position: &Bacteria) -> Vec<Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

pub fn after(position: &Bacteria, m: Move) -> Bacteria {
    let mut next = position.clone();
    next.play_unchecked(m, &mut ());
    next
}

/// A board filled at random, from nearly empty to nearly full, with a random share of it for either side.
pub fn random_dish(stream: &mut Stream) -> Bacteria {
    let (filled, first) = (stream.below(CELLS + 1), stream.below(CELLS + 1));
    let mut cells = [0; 2];
    for cell in 0..CELLS {
        if stream.below(CELLS) < filled {
            cells[usize::from(stream.below(CELLS) >= first)] |= bit(cell);
        }
    }
    assert_eq!((cells[0] | cells[1]) & !BOARD, 0);
    Bacteria::from_cells(cells, stream.below(2) as u16).expect("each cell is drawn once")
}
