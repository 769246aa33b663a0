//! Recorded games that the rules have proved.

use agon_catalog::{Game, Setup};
use agon_game::GameState;
use agon_referee::bout::Played;
use agon_referee::record::Record;
use agon_referee::replay::{begin, prove};
use anyhow::{Context, ensure};

use crate::show;

/// Text of a record, and its name in messages.
pub(crate) struct Source {
    pub name: String,
    pub text: String,
}

/// A recorded game that the rules have proved.
pub(crate) struct RecordedGame {
    /// Name in messages.
    pub name: String,
    pub record: Record,
    pub game: Game,
    /// Before any question.
    pub start: Box<dyn GameState>,
    /// State in which the first move is asked for.
    pub begun: Box<dyn GameState>,
    pub moves: Vec<Played>,
}

impl RecordedGame {
    /// Reads a record and proves it.
    ///
    /// # Errors
    /// If it is not one, or breaks the rules.
    pub(crate) fn read(source: Source) -> anyhow::Result<Self> {
        let Source { name, text } = source;
        let record = Record::read(&text).with_context(|| format!("`{name}` is not a record of a game"))?;
        let header = &record.header;
        let game = Game::recorded(&header.game).with_context(|| format!("`{name}`"))?;
        let setup = Setup { seed: header.seed, parameters: header.parameters.clone() };
        let start = game.initial_state(&setup).with_context(|| format!("`{name}`"))?;
        let moves =
            prove(&record, start.boxed_clone().as_mut()).with_context(|| format!("`{name}` breaks the rules"))?;
        let mut begun = start.boxed_clone();
        begin(&record, begun.as_mut());
        Ok(Self { name, record, game, start, begun, moves })
    }

    /// The number of moves before the first recorded one: those of an opening.
    pub(crate) fn opening(&self) -> u32 {
        self.begun.ply()
    }

    /// Returns the number of recorded moves before the move with this number.
    ///
    /// # Errors
    /// If no move of the record has it.
    pub(crate) fn index(&self, option: &str, ply: u32) -> anyhow::Result<usize> {
        let last = self.opening() + self.moves.len() as u32;
        ensure!(ply <= last, "{option} {ply}: the game has {}", show::counted(last.into(), "move"));
        let index = ply.checked_sub(self.opening() + 1).with_context(|| in_opening(option, ply, self.opening()));
        Ok(index? as usize)
    }

    /// Returns the game's set-up.
    pub(crate) fn setup(&self) -> Setup {
        Setup { seed: self.record.header.seed, parameters: self.record.header.parameters.clone() }
    }
}

/// Says that a number is that of a move of the opening.
pub(crate) fn in_opening(option: &str, ply: u32, opening: u32) -> String {
    format!("{option} {ply}: the game begins after an opening of {}", show::counted(opening.into(), "move"))
}

/// The moves of a game up to the one with this number, or all of them; the moves of an opening come before these.
///
/// # Errors
/// If no move has this number, or it belongs to the opening.
pub(crate) fn up_to<T>(moves: &[T], ply: Option<u32>, opening: u32) -> anyhow::Result<&[T]> {
    let last = opening + moves.len() as u32;
    let ply = ply.unwrap_or(last);
    ensure!(ply <= last, "--ply {ply}: the game has only {}", show::counted(last.into(), "move"));
    // 0 is the start, whatever came before it.
    let count = if ply == 0 { Some(0) } else { ply.checked_sub(opening) };
    Ok(&moves[..count.with_context(|| in_opening("--ply", ply, opening))? as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_of_an_opening_are_counted() {
        let check = |ply: Option<u32>, opening: u32, moves: usize| {
            assert_eq!(up_to(&[(); 5], ply, opening).unwrap().len(), moves, "{ply:?} {opening}");
        };
        check(None, 0, 5);
        check(None, 8, 5);
        check(Some(0), 8, 0);
        check(Some(8), 8, 0);
        check(Some(10), 8, 2);
        let refused = |ply: u32| up_to(&[(); 5], Some(ply), 8).unwrap_err().to_string();
        assert_eq!(refused(3), "--ply 3: the game begins after an opening of 8 moves");
        assert_eq!(refused(14), "--ply 14: the game has only 13 moves");
    }
}
