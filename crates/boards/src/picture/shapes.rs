//! The shapes that a board is drawn with, on any medium.

use agon_game::{CARD_HEIGHT, CardTable, Cell, FACE_DOWN, GridStyle, Mark, Outline, Side, View};

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
    /// The ground of a point that lines lead to.
    Point,
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
    /// In units of the drawing.
    Polygon {
        x: f32,
        y: f32,
        outline: Outline,
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

/// Where the places and cards of a board are, in units of the drawing.
pub(super) struct Layout<'a> {
    view: &'a View,
    /// What is added so that the first places lie at the edge.
    shift: [f32; 2],
    /// Width and height of the board without the edges.
    board: [f32; 2],
    cards: CardTable,
}

/// The least width of a picture with cards, in widths of a square: eight cards.
const CARDS_WIDTH: f32 = 7.0;

impl<'a> Layout<'a> {
    pub(super) fn new(view: &'a View) -> Self {
        let [left, top, right, bottom] = view.extent().map(|length| length * CELL);
        let board = [right - left, bottom - top];
        let cards = view.card_table((board[0] / CELL).max(CARDS_WIDTH));
        Self { view, shift: [EDGE - left, EDGE - top], board, cards }
    }

    /// Width and height of all, with the edges.
    fn size(&self) -> [f32; 2] {
        let [width, height] = self.board;
        let below = if self.board[1] > 0.0 && self.cards.height > 0.0 { EDGE } else { 0.0 };
        let size = [width.max(self.cards.width * CELL), height + below + self.cards.height * CELL];
        size.map(|length| length + 2.0 * EDGE)
    }

    /// The middle of a place.
    pub(super) fn middle(&self, at: usize) -> [f32; 2] {
        let (x, y) = self.view.middle(at);
        [x * CELL + self.shift[0], y * CELL + self.shift[1]]
    }

    /// Left and top of what lies there among the cards.
    fn among_cards(&self, left: f32, top: f32) -> [f32; 2] {
        [EDGE + left * CELL, self.size()[1] - EDGE - (self.cards.height - top) * CELL]
    }

    /// Left and bottom of the line with the name of each hand.
    pub(super) fn labels(&self) -> impl Iterator<Item = [f32; 2]> {
        self.cards.labels.iter().map(|&(left, top)| self.among_cards(left, top + 0.4))
    }

    /// The hand and the number of each card, with its left, top, width and height.
    pub(super) fn cards(&self) -> impl Iterator<Item = (usize, usize, [f32; 4])> {
        let hands = self.cards.cards.iter().enumerate();
        let all = hands.flat_map(|(hand, spots)| spots.iter().enumerate().map(move |(at, spot)| (hand, at, spot)));
        all.map(|(hand, at, spot)| {
            let [left, top] = self.among_cards(spot.left, spot.top);
            (hand, at, [left, top, spot.width * CELL, CARD_HEIGHT * CELL])
        })
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
        let layout = Layout::new(view);
        let [width, height] = layout.size();
        let crossings = view.grid == GridStyle::Crossings;
        let mut picture = Self { width, height, crossings, shapes: Vec::new() };
        let ground = if crossings { Paint::Wood } else { Paint::Paper };
        picture.fill(Form::Rect { x: 0.0, y: 0.0, width, height, radius: 6.0 }, ground);
        picture.grid(view, &layout);
        for (at, cell) in view.cells.iter().enumerate() {
            if !cell.is_hole() {
                picture.place(view, at, cell, layout.middle(at));
            }
        }
        for (hand, at, [x, y, width, height]) in layout.cards() {
            let (owner, card) = (view.hands[hand].owner, &view.hands[hand].cards[at]);
            let form = Form::Rect { x, y, width, height, radius: 4.0 };
            if card == FACE_DOWN {
                picture.fill(form, owner.map_or(Paint::WoodLine, Paint::Side));
            } else {
                picture.line(form, owner.map_or(Paint::Mark, Paint::Side), 2.0);
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

    fn grid(&mut self, view: &View, layout: &Layout<'_>) {
        for &[from, to] in &view.graph.edges {
            self.line(Form::Line { from: layout.middle(from), to: layout.middle(to) }, Paint::Grid, 1.5);
        }
        let is_plain = matches!(view.grid, GridStyle::Squares | GridStyle::Crossings);
        if !is_plain || view.cells.iter().any(Cell::is_hole) {
            let paint = if view.grid == GridStyle::Crossings { Paint::WoodLine } else { Paint::Grid };
            for at in (0..view.cells.len()).filter(|&at| !view.cells[at].is_hole()) {
                if view.grid == GridStyle::Graph {
                    self.fill(ground(view, at, layout.middle(at), 0.5), Paint::Point);
                }
                self.line(ground(view, at, layout.middle(at), 0.0), paint, 1.0);
            }
            return;
        }
        if view.cells.is_empty() {
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

    /// The pieces of a stack as they are seen from the side, the undermost at the bottom.
    fn stack(&mut self, cell: &Cell, [x, y]: [f32; 2]) {
        let pieces = cell.stack.into_iter().flat_map(agon_game::Stack::pieces);
        let count = cell.stack.map_or(0, |stack| stack.pieces().len()) as f32;
        let (width, room) = (CELL * 0.6, CELL * 0.7);
        let step = (room / count).min(8.0);
        let bottom = y + step * count / 2.0;
        for (at, side) in pieces.enumerate() {
            let top = bottom - step * (at + 1) as f32;
            let height = step - if step > 3.0 { 1.0 } else { 0.0 };
            self.fill(
                Form::Rect { x: x - width / 2.0, y: top, width, height, radius: 2.0_f32.min(height / 2.0) },
                Paint::Side(side),
            );
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

    fn place(&mut self, view: &View, at: usize, cell: &Cell, [x, y]: [f32; 2]) {
        let [left, top] = [x, y].map(|middle| middle - CELL / 2.0);
        let square = |inset: f32| ground(view, at, [x, y], inset);
        let circle = |radius: f32| Form::Circle { x, y, radius };
        let squares = view.grid != GridStyle::Crossings;
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
            (Some(_), None) if cell.stack.is_some() => self.stack(cell, [x, y]),
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

/// The edge of a place, this far within it.
fn ground(view: &View, at: usize, [x, y]: [f32; 2], inset: f32) -> Form {
    match (view.grid, view.outline(at)) {
        (GridStyle::Squares | GridStyle::Crossings, _) => {
            let size = CELL - 2.0 * inset;
            let radius = if inset > 0.0 { 2.0 } else { 0.0 };
            Form::Rect { x: x - size / 2.0, y: y - size / 2.0, width: size, height: size, radius }
        }
        (_, Some(outline)) => {
            let outline = outline.within(inset / CELL);
            Form::Polygon { x, y, outline: Outline { radius: outline.radius * CELL, ..outline } }
        }
        (_, None) => Form::Circle { x, y, radius: CELL * 0.45 - inset },
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
            ..View::default()
        };
        let picture = Picture::from_view(&view).unwrap();
        let drawn = picture.shapes.iter().filter(|shape| shape.paint == Paint::Mark || shape.paint == Paint::WoodLine);
        assert_eq!(drawn.count(), 3);
    }
}
