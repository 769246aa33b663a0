//! The dish as seen by one cell.

use std::fmt::{self, Write as _};

use agon_game::Side;

use super::grid::{Grid, Square};
use super::{Directions, Place, SquareSum};

/// Content of a square, as seen by a cell, for which its own colony is always "own".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Thing {
    /// Nothing: `.`.
    Empty,
    /// A corpse: `c`.
    Corpse,
    /// A cell of its own colony, itself included: `o`.
    Own,
    /// A cell of the other colony: `x`.
    Enemy,
}

/// The view of one invocation: the dish, and the cell that must act.
///
/// Its `Display` is the exact input of the challenge, without a newline at the end (several programs of the challenge
/// compare for equality). [`super::Scene`] reads that text back into the same view.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    grid: &'a Grid,
    side: Side,
    place: Place,
    hp: u8,
    energy: u8,
}

impl<'a> Sight<'a> {
    pub(super) const fn new(grid: &'a Grid, side: Side, place: Place, hp: u8, energy: u8) -> Self {
        Self { grid, side, place, hp, energy }
    }

    /// Returns the number of columns of the dish.
    #[inline]
    pub const fn width(&self) -> usize {
        self.grid.width
    }

    /// Returns the number of rows of the dish.
    #[inline]
    pub const fn height(&self) -> usize {
        self.grid.height
    }

    /// Returns the place of the cell.
    #[inline]
    pub const fn place(&self) -> Place {
        self.place
    }

    /// Returns the cell's hit points.
    #[inline]
    pub const fn hp(&self) -> u8 {
        self.hp
    }

    /// Returns the cell's energy.
    #[inline]
    pub const fn energy(&self) -> u8 {
        self.energy
    }

    /// Returns the content of a square; `None` outside the dish.
    #[inline]
    pub fn look(&self, place: Place) -> Option<Thing> {
        self.thing(self.grid.look(place))
    }

    /// Returns the neighbourhood of the cell.
    #[inline]
    pub fn around(&self) -> Surroundings {
        self.surroundings(self.place)
    }

    /// Returns the neighbourhood of another square of the dish; an empty one if the square is outside.
    #[inline]
    pub fn around_of(&self, place: Place) -> Surroundings {
        if usize::from(place.x) < self.width() && usize::from(place.y) < self.height() {
            self.surroundings(place)
        } else {
            Surroundings::default()
        }
    }

    /// Returns the sums of all such squares of the dish; for empty squares only the count.
    #[inline]
    pub fn sum_of(&self, thing: Thing) -> SquareSum {
        match thing {
            Thing::Empty => {
                let area = self.width() * self.height();
                let taken: u32 =
                    [Square::Corpse, Square::First, Square::Second].iter().map(|&s| self.grid.sum_of(s).count).sum();
                SquareSum { count: area as u32 - taken, x: 0, y: 0 }
            }
            Thing::Corpse => self.grid.sum_of(Square::Corpse),
            Thing::Own => self.grid.sum_of(Square::from_side(self.side)),
            Thing::Enemy => self.grid.sum_of(Square::from_side(self.side.other())),
        }
    }

    /// Returns the first enemy from the left, from a column on, and the uppermost one of its column.
    #[inline]
    pub fn leftmost_enemy(&self, from: usize) -> Option<Place> {
        let enemy = Square::from_side(self.side.other());
        let mut end = self.width();
        let mut found = None;
        for y in 0..self.height() {
            // Only the part of the row to the left of the best find has to be searched.
            let Some(row) = self.grid.row(y).get(from..end) else { break };
            if let Some(x) = row.iter().position(|&square| square == enemy) {
                end = from + x;
                found = Some(Place { x: end as u8, y: y as u8 });
            }
        }
        found
    }

    /// Returns the own cells and the enemies of a row, from a column on: bit `i` is column `from + i`, for 64 columns.
    /// Empty for a row or column outside the dish.
    ///
    /// ```
    /// use agon_rules::petri::Scene;
    /// let scene = Scene::read(b"4 1\no.xx\n\n0 0 4 8").unwrap();
    /// assert_eq!(scene.sight().colonies(0, 1), [0b000, 0b110]);
    /// ```
    #[inline]
    pub fn colonies(&self, y: usize, from: usize) -> [u64; 2] {
        if y >= self.height() || from >= self.width() {
            return [0; 2];
        }
        let of = |side| self.grid.colony(side, y, from);
        // Written out: `map` on an array is not inlined here, and this is where training spends its time.
        [of(self.side), of(self.side.other())]
    }

    /// Iterates over every place of the dish, column by column, with its content.
    pub fn columns(&self) -> impl Iterator<Item = (Place, Thing)> + '_ {
        (0..self.width()).flat_map(move |x| {
            (0..self.height()).filter_map(move |y| {
                let place = Place { x: x as u8, y: y as u8 };
                self.look(place).map(|thing| (place, thing))
            })
        })
    }

    #[inline]
    fn surroundings(&self, place: Place) -> Surroundings {
        let ring = self.grid.around(place);
        Surroundings {
            empty: ring.of(Square::Empty),
            corpses: ring.of(Square::Corpse),
            own: ring.of(Square::from_side(self.side)),
            enemies: ring.of(Square::from_side(self.side.other())),
        }
    }

    #[inline]
    fn thing(&self, square: Square) -> Option<Thing> {
        match square {
            Square::Empty => Some(Thing::Empty),
            Square::Corpse => Some(Thing::Corpse),
            Square::Wall => None,
            Square::First | Square::Second => {
                Some(if square == Square::from_side(self.side) { Thing::Own } else { Thing::Enemy })
            }
        }
    }
}

impl fmt::Display for Sight<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {}", self.width(), self.height())?;
        for y in 0..self.height() {
            for &square in self.grid.row(y) {
                f.write_char(match self.thing(square) {
                    Some(Thing::Own) => 'o',
                    Some(Thing::Enemy) => 'x',
                    Some(Thing::Corpse) => 'c',
                    Some(Thing::Empty) | None => '.',
                })?;
            }
            f.write_char('\n')?;
        }
        write!(f, "\n{} {} {} {}", self.place.x, self.place.y, self.hp, self.energy)
    }
}

/// Contents of the eight neighbours of a square. Neighbours outside the dish belong to no kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Surroundings {
    /// Directions of empty squares.
    pub empty: Directions,
    /// Directions of corpses.
    pub corpses: Directions,
    /// Directions of cells of the own colony.
    pub own: Directions,
    /// Directions of cells of the other colony.
    pub enemies: Directions,
}

impl Surroundings {
    /// Returns the directions without a living cell, where a cell may go.
    #[inline]
    pub const fn free(&self) -> Directions {
        self.empty.union(self.corpses)
    }
}
