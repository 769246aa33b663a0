//! Diagrams: a board with its coordinates and numbers as PNG, for documents and messages.

use agon_game::{FACE_DOWN, GridStyle, Mark, View};
use tiny_skia::{Color, PathBuilder, Pixmap, Stroke, Transform};

use super::letters::{Letters, Weight};
use super::png::{colour, ink};
use super::shapes::{CELL, EDGE, Layout, Paint, Picture};

/// Pixels for each unit of a drawing: sharp in print.
const SCALE: f32 = 2.0;
/// The border for the coordinates, without the empty edge of a board.
const BORDER: f32 = 22.0;
const FORBIDDEN: [u8; 3] = [0x8c, 0x1d, 0x12];

/// The diagram of a position as a PNG file; `None` of a board that is too large.
pub fn diagram_png(view: &View) -> Option<Vec<u8>> {
    let picture = Picture::from_view(view)?;
    let [width, height] = [picture.width, picture.height].map(|size| ((size + 2.0 * BORDER) * SCALE) as u32);
    let mut pixmap = Pixmap::new(width, height)?;
    let [red, green, blue] = colour(if picture.crossings { Paint::Wood } else { Paint::Paper });
    pixmap.fill(Color::from_rgba8(red, green, blue, 255));
    picture.paint(&mut pixmap, SCALE, [BORDER * SCALE; 2]);
    let layout = Layout::new(view);
    let middle = |at: usize| layout.middle(at).map(|middle| (BORDER + middle) * SCALE);
    if view.grid == GridStyle::Graph {
        names(&mut pixmap, view, middle);
    } else {
        coordinates(&mut pixmap, view, middle);
    }
    numbers(&mut pixmap, view, middle);
    cards(&mut pixmap, view, &layout);
    pixmap.encode_png().ok()
}

/// Writes a text around a point.
fn write(pixmap: &mut Pixmap, letters: &Letters, text: &str, [x, y]: [f32; 2], size: f32, colour: [u8; 3]) {
    letters.write(pixmap, text, [x - letters.width(text) / 2.0, y + size * 0.36], colour);
}

/// The names of the points of a graph that have nothing else on them.
fn names(pixmap: &mut Pixmap, view: &View, middle: impl Fn(usize) -> [f32; 2]) {
    let size = 11.0 * SCALE;
    let letters = Letters::new(size, Weight::Regular);
    for (at, place) in view.graph.places.iter().enumerate() {
        let cell = &view.cells[at];
        if cell.owner.is_none() && cell.weight.is_none() && cell.lettering().is_none() {
            write(pixmap, &letters, &place.name, middle(at), size, colour(Paint::Mark));
        }
    }
}

/// What is written on cards, and whose they are.
fn cards(pixmap: &mut Pixmap, view: &View, layout: &Layout<'_>) {
    let at = |[x, y]: [f32; 2]| [(BORDER + x) * SCALE, (BORDER + y) * SCALE];
    let small = Letters::new(12.0 * SCALE, Weight::Regular);
    for (hand, place) in view.hands.iter().zip(layout.labels()) {
        small.write(pixmap, &hand.label(view.seats), at(place), colour(Paint::Mark));
    }
    let size = 14.0 * SCALE;
    let letters = Letters::new(size, Weight::Strong);
    for (hand, number, [x, y, width, height]) in layout.cards() {
        let card = &view.hands[hand].cards[number];
        if card != FACE_DOWN {
            let middle = at([x + width / 2.0, y + height / 2.0]);
            write(pixmap, &letters, card, middle, size, colour(Paint::Mark));
        }
    }
}

fn coordinates(pixmap: &mut Pixmap, view: &View, middle: impl Fn(usize) -> [f32; 2]) {
    let hexagons = view.grid == GridStyle::Hexagons;
    let size = 13.0 * SCALE;
    let letters = Letters::new(size, Weight::Regular);
    let dark = colour(Paint::Mark);
    let aside = (BORDER + EDGE) * SCALE / 2.0;
    let places = || (0..view.cells.len()).filter(|&at| !view.cells[at].is_hole());
    for row in 0..view.rows {
        let Some(first) = places().find(|at| at / view.columns == row) else { continue };
        let name = if view.first_letter.is_some() { view.rows - row } else { row + view.origin };
        let [x, y] = middle(first);
        let x = if hexagons { x - CELL * 0.75 * SCALE } else { aside };
        write(pixmap, &letters, &name.to_string(), [x, y], size, dark);
    }
    let lowest = places().map(|at| middle(at)[1]).fold(0.0, f32::max);
    let below = lowest + (CELL + EDGE + BORDER) * SCALE / 2.0;
    for column in 0..view.columns {
        let Some(last) = places().rfind(|at| at % view.columns == column) else { continue };
        let [x, y] = middle(last);
        let name = view.letter(column).map_or_else(|| (column + view.origin).to_string(), String::from);
        let at = match view.first_letter {
            // A column of hexagons leads to the right.
            _ if hexagons => [x + CELL * 0.3 * SCALE, y + CELL * 0.75 * SCALE],
            // Letters stand below the board, numbers above it.
            Some(_) => [x, below],
            None => [x, aside],
        };
        write(pixmap, &letters, &name, at, size, dark);
    }
}

/// The numbers of places and pieces, and crosses where the side to move may not play.
fn numbers(pixmap: &mut Pixmap, view: &View, middle: impl Fn(usize) -> [f32; 2]) {
    let size = 15.0 * SCALE;
    let letters = Letters::new(size, Weight::Strong);
    for (at, cell) in view.cells.iter().enumerate() {
        let [x, y] = middle(at);
        let digit = cell.glyph.is_ascii_digit() && view.grid != GridStyle::Crossings && cell.joins.is_none();
        let number = cell.weight.map(|weight| weight.to_string()).or_else(|| digit.then(|| cell.glyph.to_string()));
        if let Some(number) = number {
            let paint = if cell.owner.is_some() { Paint::OnSide } else { Paint::Mark };
            write(pixmap, &letters, &number, [x, y], size, colour(paint));
        }
        if cell.mark == Some(Mark::Forbidden) {
            let arm = 7.0 * SCALE;
            let mut cross = PathBuilder::new();
            for sign in [-1.0, 1.0] {
                cross.move_to(x - arm, y - sign * arm);
                cross.line_to(x + arm, y + sign * arm);
            }
            if let Some(cross) = cross.finish() {
                let stroke = Stroke { width: 3.0 * SCALE, ..Stroke::default() };
                pixmap.stroke_path(&cross, &ink(FORBIDDEN), &stroke, Transform::identity(), None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use agon_catalog::{Game, Setup};
    use agon_game::Cell;

    use super::*;

    #[test]
    fn every_board_has_a_diagram_with_its_coordinates() {
        for game in Game::all() {
            let view = game.initial_state(&Setup::default()).unwrap().view();
            let png = Pixmap::decode_png(&diagram_png(&view).unwrap()).unwrap();
            let size = |places: usize| ((places as f32 * CELL + 2.0 * (EDGE + BORDER)) * SCALE) as u32;
            assert_eq!((png.width(), png.height()), (size(view.columns), size(view.rows)), "{game}");
            // The border has more than its ground.
            let ground = png.pixel(0, 0).unwrap();
            let left = (BORDER * SCALE) as u32;
            let written = (0..png.height()).any(|y| (0..left).any(|x| png.pixel(x, y) != Some(ground)));
            assert!(written, "{game}");
        }
    }

    #[test]
    fn hexagons_and_boards_with_holes_have_diagrams() {
        let mut view = Game::BACTERIA.initial_state(&Setup::default()).unwrap().view();
        view.grid = GridStyle::Hexagons;
        let whole = diagram_png(&view).unwrap();
        // Without its last column the board is narrower.
        for row in 0..view.rows {
            view.cells[row * view.columns + view.columns - 1] = Cell { glyph: ' ', ..Cell::default() };
        }
        let part = diagram_png(&view).unwrap();
        let width = |png: &[u8]| Pixmap::decode_png(png).unwrap().width();
        assert_eq!(width(&whole) - width(&part), (CELL * SCALE) as u32);
        let svg = Picture::from_view(&view).unwrap().svg(None).into_string();
        assert!(svg.contains("<path") && svg.contains('z'), "{svg}");
    }
}
