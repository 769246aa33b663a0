//! A dish in text: boards, states, and the hash that distinguishes two states.

use std::fmt::{self, Write};

use agon_game::Side;
use agon_game::hash::Fnv1a;

use super::Dish;
use super::grid::Square;

impl Dish {
    /// Returns the squares, `1`, `2`, `c` for a corpse and `.`, the rows joined by `/`.
    pub fn board(&self) -> String {
        let mut board = String::with_capacity((self.setup().width + 1) * self.setup().height);
        // Writing to a string cannot fail.
        let _ = self.write_board(&mut board);
        board
    }

    /// Returns the board and, after a `|` for each side, its living cells as `x,y,hp,energy`, oldest first and joined
    /// by `;`.
    ///
    /// ```
    /// use agon_rules::petri::{Dish, DishSetup, Species};
    /// let dish = Dish::new(&DishSetup { width: 4, ..DishSetup::new([Species::new(5, 7, 0).unwrap(); 2]) }).unwrap();
    /// assert_eq!(dish.state(), "..../.1../..2./....|1,1,5,7|2,2,5,7");
    /// ```
    pub fn state(&self) -> String {
        let mut state = String::new();
        let _ = self.write_state(&mut state);
        state
    }

    /// Returns the 64-bit FNV-1a hash of [`Dish::state`].
    pub fn state_hash(&self) -> u64 {
        let mut hash = Fnv1a::default();
        let _ = self.write_state(&mut hash);
        hash.finish()
    }

    fn write_board(&self, out: &mut impl Write) -> fmt::Result {
        for y in 0..self.grid.height {
            if y > 0 {
                out.write_char('/')?;
            }
            for square in self.grid.row(y) {
                out.write_char(match square {
                    Square::First => '1',
                    Square::Second => '2',
                    Square::Corpse => 'c',
                    Square::Empty | Square::Wall => '.',
                })?;
            }
        }
        Ok(())
    }

    fn write_state(&self, out: &mut impl Write) -> fmt::Result {
        self.write_board(out)?;
        for side in Side::BOTH {
            let mut separator = '|';
            for cell in self.colony(side) {
                write!(out, "{separator}{},{},{},{}", cell.place.x, cell.place.y, cell.hp, cell.energy)?;
                separator = ';';
            }
            if separator == '|' {
                out.write_char('|')?;
            }
        }
        Ok(())
    }
}
