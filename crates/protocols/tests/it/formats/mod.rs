//! Files of games.

mod charsets;
mod libraries;
mod opening_rules;
mod peers;
mod roundtrip;
mod sgf;
mod table;
mod texts;

use agon_catalog::Game;
use agon_protocols::formats::{self, Collection, FileError, FileFormat, GameTree, Limits};
use agon_rules::renju::Move;

/// Reads a text in the format that its content shows.
fn read(text: &str) -> Result<Collection, FileError> {
    read_bytes(text.as_bytes())
}

fn read_bytes(bytes: &[u8]) -> Result<Collection, FileError> {
    formats::read(bytes, FileFormat::of_content(bytes), None, &Limits::FILE)
}

/// The only game of a text.
fn game(text: &str) -> GameTree {
    let mut collection = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!((collection.games.len(), collection.refused.len()), (1, 0), "{text}");
    collection.games.remove(0)
}

/// A line of moves as people write it; of other games than renju as the judge does.
fn shown(game: &GameTree) -> String {
    let letters = |judged: &str| match formats::point::judged(judged) {
        Some(m) if game.game == Game::RENJU => Move::letters(m),
        _ => judged.to_owned(),
    };
    game.main_moves().map(|made| letters(&made.judged)).collect::<Vec<_>>().join(" ")
}
