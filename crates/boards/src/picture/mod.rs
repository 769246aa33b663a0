//! Boards as pictures: without words in pages as SVG and for other sites as PNG, with names and result as cards.

mod card;
mod diagram;
mod illustration;
mod letters;
mod png;
mod shapes;
mod svg;

pub use card::{CardSeat, GameCard};
pub use diagram::diagram_png;
pub(crate) use illustration::picture_at;
pub use illustration::{illustration, illustration_png};
pub use png::{HEIGHT, WIDTH};
pub use shapes::Picture;

#[cfg(test)]
mod tests {
    use agon_catalog::{Game, Setup};
    use agon_game::{Mark, Side};

    use super::shapes::Paint;
    use super::*;
    use crate::viewer::STYLE;

    #[test]
    fn every_game_has_pictures() {
        for game in Game::all() {
            let state = game.initial_state(&Setup::default()).unwrap();
            let picture = Picture::from_view(&state.view()).unwrap();
            let svg = picture.svg(Some("the start")).into_string();
            assert!(svg.starts_with("<svg class=\"picture\"") && svg.contains("aria-label=\"the start\""), "{svg}");
            assert!(picture.svg(None).into_string().contains("aria-hidden=\"true\""));
            let png = picture.png().unwrap();
            let size = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
            assert_eq!((&png[1..4], size(16), size(20)), (&b"PNG"[..], WIDTH, HEIGHT), "{game}");
            assert!(png.len() < 100_000, "{game}: {}", png.len());
            let drawn = illustration(game).into_string();
            assert!(drawn.contains("<svg") && drawn != svg, "{game}: something has been played");
            assert_eq!(illustration(game).into_string(), drawn, "{game}: always the same");
            let known = picture_at(game, &state.position()).into_string();
            assert_eq!(known.contains("<svg"), game.has_turns(), "{game}");
            assert_eq!(picture_at(game, "nothing").into_string(), "", "{game}");
        }
    }

    #[test]
    fn a_board_that_is_too_large_is_not_drawn() {
        let Some(game) = Game::all().into_iter().find(|game| !game.has_turns()) else { return };
        let parameters = [("width", "255"), ("height", "255")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        let setup = Setup { seed: 0, parameters: parameters.into() };
        assert_eq!(Picture::from_view(&game.initial_state(&setup).unwrap().view()), None);
    }

    #[test]
    fn colours_of_pictures_are_those_of_the_style_sheet() {
        let day = STYLE.split("@media").next().unwrap();
        let sides = Side::BOTH.into_iter().flat_map(|side| [Paint::Side(side), Paint::Stone(side), Paint::Last(side)]);
        let marks = [Mark::Placed, Mark::Captured, Mark::Vacated, Mark::Burst, Mark::Corpse].map(Paint::Tint);
        let rest = [Paint::Paper, Paint::Wood, Paint::Grid, Paint::WoodLine, Paint::OnSide, Paint::Mark];
        for paint in sides.chain(marks).chain(rest) {
            let text = day.split(&format!("--{}: #", paint.name())).nth(1).unwrap_or_else(|| panic!("{paint:?}"));
            let digits: String = text.chars().take_while(char::is_ascii_hexdigit).collect();
            let wide = if digits.len() == 3 { digits.chars().flat_map(|digit| [digit; 2]).collect() } else { digits };
            let [red, green, blue] = super::png::colour(paint);
            assert_eq!(wide, format!("{red:02x}{green:02x}{blue:02x}"), "{paint:?}");
        }
    }
}
