//! Renju: the legal moves of a position, Black's forbidden points, and immediately winning cells.

use std::fmt;

use agon_game::{Position, Side};
use agon_rules::renju::{Point, Renju};
use serde::de::{self, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use crate::json_lines;

#[derive(Deserialize)]
struct Question {
    black: Vec<Place>,
    white: Vec<Place>,
    #[serde(alias = "to_move")]
    turn: Turn,
}

/// A point as a question has it.
enum Place {
    /// Row and column, as the judge writes them.
    Numbers([i64; 2]),
    /// In people's notation: `H8`.
    Letters(String),
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PlaceVisitor)
    }
}

struct PlaceVisitor;

impl<'de> Visitor<'de> for PlaceVisitor {
    type Value = Place;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a point, [row, column] or \"H8\"")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Place, E> {
        Ok(Place::Letters(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<Place, A::Error> {
        let mut place = [0; 2];
        for (at, number) in place.iter_mut().enumerate() {
            *number = numbers.next_element()?.ok_or_else(|| de::Error::invalid_length(at, &self))?;
        }
        match numbers.next_element::<IgnoredAny>()? {
            Some(_) => Err(de::Error::invalid_length(3, &self)),
            None => Ok(Place::Numbers(place)),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Turn {
    Black,
    White,
}

/// The position that a line describes.
pub(crate) fn position(line: &[u8]) -> Result<Renju, String> {
    let question: Question = json_lines::parse(line)?;
    let turn = match question.turn {
        Turn::Black => Side::First,
        Turn::White => Side::Second,
    };
    Renju::from_stones(&points(&question.black)?, &points(&question.white)?, turn).map_err(|error| error.to_string())
}

pub(crate) fn answer(line: &[u8]) -> Result<Value, String> {
    let position = position(line)?;
    let listed = |points: Vec<Point>| points.into_iter().map(|point| [point.row(), point.column()]).collect::<Vec<_>>();
    Ok(json!({
        "legal": position.stone_moves().count(),
        "forbidden": listed(position.forbidden_points().iter().collect()),
        "outcome": json_lines::outcome(position.outcome()),
        "wins": listed(position.wins().iter().collect()),
    }))
}

fn points(places: &[Place]) -> Result<Vec<Point>, String> {
    let point = |place: &Place| match place {
        Place::Numbers([row, column]) => {
            Point::new(*row, *column).ok_or_else(|| format!("[{row},{column}] is outside the board"))
        }
        Place::Letters(text) => Point::from_letters(text).map_err(|error| error.to_string()),
    };
    places.iter().map(point).collect()
}
