//! The petri dish: two colonies of one-celled organisms fight for a rectangle of squares.
//!
//! Rules: the challenge "Battle for the Petri Dish". A program decides one action of one cell at a time and remembers
//! nothing: its input is the dish and the cell. In a player turn every cell of that player acts once, oldest first;
//! cells born meanwhile wait. After every action a colony without cells has lost; after the last turn the larger colony
//! wins.
//!
//! | action | legal when | effect |
//! |---|---|---|
//! | REST | always | energy + 2, at most the species' |
//! | MOVE d | no living cell there, energy ≥ 1 | energy − 1; a corpse there is destroyed |
//! | DIVIDE d | no living cell there, energy ≥ 5 | energy − 5; a newborn there with full hp and the parent's energy |
//! | ATTACK d s | a living cell there, s from 1 to 3, energy ≥ s | energy − s, its hp − s |
//! | EAT d | a corpse there | energy + 4, at most the species'; the corpse is gone |
//! | EXPLODE | hp ≤ 3, energy > hp | all neighbours lose hp + acidity; the cell dies |
//!
//! Any answer that is not a legal action is a REST.
//!
//! ```
//! use agon_rules::petri::{Action, Dish, Direction, DishSetup, Species};
//!
//! let mut dish = Dish::new(&DishSetup::new([Species::new(5, 7, 0).unwrap(); 2])).unwrap();
//! let mut input = String::new();
//! dish.input(&mut input);
//! assert_eq!(input, "10 4\n..........\n.o........\n........x.\n..........\n\n1 1 5 7");
//! let applied = dish.answer(b"divide se\n").unwrap();
//! assert_eq!(applied.action, Action::Divide(Direction::SouthEast));
//! assert_eq!(dish.board(), "........../.1......../..1.....2./..........");
//! let applied = dish.answer(b"DIVIDE everywhere").unwrap();
//! assert_eq!(applied.action, Action::Rest);
//! assert_eq!(applied.refusal.unwrap().to_string(), "the second word must be N, S, E, W, NE, NW, SE or SW");
//! ```

mod action;
mod applied;
mod direction;
mod dish;
mod game;
mod grid;
mod notation;
mod scene;
mod setup;
mod sight;
mod species;
mod view;

pub use action::{Action, Misread};
pub use applied::{Actor, Applied, Refusal};
pub use direction::{Direction, Directions, Iter};
pub use dish::{Dish, DishEnding, TurnsOver};
pub use game::Petri;
pub use grid::{MAX_SIDE, Place, SquareSum};
pub use scene::{Scene, SceneError};
pub use setup::{DishSetup, DishSetupError, Rules};
pub use sight::{Sight, Surroundings, Thing};
pub use species::{Announcement, POINTS, Species, SpeciesError};
