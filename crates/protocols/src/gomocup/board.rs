//! Whole boards, line by line, in the order of play.

use agon_game::Side;
use agon_rules::renju::{Board, Move, Renju, StonesError};

use super::place;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardEntry {
    /// A stone; or a PASS, which some programs write as `-1,-1`.
    pub m: Move,
    /// True if it belongs to the engine.
    pub own: bool,
}

/// An invalid line of a board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}` is not a line of a board: X,Y,1 (own) or X,Y,2 (the opponent's) expected, X and Y each 0 to 14")]
pub struct BoardEntryError {
    pub text: String,
}

impl BoardEntry {
    /// Reads a line.
    ///
    /// # Errors
    /// [`BoardEntryError`] when it is not one; nor are the stones of a *continuous game*, `X,Y,3`.
    pub fn read(text: &str) -> Result<Self, BoardEntryError> {
        let read = || {
            let [x, y, field] = place::numbers(text)?;
            let m = match (x, y) {
                (-1, -1) => Move::Pass,
                _ => Move::Stone(place::read(&format!("{x},{y}")).ok()?),
            };
            match field {
                1 => Some(Self { m, own: true }),
                2 => Some(Self { m, own: false }),
                _ => None,
            }
        };
        read().ok_or_else(|| BoardEntryError { text: text.to_owned() })
    }

    pub fn write(self) -> String {
        let place = self.m.point().map_or_else(|| "-1,-1".to_owned(), place::write);
        format!("{place},{}", if self.own { 1 } else { 2 })
    }
}

/// The moves of a game that a board shows. The first line is Black's; a side whose line is missing when it was to move
/// has passed.
pub fn moves(entries: &[BoardEntry]) -> Vec<Move> {
    let own_is_black = entries.first().is_none_or(|entry| entry.own);
    let mut moves = Vec::new();
    for entry in entries {
        let black = entry.own == own_is_black;
        if black != is_blacks(moves.len()) {
            moves.push(Move::Pass);
        }
        moves.push(entry.m);
    }
    moves
}

/// The same if the engine is to move afterwards: if it made the last move, its opponent has passed.
pub fn moves_before_own(entries: &[BoardEntry]) -> Vec<Move> {
    let mut moves = moves(entries);
    if entries.last().is_some_and(|last| last.own) {
        moves.push(Move::Pass);
    }
    moves
}

/// The lines of a board for the side that is to move after these moves; a PASS has none.
pub fn entries(moves: &[Move]) -> impl Iterator<Item = BoardEntry> + '_ {
    let own = |number: usize| number % 2 == moves.len() % 2;
    moves
        .iter()
        .enumerate()
        .filter(|(_, m)| m.point().is_some())
        .map(move |(number, &m)| BoardEntry { m, own: own(number) })
}

/// The position after these moves, wherever they were played.
///
/// # Errors
/// [`StonesError`] when two stones share a point, or both sides have won.
pub fn position(moves: &[Move]) -> Result<Renju, StonesError> {
    let mut board = Board::EMPTY;
    for (number, m) in moves.iter().enumerate() {
        if let Some(point) = m.point() {
            if board.owner(point).is_some() {
                return Err(StonesError::Taken { point });
            }
            board.place(point, if is_blacks(number) { Side::First } else { Side::Second });
        }
    }
    let turn = if is_blacks(moves.len()) { Side::First } else { Side::Second };
    let passes = moves.iter().rev().take_while(|&&m| m == Move::Pass).count();
    Renju::new(board, turn, u8::try_from(passes).unwrap_or(u8::MAX), moves.len() as u32)
}

/// Returns true if the move with this number, from 0, is Black's.
const fn is_blacks(number: usize) -> bool {
    number.is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_game::Position;

    #[test]
    fn lines_read_back() {
        for text in ["0,0,1", "14,7,2", "-1,-1,2"] {
            assert_eq!(BoardEntry::read(text).unwrap().write(), text);
        }
        for text in ["", "1,2", "1,2,0", "1,2,3", "15,0,1", "-1,0,1", "1,2,1,1", "DONE"] {
            assert_eq!(BoardEntry::read(text), Err(BoardEntryError { text: text.to_owned() }));
        }
    }

    #[test]
    fn a_side_that_is_missing_has_passed() {
        let check = |lines: &[&str], played: &str| {
            let entries: Vec<BoardEntry> = lines.iter().map(|line| BoardEntry::read(line).unwrap()).collect();
            let moves = moves_before_own(&entries);
            let letters: Vec<String> = moves.iter().map(|m| m.letters()).collect();
            assert_eq!(letters.join(" "), played, "{lines:?}");
            assert_eq!(position(&moves).unwrap().ply() as usize, moves.len());
            let stones: Vec<BoardEntry> = entries.into_iter().filter(|entry| entry.m != Move::Pass).collect();
            assert_eq!(super::entries(&moves).collect::<Vec<_>>(), stones, "{lines:?}");
        };
        check(&[], "");
        check(&["7,7,2"], "H8");
        check(&["7,7,1", "8,8,2"], "H8 I7");
        check(&["7,7,1", "8,8,2", "6,6,1"], "H8 I7 G9 PASS");
        check(&["7,7,1", "6,6,1", "5,5,2"], "H8 PASS G9 F10");
        check(&["7,7,2", "6,6,2"], "H8 PASS G9");
        check(&["7,7,1", "-1,-1,2"], "H8 PASS");
    }

    #[test]
    fn stones_that_are_no_position_are_refused() {
        let stone = |text: &str| Move::from_letters(text).unwrap();
        assert!(matches!(position(&[stone("H8"), stone("H8")]), Err(StonesError::Taken { .. })));
        assert!(position(&[Move::Pass; 5]).is_err());
        // ALPHANO's bounds do not hold in other arenas.
        assert!(position(&[stone("A1"), stone("O15"), stone("B9")]).is_ok());
    }
}
