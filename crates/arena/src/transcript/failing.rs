//! Where in a game an agent failed, and which places of the board its rejected answer names.

use agon_analysis::game_log::write_message;
use agon_game::{GameState, Side, View};
use agon_referee::bout::Played;
use agon_referee::record::{Record, RecordEntry, Way};
use agon_referee::text::plain;
use agon_referee::verdict::Verdict;
use serde_json::{Value, json};

use super::{answer, by_own_names, failed_actions, of_programs};

/// The ply after which a game failed, with the answer and its places as far as `open` allows showing them; `None` for a
/// game without a failure.
pub(super) fn failing(record: &Record, start: &dyn GameState, moves: &[Played], open: [bool; 2]) -> Option<Value> {
    let view = start.view();
    let failed =
        |side: &Side| !matches!(record.result.verdicts[side.index()].verdict, Verdict::Ok | Verdict::Interrupted);
    if let Some(side) = Side::BOTH.into_iter().find(failed) {
        let refused = refused(record, side, moves.len());
        let numbers = refused.map(|entry| numbers(&entry.line)).unwrap_or_default();
        let cells = places(&view, &numbers);
        let agent = &record.header.agents[side.index()];
        let said = refused.filter(|_| open[side.index()]).and_then(|entry| entry.messages.as_deref());
        let stderr = said.map(|said| plain(&by_own_names(said, agent)));
        let mut failing = json!({
            "ply": moves.len(),
            "side": side.index(),
            "answer": null,
            "letters": letters(&view, &cells),
            "cells": cells,
            "stderr": stderr,
        });
        if let Some(entry) = refused {
            write_message(&mut failing, "answer", &answer(&entry.line, entry.cut));
        }
        return Some(failing);
    }
    let actions = failed_actions(record);
    let action = of_programs(record, &actions).find(|action| open[action.side.index()])?;
    let cell = action.actor.map(|(column, row)| row * view.columns + column);
    let mut failing = json!({
        "ply": action.action - 1,
        "side": action.side.index(),
        "letters": null,
        "cells": cell.into_iter().collect::<Vec<_>>(),
        "stderr": null,
    });
    write_message(&mut failing, "answer", &answer(&action.answer, action.cut));
    Some(failing)
}

/// The answer that lost the game: the one after all moves.
fn refused(record: &Record, side: Side, moves: usize) -> Option<&RecordEntry> {
    let mut answers = record.entries.iter().filter(|entry| entry.way == Way::From && entry.moment.is_some());
    answers.nth(moves).filter(|entry| entry.side == side)
}

/// The whole numbers of an answer such as `MOVE 8 8`.
fn numbers(answer: &str) -> Vec<usize> {
    answer.split_ascii_whitespace().skip(1).map_while(|word| word.parse().ok()).collect()
}

/// The places that pairs of row and column name, as far as they are on the board.
fn places(view: &View, numbers: &[usize]) -> Vec<usize> {
    numbers.chunks(2).map_while(|pair| view.place(*pair.first()?, *pair.get(1)?)).collect()
}

/// Places as people write a move there, where columns have letters.
fn letters(view: &View, cells: &[usize]) -> Option<String> {
    let name = |&cell: &usize| {
        let letter = view.letter(cell % view.columns)?;
        Some(format!("{letter}{}", view.rows - cell / view.columns))
    };
    let names = cells.iter().map(name).collect::<Option<Vec<_>>>()?;
    (!names.is_empty()).then(|| names.concat())
}

#[cfg(test)]
mod tests {
    use agon_catalog::{Game, Setup};

    use super::*;

    #[test]
    fn an_answer_is_shown_as_the_board_names_its_places() {
        let check = |game: Game, line: &str, cells: &[usize], wanted: Option<&str>| {
            let view = game.initial_state(&Setup::default()).unwrap().view();
            let found = places(&view, &numbers(line));
            assert_eq!((found.as_slice(), letters(&view, &found).as_deref()), (cells, wanted), "{line}");
        };
        check(Game::RENJU, "MOVE 8 8", &[112], Some("H8"));
        check(Game::BACTERIA, "MOVE 1 1 2 2", &[0, 8], Some("a7b6"));
        check(Game::RENJU, "MOVE 99 1", &[], None);
        check(Game::RENJU, "MOVE H8", &[], None);
        check(Game::RENJU, "", &[], None);
        check(Game::DOMINEERING, "MOVE 1 1", &[0], None);
    }
}
