//! The page of puzzles.

use serde_json::{Value, json};

use super::{Table, legal};

const STATUS: &str = "document.getElementById('status').textContent";

fn status(table: &Table, part: &str) {
    table.browser.until(&format!("{STATUS}.includes({})", json!(part)), &json!(true));
}

/// The first puzzle of the set of a game that is not of this kind.
fn of_the_set(table: &Table, game: &str, not: &str) -> Value {
    let list = table.served.get(&format!("/api/v1/puzzles/{game}/list"));
    let row = list.as_array().unwrap().iter().find(|row| row["kind"] != not).unwrap();
    table.served.get(&format!("/api/v1/puzzles/{game}?number={}", row["number"]))
}

#[test]
fn a_puzzle_is_solved() {
    let table = Table::new();
    let browser = &table.browser;
    for (game, width, dark) in [("domineering", 360, true), ("bacteria", 1280, true), ("renju", 1280, false)] {
        browser.shape(width, dark);
        let puzzle = of_the_set(&table, game, "defence");
        table.open(&format!("/board/puzzles#game={game}&number={}", puzzle["number"]));
        status(&table, puzzle["text"].as_str().unwrap());
        let grade = format!("Grade {}, {}", puzzle["grade"], puzzle["kind"].as_str().unwrap());
        let shown = browser.of("document.getElementById('grade').textContent");
        assert!(shown.as_str().unwrap().contains(&grade), "{shown}");
        let position = table.served.ask("/api/v1/position", &json!({ "game": game, "position": puzzle["position"] }));
        // Another move is refuted on the board, and counts.
        let solution = puzzle["solution"][0].as_str().unwrap();
        let target = &legal(&position, solution)["to"];
        let all = position["legal"].as_array().unwrap();
        // A division to the same place is the same move.
        let other = all.iter().find(|legal| legal["to"] != *target && legal["to"] != json!([])).unwrap();
        let width = "document.querySelector('#board svg').getBoundingClientRect().width";
        let whole = browser.of(width);
        table.make(other, false);
        status(&table, &format!("{} does not win", other["letters"].as_str().unwrap().replace(' ', ",")));
        assert_eq!(browser.of(width), whole, "{game}: the refutation is shown on a board as large");
        // The wrong move is crossed where its piece lies, as the moves of the refutation are numbered.
        let counts = "[...document.querySelectorAll('#board .count')].map((one) => one.textContent)";
        let counts = browser.of(counts);
        let counts = counts.as_array().unwrap();
        assert!(game == "bacteria" || counts.contains(&json!("×")), "{game}: {counts:?}");
        browser.click("#again");
        status(&table, puzzle["text"].as_str().unwrap());
        table.make(&legal(&position, solution), false);
        status(&table, "Right: ");
        assert_eq!(browser.run(super::AUDIT), json!([]), "{game}");
        let counts = browser.of("document.getElementById('counts').textContent");
        assert!(counts.as_str().unwrap().contains("; 0 in a row"), "{counts}");
    }
}

/// The only defence ends a puzzle, and the browser keeps that it is solved.
#[test]
fn what_was_solved_is_kept() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    let list = table.served.get("/api/v1/puzzles/renju/list");
    let row = list.as_array().unwrap().iter().find(|row| row["kind"] == "defence").unwrap();
    let puzzle = table.served.get(&format!("/api/v1/puzzles/renju?number={}", row["number"]));
    table.open(&format!("/board/puzzles#game=renju&number={}", row["number"]));
    status(&table, puzzle["text"].as_str().unwrap());
    let position = table.served.ask("/api/v1/position", &json!({ "game": "renju", "position": puzzle["position"] }));
    table.make(&legal(&position, puzzle["solution"][0].as_str().unwrap()), false);
    status(&table, "Solved.");
    assert_eq!(browser.of("document.querySelectorAll('#board .hit').length"), 0);
    let counts = "document.getElementById('counts').textContent";
    browser.until(&format!("{counts}.startsWith('Solved 1 of ')"), &json!(true));
    // Another one comes with another address, then that of the day, and its solution is shown on request.
    let before = browser.of("location.hash");
    browser.click("#next");
    browser.until(&format!("location.hash !== {before} && {counts}.includes('1 in a row')"), &json!(true));
    browser.click("#daily");
    browser.until("document.getElementById('grade').textContent.startsWith('Puzzle of the day')", &json!(true));
    browser.click("#solution");
    status(&table, "The solution: ");
    let said = "[...document.querySelectorAll('#board [aria-live], #board [role=status]')].at(-1).textContent";
    browser.until(&format!("{said}.startsWith('The solution: ')"), &json!(true));
    browser.until(&format!("{counts}.includes('; 0 in a row, best 1')"), &json!(true));
    browser.run(
        "const game = document.getElementById('game'); game.value = 'domineering'; game.dispatchEvent(new \
        Event('change'))",
    );
    browser.until("location.hash.includes('game=domineering')", &json!(true));
    // No study has a game: that is said.
    browser.click("#own");
    status(&table, "There is no game of this kind");
}

/// What a defence must stop is shown as a line of numbered stones, and the puzzle goes on.
#[test]
fn the_threat_of_a_puzzle_is_shown() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    let list = table.served.get("/api/v1/puzzles/renju/list");
    let row = list.as_array().unwrap().iter().find(|row| row["kind"] == "defence").unwrap();
    let puzzle = table.served.get(&format!("/api/v1/puzzles/renju?number={}", row["number"]));
    table.open(&format!("/board/puzzles#game=renju&number={}", row["number"]));
    status(&table, puzzle["text"].as_str().unwrap());
    browser.click("#threat");
    status(&table, "The threat: ");
    let numbers = browser.of("document.querySelectorAll('#board .count').length");
    assert!(numbers.as_u64() >= Some(1), "{numbers}");
    browser.click("#again");
    status(&table, puzzle["text"].as_str().unwrap());
    let counts = browser.of("document.getElementById('counts').textContent");
    assert!(counts.as_str().unwrap().starts_with("Solved 0 of "), "{counts}");
    // The other kinds have no such threat.
    let other = of_the_set(&table, "renju", "defence");
    table.open(&format!("/board/puzzles#game=renju&number={}", other["number"]));
    status(&table, other["text"].as_str().unwrap());
    assert_eq!(browser.of("document.getElementById('threat').hidden"), true);
}

#[test]
fn a_solution_that_was_shown_solves_no_puzzle() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    let list = table.served.get("/api/v1/puzzles/renju/list");
    let row = list.as_array().unwrap().iter().find(|row| row["kind"] == "defence").unwrap();
    let puzzle = table.served.get(&format!("/api/v1/puzzles/renju?number={}", row["number"]));
    table.open(&format!("/board/puzzles#game=renju&number={}", puzzle["number"]));
    status(&table, puzzle["text"].as_str().unwrap());
    browser.click("#solution");
    status(&table, "The solution: ");
    browser.click("#again");
    status(&table, puzzle["text"].as_str().unwrap());
    let position = table.served.ask("/api/v1/position", &json!({ "game": "renju", "position": puzzle["position"] }));
    table.make(&legal(&position, puzzle["solution"][0].as_str().unwrap()), false);
    status(&table, "Its solution was shown, so the puzzle does not count.");
    let counts = browser.of("document.getElementById('counts').textContent");
    assert!(counts.as_str().unwrap().starts_with("Solved 0 of "), "{counts}");
}

/// If the server proves neither, the page says so and goes back.
#[test]
fn a_move_without_a_proof_can_be_taken_back() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    let puzzle = of_the_set(&table, "renju", "defence");
    table.open(&format!("/board/puzzles#game=renju&number={}", puzzle["number"]));
    status(&table, puzzle["text"].as_str().unwrap());
    browser.run(
        "const fetched = window.fetch;
         window.fetch = (path, ...rest) => path.endsWith('puzzle-move')
             ? Promise.resolve(new Response('{\"verdict\":\"unproved\",\"line\":[]}')) : fetched(path, ...rest)",
    );
    let position = table.served.ask("/api/v1/position", &json!({ "game": "renju", "position": puzzle["position"] }));
    table.make(&position["legal"][0], false);
    status(&table, "is not shown to win.");
    browser.click("#again");
    status(&table, puzzle["text"].as_str().unwrap());
}

#[test]
fn what_is_no_puzzle_is_refused() {
    let table = super::served::ServedBoard::start();
    let refused = |path: &str, part: &str| {
        let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
        let mut response = agent.get(table.address(path)).call().unwrap();
        let text = response.body_mut().read_to_string().unwrap();
        assert_eq!(response.status(), 400, "{path}: {text}");
        assert!(text.contains(part), "{path}: {text}");
    };
    refused("/api/v1/puzzles/petri", "there are puzzles of ");
    refused("/api/v1/puzzles/renju?number=0", "there is no such puzzle of renju");
    refused("/api/v1/puzzles/renju?number=1&seed=1", "one of `seed`, `number` and `day` expected");
    refused("/api/v1/puzzles/renju?kind=exact", "`exact` is not a kind; fours, threats, quiet, defence expected");
    refused("/api/v1/puzzles/bacteria?grade=9", "there is no such puzzle of bacteria");
    // A game that has missed a win: the position before is a puzzle.
    let puzzle = table.get("/api/v1/puzzles/renju?number=1");
    let position = json!({ "game": "renju", "position": puzzle["position"] });
    let answer = table.ask("/api/v1/position", &position);
    let other = answer["legal"].as_array().unwrap().iter().find(|legal| legal["move"] != puzzle["solution"][0]);
    let mut game = position.clone();
    game["moves"] = json!([other.unwrap()["move"]]);
    let missed = table.ask("/api/v1/missed", &game);
    assert_eq!(missed[0]["position"], puzzle["position"]);
    game["moves"] = json!([puzzle["solution"][0]]);
    assert_eq!(table.ask("/api/v1/missed", &game), json!([]));
}
