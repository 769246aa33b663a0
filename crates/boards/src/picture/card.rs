//! A game as a card: its board, who plays, and the result, for other sites and messengers.

use tiny_skia::{FillRule, PathBuilder, Transform};

use super::letters::{Letters, Weight};
use super::png::{HEIGHT, MARGIN, WIDTH, blank, colour, ink, ring};
use super::shapes::{Paint, Picture};
use agon_game::Side;

/// A player on a card.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardSeat {
    pub name: String,
    /// Whose it is, its rating; may be empty.
    pub detail: String,
    /// Its points in the result; empty before it.
    pub points: String,
    pub won: bool,
}

/// A game as a card.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameCard {
    /// Where it was played.
    pub title: String,
    pub seats: [CardSeat; 2],
    /// How it ended.
    pub ending: String,
}

/// White, and a fainter one.
const BRIGHT: [u8; 3] = [0xf4, 0xf2, 0xec];
const FAINT: [u8; 3] = [0xa3, 0xab, 0xb8];

/// The widest board; the words need the rest.
const BOARD_WIDTH: f32 = 600.0;

/// Between the board and the words.
const GAP: f32 = 44.0;

/// The radius of the chip before a name.
const CHIP: f32 = 17.0;

impl GameCard {
    /// The card as a PNG file of the size of [`Picture::png`]; `None` if it cannot be written.
    pub fn png(&self, board: &Picture) -> Option<Vec<u8>> {
        let mut pixmap = blank()?;
        let high = HEIGHT as f32;
        let scale = (BOARD_WIDTH / board.width).min((high - 2.0 * MARGIN) / board.height);
        board.paint(&mut pixmap, scale, [MARGIN, (high - board.height * scale) / 2.0]);
        let [left, right] = [MARGIN + board.width * scale + GAP, WIDTH as f32 - MARGIN];
        let (small, name, points) = (
            Letters::new(27.0, Weight::Regular),
            Letters::new(44.0, Weight::Strong),
            Letters::new(60.0, Weight::Strong),
        );
        small.write(&mut pixmap, &small.fitted(&self.title, right - left), [left, 86.0], FAINT);
        for (seat, base, side) in [(&self.seats[0], 226.0, Side::First), (&self.seats[1], 356.0, Side::Second)] {
            let paint = if board.crossings { Paint::Stone(side) } else { Paint::Side(side) };
            for (radius, colour) in [(CHIP + 2.0, FAINT), (CHIP, colour(paint))] {
                let circle = PathBuilder::from_circle(left + CHIP + 2.0, base - 15.0, radius)?;
                pixmap.fill_path(&circle, &ink(colour), FillRule::Winding, Transform::identity(), None);
            }
            let (text, end) = (left + 2.0 * CHIP + 22.0, right - points.width(&seat.points) - 18.0);
            name.write(&mut pixmap, &name.fitted(&seat.name, end - text), [text, base], BRIGHT);
            small.write(&mut pixmap, &small.fitted(&seat.detail, end - text), [text, base + 42.0], FAINT);
            let colour = if seat.won { BRIGHT } else { FAINT };
            points.write_before(&mut pixmap, &seat.points, [right, base + 14.0], colour);
        }
        for (line, base) in small.lines(&self.ending, right - left, 2).iter().zip([462.0, 500.0]) {
            small.write(&mut pixmap, line, [left, base], BRIGHT);
        }
        ring(&mut pixmap, [left + 16.0, 566.0], 12.0);
        small.write(&mut pixmap, "Agon", [left + 46.0, 576.0], FAINT);
        pixmap.encode_png().ok()
    }
}

#[cfg(test)]
mod tests {
    use agon_catalog::{Game, Setup};

    use super::*;

    #[test]
    fn the_words_of_a_card_change_the_picture() {
        let state = Game::all()[0].initial_state(&Setup::default()).unwrap();
        let board = Picture::from_view(&state.view()).unwrap();
        let seat = |name: &str, points: &str| CardSeat {
            name: name.into(),
            detail: "by 김민준".into(),
            points: points.into(),
            won: points == "1",
        };
        let card = GameCard {
            title: "Bacteria War".into(),
            seats: [seat("아메바", "1"), seat("a name that is much too long for a card", "0")],
            ending: "39 to 10".into(),
        };
        let png = card.png(&board).unwrap();
        assert!(png.starts_with(b"\x89PNG") && png.len() < 150_000, "{}", png.len());
        for other in [
            GameCard { title: "Renju".into(), ..card.clone() },
            GameCard { seats: [seat("짚신벌레", "1"), card.seats[1].clone()], ..card.clone() },
            GameCard { seats: [seat("아메바", "0"), card.seats[1].clone()], ..card.clone() },
            GameCard { ending: String::new(), ..card.clone() },
        ] {
            assert_ne!(other.png(&board).unwrap(), png, "{other:?}");
        }
        assert_eq!(card.png(&board).unwrap(), png);
    }
}
