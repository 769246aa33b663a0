//! The contents of pages and their positions: beside and above the fold, in their cards, on a phone large enough for
//! fingers.

use serde_json::json;

use super::{AUDIT, Table, legal};

/// Words that overflow their element, and elements that overlap.
const OUTSIDE: &str = "[...document.querySelectorAll('.choices li')].flatMap((item) => {
    const card = item.querySelector('a').getBoundingClientRect();
    return [...item.querySelectorAll('*')].filter((one) => one.getBoundingClientRect().bottom > card.bottom + 1)
        .map((one) => one.textContent);
})";

#[test]
fn descriptions_lie_in_their_cards() {
    let table = Table::new();
    let browser = &table.browser;
    browser.visit(&table.served.address("/board"));
    for width in [360, 768, 1280, 1920] {
        browser.shape(width, false);
        assert_eq!(browser.of(OUTSIDE), json!([]), "{width}");
        assert_eq!(browser.of("document.querySelectorAll('.choices li > span').length"), 0);
    }
}

#[test]
fn what_is_needed_in_play_is_above_the_fold() {
    let table = Table::new();
    let browser = &table.browser;
    for (path, needed) in [
        ("/board/renju", "#board svg, #seat0, #seat1, #status, #back, #resign, #hint"),
        ("/board/analysis#game=renju&moves=8.8/7.8", "#board svg, #status, #found, #tree, #previous, #next, #engine"),
    ] {
        browser.shape(1280, false);
        table.open(path);
        browser.until("document.getElementById('status').textContent !== ''", &json!(true));
        let below = format!(
            "[...document.querySelectorAll('{needed}')].filter((one) => one.getBoundingClientRect().bottom > \
            innerHeight).map((one) => one.id || one.tagName)"
        );
        assert_eq!(browser.of(&below), json!([]), "{path}");
        // The lines are next to the board.
        let left = browser.of("document.querySelector('.beside').getBoundingClientRect().left");
        let right = browser.of("document.querySelector('#board').getBoundingClientRect().right");
        assert!(left.as_f64() > right.as_f64(), "{path}");
    }
}

#[test]
fn a_telephone_has_points_for_fingers() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(360, false);
    table.open("/board/renju#first=human&second=human");
    let point = "document.querySelector('.hit').getBoundingClientRect().width";
    browser.until("document.querySelectorAll('.hit').length > 0", &json!(true));
    assert!(browser.of("document.querySelector('#board svg').getBoundingClientRect().width").as_f64() >= Some(359.0));
    browser.click("#zoom");
    assert!(browser.of(point).as_f64() >= Some(36.0), "{}", browser.of(point));
    assert_eq!(browser.of("document.documentElement.scrollWidth > innerWidth"), false);
    // The middle is seen, and a touch plays there.
    browser.touch(&[table.place(&json!(7 * 15 + 7))]);
    browser.until("new URLSearchParams(location.hash.slice(1)).get('moves')", &json!("8.8"));
    browser.click("#zoom");
    assert!(browser.of(point).as_f64() < Some(36.0));
    // The last move is visible as soon as an enlarged board is opened, and so is the tab of its page.
    browser.click("#zoom");
    browser.run("location.hash = ''");
    browser.visit(&table.served.address("/board/analysis#game=renju&moves=8.8/7.8/7.9/7.7/12.13"));
    browser.until("document.querySelectorAll('#board .mark').length > 0", &json!(true));
    let inside = "((box, part) => part.left >= box.left && part.right <= box.right && part.top >= box.top && \
                  part.bottom <= box.bottom)";
    let rect = |selector: &str| format!("document.querySelector('{selector}').getBoundingClientRect()");
    let (scrolled, mark) = (rect("#board > :first-child"), rect("#board .mark"));
    browser.until(&format!("{inside}({scrolled}, {mark})"), &json!(true));
    let (row, tab) = (rect("nav.tabs"), rect("nav.tabs [aria-current]"));
    browser.until(&format!("{inside}({row}, {tab})"), &json!(true));
    // Without scripts, too: none has touched this copy.
    let plain = "(() => { const tabs = document.querySelector('nav.tabs'); const row = tabs.cloneNode(true); \
                 row.style.width = '120px'; tabs.parentNode.append(row); const at = row.scrollLeft; row.remove(); \
                 return at > 0 })()";
    browser.until(plain, &json!(true));
    // A wide window has no button for it, and shows the whole board.
    browser.shape(1280, false);
    browser.until("document.querySelector('#board.zoomed')", &serde_json::Value::Null);
    browser.shape(360, false);
    browser.until("document.querySelector('#board.zoomed') !== null", &json!(true));
}

#[test]
fn a_forbidden_point_says_why() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    let moves = "H8/H9/J8/O1/I9/O15/I10/A15";
    let why = "/^I8 [^:]*forbidden: double three/.test(document.getElementById('status').textContent)";
    for path in ["/board/renju#first=human&second=human&", "/board/analysis#game=renju&"] {
        table.open(&format!("{path}moves={moves}"));
        let cross = "document.querySelectorAll('.mark.forbidden').length";
        browser.until(cross, &json!(1));
        browser.click_at(table.place(&json!(7 * 15 + 8)));
        browser.until(why, &json!(true));
        // The cross stays while White is to move, who may play there.
        table.open(&format!("{path}moves={moves}/O8"));
        browser.until("document.querySelectorAll('.mark.barred').length", &json!(1));
        browser.click_at(table.place(&json!(7 * 15 + 8)));
        browser.until("new URLSearchParams(location.hash.slice(1)).get('moves').split('/').length", &json!(10));
    }
}

/// Both threes in colours, the points that make straight fours of them, and each step alone.
#[test]
fn forbidden_points_are_explained_on_the_board() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    let drawn = |kind: &str| browser.of(&format!("document.querySelectorAll('#board .shapes .{kind}').length"));
    for path in ["/board/renju#first=human&second=human", "/board/analysis#game=renju"] {
        table.open(&format!("{path}&moves=H8/H9/J8/O1/I9/O15/I10/A15"));
        browser.until("document.getElementById('forbidden').disabled", &json!(false));
        browser.click("#forbidden");
        browser.click("#reasons button");
        browser.until("document.querySelectorAll('#reasons .steps li').length", &json!(4));
        assert_eq!((drawn("row"), drawn("sign"), drawn("stones")), (json!(2), json!(2), json!(1)), "{path}");
        let tones =
            "new Set([...document.querySelectorAll('#board .shapes .row')].map((one) => one.classList[2])).size";
        assert_eq!(browser.of(tones), 2);
        browser.click("#reasons .steps li:nth-child(2) button");
        browser.until("document.querySelectorAll('#reasons [aria-pressed=true]').length", &json!(1));
        assert_eq!((drawn("row"), drawn("sign")), (json!(1), json!(1)), "{path}");
        assert_eq!(browser.run(AUDIT), json!([]), "{path}");
    }
    // H8 looks like a double three, but E8 alone would make a straight four on the row, and a five as well.
    table.open("/board/analysis#game=renju&position=15/15/15/15/15/4B2B7/4B2B7/5BB2W5/4B10/4B10/15/15/15/15/15 B 0 9");
    browser.until("document.querySelectorAll('#board svg').length", &json!(1));
    browser.until("document.getElementById('forbidden').disabled", &json!(false));
    browser.click("#forbidden");
    let listed = "document.getElementById('reasons').textContent";
    browser.until(&format!("{listed}.includes('no two threes count (article 9.3)')"), &json!(true));
}

#[test]
fn lines_tree_and_tools_are_in_sight_of_the_board() {
    let table = Table::new();
    let browser = &table.browser;
    table.open("/board/analysis#game=renju&moves=8.8/7.8/7.9");
    browser.shape(1280, false);
    browser.click("#draw");
    let below = |ids: &str, top: &str| {
        browser.of(&format!(
            "{ids}.filter((id) => document.getElementById(id).getBoundingClientRect().bottom - ({top}) > innerHeight)"
        ))
    };
    assert_eq!(below("['tools', 'comment']", "0"), json!([]));
    browser.shape(360, false);
    let board = "document.getElementById('board').getBoundingClientRect().top";
    assert_eq!(below("['found', 'tree']", board), json!([]));
}

#[test]
fn many_targets_are_shown_around_the_pointer() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    table.open("/board/domineering#first=human&second=human");
    let targets = "document.querySelectorAll('#board .target').length";
    browser.until("document.querySelectorAll('.hit').length > 0", &json!(true));
    assert_eq!(browser.of(targets), 0);
    browser.drag(&[[5, 5], table.place(&json!(27))]);
    browser.until(&format!("{targets} > 0 && {targets} < 12"), &json!(true));
    browser.drag(&[table.place(&json!(27)), [5, 5]]);
    browser.until(targets, &json!(0));
    // All of them on request, which is kept.
    browser.click("#dots");
    browser.until(targets, &json!(56));
    browser.run("location.reload()");
    browser.until(targets, &json!(56));
}

#[test]
fn settings_are_kept_and_results_have_numbers() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    let full = "xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxooo/ooooooo x 0 50";
    table.open(&format!("/board/analysis#game=bacteria&position={full}"));
    browser.until("document.getElementById('status').textContent.endsWith('39–10.')", &json!(true));
    browser.run(
        "const lines = document.getElementById('lines'); lines.value = 7; lines.dispatchEvent(new Event('change'));
         document.getElementById('explorer').open = true",
    );
    browser.until("JSON.parse(localStorage.getItem('agon.board')).explorer", &json!(true));
    browser.visit("about:blank");
    browser.visit(&table.served.address("/board/analysis"));
    browser.until("document.querySelectorAll('#board svg').length", &json!(1));
    assert_eq!(
        browser.of("[document.getElementById('lines').value, document.getElementById('explorer').open]"),
        json!(["7", true])
    );
}

/// Games in progress, and games against each level.
#[test]
fn the_first_page_leads_on() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    table.open("/board/renju#first=human&second=human&moves=H8/H9");
    browser.until("document.querySelectorAll('.hit').length > 0", &json!(true));
    browser.click_at(table.place(&json!(6 * 15 + 8)));
    browser.until("document.querySelectorAll('#moves li').length", &json!(3));
    browser.visit(&table.served.address("/board"));
    browser.until("document.querySelector('#going a')?.textContent", &json!("Renju, move 4"));
    browser.click("#going a");
    browser.until("document.querySelectorAll('#moves li').length", &json!(3));
    browser.visit(&table.served.address("/board"));
    browser.click(".now a[href$='renju#first=human&second=champion:3']");
    browser.until("document.querySelector('[name=second]')?.value", &json!("champion:3"));
}

#[test]
fn a_server_that_was_away_is_asked_again() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    table.open("/board/renju#first=human&second=human");
    browser.run("window.fetched = window.fetch; window.fetch = () => Promise.reject(new TypeError('no network'))");
    browser.until("document.querySelectorAll('.hit').length > 0", &json!(true));
    browser.click_at(table.place(&json!(7 * 15 + 7)));
    browser.until("document.querySelector('#again')?.textContent", &json!("Try again"));
    browser.run("window.fetch = window.fetched");
    browser.click("#again");
    browser.until("document.getElementById('status').textContent.includes('White to move')", &json!(true));
}

#[test]
fn every_look_can_be_read() {
    let table = Table::new();
    let browser = &table.browser;
    let themes = ["wood", "paper", "dark", "contrast"];
    let paths = [
        "/board/renju#first=human&second=human&moves=H8/H9/J8/O1/I9/O15/I10/A15",
        "/board/bacteria#first=human&second=human&moves=b7/f7",
        "/board/domineering#seed=3&first=human&second=human&moves=1.1",
        "/board/analysis#game=domineering&rows=4&columns=4&seed=3",
    ];
    for (n, path) in paths.into_iter().enumerate() {
        table.open(path);
        browser.run("document.querySelector('[data-view=look]')?.click()");
        // Each page ends with its own theme.
        for theme in (1..=themes.len()).map(|at| themes[(n + at) % themes.len()]) {
            browser.run(&format!(
                "const field = document.getElementById('theme'); field.value = '{theme}'; \
                 field.dispatchEvent(new Event('change'))"
            ));
            for dark in [false, true] {
                browser.shape(1280, dark);
                assert_eq!(browser.run(AUDIT), json!([]), "{theme} {path} dark {dark}");
            }
        }
        // It is kept.
        browser.visit(&table.served.address("/board/puzzles"));
        assert_eq!(browser.of("document.documentElement.dataset.theme"), themes[n]);
    }
}

#[test]
fn a_page_is_small() {
    let table = Table::new();
    let browser = &table.browser;
    for path in ["/board/renju", "/board/analysis"] {
        browser.visit(&table.served.address("/board"));
        table.open(path);
        browser.until("document.getElementById('status').textContent !== ''", &json!(true));
        let bytes = |of: &str| -> u64 {
            let sizes = browser.of(&format!(
                "performance.getEntriesByType('resource').filter((one) => one.name.includes('/assets/') && \
                 {of}one.name.endsWith('.woff2')).map((one) => one.encodedBodySize)"
            ));
            sizes.as_array().unwrap().iter().filter_map(serde_json::Value::as_u64).sum()
        };
        let (files, fonts) = (bytes("!"), bytes(""));
        assert!(files > 0 && files < 150 << 10, "{path}: {files} bytes packed");
        // The Latin letters of two weights.
        assert!(fonts < 48 << 10, "{path}: {fonts} bytes of fonts");
        println!("{path}: {files} bytes packed, {fonts} of fonts");
    }
}

#[test]
fn keys_reach_what_a_mouse_does() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    table.open("/board/analysis#game=renju&moves=8.8/7.8/7.9");
    browser.click("#engine");
    let position = table.served.ask("/api/v1/position", &json!({ "game": "renju", "moves": ["8 8", "7 8", "7 9"] }));
    table.make(&legal(&position, "8 7"), false);
    browser.until("new URLSearchParams(location.hash.slice(1)).get('moves').split('/').length", &json!(4));
    browser.run("document.activeElement.blur()");
    let press = |key: &str| {
        browser.run(&format!(
            "const pressed = {{ key: '{key}', ctrlKey: true, bubbles: true }};
             document.body.dispatchEvent(new KeyboardEvent('keydown', pressed))"
        ));
    };
    press("z");
    browser.until("new URLSearchParams(location.hash.slice(1)).get('moves').split('/').length", &json!(3));
    press("y");
    browser.until("new URLSearchParams(location.hash.slice(1)).get('moves').split('/').length", &json!(4));
}

#[test]
fn a_search_that_has_ended_can_go_on() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    table.open("/board/analysis#game=renju&moves=8.8/7.8/7.9/7.7");
    browser.until("document.querySelectorAll('#tree button').length >= 5", &json!(true));
    browser.run(
        "window.made = []; window.EventSource = class extends EventTarget {
             constructor(address) {
                 super();
                 made.push(address);
                 const end = new MessageEvent('end', { data: JSON.stringify({ reason: 'time' }) });
                 setTimeout(() => this.dispatchEvent(end), 20);
             }
             close() {}
         }",
    );
    browser.click("#previous");
    browser.until("document.querySelectorAll('#go-on').length", &json!(1));
    // It requested as long as the server allows.
    assert_eq!(browser.of("decodeURIComponent(made[0]).includes('\"seconds\":0')"), true);
    browser.click("#go-on");
    browser.until("made.length", &json!(2));
}

#[test]
fn a_line_is_previewed_and_copied() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    table.open("/board/analysis#game=renju&moves=8.8/7.8/7.9/7.7/6.8");
    // Values appear on the points.
    browser.until("document.querySelectorAll('#board .ring .pill').length > 0", &json!(true));
    let stones = "document.querySelectorAll('#board .count').length";
    // Lines grow and shrink while the engine searches: one script looks and points.
    let point = |kind: &str| {
        let pointed = format!(
            "(() => {{ const move = document.querySelectorAll('#found li:first-child .pv button')[2]; \
             move?.dispatchEvent(new PointerEvent('pointer{kind}', {{ pointerType: 'mouse' }})); return !!move }})()"
        );
        browser.until(&pointed, &json!(true));
    };
    point("enter");
    browser.until(stones, &json!(3));
    assert_eq!(browser.of("new URLSearchParams(location.hash.slice(1)).get('moves').split('/').length"), 5);
    point("leave");
    browser.until(stones, &json!(0));
    let nodes = "document.querySelectorAll('#tree .row button').length";
    let before = browser.of(nodes);
    browser.type_keys("c");
    browser.until(&format!("{nodes} > {before}"), &json!(true));
    assert_eq!(browser.of("document.querySelector('#tree [aria-current]').textContent"), "5 H10");
    let ground = "getComputedStyle(document.querySelector('#tree [aria-current]')).backgroundColor";
    assert_ne!(browser.of(ground), "rgba(0, 0, 0, 0)");
}
