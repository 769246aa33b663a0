//! A board as pixels and as plain text, for the renderings of environments. Pictures for people are SVG.

use std::fmt::Write as _;

use agon_arena::picture::{FORBIDDEN, INK, LAST, LIGHT, LINES, PAPER, SIDES, STONES, WOOD, tint};
use agon_game::{Cell, GridStyle, Mark, View};

type Colour = [u8; 3];

pub(crate) struct Image {
    pub width: usize,
    pub height: usize,
    /// Rows of red, green and blue.
    pub pixels: Vec<u8>,
}

/// A colour as pictures write it: `#rrggbb`.
fn colour(text: &str) -> Colour {
    let number = u32::from_str_radix(text.trim_start_matches('#'), 16).unwrap_or_default();
    [(number >> 16) as u8, (number >> 8) as u8, number as u8]
}

impl Image {
    fn rectangle(&mut self, [left, top]: [usize; 2], [width, height]: [usize; 2], colour: Colour) {
        for y in top..(top + height).min(self.height) {
            for x in left..(left + width).min(self.width) {
                self.pixels[3 * (y * self.width + x)..][..3].copy_from_slice(&colour);
            }
        }
    }

    /// Around the middle of a square of `cell` pixels, with `share` hundredths of its width.
    fn disc(&mut self, [left, top]: [usize; 2], cell: usize, share: usize, colour: Colour) {
        // Twice the distances from the middle, so that they are whole.
        let reach = cell * share / 100;
        let off = |at: usize| (2 * at + 1).abs_diff(cell);
        for y in 0..cell {
            for x in 0..cell {
                if off(x).pow(2) + off(y).pow(2) <= reach.pow(2) {
                    self.rectangle([left + x, top + y], [1, 1], colour);
                }
            }
        }
    }
}

/// The board, each place `cell` pixels wide.
pub(crate) fn image(view: &View, cell: usize) -> Image {
    let (width, height) = (view.columns * cell, view.rows * cell);
    let crossings = view.grid == GridStyle::Crossings;
    let mut image = Image { width, height, pixels: vec![0; 3 * width * height] };
    image.rectangle([0, 0], [width, height], colour(if crossings { WOOD } else { PAPER }));
    for (at, place) in view.cells.iter().enumerate() {
        let corner = [at % view.columns * cell, at / view.columns * cell];
        if let Some(tint) = place.mark.and_then(tint).filter(|_| !crossings) {
            image.rectangle(corner, [cell, cell], colour(tint));
        }
    }
    let lines = colour(if crossings { INK } else { LINES });
    let shift = if crossings { cell / 2 } else { 0 };
    let (right, bottom) = (width.saturating_sub(2 * shift), height.saturating_sub(2 * shift));
    for row in 0..view.rows {
        image.rectangle([shift, row * cell + shift], [right, 1], lines);
    }
    for column in 0..view.columns {
        image.rectangle([column * cell + shift, shift], [1, bottom], lines);
    }
    for (at, place) in view.cells.iter().enumerate() {
        paint(&mut image, place, [at % view.columns * cell, at / view.columns * cell], cell, crossings);
    }
    image
}

fn paint(image: &mut Image, place: &Cell, corner: [usize; 2], cell: usize, crossings: bool) {
    let Some(side) = place.owner else {
        match place.mark {
            Some(Mark::Forbidden) => image.disc(corner, cell, 40, colour(FORBIDDEN)),
            Some(Mark::Star | Mark::Corpse) => image.disc(corner, cell, 30, colour(INK)),
            _ => {
                // Weights as squares, the larger the heavier.
                let size = usize::from(place.weight.unwrap_or(0)).min(4) * cell / 10;
                let middle = corner.map(|at| at + (cell - size) / 2);
                image.rectangle(middle, [size, size], colour(LINES));
            }
        }
        return;
    };
    let fill = colour(if crossings { STONES[side.index()] } else { SIDES[side.index()] });
    let edge = cell / 8;
    if let Some((down, right)) = place.joins {
        // Each half of a domino reaches to the other.
        let [left, top] = corner;
        let less = |step: i8| if step < 0 { 0 } else { edge };
        let more = |step: i8| if step > 0 { 0 } else { edge };
        let (x, y) = (less(right), less(down));
        let size = [cell - x - more(right), cell - y - more(down)];
        image.rectangle([left + x, top + y], size, fill);
    } else {
        image.disc(corner, cell, 84, colour(INK));
        image.disc(corner, cell, 76, fill);
    }
    match place.mark {
        Some(Mark::Placed) if crossings => image.disc(corner, cell, 26, colour(LAST[side.index()])),
        Some(Mark::Placed | Mark::Captured) => image.disc(corner, cell, 26, colour(LIGHT)),
        _ => {}
    }
}

/// The board in characters, with the numbers of rows and columns as programs count.
pub(crate) fn text(view: &View) -> String {
    let mut text = String::from("  ");
    for column in 0..view.columns {
        let _ = write!(text, " {}", (column + view.origin) % 10);
    }
    for row in 0..view.rows {
        let _ = write!(text, "\n{:2}", (row + view.origin) % 100);
        for cell in &view.cells[row * view.columns..(row + 1) * view.columns] {
            let _ = write!(text, " {}", cell.glyph);
        }
    }
    for gauge in &view.gauges {
        let [first, second] = gauge.amounts;
        let _ = write!(text, "\n{}: {} {first}, {} {second}", gauge.name, view.seats[0], view.seats[1]);
    }
    text
}
