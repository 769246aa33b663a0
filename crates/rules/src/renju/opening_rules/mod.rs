//! How renju and gomoku are opened among people: swaps, and offers of fifth moves.
//!
//! Black wins from an empty board, so tournaments let one player place the first stones and the other choose a colour.
//! [`OpeningGame`] is that procedure as a state machine: who decides what now, which decisions are legal, and who holds
//! Black. It knows neither a clock nor a screen. When the opening is complete, the game goes on from
//! [`OpeningGame::position`] with White to move.
//!
//! ```
//! use agon_rules::renju::opening_rules::{OpeningGame, OpeningRule, Player};
//!
//! let mut game = OpeningGame::new(OpeningRule::Rif);
//! for text in ["H8", "H9", "J9", "swap", "G8", "J7", "G6", "J7"] {
//!     let decision = game.read(text).unwrap();
//!     game.apply(decision).unwrap();
//! }
//! assert!(game.is_complete());
//! assert_eq!(game.black(), Player::Second);
//! assert_eq!(game.position().to_string(), "15/15/15/15/15/15/7W1B5/6WB7/9B5/15/15/15/15/15/15 W renju 0 5");
//! ```

mod decision;
mod game;
mod layout;
mod rule;

pub use decision::{Decision, OpeningRefusal, Player, Step, StepText, StoneColour};
pub use game::{OpeningGame, OpeningTextError};
pub use layout::Layout;
pub use rule::{OpeningRule, OpeningRuleError};
