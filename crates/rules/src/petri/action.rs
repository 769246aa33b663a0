//! Actions of a cell, and their reading as by the published driver.

use std::fmt;

use agon_message::messages;

use super::Direction;

/// An action of a cell, or a request for one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Gains 2 energy.
    Rest,
    /// Moves to a square without a living cell, for 1 energy.
    Move(Direction),
    /// Puts a newborn on a square without a living cell, for 5 energy.
    Divide(Direction),
    /// Hurts the cell there by the strength, for as much energy. Only 1 to 3 are legal; any number can be requested.
    Attack(Direction, i32),
    /// Gains 4 energy from the corpse there.
    Eat(Direction),
    /// Dies and hurts all neighbours.
    Explode,
}

impl Action {
    /// Reads a program's raw output as the published driver does.
    ///
    /// Drops at most two newlines from the end, splits the rest at every single space, and ignores further words. Verbs
    /// and directions may be in any case. The strength is read like C's `strtol` in base 10: white space, a sign,
    /// digits up to the first other byte, and 0 without digits.
    ///
    /// ```
    /// use agon_rules::petri::{Action, Direction, Misread};
    /// assert_eq!(Action::read(b"move n \n"), Ok(Action::Move(Direction::North)));
    /// assert_eq!(Action::read(b"ATTACK SE 2.9"), Ok(Action::Attack(Direction::SouthEast, 2)));
    /// assert_eq!(Action::read(b"MOVE N\r"), Err(Misread::Direction));
    /// ```
    ///
    /// # Errors
    /// [`Misread`] names the invalid word. The cell then rests.
    pub fn read(output: &[u8]) -> Result<Self, Misread> {
        let output = output.strip_suffix(b"\n").unwrap_or(output);
        let output = output.strip_suffix(b"\n").unwrap_or(output);
        let mut words = output.split(|&byte| byte == b' ');
        let verb = words.next().unwrap_or_default();
        let mut direction = || words.next().and_then(Direction::read).ok_or(Misread::Direction);
        let is = |name: &[u8]| verb.eq_ignore_ascii_case(name);
        if is(b"REST") {
            Ok(Self::Rest)
        } else if is(b"MOVE") {
            direction().map(Self::Move)
        } else if is(b"DIVIDE") {
            direction().map(Self::Divide)
        } else if is(b"ATTACK") {
            let direction = direction()?;
            words.next().map(|word| Self::Attack(direction, whole_number(word))).ok_or(Misread::Strength)
        } else if is(b"EAT") {
            direction().map(Self::Eat)
        } else if is(b"EXPLODE") {
            Ok(Self::Explode)
        } else if output.is_empty() {
            Err(Misread::Silent)
        } else {
            Err(Misread::Verb)
        }
    }

    /// Returns a short output with the same reading: its beginning of at most `most` bytes if that suffices, otherwise
    /// the action as a program would write it, or the shortest output with the same error, 21 bytes at most.
    ///
    /// ```
    /// use agon_rules::petri::Action;
    /// assert_eq!(Action::abridged("MOVE N and why I do so", 10), "MOVE N and");
    /// assert_eq!(Action::abridged("ATTACK N 0000000003", 10), "ATTACK N 3");
    /// ```
    pub fn abridged(output: &str, most: usize) -> String {
        let meaning = Self::read(output.as_bytes());
        let beginning = &output[..output.floor_char_boundary(most)];
        if Self::read(beginning.as_bytes()) == meaning {
            return beginning.to_owned();
        }
        match meaning {
            Ok(action) => action.to_string(),
            Err(Misread::Silent) => String::new(),
            Err(Misread::Verb) => "?".to_owned(),
            Err(Misread::Direction) => "MOVE".to_owned(),
            Err(Misread::Strength) => "ATTACK N".to_owned(),
        }
    }

    /// Returns the same action in another direction; actions without a direction stay the same.
    #[inline]
    pub const fn facing(self, direction: Direction) -> Self {
        match self {
            Self::Move(_) => Self::Move(direction),
            Self::Divide(_) => Self::Divide(direction),
            Self::Attack(_, strength) => Self::Attack(direction, strength),
            Self::Eat(_) => Self::Eat(direction),
            Self::Rest | Self::Explode => self,
        }
    }

    /// Returns the direction of the action, if it has one.
    #[inline]
    pub const fn direction(self) -> Option<Direction> {
        match self {
            Self::Move(direction) | Self::Divide(direction) | Self::Attack(direction, _) | Self::Eat(direction) => {
                Some(direction)
            }
            Self::Rest | Self::Explode => None,
        }
    }
}

/// Writes the action as a program would: `ATTACK NW 3`.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rest => f.write_str("REST"),
            Self::Move(direction) => write!(f, "MOVE {direction}"),
            Self::Divide(direction) => write!(f, "DIVIDE {direction}"),
            Self::Attack(direction, strength) => write!(f, "ATTACK {direction} {strength}"),
            Self::Eat(direction) => write!(f, "EAT {direction}"),
            Self::Explode => f.write_str("EXPLODE"),
        }
    }
}

messages! {
    /// Reason why an output is not an action. The caller keeps the output itself, so actions allocate nothing.
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    #[allow(missing_docs)]
    pub enum Misread {
        Silent = "no output",
        Verb = "the first word must be REST, MOVE, DIVIDE, ATTACK, EAT or EXPLODE",
        Direction = "the second word must be N, S, E, W, NE, NW, SE or SW",
        Strength = "an attack needs a strength from 1 to 3",
    }
}

impl std::error::Error for Misread {}

/// Reads a number like C's `strtol` in base 10, kept within 32 bits.
fn whole_number(word: &[u8]) -> i32 {
    let blanks = word.iter().take_while(|byte| matches!(byte, b' ' | b'\t'..=b'\r')).count();
    let (sign, digits) = match &word[blanks..] {
        [b'-', digits @ ..] => (-1, digits),
        [b'+', digits @ ..] | digits => (1, digits),
    };
    let magnitude = digits
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .fold(0_i32, |number, &digit| number.saturating_mul(10).saturating_add(i32::from(digit - b'0')));
    sign * magnitude
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{North, South, West};

    #[track_caller]
    fn check(output: &str, action: Result<Action, Misread>) {
        assert_eq!(Action::read(output.as_bytes()), action, "{output:?}");
    }

    #[test]
    fn outputs_read_as_the_published_driver_reads_them() {
        check("REST", Ok(Action::Rest));
        check("rest\n", Ok(Action::Rest));
        check("REST and be thankful", Ok(Action::Rest));
        check("MOVE S\n\n", Ok(Action::Move(South)));
        check("MOVE S\n\n\n", Err(Misread::Direction));
        check("MOVE N ", Ok(Action::Move(North)));
        check(" MOVE N", Err(Misread::Verb));
        check("MOVE  N", Err(Misread::Direction));
        check("MOVE N\r", Err(Misread::Direction));
        check("MOVE N\r\n", Err(Misread::Direction));
        check("MOVE N\nMOVE S", Err(Misread::Direction));
        check("REST\nREST", Err(Misread::Verb));
        check("MOVE", Err(Misread::Direction));
        check("DIVIDE NA", Err(Misread::Direction));
        check("dIvIdE w", Ok(Action::Divide(West)));
        check("EAT S", Ok(Action::Eat(South)));
        check("explode", Ok(Action::Explode));
        check("EXPLODE!", Err(Misread::Verb));
        check("", Err(Misread::Silent));
        check("\n\n", Err(Misread::Silent));
        check("\n\n\n", Err(Misread::Verb));
        check("undefined", Err(Misread::Verb));
    }

    #[test]
    fn an_abridged_output_reads_as_the_whole() {
        let blanks = "\t".repeat(100);
        let outputs = [
            "",
            "\n",
            "\n\n\n",
            "REST",
            "MOVE S",
            "MOVE S\n\n\n",
            "MOVE N\n\nMOVE S",
            "ATTACK N",
            "ATTACK NW 30000000",
            "EXPLODEE",
            "RESTLESS",
            "DIVIDE NOWHERE",
            "DIVIDE NE because",
            "ATTACK SE -9999999999999",
            "é".repeat(30).as_str(),
            &format!("ATTACK W {blanks}2"),
            &format!("ATTACK W 2{blanks}"),
            &format!("EAT{blanks}"),
        ]
        .map(str::to_owned);
        for output in outputs {
            for most in 0..40 {
                let short = Action::abridged(&output, most);
                assert_eq!(Action::read(short.as_bytes()), Action::read(output.as_bytes()), "{output:?} {most}");
                assert!(short.len() <= most.max(21), "{output:?} {most}: {short:?}");
            }
        }
    }

    #[test]
    fn strength_reads_like_strtol() {
        for (word, strength) in [
            ("2", 2),
            ("2x", 2),
            ("2.9", 2),
            ("+2", 2),
            ("-1", -1),
            ("03", 3),
            ("0x2", 0),
            ("x", 0),
            ("", 0),
            ("+-2", 0),
            ("\t3", 3),
            ("99999999999999999999", i32::MAX),
            ("-99999999999999999999", -i32::MAX),
            ("4294967298", i32::MAX),
        ] {
            check(&format!("ATTACK N {word}"), Ok(Action::Attack(North, strength)));
        }
        check("ATTACK N", Err(Misread::Strength));
        check("ATTACK N  2", Ok(Action::Attack(North, 0)));
        check("ATTACK N 2 2", Ok(Action::Attack(North, 2)));
    }
}
