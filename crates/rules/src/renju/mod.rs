//! Renju on 15 × 15 points: five in a row, with moves forbidden only to Black.
//!
//! The usual rules are those of ALPHANO's problem "Renju"; its text is cited as "statement", with section 1 for its
//! terms. Black must not make an overline, a double four or a double three unless the same stone makes a five, the
//! first three turns are restricted to the middle of the board, and from the fourth turn on either player may pass.
//! Articles named in this module are those of the Renju International Federation's rules,
//! <https://www.renju.net/rifrules/>, as far as the statement adopts them. Other rules of five in a row are a
//! [`RuleSet`]; how renju is opened among people is a state machine beside the game, [`opening_rules`].
//!
//! ```
//! use agon_game::Position;
//! use agon_rules::renju::Renju;
//!
//! let mut position = Renju::default();
//! for text in ["8 8", "7 8", "6 8", "-1 -1"] {
//!     let m = position.read_move(text).unwrap();
//!     position.play_unchecked(m, &mut ());
//! }
//! assert_eq!(position.to_string(), "15/15/15/15/15/7B7/7W7/7B7/15/15/15/15/15/15/15 B 1 4");
//! ```

pub mod board;
pub mod direction;
pub mod explanation;
pub mod forbidden;
pub mod moves;
pub mod notation;
pub mod opening;
pub mod opening_rules;
pub mod point;
pub mod point_set;
pub mod position;
pub mod psq;
pub mod rule_set;
mod scan;
pub mod stones;
pub mod window;

pub use board::{Board, WinningRow};
pub use direction::{Axes, Axis};
pub use explanation::{Explanation, ForbiddenStep};
pub use forbidden::{Forbidden, ForbiddenKind, ForbiddenReason, forbidden};
pub use moves::{Move, MoveTextError};
pub use notation::{RenjuEnding, RenjuTextError, RenjuWin};
pub use opening::Opening;
pub use point::{LettersError, Point, Points};
pub use point_set::PointSet;
pub use position::{Renju, RenjuNotation, RenjuRefusal, StonesError};
pub use rule_set::{RuleSet, RuleSetError};
pub use stones::Stones;
pub use window::Window;

/// Number of rows, and of columns, of the board.
pub const SIZE: usize = 15;

/// Number of points of the board.
pub const POINTS: usize = SIZE * SIZE;
