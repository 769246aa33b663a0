//! Bacteria War: two kinds of bacteria on a 7 × 7 dish. It is the game of Ataxx without blocked cells.
//!
//! - O begins on (1,1) and (7,7), X on (1,7) and (7,1); O moves first. Places are written (row,column) from 1.
//! - A move goes from one of the side's cells to an empty one at a distance of 1 or 2 in king's steps. In a *division*,
//!   at distance 1, the source stays; in a *leap*, at distance 2, it is emptied.
//! - *Infection*: every opposing bacterium in the eight neighbours of the destination then changes sides.
//! - PASS is legal only without a division or leap, and is then the only move.
//! - The game ends when one kind has vanished, when no cell is empty, or after [`PLY_LIMIT`] plies, passes included.
//!   More cells win; equal numbers draw.
//!
//! Ataxx engines speak [UAI](https://www.ataxx.org/), the Universal Ataxx Interface, and write positions as in
//! [`notation`]. They call the side that moves first `x`; here it is [`Side::First`](agon_game::Side::First), whose
//! seat is called O.
//!
//! ```
//! use agon_game::Position;
//! use agon_rules::bacteria::Bacteria;
//!
//! let mut dish = Bacteria::start();
//! assert_eq!(dish.to_string(), "x5o/7/7/7/7/7/o5x x 0 1");
//! let leap = dish.read_move("1 1 3 3")?;
//! dish.play_unchecked(leap, &mut ());
//! assert_eq!(dish.to_string(), "6o/7/2x4/7/7/7/o5x o 1 1");
//! # Ok::<(), agon_game::MoveError>(())
//! ```

pub mod board;
pub mod moves;
pub mod notation;
mod perft;
pub mod position;
mod rules;

pub use moves::Move;
pub use notation::{BacteriaNotation, BacteriaRefusal, FenError, MustPass};
pub use position::{Bacteria, PLY_LIMIT};
pub use rules::BacteriaEnding;
