//! The decisions of an opening, and what is decided next.

use std::fmt;

use agon_game::Side;
use agon_message::messages;

use crate::renju::Point;

/// One of the two people (or programs) at the board, whatever colour they hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Player {
    /// The player who places the first stone and holds Black until a swap.
    First,
    /// The other player.
    Second,
}

impl Player {
    /// Returns the opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// What a player decides now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Place a stone.
    Stone {
        /// Number of the stone, from 1; odd stones are black.
        number: u8,
        /// Maximum distance from the centre, in king's steps; `None` for anywhere.
        reach: Option<u8>,
    },
    /// Swap colours, or keep them.
    Swap,
    /// Swap colours, keep them, or offer ten fifth moves (Taraguchi-10, fourth stone).
    SwapOrOffer,
    /// Swap colours, keep them, or place two more stones (Swap2).
    SwapOrPlaceTwo,
    /// Announce the number of fifth moves.
    Announce {
        /// Maximum number.
        max: u8,
    },
    /// Offer a fifth move.
    Offer {
        /// Number of the offer, from 1.
        number: u8,
        /// Number of offers.
        of: u8,
    },
    /// Choose one of the offered fifth moves.
    Choose,
}

/// A decision of a player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// Places a stone.
    Stone(Point),
    /// Keeps the colours.
    Keep,
    /// Swaps the colours.
    Swap,
    /// Keeps the colours and will offer ten fifth moves.
    OfferTen,
    /// Places two more stones, after which the other player chooses a colour.
    PlaceTwo,
    /// Announces this number of fifth moves.
    Announce(u8),
    /// Offers a fifth move.
    Offer(Point),
    /// Chooses an offered fifth move.
    Choose(Point),
}

impl Decision {
    /// Returns the point of a decision for one.
    pub const fn point(self) -> Option<Point> {
        match self {
            Self::Stone(point) | Self::Offer(point) | Self::Choose(point) => Some(point),
            _ => None,
        }
    }
}

/// Writes `H8`, `keep`, `swap`, `ten`, `two` or a number. What a point means follows from the step.
impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stone(point) | Self::Offer(point) | Self::Choose(point) => f.pad(&point.letters()),
            Self::Keep => f.pad("keep"),
            Self::Swap => f.pad("swap"),
            Self::OfferTen => f.pad("ten"),
            Self::PlaceTwo => f.pad("two"),
            Self::Announce(number) => number.fmt(f),
        }
    }
}

messages! {
    /// The colour of a stone.
    #[derive(Clone, Copy, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum StoneColour {
        Black = "Black",
        White = "White",
    }

    /// A step as an instruction.
    #[derive(Clone, Copy, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum StepText {
        StoneCentre = "place stone 1 (Black) on H8",
        StoneWithin { number: u8, colour: StoneColour, size: u8 } =
            "place stone {number} ({colour}) in the central {size} × {size} square",
        StoneAnywhere { number: u8, colour: StoneColour } = "place stone {number} ({colour}) on any point",
        Swap = "swap colours, or keep them",
        SwapOrOffer = "swap colours, keep them, or keep them and offer ten fifth moves",
        SwapOrPlaceTwo = "take Black (swap), stay White (keep), or place two more stones",
        Announce { max: u8 } = "announce the number of fifth moves, 1 to {max}",
        Offer { number: u8, of: u8 } = "offer fifth move {number} of {of}",
        Choose = "choose one of the offered fifth moves",
    }

    /// Reason why a decision is refused.
    #[derive(Clone, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum OpeningRefusal {
        Complete = "the opening is complete",
        Other { text: String, step: StepText } = "`{text}` does not fit here: {step}",
        Taken { point: String } = "{point} is taken",
        NotCentre { point: String } = "stone 1 must be placed on H8, not on {point}",
        OutsideSquare { number: u8, size: u8, point: String } =
            "stone {number} must be placed in the central {size} × {size} square, not on {point}",
        Number { number: u8, max: u8 } = "{number} fifth moves announced; 1 to {max} are allowed",
        OfferedTwice { point: String } = "{point} is offered already",
        Equivalent { point: String, other: String } = "{point} is symmetric to {other}, which is offered already",
        NotOffered { point: String, offers: String } = "{point} is not offered; choose one of {offers}",
    }
}

impl std::error::Error for OpeningRefusal {}

impl From<Side> for StoneColour {
    fn from(side: Side) -> Self {
        match side {
            Side::First => Self::Black,
            Side::Second => Self::White,
        }
    }
}

impl From<Step> for StepText {
    fn from(step: Step) -> Self {
        match step {
            Step::Stone { reach: Some(0), .. } => Self::StoneCentre,
            Step::Stone { number, reach } => {
                let colour = if number % 2 == 1 { StoneColour::Black } else { StoneColour::White };
                match reach {
                    Some(reach) => Self::StoneWithin { number, colour, size: 2 * reach + 1 },
                    None => Self::StoneAnywhere { number, colour },
                }
            }
            Step::Swap => Self::Swap,
            Step::SwapOrOffer => Self::SwapOrOffer,
            Step::SwapOrPlaceTwo => Self::SwapOrPlaceTwo,
            Step::Announce { max } => Self::Announce { max },
            Step::Offer { number, of } => Self::Offer { number, of },
            Step::Choose => Self::Choose,
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        StepText::from(*self).fmt(f)
    }
}
