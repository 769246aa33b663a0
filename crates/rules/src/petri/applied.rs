//! The effect of an action, or the reason why it was refused.

use agon_game::Side;

use super::{Action, Direction, Directions, Misread, Place};

/// The cell that acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Actor {
    /// Colony of the cell.
    pub side: Side,
    /// Square of the cell.
    pub place: Place,
    /// Hit points, at least 1.
    pub hp: u8,
    /// Energy of the cell.
    pub energy: u8,
}

/// The real effect of an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Applied {
    /// The cell before the action.
    pub actor: Actor,
    /// The action carried out: [`Action::Rest`] if the request was refused.
    pub action: Action,
    /// Reason for resting instead.
    pub refusal: Option<Refusal>,
    /// Neighbours that lost hit points. An exploding cell itself always dies and is not included.
    pub hit: Directions,
    /// Neighbours among them that died.
    pub died: Directions,
    /// True if this was the last action of a player turn.
    pub turn_over: bool,
}

impl Applied {
    /// Returns the square that the action put a cell on, by a move or a division.
    pub const fn placed(&self) -> Option<Place> {
        match self.action {
            Action::Move(direction) | Action::Divide(direction) => Some(self.actor.place.step(direction)),
            _ => None,
        }
    }
}

/// Reason why a cell rests although its program requested another action.
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
