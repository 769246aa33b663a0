//! How often a short search makes the decision that a long one would make.

use agon_game::Side;
use agon_game::seed::Stream;
use agon_rules::renju::opening_rules::{Decision, OpeningGame, OpeningRule, Step};

use super::opening_player::{OpeningPlayer, is_near};

/// Opening rules with the number of stones before a swap that depends on values. Swaps before the fourth stone of
/// Taraguchi-10, and after the third of Soosõrv-8, leave the other player to make the stones even.
const SWAPS: [(OpeningRule, usize); 6] = [
    (OpeningRule::Rif, 3),
    (OpeningRule::Yamaguchi, 3),
    (OpeningRule::Soosyrv8, 4),
    (OpeningRule::Taraguchi10, 5),
    (OpeningRule::Swap2, 3),
    (OpeningRule::Swap2, 5),
];

/// One decision on a swap.
#[derive(Clone, Debug)]
pub struct SwapTrial {
    /// The opening up to the swap.
    pub game: OpeningGame,
    /// What was decided.
    pub decision: Decision,
    /// Black's value by the long search, in hundredths.
    pub value: i32,
}

impl SwapTrial {
    /// Decides on the swap with one player, and values it with the other. `None` if the opening is complete.
    pub fn new(game: OpeningGame, short: &mut OpeningPlayer, long: &mut OpeningPlayer) -> Option<Self> {
        let decision = short.decide(&game)?;
        let value = long.value(&game);
        Some(Self { game, decision, value })
    }

    /// Returns the value of the chosen colour: negative if the other one was better.
    pub fn chosen(&self) -> i32 {
        let colour = self.game.turn().map(|(player, _)| self.game.colour(player));
        let black = (colour == Some(Side::First)) != (self.decision == Decision::Swap);
        if black { self.value } else { -self.value }
    }

    /// Returns true if the decision was right.
    pub fn is_right(&self) -> bool {
        self.chosen() >= 0
    }
}

/// Draws an opening up to a swap; stones that are not bound to a square are near others.
pub fn draw(number: usize, stream: &mut Stream) -> OpeningGame {
    let (rule, stones) = SWAPS[number % SWAPS.len()];
    let mut game = OpeningGame::new(rule);
    while let Some((_, step)) = game.turn() {
        let is_swap = matches!(step, Step::Swap | Step::SwapOrOffer | Step::SwapOrPlaceTwo);
        if is_swap && game.stones().len() == stones {
            break;
        }
        let mut legal = game.legal_decisions();
        match step {
            Step::Stone { reach: None, .. } => legal.retain(|decision| {
                decision.point().is_some_and(|point| match game.stones() {
                    [] => point.distance_from_centre() <= 4,
                    stones => is_near(stones, point),
                })
            }),
            Step::SwapOrPlaceTwo => legal.retain(|&decision| decision == Decision::PlaceTwo),
            Step::SwapOrOffer => legal.retain(|&decision| decision != Decision::OfferTen),
            _ => {}
        }
        let decision = legal[stream.below(legal.len())];
        if game.apply(decision).is_err() {
            break;
        }
    }
    game
}
