//! `agon board` as people meet it: in a real browser, by mouse, finger and keys.

mod analysis;
mod folder;
mod opening_rules;
mod own_games;
mod pages;
mod pictures;
mod puzzles;
mod scripts;
mod served;
mod sharing;
mod studies;

use crate::browser::{Browser, Key};
use serde_json::{Value, json};
use served::ServedBoard;

/// Finds visible mistakes on a page.
const AUDIT: &str = include_str!("../pages/audit.js");

/// The game of the page as a question to the server.
const QUESTION: &str = "(() => {
    const words = new URLSearchParams(location.hash.slice(1));
    const game = words.get('game') ?? document.getElementById('play').dataset.game;
    const parameters = Object.fromEntries(['rows', 'columns'].filter((name) => words.has(name)).map((name) => [name, \
    words.get(name)]));
    const moves = (words.get('moves') ?? '').split('/').filter(Boolean).map((move) => move.replaceAll('.', ' '));
    return { game, position: words.get('position'), parameters, seed: Number(words.get('seed') ?? 0), moves };
})()";

/// A page of the boards in a browser.
struct Table {
    browser: Browser,
    served: ServedBoard,
}

impl Table {
    fn new() -> Self {
        Self { browser: Browser::new(), served: ServedBoard::start() }
    }

    /// Opens a page, and deletes what an earlier one has stored.
    fn open(&self, path: &str) {
        self.browser.start_anew();
        self.browser.visit(&self.served.address(path));
        self.browser.until("document.querySelectorAll('#board svg').length", &json!(1));
    }

    fn question(&self) -> Value {
        self.browser.of(QUESTION)
    }

    /// The position on the page as the server knows it.
    fn position(&self) -> Value {
        self.served.ask("/api/v1/position", &self.question())
    }

    /// The middle of a place in the window.
    fn place(&self, at: &Value) -> [i64; 2] {
        let found = self.browser.run(&format!(
            "const svg = document.querySelector('#board svg');
             const columns = document.querySelector('#board [role=row]').children.length;
             svg.scrollIntoView({{ block: 'center' }});
             const {{ left, top, width }} = svg.getBoundingClientRect();
             const seen = svg.viewBox.baseVal;
             const scale = width / seen.width;
             return [left + (50 + 40 * ({at} % columns) - seen.x) * scale, top + (50 + 40 * Math.floor({at} / \
             columns) - seen.y) * scale].map(Math.round)"
        ));
        [0, 1].map(|axis| found[axis].as_i64().unwrap())
    }

    /// Makes a move as a person does: taps the piece and the target, or drags.
    fn make(&self, legal: &Value, drag: bool) {
        let to = self.place(&legal["to"][0]);
        match legal["from"].get(0) {
            None => self.browser.click_at(to),
            Some(from) if drag => {
                let from = self.place(from);
                let middle = [0, 1].map(|axis| i64::midpoint(from[axis], to[axis]));
                self.browser.drag(&[from, middle, to]);
            }
            Some(from) => {
                self.browser.click_at(self.place(from));
                self.browser.click_at(to);
            }
        }
    }

    fn moves(&self) -> usize {
        self.question()["moves"].as_array().unwrap().len()
    }

    /// Waits until this number of moves has been made, or the game is over.
    fn until_moves(&self, least: usize) {
        let over = "/wins|win:|draw/.test(document.getElementById('status').textContent)";
        self.browser.until(&format!("{QUESTION}.moves.length >= {least} || {over}"), &json!(true));
    }
}

#[test]
fn the_present_move_is_seen_in_a_long_list() {
    let table = Table::new();
    let browser = &table.browser;
    // H fills the upper half, V the lower one.
    let domino = |n: usize| match n / 2 {
        at if n.is_multiple_of(2) => format!("{}.{}", 1 + at / 4, 1 + at % 4 * 2),
        at => format!("{}.{}", 5 + at / 8 * 2, 1 + at % 8),
    };
    let moves: Vec<String> = (0..31).map(domino).collect();
    let seen = "(() => { const [list, now] = [document.getElementById('moves'), \
        document.querySelector('#moves [aria-current]')].map((one) => one?.getBoundingClientRect()); \
        return Boolean(now) && now.left >= list.left && now.right <= list.right && now.top >= list.top \
        && now.bottom <= list.bottom; })()";
    for width in [360, 1280] {
        browser.shape(width, false);
        for count in [1, 2, 19, 31] {
            table.open(&format!("/board/domineering#first=human&second=human&moves={}", moves[..count].join("/")));
            browser.until(&format!("document.querySelectorAll('#moves li').length >= {count}"), &json!(true));
            browser.until(seen, &json!(true));
        }
    }
}

#[test]
fn a_link_with_an_illegal_move_shows_the_moves_before() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    table.open("/board/renju#first=human&second=human&moves=H8/H9/H9");
    let status = "document.getElementById('status').textContent";
    browser.until(&format!("{status}.endsWith('The moves before it are on the board.')"), &json!(true));
    assert_eq!(browser.of("document.querySelectorAll('#board :is(.stone0, .stone1)').length"), 2);
    assert_eq!(table.moves(), 2);
}

/// The mark of a domino is on the line between two places: pixels decide.
#[test]
fn every_move_is_made_by_a_press_on_its_mark() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    table.open("/board/domineering");
    browser.run(include_str!("marks.js"));
    browser.until("window.pressed !== undefined", &json!(true));
    let pressed = browser.of("window.pressed");
    assert_eq!(pressed["wrong"], json!([]));
    assert!(pressed["count"].as_u64() > Some(1000), "{pressed}");
}

/// The legal move with these words of the judge.
fn legal(position: &Value, judged: &str) -> Value {
    let all = position["legal"].as_array().unwrap();
    all.iter().find(|legal| legal["move"] == judged).unwrap_or_else(|| panic!("{judged} in {position}")).clone()
}

/// Plays the best moves against level 1 until the game is over, and returns who won.
fn play_to_the_end(table: &Table, drag: bool) -> Value {
    loop {
        let position = table.position();
        if !position["result"].is_null() {
            table.browser.until("document.getElementById('resign').disabled", &json!(true));
            return position["result"]["winner"].clone();
        }
        if position["turn"] == 1 {
            table.until_moves(position["ply"].as_u64().unwrap() as usize + 1);
            continue;
        }
        let best = table.served.best_move(&table.question());
        let before = table.moves();
        table.browser.until("document.querySelector('#seat0.active') !== null", &json!(true));
        let legal = legal(&position, &best);
        if legal["to"].as_array().unwrap().is_empty() {
            table.browser.click("#pass");
        } else {
            table.make(&legal, drag);
        }
        table.until_moves(before + 1);
    }
}

#[test]
fn a_game_of_bacteria_war_is_won_by_dragging() {
    let table = Table::new();
    table.browser.shape(1280, false);
    table.open("/board/bacteria");
    assert_eq!(play_to_the_end(&table, true), 0);
    let message = table.browser.of("document.getElementById('status').textContent");
    assert!(message.as_str().unwrap().contains("O (you) win"), "{message}");
}

#[test]
fn a_game_of_domineering_is_won_on_a_telephone() {
    let table = Table::new();
    table.browser.shape(360, false);
    table.open("/board/domineering#rows=6&columns=6&seed=4&first=human&second=champion:1");
    assert_eq!(play_to_the_end(&table, false), 0);
    let message = table.browser.of("document.getElementById('status').textContent");
    assert!(message.as_str().unwrap().contains("H (you) win"), "{message}");
}

#[test]
fn a_game_of_renju_is_won_by_keys_alone() {
    let table = Table::new();
    table.browser.shape(1280, true);
    table.open("/board/renju");
    table.browser.until("document.querySelector('#seat0.active') !== null", &json!(true));
    loop {
        let position = table.position();
        if !position["result"].is_null() {
            assert_eq!(position["result"]["winner"], 0);
            break;
        }
        // For this position: the engine may have answered since the request.
        let made = position["ply"].as_u64().unwrap() as usize;
        if position["turn"] == 0 {
            let legal = legal(&position, &table.served.best_move(&table.question()));
            table.browser.until("document.querySelector('#seat0.active') !== null", &json!(true));
            walk(&table, legal["to"][0].as_i64().unwrap());
            table.browser.type_keys(Key::Enter);
        }
        table.until_moves(made + 1);
    }
    // The page asks after the test has.
    table.browser.until("document.getElementById('status').textContent.includes('Black (you) win')", &json!(true));
}

/// Goes to a place of the board by Tab and the arrow keys.
fn walk(table: &Table, to: i64) {
    let browser = &table.browser;
    let here = "Number(document.activeElement.dataset?.at ?? -1)";
    let mut tabs = 0;
    while browser.of(here) == -1 {
        browser.type_keys(Key::Tab);
        tabs += 1;
        assert!(tabs < 60, "Tab never comes to the board");
    }
    let columns = 15;
    loop {
        let at = browser.of(here).as_i64().unwrap();
        let key = match (at / columns - to / columns, at % columns - to % columns) {
            (0, 0) => return,
            (..0, _) => Key::Down,
            (1.., _) => Key::Up,
            (0, ..0) => Key::Right,
            (0, _) => Key::Left,
        };
        browser.type_keys(key);
    }
}

#[test]
fn a_piece_is_moved_by_finger_and_by_mouse() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(360, false);
    table.open("/board/bacteria#first=human&second=human");
    let [corner, beside, far] = [0, 1, 9].map(|at| table.place(&json!(at)));
    let selected = "document.querySelectorAll('.targets .selected').length";
    let targets = "document.querySelectorAll('.targets .target').length";
    // A piece that is touched shows where it may go; touched again it is put down.
    browser.touch(&[corner]);
    browser.until(selected, &json!(1));
    assert_eq!(browser.of(targets), 8);
    browser.touch(&[corner]);
    browser.until(selected, &json!(0));
    assert_eq!(table.moves(), 0);
    // Tap, tap.
    browser.touch(&[corner]);
    browser.touch(&[beside]);
    browser.until(&format!("{QUESTION}.moves"), &json!(["1 1 1 2"]));
    // Dragged to a place where it may not go, it comes back.
    browser.until("document.querySelector('#seat1.active') !== null", &json!(true));
    let other = table.place(&json!(6));
    browser.touch(&[other, [other[0] - 9, other[1] + 9], table.place(&json!(24))]);
    browser.until(selected, &json!(0));
    assert_eq!(table.moves(), 1);
    assert_eq!(browser.of("document.querySelectorAll('.held > *').length"), 0);
    // Less than three pixels are a tap and no drag.
    browser.touch(&[other, [other[0] + 1, other[1] + 1]]);
    browser.until(selected, &json!(1));
    browser.touch(&[table.place(&json!(5))]);
    browser.until(&format!("{QUESTION}.moves.length"), &json!(2));
    // With the mouse, over a place that shows what the move would change.
    browser.until("document.querySelector('#seat0.active') !== null", &json!(true));
    browser.drag(&[corner, [corner[0] + 8, corner[1] + 8], far]);
    browser.until(&format!("{QUESTION}.moves.length"), &json!(3));
    browser.click("#back");
    browser.until(&format!("{QUESTION}.moves.length"), &json!(2));
}

#[test]
fn what_a_move_changes_is_shown_before_it_is_made() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    table.open("/board/domineering#rows=4&columns=4&seed=2&first=human&second=human");
    let ghosts = "document.querySelectorAll('.ghosts .ghost').length";
    browser.drag(&[[5, 5], table.place(&json!(5))]);
    browser.until(ghosts, &json!(2));
    browser.drag(&[table.place(&json!(5)), [5, 5]]);
    browser.until(ghosts, &json!(0));
    assert_eq!(table.moves(), 0);
    // The points that are forbidden to Black, with the reason on request.
    table.open("/board/renju#first=human&second=human&moves=H8/H9/I9/G7/I8/A1/J10/O1/G9/A15/G8/O15");
    browser.until("document.querySelector('#forbidden').disabled", &json!(false));
    browser.click("#forbidden");
    let reasons = browser.of("document.querySelector('#reasons').textContent");
    assert!(reasons.as_str().unwrap().contains("forbidden"), "{reasons}");
}

#[test]
fn a_game_is_kept_and_shared() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    table.open("/board/renju#first=human&second=human&moves=H8/H9");
    table.make(&legal(&table.position(), "7 9"), false);
    browser.until(&format!("{QUESTION}.moves.length"), &json!(3));
    let link = browser.of("location.href");
    // Resumed without a link, and through the link in a browser that knows nothing about it.
    browser.visit(&table.served.address("/board/renju"));
    browser.until("document.querySelectorAll('#moves li').length", &json!(3));
    let other = Browser::new();
    other.visit(link.as_str().unwrap());
    other.until("document.querySelectorAll('#moves li').length", &json!(3));
    // Earlier positions can be looked at.
    browser.type_keys(Key::Home);
    browser.until("document.querySelectorAll('.board circle.stone0').length", &json!(0));
    browser.type_keys(Key::End);
    browser.until("document.querySelectorAll('.board circle.stone0').length", &json!(2));
    // Without keys, too.
    browser.click("#moves li button");
    browser.until("document.querySelectorAll('.board circle.stone0').length", &json!(1));
    browser.click("#newest");
    browser.until("document.querySelectorAll('.board circle.stone0').length", &json!(2));
    browser.until("document.getElementById('newest') === null", &json!(true));
    // Resigning ends it, and taking back continues it.
    browser.click("#resign");
    browser.until("document.getElementById('resign').textContent", &json!("Really resign?"));
    assert_eq!(browser.of("/resigns/.test(document.getElementById('status').textContent)"), false);
    browser.click("#resign");
    browser.until(
        "/White \\(person\\) wins: Black|Black \\(person\\) wins: White \
        resigns/.test(document.getElementById('status').textContent)",
        &json!(true),
    );
    browser.click("#back");
    browser.until("document.getElementById('resign').disabled", &json!(false));
    assert_eq!(browser.of("document.querySelectorAll('.board circle.stone0').length"), 2);
    // A place where nothing can be put shows the reason.
    browser.click_at(table.place(&json!(7 * 15 + 7)));
    browser.until("/move 4, H8: /.test(document.getElementById('status').textContent)", &json!(true));
    // An error in a position is shown next to the form.
    browser.fill("[name=position]", "H8 H8");
    browser.click("#new button[type=submit]");
    browser.until("document.getElementById('problem').textContent.includes('move 2, H8')", &json!(true));
    // A hint is about one position.
    let hinted = "document.querySelectorAll('.board .shapes > *').length > 0";
    browser.click("#hint");
    browser.until(hinted, &json!(true));
    browser.click("#back");
    browser.until("document.querySelectorAll('#moves li').length", &json!(2));
    browser.until(hinted, &json!(false));
    // A new game leads back to the one that was going on.
    browser.run("document.querySelector('[name=position]').value = ''");
    browser.click("#new button[type=submit]");
    browser.until("document.querySelectorAll('#moves li').length", &json!(0));
    browser.until("document.getElementById('before') !== null", &json!(true));
    browser.click("#before");
    browser.until("document.querySelectorAll('#moves li').length", &json!(2));
    browser.until("document.getElementById('before') === null", &json!(true));
}

#[test]
fn a_link_replaces_no_game_and_starts_no_engine() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    table.open("/board/renju#first=human&second=human");
    browser.until("document.querySelectorAll('.hit').length > 0", &json!(true));
    table.make(&legal(&table.position(), "8 8"), false);
    let moves = "document.querySelectorAll('#moves li').length";
    browser.until(moves, &json!(1));
    // White, an engine, is to move; its moves would come within a second.
    let link = table.served.address("/board/renju#first=human&second=champion:1&moves=H8/H9/I9");
    let kept = "JSON.parse(localStorage.getItem('agon.board.renju')).question.moves.length";
    browser.visit("about:blank");
    browser.visit(&link);
    browser.until("document.getElementById('go-on')?.textContent", &json!("Play on from here"));
    assert_eq!((browser.of(moves), browser.of(kept)), (json!(3), json!(1)));
    assert_eq!(browser.of("document.getElementById('status').textContent.includes('White to move')"), true);
    browser.click("#before");
    browser.until(moves, &json!(1));
    assert_eq!(browser.of("document.getElementById('before')"), json!(null));
    // Played on, it is the game of this browser, and the one before is still there.
    browser.visit("about:blank");
    browser.visit(&link);
    browser.until("document.getElementById('go-on') !== null", &json!(true));
    browser.click("#go-on");
    browser.until(moves, &json!(4));
    browser.until(kept, &json!(4));
    browser.click("#before");
    browser.until(moves, &json!(1));
    // A link that was copied after the page was loaded again has the moves.
    browser.visit("about:blank");
    browser.visit(&table.served.address("/board/renju"));
    browser.until(moves, &json!(1));
    browser.until(&format!("{QUESTION}.moves.length"), &json!(1));
}

#[test]
fn a_game_lost_on_time_can_be_taken_back() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    table.open("/board/renju#first=human&second=human");
    let moves = r#"["8 8", "8 9"]"#;
    browser.run(&format!(
        "localStorage.setItem('agon.board.renju', JSON.stringify({{
             question: {{ game: 'renju', position: null, parameters: {{}}, seed: 0, moves: {moves} }},
             players: ['human', 'human'], clock: {{ base: 60000, increment: 0 }}, left: [1, 60000], ended: null,
             thoughts: {{}}, times: {{ 2: [50000, 60000] }} }}))"
    ));
    // The page keeps its own game when it is left.
    browser.run("Storage.prototype.setItem = () => {}");
    browser.visit("about:blank");
    browser.visit(&table.served.address("/board/renju"));
    let status = "document.getElementById('status').textContent";
    browser.until(&format!("{status}.includes('Black has no time left')"), &json!(true));
    browser.click("#back");
    browser.until(&format!("{status}.includes('Black to move')"), &json!(true));
    assert_eq!(browser.of("document.querySelectorAll('#moves li').length"), 2);
    let kept = "JSON.parse(localStorage.getItem('agon.board.renju'))";
    assert_eq!(browser.of(&format!("{kept}.left[0] > 40000 && {kept}.ended === null")), true);
}

/// Drags a piece for fifty frames, two moves of the finger in each: how many pieces are in the hand at the end, and how
/// often a frame changes the document.
const DRAGGED: &str = "
    const svg = document.querySelector('#board svg');
    svg.setPointerCapture = () => {};
    const { left, top, width } = svg.getBoundingClientRect();
    const seen = svg.viewBox.baseVal;
    const scale = width / seen.width;
    const send = (type, x, y) => svg.dispatchEvent(new PointerEvent(type, { pointerId: 1, button: 0, clientX: left + \
    (x - seen.x) * scale, clientY: top + (y - seen.y) * scale, bubbles: true, pointerType: 'touch' }));
    send('pointerdown', 50, 50);
    let changed = 0;
    const watch = new MutationObserver((records) => (changed += records.length));
    watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    return new Promise((resolve) => {
        const changes = [];
        const frame = () => {
            const n = changes.length + 1;
            if (n > 50) {
                const held = document.querySelectorAll('.held > *').length;
                send('pointercancel', 0, 0);
                resolve({ held, changes });
                return;
            }
            send('pointermove', 50 + (n % 80), 60 + (n % 60));
            send('pointermove', 52 + (n % 80), 60 + (n % 60));
            requestAnimationFrame(() => {
                changes.push(changed);
                changed = 0;
                frame();
            });
        };
        requestAnimationFrame(frame);
    })";

/// A frame in time is a matter of the machine; that it has little to do is a matter of the page.
#[test]
fn dragging_changes_little_in_a_frame() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(360, false);
    table.open("/board/bacteria#first=human&second=human");
    let found = browser.run(DRAGGED);
    assert_eq!(found["held"], 1, "the piece is in the hand");
    let mut changes: Vec<u64> = found["changes"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    changes.sort_unstable();
    // A frame in which the piece moves over another place changes that place's drawing, too.
    assert!(changes[0] > 0 && changes[45] <= 4, "{changes:?}");
}

#[test]
fn a_dish_is_run_and_watched() {
    let table = Table::new();
    let browser = &table.browser;
    browser.visit(&table.served.address("/board/petri"));
    browser.run("document.querySelector('[name=first]').value = 'rule'");
    browser.click("main form button.primary");
    browser.until("document.querySelectorAll('.moves li').length > 10", &json!(true));
    let players = browser.of("document.querySelector('.players').textContent");
    assert!(players.as_str().unwrap().contains("your rule"), "{players}");
    browser.run(
        "const rule = document.querySelector('[name=rule]'); rule.value = 'BEGIN 4 8 0\\nJUMP'; \
        document.querySelector('[name=first]').value = 'rule'",
    );
    browser.click("main form button.primary");
    browser
        .until("document.querySelector('.problem')?.textContent.toLowerCase().includes('line 2, jump')", &json!(true));
    assert!(browser.of("document.querySelector('[name=rule]').value").as_str().unwrap().ends_with("JUMP"));
}

#[test]
fn every_page_fits_and_can_be_read() {
    let table = Table::new();
    let browser = &table.browser;
    for path in [
        "/board",
        "/board/bacteria#first=human&second=human&moves=b7/f7",
        "/board/domineering#seed=3&first=human&second=human&moves=1.1",
        "/board/renju#first=human&second=human&moves=H8/H9/I9",
        "/board/petri",
        "/board/analysis#game=renju&moves=H8/H9",
    ] {
        browser.visit(&table.served.address(path));
        if path.contains('#') {
            browser.until("document.querySelectorAll('#board svg').length", &json!(1));
        }
        for (width, dark) in [(360, false), (360, true), (1280, false), (1280, true)] {
            browser.shape(width, dark);
            assert_eq!(browser.run(AUDIT), json!([]), "{path} {width} dark {dark}");
        }
        let unnamed = "[...document.querySelectorAll('input:not([type=hidden]), select, textarea, \
            button')].filter((at) => \
                         !at.labels?.length && !at.getAttribute('aria-label') && !at.textContent.trim()).map((at) => \
                         at.outerHTML)";
        assert_eq!(browser.of(unnamed), json!([]), "{path}");
        let foreign = "performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => \
            !name.startsWith(location.origin))";
        assert_eq!(browser.of(foreign), json!([]), "{path}");
    }
}

/// Where the page's buttons have been since it was asked to watch, each place once, and how often the engine has
/// reported its progress.
const WATCHED: &str = "window.stood = new Set(); window.reports = 0;
const progress = document.getElementById('progress');
if (progress) new MutationObserver(() => (reports += 1)).observe(progress, { childList: true });
(function look() {
    const shown = [...document.querySelectorAll('main button, main textarea, main select')].filter((one) => \
    one.getClientRects().length > 0 && !one.closest('#known, #found, #moves, #library'));
    stood.add(JSON.stringify(shown.map((one) => [one.id || one.textContent, Math.round(one.getBoundingClientRect().top \
    + scrollY)])));
    requestAnimationFrame(look);
})()";

#[test]
fn nothing_moves_while_the_engine_thinks() {
    let table = Table::new();
    let browser = &table.browser;
    let stood_still = |what: &str, width: u32| {
        let stood = browser.of("[...stood]");
        assert_eq!(stood.as_array().unwrap().len(), 1, "{what}, {width} wide: {stood:#}");
    };
    for width in [1280, 360] {
        browser.shape(width, false);
        for game in ["bacteria&moves=b6", "renju&moves=8.8/7.8/7.9/7.7/6.8", "domineering&seed=3"] {
            table.open(&format!("/board/analysis#game={game}"));
            browser.until("document.getElementById('tree').textContent.startsWith('start')", &json!(true));
            // Every button has its place before the first line comes, also on another position.
            browser.run(WATCHED);
            let found = "document.querySelectorAll('#found li').length > 0";
            browser.until(found, &json!(true));
            browser.until("reports >= 2", &json!(true));
            browser.click("#previous");
            browser.until(found, &json!(true));
            browser.click("#engine");
            browser.until("document.querySelectorAll('#found li').length", &json!(0));
            stood_still(game, width);
        }
        table.open("/board/bacteria#first=champion:1&second=champion:1");
        table.until_moves(1);
        browser.run(WATCHED);
        table.until_moves(8);
        stood_still("a game", width);
    }
}
