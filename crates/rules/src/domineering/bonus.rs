//! What the second player is given for moving second.

use std::fmt;
use std::str::FromStr;

use agon_game::GameScore;

/// The points that the second player starts with: from −9999.5 to 9999.5 in steps of one half, by default the contest's
/// 2.5. A negative bonus favours the first player; a bonus of whole points makes draws possible.
///
/// ```
/// use agon_game::GameScore;
/// use agon_rules::domineering::Bonus;
/// assert_eq!(Bonus::default().score(), GameScore::from_halves(5));
/// assert_eq!("2.5".parse(), Ok(Bonus::default()));
/// assert_eq!("-3".parse::<Bonus>()?.to_string(), "-3");
/// assert!("2.25".parse::<Bonus>().is_err());
/// # Ok::<(), agon_rules::domineering::BonusError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bonus(GameScore);

/// Far above any score of a game, and far below where sums would overflow.
const LIMIT_IN_HALVES: u32 = 19_999;

impl Bonus {
    /// The points.
    #[inline]
    pub const fn score(self) -> GameScore {
        self.0
    }
}

impl Default for Bonus {
    fn default() -> Self {
        Self(GameScore::from_halves(5))
    }
}

impl fmt::Display for Bonus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Why something is no bonus.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a bonus is a number from -9999.5 to 9999.5 in steps of one half, not `{0}`")]
pub struct BonusError(String);

impl TryFrom<GameScore> for Bonus {
    type Error = BonusError;

    fn try_from(score: GameScore) -> Result<Self, BonusError> {
        if score.halves().unsigned_abs() <= LIMIT_IN_HALVES {
            Ok(Self(score))
        } else {
            Err(BonusError(score.to_string()))
        }
    }
}

impl FromStr for Bonus {
    type Err = BonusError;

    fn from_str(text: &str) -> Result<Self, BonusError> {
        let halves = || {
            let (negative, number) = text.strip_prefix('-').map_or((false, text), |number| (true, number));
            let (whole, half) = match number.split_once('.') {
                None => (number, 0),
                Some((whole, "0")) => (whole, 0),
                Some((whole, "5")) => (whole, 1),
                Some(_) => return None,
            };
            if whole.is_empty() || !whole.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            let halves = whole.parse::<i32>().ok()?.checked_mul(2)?.checked_add(half)?;
            Some(if negative { -halves } else { halves })
        };
        halves()
            .and_then(|halves| Self::try_from(GameScore::from_halves(halves)).ok())
            .ok_or_else(|| BonusError(text.to_owned()))
    }
}
