//! A rule of a colony that a visitor writes: lines of the dish's own words, the first that can be carried out is.
//!
//! ```text
//! BEGIN 4 8 0
//! enemies >= 2 and hp <= 2: EXPLODE
//! energy >= 1: ATTACK enemy 3
//! energy >= 9: DIVIDE enemy
//! EAT corpse
//! energy >= 3: MOVE enemy
//! REST
//! ```

use std::str::FromStr;

use agon_engines::petri::Choice;
use agon_game::Stateless;
use agon_game::seed::Stream;
use agon_message::{English, messages};
use agon_rules::petri::{Action, Announcement, Direction, Directions, Scene, Sight, SpeciesError, Thing};

const MAX_LINES: usize = 100;

messages! {
    /// Reason why a rule is invalid.
    #[derive(Clone, PartialEq, Eq)]
    pub enum RuleError {
        Empty = "rule is empty; its first line is BEGIN HP ENERGY ACIDITY, three numbers with the sum 12",
        Begin { text: String } =
            "line 1, `{text}`: expected BEGIN HP ENERGY ACIDITY, three numbers with the sum 12",
        Species { error: English } = "line 1: {error}",
        Line { line: usize, text: String, expected: RulePart } = "line {line}, `{text}`: expected {expected}",
        Long { limit: usize } = "rule is too long; the limit is {limit} lines",
    }

    /// Missing part of a line in a rule.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum RulePart {
        Action = "REST, EXPLODE, MOVE d, DIVIDE d, EAT d or ATTACK d s",
        Condition = "hp, energy, enemies, friends, corpses or room, optionally with `>= 2`, before the colon",
        Way = "N, NE, E, SE, S, SW, W, NW, enemy, corpse or room as direction",
        Strength = "a strength from 1 to 3",
    }
}

/// Quantity that a condition measures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Measure {
    Hp,
    Energy,
    Enemies,
    Friends,
    Corpses,
    Room,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Condition {
    measure: Measure,
    least: usize,
    most: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Fixed(Direction),
    Enemy,
    Corpse,
    Room,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Deed {
    Rest,
    Explode,
    Move(Way),
    Divide(Way),
    Eat(Way),
    Attack(Way, i32),
}

/// A rule that has been read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct WrittenRule {
    begin: Announcement,
    lines: Vec<(Vec<Condition>, Deed)>,
}

impl FromStr for WrittenRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let mut lines = text.lines().map(str::trim).enumerate().filter(|(_, line)| !line.is_empty());
        let (_, first) = lines.next().ok_or(RuleError::Empty)?;
        let begin = first
            .split_once(char::is_whitespace)
            .filter(|(word, _)| word.eq_ignore_ascii_case("BEGIN"))
            .ok_or_else(|| RuleError::Begin { text: first.to_owned() })?;
        let begin = Announcement::read(begin.1.trim().as_bytes())
            .map_err(|error: SpeciesError| RuleError::Species { error: English(error.to_string()) })?;
        let read = |(at, line): (usize, &str)| {
            line_of(line).map_err(|expected| RuleError::Line { line: at + 1, text: line.to_owned(), expected })
        };
        let lines: Vec<_> = lines.map(read).collect::<Result<_, _>>()?;
        if lines.len() > MAX_LINES { Err(RuleError::Long { limit: MAX_LINES }) } else { Ok(Self { begin, lines }) }
    }
}

fn line_of(line: &str) -> Result<(Vec<Condition>, Deed), RulePart> {
    let (conditions, deed) = line.rsplit_once(':').map_or(("", line), |(conditions, deed)| (conditions, deed));
    let lower = conditions.to_lowercase();
    let conditions = lower.split(" and ").map(str::trim).filter(|text| !text.is_empty() || !lower.is_empty());
    Ok((conditions.map(condition).collect::<Result<_, _>>()?, deed_of(deed)?))
}

fn condition(text: &str) -> Result<Condition, RulePart> {
    let name = text.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let measure = match name {
        "hp" => Measure::Hp,
        "energy" => Measure::Energy,
        "enemies" => Measure::Enemies,
        "friends" => Measure::Friends,
        "corpses" => Measure::Corpses,
        "room" => Measure::Room,
        _ => return Err(RulePart::Condition),
    };
    let rest = text[name.len()..].trim();
    if rest.is_empty() {
        return Ok(Condition { measure, least: 1, most: usize::MAX });
    }
    let (sign, number) = rest.split_at(rest.find(|c: char| c.is_ascii_digit()).ok_or(RulePart::Condition)?);
    let number: usize = number.parse().map_err(|_| RulePart::Condition)?;
    let (least, most) = match sign.trim() {
        ">=" => (number, usize::MAX),
        ">" => (number + 1, usize::MAX),
        "<=" => (0, number),
        "<" => (0, number.checked_sub(1).ok_or(RulePart::Condition)?),
        "=" | "==" => (number, number),
        _ => return Err(RulePart::Condition),
    };
    Ok(Condition { measure, least, most })
}

fn deed_of(text: &str) -> Result<Deed, RulePart> {
    let words: Vec<String> = text.split_whitespace().map(str::to_uppercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    Ok(match words.as_slice() {
        ["REST"] => Deed::Rest,
        ["EXPLODE"] => Deed::Explode,
        ["MOVE", d] => Deed::Move(way(d)?),
        ["DIVIDE", d] => Deed::Divide(way(d)?),
        ["EAT", d] => Deed::Eat(way(d)?),
        ["ATTACK", d, s] => Deed::Attack(
            way(d)?,
            s.parse().ok().filter(|strength| (1..=3).contains(strength)).ok_or(RulePart::Strength)?,
        ),
        _ => return Err(RulePart::Action),
    })
}

fn way(text: &str) -> Result<Way, RulePart> {
    Ok(match text {
        "ENEMY" => Way::Enemy,
        "CORPSE" => Way::Corpse,
        "ROOM" => Way::Room,
        name => Way::Fixed(Direction::read(name.as_bytes()).ok_or(RulePart::Way)?),
    })
}

impl WrittenRule {
    /// Returns the action of a cell with this view: that of the first line whose conditions hold and whose action is
    /// legal.
    fn choose(&self, sight: &Sight<'_>) -> Choice {
        let around = sight.around();
        let holds = |condition: &Condition| {
            let value = match condition.measure {
                Measure::Hp => usize::from(sight.hp()),
                Measure::Energy => usize::from(sight.energy()),
                Measure::Enemies => around.enemies.len(),
                Measure::Friends => around.own.len(),
                Measure::Corpses => around.corpses.len(),
                Measure::Room => around.free().len(),
            };
            (condition.least..=condition.most).contains(&value)
        };
        let mut able = self.lines.iter().filter(|(conditions, _)| conditions.iter().all(holds));
        able.find_map(|(_, deed)| deed.on(sight)).unwrap_or_else(|| Action::Rest.into())
    }
}

impl Deed {
    /// The action, if it can be carried out.
    fn on(self, sight: &Sight<'_>) -> Option<Choice> {
        let around = sight.around();
        let energy = i32::from(sight.energy());
        match self {
            Self::Rest => Some(Action::Rest.into()),
            Self::Explode => Some(Action::Explode.into()),
            Self::Move(way) => Choice::any(Action::Move, way.among(sight, around.free())).filter(|_| energy >= 1),
            Self::Divide(way) => Choice::any(Action::Divide, way.among(sight, around.free())).filter(|_| energy >= 5),
            Self::Eat(way) => Choice::any(Action::Eat, way.among(sight, around.corpses)),
            Self::Attack(way, strength) => {
                let strength = strength.min(energy);
                let attack = |direction| Action::Attack(direction, strength);
                Choice::any(attack, way.among(sight, around.enemies)).filter(|_| strength >= 1)
            }
        }
    }
}

impl Way {
    /// Returns the directions it refers to: for an enemy or a corpse those that come nearest to one.
    fn among(self, sight: &Sight<'_>, directions: Directions) -> Directions {
        let thing = match self {
            Self::Fixed(direction) => return directions.into_iter().filter(|&known| known == direction).collect(),
            Self::Room => return directions,
            Self::Enemy => Thing::Enemy,
            Self::Corpse => Thing::Corpse,
        };
        let here = sight.place();
        let places: Vec<_> = sight.columns().filter(|(_, found)| *found == thing).map(|(place, _)| place).collect();
        let distance = |direction: Direction| {
            let (x, y) = (i32::from(here.x) + i32::from(direction.dx()), i32::from(here.y) + i32::from(direction.dy()));
            places.iter().map(|place| (i32::from(place.x) - x).abs().max((i32::from(place.y) - y).abs())).min()
        };
        let least = directions.into_iter().filter_map(distance).min();
        directions.into_iter().filter(|&direction| least.is_some() && distance(direction) == least).collect()
    }
}

impl Stateless for WrittenRule {
    fn respond(&self, input: &[u8], seed: u64) -> Result<String, String> {
        let input = input.strip_suffix(b"\n").unwrap_or(input);
        if input == b"BEGIN" {
            return Ok(self.begin.to_string());
        }
        let text = str::from_utf8(input).map_err(|error| error.to_string())?;
        let scene = Scene::read(input).map_err(|error| error.to_string())?;
        Ok(self.choose(&scene.sight()).draw(&mut Stream::new(seed, text)).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: &str = "BEGIN 4 8 0\nenemies >= 2 and hp <= 2: EXPLODE\nATTACK enemy 3\nenergy > 8: DIVIDE enemy\n\
                        EAT corpse\nfriends < 1 and energy: MOVE e\n";

    #[test]
    fn the_first_line_that_can_be_carried_out_is() {
        let rule: WrittenRule = RULE.parse().unwrap();
        let check =
            |input: &str, wanted: &str| assert_eq!(rule.respond(input.as_bytes(), 1).unwrap(), wanted, "{input}");
        check("BEGIN", "4 8 0");
        check("4 4\n....\n.o..\nx.x.\n....\n\n1 1 2 2", "EXPLODE");
        check("4 4\n....\n.o..\n..x.\n....\n\n1 1 5 2", "ATTACK SE 2");
        check("4 4\n....\n.o..\n..x.\n....\n\n1 1 5 0", "REST");
        check("4 4\no...\n....\n....\n...x\n\n0 0 5 9", "DIVIDE SE");
        check("4 4\n....\n.oc.\n....\n...x\n\n1 1 5 3", "EAT E");
        check("4 4\n....\n.o..\n....\n...x\n\n1 1 5 3", "MOVE E");
        check("4 4\n....\n.oo.\n....\n...x\n\n1 1 5 3", "REST");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let check = |text: &str, wanted: &str| {
            let error = text.parse::<WrittenRule>().unwrap_err().to_string();
            assert!(error.contains(wanted), "`{wanted}` is not in: {error}");
        };
        check("", "rule is empty");
        check("REST", "line 1, `REST`: expected BEGIN");
        check("BEGIN 4 4 5", "4 + 4 + 5 is 13, not 12");
        check("BEGIN 4 8 0\nJUMP", "line 2, `JUMP`: expected REST, EXPLODE");
        check("BEGIN 4 8 0\n\nanger: REST", "line 3, `anger: REST`: expected hp, energy");
        check("BEGIN 4 8 0\nhp 3: REST", "hp, energy");
        check("BEGIN 4 8 0\n: REST\nMOVE up", "line 3, `MOVE up`: expected N, NE");
        check("BEGIN 4 8 0\nATTACK enemy 4", "a strength from 1 to 3");
        check(&format!("BEGIN 4 8 0{}", "\nREST".repeat(101)), "the limit is 100 lines");
    }
}
