//! The set-up of a dish: its size, turns, species and rules.

use std::fmt;

use super::grid::MAX_SIDE;
use super::{Place, Species};

/// Variants of the actions' effects.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rules {
    /// The challenge's text.
    #[default]
    Contest,
    /// The first published driver, with the three faults that readers found in it. Only for comparison.
    ///
    /// - MOVE is free: it costs no energy and needs none.
    /// - EXPLODE ignores the acidity.
    /// - An explosion weakens itself halfway. The driver subtracts the hit points of the exploding cell from the
    ///   squares around it column by column, and on the way from the exploding cell itself, whose hit points are then
    ///   0: only NW, W, SW and N are hurt.
    Published,
}

impl Rules {
    /// Both variants, by the names that [`fmt::Display`] writes.
    pub const ALL: [Self; 2] = [Self::Contest, Self::Published];

    /// Returns the rule set of this name.
    ///
    /// ```
    /// use agon_rules::petri::Rules;
    /// assert_eq!(Rules::by_name("published"), Some(Rules::Published));
    /// assert_eq!(Rules::by_name("posted"), None);
    /// ```
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rules| rules.name() == name)
    }

    /// Returns `contest` or `published`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Contest => "contest",
            Self::Published => "published",
        }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Set-up of a game.
///
/// ```
/// use agon_rules::petri::{Rules, DishSetup, Species};
/// let setup = DishSetup::new([Species::new(5, 7, 0).unwrap(); 2]);
/// assert_eq!((setup.width, setup.height, setup.turns, setup.rules), (10, 4, 150, Rules::Contest));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DishSetup {
    /// Number of columns, 4 to 255.
    pub width: usize,
    /// Number of rows, 4 to 255.
    pub height: usize,
    /// Number of turns of each player, 1 or more.
    pub turns: u16,
    /// Species of the first and of the second player.
    pub species: [Species; 2],
    /// Variant of the actions' effects.
    pub rules: Rules,
}

impl DishSetup {
    /// Number of columns of the published arena.
    pub const WIDTH: usize = 10;
    /// Number of rows of the published arena.
    pub const HEIGHT: usize = 4;
    /// Number of turns of each player in the challenge.
    pub const TURNS: u16 = 150;
    /// Minimum length of a side in the challenge.
    pub const MIN_SIDE: usize = 4;

    /// Creates the challenge's own game between two species.
    pub const fn new(species: [Species; 2]) -> Self {
        Self { width: Self::WIDTH, height: Self::HEIGHT, turns: Self::TURNS, species, rules: Rules::Contest }
    }

    /// Returns the places of the first cells: one square from the north-west corner, and one from the south-east.
    pub(super) fn starts(&self) -> [Place; 2] {
        [Place { x: 1, y: 1 }, Place { x: (self.width - 2) as u8, y: (self.height - 2) as u8 }]
    }

    /// Checks all numbers against the minimum length of a side.
    pub(super) fn check(&self, shortest: usize) -> Result<(), DishSetupError> {
        if let Some(side) = [self.width, self.height].into_iter().find(|side| !(shortest..=MAX_SIDE).contains(side)) {
            return Err(DishSetupError::Side { side, shortest });
        }
        let [first, second] = self.starts();
        if first == second {
            return Err(DishSetupError::Corner { width: self.width, height: self.height });
        }
        if self.turns == 0 { Err(DishSetupError::Turns(self.turns)) } else { Ok(()) }
    }
}

/// Reason why a set-up is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum DishSetupError {
    #[error("a dish cannot be {side} wide or high: {shortest} to 255")]
    Side { side: usize, shortest: usize },
    #[error("a dish of {width} × {height} has one square for both first cells")]
    Corner { width: usize, height: usize },
    #[error("{0} turns: at least 1 expected")]
    Turns(u16),
}
