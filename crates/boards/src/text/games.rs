//! Texts of games in the language of the request, found by the name of the game; the English ones are in the catalogue.
//! A user's own game uses its author's language.

use agon_catalog::{Game, GameParameter, RulePicture};
use agon_game::SeatName;

use super::localized::{localized, named, translation};
use super::macros::t;

fn text(game: Game, part: &str, english: &str) -> String {
    named(&format!("game-{}-{part}", game.name()), english)
}

pub fn game_title(game: Game) -> String {
    text(game, "title", game.title())
}

/// The title for where space is short.
pub fn short_game_title(game: Game) -> String {
    text(game, "short-title", game.short_title)
}

/// The game in a line.
pub fn game_summary(game: Game) -> String {
    text(game, "summary", game.summary)
}

/// What a player must know, point by point.
pub fn game_rules(game: Game) -> Vec<String> {
    let points = (1..).zip(game.rules);
    points.map(|(number, point)| text(game, &format!("rule-{number}"), point)).collect()
}

/// What a picture of a game's rules shows.
pub fn picture_caption(game: Game, picture: &RulePicture) -> String {
    text(game, &format!("picture-{}", picture.name), picture.caption)
}

/// What happens in the example of a game's rules.
pub fn example_caption(game: Game) -> String {
    text(game, "worked-example", game.illustrations.example_caption)
}

/// The meaning of the curve of a game's evaluations.
pub fn curve_meaning(game: Game, seats: [&str; 2]) -> String {
    let [first, second] = seats.map(|seat| localized(&SeatName::from(seat)));
    let meaning = text(game, "curve", game.curve.meaning);
    let meaning = t!("curve-meaning", meaning = meaning, first = first, second = second);
    if game.curve.note.is_empty() {
        meaning
    } else {
        format!("{meaning} {}", text(game, "curve-note", game.curve.note))
    }
}

/// What a built-in player does.
pub(crate) fn player_summary(game: Game, name: &str, english: &str) -> String {
    text(game, &format!("player-{name}"), english)
}

/// A parameter of a game, for people.
pub struct ParameterText {
    pub meaning: String,
    pub values: String,
    pub default: String,
}

impl ParameterText {
    pub fn new(game: Game, parameter: &GameParameter) -> Self {
        // Openings and positions are parameters of many games.
        let part = |part: &str, english: &str| {
            let of = |owner: &str| translation(&format!("{owner}{}{part}", parameter.name));
            of(&format!("game-{}-", game.name())).or_else(|| of("parameter-")).unwrap_or_else(|| english.to_owned())
        };
        Self {
            meaning: part("", parameter.meaning),
            values: part("-values", parameter.values),
            default: part("-default", parameter.default),
        }
    }
}
