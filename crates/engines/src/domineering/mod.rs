//! Players of domineering.

pub mod analysis;
pub mod canonical;
pub mod cell_set;
pub mod champion;
pub mod greedy;
pub mod large;
mod search;
pub mod side_view;
pub mod solution;
pub mod solver;
pub mod strips;
pub mod uct;

pub use analysis::{Analysis, MoveBounds};
pub use canonical::{Canonical, canonical};
pub use champion::Champion;
pub use greedy::Greedy;
pub use solution::{Goal, Solution};
pub use solver::Solver;
pub use uct::Uct;

use agon_rules::domineering::{Bonus, Domineering, WeightedBoard};

/// Returns the first position, from the board that the judge sends before READY, as required by [`crate::Seated`]. The
/// judge does not send the bonus, so ALPHANO's is assumed.
///
/// # Errors
/// The error of the board (see [`agon_rules::domineering::BoardError`]).
///
/// ```
/// use agon_engines::domineering::{Greedy, start};
/// use agon_engines::Seated;
/// use agon_game::{TimeControl, Player, Side};
/// use std::time::Duration;
///
/// let mut player = Seated::new(start, Box::new(Greedy::new(1)));
/// player.ready(Side::Second, "0 3 1\n2 3 0\n")?;
/// player.opponent("-1 -1")?;
/// let clock = TimeControl::sudden_death(Duration::from_secs(10));
/// // V already leads by its bonus, so its PASS wins the game.
/// assert_eq!(player.choose(clock, clock)?, "-1 -1");
/// # Ok::<(), String>(())
/// ```
pub fn start(preamble: &str) -> Result<Domineering, String> {
    let board = WeightedBoard::from_rows(preamble).map_err(|error| error.to_string())?;
    Ok(Domineering::new(board, Bonus::default()))
}
