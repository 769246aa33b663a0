//! Piskvork's and Gomocup's `.psq`, with the time of each move: seconds, as the property EMT.

use agon_catalog::Game;
use agon_rules::renju::psq;

use super::error::{FileError, FileProblem, Limits};
use super::point;
use super::tree::{Collection, FileRemark, GameTree, Note, Property};

/// The time of a move in seconds, as some programs write it in SGF.
pub const MOVE_TIME: &str = "EMT";

/// Reads a game.
///
/// # Errors
/// [`FileError`] names the first line that is wrong.
pub fn read(text: &str, limits: &Limits) -> Result<Collection, FileError> {
    let psq::PsqGame { moves, players } = psq::read_game(text).map_err(FileError::whole)?;
    limits.check(1, moves.len(), moves.len())?;
    let mut game = GameTree::of_moves(Game::RENJU, moves.iter().map(ToString::to_string));
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()).skip(1);
    for (node, (line, number)) in game.nodes.iter_mut().skip(1).zip(lines) {
        node.place = number.into();
        let time = line.split(',').nth(2).and_then(|time| time.trim().parse::<u64>().ok());
        if let Some(time) = time.filter(|&time| time > 0) {
            let seconds = format!("{}.{:03}", time / 1_000, time % 1_000);
            let seconds = seconds.trim_end_matches('0').trim_end_matches('.');
            node.properties.push(Property::text(MOVE_TIME, seconds));
        }
    }
    for (name, player) in ["PB", "PW"].into_iter().zip(&players) {
        game.set_plain(0, name, player);
    }
    Ok(Collection::from_games(vec![game]))
}

/// Writes the main line of a game with its times. Also returns the names that are changed.
///
/// # Errors
/// [`FileError`] when it is not of renju.
pub fn write(game: &GameTree) -> Result<(String, Vec<Note>), FileError> {
    let nodes = game.main_line();
    let mut moves = Vec::with_capacity(nodes.len());
    for made in game.main_moves() {
        let m = point::judged(&made.judged);
        moves.push(m.ok_or_else(|| FileError::whole(FileProblem::NotRenju { judged: made.judged.clone() }))?);
    }
    let [black, white] = game.names();
    let mut text = String::new();
    for (number, line) in psq::write(&moves, [&black, &white]).lines().enumerate() {
        let node = number.checked_sub(1).and_then(|at| nodes.get(at));
        let seconds: f64 = node.and_then(|&node| game.plain(node, MOVE_TIME).trim().parse().ok()).unwrap_or_default();
        let ms = (seconds * 1_000.0).round();
        match line.strip_suffix(",0") {
            Some(place) if ms > 0.0 && ms < 1e12 && node.is_some() => text += &format!("{place},{ms}\n"),
            _ => text += &format!("{line}\n"),
        }
    }
    let written = psq::read_game(&text).map(|game| game.players).unwrap_or_default();
    let others = [black, white].into_iter().zip(written).filter(|(name, written)| name != written);
    let notes = others.map(|(name, written)| Note::remark(game.place, FileRemark::Name { name, written }));
    let notes = notes.collect();
    Ok((text, notes))
}
