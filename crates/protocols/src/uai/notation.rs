//! Moves as Ataxx programs write them.
//!
//! Cells are named as in [`agon_rules::bacteria::notation`]. A division is its destination only.

use agon_game::{MoveError, Position};
use agon_rules::bacteria::notation::{parse_cell, read_letters};
use agon_rules::bacteria::{Bacteria, Move};

pub use agon_rules::bacteria::notation::write_uai as write;

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotationError {
    #[error("`{text}` is not a move: `g1` to divide, `g1f3` to leap or `0000` to pass expected")]
    Malformed { text: String },
    #[error("`{text}` is illegal: nothing divides to there")]
    Unreachable { text: String },
    #[error("`{text}` is illegal: {reason}")]
    Illegal { text: String, reason: MoveError },
}

/// The move that a text means here, whether it is legal or not: of a division the first source that there is.
///
/// # Errors
/// [`NotationError::Malformed`], and [`NotationError::Unreachable`] for a division without a source.
pub fn read(position: &Bacteria, text: &str) -> Result<Move, NotationError> {
    read_letters(position, text).ok_or_else(|| {
        let cell = match text.as_bytes() {
            [_, b'@', ..] if text.len() == 4 => text.get(2..),
            _ => Some(text),
        };
        match cell.and_then(parse_cell) {
            Some(_) => NotationError::Unreachable { text: text.to_owned() },
            None => NotationError::Malformed { text: text.to_owned() },
        }
    })
}

/// The legal move that a text means here.
///
/// # Errors
/// [`NotationError`] with the error in it.
///
/// ```
/// use agon_protocols::uai::notation::find;
/// use agon_rules::bacteria::Bacteria;
/// let dish = Bacteria::start();
/// assert_eq!(find(&dish, "g1f3")?.to_string(), "7 7 5 6");
/// assert_eq!(find(&dish, "b7")?.to_string(), "1 1 1 2");
/// assert!(find(&dish, "d4").is_err());
/// # Ok::<(), agon_protocols::uai::notation::NotationError>(())
/// ```
pub fn find(position: &Bacteria, text: &str) -> Result<Move, NotationError> {
    let m = read(position, text)?;
    position.read_move(&m.to_string()).map_err(|reason| NotationError::Illegal { text: text.to_owned(), reason })
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_game::seed::Stream;

    #[test]
    fn every_legal_move_reads_back() {
        for game in 0..20 {
            let mut stream = Stream::new(game, "uai");
            let mut dish = Bacteria::start();
            while dish.outcome().is_none() {
                let mut moves = Vec::new();
                dish.legal_moves(&mut moves);
                for &m in &moves {
                    assert_eq!(find(&dish, &write(m)), Ok(m), "{dish}");
                }
                dish.play_unchecked(moves[stream.below(moves.len())], &mut ());
            }
        }
    }

    #[test]
    fn what_is_no_move_is_refused() {
        let dish = Bacteria::start();
        let check = |text: &str, expected: &str| {
            let error = find(&dish, text).expect_err(text).to_string();
            assert!(error.contains(expected), "`{expected}` is not in: {error}");
        };
        for text in ["", "g", "g1f", "h1", "g0", "g8", "0001", "(none)", "g1f3x", "é1", "1g", "🦠"] {
            check(text, "is not a move");
        }
        check("d4", "`d4` is illegal: nothing divides to there");
        check("d1d2", "is illegal: d1 (7,4) holds no bacterium of yours");
        check("0000", "`0000` is illegal: PASS is legal only when nothing else is");
        check("g1g4", "distance 3");
        check("g1g1", "cannot move to itself");
        // Some engines also name the source of a division.
        assert_eq!(find(&dish, "G1F2").unwrap().to_string(), "7 7 6 6");
        // And Fairy-Stockfish writes a division as a drop.
        assert_eq!(find(&dish, "P@f2"), find(&dish, "f2"));
    }
}
