//! The effect of an action, or the reason why it was refused.

use agon_game::Side;
use agon_message::messages;

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

messages! {
    /// Reason why a cell rests although its program requested another action.
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    #[allow(missing_docs)]
    pub enum Refusal {
        Misread(error: Misread),
        Outside { direction: Direction } = "the dish ends there: {direction}",
        Occupied { direction: Direction } = "a living cell is there: {direction}",
        NoCell { direction: Direction } = "no living cell is there: {direction}",
        NoCorpse { direction: Direction } = "no corpse is there: {direction}",
        Strength { strength: i32 } = "strength {strength} is not 1, 2 or 3",
        Energy { needed: u8, energy: u8 } = "{needed} energy needed and only {energy} left",
        Healthy { hp: u8 } = "{hp} hit points are too many to explode, 3 are the most",
        Weak { hp: u8, energy: u8 } = "{energy} energy is not more than {hp} hit points",
    }
}
