//! The shapes that a board is drawn with, on any medium.

use agon_game::{Cell, GridStyle, Mark, Side, View};

/// The side of a place.
pub(super) const CELL: f32 = 40.0;

/// The empty edge around a board.
pub(super) const EDGE: f32 = 8.0;

/// The largest board that is drawn: that of a dish may have 65025 places.
pub(super) const MAX_PLACES: usize = 2500;

/// What something is painted with: a name from the style sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Paint {
    Paper,
    Wood,
    Grid,
    WoodLine,
    Side(Side),
    Stone(Side),
    /// The colour of drawings on a piece.
    OnSide,
    /// The dot on the stone that was placed last.
    Last(Side),
    /// The ground of a square with this mark.
    Tint(Mark),
    /// A line that marks a square.
    Mark,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Form {
    Rect { x: f32, y: f32, width: f32, height: f32, radius: f32 },
    Circle { x: f32, y: f32, radius: f32 },
    Line { from: [f32; 2], to: [f32; 2] },
}

/// A form, filled or drawn with a line of this width.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Shape {
    pub form: Form,
    pub paint: Paint,
    /// `None` for a filled shape.
    pub line: Option<f32>,
}

/// A board without words, which every machine draws alike.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    pub width: f32,
    pub height: f32,
    /// Whether its pieces are stones on crossings of lines.
    pub crossings: bool,
    pub(crate) shapes: Vec<Shape>,
}

impl Picture {
    /// The picture of a board; `None` if it is too large.
    pub fn from_view(view: &View) -> Option<Self> {
        if view.cells.len() > MAX_PLACES {
            return None;
        }
        let [width, height] = [view.columns, view.rows].map(|places| places as f32 * CELL + 2.0 * EDGE);
        let crossings = view.grid == GridStyle::Crossings;
        let mut picture = Self { width, height, crossings, shapes: Vec::new() };
        let ground = if crossings { Paint::Wood } else { Paint::Paper };
        picture.fill(Form::Rect { x: 0.0, y: 0.0, width, height, radius: 6.0 }, ground);
        picture.grid(view);
        for (at, cell) in view.cells.iter().enumerate() {
            let [column, row] = [at % view.columns, at / view.columns].map(|at| EDGE + at as f32 * CELL);
            picture.place(view.grid, cell, [column, row]);
        }
        Some(picture)
    }

    fn fill(&mut self, form: Form, paint: Paint) {
        self.shapes.push(Shape { form, paint, line: None });
    }

    fn line(&mut self, form: Form, paint: Paint, width: f32) {
        self.shapes.push(Shape { form, paint, line: Some(width) });
    }

    fn grid(&mut self, view: &View) {
        let crossings = view.grid == GridStyle::Crossings;
        let (inset, paint) = if crossings { (CELL / 2.0, Paint::WoodLine) } else { (0.0, Paint::Grid) };
        let [lines, rows] = [view.columns, view.rows].map(|places| if crossings { places } else { places + 1 });
        let at = |number: usize| EDGE + inset + number as f32 * CELL;
        for number in 0..lines {
            self.line(Form::Line { from: [at(number), at(0)], to: [at(number), at(rows - 1)] }, paint, 1.0);
        }
        for number in 0..rows {
            self.line(Form::Line { from: [at(0), at(number)], to: [at(lines - 1), at(number)] }, paint, 1.0);
        }
    }

    /// A character as a shape, since pictures contain no text: lines as lines, everything else as a dot.
    fn lettered(&mut self, glyph: char, [x, y]: [f32; 2]) {
        let half = CELL * 0.4;
        let across = Form::Line { from: [x - half, y], to: [x + half, y] };
        let upright = Form::Line { from: [x, y - half], to: [x, y + half] };
        match glyph {
            '-' | '_' | '─' | '═' => self.line(across, Paint::Mark, 4.0),
            '|' | '│' | '║' => self.line(upright, Paint::Mark, 4.0),
            _ => self.fill(Form::Circle { x, y, radius: 5.0 }, Paint::WoodLine),
        }
    }

    fn place(&mut self, grid: GridStyle, cell: &Cell, [left, top]: [f32; 2]) {
        let [x, y] = [left + CELL / 2.0, top + CELL / 2.0];
        let square = |inset: f32| {
            let size = CELL - 2.0 * inset;
            Form::Rect { x: left + inset, y: top + inset, width: size, height: size, radius: 2.0 }
        };
        let circle = |radius: f32| Form::Circle { x, y, radius };
        let squares = grid == GridStyle::Squares;
        // A piece of two places hides its ground.
        let tint = cell.mark.filter(|mark| {
            squares && cell.joins.is_none() && !matches!(mark, Mark::Star | Mark::Forbidden | Mark::Won)
        });
        if let Some(mark) = tint {
            self.fill(square(1.0), Paint::Tint(mark));
        }
        match (cell.owner, cell.joins) {
            (Some(side), Some((down, right))) => {
                // Drawn once, from the half that is above or to the left.
                if down > 0 || right > 0 {
                    let size = |two: bool, inset: f32| CELL * if two { 2.0 } else { 1.0 } - 2.0 * inset;
                    let piece = |inset: f32, radius: f32| Form::Rect {
                        x: left + inset,
                        y: top + inset,
                        width: size(right > 0, inset),
                        height: size(down > 0, inset),
                        radius,
                    };
                    self.fill(piece(4.0, 7.0), Paint::Side(side));
                    if cell.mark == Some(Mark::Placed) {
                        self.line(piece(8.0, 4.0), Paint::OnSide, 2.5);
                    }
                }
            }
            (Some(side), None) => {
                self.fill(circle(CELL * 0.4), if squares { Paint::Side(side) } else { Paint::Stone(side) });
                if !squares && cell.mark == Some(Mark::Placed) {
                    self.fill(circle(6.0), Paint::Last(side));
                }
                if cell.mark == Some(Mark::Captured) {
                    self.fill(circle(6.0), Paint::OnSide);
                }
                if cell.mark == Some(Mark::Won) {
                    self.line(circle(CELL * 0.32), if squares { Paint::OnSide } else { Paint::Last(side) }, 2.5);
                }
            }
            (None, _) if cell.mark == Some(Mark::Star) => self.fill(circle(4.0), Paint::WoodLine),
            (None, _) => {
                if let Some(glyph) = cell.lettering() {
                    self.lettered(glyph, [x, y]);
                }
            }
        }
        match tint {
            Some(Mark::Placed) => self.line(square(2.0), Paint::Mark, 2.5),
            Some(Mark::Vacated) => self.line(circle(12.0), Paint::Mark, 2.0),
            Some(Mark::Corpse) => self.line(circle(8.0), Paint::Mark, 2.0),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_are_no_pieces_are_seen() {
        let cells = ['.', '-', '|', '+'].map(|glyph| Cell { glyph, ..Cell::default() }).to_vec();
        let view = View {
            seats: ["A", "B"],
            rows: 2,
            columns: 2,
            origin: 1,
            first_letter: None,
            grid: GridStyle::Squares,
            cells,
            gauges: Vec::new(),
        };
        let picture = Picture::from_view(&view).unwrap();
        let drawn = picture.shapes.iter().filter(|shape| shape.paint == Paint::Mark || shape.paint == Paint::WoodLine);
        assert_eq!(drawn.count(), 3);
    }
}
