//! Studies: chapters that the browser keeps, their texts and drawings, and positions set up by hand.

use serde_json::{Value, json};

use super::Table;

const TREE: &str = "document.getElementById('tree').textContent.replace(/\\s+/g, ' ').trim()";
const PLACE: &str = "document.getElementById('place').textContent";
const CHAPTERS: &str = "[...document.querySelectorAll('#library .chapters .name')].map((one) => one.textContent)";

/// Loads a text by the form.
fn load(table: &Table, text: &str) {
    let text = json!(text);
    table.browser.run(&format!(
        "const form = document.getElementById('load'); form.elements.text.value = {text}; form.requestSubmit()"
    ));
}

fn opened(path: &str) -> Table {
    let table = Table::new();
    table.browser.shape(1280, false);
    table.open(path);
    table.browser.until("document.getElementById('tree').textContent.includes('start')", &json!(true));
    table.browser.run("document.getElementById('engine').click()");
    table
}

#[test]
fn a_file_that_is_refused_leaves_everything() {
    let table = opened("/board/analysis#game=renju&moves=8.8/7.8/7.9");
    let browser = &table.browser;
    let before = browser.of(TREE);
    for text in ["agon %7B%22game%22%3A%22renju%22%7D\nA1 A2", "{\"agon\":\"study\",\"version\":7}", "nonsense"] {
        load(&table, text);
        browser.until("document.getElementById('problem').textContent !== ''", &json!(true));
        assert_eq!(browser.of(TREE), before, "{text}");
        assert_eq!(browser.of(CHAPTERS), json!(["Game"]), "{text}");
    }
    // The lines of a tree that the rules accept are kept, and the others are named.
    load(&table, "H8 H9 (H8 I7) I9");
    browser.until("document.getElementById('problem').textContent.startsWith('Left out: move 2, H8')", &json!(true));
    browser.until(TREE, &json!("start 1 H8 2 H9 3 I9"));
    assert_eq!(browser.of(CHAPTERS), json!(["Game", "Loaded"]));
    // For a game, what comes before such a move.
    load(&table, "H8 H9 H8 I9");
    browser.until("document.getElementById('problem').textContent.includes('move 3, H8')", &json!(true));
    browser.until(TREE, &json!("start 1 H8 2 H9"));
    assert_eq!(browser.of(CHAPTERS), json!(["Game", "Loaded", "Loaded 2"]));
}

/// A tree that goes through the position is another game.
#[test]
fn a_game_within_a_tree_is_a_chapter_of_its_own() {
    let table = opened("/board/analysis#game=renju");
    let browser = &table.browser;
    load(&table, "H8 H9 (I9 G7) G8 I7");
    browser.until(TREE, &json!("start 1 H8 2 H9 (2 I9 3 G7) 3 G8 4 I7"));
    for path in ["/board/analysis#game=renju&moves=8.8/7.8/8.7", "/board/analysis#game=renju&moves=8.8/7.9/9.7"] {
        browser.visit("about:blank");
        browser.visit(&table.served.address(path));
        browser.until(PLACE, &json!(if path.ends_with("8.7") { "Games: Game 2" } else { "Games: Game 3" }));
    }
    // Moves that are added later do not make it another one.
    browser.visit("about:blank");
    browser.visit(&table.served.address("/board/analysis#game=renju&moves=8.8/7.8/8.7"));
    browser.until(PLACE, &json!("Games: Game 2"));
}

/// Each game asks the server as often, however many there are.
#[test]
fn many_games_are_loaded() {
    let table = opened("/board/analysis#game=renju&moves=8.8/7.8/7.9");
    let browser = &table.browser;
    browser.run("performance.clearResourceTimings(); performance.setResourceTimingBufferSize(10000)");
    load(&table, &"(;GM[4]SZ[15];B[hh];W[hg];B[ig];W[gg];B[jf])".repeat(300));
    // What arrives meanwhile waits.
    load(&table, "H8 H9 J10");
    browser.until(PLACE, &json!("Loaded: Loaded 301"));
    assert_eq!(browser.of("document.querySelectorAll('#library .chapters li').length"), 302);
    let asked = browser.of("performance.getEntriesByType('resource').length");
    assert!(asked.as_u64() < Some(20), "{asked} questions");
}

#[test]
fn a_file_of_another_game_is_a_study_of_its_own() {
    let table = opened("/board/analysis#game=renju&moves=8.8/7.8/7.9");
    let browser = &table.browser;
    load(&table, "7/2xxo2/2xxoo1/1xxooo1/2xoo2/3o3/7 x 0 10");
    browser.until(PLACE, &json!("Loaded: Loaded"));
    browser.until("document.querySelector('#load [name=game]').value", &json!("bacteria"));
    assert_eq!(browser.of("document.querySelectorAll('#library .study').length"), 2);
    let of_games = "[...document.querySelectorAll('#library .study')].map((one) => one.querySelectorAll('.chapters \
        li').length)";
    assert_eq!(browser.of(of_games), json!([1, 1]));
    // Taken back, the game before is on the board, and a refusal is said below it.
    browser.click("#undo");
    browser.until(PLACE, &json!("Games: Game"));
    load(&table, "nonsense");
    browser.until("document.getElementById('status').textContent.includes('nonsense')", &json!(true));
}

/// More variations than the 400 of a site; all that is the same however the board is turned is found.
#[test]
fn a_library_shows_its_next_moves_and_texts_on_the_board() {
    let table = opened("/board/analysis#game=renju");
    let browser = &table.browser;
    browser.run("performance.clearResourceTimings(); performance.setResourceTimingBufferSize(10000)");
    // H8 H9 I9 with many answers, and its mirror image, H8 H9 G9, with a text on a point.
    let column = |n: u8| char::from(b'a' + n % 15);
    let answers = (0..600_u32).map(|n| {
        let (row, then) = ((n / 15 % 6) as u8, (n / 90) as u8);
        format!("(;W[{}{}];B[{}o])", column(n as u8 % 15), column(row), column(then))
    });
    let answers: String = answers.collect();
    let text = format!("(;GM[4]SZ[15];B[hh];W[hg](;B[ig]{answers})(;B[gg]LB[aa:x];W[oo]))");
    load(&table, &text);
    browser.until(PLACE, &json!("Games: Loaded"));
    assert_eq!(browser.of("document.getElementById('problem').textContent"), "");
    let asked = browser.of("performance.getEntriesByType('resource').length");
    assert!(asked.as_u64() < Some(20), "{asked} questions");
    browser.visit("about:blank");
    browser.visit(&table.served.address("/board/analysis#game=renju&moves=8.8/7.8/7.9"));
    browser.until(TREE, &json!("start 1 H8 2 H9 3 I9"));
    browser.until("document.getElementById('opening').textContent", &json!("Kagetsu (D4)"));
    browser.click("#elsewhere");
    browser.until("document.querySelectorAll('#same li').length", &json!(1));
    browser.click("#same button");
    browser.until("document.querySelectorAll('#board .shapes .dot').length", &json!(91));
    assert_eq!(browser.of("document.querySelectorAll('#board .shapes .label').length"), 1);
    // What is the same has the answers of both: the text on O15 is mirrored.
    let label = "document.querySelector('#board .shapes .label text')";
    assert_eq!(browser.of(&format!("{label}.textContent")), "x");
    assert_eq!(browser.of(&format!("Number({label}.getAttribute('x')) > 500")), true);
}

#[test]
fn a_position_is_drawn_by_dragging_and_taken_back() {
    let table = opened("/board/analysis#game=renju");
    let browser = &table.browser;
    browser.click("[data-view=editor]");
    let stones = "document.querySelectorAll('#board circle.stone0').length";
    let row: Vec<[i64; 2]> = (3..8).map(|column| table.place(&json!(7 * 15 + column))).collect();
    browser.drag(&row);
    browser.until(stones, &json!(5));
    browser.click("#undo");
    browser.until(stones, &json!(0));
    browser.click("#redo");
    browser.until(stones, &json!(5));
    // Other views do not end it.
    browser.click("[data-view=look]");
    browser.click("[data-view=editor]");
    browser.until(stones, &json!(5));
    browser.run("[...document.querySelectorAll('#palette button')].find((one) => one.textContent === 'Clear').click()");
    browser.until(stones, &json!(0));
    browser
        .run("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }))");
    browser.until(stones, &json!(5));
}

#[test]
fn another_game_is_another_chapter() {
    let table = opened("/board/analysis#game=renju&moves=8.8/7.8/7.9");
    let browser = &table.browser;
    browser.visit("about:blank");
    browser.visit(&table.served.address("/board/analysis#game=renju&moves=8.8/7.9"));
    browser.until(TREE, &json!("start 1 H8 2 I9"));
    browser.until(CHAPTERS, &json!(["Game", "Game 2"]));
    // The first one is unchanged, and its link leads to it again.
    browser.visit("about:blank");
    browser.visit(&table.served.address("/board/analysis#game=renju&moves=8.8/7.8/7.9"));
    browser.until(TREE, &json!("start 1 H8 2 H9 3 I9"));
    browser.until(PLACE, &json!("Games: Game"));
}

#[test]
fn everything_is_taken_back_and_made_again() {
    let table = opened("/board/analysis#game=renju&moves=8.8/7.8/7.9");
    let browser = &table.browser;
    let state = "[document.getElementById('tree').textContent.replace(/\\s+/g, ' ').trim(), \
                 document.getElementById('comment').value, document.querySelectorAll('#board .sign').length, \
                 [...document.querySelectorAll('#library .chapters .name')].map((one) => one.textContent)]";
    let mut seen = vec![browser.of(state)];
    let step = |script: &str, seen: &mut Vec<Value>| {
        browser.run(script);
        let before = seen.last().unwrap().to_string();
        browser.until(&format!("JSON.stringify({state}) !== JSON.stringify({before})"), &json!(true));
        std::thread::sleep(std::time::Duration::from_millis(200));
        seen.push(browser.of(state));
    };
    step("document.querySelector('[data-sign=\"!\"]').click()", &mut seen);
    step(
        "const field = document.getElementById('comment'); field.value = 'the main move'; \
         field.dispatchEvent(new Event('change'))",
        &mut seen,
    );
    step(
        "document.getElementById('draw').click(); document.querySelector('#board [data-at=\"3\"]').focus(); \
         document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })); \
         document.getElementById('draw').click()",
        &mut seen,
    );
    step("document.getElementById('delete').click()", &mut seen);
    step("document.getElementById('fresh').click()", &mut seen);
    for wanted in seen.iter().rev().skip(1) {
        browser.click("#undo");
        browser.until(state, wanted);
    }
    assert_eq!(browser.of("document.getElementById('undo').disabled"), true);
    for wanted in seen.iter().skip(1).take(4) {
        browser.click("#redo");
        browser.until(state, wanted);
    }
    // A chapter and a study that are deleted come back.
    browser.click("#redo");
    browser.until(CHAPTERS, &json!(["Game", "Chapter"]));
    browser.run("document.querySelector('#library .chapters [aria-label=\"delete Game\"]').click()");
    browser.until(CHAPTERS, &json!(["Chapter"]));
    browser.run("document.querySelector('#library [aria-label=\"delete Games\"]').click()");
    browser.until("document.querySelector('#library').textContent.includes('Games (')", &json!(false));
    browser.click("#undo");
    browser.until(CHAPTERS, &json!(["Chapter"]));
    browser.click("#undo");
    browser.until(CHAPTERS, &json!(["Game", "Chapter"]));
}

#[test]
fn the_only_tree_of_earlier_releases_becomes_a_chapter() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    table.open("/board/renju");
    browser.run(
        "const begins = encodeURIComponent(JSON.stringify({ game: 'renju', position: null, parameters: {}, seed: 0 }));
         localStorage.setItem('agon.analysis', JSON.stringify({ begins, text: 'H8 H9 I9 (G8)', here: [0, 0, 1] }))",
    );
    browser.visit(&table.served.address("/board/analysis"));
    browser.until(TREE, &json!("start 1 H8 2 H9 3 I9 (3 G8)"));
    assert_eq!(browser.of("document.querySelector('#tree [aria-current]').textContent"), "3 G8");
    browser.until(PLACE, &json!("My analyses: Analysis"));
    assert_eq!(browser.of("localStorage.getItem('agon.analysis')"), Value::Null);
    // It is kept with its texts.
    browser.run(
        "const field = document.getElementById('comment'); field.value = 'so it was'; \
         field.dispatchEvent(new Event('change'))",
    );
    browser.until(TREE, &json!("start 1 H8 2 H9 3 I9 (3 G8) so it was"));
    browser.visit(&table.served.address("/board/analysis"));
    browser.until(TREE, &json!("start 1 H8 2 H9 3 I9 (3 G8) so it was"));
}

#[test]
fn what_a_file_says_comes_and_goes() {
    let table = opened("/board/analysis#game=renju");
    let browser = &table.browser;
    load(
        &table,
        "(;FF[4]GM[4]SZ[15]PB[Ann]PW[Bo]EV[Cup];B[hh]C[centre]TR[aa]LB[ba:x];W[hg]TE[2](;B[ig])(;B[gh]XY[kept]))",
    );
    browser.until(TREE, &json!("start 1 H8 centre 2 H9!! 3 I9 (3 G8)"));
    browser.until(PLACE, &json!("Games: Ann – Bo"));
    browser.click("#first");
    browser.until("document.querySelector('#tree [aria-current]').textContent", &json!("start"));
    browser.click("#next");
    browser.until("document.getElementById('comment').value", &json!("centre"));
    browser.until("document.querySelectorAll('#board .sign, #board .shape.label').length", &json!(2));
    browser.run(
        "const make = URL.createObjectURL.bind(URL);
         URL.createObjectURL = (blob) => { blob.text().then((text) => (window.saved = text)); return make(blob) };
         document.querySelector('[data-format=sgf]').click()",
    );
    browser.until("(window.saved ?? '').startsWith('(;FF[4]')", &json!(true));
    let saved = browser.of("window.saved");
    for part in ["C[centre]", "TR[aa]", "LB[ba:x]", "TE[2]", "XY[kept]", "EV[Cup]", "PB[Ann]"] {
        assert!(saved.as_str().unwrap().contains(part), "{part}: {saved}");
    }
    // A collection becomes a study, and unreadable parts are named with their lines.
    load(&table, "(;GM[4]SZ[15];B[hh])\n(;GM[4]SZ[15];B[hh];W[hg])\n(;GM[4]SZ[15];B[hh];W[hh])");
    browser.until(PLACE, &json!("Loaded: Loaded"));
    browser.until("/line 3: .*move 2, H8/.test(document.getElementById('problem').textContent)", &json!(true));
    browser.until(&format!("{CHAPTERS}.filter((name) => name.startsWith('Loaded')).length"), &json!(3));
    browser.click("#undo");
    browser.until(&format!("{CHAPTERS}.filter((name) => name.startsWith('Loaded')).length"), &json!(0));
}

/// Another tab that has written every chapter meanwhile.
const OTHER_TAB: &str = "const opening = indexedDB.open('agon', 1);
    return new Promise((done) => {
        opening.onsuccess = () => {
            const work = opening.result.transaction('chapters', 'readwrite');
            const store = work.objectStore('chapters');
            const all = store.getAll();
            all.onsuccess = () => all.result.forEach((one) => store.put({ ...one, revision: one.revision + 5 }));
            work.oncomplete = () => {
                opening.result.close();
                done(null);
            };
        };
    })";

#[test]
fn two_tabs_do_not_overwrite_each_other() {
    let table = opened("/board/analysis#game=renju&moves=8.8/7.8/7.9");
    let browser = &table.browser;
    browser.run(OTHER_TAB);
    browser.click("[data-sign='!']");
    browser.until("document.getElementById('status').textContent.startsWith('Another tab')", &json!(true));
    browser.until(CHAPTERS, &json!(["Game", "Game 2"]));
    assert_eq!(browser.of(TREE), "start 1 H8 2 H9 3 I9!");
    browser.click("#undo");
    browser.until(TREE, &json!("start 1 H8 2 H9 3 I9"));
    browser.until(PLACE, &json!("Games: Game 2"));
}

#[test]
fn a_study_goes_into_a_file_and_comes_back() {
    let table = opened("/board/analysis#game=renju&moves=8.8/7.8/7.9");
    let browser = &table.browser;
    browser.run(
        "const make = URL.createObjectURL.bind(URL);
         URL.createObjectURL = (blob) => { blob.text().then((text) => (window.saved = text)); return make(blob) }",
    );
    browser.run("document.querySelector('[data-sign=\"?!\"]').click()");
    browser.until(TREE, &json!("start 1 H8 2 H9 3 I9?!"));
    let button = |words: &str| {
        browser.run(&format!(
            "window.saved = ''; [...document.querySelectorAll('#library button')].find((one) => one.textContent === \
             '{words}').click()"
        ));
        browser.until("(window.saved ?? '') !== ''", &json!(true));
        browser.of("window.saved").as_str().unwrap().to_owned()
    };
    let study = button("Save as JSON");
    let games = button("Save as SGF");
    assert!(games.starts_with("(;FF[4]") && games.contains(";B[hh]"), "{games}");
    load(&table, &study);
    browser.until(PLACE, &json!("Games 2: Game"));
    browser.until(TREE, &json!("start 1 H8 2 H9 3 I9?!"));
}

#[test]
fn the_same_position_is_found_again() {
    let table = opened("/board/analysis#game=renju&moves=8.8/7.8/7.9/3.3");
    let browser = &table.browser;
    let same = "[...document.querySelectorAll('#same li')].map((one) => one.textContent)";
    let current = "document.querySelector('#tree [aria-current]').textContent";
    // Two ways to one position, in one tree.
    load(&table, "H8 H9 I9 A1 (B1 O15 A1) O15 B1");
    browser.until(TREE, &json!("start 1 H8 2 H9 3 I9 4 A1 (4 B1 5 O15 6 A1) 5 O15 6 B1"));
    browser.click("#last");
    browser.until(current, &json!("6 B1"));
    browser.until(same, &json!(["same position: H8 H9 I9 B1 O15 A1"]));
    browser.run("document.querySelector('#same button').click()");
    browser.until(same, &json!(["same position: H8 H9 I9 A1 O15 B1"]));
    // In another chapter.
    for wanted in ["5 O15", "4 B1", "3 I9"] {
        browser.click("#previous");
        browser.until(current, &json!(wanted));
    }
    browser.click("#elsewhere");
    browser.until(same, &json!(["Game: the same position"]));
    browser.run("document.querySelector('#same button').click()");
    browser.until(PLACE, &json!("Games: Game"));
    browser.until(current, &json!("3 I9"));
}

#[test]
fn positions_are_put_together_on_the_board() {
    let table = opened("/board/analysis#game=renju");
    let browser = &table.browser;
    browser.click("[data-view=editor]");
    let text = "document.querySelector('.position-text').value";
    browser.until(&format!("{text}.endsWith(' B')"), &json!(true));
    browser.click_at(table.place(&json!(7 * 15 + 7)));
    browser.until(text, &json!("15/15/15/15/15/15/15/7B7/15/15/15/15/15/15/15 B"));
    browser.run("[...document.querySelectorAll('#palette button')].find((one) => one.textContent === 'White').click()");
    browser.click_at(table.place(&json!(6 * 15 + 7)));
    browser.until(text, &json!("15/15/15/15/15/15/7W7/7B7/15/15/15/15/15/15/15 B"));
    browser.click("#palette .turn");
    browser.until("document.querySelector('.verdict-text').textContent", &json!("White to move."));
    browser.click("#palette .start");
    browser.until(
        "new URLSearchParams(location.hash.slice(1)).get('position')",
        &json!("15/15/15/15/15/15/7W7/7B7/15/15/15/15/15/15/15 W"),
    );
    browser.until("document.getElementById('status').textContent", &json!("White to move."));
    // Dominoes, with the verdict of the rules.
    browser.visit("about:blank");
    browser.visit(&table.served.address("/board/analysis#game=domineering&rows=2&columns=2&seed=3"));
    browser.until("document.querySelectorAll('#board [role=gridcell]').length", &json!(4));
    browser.click("[data-view=editor]");
    browser.until(&format!("{text}.includes(' ../.. H ')"), &json!(true));
    browser.click_at(table.place(&json!(0)));
    browser.until(&format!("{text}.includes(' <>/.. H ')"), &json!(true));
    browser.click_at(table.place(&json!(2)));
    browser.until("document.querySelector('.verdict-text').textContent.startsWith('The game is over')", &json!(true));
}

/// Scrolls a tree of ten thousand nodes for sixty frames: the most rows that were in the document, and how far it came.
const SCROLLED: &str = "
    const tree = document.getElementById('tree');
    const rows = [];
    return new Promise((done) => {
        const frame = () => {
            if (rows.length === 60) {
                done({ rows: Math.max(...rows), top: tree.scrollTop });
                return;
            }
            tree.scrollTop += 280;
            tree.dispatchEvent(new Event('scroll'));
            requestAnimationFrame(() => {
                rows.push(document.querySelectorAll('#tree .row').length);
                requestAnimationFrame(frame);
            });
        };
        frame();
    })";

#[test]
fn ten_thousand_nodes_scroll_smoothly() {
    let table = opened("/board/analysis#game=renju");
    let browser = &table.browser;
    browser.run(
        "const rows = [[-1, null, '', null, {}]];
         for (let n = 1; n <= 10000; n++) {
             const [row, column] = [(n * 7) % 15 + 1, (n * 11) % 15 + 1];
             rows.push([n % 9 ? n - 1 : Math.floor(n / 2), `${row} ${column}`, `H${row}`, n % 2, {}]);
         }
         const start = { game: 'renju', position: null, parameters: {}, seed: 0 };
         const study = { agon: 'study', version: 1, name: 'Large', chapters: [{ name: 'tree', start, rows }] };
         const form = document.getElementById('load');
         form.elements.text.value = JSON.stringify(study); form.requestSubmit()",
    );
    browser.until(PLACE, &json!("Large: tree"));
    let found = browser.run(SCROLLED);
    // Only the visible part is in the document, which keeps a frame short.
    assert!(found["rows"].as_u64() < Some(60), "{found}");
    assert!(found["top"].as_f64() > Some(10_000.0), "{found}");
    // No row is cut off at its end.
    let cut = "[...document.querySelectorAll('#tree .row')].filter((row) => row.scrollWidth > row.clientWidth).length";
    for width in [1280, 360] {
        browser.shape(width, false);
        browser.until(cut, &json!(0));
    }
    let moves = "Math.max(...[...document.querySelectorAll('#tree .row')].map((row) => row.childElementCount))";
    assert!(browser.of(moves).as_u64() > Some(2), "rows are filled");
}
