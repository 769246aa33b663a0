//! The effect of an action, or why it is refused.

use agon_game::Side;

use super::{Action, Direction, Directions, Misread, Place};

/// The cell that acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Actor {
    /// Its colony.
    pub side: Side,
    /// The square it stands on.
    pub place: Place,
    /// Its hit points, at least 1.
    pub hp: u8,
    /// Its energy.
    pub energy: u8,
}

/// What an action really did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Applied {
    /// The cell as it was before.
    pub actor: Actor,
    /// What it did: [`Action::Rest`] when it was refused what it asked for.
    pub action: Action,
    /// Why it had to rest instead.
    pub refusal: Option<Refusal>,
    /// The neighbours that lost hit points. An exploding cell itself always dies and is not counted here.
    pub hit: Directions,
    /// Those of them that died.
    pub died: Directions,
    /// Whether this was the last action of a player turn.
    pub turn_over: bool,
}

impl Applied {
    /// The square that the action put a cell on: where a cell moved to or was born.
    pub const fn placed(&self) -> Option<Place> {
        match self.action {
            Action::Move(direction) | Action::Divide(direction) => Some(self.actor.place.step(direction)),
            _ => None,
        }
    }
}

/// Why a cell rests although its program wanted something else.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum Refusal {
    #[error(transparent)]
    Misread(#[from] Misread),
    #[error("the dish ends there: {0}")]
    Outside(Direction),
    #[error("a living cell is there: {0}")]
    Occupied(Direction),
    #[error("no living cell is there: {0}")]
    NoCell(Direction),
    #[error("no corpse is there: {0}")]
    NoCorpse(Direction),
    #[error("strength {0} is not 1, 2 or 3")]
    Strength(i32),
    #[error("{needed} energy needed and only {energy} left")]
    Energy { needed: u8, energy: u8 },
    #[error("{0} hit points are too many to explode, 3 are the most")]
    Healthy(u8),
    #[error("{energy} energy is not more than {hp} hit points")]
    Weak { hp: u8, energy: u8 },
}
