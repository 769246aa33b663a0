//! The position, and the legal moves of both sides.

use agon_game::hash::split_mix;
use agon_game::position::read_numbers;
use agon_game::{MoveError, Observer, Outcome, Position, Side};
use agon_message::messages;

use super::forbidden::forbidden_points;
use super::point::Points;
use super::{Board, Forbidden, ForbiddenReason, Move, POINTS, Point, RuleSet, forbidden};

/// A position of renju: the stones, the side to move, the number of successive passes just made, and the number of
/// turns played.
///
/// Black is [`Side::First`], White [`Side::Second`]. Any arrangement of stones can be set up for study ([`Renju::new`],
/// [`Renju::from_stones`], or from text, see [`super::notation`]). The board has the [`RuleSet`], by default ALPHANO's
/// renju. The opening's limits are that rule set's alone: they apply exactly if the stones,
/// the turn and the passes are those of a game's first three turns: no stone and Black to move; one black stone on
/// (8,8) and White to move; that stone and a white one on rows and columns 7 to 9 and Black to move. In every other
/// position both sides may play anywhere that the other rules allow, and pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renju {
    board: Board,
    turn: Side,
    passes: u8,
    ply: u32,
    outcome: Option<Outcome>,
    hash: u64,
}

/// The start of a game: an empty board, Black to move.
impl Default for Renju {
    fn default() -> Self {
        Self { board: Board::EMPTY, turn: Side::First, passes: 0, ply: 0, outcome: None, hash: 0 }
    }
}

impl Renju {
    /// Creates the start of a game under a rule set.
    ///
    /// ```
    /// use agon_game::Position;
    /// use agon_rules::renju::{Renju, RuleSet};
    /// assert_eq!(Renju::default().count_moves(), 1);
    /// assert_eq!(Renju::start(RuleSet::Freestyle).count_moves(), 226);
    /// ```
    pub fn start(rules: RuleSet) -> Self {
        Self { board: Board::empty(rules), hash: RULE_KEYS[rules as usize], ..Self::default() }
    }

    /// Creates a position to study. `passes` is the number of successive passes up to now, 0 to 2; `ply` the number of
    /// all turns so far.
    ///
    /// A side with a winning row has won. Nothing else about the stones is checked: their numbers may be uneven, and
    /// black ones may stand on forbidden points.
    ///
    /// # Errors
    /// [`StonesError`] if `passes` is above two, if both sides have won, or if no game reaches these stones in `ply`
    /// turns: every stone is a turn, with at most one pass before it.
    pub fn new(board: Board, turn: Side, passes: u8, ply: u32) -> Result<Self, StonesError> {
        if passes > 2 {
            return Err(StonesError::Passes { passes });
        }
        let stones = Side::BOTH.map(|side| board.stones(side).len() as u32).iter().sum::<u32>();
        let (least, most) = (stones + u32::from(passes), 2 * stones + u32::from(passes));
        if !(least..=most).contains(&ply) {
            return Err(StonesError::Ply { ply, least, most });
        }
        let [black, white] = Side::BOTH.map(|side| board.winning_row(side).is_some());
        let outcome = match (black, white) {
            (true, true) => return Err(StonesError::BothWon),
            (true, false) => Some(Outcome::Win(Side::First)),
            (false, true) => Some(Outcome::Win(Side::Second)),
            (false, false) => (passes == 2).then_some(Outcome::Draw),
        };
        let mut position = Self { board, turn, passes, ply, outcome, hash: 0 };
        position.hash = position.computed_hash();
        Ok(position)
    }

    /// Creates a position of these stones without a preceding PASS.
    ///
    /// # Errors
    /// [`StonesError`] if two stones share a point or both sides have won.
    ///
    /// ```
    /// use agon_game::Side;
    /// use agon_rules::renju::{Point, Renju};
    ///
    /// let black: Vec<_> = (4..8).filter_map(|column| Point::new(8, column)).collect();
    /// let position = Renju::from_stones(&black, &[], Side::First).unwrap();
    /// let wins: Vec<_> = position.wins().iter().map(|point| point.to_string()).collect();
    /// assert_eq!(wins, ["(8,3)", "(8,8)"]);
    /// ```
    pub fn from_stones(black: &[Point], white: &[Point], turn: Side) -> Result<Self, StonesError> {
        let mut board = Board::EMPTY;
        for (side, stones) in Side::BOTH.into_iter().zip([black, white]) {
            for &point in stones {
                if board.owner(point).is_some() {
                    return Err(StonesError::Taken { point });
                }
                board.place(point, side);
            }
        }
        Self::new(board, turn, 0, (black.len() + white.len()) as u32)
    }

    /// Creates the position after these moves from the start of a game.
    ///
    /// # Errors
    /// The index of the first illegal move, from 0, with its error.
    pub fn after(moves: &[Move]) -> Result<Self, (usize, MoveError)> {
        Self::after_under(RuleSet::Alphano, moves)
    }

    /// Like [`Renju::after`], under a rule set.
    ///
    /// # Errors
    /// See [`Renju::after`].
    pub fn after_under(rules: RuleSet, moves: &[Move]) -> Result<Self, (usize, MoveError)> {
        let mut position = Self::start(rules);
        for (number, &m) in moves.iter().enumerate() {
            position.check(m).map_err(|error| (number, error))?;
            position.play_unchecked(m, &mut ());
        }
        Ok(position)
    }

    /// Like [`Renju::after`]; if ALPHANO's first turns do not allow the moves, they are read as renju from any first
    /// stones.
    ///
    /// ```
    /// use agon_rules::renju::{Move, Renju, RuleSet};
    /// let moves = ["H8", "F9"].map(|text| Move::from_letters(text).unwrap());
    /// assert_eq!(Renju::after_anywhere(&moves).unwrap().rules(), RuleSet::Renju);
    /// ```
    ///
    /// # Errors
    /// The index of the first move that neither allows, from 0, with its error.
    pub fn after_anywhere(moves: &[Move]) -> Result<Self, (usize, MoveError)> {
        Self::after(moves).or_else(|refused| Self::after_under(RuleSet::Renju, moves).map_err(|_| refused))
    }

    /// Returns the stones.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the rule set.
    pub const fn rules(&self) -> RuleSet {
        self.board.rules()
    }

    /// Returns the number of successive passes just made: 0, 1, or 2, after which the game is drawn.
    pub const fn passes(&self) -> u8 {
        self.passes
    }

    /// Returns true if the side to move may pass: not on the first three turns, and not after the end.
    pub fn may_pass(&self) -> bool {
        self.outcome.is_none() && self.opening().is_none()
    }

    /// Returns the points that are forbidden to Black, whichever side is to move.
    pub fn forbidden_points(&self) -> Points {
        forbidden_points(&self.board)
    }

    /// Returns why a point is forbidden to Black, whichever side is to move.
    pub fn forbidden(&self, point: Point) -> Option<Forbidden> {
        forbidden(&self.board, point)
    }

    /// Returns the points where the side to move wins at once; none if the game is over.
    pub fn wins(&self) -> Points {
        let open = if self.outcome.is_some() { Points::default() } else { self.board.empties() };
        open.iter().filter(|&point| self.board.wins(self.turn, point)).collect()
    }

    /// The points where the side to move may put a stone; none when the game is over.
    pub fn stone_moves(&self) -> impl Iterator<Item = Point> + use<> {
        self.stone_points().iter()
    }

    /// The same as a set.
    pub fn stone_points(&self) -> Points {
        if self.outcome.is_some() {
            return Points::default();
        }
        let open = self.board.empties();
        if let Some(Opening { reach, .. }) = self.opening() {
            // Fewer than two black stones forbid nothing.
            return open.iter().filter(|point| point.distance_from_centre() <= reach).collect();
        }
        if self.turn == Side::First { open.without(self.forbidden_points()) } else { open }
    }

    /// Checks that a move is legal.
    ///
    /// # Errors
    /// [`MoveError`] with the rule that it breaks.
    pub fn check(&self, m: Move) -> Result<(), MoveError> {
        let illegal = |refusal: RenjuRefusal| {
            let rule = refusal.rule();
            Err(MoveError::illegal(m.to_string(), refusal).breaking(rule))
        };
        if self.outcome.is_some() {
            return Err(MoveError::Over { text: m.to_string() });
        }
        let opening = self.opening();
        let Move::Stone(point) = m else {
            return match opening {
                // Seed 004: "cannot select PASS" on the first, second and third turn.
                Some(Opening { turn, .. }) => illegal(RenjuRefusal::OpeningPass { turn }),
                None => Ok(()),
            };
        };
        if let Some(owner) = self.board.owner(point) {
            let point = point.both();
            return illegal(match owner {
                Side::First => RenjuRefusal::TakenByBlack { point },
                Side::Second => RenjuRefusal::TakenByWhite { point },
            });
        }
        // Seed 004: (8,8); then rows and columns 7 to 9; then 6 to 10.
        if let Some(Opening { turn, reach }) = opening
            && point.distance_from_centre() > reach
        {
            let (centre, point) = (Point::CENTRE.both(), point.both());
            return illegal(match reach {
                0 => RenjuRefusal::NotCentre { turn, centre, point },
                _ => RenjuRefusal::NotCentral { turn, least: 8 - reach, most: 8 + reach, point },
            });
        }
        if self.turn == Side::First
            && let Some(reason) = forbidden(&self.board, point)
        {
            return illegal(RenjuRefusal::Forbidden { point: point.both(), reason: reason.into() });
        }
        Ok(())
    }

    /// Returns the restricted opening turn of this position, if any (see [`Renju`]).
    fn opening(&self) -> Option<Opening> {
        // Two stones take at most four turns when no pass has just been made; later turns need no closer look.
        if self.rules() != RuleSet::Alphano || self.passes > 0 || self.ply > 4 || self.outcome.is_some() {
            return None;
        }
        let [black, white] = Side::BOTH.map(|side| self.board.stones(side));
        let central = black.is_empty() || black.len() == 1 && black.contains(Point::CENTRE);
        let near = white.iter().all(|point| point.distance_from_centre() <= 1);
        let turn = match (self.turn, black.len(), white.len()) {
            (Side::First, 0, 0) => 1,
            (Side::Second, 1, 0) => 2,
            (Side::First, 1, 1) => 3,
            _ => return None,
        };
        (central && near).then_some(Opening { turn, reach: turn - 1 })
    }
}

/// One of the three turns restricted to the middle.
#[derive(Clone, Copy)]
struct Opening {
    /// Number of the turn, 1 to 3.
    turn: u8,
    /// Maximum distance of a stone from the centre, in king's steps.
    reach: u8,
}

/// Returns the name of a side.
pub(super) const fn name(side: Side) -> &'static str {
    match side {
        Side::First => "Black",
        Side::Second => "White",
    }
}

messages! {
    /// The notations of a move.
    #[derive(Clone, Copy, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum RenjuNotation {
        Numbers = "two whole numbers x y, the row and the column, or -1 -1 for PASS",
        Written = "a point such as H8, PASS, or the judge's `8 8`",
    }

    /// Reason why the rules refuse a move. Points are named in both notations: `H8 (8,8)`.
    #[derive(Clone, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum RenjuRefusal {
        OpeningPass { turn: u8 } = "PASS is not allowed on turns 1 to 3; this is turn {turn}",
        TakenByBlack { point: String } = "{point} is taken by Black",
        TakenByWhite { point: String } = "{point} is taken by White",
        NotCentre { turn: u8, centre: String, point: String } =
            "turn {turn} must be played on {centre}, not on {point}",
        NotCentral { turn: u8, least: u8, most: u8, point: String } =
            "turn {turn} must be played on rows and columns {least} to {most}, not on {point}",
        Forbidden { point: String, reason: ForbiddenReason } = "{point} is forbidden: {reason}",
        Outside { row: i32, column: i32 } = "({row},{column}) is outside the board",
    }
}

impl RenjuRefusal {
    /// Returns the name of the rule that the move breaks.
    const fn rule(&self) -> &'static str {
        match self {
            Self::OpeningPass { .. } => "opening-pass",
            Self::TakenByBlack { .. } | Self::TakenByWhite { .. } => "taken",
            Self::NotCentre { .. } | Self::NotCentral { .. } => "opening-area",
            Self::Forbidden { .. } => "forbidden",
            Self::Outside { .. } => "outside",
        }
    }
}

impl Position for Renju {
    type Move = Move;

    fn turn(&self) -> Side {
        self.turn
    }

    fn ply(&self) -> u32 {
        self.ply
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Lists stones row by row, then PASS. If every empty point is forbidden to Black, or none is empty, PASS is the
    /// only move.
    fn legal_moves(&self, moves: &mut Vec<Move>) {
        moves.extend(self.stone_moves().map(Move::Stone));
        moves.extend(self.may_pass().then_some(Move::Pass));
    }

    fn count_moves(&self) -> u64 {
        self.stone_points().len() as u64 + u64::from(self.may_pass())
    }

    fn play_unchecked(&mut self, m: Move, observer: &mut impl Observer) {
        let passes = match m {
            Move::Stone(point) => {
                // Section 3: a FIVE wins, for White an OVERLINE too; other rule sets differ.
                if self.board.wins(self.turn, point) {
                    self.outcome = Some(Outcome::Win(self.turn));
                }
                self.board.place(point, self.turn);
                self.hash ^= STONE_KEYS[self.turn.index()][point.index()];
                observer.change(point.index(), None, Some(self.turn));
                0
            }
            Move::Pass => {
                let passes = (self.passes + 1).min(2);
                // Section 3: two passes in a row are a draw.
                if passes == 2 {
                    self.outcome = Some(Outcome::Draw);
                }
                passes
            }
        };
        self.hash ^= PASS_KEYS[self.passes as usize] ^ PASS_KEYS[passes as usize] ^ TURN_KEY;
        self.passes = passes;
        self.turn = self.turn.other();
        self.ply += 1;
    }

    fn is_legal(&self, m: Move) -> bool {
        self.check(m).is_ok()
    }

    fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        let [row, column] = read_numbers(text, RenjuNotation::Numbers)?;
        let m = match (row, column) {
            (-1, -1) => Move::Pass,
            _ => match Point::new(row, column) {
                Some(point) => Move::Stone(point),
                None if self.outcome.is_some() => return Err(MoveError::Over { text: text.to_owned() }),
                None => {
                    let refusal = RenjuRefusal::Outside { row, column };
                    return Err(MoveError::illegal(text, refusal).breaking("outside"));
                }
            },
        };
        self.check(m).map(|()| m)
    }

    fn hash(&self) -> u64 {
        self.hash
    }

    fn computed_hash(&self) -> u64 {
        let mut hash = PASS_KEYS[self.passes as usize] ^ RULE_KEYS[self.rules() as usize];
        if self.turn == Side::Second {
            hash ^= TURN_KEY;
        }
        for side in Side::BOTH {
            for point in self.board.stones(side).iter() {
                hash ^= STONE_KEYS[side.index()][point.index()];
            }
        }
        hash
    }
}

/// Zobrist's keys: one for each stone on each point (A. L. Zobrist, "A New Hashing Method with Application for Game
/// Playing", 1970).
const STONE_KEYS: [[u64; POINTS]; 2] = {
    let mut keys = [[0; POINTS]; 2];
    let mut number = 0;
    while number < 2 * POINTS {
        keys[number / POINTS][number % POINTS] = key(number as u64);
        number += 1;
    }
    keys
};

/// Key for White to move.
const TURN_KEY: u64 = key(2 * POINTS as u64);

/// Keys for no, one and two passes just made. The first is 0, so that the start of a game hashes to 0.
const PASS_KEYS: [u64; 3] = [0, key(2 * POINTS as u64 + 1), key(2 * POINTS as u64 + 2)];

/// Keys of the rule sets; that of the usual one is 0.
const RULE_KEYS: [u64; 4] = [0, key(2 * POINTS as u64 + 3), key(2 * POINTS as u64 + 4), key(2 * POINTS as u64 + 5)];

/// Returns a key by its number, from the seed "renju" in ASCII.
const fn key(number: u64) -> u64 {
    split_mix(0x72_656e_6a75, number)
}

messages! {
    /// Error for stones that are not a position.
    #[derive(Clone, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum StonesError {
        Taken { point: Point } = "two stones on {point}",
        Passes { passes: u8 } = "{passes} passes in a row; two end the game",
        Ply { ply: u32, least: u32, most: u32 } = "{ply} turns cannot lead here; {least} to {most} can",
        BothWon = "both sides have a winning row",
    }
}

impl std::error::Error for StonesError {}
