//! Domineering with points: dominoes on a board of numbers.
//!
//! Every cell of a board of up to 8 × 8 holds a weight. The first player, H, covers two adjacent empty cells in a row;
//! the second, V, two in a column; either scores the weights it covers, or passes. The game ends when both pass in
//! turn, or when neither can place a domino. The higher score wins; V starts with a bonus for moving second. The rules
//! are those of ALPHANO's task "Domineering" (there on 8 × 8, with weights from 0 to 3 and a bonus of 2.5); the game
//! without points is Göran Andersson's, see Berlekamp, Conway and Guy, *Winning Ways*, chapter 5.
//!
//! ```
//! use agon_game::{Outcome, Position, Show, Side};
//! use agon_rules::domineering::{WeightedBoard, Bonus, Domineering};
//!
//! let board = WeightedBoard::from_rows("3 3\n0 1\n")?;
//! let mut position = Domineering::new(board, Bonus::default());
//! for text in ["1 1", "-1 -1", "2 1"] {
//!     let m = position.read_move(text)?;
//!     position.play_unchecked(m, &mut ());
//! }
//! assert_eq!(position.scores().map(|score| score.to_string()), ["7", "2.5"]);
//! assert_eq!(position.outcome(), Some(Outcome::Win(Side::First)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod board;
pub mod cells;
mod moves;
pub mod notation;
pub mod position;

pub use board::{BoardError, WeightedBoard};
pub use moves::Move;
pub use notation::{DomineeringEnding, DomineeringTextError};
pub use position::{Bonus, BonusError, Domineering, DomineeringNotation, DomineeringRefusal, Domino, OutsideBoard};
