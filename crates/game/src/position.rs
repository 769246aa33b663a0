//! What a search sees of a game, and what a board can show of itself.

use std::fmt::{Debug, Display};

use crate::{GameScore, Observer, Outcome, Side, View};

/// A two-player, alternating, perfect-information position.
///
/// It is a plain value: cheap to clone, equal when no rule distinguishes the two, and printed by
/// `Display` in the game's own notation (a FEN, rows of text).
pub trait Position: Clone + Eq + Debug + Display + Send {
    /// A move. Its `Display` is the judge's notation: the arguments of `MOVE`, a PASS being all −1.
    type Move: Copy + Eq + Debug + Display + Send;

    /// The side to move; of a finished game, the side that would have been.
    fn turn(&self) -> Side;

    /// Moves played since the start of the game, passes included.
    fn ply(&self) -> u32;

    /// How the game has ended, or `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Appends every legal move, none twice; appends none exactly when [`Position::outcome`] is known.
    fn legal_moves(&self, moves: &mut Vec<Self::Move>);

    /// Plays a move without a check whether it is legal, and reports every changed cell to the observer.
    ///
    /// An illegal move leaves any position behind, but no undefined behaviour. [`Position::play`] checks a move.
    fn play_unchecked(&mut self, m: Self::Move, observer: &mut impl Observer);

    /// Plays a move if it is legal here. It is read back from its text, so a search plays its own moves unchecked.
    ///
    /// # Errors
    /// [`MoveError`], as [`Position::read_move`] has it; the position is unchanged then.
    fn play(&mut self, m: Self::Move) -> Result<(), MoveError> {
        let m = self.read_move(&m.to_string())?;
        self.play_unchecked(m, &mut ());
        Ok(())
    }

    /// Reads a move in the judge's notation and proves it legal here.
    ///
    /// # Errors
    /// [`MoveError`] says what is wrong with it, in words for the author of the program that sent it.
    fn read_move(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// A 64-bit key of everything the rules look at, except how many plies have been played; kept up to date by
    /// [`Position::play_unchecked`].
    fn hash(&self) -> u64;

    /// The key computed afresh; [`crate::laws`] holds the kept one against it.
    fn computed_hash(&self) -> u64;

    /// The number of legal moves. Override it where counting is faster than listing.
    fn count_moves(&self) -> u64 {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.len() as u64
    }

    /// The number of lines of `depth` plies from here (see [`crate::perft`]). Override it where bulk counting is
    /// faster; it must agree with [`Position::plain_perft`].
    fn perft(&self, depth: u32) -> u64 {
        self.plain_perft(depth)
    }

    /// The same number, counted by listing and playing every move; only the last ply is counted in bulk.
    fn plain_perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_moves(),
            _ => self.successors().into_iter().map(|(_, next)| next.plain_perft(depth - 1)).sum(),
        }
    }

    /// Every legal move with the position after it, in the order of generation.
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

/// What a referee, a record and a person see of a position. No search needs any of it.
pub trait Show: Position {
    /// What the game calls its two seats, in short: O and X, Black and White.
    const SEATS: [&'static str; 2];

    /// What a reader must know of the text of a position beside the board, in a few words; `None` for most games.
    const POSITION_NOTE: Option<&'static str> = None;

    /// Lines sent to both agents before READY, each ending in a newline; empty for most games.
    fn preamble(&self) -> String {
        String::new()
    }

    /// Both sides' points so far, where the game has any.
    fn score(&self) -> Option<[GameScore; 2]> {
        None
    }

    /// Appends every move that [`Position::read_move`] accepts. Override it where [`Position::legal_moves`] lists only
    /// one of several moves that do the same.
    fn accepted_moves(&self, moves: &mut Vec<Self::Move>) {
        self.legal_moves(moves);
    }

    /// Whether records have the [letters](Show::letters) of a move beside the judge's notation.
    const LETTERS_IN_RECORDS: bool = false;

    /// How people write a move, for messages.
    const WRITTEN: &'static str = "the arguments of a MOVE";

    /// A move as people write it: `H8`, `a7b6`, PASS. Without a notation of people, as the judge writes it.
    fn letters(m: Self::Move) -> String {
        m.to_string()
    }

    /// The move that a text in the notation of people means here, legal or not; `None` if it is not written in it.
    fn read_letters(&self, _text: &str) -> Option<Self::Move> {
        None
    }

    /// Reads a move in the notation of people, or else in the judge's, and proves it legal here.
    ///
    /// # Errors
    /// [`MoveError`], as [`Position::read_move`] has it.
    fn read_any(&self, text: &str) -> Result<Self::Move, MoveError> {
        let judged = self.read_letters(text.trim()).map(|m| m.to_string());
        self.read_move(judged.as_deref().unwrap_or(text)).map_err(|error| match error {
            MoveError::Malformed { .. } => MoveError::Malformed { text: text.to_owned(), expected: Self::WRITTEN },
            MoveError::Illegal { reason, .. } => MoveError::illegal(text, reason),
            MoveError::Over { .. } => MoveError::Over { text: text.to_owned() },
        })
    }

    /// Why the game is over, in words ("no empty cell is left"); `None` exactly while it goes on.
    fn end_reason(&self) -> Option<String>;

    /// The board to be drawn. Marks of the last move are added by [`crate::Alternating`].
    fn view(&self) -> View;
}

/// Why a text is not a move here. The message says only what is wrong; the caller quotes the text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum MoveError {
    #[error("{expected} expected")]
    Malformed { text: String, expected: &'static str },
    #[error("{reason}")]
    Illegal { text: String, reason: String },
    #[error("the game is over")]
    Over { text: String },
}

impl MoveError {
    /// An illegal move and the rule it breaks.
    pub fn illegal(text: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::Illegal { text: text.into(), reason: reason.into() }
    }

    /// The refused text.
    pub fn text(&self) -> &str {
        match self {
            Self::Malformed { text, .. } | Self::Illegal { text, .. } | Self::Over { text } => text,
        }
    }
}

/// Reads exactly `N` whole numbers separated by blanks: the arguments of a MOVE.
///
/// # Errors
/// [`MoveError::Malformed`], with `expected` as given, when there are more, fewer, or something else.
///
/// ```
/// use agon_game::position::read_numbers;
/// assert_eq!(read_numbers::<2>("3 -1", "two whole numbers"), Ok([3, -1]));
/// assert!(read_numbers::<2>("3", "two whole numbers").is_err());
/// assert!(read_numbers::<2>("3 4 5", "two whole numbers").is_err());
/// ```
pub fn read_numbers<const N: usize>(text: &str, expected: &'static str) -> Result<[i32; N], MoveError> {
    let malformed = || MoveError::Malformed { text: text.to_owned(), expected };
    let mut numbers = [0; N];
    let mut words = text.split_ascii_whitespace();
    for number in &mut numbers {
        *number = words.next().and_then(|word| word.parse().ok()).ok_or_else(malformed)?;
    }
    if words.next().is_some() { Err(malformed()) } else { Ok(numbers) }
}
