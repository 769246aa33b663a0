//! Positions for searches, and their display for people.

use std::fmt::{self, Debug, Display};

use agon_message::{Argument, English, IntoReason, Listing, Message, Reason};

use crate::{GameScore, Observer, Outcome, Side, View};

/// A two-player, alternating, perfect-information position.
///
/// It is a plain value: cheap to clone, equal if no rule distinguishes the two, and printed by `Display` in the game's
/// notation (a FEN, rows of text).
pub trait Position: Clone + Eq + Debug + Display + Send {
    /// Type of moves. `Display` writes the judge's notation: the arguments of `MOVE`; a PASS is all −1.
    type Move: Copy + Eq + Debug + Display + Send;

    /// Returns the side to move; in a finished game, the side whose turn it would be.
    fn turn(&self) -> Side;

    /// Returns the number of moves played since the start, passes included.
    fn ply(&self) -> u32;

    /// Returns how the game has ended, or `None` while it is in progress.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends every legal move once; appends none exactly if [`Position::outcome`] is known.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays a move without checking that it is legal, and reports every changed cell to the observer.
    ///
    /// An illegal move results in an arbitrary position, but never in undefined behaviour. [`Position::play`] checks.
    fn play_unchecked(&mut self, m: Self::Move, observer: &mut impl Observer);

    /// Returns true if the move is legal here: if [`Position::read_move`] accepts its text. Override it if that is
    /// faster than listing the legal moves, or if these list only one of several equivalent moves.
    fn is_legal(&self, m: Self::Move) -> bool {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.contains(&m)
    }

    /// Plays a move if it is legal here.
    ///
    /// # Errors
    /// [`MoveError`], as in [`Position::read_move`]; the position is then unchanged.
    fn play(&mut self, m: Self::Move) -> Result<(), MoveError> {
        if !self.is_legal(m) {
            let text = m.to_string();
            return Err(self.read_move(&text).err().unwrap_or_else(|| MoveError::illegal(text, "not a legal move")));
        }
        self.play_unchecked(m, &mut ());
        Ok(())
    }

    /// Reads a move in the judge's notation and checks that it is legal.
    ///
    /// # Errors
    /// [`MoveError`], worded for the author of the program that sent the move.
    fn read_move(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// Returns a 64-bit key of everything that matters to the rules except the number of plies;
    /// [`Position::play_unchecked`] updates it.
    fn hash(&self) -> u64;

    /// Computes the key from scratch; [`crate::laws`] compares the two.
    fn computed_hash(&self) -> u64;

    /// Returns the number of legal moves. Override it if counting is faster than listing.
    fn count_moves(&self) -> u64 {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.len() as u64
    }

    /// Returns the number of lines of `depth` plies (see [`crate::perft`]). Override it if bulk counting is faster; it
    /// must agree with [`Position::plain_perft`].
    fn perft(&self, depth: u32) -> u64 {
        self.plain_perft(depth)
    }

    /// Returns the same number by listing and playing every move; only the last ply is counted in bulk.
    fn plain_perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_moves(),
            _ => self.successors().into_iter().map(|(_, next)| next.plain_perft(depth - 1)).sum(),
        }
    }

    /// Returns every legal move with the position after it, in the order of generation.
    fn successors(&self) -> Vec<(Self::Move, Self)> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        let after = |m| {
            let mut next = self.clone();
            next.play_unchecked(m, &mut ());
            (m, next)
        };
        moves.into_iter().map(after).collect()
    }
}

/// Display of a position for referees, records and people. Searches do not need it.
pub trait Show: Position {
    /// Short names of the seats: O and X, Black and White.
    const SEATS: [&'static str; 2];

    /// Short hint for readers of a position's text; `None` for most games.
    const POSITION_NOTE: Option<&'static str> = None;

    /// Returns the lines sent to both agents before READY, each ending in a newline; empty for most games.
    fn preamble(&self) -> String {
        String::new()
    }

    /// Returns both sides' points so far, if the game has any.
    fn score(&self) -> Option<[GameScore; 2]> {
        None
    }

    /// Appends every move that [`Position::read_move`] accepts. Override it if [`Position::legal_moves`] lists only one
    /// of several equivalent moves.
    fn accepted_moves(&self, moves: &mut Vec<Self::Move>) {
        self.legal_moves(moves);
    }

    /// True if records have the [letters](Show::letters) of a move in addition to the judge's notation.
    const LETTERS_IN_RECORDS: bool = false;

    /// Returns an example of people's notation, for messages.
    fn written() -> Reason {
        English::reason("the arguments of a MOVE")
    }

    /// Writes a move in people's notation: `H8`, `a7b6`, PASS; in the judge's if the game has no other.
    fn letters(m: Self::Move) -> String {
        m.to_string()
    }

    /// A move as other programs and their files write it; the [letters](Show::letters) by default.
    fn exchanged(m: Self::Move) -> String {
        Self::letters(m)
    }

    /// Reads a move in people's notation, legal or not; `None` if the text is not in that notation.
    fn read_letters(&self, _text: &str) -> Option<Self::Move> {
        None
    }

    /// Reads a move in people's or the judge's notation, and checks that it is legal.
    ///
    /// # Errors
    /// [`MoveError`], as in [`Position::read_move`].
    fn read_any(&self, text: &str) -> Result<Self::Move, MoveError> {
        let judged = self.read_letters(text.trim()).map(|m| m.to_string());
        self.read_move(judged.as_deref().unwrap_or(text)).map_err(|error| match error {
            MoveError::Malformed { .. } => MoveError::Malformed { text: text.to_owned(), expected: Self::written() },
            MoveError::Illegal { reason, rule, .. } => MoveError::Illegal { text: text.to_owned(), reason, rule },
            MoveError::Over { .. } => MoveError::Over { text: text.to_owned() },
        })
    }

    /// Returns why the game is over ("no empty cell is left"); `None` exactly while it is in progress. A game whose
    /// messages are in English alone returns [`English::reason`](agon_message::English::reason).
    fn end_reason(&self) -> Option<Reason>;

    /// Returns the board to draw, to which [`crate::Alternating`] adds marks of the last move.
    fn view(&self) -> View;
}

/// Reason why a text is not a legal move. The caller quotes the text.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum MoveError {
    Malformed {
        text: String,
        /// What a move of this game requires: a message, or only English.
        expected: Reason,
    },
    Illegal {
        text: String,
        reason: Reason,
        /// Stable name of the rule that the move breaks, for rules that programs act upon: `forbidden` in renju.
        rule: Option<&'static str>,
    },
    Over {
        text: String,
    },
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { expected, .. } => write!(f, "{expected} expected"),
            Self::Illegal { reason, .. } => fmt::Display::fmt(reason, f),
            Self::Over { .. } => f.write_str("the game is over"),
        }
    }
}

impl std::error::Error for MoveError {}

/// Two errors are equal if they refuse the same text for the same reason.
impl PartialEq for MoveError {
    fn eq(&self, other: &Self) -> bool {
        (self.text(), self.rule(), self.key()) == (other.text(), other.rule(), other.key())
            && self.arguments() == other.arguments()
    }
}

impl Eq for MoveError {}

/// A translation finds an illegal move by its reason.
impl Message for MoveError {
    fn key(&self) -> &'static str {
        match self {
            Self::Malformed { .. } => "move-error-malformed",
            Self::Illegal { reason, .. } => reason.key(),
            Self::Over { .. } => "move-error-over",
        }
    }

    fn arguments(&self) -> Vec<(&'static str, Argument<'_>)> {
        match self {
            Self::Malformed { expected, .. } => vec![("expected", Argument::Message(&**expected))],
            Self::Illegal { reason, .. } => reason.arguments(),
            Self::Over { .. } => Vec::new(),
        }
    }

    fn list(all: &mut Listing) {
        all.insert("move-error-malformed", &["expected"]);
        all.insert("move-error-over", &[]);
    }
}

impl MoveError {
    /// Creates the error of an illegal move, with the rule it breaks.
    pub fn illegal(text: impl Into<String>, reason: impl IntoReason) -> Self {
        Self::Illegal { text: text.into(), reason: reason.into_reason(), rule: None }
    }

    /// Adds the name of the rule that an illegal move breaks.
    #[must_use]
    pub fn breaking(mut self, name: &'static str) -> Self {
        if let Self::Illegal { rule, .. } = &mut self {
            *rule = Some(name);
        }
        self
    }

    /// Returns the name of the rule that a move breaks, if it has one; `format` for a malformed move.
    pub const fn rule(&self) -> Option<&'static str> {
        match self {
            Self::Illegal { rule, .. } => *rule,
            Self::Malformed { .. } => Some("format"),
            Self::Over { .. } => None,
        }
    }

    /// Returns the refused text.
    pub fn text(&self) -> &str {
        match self {
            Self::Malformed { text, .. } | Self::Illegal { text, .. } | Self::Over { text } => text,
        }
    }
}

/// Reads exactly `N` whole numbers separated by blanks: the arguments of a MOVE.
///
/// # Errors
/// [`MoveError::Malformed`], with the given `expected`, for more or fewer numbers or other text.
///
/// ```
/// use agon_game::position::read_numbers;
/// assert_eq!(read_numbers::<2>("3 -1", "two whole numbers"), Ok([3, -1]));
/// assert!(read_numbers::<2>("3", "two whole numbers").is_err());
/// assert!(read_numbers::<2>("3 4 5", "two whole numbers").is_err());
/// ```
pub fn read_numbers<const N: usize>(text: &str, expected: impl IntoReason) -> Result<[i32; N], MoveError> {
    let read = || {
        let mut numbers = [0; N];
        let mut words = text.split_ascii_whitespace();
        for number in &mut numbers {
            *number = words.next()?.parse().ok()?;
        }
        words.next().is_none().then_some(numbers)
    };
    read().ok_or_else(|| MoveError::Malformed { text: text.to_owned(), expected: expected.into_reason() })
}
