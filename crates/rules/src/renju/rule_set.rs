//! The rule sets of five in a row that share this board.

use std::fmt;
use std::str::FromStr;

use agon_game::Side;

/// A rule set: which rows win, whether points are forbidden to Black, and whether the first turns are restricted.
///
/// | rule set | Black wins by | White wins by | forbidden to Black | first three turns |
/// |---|---|---|---|---|
/// | `alphano` | five | five or more | overline, double four, double three | near the centre |
/// | `renju` | five | five or more | overline, double four, double three | anywhere |
/// | `standard` | five | five | nothing | anywhere |
/// | `freestyle` | five or more | five or more | nothing | anywhere |
///
/// `standard` and `freestyle` are the gomoku rules of these names of Gomocup
/// (<https://gomocup.org/detail-information/>); `renju` is what the RIF's rules leave after an
/// [opening rule](super::opening_rules) (<https://www.renju.net/rifrules/>).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum RuleSet {
    /// ALPHANO's renju, the rules of all contests.
    #[default]
    Alphano,
    /// Renju without restrictions on the first turns.
    Renju,
    /// Gomoku in which exactly five win.
    Standard,
    /// Gomoku in which five or more win.
    Freestyle,
}

impl RuleSet {
    /// All rule sets, the usual one first.
    pub const ALL: [Self; 4] = [Self::Alphano, Self::Renju, Self::Standard, Self::Freestyle];

    /// Returns the name in parameters and in the text of a position.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Alphano => "alphano",
            Self::Renju => "renju",
            Self::Standard => "standard",
            Self::Freestyle => "freestyle",
        }
    }

    /// Returns true if overlines, double fours and double threes are forbidden to Black.
    #[inline]
    pub const fn forbids(self) -> bool {
        matches!(self, Self::Alphano | Self::Renju)
    }

    /// Returns true if six or more stones in a row win for a side.
    #[inline]
    pub const fn overline_wins(self, side: Side) -> bool {
        match self {
            Self::Alphano | Self::Renju => matches!(side, Side::Second),
            Self::Standard => false,
            Self::Freestyle => true,
        }
    }

    /// Returns true if a row of this length, unbroken and bounded, wins for a side.
    #[inline]
    pub const fn row_wins(self, side: Side, length: u32) -> bool {
        length == 5 || length > 5 && self.overline_wins(side)
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

agon_message::text_arguments!(RuleSet);

/// Error for an unknown name of a rule set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown rule set: `{text}`; expected alphano, renju, standard or freestyle")]
pub struct RuleSetError {
    /// The unknown name.
    pub text: String,
}

impl FromStr for RuleSet {
    type Err = RuleSetError;

    fn from_str(text: &str) -> Result<Self, RuleSetError> {
        let named = Self::ALL.into_iter().find(|rules| rules.name() == text);
        named.ok_or_else(|| RuleSetError { text: text.to_owned() })
    }
}
