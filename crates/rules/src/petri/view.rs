//! Drawing a dish.

use agon_game::{Cell, GameScore, Gauge, GridStyle, Mark, Side, View};

use super::grid::Square;
use super::{Action, Applied, Dish, Place};

impl Dish {
    /// Names of the two seats.
    pub const SEATS: [&'static str; 2] = ["1", "2"];

    /// Characters that distinguish the two colonies without colours.
    pub const SHAPES: [char; 2] = ['●', '○'];

    /// Returns the dish to draw: every cell as the shape of its colony, with its hit points as its number; `c` for a
    /// corpse.
    ///
    /// Marks: corpses, and the effects of the last action, as in [`Dish::mark`].
    pub fn view(&self) -> View {
        let (rows, columns) = (self.setup().height, self.setup().width);
        let at = |place: Place| usize::from(place.y) * columns + usize::from(place.x);
        let mut cells = Vec::with_capacity(rows * columns);
        for y in 0..rows {
            for square in self.grid.row(y) {
                let (glyph, weight, mark) = match square {
                    Square::Corpse => ('c', None, Some(Mark::Corpse)),
                    Square::First => (Self::SHAPES[0], Some(0), None),
                    Square::Second => (Self::SHAPES[1], Some(0), None),
                    Square::Empty | Square::Wall => ('.', None, None),
                };
                cells.push(Cell { owner: square.side(), glyph, weight, mark, ..Cell::default() });
            }
        }
        for cell in Side::BOTH.into_iter().flat_map(|side| self.colony(side)) {
            cells[at(cell.place)].weight = Some(cell.hp);
        }
        let gauge = |name, amount: fn(&Self, Side) -> u32| Gauge {
            name,
            amounts: Side::BOTH.map(|side| GameScore::from(amount(self, side) as i32)),
        };
        let gauges = vec![gauge("cells", Self::cells), gauge("energy", Self::energy)];
        let mut view = View {
            seats: Self::SEATS,
            rows,
            columns,
            origin: 0,
            first_letter: None,
            grid: GridStyle::Squares,
            cells,
            gauges,
            ..View::default()
        };
        if let Some(last) = self.last() {
            Self::mark(&mut view, last);
        }
        view
    }

    /// Marks the effects of an action: the square of a placed cell, if it still lives; for an explosion, the square of
    /// the exploded cell and every cell that it hurt.
    pub fn mark(view: &mut View, applied: &Applied) {
        let columns = view.columns;
        let at = |place: Place| usize::from(place.y) * columns + usize::from(place.x);
        if let Some(cell) = applied.placed().map(|place| &mut view.cells[at(place)])
            && cell.owner.is_some()
        {
            cell.mark = Some(Mark::Placed);
        }
        if applied.action == Action::Explode {
            let from = applied.actor.place;
            let hurt = applied.hit.into_iter().map(|direction| from.step(direction));
            for place in hurt.chain([from]) {
                view.cells[at(place)].mark = Some(Mark::Burst);
            }
        }
    }
}
