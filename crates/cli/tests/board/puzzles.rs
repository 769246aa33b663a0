//! The page of puzzles.

use serde_json::json;

use super::{Table, legal};

#[test]
fn a_puzzle_is_solved() {
    let table = Table::new();
    let browser = &table.browser;
    let status = |part: &str| {
        let part = json!(part);
        browser.until(&format!("document.getElementById('status').textContent.includes({part})"), &json!(true));
    };
    for (game, width, dark) in [("domineering", 360, true), ("renju", 1280, false)] {
        browser.shape(width, dark);
        let puzzle = table.served.get(&format!("/api/v1/puzzles/{game}?seed=5"));
        table.open(&format!("/board/puzzles#game={game}&seed=5"));
        status(puzzle["text"].as_str().unwrap());
        let grade = format!("Grade {}: ", puzzle["grade"]);
        assert!(browser.of("document.getElementById('grade').textContent").as_str().unwrap().starts_with(&grade));
        let position = table.served.ask("/api/v1/position", &json!({ "game": game, "position": puzzle["position"] }));
        // Another move does not solve it, and is not made.
        let solution = puzzle["solution"][0].as_str().unwrap();
        let other = position["legal"].as_array().unwrap().iter().find(|legal| legal["move"] != solution).unwrap();
        table.make(other, false);
        status(&format!("{} does not win", other["letters"].as_str().unwrap()));
        assert_eq!(browser.of("document.getElementById('solution').disabled"), json!(false));
        table.make(&legal(&position, solution), false);
        status("Right. ");
        assert_eq!(browser.of("document.getElementById('solution').disabled"), json!(true));
        // It is over: nothing can be moved any more.
        assert_eq!(browser.of("document.querySelectorAll('#board .hit').length"), 0);
        assert_eq!(browser.run(super::AUDIT), json!([]), "{game}");
    }
    // The solution is shown on request, and another puzzle comes with another address.
    let before = browser.of("location.hash");
    browser.click("#next");
    browser
        .until(&format!("location.hash !== {before} && !document.getElementById('solution').disabled"), &json!(true));
    browser.click("#solution");
    status("The solution: ");
    browser.run(
        "const game = document.getElementById('game'); game.value = 'domineering'; game.dispatchEvent(new \
        Event('change'))",
    );
    browser.until("location.hash.includes('game=domineering')", &json!(true));
}
