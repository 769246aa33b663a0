//! The boards' scripts without a page: their own tests, run by Node.

use std::fs;
use std::path::Path;
use std::process::Command;

use agon_arena::agents::PreparedAgent;
use agon_arena::game::Bout;
use agon_arena::transcript;
use agon_catalog::{Game, Setup};
use agon_referee::agent::AgentSpec;
use agon_referee::bout::Afterwards;
use agon_referee::limits::GameLimits;

/// Fifty games between fast built-in players, as the viewer has them.
fn fast_games() -> String {
    let games = [Game::BACTERIA, Game::DOMINEERING, Game::RENJU];
    let lines = (0..50_usize).map(|number| {
        let (game, limits) = (games[number % games.len()], GameLimits::default());
        let names = game.builtin_names();
        let players = [names[number / 3 % 2], names[number / 6 % 2]];
        let ready = |name: &str| PreparedAgent::prepare(game, AgentSpec::builtin(name), &limits).unwrap();
        let [first, second] = players.map(ready);
        let setup = Setup { seed: number as u64, ..Setup::default() };
        let mut bout = Bout::new(game, setup, limits).unwrap();
        let mut seats = bout.seats([&first, &second], None).unwrap();
        let record = bout.play([&first, &second], &mut seats, Afterwards::Exit, &mut ());
        let (start, moves) = transcript::replayed(&record).unwrap();
        let drawn = transcript::game(&record, start.as_ref(), &moves, &[], [false; 2]).unwrap();
        drawn.to_string() + "\n"
    });
    lines.collect()
}

#[test]
fn modules_pass_their_own_tests() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = tempfile::tempdir().unwrap();
    // Beside each other, as the server has them, and as modules.
    for from in ["boards/src/assets", "boards/src/viewer", "wasm/js", "cli/tests/it/board/scripts"] {
        for entry in fs::read_dir(crates.join(from)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|kind| kind == "js") {
                fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
            }
        }
    }
    fs::write(folder.path().join("games.jsonl"), fast_games()).unwrap();
    fs::write(folder.path().join("package.json"), "{\"type\":\"module\"}").unwrap();
    let ran = Command::new("node").arg("--test").current_dir(folder.path()).output();
    let ran = ran.unwrap_or_else(|error| panic!("`node` cannot be started, install it by scripts/test: {error}"));
    let text = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{text}");
    let passed = text.lines().find_map(|line| line.split_once("pass ")?.1.trim().parse::<usize>().ok());
    assert!(passed >= Some(30), "{text}");
}
