//! Length of a game's openings.

use std::fmt;
use std::str::FromStr;

use agon_game::seed::Stream;
use serde::{Deserialize, Serialize};

/// The plies of an opening: from `least` to `most`, drawn separately for every game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct OpeningPlies {
    /// The fewest; `None` for as few as the game allows.
    pub least: Option<u32>,
    pub most: u32,
}

/// A text that is not a length of openings.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}`: plies expected, as `12` for at most 12, or `6-16`")]
pub struct OpeningPliesError(String);

impl OpeningPlies {
    /// From the minimum that the game allows to this number.
    pub const fn up_to(most: u32) -> Self {
        Self { least: None, most }
    }

    /// From the first number up to the second.
    pub const fn from_to(least: u32, most: u32) -> Self {
        Self { least: Some(least), most }
    }

    /// Draws a number of plies, in a game whose openings have at least `min`.
    pub fn draw(self, stream: &mut Stream, game_least: u32) -> u32 {
        let least = self.least.unwrap_or(game_least).max(game_least);
        least + stream.below(self.most.saturating_sub(least) as usize + 1) as u32
    }
}

impl fmt::Display for OpeningPlies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(least) = self.least {
            write!(f, "{least}-")?;
        }
        write!(f, "{}", self.most)
    }
}

impl FromStr for OpeningPlies {
    type Err = OpeningPliesError;

    fn from_str(text: &str) -> Result<Self, OpeningPliesError> {
        let number = |text: &str| text.trim().parse::<u32>().map_err(|_| ());
        let plies = match text.split_once(['-', '–']) {
            None => number(text).map(Self::up_to),
            Some((least, most)) => number(least).and_then(|least| Ok(Self::from_to(least, number(most)?))),
        };
        let sound = plies.ok().filter(|plies| plies.least.is_none_or(|least| least <= plies.most));
        sound.ok_or_else(|| OpeningPliesError(text.to_owned()))
    }
}

impl From<OpeningPlies> for String {
    fn from(plies: OpeningPlies) -> Self {
        plies.to_string()
    }
}

impl TryFrom<String> for OpeningPlies {
    type Error = OpeningPliesError;

    fn try_from(text: String) -> Result<Self, OpeningPliesError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn lengths_are_written_as_they_are_read() {
        let check = |text: &str, plies: OpeningPlies| {
            assert_eq!(text.parse(), Ok(plies), "{text}");
            assert_eq!(plies.to_string(), text);
        };
        check("12", OpeningPlies::up_to(12));
        check("6-16", OpeningPlies::from_to(6, 16));
        check("0-0", OpeningPlies::from_to(0, 0));
        for text in ["", "-", "6-", "-6", "16-6", "6-16-20", "a", "6..16", "-1"] {
            assert_eq!(text.parse::<OpeningPlies>(), Err(OpeningPliesError(text.to_owned())));
        }
    }

    #[test]
    fn all_lengths_are_drawn_and_no_other() {
        let check = |plies: OpeningPlies, game_least, expected: std::ops::RangeInclusive<u32>| {
            let mut stream = Stream::new(1, "plies");
            let drawn: BTreeSet<u32> = (0..200).map(|_| plies.draw(&mut stream, game_least)).collect();
            assert!(drawn.into_iter().eq(expected), "{plies}");
        };
        check(OpeningPlies::up_to(5), 0, 0..=5);
        check(OpeningPlies::up_to(5), 3, 3..=5);
        check(OpeningPlies::from_to(4, 6), 3, 4..=6);
        check(OpeningPlies::from_to(1, 2), 3, 3..=3);
    }
}
