//! Species: the twelve points of a colony.

use std::fmt;

use agon_message::messages;

/// Number of points that every species spends.
pub const POINTS: u8 = 12;

/// The three numbers of a species; they add up to [`POINTS`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Species {
    hp: u8,
    energy: u8,
    acidity: u8,
}

impl Species {
    /// Creates a species from these numbers.
    ///
    /// # Errors
    /// [`SpeciesError::Sum`] if they do not add up to 12.
    ///
    /// ```
    /// use agon_rules::petri::Species;
    /// assert_eq!(Species::new(4, 6, 2).unwrap().to_string(), "4 6 2");
    /// assert_eq!(Species::new(4, 6, 1).unwrap_err().to_string(), "4 + 6 + 1 is 11, not 12");
    /// ```
    pub fn new(hp: u8, energy: u8, acidity: u8) -> Result<Self, SpeciesError> {
        let sum = || u16::from(hp) + u16::from(energy) + u16::from(acidity);
        Self::spending(hp, energy, acidity).ok_or_else(|| SpeciesError::Sum { hp, energy, acidity, sum: sum() })
    }

    /// Creates a species, or returns `None` if the numbers do not add up to 12: [`Self::new`] for constants.
    pub const fn spending(hp: u8, energy: u8, acidity: u8) -> Option<Self> {
        if hp as u16 + energy as u16 + acidity as u16 == POINTS as u16 {
            Some(Self { hp, energy, acidity })
        } else {
            None
        }
    }

    /// Returns the hit points of a newborn, 0 to 12. With 0 the colony is extinct from the start.
    #[inline]
    pub const fn hp(self) -> u8 {
        self.hp
    }

    /// Returns the maximum energy of a cell, 0 to 12.
    #[inline]
    pub const fn energy(self) -> u8 {
        self.energy
    }

    /// Returns the additional damage of an explosion, 0 to 12.
    #[inline]
    pub const fn acidity(self) -> u8 {
        self.acidity
    }
}

/// `HP ENERGY ACIDITY`, as a program prints it.
impl fmt::Display for Species {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.hp, self.energy, self.acidity)
    }
}

/// A program's answer to `BEGIN`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Announcement {
    /// Species chosen by the program.
    pub species: Species,
    /// True if the program stays alive and reads one input after another.
    pub loops: bool,
}

impl Announcement {
    /// Reads `HP ENERGY ACIDITY` or `HP ENERGY ACIDITY LOOP`: words separated by any white space, `LOOP` in any case.
    ///
    /// # Errors
    /// [`SpeciesError`] unless the answer is three non-negative whole numbers with the sum 12, optionally followed by
    /// `LOOP`. The program is then disqualified.
    ///
    /// ```
    /// use agon_rules::petri::Announcement;
    /// assert!(Announcement::read(b"4 6 2 LOOP\n").unwrap().loops);
    /// let error = Announcement::read(b"4 6").unwrap_err();
    /// assert_eq!(error.to_string(), "three numbers HP ENERGY ACIDITY expected");
    /// ```
    pub fn read(output: &[u8]) -> Result<Self, SpeciesError> {
        let text = String::from_utf8_lossy(output);
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let (numbers, loops) = match words.as_slice() {
            [numbers @ .., word] if word.eq_ignore_ascii_case("LOOP") => (numbers, true),
            numbers => (numbers, false),
        };
        let [hp, energy, acidity] = numbers else {
            return Err(SpeciesError::Words);
        };
        let number = |word: &str| {
            // Digits only: `parse` alone would take a sign.
            let digits = word.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| word.parse().ok()).flatten().ok_or_else(|| SpeciesError::Number { text: word.to_owned() })
        };
        Ok(Self { species: Species::new(number(hp)?, number(energy)?, number(acidity)?)?, loops })
    }
}

/// As a program prints it: `4 6 2 LOOP`.
impl fmt::Display for Announcement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.species, if self.loops { " LOOP" } else { "" })
    }
}

messages! {
    /// Reason why an answer to `BEGIN` is not a species.
    #[derive(Clone, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum SpeciesError {
        Words = "three numbers HP ENERGY ACIDITY expected",
        Number { text: String } = "`{text}` is not a whole number from 0 to 12",
        Sum { hp: u8, energy: u8, acidity: u8, sum: u16 } = "{hp} + {energy} + {acidity} is {sum}, not 12",
    }
}

impl std::error::Error for SpeciesError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(output: &str, answer: Result<&str, &str>) {
        let read = Announcement::read(output.as_bytes());
        let read = read.map(|read| read.to_string()).map_err(|error| error.to_string());
        assert_eq!(read, answer.map(str::to_owned).map_err(str::to_owned), "{output:?}");
    }

    #[test]
    fn announcements_are_read_and_checked() {
        check("5 6 1", Ok("5 6 1"));
        check("5 6 1\n", Ok("5 6 1"));
        check("12 0 0", Ok("12 0 0"));
        check("4 6 2 LOOP\r\n", Ok("4 6 2 LOOP"));
        check("0 12 0 loop", Ok("0 12 0 LOOP"));
        check("", Err("three numbers HP ENERGY ACIDITY expected"));
        check("LOOP", Err("three numbers HP ENERGY ACIDITY expected"));
        check("5 6 1 1", Err("three numbers HP ENERGY ACIDITY expected"));
        check("5 6 x", Err("`x` is not a whole number from 0 to 12"));
        check("5 8 -1", Err("`-1` is not a whole number from 0 to 12"));
        check("5 +6 1", Err("`+6` is not a whole number from 0 to 12"));
        check("5 6 2", Err("5 + 6 + 2 is 13, not 12"));
        check("255 0 12", Err("255 + 0 + 12 is 267, not 12"));
        check("256 0 12", Err("`256` is not a whole number from 0 to 12"));
        check("99999999999999999999 0 0", Err("`99999999999999999999` is not a whole number from 0 to 12"));
    }
}
