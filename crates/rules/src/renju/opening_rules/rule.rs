//! The opening rules by name.

use std::fmt;
use std::str::FromStr;

use crate::renju::RuleSet;

/// An opening rule.
///
/// Sources of the order of choices: the Renju International Federation's list of certified rules,
/// <https://www.renju.net/rule/> (RIF, Yamaguchi, Soosyrv-N, Taraguchi-N); the articles "RIF opening rule", "Yamaguchi
/// opening rule", "Soosõrv opening rule" and "Taraguchi opening rule" of Wikipedia, which quote it; Swap2 as in the
/// rules of gomoku, <http://www.vcpr.cz/en/help-and-rules/gomoku-rules/> and <https://gomocup.org/swap2/>.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OpeningRule {
    /// Three stones, a swap, two fifth moves (RIF, 1996 to 2008).
    Rif,
    /// Three stones with the number of fifth moves, a swap (RIF, 2009 to 2015).
    Yamaguchi,
    /// Three stones, a swap, the fourth stone with up to eight fifth moves, a swap (RIF, from 2017).
    Soosyrv8,
    /// A swap after each stone in growing squares, or ten fifth moves.
    Taraguchi10,
    /// Three stones anywhere; a colour, or two more stones. Gomoku.
    Swap2,
}

impl OpeningRule {
    /// All opening rules.
    pub const ALL: [Self; 5] = [Self::Rif, Self::Yamaguchi, Self::Soosyrv8, Self::Taraguchi10, Self::Swap2];

    /// Returns the name in commands, links and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rif => "rif",
            Self::Yamaguchi => "yamaguchi",
            Self::Soosyrv8 => "soosyrv-8",
            Self::Taraguchi10 => "taraguchi-10",
            Self::Swap2 => "swap2",
        }
    }

    /// Returns the name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Rif => "RIF",
            Self::Yamaguchi => "Yamaguchi",
            Self::Soosyrv8 => "Soosõrv-8",
            Self::Taraguchi10 => "Taraguchi-10",
            Self::Swap2 => "Swap2",
        }
    }

    /// Returns the rules of the game that usually follows: renju, or for Swap2 standard gomoku.
    pub const fn rules(self) -> RuleSet {
        match self {
            Self::Swap2 => RuleSet::Standard,
            _ => RuleSet::Renju,
        }
    }
}

impl fmt::Display for OpeningRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Error for an unknown opening rule.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown opening rule: `{text}`; expected rif, yamaguchi, soosyrv-8, taraguchi-10 or swap2")]
pub struct OpeningRuleError {
    /// The unknown name.
    pub text: String,
}

/// Reads a name as [`OpeningRule::name`] writes it; case, spaces and accents do not matter, nor does a number that only
/// one rule has: `Soosõrv-8`, `Taraguchi 10` and `taraguchi` are read.
impl FromStr for OpeningRule {
    type Err = OpeningRuleError;

    fn from_str(text: &str) -> Result<Self, OpeningRuleError> {
        let plain: String = text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
        match &*plain {
            "rif" => Ok(Self::Rif),
            "yamaguchi" => Ok(Self::Yamaguchi),
            "soosyrv8" | "soosõrv8" | "soosorv8" | "soosyrv" | "soosõrv" | "soosorv" => Ok(Self::Soosyrv8),
            "taraguchi10" | "taraguchi" => Ok(Self::Taraguchi10),
            "swap2" => Ok(Self::Swap2),
            _ => Err(OpeningRuleError { text: text.to_owned() }),
        }
    }
}
