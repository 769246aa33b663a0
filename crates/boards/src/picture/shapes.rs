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
    Rect {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        radius: f32,
    },
    Circle {
        x: f32,
        y: f32,
        radius: f32,
    },
    /// With a point at the top, as high as twice the radius.
    Hexagon {
        x: f32,
        y: f32,
        radius: f32,
    },
    Line {
        from: [f32; 2],
        to: [f32; 2],
    },
}

/// A form, filled or drawn with a line of this width.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Shape {
    pub form: Form,
    pub paint: Paint,
    /// `None` for a filled shape.
    pub line: Option<f32>,
}

/// How far apart the rows of hexagons are, and how far their corners are from the middle.
const STEP: f32 = CELL * 0.866_025_4;
const RADIUS: f32 = CELL * 0.577_350_26;

/// Where the places of a board are.
pub(super) struct Raster {
    columns: usize,
    pub(super) hexagons: bool,
    /// What is added so that the first ones lie at the edge.
    shift: [f32; 2],
    /// Width and height with the edges.
    size: [f32; 2],
}

impl Raster {
    pub(super) fn new(view: &View) -> Self {
        let hexagons = view.grid == GridStyle::Hexagons;
        let mut raster = Self { columns: view.columns, hexagons, shift: [0.0; 2], size: [0.0; 2] };
        let half = [CELL / 2.0, if hexagons { RADIUS } else { CELL / 2.0 }];
        let middles = (0..view.cells.len()).filter(|&at| !view.cells[at].is_hole()).map(|at| raster.middle(at));
        let (mut low, mut high) = ([f32::MAX; 2], [f32::MIN; 2]);
        for middle in middles {
            for axis in 0..2 {
                low[axis] = low[axis].min(middle[axis] - half[axis]);
                high[axis] = high[axis].max(middle[axis] + half[axis]);
            }
        }
        if low[0] < high[0] {
            raster.shift = low.map(|low| EDGE - low);
            raster.size = [0, 1].map(|axis| high[axis] - low[axis] + 2.0 * EDGE);
        }
        raster
    }

    /// The middle of a place.
    pub(super) fn middle(&self, at: usize) -> [f32; 2] {
        let [row, column] = [at / self.columns, at % self.columns].map(|at| at as f32);
        let [x, y] = if self.hexagons {
            [(column + row / 2.0 + 0.5) * CELL, row * STEP + RADIUS]
        } else {
            [(column + 0.5) * CELL, (row + 0.5) * CELL]
        };
        [x + self.shift[0], y + self.shift[1]]
    }
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
        let raster = Raster::new(view);
        let [width, height] = raster.size;
        let crossings = view.grid == GridStyle::Crossings;
        let mut picture = Self { width, height, crossings, shapes: Vec::new() };
        let ground = if crossings { Paint::Wood } else { Paint::Paper };
        picture.fill(Form::Rect { x: 0.0, y: 0.0, width, height, radius: 6.0 }, ground);
        picture.grid(view, &raster);
        for (at, cell) in view.cells.iter().enumerate() {
            if !cell.is_hole() {
                picture.place(view.grid, cell, raster.middle(at).map(|middle| middle - CELL / 2.0));
            }
        }
        Some(picture)
    }

    fn fill(&mut self, form: Form, paint: Paint) {
        self.shapes.push(Shape { form, paint, line: None });
    }

    fn line(&mut self, form: Form, paint: Paint, width: f32) {
        self.shapes.push(Shape { form, paint, line: Some(width) });
    }

    fn grid(&mut self, view: &View, raster: &Raster) {
        if view.grid == GridStyle::Hexagons || view.cells.iter().any(Cell::is_hole) {
            for at in (0..view.cells.len()).filter(|&at| !view.cells[at].is_hole()) {
                let [x, y] = raster.middle(at);
                let place = |inset: f32| match view.grid {
                    GridStyle::Hexagons => Form::Hexagon { x, y, radius: RADIUS - inset },
                    _ => {
                        let size = CELL - 2.0 * inset;
                        Form::Rect { x: x - size / 2.0, y: y - size / 2.0, width: size, height: size, radius: 0.0 }
                    }
                };
                self.line(
                    place(0.0),
                    if view.grid == GridStyle::Crossings { Paint::WoodLine } else { Paint::Grid },
                    1.0,
                );
            }
            return;
        }
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
            if grid == GridStyle::Hexagons {
                return Form::Hexagon { x, y, radius: RADIUS - inset };
            }
            let size = CELL - 2.0 * inset;
            Form::Rect { x: left + inset, y: top + inset, width: size, height: size, radius: 2.0 }
        };
        let circle = |radius: f32| Form::Circle { x, y, radius };
        let squares = grid != GridStyle::Crossings;
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
