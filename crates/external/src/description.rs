//! The description that a rules program gives of its game.

use agon_referee::clock::Clock;
use agon_referee::protocol::quote;

use crate::limits::MAX_PLIES;
use crate::situation::{checked, split};

/// Bytes of one text of a description, and lines of rules.
const MAX_TEXT_BYTES: usize = 400;
const MAX_RULES: usize = 40;
const MAX_PARAMETERS: usize = 20;
const MAX_CLOCKS: usize = 8;

/// Valid values of a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Values {
    /// Whole numbers from the first to the last.
    Numbers(i64, i64),
    Words(Vec<String>),
}

/// A parameter of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    pub name: String,
    /// Values as written: `4..8`, `a|b`.
    pub range: String,
    pub values: Values,
    pub default: String,
    pub meaning: String,
}

impl Parameter {
    /// Returns true if this value is valid.
    pub fn takes(&self, value: &str) -> bool {
        match &self.values {
            Values::Numbers(from, to) => value.parse::<i64>().is_ok_and(|number| (from..=to).contains(&&number)),
            Values::Words(words) => words.iter().any(|word| word == value),
        }
    }

    /// `size 4..8 8 the side of the board`
    fn read(text: &str) -> Result<Self, ParameterError> {
        let mut words = text.splitn(4, ' ');
        let mut word = || words.next().map(str::to_owned).ok_or(ParameterError::Syntax);
        let [name, range, default] = [word()?, word()?, word()?];
        let meaning = words.next().unwrap_or_default().trim().to_owned();
        let number = |text: &str| text.parse().map_err(|_| ParameterError::Syntax);
        let values = match range.split_once("..") {
            Some((from, to)) => Values::Numbers(number(from)?, number(to)?),
            None => Values::Words(range.split('|').map(str::to_owned).collect()),
        };
        let parameter = Self { name, range, values, default, meaning };
        if !is_name(&parameter.name) {
            return Err(ParameterError::Syntax);
        }
        let Self { name, range, default, .. } = &parameter;
        match parameter.values {
            Values::Numbers(from, to) if from > to => Err(ParameterError::Value(format!(
                "the range of the parameter `{name}`, `{range}`, is empty: its first number is the larger one"
            ))),
            _ if !parameter.takes(default) => Err(ParameterError::Value(format!(
                "the default of the parameter `{name}`, `{default}`, is not in its range, `{range}`"
            ))),
            _ => Ok(parameter),
        }
    }
}

/// Why a line is not a parameter.
enum ParameterError {
    Syntax,
    /// A meaningless value, and why.
    Value(String),
}

/// A game as its rules describe it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is an ability of its own")]
pub struct Description {
    pub name: String,
    pub title: String,
    pub summary: String,
    /// Rules for players, line by line.
    pub rules: Vec<String>,
    pub seats: [String; 2],
    pub parameters: Vec<Parameter>,
    /// Clocks: name, clock, and description.
    pub clocks: Vec<[String; 3]>,
    /// Moves after which every game has ended.
    pub plies: u32,
    /// A side must not see everything that the other one sees.
    pub secret: bool,
    /// Something is drawn at random while it is played.
    pub chance: bool,
    /// A game can be drawn.
    pub draws: bool,
    /// True if the program answers this optional question.
    pub moves: bool,
    pub view: bool,
    pub save: bool,
    pub playout: bool,
}

/// `blitz 5+0.05 for series`
fn read_clock(text: &str) -> Option<[String; 3]> {
    let mut words = text.splitn(3, ' ');
    let [name, clock] = [words.next()?, words.next()?];
    let known = is_name(name) && name.parse::<Clock>().is_err() && clock.parse::<Clock>().is_ok();
    known.then(|| [name, clock, words.next().unwrap_or_default().trim()].map(str::to_owned))
}

/// Small letters, digits and hyphens, beginning with a letter.
fn is_name(text: &str) -> bool {
    text.len() <= 32
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

impl Description {
    /// Reads the lines of the answer to GAME.
    ///
    /// # Errors
    /// The line that is invalid, or the missing part.
    pub fn read(lines: &[String]) -> Result<Self, String> {
        let mut read = Self { plies: 1000, seats: ["First".to_owned(), "Second".to_owned()], ..Self::default() };
        for line in lines {
            let refused = |expected: &str| format!("{}, where {expected} is expected", quote(line.as_bytes()));
            let text = |rest: &str, what: &str| checked(rest, MAX_TEXT_BYTES, what);
            match split(line) {
                ("name", rest) if is_name(rest) => rest.clone_into(&mut read.name),
                ("name", _) => return Err(refused("`name` and small letters, digits and hyphens")),
                ("title", rest) => read.title = text(rest, "the title")?,
                ("summary", rest) => read.summary = text(rest, "the summary")?,
                ("rule", rest) => read.rules.push(text(rest, "a rule")?),
                ("seats", rest) => match rest.split_whitespace().collect::<Vec<_>>()[..] {
                    [first, second] if first != second && rest.len() <= 40 => {
                        read.seats = [text(first, "a seat")?, text(second, "a seat")?];
                    }
                    _ => return Err(refused("`seats` and two different words")),
                },
                ("parameter", rest) => {
                    let parameter = Parameter::read(&text(rest, "a parameter")?).map_err(|error| match error {
                        ParameterError::Value(problem) => problem,
                        ParameterError::Syntax => {
                            refused("`parameter NAME 4..8 DEFAULT meaning` or `parameter NAME a|b DEFAULT meaning`")
                        }
                    })?;
                    if read.parameters.iter().any(|other| other.name == parameter.name) {
                        return Err(format!("two parameters `{}`", parameter.name));
                    }
                    read.parameters.push(parameter);
                }
                ("clock", rest) => {
                    let clock = read_clock(&text(rest, "a clock")?)
                        .ok_or_else(|| refused("`clock NAME 10+0.1 meaning`, with a clock as `--clock` takes it,"))?;
                    if read.clocks.iter().any(|[name, ..]| *name == clock[0]) {
                        return Err(format!("two clocks `{}`", clock[0]));
                    }
                    read.clocks.push(clock);
                }
                ("plies", rest) => {
                    let plies = rest.parse().ok().filter(|plies| (1..=MAX_PLIES).contains(plies));
                    read.plies = plies.ok_or_else(|| refused(&format!("`plies` and 1 to {MAX_PLIES}")))?;
                }
                ("has", rest) => {
                    for word in rest.split_whitespace() {
                        *match word {
                            "secrets" => &mut read.secret,
                            "chance" => &mut read.chance,
                            "draws" => &mut read.draws,
                            "moves" => &mut read.moves,
                            "view" => &mut read.view,
                            "save" => &mut read.save,
                            "playout" => &mut read.playout,
                            _ => {
                                return Err(refused("`has` and words of secrets chance draws moves view save playout"));
                            }
                        } = true;
                    }
                }
                _ => {
                    let words = "`name`, `title`, `summary`, `rule`, `seats`, `parameter`, `clock`, `plies` or `has`";
                    return Err(refused(words));
                }
            }
        }
        if read.name.is_empty() {
            return Err("no `name`".to_owned());
        }
        if read.rules.len() > MAX_RULES || read.parameters.len() > MAX_PARAMETERS || read.clocks.len() > MAX_CLOCKS {
            return Err(format!("more than {MAX_RULES} rules, {MAX_PARAMETERS} parameters or {MAX_CLOCKS} clocks"));
        }
        if read.title.is_empty() {
            read.title.clone_from(&read.name);
        }
        if read.summary.is_empty() {
            read.summary.clone_from(&read.title);
        }
        Ok(read)
    }

    /// Returns true if two sides move in turn and see everything, so that people can play.
    pub const fn has_turns(&self) -> bool {
        self.moves && !self.secret
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Description, String> {
        Description::read(&text.lines().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_description_reads() {
        let read =
            read("name pig\ntitle Pig\nseats A B\nparameter goal 10..200 100 points\nplies 500\nhas moves chance")
                .unwrap();
        assert_eq!((read.name.as_str(), read.plies, read.chance, read.save), ("pig", 500, true, false));
        let goal = &read.parameters[0];
        assert!(goal.takes("10") && !goal.takes("9") && !goal.takes("x"));
        let clocks = read_clocks("blitz 1+0.01 for series\nclock slow 40/60");
        assert_eq!(clocks, [["blitz", "1+0.01", "for series"], ["slow", "40/60", ""]]);
        assert!(read.has_turns());
    }

    fn read_clocks(text: &str) -> Vec<[String; 3]> {
        read(&format!("name pig\nclock {text}")).unwrap().clocks
    }

    #[test]
    fn what_is_wrong_is_named() {
        let check = |text: &str, expected: &str| {
            let error = read(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        };
        check("", "no `name`");
        check("name Pig", "small letters");
        check("name pig\nseats A A", "two different words");
        check("name pig\nplies 0", "`plies` and 1 to");
        check("name pig\nhas wings", "secrets chance");
        check("name pig\nparameter goal 1..x 9 x", "`parameter NAME");
        check("name pig\nparameter goal 1..5", "`parameter NAME");
        check(
            "name pig\nparameter goal 1..5 9 x",
            "the default of the parameter `goal`, `9`, is not in its range, `1..5`",
        );
        check("name pig\nparameter goal a|b c x", "`c`, is not in its range, `a|b`");
        check("name pig\nparameter goal 5..1 3 x", "`5..1`, is empty");
        check("name pig\nclock blitz soon", "`clock NAME 10+0.1 meaning`");
        check("name pig\nclock inf 10s", "`clock NAME 10+0.1 meaning`");
        check("name pig\nclock a 1s\nclock a 2s", "two clocks `a`");
        check("name pig\nparameter a 1..2 1 x\nparameter a 1..2 1 x", "two parameters `a`");
        check("name pig\nparameter a 1..2 1 \u{1b}[2J", "not printed");
        check("name pig\nhello", "`hello`, where `name`");
    }
}
