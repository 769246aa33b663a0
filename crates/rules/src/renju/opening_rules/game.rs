//! An opening in progress.

use agon_game::Side;

use super::decision::{Decision, OpeningRefusal, Player, Step};
use super::layout::Layout;
use super::rule::OpeningRule;
use crate::renju::{Board, Point, Renju, RuleSet};

/// Number of fifth moves that Taraguchi-10 offers.
const TEN: u8 = 10;

/// Maximum number of fifth moves in Yamaguchi's rule, whose text sets none; also the letters on a board.
const MAX_YAMAGUCHI: u8 = 10;

/// Maximum number of fifth moves in Soosõrv-8.
const MAX_SOOSYRV: u8 = 8;

/// Number of fifth moves of the RIF rule.
const TWO: u8 = 2;

/// Stones placed before the offers of fifth moves.
const BEFORE_OFFERS: usize = 4;

/// An opening in progress, or a complete one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningGame {
    rule: OpeningRule,
    rules: RuleSet,
    /// In the order in which they were placed: black, white, black …
    stones: Vec<Point>,
    offers: Vec<Point>,
    /// Number of fifth moves to offer.
    announced: u8,
    black: Player,
    /// Who decides what now.
    turn: Option<(Player, Step)>,
    decisions: Vec<(Player, Decision)>,
}

/// Reason why decisions are not an opening of a rule.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("decision {number}, `{text}`: {refusal}")]
pub struct OpeningTextError {
    /// Number of the decision, from 1.
    pub number: usize,
    /// The decision as it was written.
    pub text: String,
    /// Why it is refused.
    pub refusal: OpeningRefusal,
}

impl OpeningGame {
    /// Creates the start of an opening, of the game that usually follows the rule.
    pub fn new(rule: OpeningRule) -> Self {
        Self::under(rule, rule.rules())
    }

    /// Creates the start of an opening of a game under these rules.
    pub fn under(rule: OpeningRule, rules: RuleSet) -> Self {
        let mut game = Self {
            rule,
            rules,
            stones: Vec::new(),
            offers: Vec::new(),
            announced: if rule == OpeningRule::Rif { TWO } else { 0 },
            black: Player::First,
            turn: None,
            decisions: Vec::new(),
        };
        game.turn = Some((Player::First, game.next_stone()));
        game
    }

    /// Reads decisions, separated by blanks or commas, as [`OpeningGame::text`] writes them.
    ///
    /// # Errors
    /// [`OpeningTextError`] with the first decision that is refused.
    pub fn parse(rule: OpeningRule, text: &str) -> Result<Self, OpeningTextError> {
        Self::new(rule).continued(text)
    }

    /// Returns the opening after further decisions, written as for [`OpeningGame::parse`].
    ///
    /// # Errors
    /// See [`OpeningGame::parse`].
    pub fn continued(&self, text: &str) -> Result<Self, OpeningTextError> {
        let mut game = self.clone();
        let words = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
        for (number, word) in (1..).zip(words) {
            let decided = game.read(word).and_then(|decision| game.apply(decision));
            decided.map_err(|refusal| OpeningTextError { number, text: word.to_owned(), refusal })?;
        }
        Ok(game)
    }

    /// Returns the rule.
    pub const fn rule(&self) -> OpeningRule {
        self.rule
    }

    /// Returns the rules of the game that follows.
    pub const fn rules(&self) -> RuleSet {
        self.rules
    }

    /// Returns the stones in the order in which they were placed, odd ones black.
    pub fn stones(&self) -> &[Point] {
        &self.stones
    }

    /// Returns the fifth moves that have been offered.
    pub fn offers(&self) -> &[Point] {
        &self.offers
    }

    /// Returns the number of fifth moves to offer; 0 before it is known.
    pub const fn announced(&self) -> u8 {
        self.announced
    }

    /// Returns who holds Black, up to now.
    pub const fn black(&self) -> Player {
        self.black
    }

    /// Returns the colour of a player, up to now.
    pub fn colour(&self, player: Player) -> Side {
        if player == self.black { Side::First } else { Side::Second }
    }

    /// Returns who holds a colour, up to now.
    pub fn holder(&self, colour: Side) -> Player {
        match colour {
            Side::First => self.black,
            Side::Second => self.black.other(),
        }
    }

    /// Returns who decides what now; `None` once the opening is complete.
    pub const fn turn(&self) -> Option<(Player, Step)> {
        self.turn
    }

    /// Returns true if the opening is complete: the game goes on with White to move.
    pub const fn is_complete(&self) -> bool {
        self.turn.is_none()
    }

    /// Returns the decisions up to now, with who made them.
    pub fn decisions(&self) -> &[(Player, Decision)] {
        &self.decisions
    }

    /// Returns the decisions as text, separated by blanks.
    pub fn text(&self) -> String {
        self.decisions.iter().map(|(_, decision)| decision.to_string()).collect::<Vec<_>>().join(" ")
    }

    /// Returns the position of the stones.
    pub fn position(&self) -> Renju {
        let mut board = Board::empty(self.rules);
        for (point, side) in self.stones.iter().zip(Side::BOTH.into_iter().cycle()) {
            board.place(*point, side);
        }
        let turn = self.colour_of_next();
        // At most five stones in turn: no side has a row, and no pass is among them.
        Renju::new(board, turn, 0, self.stones.len() as u32).unwrap_or_else(|_| Renju::start(self.rules))
    }

    /// Returns the position that a decision for a stone, or for a fifth move, leads to, or that the others keep.
    pub fn position_after(&self, decision: Decision) -> Renju {
        let mut next = self.clone();
        next.stones.extend(decision.point());
        next.position()
    }

    /// Lists the legal decisions.
    pub fn legal_decisions(&self) -> Vec<Decision> {
        let Some((_, step)) = self.turn else { return Vec::new() };
        let points = |made: fn(Point) -> Decision| Point::all().map(made);
        let all: Vec<Decision> = match step {
            Step::Stone { .. } => points(Decision::Stone).collect(),
            Step::Swap => vec![Decision::Keep, Decision::Swap],
            Step::SwapOrOffer => vec![Decision::Keep, Decision::Swap, Decision::OfferTen],
            Step::SwapOrPlaceTwo => vec![Decision::Keep, Decision::Swap, Decision::PlaceTwo],
            Step::Announce { max } => (1..=max).map(Decision::Announce).collect(),
            Step::Offer { .. } => {
                let offered: Vec<Layout> = self.offers.iter().map(|&offer| self.layout_with(offer)).collect();
                let is_new = |point: &Point| !self.is_taken(*point) && !offered.contains(&self.layout_with(*point));
                return Point::all().filter(is_new).map(Decision::Offer).collect();
            }
            Step::Choose => self.offers.iter().copied().map(Decision::Choose).collect(),
        };
        all.into_iter().filter(|&decision| self.check(decision).is_ok()).collect()
    }

    /// Reads a decision of this step, as its `Display` writes it; capital and small letters are alike.
    ///
    /// # Errors
    /// [`OpeningRefusal`] if the text is none that this step asks for, or the decision is illegal.
    pub fn read(&self, text: &str) -> Result<Decision, OpeningRefusal> {
        let (_, step) = self.turn.ok_or(OpeningRefusal::Complete)?;
        let other = || OpeningRefusal::Other { text: text.to_owned(), step: step.into() };
        let point = || Point::from_letters(text).map_err(|_| other());
        let decision = match (step, &*text.to_ascii_lowercase()) {
            (Step::Swap | Step::SwapOrOffer | Step::SwapOrPlaceTwo, "keep") => Decision::Keep,
            (Step::Swap | Step::SwapOrOffer | Step::SwapOrPlaceTwo, "swap") => Decision::Swap,
            (Step::SwapOrOffer, "ten") => Decision::OfferTen,
            (Step::SwapOrPlaceTwo, "two") => Decision::PlaceTwo,
            (Step::Announce { .. }, number) => Decision::Announce(number.parse().map_err(|_| other())?),
            (Step::Stone { .. }, _) => Decision::Stone(point()?),
            (Step::Offer { .. }, _) => Decision::Offer(point()?),
            (Step::Choose, _) => Decision::Choose(point()?),
            _ => return Err(other()),
        };
        self.check(decision).map(|()| decision)
    }

    /// Checks that a decision is legal.
    ///
    /// # Errors
    /// [`OpeningRefusal`] with the reason.
    pub fn check(&self, decision: Decision) -> Result<(), OpeningRefusal> {
        let (_, step) = self.turn.ok_or(OpeningRefusal::Complete)?;
        match (step, decision) {
            (Step::Stone { number, reach }, Decision::Stone(point)) => self.check_stone(number, reach, point),
            (Step::Swap | Step::SwapOrOffer | Step::SwapOrPlaceTwo, Decision::Keep | Decision::Swap)
            | (Step::SwapOrOffer, Decision::OfferTen)
            | (Step::SwapOrPlaceTwo, Decision::PlaceTwo) => Ok(()),
            (Step::Announce { max }, Decision::Announce(number)) => {
                if (1..=max).contains(&number) {
                    Ok(())
                } else {
                    Err(OpeningRefusal::Number { number, max })
                }
            }
            (Step::Offer { .. }, Decision::Offer(point)) => self.check_offer(point),
            (Step::Choose, Decision::Choose(point)) => {
                if self.offers.contains(&point) {
                    return Ok(());
                }
                let offers: Vec<String> = self.offers.iter().map(|offer| offer.letters()).collect();
                Err(OpeningRefusal::NotOffered { point: point.letters(), offers: offers.join(", ") })
            }
            _ => Err(OpeningRefusal::Other { text: decision.to_string(), step: step.into() }),
        }
    }

    fn check_stone(&self, number: u8, reach: Option<u8>, point: Point) -> Result<(), OpeningRefusal> {
        if self.is_taken(point) {
            return Err(OpeningRefusal::Taken { point: point.letters() });
        }
        match reach {
            Some(reach) if point.distance_from_centre() > reach => {
                let (size, point) = (2 * reach + 1, point.letters());
                Err(match reach {
                    0 => OpeningRefusal::NotCentre { point },
                    _ => OpeningRefusal::OutsideSquare { number, size, point },
                })
            }
            _ => Ok(()),
        }
    }

    fn check_offer(&self, point: Point) -> Result<(), OpeningRefusal> {
        if self.is_taken(point) {
            return Err(OpeningRefusal::Taken { point: point.letters() });
        }
        if self.offers.contains(&point) {
            return Err(OpeningRefusal::OfferedTwice { point: point.letters() });
        }
        let layout = self.layout_with(point);
        match self.offers.iter().find(|&&offer| self.layout_with(offer) == layout) {
            Some(other) => Err(OpeningRefusal::Equivalent { point: point.letters(), other: other.letters() }),
            None => Ok(()),
        }
    }

    /// Makes a decision.
    ///
    /// # Errors
    /// [`OpeningRefusal`] if it is illegal; nothing has changed then.
    pub fn apply(&mut self, decision: Decision) -> Result<(), OpeningRefusal> {
        self.check(decision)?;
        let Some((player, _)) = self.turn else { return Err(OpeningRefusal::Complete) };
        match decision {
            Decision::Stone(point) | Decision::Choose(point) => self.stones.push(point),
            Decision::Offer(point) => self.offers.push(point),
            Decision::Swap => self.black = self.black.other(),
            Decision::OfferTen => self.announced = TEN,
            Decision::Announce(number) => self.announced = number,
            Decision::Keep | Decision::PlaceTwo => {}
        }
        self.decisions.push((player, decision));
        self.turn = self.next(player, decision);
        Ok(())
    }

    /// Takes back the last decision. Returns it, or `None` at the start.
    pub fn take_back(&mut self) -> Option<Decision> {
        let (_, last) = self.decisions.pop()?;
        let mut game = Self::under(self.rule, self.rules);
        for &(_, decision) in &self.decisions {
            // They were legal before.
            game.apply(decision).ok()?;
        }
        *self = game;
        Some(last)
    }

    /// Returns who decides what after a decision.
    fn next(&self, player: Player, decision: Decision) -> Option<(Player, Step)> {
        match decision {
            Decision::Offer(_) if self.offers.len() < usize::from(self.announced) => Some((player, self.next_offer())),
            Decision::Offer(_) => Some((player.other(), Step::Choose)),
            Decision::Choose(_) => None,
            Decision::OfferTen => Some((self.black, self.next_offer())),
            Decision::PlaceTwo => Some((player, self.next_stone())),
            Decision::Stone(_) | Decision::Keep | Decision::Swap | Decision::Announce(_) => match self.rule {
                OpeningRule::Rif => Some(self.next_of_rif(decision)),
                OpeningRule::Yamaguchi => Some(self.next_of_yamaguchi(decision)),
                OpeningRule::Soosyrv8 => Some(self.next_of_soosyrv(player, decision)),
                OpeningRule::Taraguchi10 => self.next_of_taraguchi(player, decision),
                OpeningRule::Swap2 => self.next_of_swap2(decision),
            },
        }
    }

    /// The first player places three stones, the second may swap, White places the fourth stone anywhere, Black offers
    /// two fifth moves, White chooses one.
    fn next_of_rif(&self, decision: Decision) -> (Player, Step) {
        match (self.stones.len(), decision) {
            (0..=2, _) => (Player::First, self.next_stone()),
            (3, Decision::Stone(_)) => (Player::Second, Step::Swap),
            (3, _) => (self.holder(Side::Second), self.next_stone()),
            _ => (self.black, self.next_offer()),
        }
    }

    /// As RIF, but the first player also announces how many fifth moves will be offered, before the swap.
    fn next_of_yamaguchi(&self, decision: Decision) -> (Player, Step) {
        match (self.stones.len(), decision) {
            (0..=2, _) => (Player::First, self.next_stone()),
            (3, Decision::Stone(_)) => (Player::First, Step::Announce { max: MAX_YAMAGUCHI }),
            (3, Decision::Announce(_)) => (Player::Second, Step::Swap),
            (3, _) => (self.holder(Side::Second), self.next_stone()),
            _ => (self.black, self.next_offer()),
        }
    }

    /// As RIF, but White announces the number with the fourth stone, and then the other player may swap.
    fn next_of_soosyrv(&self, player: Player, decision: Decision) -> (Player, Step) {
        match (self.stones.len(), decision) {
            (0..=2, _) => (Player::First, self.next_stone()),
            (3, Decision::Stone(_)) => (Player::Second, Step::Swap),
            (3, _) => (self.holder(Side::Second), self.next_stone()),
            (_, Decision::Stone(_)) => (player, Step::Announce { max: MAX_SOOSYRV }),
            (_, Decision::Announce(_)) => (player.other(), Step::Swap),
            _ => (self.black, self.next_offer()),
        }
    }

    /// Each stone in a square of its own, and a swap by the other player after each. After the fourth stone the other
    /// player may offer ten fifth moves instead; White chooses one.
    fn next_of_taraguchi(&self, player: Player, decision: Decision) -> Option<(Player, Step)> {
        match (self.stones.len(), decision) {
            (BEFORE_OFFERS, Decision::Stone(_)) => Some((player.other(), Step::SwapOrOffer)),
            (_, Decision::Stone(_)) => Some((player.other(), Step::Swap)),
            (5, _) => None,
            _ => Some((self.holder(self.colour_of_next()), self.next_stone())),
        }
    }

    /// The first player places three stones anywhere; the second chooses a colour, or places two more stones, after
    /// which the first chooses.
    fn next_of_swap2(&self, decision: Decision) -> Option<(Player, Step)> {
        match (self.stones.len(), decision) {
            (0..=2, _) => Some((Player::First, self.next_stone())),
            (3, Decision::Stone(_)) => Some((Player::Second, Step::SwapOrPlaceTwo)),
            (4, _) => Some((Player::Second, self.next_stone())),
            (5, Decision::Stone(_)) => Some((Player::First, Step::Swap)),
            _ => None,
        }
    }

    fn colour_of_next(&self) -> Side {
        if self.stones.len().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    /// The step of the next stone. Stones 1 to 3 make one of the 26 openings in all rules but Swap2.
    fn next_stone(&self) -> Step {
        let number = self.stones.len() as u8 + 1;
        let reach = match (self.rule, number) {
            (OpeningRule::Swap2, _) => None,
            (OpeningRule::Taraguchi10, _) | (_, 1..=3) => Some(number - 1),
            _ => None,
        };
        Step::Stone { number, reach }
    }

    fn next_offer(&self) -> Step {
        Step::Offer { number: self.offers.len() as u8 + 1, of: self.announced }
    }

    fn is_taken(&self, point: Point) -> bool {
        self.stones.contains(&point)
    }

    /// The layout of the stones with one more black one.
    fn layout_with(&self, point: Point) -> Layout {
        let sides = Side::BOTH.into_iter().cycle();
        let stones = sides.zip(self.stones.iter().copied().chain([point]));
        Layout::new(stones)
    }
}
