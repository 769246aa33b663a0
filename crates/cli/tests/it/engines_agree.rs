//! One engine under one name: whoever asks it, the judge, UAI, Gomocup, `agon analyze`, `agon lab duel` or `agon lab
//! bench`, gets the same move after the same nodes.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::Duration;

use agon_catalog::Game;
use agon_engines::{bacteria, renju};
use agon_game::{Position, Side, TimeControl};
use agon_protocols::gomocup::board;
use agon_protocols::gomocup::client::EngineAnswer;
use agon_rules::bacteria::Bacteria;
use agon_rules::domineering::{Bonus, Domineering, WeightedBoard};
use agon_rules::renju::{Move, Renju};
use agon_search::{Engine, SearchLimits, Task};
use agon_training::{Contender, TrainedGame};
use assert_cmd::Command;
use serde_json::Value;

/// From which everything random is drawn.
const SEED: u64 = 3;

fn agon(args: &[&str], input: &str) -> String {
    let mut command = Command::cargo_bin("agon").expect("built");
    let assert = command.args(args).write_stdin(input.to_owned()).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).expect("text")
}

/// The output of `agon gomocup` until it has named a place. Its input stays open until then, since the end of it ends a
/// search.
fn gomocup(args: &[&str], input: &str) -> String {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("agon"));
    let mut child =
        command.arg("gomocup").args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("built");
    let mut stdin = child.stdin.take().expect("its input");
    stdin.write_all(input.as_bytes()).expect("it listens");
    let mut message = String::new();
    for line in BufReader::new(child.stdout.take().expect("its output")).lines().map_while(Result::ok) {
        message += &format!("{line}\n");
        if matches!(agon_protocols::gomocup::client::answer(&line), Some(Ok(EngineAnswer::Move(_)))) {
            break;
        }
    }
    drop(stdin);
    assert!(child.wait().expect("it ends").success(), "{message}");
    message
}

/// The number after the last of these words, 0 when there is none.
fn number_after(text: &str, word: &str) -> u64 {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let found = words.windows(2).rfind(|pair| pair[0] == word);
    found.map_or(0, |pair| pair[1].parse().expect("a number"))
}

/// The built-ins of a game, and all their levels.
fn names(game: Game) -> Vec<String> {
    let named = game.builtins.iter().map(|builtin| (builtin.name, 1..=builtin.levels().unwrap_or(0)));
    named
        .flat_map(|(name, levels)| [name.to_owned()].into_iter().chain(levels.map(move |n| format!("{name}:{n}"))))
        .collect()
}

/// An engine's move, and the nodes that it reported last.
fn answer<P: Position>(engine: &mut dyn Engine<P>, position: &P, task: &Task) -> (Option<String>, u64) {
    let mut nodes = 0;
    let best = engine.search(position, task, &mut |info| nodes = info.nodes);
    (best.map(|m| m.to_string()), nodes)
}

/// Games between strong players, by their stones.
fn stones(game: usize) -> Vec<Move> {
    renju::bench::GAMES[game].split(' ').map(|text| Move::from_letters(text).expect("a move")).collect()
}

#[test]
fn the_judge_asks_the_engine_of_the_catalog() {
    fn check<P: Position>(game: Game, name: &str, preamble: &str, position: &P, engine: &mut dyn Engine<P>) {
        // Without time every search ends at a number of nodes.
        let clock = TimeControl::sudden_death(Duration::ZERO);
        let (expected, _) = answer(engine, position, &Task::clock(clock));
        let mut player = game.find(name).expect("a built-in").player(SEED).expect("a player of a session");
        player.ready(Side::First, preamble).expect("a seat");
        assert_eq!(player.choose(clock, clock).ok(), expected, "{game} {name}");
    }
    for name in names(Game::BACTERIA) {
        let mut engine = agon_catalog::engine::<Bacteria>(&name, SEED).expect("a built-in");
        check(Game::BACTERIA, &name, "", &Bacteria::start(), engine.as_mut());
    }
    let board = WeightedBoard::drawn(8, 8, 3, 5).expect("a board");
    for name in names(Game::DOMINEERING) {
        let mut engine = agon_catalog::engine::<Domineering>(&name, SEED).expect("a built-in");
        let position = Domineering::new(board, Bonus::default());
        check(Game::DOMINEERING, &name, &board.to_string(), &position, engine.as_mut());
    }
    let moves = stones(7);
    let preamble = moves.iter().fold(String::new(), |text, m| format!("{text}OPENING {m}\n"));
    let position = Renju::after(&moves).expect("a position");
    for name in names(Game::RENJU) {
        let mut engine = agon_catalog::engine::<Renju>(&name, SEED).expect("a built-in");
        check(Game::RENJU, &name, &preamble, &position, engine.as_mut());
    }
}

#[test]
fn uai_asks_the_engine_of_the_catalog() {
    let fen = "7/2xxo2/2xxoo1/1xxooo1/2xoo2/3o3/7 x 0 10";
    let position: Bacteria = fen.parse().expect("a position");
    for name in names(Game::BACTERIA) {
        let mut engine = agon_catalog::engine::<Bacteria>(&name, SEED).expect("a built-in");
        engine.set_memory(64 << 20);
        let (best, nodes) = answer(engine.as_mut(), &position, &SearchLimits::nodes(2_000).into());
        let asked = format!("position fen {fen}\ngo nodes 2000\n");
        let message = agon(&["uai", "--engine", &name, "--seed", &SEED.to_string()], &asked);
        let line = message.lines().last().expect("a best move");
        let reported_best = agon_protocols::uai::client::best_move(&position, line).and_then(Result::ok);
        assert_eq!((reported_best, number_after(&message, "nodes")), (best, nodes), "{name}: {message}");
        // An engine that searches reports its evaluation, a weaker level only what it sees.
        assert_eq!(nodes > 0, name.starts_with("champion") || name == "classic", "{name}");
    }
    assert_eq!(agon(&["uai"], "uai\n").matches("champion").count(), 1);
}

#[test]
fn gomocup_asks_the_engine_of_the_catalog() {
    let moves = stones(6);
    let position = Renju::after(&moves).expect("a position");
    let lines: String = board::entries(&moves).map(|entry| entry.write() + "\n").collect();
    // Without time every search ends at a number of nodes.
    let asked = format!("START 15\nINFO time_left 1\nBOARD\n{lines}DONE\n");
    for name in names(Game::RENJU) {
        let mut engine = agon_catalog::engine::<Renju>(&name, SEED).expect("a built-in");
        let clock = TimeControl::sudden_death(Duration::from_millis(1));
        let (best, nodes) = answer(engine.as_mut(), &position, &Task::clock(clock));
        let message = gomocup(&["--engine", &name, "--seed", &SEED.to_string()], &asked);
        let line = message.lines().last().expect("a place");
        let Some(Ok(EngineAnswer::Move(place))) = agon_protocols::gomocup::client::answer(line) else {
            panic!("no place: {message}");
        };
        assert_eq!((Some(place), number_after(&message, "n")), (best, nodes), "{name}: {message}");
    }
}

/// `agon analyze` of a position, and the champion of the catalog.
fn check_analyze<P: Position>(game: Game, text: &str, position: &P, mut champion: Box<dyn Engine<P>>) {
    champion.set_memory(64 << 20);
    let (best, nodes) = answer(champion.as_mut(), position, &SearchLimits::nodes(2_000).into());
    let args = ["analyze", game.name(), text, "--nodes", "2000", "--lines", "1", "--hash", "64", "--format", "json"];
    let message = agon(&args, "");
    let lines: Vec<Value> = message.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let reported_nodes = lines.iter().filter_map(|line| line["nodes"].as_u64()).next_back();
    let reported_best = lines.iter().find_map(|line| line["best"].as_str());
    assert_eq!((reported_best, reported_nodes), (best.as_deref(), Some(nodes)), "{message}");
}

#[test]
fn analyze_asks_the_engine_of_the_catalog() {
    for text in ["x5o/7/7/7/7/7/o5x x 0 1", "7/2xxo2/2xxoo1/1xxooo1/2xoo2/3o3/7 x 0 10"] {
        let champion = agon_catalog::engine::<Bacteria>("champion", 0).expect("a built-in");
        check_analyze(Game::BACTERIA, text, &text.parse::<Bacteria>().expect("a position"), champion);
    }
    let champion = agon_catalog::engine::<Renju>("champion", 0).expect("a built-in");
    check_analyze(Game::RENJU, renju::bench::GAMES[3], &Renju::after(&stones(3)).expect("a position"), champion);
}

#[test]
fn a_duel_is_fought_by_the_engines_of_the_catalog() {
    fn check<G: TrainedGame>(name: &str, position: &G, mut engine: Box<dyn Engine<G>>) {
        let mut contender = Contender::<G>::read(name, G::Tuning::default()).expect("a name").engine();
        let task = SearchLimits::nodes(2_000).into();
        let [own, other] = [contender.as_mut(), engine.as_mut()].map(|engine| answer(engine, position, &task));
        assert_eq!(own, other, "{name}");
    }
    for name in ["classic", "champion"] {
        check(name, &Bacteria::start(), agon_catalog::engine::<Bacteria>(name, SEED).expect("a built-in"));
        let position = Renju::after(&stones(3)).expect("a position");
        check(name, &position, agon_catalog::engine::<Renju>(name, SEED).expect("a built-in"));
    }
}

#[test]
fn the_benchmark_is_searched_by_the_engine_of_the_catalog() {
    let depth = |depth| SearchLimits { depth: Some(depth), ..SearchLimits::default() }.into();
    let tuning = bacteria::search::Tuning::default();
    let nodes = bacteria::bench::nodes(&bacteria::evaluation::built_in(), tuning, 6, bacteria::bench::TABLE_BYTES);
    for (text, nodes) in bacteria::bench::POSITIONS.iter().zip(nodes.expect("positions")) {
        let mut champion = agon_catalog::engine::<Bacteria>("champion", SEED).expect("a built-in");
        champion.set_memory(bacteria::bench::TABLE_BYTES);
        assert_eq!(answer(champion.as_mut(), &text.parse().expect("a position"), &depth(6)).1, nodes, "{text}");
    }
    for (game, nodes) in renju::bench::search(2).expect("positions").into_iter().enumerate() {
        let mut champion = agon_catalog::engine::<Renju>("champion", SEED).expect("a built-in");
        champion.set_memory(16 << 20);
        let position = Renju::after(&stones(game)).expect("a position");
        assert_eq!(answer(champion.as_mut(), &position, &depth(2)).1, nodes, "{game}");
    }
}
