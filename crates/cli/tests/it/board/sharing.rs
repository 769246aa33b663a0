//! Boards that are turned, saved as pictures and printed, links to studies, and games of the engines in the explorer.

use serde_json::{Value, json};

use super::Table;

const TREE: &str = "document.getElementById('tree').textContent.replace(/\\s+/g, ' ').trim()";
const PLACE: &str = "document.getElementById('place').textContent";
const STATUS: &str = "document.getElementById('status').textContent";

/// Keeps what the page saves as a file: its type, and its text or its bytes.
const SAVED: &str = "const make = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob) => {
        const kept = blob.type === 'image/png'
            ? blob.arrayBuffer().then((bytes) => [...new Uint8Array(bytes)]) : blob.text();
        kept.then((content) => (window.saved = { type: blob.type, content }));
        return make(blob);
    };";

fn opened(path: &str) -> Table {
    let table = Table::new();
    table.browser.shape(1280, false);
    table.open(path);
    table.browser.until("document.getElementById('tree').textContent.includes('start')", &json!(true));
    table.browser.run("document.getElementById('engine').click()");
    table
}

/// Waits for the file that a button saves.
fn saved(table: &Table, selector: &str) -> Value {
    table.browser.run("window.saved = null");
    table.browser.run(&format!("document.querySelector(\"{selector}\").click()"));
    table.browser.until("window.saved !== null", &json!(true));
    table.browser.of("window.saved")
}

#[test]
fn boards_are_turned_and_mirrored() {
    let table = opened("/board/analysis#game=renju");
    let browser = &table.browser;
    let letters = "[...document.querySelectorAll('#board .labels text')].map((one) => one.textContent)";
    let labels = |count: usize| browser.of(letters).as_array().unwrap()[..count].to_vec();
    assert_eq!(labels(2), ["15", "14"]);
    // A quarter: the letters go up on the left, and a press plays what is seen there.
    browser.type_keys("t");
    browser.until(&format!("{letters}[0]"), &json!("A"));
    assert_eq!(labels(3), ["A", "B", "C"]);
    browser.click_at(table.place(&json!(7 * 15 + 7)));
    browser.until(TREE, &json!("start 1 H8"));
    browser.click_at(table.place(&json!(7 * 15 + 8)));
    browser.until(TREE, &json!("start 1 H8 2 H9"));
    // Kept, and the same for the other pages of the game.
    browser.run("location.reload()");
    browser.until(&format!("{letters}[0]"), &json!("A"));
    browser.visit(&table.served.address("/board/renju"));
    browser.until(&format!("{letters}[0]"), &json!("A"));
    // Arrow keys go where they point.
    browser.run("document.querySelector('#board [tabindex=\"0\"]').focus()");
    browser.type_keys(crate::browser::Key::Right);
    let named = "document.activeElement.getAttribute('aria-label').split(':')[0]";
    browser.until(named, &json!("H9"));
    // Domineering knows rows and columns apart: its board is turned by a half.
    browser.visit(&table.served.address("/board/domineering#rows=3&columns=4&seed=1"));
    browser.until("document.querySelectorAll('#board svg').length", &json!(1));
    browser.run("document.getElementById('turn').click()");
    browser.until(letters, &json!(["3", "2", "1", "4", "3", "2", "1"]));
    browser.run("document.getElementById('mirror').click()");
    browser.until(letters, &json!(["3", "2", "1", "1", "2", "3", "4"]));
}

#[test]
fn a_board_is_saved_as_a_picture() {
    let table = opened("/board/analysis#game=renju&moves=8.8/7.8/7.9");
    let browser = &table.browser;
    browser.run(SAVED);
    browser.run("document.getElementById('numbers').click()");
    browser.type_keys("d");
    browser.click_at(table.place(&json!(3)));
    browser.until("document.querySelectorAll('#board .sign').length", &json!(1));
    let svg = saved(&table, "[data-picture=svg]");
    assert_eq!(svg["type"], "image/svg+xml");
    let text = svg["content"].as_str().unwrap();
    for part in [
        "<title>Game: 3: Black I9. White to move.",
        ">H</text>",
        ">15</text>",
        ">3</text>",
        "stroke=\"rgb(21, 122, 60)\"",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("var(") && !text.contains("class="), "{text}");
    // Other programs read it.
    let read = format!(
        "return new DOMParser().parseFromString({}, 'image/svg+xml').querySelectorAll('circle').length",
        json!(text)
    );
    assert_eq!(browser.run(&read), 3 + 4 + 2, "stones, stars and the mark with its edge");
    let png = saved(&table, "[data-picture=png]");
    let bytes: Vec<u8> = png["content"].as_array().unwrap().iter().map(|byte| byte.as_u64().unwrap() as u8).collect();
    assert_eq!(&bytes[1..4], b"PNG");
    assert_eq!(u32::from_be_bytes(bytes[16..20].try_into().unwrap()), 1296);
    // On the page of a game, too.
    browser.visit(&table.served.address("/board/bacteria"));
    browser.until("document.querySelectorAll('#board svg').length", &json!(1));
    browser.run(SAVED);
    assert_eq!(saved(&table, "[data-picture=png]")["type"], "image/png");
}

#[test]
fn a_study_is_printed() {
    let table = opened("/board/analysis#game=renju");
    let browser = &table.browser;
    let text = json!(
        "(;FF[4]GM[4]SZ[15]PB[Ann]PW[Bo]EV[Cup]RE[B+];B[hh];W[hg]C[the direct one](;B[ig];W[gi])(;B[gi]C[weaker]))"
    );
    browser.run(&format!(
        "const form = document.getElementById('load'); form.elements.text.value = {text}; form.requestSubmit()"
    ));
    browser.until(PLACE, &json!("Games: Ann – Bo"));
    browser.run("document.getElementById('print').click()");
    browser.until("document.querySelectorAll('#printed figure').length", &json!(2));
    let shown = browser.of("document.querySelector('#printed article').innerText");
    for part in
        ["Ann – Bo", "Cup · Result: B+", "Kagetsu (D4)", "1\u{a0}H8", "the direct one", "weaker", "after move 4"]
    {
        assert!(shown.as_str().unwrap().contains(part), "{part}: {shown}");
    }
    assert_eq!(browser.of("document.querySelectorAll('#printed .count').length"), 2 + 4);
    assert_eq!(browser.of("document.getElementById('analysis').hidden"), true);
    // Black on white, also in the dark.
    browser.shape(360, true);
    let colours = "(({ color, backgroundColor }) => [color, backgroundColor])(getComputedStyle(document.querySelector(\
                   '#printed')))";
    assert_eq!(browser.of(colours), json!(["rgb(17, 17, 17)", "rgb(255, 255, 255)"]));
    assert_eq!(browser.of("document.documentElement.scrollWidth > innerWidth"), false);
    browser.run("[...document.querySelectorAll('#printed button')].at(-1).click()");
    browser.until("document.getElementById('analysis').hidden", &json!(false));
    assert_eq!(browser.of("document.getElementById('printed')"), Value::Null);
}

#[test]
fn a_link_has_a_whole_study() {
    let table = opened("/board/analysis#game=renju&moves=8.8/7.8/7.9");
    let browser = &table.browser;
    // No clipboard: the page says the link.
    browser.run("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    browser.run("document.querySelector(\"[data-sign='!?']\").click()");
    browser.until(TREE, &json!("start 1 H8 2 H9 3 I9!?"));
    let press = "[...document.querySelectorAll('#library button')].find((one) => one.textContent === 'Copy link to \
                 study').click()";
    browser.run(press);
    browser.until(&format!("{STATUS}.startsWith('The link: ')"), &json!(true));
    let link = browser.of(&format!("{STATUS}.slice('The link: '.length)"));
    let link = link.as_str().unwrap().to_owned();
    assert!(link.contains("/board/analysis#study=") && link.len() < 600, "{link}");
    // Beside what is there, and once alone.
    for _ in 0..2 {
        browser.visit("about:blank");
        browser.visit(&link);
        browser.until(PLACE, &json!("Games 2: Game"));
        browser.until(TREE, &json!("start 1 H8 2 H9 3 I9!?"));
        browser.until("location.hash.includes('study=')", &json!(false));
    }
    assert_eq!(browser.of("document.querySelectorAll('#library .study').length"), 2);
    // A link that was cut off changes nothing.
    browser.visit("about:blank");
    browser.visit(&link[..link.len() - 12]);
    browser.until(&format!("{STATUS}.includes('damaged')"), &json!(true));
    assert_eq!(browser.of("document.querySelectorAll('#library .study').length"), 2);
    // A study that is too long is not cut.
    browser.run(
        "const rows = [[-1, null, '', null, {}]];
         for (let n = 1; n <= 3000; n++) rows.push([n - 1, `${(n * 7) % 15 + 1} ${(n * 11) % 15 + 1}`, 'H8', n % 2,
             { text: `${Math.sin(n)}` }]);
         const start = { game: 'renju', position: null, parameters: {}, seed: 0 };
         const study = { agon: 'study', version: 1, name: 'Large', chapters: [{ name: 'tree', start, rows }] };
         const form = document.getElementById('load');
         form.elements.text.value = JSON.stringify(study); form.requestSubmit()",
    );
    browser.until(PLACE, &json!("Large: tree"));
    browser.run(press);
    browser.until("document.getElementById('problem').textContent.includes('too long for a link')", &json!(true));
}

#[test]
fn the_explorer_has_games_of_the_engines() {
    let table = opened("/board/analysis#game=renju&moves=8.8/7.8");
    let browser = &table.browser;
    browser.run("document.getElementById('explorer').open = true");
    let games = "[...document.querySelectorAll('#explored table')].flatMap((one) => [...one.rows].slice(1)).reduce(\
                 (sum, row) => sum + Number(row.cells[2].textContent), 0)";
    browser.until(&format!("{games} > 20"), &json!(true));
    let example = "document.querySelectorAll('#explored ul button').length";
    browser.until(&format!("{example} > 0"), &json!(true));
    browser.run("document.querySelector('#explored ul button').click()");
    browser.until(&format!("{PLACE}.startsWith('Games of the engines: Level ')"), &json!(true));
    browser.until(&format!("{TREE}.startsWith('start 1 H8 2 H9 3 ')"), &json!(true));
    browser.until("document.querySelector('#tree [aria-current]').textContent.trim()", &json!("2 H9"));
    // Without them, those of the studies are left: this one.
    browser.run("document.getElementById('explore-engines').click()");
    // It counts for both sides of a position that is its own mirror image.
    browser.until(&format!("{games} === 1 || {games} === 2"), &json!(true));
    browser.run("document.getElementById('explore-own').click()");
    browser.until(games, &json!(0));
}
