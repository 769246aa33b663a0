//! The dish as one cell sees it.

use std::fmt::{self, Write as _};

use agon_game::Side;

use super::grid::{Grid, Square};
use super::{Directions, Place, SquareSum};

/// What a cell can see on a square. It always sees its own colony as its own.
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

/// All that an invocation is shown: the dish, and the cell that must act.
///
/// Its `Display` is the very input of the challenge, without a newline at the end (several programs of the challenge
/// compare for equality). [`super::Scene`] reads that text back; the text and the dish it was written from look the
/// same.
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

    /// Columns of the dish.
    #[inline]
    pub const fn width(&self) -> usize {
        self.grid.width
    }

    /// Rows of the dish.
    #[inline]
    pub const fn height(&self) -> usize {
        self.grid.height
    }

    /// Where the cell is.
    #[inline]
    pub const fn place(&self) -> Place {
        self.place
    }

    /// The cell's hit points.
    #[inline]
    pub const fn hp(&self) -> u8 {
        self.hp
    }

    /// The cell's energy.
    #[inline]
    pub const fn energy(&self) -> u8 {
        self.energy
    }

    /// What is on a square; `None` outside the dish.
    #[inline]
    pub fn look(&self, place: Place) -> Option<Thing> {
        self.thing(self.grid.look(place))
    }

    /// What stands around the cell.
    #[inline]
    pub fn around(&self) -> Surroundings {
        self.surroundings(self.place)
    }

    /// What stands around another square of the dish; nothing when the square is outside.
    #[inline]
    pub fn around_of(&self, place: Place) -> Surroundings {
        if usize::from(place.x) < self.width() && usize::from(place.y) < self.height() {
            self.surroundings(place)
        } else {
            Surroundings::default()
        }
    }

    /// All such things of the dish, summed up; of empty squares only the count.
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
            Thing::Own => self.grid.sum_of(Square::of(self.side)),
            Thing::Enemy => self.grid.sum_of(Square::of(self.side.other())),
        }
    }

    /// The first enemy from the left, counted from a column on, and the uppermost one of its column.
    #[inline]
    pub fn leftmost_enemy(&self, from: usize) -> Option<Place> {
        let enemy = Square::of(self.side.other());
        let mut end = self.width();
        let mut found = None;
        for y in 0..self.height() {
            // A row need only be searched to the left of what has been found.
            let Some(row) = self.grid.row(y).get(from..end) else { break };
            if let Some(x) = row.iter().position(|&square| square == enemy) {
                end = from + x;
                found = Some(Place { x: end as u8, y: y as u8 });
            }
        }
        found
    }

    /// The own cells and the enemies of a row, from a column on: bit `i` is column `from + i`, and there are 64 of
    /// them. None in a row or from a column outside the dish.
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

    /// Every place of the dish, column by column, and what is on it.
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
            own: ring.of(Square::of(self.side)),
            enemies: ring.of(Square::of(self.side.other())),
        }
    }

    #[inline]
    fn thing(&self, square: Square) -> Option<Thing> {
        match square {
            Square::Empty => Some(Thing::Empty),
            Square::Corpse => Some(Thing::Corpse),
            Square::Wall => None,
            Square::First | Square::Second => {
                Some(if square == Square::of(self.side) { Thing::Own } else { Thing::Enemy })
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

/// What stands on the eight neighbours of a square. Outside the dish there is nothing of any kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Surroundings {
    /// Where there is nothing.
    pub empty: Directions,
    /// Where there is a corpse.
    pub corpses: Directions,
    /// Where there is a cell of the own colony.
    pub own: Directions,
    /// Where there is a cell of the other colony.
    pub enemies: Directions,
}

impl Surroundings {
    /// Where a cell may go: no living cell is there.
    #[inline]
    pub const fn free(&self) -> Directions {
        self.empty.union(self.corpses)
    }
}
