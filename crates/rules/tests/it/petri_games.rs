//! Complete games of the petri dish, replayed against an independent implementation's record of them.

use agon_game::{Outcome, Side};
use agon_rules::petri::{Dish, DishSetup, Rules, Species};
use serde_json::Value;

const GAMES: &str = include_str!("../data/petri/games.jsonl");

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// The start of a recorded game.
fn dish(game: &Value) -> Dish {
    let species = |seat: usize| {
        let [hp, energy, acidity] = [0, 1, 2].map(|point| number(&game["species"][seat][point]) as u8);
        Species::new(hp, energy, acidity).expect("twelve points")
    };
    let setup = DishSetup {
        width: number(&game["width"]) as usize,
        height: number(&game["height"]) as usize,
        turns: number(&game["maxTurns"]) as u16,
        species: [species(0), species(1)],
        rules: Rules::Contest,
    };
    // Many of the recorded dishes are 3 squares wide or high.
    Dish::cramped(&setup).expect("a playable dish")
}

/// Replays one game and compares everything that was recorded of it.
fn check(game: &Value) {
    let name = format!("game {} ({})", game["id"], game["kind"]);
    let mut dish = dish(game);
    let mut turn = 0;
    let record = |dish: &Dish, turn: &mut usize| {
        let board = game["boards"][*turn].as_str().expect("a board");
        let shown = dish.board();
        let (shown, of) = if board.len() == 16 { (hash(&shown), "hash of the board") } else { (shown, "board") };
        assert_eq!(shown, board, "{name}: {of} after turn {turn}");
        let state = game["states"][*turn].as_str().expect("a hash");
        assert_eq!(format!("{:016x}", dish.state_hash()), state, "{name}: {} after turn {turn}", dish.state());
        *turn += 1;
    };
    for (index, action) in list(&game["actions"]).iter().enumerate() {
        let actor = dish.actor().unwrap_or_else(|| panic!("{name}: over before action {index}"));
        assert_eq!(actor.side.index() as u64 + 1, number(&action[0]), "{name}: who makes action {index}");
        let applied = dish.answer(action[1].as_str().expect("an output").as_bytes()).expect("the game goes on");
        assert_eq!(applied.actor, actor);
        if applied.turn_over {
            record(&dish, &mut turn);
        }
    }
    if list(&game["actions"]).is_empty() {
        record(&dish, &mut turn);
    }
    assert_eq!(turn, list(&game["boards"]).len(), "{name}: boards");
    assert_eq!(dish.actor(), None, "{name}: over");
    let winner = match dish.outcome().expect("over") {
        Outcome::Draw => 0,
        Outcome::Win(side) => side.index() as u64 + 1,
    };
    assert_eq!(winner, number(&game["final"]["winner"]), "{name}: winner");
    assert_eq!(
        Side::BOTH.map(|side| u64::from(dish.cells(side))),
        [0, 1].map(|side| number(&game["final"]["cells"][side]))
    );
    assert_eq!(u64::from(dish.turns()), number(&game["final"]["turns"]), "{name}: turns");
    assert_eq!(dish.actions(), list(&game["actions"]).len() as u64, "{name}: actions");
}

fn hash(text: &str) -> String {
    let fnv = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, fnv))
}

#[test]
fn recorded_games_replay_exactly() {
    let games: Vec<Value> = GAMES.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(games.len(), 176);
    games.iter().for_each(check);
}
