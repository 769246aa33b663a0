//! What a referee, a record and a reader see of a position.

use agon_game::{Cell, GridStyle, Mark, Outcome, Position, Show, Side, View};

use super::notation::glyph;
use super::point::Points;
use super::position::name;
use super::{Move, Point, Renju, SIZE};

/// Rows and columns of the five dots printed on a board: the centre and the corners of a square around it.
const STARS: [(u8, u8); 5] = [(4, 4), (4, 12), (8, 8), (12, 4), (12, 12)];

impl Show for Renju {
    const SEATS: [&'static str; 2] = [name(Side::First), name(Side::Second)];

    const LETTERS_IN_RECORDS: bool = true;

    const WRITTEN: &'static str = "a point such as H8, PASS, or the judge's `8 8`";

    fn letters(m: Move) -> String {
        m.letters()
    }

    fn read_letters(&self, text: &str) -> Option<Move> {
        Move::from_letters(text).ok()
    }

    fn end_reason(&self) -> Option<String> {
        match self.outcome()? {
            Outcome::Draw => Some("both players have passed one after the other".to_owned()),
            Outcome::Win(side) => self.board().winning_row(side).map(|row| {
                let made = if row.length == 5 { "a five" } else { "an overline" };
                format!(
                    "{} has made {made} on the {} from {} to {}",
                    name(side),
                    row.direction,
                    row.first.both(),
                    row.last.both()
                )
            }),
        }
    }

    /// Marks the star points that are empty and, when Black is to move, the points that are forbidden.
    fn view(&self) -> View {
        let bound = self.outcome().is_none() && self.turn() == Side::First;
        let forbidden = if bound { self.forbidden_points() } else { Points::default() };
        let cells = Point::all()
            .map(|point| {
                let owner = self.board().owner(point);
                let star = owner.is_none() && STARS.contains(&(point.row(), point.column()));
                let mark = if forbidden.contains(point) { Some(Mark::Forbidden) } else { star.then_some(Mark::Star) };
                Cell { owner, glyph: glyph(owner), mark, ..Cell::default() }
            })
            .collect();
        View {
            seats: Self::SEATS,
            rows: SIZE,
            columns: SIZE,
            origin: 1,
            first_letter: Some('A'),
            grid: GridStyle::Crossings,
            cells,
            gauges: Vec::new(),
        }
    }
}
