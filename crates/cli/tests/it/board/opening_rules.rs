//! Games opened by an opening rule on the page of a game.

use serde_json::json;

use super::Table;
use crate::browser::Key;

const DECISIONS: &str = "document.querySelectorAll('#opening-decisions li').length";
const DONE: &str = "document.getElementById('opening-rule').hidden";

/// Chooses who plays and by which rule, and begins.
fn begin(table: &Table, second: &str, rule: &str) {
    table.open("/board/renju");
    table.browser.until("document.querySelectorAll('.hit').length > 0", &json!(true));
    table.browser.run(&format!(
        "const form = document.getElementById('new');
         form.elements.first.value = 'human';
         form.elements.second.value = '{second}';
         form.elements['opening-rule'].value = '{rule}';
         form.requestSubmit()"
    ));
    table.browser.until(DONE, &json!(false));
}

/// Puts a stone on a point, and waits until it is decided.
fn place(table: &Table, at: usize, count: usize) {
    table.browser.click_at(table.place(&json!(at)));
    table.browser.until(&format!("{DECISIONS} >= {count} || {DONE}"), &json!(true));
}

/// Presses the button of a word.
fn press(table: &Table, text: &str) {
    table.browser.run(&format!(
        "[...document.querySelectorAll('#opening-words button')].find((one) => one.textContent === '{text}').click()"
    ));
}

#[test]
fn two_people_open_by_rif() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    begin(&table, "human", "rif");
    // H8, H9, J9.
    for (count, at) in [112, 97, 99].into_iter().enumerate() {
        place(&table, at, count + 1);
    }
    let words = "[...document.querySelectorAll('#opening-words button')].map((one) => one.textContent)";
    browser.until(words, &json!(["Keep the colours", "Swap the colours", "Take back"]));
    // What was decided is taken back, and decided again.
    press(&table, "Take back");
    browser.until(DECISIONS, &json!(2));
    place(&table, 99, 3);
    press(&table, "Swap the colours");
    browser.until(DECISIONS, &json!(4));
    // The fourth stone on G8, and the offers J7 and G6; the one that is symmetric to none is listed.
    for (count, at) in [(5, 111), (6, 129), (7, 141)] {
        place(&table, at, count);
    }
    let letters = "[...document.querySelectorAll('#board .glyph')].map((one) => one.textContent)";
    browser.until(letters, &json!(["A", "B"]));
    // They can be read: nothing lies on them, and their ink is that of the wood, also in the dark.
    assert_eq!(browser.of("document.querySelectorAll('#board .target').length"), 0);
    browser.shape(1280, true);
    let ink = "getComputedStyle(document.querySelector('#board .glyph')).fill";
    assert_eq!(browser.of(ink), "rgb(34, 28, 14)");
    browser.shape(1280, false);
    // A tap on a point that was not offered says so.
    browser.click_at(table.place(&json!(0)));
    let status = "document.getElementById('status').textContent";
    browser.until(&format!("{status}.startsWith('A15 is not possible now. ')"), &json!(true));
    // It goes on where it was left, and in another browser by its link.
    let link = "[location.hash, document.getElementById('link').hidden]";
    let hash = "#opening-rule=rif+H8+H9+J9+swap+G8+J7+G6&first=human&second=human";
    assert_eq!(browser.of(link), json!([hash, false]));
    browser.run("location.reload()");
    browser.until(letters, &json!(["A", "B"]));
    browser.run("localStorage.clear(); location.reload()");
    browser.until("performance.now() < 5000 && document.querySelectorAll('#board .glyph').length", &json!(2));
    browser.until(DECISIONS, &json!(7));
    place(&table, 141, 8);
    browser.until(DONE, &json!(true));
    browser.until("document.getElementById('status').textContent", &json!("Black G6. White to move."));
    let rule = "new URLSearchParams(location.hash.slice(1)).get('opening-rule')";
    assert_eq!(browser.of(rule), "rif H8 H9 J9 swap G8 J7 G6 G6");
    assert_eq!(browser.of("document.getElementById('opening').textContent"), "Opening: Zangetsu (D5).");
    // The stones of the opening are the first moves, and its decisions stay.
    let moves = "[...document.querySelectorAll('#moves li')].map((one) => one.textContent.trim().split(' ').at(-1))";
    assert_eq!(browser.of(moves), json!(["H8", "H9", "J9", "G8", "G6"]));
    browser.until(DECISIONS, &json!(8));
    let stones = "document.querySelectorAll('#board circle.stone0, #board circle.stone1').length";
    browser.run("document.activeElement.blur()");
    browser.type_keys(Key::Home);
    browser.until(stones, &json!(0));
    browser.type_keys(Key::Right);
    browser.until(stones, &json!(1));
    browser.type_keys(Key::End);
    browser.until(stones, &json!(5));
    // The address is the whole game: the analysis has it from the empty board.
    let address = browser.of("document.getElementById('analyse').getAttribute('href')");
    table.open(address.as_str().unwrap());
    browser.until("document.querySelectorAll('.board circle.stone0').length", &json!(3));
    let tree = "document.getElementById('tree').innerText.replace(/\\s+/g, ' ').trim()";
    browser.until(tree, &json!("start 1 H8 2 H9 3 J9 4 G8 5 G6"));
    let opening = "document.getElementById('opening').textContent";
    browser.until(opening, &json!("Zangetsu (D5), rif: H8 H9 J9 swap G8 J7 G6 G6"));
    browser.click("#previous");
    browser.until(
        "[...document.querySelectorAll('#board .label text')].map((one) => one.textContent)",
        &json!(["A", "B"]),
    );
}

#[test]
fn the_champion_opens_with_a_person() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(360, false);
    begin(&table, "champion:10", "taraguchi-10");
    place(&table, 112, 1);
    // The champion decides on a swap, and then whoever holds White places the second stone.
    browser.until(&format!("{DECISIONS} >= 2"), &json!(true));
    // Who holds which colour is said, the last stone is marked, and no frame of the keys lies on the board.
    let seats = "[0, 1].map((side) => document.getElementById(`seat${side}`).textContent.split(': ')[1]).sort()";
    assert_eq!(browser.of(seats), json!(["champion, level 10", "you"]));
    assert_eq!(browser.of("document.querySelectorAll('#board .mark:is(.last1, .last2)').length"), 1);
    assert_eq!(browser.of("document.querySelectorAll('#board .cursor rect').length"), 0);
    // A reload shows what it was begun with.
    browser.run("location.reload()");
    let fields = "['second', 'opening-rule', 'opening-rules'].map((name) => \
                  document.getElementById('new').elements[name].value)";
    browser.until(fields, &json!(["champion:10", "taraguchi-10", "renju"]));
    assert_eq!(browser.of("document.documentElement.scrollWidth > innerWidth"), false);
}
