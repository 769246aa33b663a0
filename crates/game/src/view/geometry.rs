//! Where the places and cards of a board are drawn, in widths of a square: right and down.

use std::f32::consts::{FRAC_1_SQRT_2, FRAC_PI_2, FRAC_PI_4, TAU};

use super::{GridStyle, View};

/// The outline of a place, a regular polygon.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outline {
    /// Number of corners.
    pub corners: u8,
    /// From the middle to a corner, in widths of a square.
    pub radius: f32,
    /// Direction of the first corner, from the right clockwise, in radians.
    pub angle: f32,
}

impl Outline {
    /// Returns the outline with its edges this far within.
    #[must_use]
    pub fn within(self, inset: f32) -> Self {
        Self { radius: self.radius - inset / (TAU / 2.0 / f32::from(self.corners)).cos(), ..self }
    }

    /// Returns the corners, right and down from the middle.
    pub fn points(self) -> impl Iterator<Item = (f32, f32)> {
        let angle = move |corner: u8| TAU.mul_add(f32::from(corner) / f32::from(self.corners), self.angle);
        (0..self.corners).map(move |corner| (self.radius * angle(corner).cos(), self.radius * angle(corner).sin()))
    }
}

/// Where cards and the names of their rows lie, in widths of a square.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CardTable {
    /// Left and top of the line with the name of each hand.
    pub labels: Vec<(f32, f32)>,
    /// The cards of each hand.
    pub cards: Vec<Vec<CardSpot>>,
    /// Width of all.
    pub width: f32,
    /// Height of all.
    pub height: f32,
}

/// Where a card lies, in widths of a square; all are as high as [`CARD_HEIGHT`].
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct CardSpot {
    pub left: f32,
    pub top: f32,
    pub width: f32,
}

/// Height of a card, in widths of a square.
pub const CARD_HEIGHT: f32 = 1.0;
const CARD_GAP: f32 = 0.15;
/// Height of the line above a row of cards.
const LABEL: f32 = 0.5;

/// A card has room for what is written on it.
fn card_width(card: &str) -> f32 {
    card.chars().count().max(2) as f32 * 0.2 + 0.3
}

/// From the middle of a hexagon as wide as a square to a corner.
const HEXAGON: f32 = 0.577_350_26;
/// From the tip of a triangle, whose middle is one width of a square away from its corners, to the next tip of the row.
const TRIANGLE: f32 = 0.866_025_4;

impl View {
    /// Returns the middle of a place: right and down, in widths of a square, from the upper left corner of the board.
    pub fn middle(&self, at: usize) -> (f32, f32) {
        let (row, column) = ((at / self.columns) as f32, (at % self.columns) as f32);
        match self.grid {
            GridStyle::Squares | GridStyle::Crossings => (column + 0.5, row + 0.5),
            GridStyle::Hexagons => (column + row / 2.0 + 0.5, row * 3.0 * HEXAGON / 2.0 + HEXAGON),
            GridStyle::Triangles { .. } => {
                (column.mul_add(TRIANGLE, TRIANGLE), row.mul_add(1.5, if self.points_up(at) { 1.0 } else { 0.5 }))
            }
            GridStyle::Graph => self.graph.places[at].at,
        }
    }

    /// Returns true if a triangle has its tip at the top.
    fn points_up(&self, at: usize) -> bool {
        let is_even = (at / self.columns + at % self.columns).is_multiple_of(2);
        self.grid == (GridStyle::Triangles { up: is_even })
    }

    /// Returns the outline of a place; `None` for a point of a graph.
    pub fn outline(&self, at: usize) -> Option<Outline> {
        let (corners, radius, angle) = match self.grid {
            GridStyle::Squares | GridStyle::Crossings => (4, FRAC_1_SQRT_2, FRAC_PI_4),
            GridStyle::Hexagons => (6, HEXAGON, FRAC_PI_2),
            GridStyle::Triangles { .. } => (3, 1.0, if self.points_up(at) { -FRAC_PI_2 } else { FRAC_PI_2 }),
            GridStyle::Graph => return None,
        };
        Some(Outline { corners, radius, angle })
    }

    /// Returns what all places take up: left, top, right and bottom, in widths of a square.
    pub fn extent(&self) -> [f32; 4] {
        let mut extent: Option<[f32; 4]> = None;
        for at in (0..self.cells.len()).filter(|&at| !self.cells[at].is_hole()) {
            let (x, y) = self.middle(at);
            let corners =
                self.outline(at).map_or_else(|| vec![(-0.5, -0.5), (0.5, 0.5)], |outline| outline.points().collect());
            for (right, down) in corners {
                let (x, y) = (x + right, y + down);
                let [left, top, most, bottom] = extent.unwrap_or([x, y, x, y]);
                extent = Some([left.min(x), top.min(y), most.max(x), bottom.max(y)]);
            }
        }
        extent.unwrap_or_default()
    }

    /// Returns where the cards lie, below each other in rows of this width, in widths of a square.
    pub fn card_table(&self, width: f32) -> CardTable {
        let mut table = CardTable::default();
        for hand in &self.hands {
            table.labels.push((0.0, table.height));
            table.height += LABEL;
            let mut x = 0.0;
            let mut spots = Vec::new();
            for card in &hand.cards {
                let wide = card_width(card);
                if x > 0.0 && x + wide > width {
                    (x, table.height) = (0.0, table.height + CARD_HEIGHT + CARD_GAP);
                }
                spots.push(CardSpot { left: x, top: table.height, width: wide });
                x += wide + CARD_GAP;
                table.width = table.width.max(x - CARD_GAP);
            }
            table.height += CARD_HEIGHT + CARD_GAP;
            table.cards.push(spots);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Cell, GraphPlace, Hand};
    use super::*;

    fn board(grid: GridStyle, rows: usize, columns: usize) -> View {
        let cells = vec![Cell { glyph: '.', ..Cell::default() }; rows * columns];
        View { rows, columns, grid, cells, ..View::default() }
    }

    /// Neighbours share an edge: two corners.
    fn shared(view: &View, first: usize, second: usize) -> usize {
        let corners = |at: usize| {
            let (x, y) = view.middle(at);
            view.outline(at).unwrap().points().map(move |(right, down)| (x + right, y + down)).collect::<Vec<_>>()
        };
        let others = corners(second);
        let is_near = |a: &(f32, f32), b: &(f32, f32)| (a.0 - b.0).hypot(a.1 - b.1) < 1e-4;
        corners(first).iter().filter(|corner| others.iter().any(|other| is_near(corner, other))).count()
    }

    #[test]
    fn places_lie_side_by_side() {
        let squares = board(GridStyle::Squares, 3, 3);
        assert_eq!([1, 3, 4, 8].map(|other| shared(&squares, 0, other)), [2, 2, 1, 0]);
        let hexagons = board(GridStyle::Hexagons, 3, 3);
        assert_eq!([1, 2, 3, 5, 6, 7].map(|other| shared(&hexagons, 4, other)), [2; 6]);
        for up in [true, false] {
            let triangles = board(GridStyle::Triangles { up }, 2, 3);
            assert_eq!([shared(&triangles, 0, 1), shared(&triangles, 1, 2)], [2, 2]);
            // With its tip at the top, a place has its third edge below.
            assert_eq!([shared(&triangles, 0, 3), shared(&triangles, 1, 4)], if up { [2, 1] } else { [1, 2] });
        }
    }

    #[test]
    fn extents_leave_holes_out() {
        let close = |found: [f32; 4], expected: [f32; 4]| {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-4), "{found:?}");
        };
        let mut squares = board(GridStyle::Squares, 2, 3);
        close(squares.extent(), [0.0, 0.0, 3.0, 2.0]);
        (squares.cells[0].glyph, squares.cells[3].glyph) = (' ', ' ');
        close(squares.extent(), [1.0, 0.0, 3.0, 2.0]);
        close(board(GridStyle::Triangles { up: true }, 1, 1).extent(), [0.0, 0.0, 2.0 * TRIANGLE, 1.5]);
        let mut graph = board(GridStyle::Graph, 1, 2);
        graph.graph.places =
            [("a", (0.0, 0.0)), ("b", (2.5, 1.0))].map(|(name, at)| GraphPlace { name: name.to_owned(), at }).into();
        close(graph.extent(), [-0.5, -0.5, 3.0, 1.5]);
    }

    #[test]
    fn insets_are_distances_of_edges() {
        let view = board(GridStyle::Triangles { up: true }, 1, 1);
        let lowest = view.outline(0).unwrap().within(0.2).points().map(|(_, down)| down).fold(f32::MIN, f32::max);
        assert!((lowest - 0.3).abs() < 1e-5, "{lowest}");
    }

    #[test]
    fn cards_lie_in_rows_that_fit() {
        let hand = |cards: &[&str]| Hand {
            owner: None,
            name: String::new(),
            cards: cards.iter().map(|&card| card.to_owned()).collect(),
        };
        let view = View { hands: vec![hand(&["A"; 7]), hand(&[])], ..View::default() };
        let table = view.card_table(3.0);
        let hundredths = |length: f32| (length * 100.0).round() as u32;
        let tops: Vec<u32> = table.cards[0].iter().map(|card| hundredths(card.top)).collect();
        assert_eq!(tops, [50, 50, 50, 165, 165, 165, 280]);
        assert!(table.width <= 3.0 && table.cards[1].is_empty(), "{table:?}");
        assert_eq!(hundredths(table.labels[1].1), 395);
    }
}
