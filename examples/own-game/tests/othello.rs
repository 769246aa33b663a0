//! Othello as a crate: it keeps the laws of games, plays as `agon` does, and agrees with the rules in Python.

use std::path::Path;
use std::process::Command;

use agon_catalog::Setup;
use agon_game::seed::Stream;
use agon_game::{Alternating, GameState, Position as _, laws};
use own_game::Othello;

#[test]
fn it_keeps_the_laws_of_games() {
    laws::obey(&Othello::default(), 20, 1);
    for (depth, count) in (1..).zip([4, 12, 56, 244, 1_396, 8_200, 55_092]) {
        assert_eq!(Othello::default().perft(depth), count, "perft {depth}");
    }
}

#[test]
fn it_is_an_agon_with_one_game_more() {
    let agon = |words: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_own-game")).args(words).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{words:?}: {text}{}", String::from_utf8_lossy(&output.stderr));
        text
    };
    // Long lines are broken.
    let rules = agon(&["games", "othello"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(rules.contains("puts a stone that flips at least one"), "{rules}");
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("game.jsonl");
    let record = record.to_str().unwrap();
    let played = agon(&["play", "othello", "--first", "search", "--clock", "1s", "--show", "none", "--out", record]);
    assert!(played.contains("neither side has a move"), "{played}");
    assert!(agon(&["replay", record, "--show", "none"]).contains("proved"));
}

/// The two Othellos have the same moves, the same ends and the same texts in random games.
#[test]
fn it_agrees_with_the_rules_in_python() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/othello");
    let python = agon_external::load(&path).unwrap_or_else(|error| panic!("{error}"));
    let games = if std::env::var_os("AGON_SLOW").is_some() { 10_000 } else { 20 };
    for number in 0..games {
        let mut stream = Stream::new(number, "agree");
        let mut crate_state = Alternating::new(Othello::default());
        let mut python_state = python.initial_state(&Setup { seed: number, ..Setup::default() }).unwrap();
        loop {
            assert_eq!(crate_state.turn(), python_state.turn(), "game {number}: {}", crate_state.position());
            assert_eq!(crate_state.score(), python_state.score());
            let moves = crate_state.legal();
            assert_eq!(moves, python_state.legal());
            if moves.is_empty() {
                break;
            }
            let text = &moves[stream.below(moves.len())];
            assert_eq!(crate_state.answer(text), python_state.answer(text));
        }
        assert_eq!(crate_state.position(), python_state.position());
        assert_eq!(crate_state.ending(), python_state.ending());
    }
}
