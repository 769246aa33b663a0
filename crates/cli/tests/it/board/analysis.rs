//! The page of analysis, and that it shows what `agon analyze` finds.

use assert_cmd::Command;
use serde_json::{Value, json};

use super::served::ServedBoard;
use super::{Table, legal};
use crate::browser::Key;

/// The output of `agon analyze`, without the times.
fn printed(arguments: &[&str]) -> Vec<Value> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    let ran = command.arg("analyze").args(arguments).args(["--format", "json"]).output().unwrap();
    assert!(ran.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
    let text = String::from_utf8(ran.stdout).unwrap();
    text.lines().map(|line| without_time(serde_json::from_str(line).unwrap())).collect()
}

fn without_time(mut line: Value) -> Value {
    line.as_object_mut().unwrap().remove("ms");
    line
}

/// A board's answer to the same, without what only boards need.
fn message(served: &ServedBoard, question: &Value) -> Vec<Value> {
    let events = served.analysis(question);
    let (last, events) = events.split_last().unwrap();
    assert_eq!(last, &("end".to_owned(), json!({ "reason": "done" })));
    let plain = |(_, data): &(String, Value)| {
        let mut data = without_time(data.clone());
        for name in ["side", "text", "first"] {
            data.as_object_mut().unwrap().remove(name);
        }
        data
    };
    events.iter().map(plain).collect()
}

#[test]
fn a_board_gets_what_agon_analyze_prints() {
    let served = ServedBoard::start();
    let check = |arguments: &[&str], question: &Value, least: usize| {
        let (printed, message) = (printed(arguments), message(&served, question));
        assert!(printed.len() >= least, "{printed:?}");
        assert_eq!(message, printed, "{arguments:?}");
    };
    let limits = ["--nodes", "6000", "--lines", "2", "--hash", "8"];
    let bacteria = [&["bacteria", "--moves", "b6 f6"][..], &limits].concat();
    check(&bacteria, &json!({ "game": "bacteria", "moves": ["b6", "f6"], "nodes": 6000, "lines": 2 }), 6);
    // A position that has to be searched, and one with a forced win.
    for moves in ["H8 H9 J10 G7 K8", "H8 G9 G8 A1 F8 A15"] {
        let question =
            json!({ "game": "renju", "moves": moves.split(' ').collect::<Vec<_>>(), "nodes": 6000, "lines": 2 });
        check(&[&["renju", "--moves", moves][..], &limits].concat(), &question, 3);
    }
    let position = "2131/1203/3112/1121 ..../..../..../.... H 0 2.5 0";
    let question = json!({ "game": "domineering", "position": position, "nodes": 10_000_000 });
    check(&["domineering", position], &question, 1);
}

/// Captures the files that the page saves: the last text is `saved`.
const SAVED: &str = "const make = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob) => { blob.text().then((text) => (window.saved = text)); return make(blob) }";

const TREE: &str = "document.getElementById('tree').innerText.replace(/\\s+/g, ' ').trim()";

fn made(table: &Table) -> Value {
    table.browser.of("(new URLSearchParams(location.hash.slice(1)).get('moves') ?? '').split('/').filter(Boolean)")
}

/// Proved results come before any search, and moves can be left out.
#[test]
fn what_is_known_comes_first_and_moves_are_chosen() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    table.open("/board/analysis#game=renju&moves=H8/I9/I7");
    let known = "document.getElementById('known').textContent";
    browser.until(&format!("/^\\d+ of 223 answers are proved to lose/.test({known})"), &json!(true));
    browser.click("#explorer summary");
    // A row of names above what is open, and above what is proved, which is folded away.
    browser.until("document.querySelectorAll('#explored tr').length", &json!(225));
    let open = browser.of("document.querySelectorAll('#explored > table tr').length");
    assert!(open.as_u64() < Some(40), "{open}");
    let folded = "/^\\d+ moves: proved: Black wins$/.test(document.querySelector('#explored summary').textContent)";
    assert_eq!(browser.of(folded), true);
    browser.run(
        "const proved = [...document.querySelectorAll('#explored tr')].find((row) => \
         row.textContent.includes('proved: Black wins') && !row.textContent.includes('PASS'));
         proved.querySelector('button').click()",
    );
    browser.until(&format!("{known}.startsWith('proved: Black wins')"), &json!(true));
    // The line leads to the last stone.
    browser.run("[...document.querySelectorAll('#known button')].at(-1).click()");
    browser.until("/Black wins: /.test(document.getElementById('status').textContent)", &json!(true));
    // The best move is left out by the button of its line, and another one comes first.
    table.open("/board/analysis#game=bacteria&moves=b6");
    let lines = "document.querySelectorAll('#found li').length";
    browser.until(lines, &json!(3));
    let out = browser
        .of("(() => { const line = document.querySelector('#found li'); const name = line.querySelector('.pv \
         button').textContent; line.querySelector('.tool').click(); return name })()");
    let out = out.as_str().unwrap();
    browser.until("document.getElementById('consider').value", &json!(format!("-{out}")));
    browser.until(lines, &json!(3));
    let firsts = "[...document.querySelectorAll('#found li .pv')].map((line) => line.firstChild.textContent)";
    browser.until(&format!("!{firsts}.includes('{out}')"), &json!(true));
    browser.run(
        "const field = document.getElementById('consider'); field.value = 'z9'; \
         field.dispatchEvent(new Event('change'))",
    );
    browser.until("document.getElementById('progress').textContent", &json!("z9: no legal move here"));
    assert_eq!(browser.run(super::AUDIT), json!([]));
}

#[test]
fn the_best_lines_are_shown_and_can_be_followed() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    table.open("/board/analysis#game=bacteria&moves=b6");
    let lines = "document.querySelectorAll('#found li').length";
    let arrows = "document.querySelectorAll('#board .shape').length";
    browser.until(lines, &json!(3));
    browser.until(&format!("{arrows} >= 1 && {arrows} <= 3"), &json!(true));
    browser.until(
        "/evaluation: .* for the side to move, O \\d+ of \
        100/.test(document.getElementById('bar').getAttribute('aria-label'))",
        &json!(true),
    );
    // However long a line is, its move can be left out.
    let reached = "[...document.querySelectorAll('#found .tool')].filter((one) => one.getBoundingClientRect().right \
                   <= document.getElementById('found').getBoundingClientRect().right + 1).length";
    browser.until(reached, &json!(3));
    // One line only.
    browser.run(
        "const lines = document.getElementById('lines'); lines.value = '1'; lines.dispatchEvent(new Event('change'))",
    );
    browser.until(&format!("{lines} === 1 && {arrows} === 1"), &json!(true));
    // Any move of a line can be visited. Lines grow and shrink meanwhile: one script looks and clicks.
    let clicked = "(() => { const move = document.querySelectorAll('#found .pv button')[1]; move?.click(); \
                   return !!move })()";
    browser.until(clicked, &json!(true));
    browser.until("new URLSearchParams(location.hash.slice(1)).get('moves').split('/').length", &json!(3));
    browser.type_keys("e");
    browser.until("document.getElementById('engine').getAttribute('aria-pressed')", &json!("false"));
    browser.until(&format!("{lines} + {arrows}"), &json!(0));
    browser.type_keys(Key::Home);
    browser.until("location.hash.includes('moves')", &json!(false));
    assert_eq!(browser.of(lines), 0, "it rests on other positions, too");
    // A forced win of renju is drawn move by move.
    table.open("/board/analysis#game=renju&moves=H8/G9/G8/A1/F8/A15");
    browser.until(
        "[...document.querySelectorAll('#board .shape .number')].map((at) => at.textContent)",
        &json!(["1", "2", "3"]),
    );
    browser.until("document.getElementById('found').innerText.includes('proved: a forced win')", &json!(true));
    // A move of the known opening is shown, though nothing is searched.
    table.open("/board/analysis#game=renju&moves=8.8/7.8");
    browser.until("document.getElementById('found').textContent.trim()", &json!("known opening, not searched I9"));
    browser.type_keys(" ");
    browser.until("new URLSearchParams(location.hash.slice(1)).get('moves')", &json!("8.8/7.8/7.9"));
    // Every move of domineering has its value.
    table.open("/board/analysis#game=domineering&rows=4&columns=4&seed=3");
    browser.until("/^proved/.test(document.getElementById('progress').textContent)", &json!(true));
    let question = json!({ "game": "domineering", "parameters": { "rows": "4", "columns": "4" }, "seed": 3 });
    let position = table.served.ask("/api/v1/position", &question);
    let dominoes = position["legal"].as_array().unwrap().iter().filter(|legal| legal["to"] != json!([])).count();
    assert_eq!(browser.of("document.querySelectorAll('#board .shape.pill').length"), dominoes);
    // Space plays the best of them.
    let best = "document.querySelectorAll('#board .shape.pill.best').length > 0";
    browser.until(best, &json!(true));
    browser.type_keys(" ");
    browser.until("new URLSearchParams(location.hash.slice(1)).has('moves')", &json!(true));
}

#[test]
fn variations_are_made_edited_and_saved() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    table.open("/board/analysis#game=renju&moves=8.8/7.8/7.9");
    browser.click("#engine");
    browser.until(TREE, &json!("start 1 H8 2 H9 3 I9"));
    // Another third move is a variation.
    browser.click("#previous");
    browser.until(&format!("{}.length", "document.querySelectorAll('#tree [aria-current]')"), &json!(1));
    browser.until("document.querySelector('#tree [aria-current]').textContent", &json!("2 H9"));
    let question = json!({ "game": "renju", "moves": ["H8", "H9"] });
    let position = table.served.ask("/api/v1/position", &question);
    table.make(&legal(&position, "8 7"), false);
    browser.until(TREE, &json!("start 1 H8 2 H9 3 I9 (3 G8)"));
    browser.click("#promote");
    browser.until(TREE, &json!("start 1 H8 2 H9 3 G8 (3 I9)"));
    // It outlives the page, and is saved with all its variations.
    browser.visit(&table.served.address("/board/analysis"));
    browser.until(TREE, &json!("start 1 H8 2 H9 3 G8 (3 I9)"));
    browser.run(SAVED);
    browser.click("[data-view=files]");
    browser.click("#text");
    browser.until("(window.saved ?? '').split('\\n')[0]", &json!("H8 H9 G8 (I9)"));
    let saved = browser.of("window.saved");
    browser.click("[data-view=lines]");
    browser.type_keys(Key::Delete);
    browser.until(TREE, &json!("start 1 H8 2 H9 3 I9"));
    browser.click("[data-view=files]");
    browser.run(&format!("document.querySelector('#load textarea').value = {saved}"));
    browser.click("#load button[type=submit]");
    browser.until(TREE, &json!("start 1 H8 2 H9 3 G8 (3 I9)"));
    // As SGF, and back.
    browser.click("[data-view=files]");
    browser.run("window.saved = ''");
    browser.click("[data-format=sgf]");
    browser.until("(window.saved ?? '').includes('(;FF[4]')", &json!(true));
    let saved = browser.of("window.saved");
    // As a library, too.
    browser.click("[data-format=lib]");
    browser.until("window.saved.includes('RenLib')", &json!(true));
    browser.click("#fresh");
    browser.until(TREE, &json!("start"));
    browser.click("[data-view=files]");
    browser.run(&format!("document.querySelector('#load textarea').value = {saved}"));
    browser.click("#load button[type=submit]");
    browser.until(TREE, &json!("start 1 H8 2 H9 3 G8 (3 I9)"));
    browser.click("[data-view=files]");
    browser.click("#fresh");
    browser.until(TREE, &json!("start"));
    assert_eq!(made(&table), json!([]));
}

#[test]
fn an_opening_is_named_as_its_third_stone_is_put() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    table.open("/board/analysis#game=renju&moves=8.8/7.8");
    browser.click("#engine");
    browser.until(TREE, &json!("start 1 H8 2 H9"));
    let opening = "document.getElementById('opening').textContent";
    assert_eq!(browser.of(opening), "");
    let position = table.served.ask("/api/v1/position", &json!({ "game": "renju", "moves": ["H8", "H9"] }));
    table.make(&legal(&position, "7 9"), false);
    browser.until(opening, &json!("Kagetsu (D4)"));
    browser.click("#previous");
    browser.until("document.querySelector('#tree [aria-current]').textContent", &json!("2 H9"));
    table.make(&legal(&position, "8 9"), false);
    browser.until(&format!("{opening} !== '' && {opening} !== 'Kagetsu (D4)'"), &json!(true));
}

#[test]
fn games_are_loaded_as_they_come() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    table.open("/board/analysis");
    browser.click("#engine");
    let paste = |text: &str| {
        let text = json!(text);
        browser.run(&format!(
            "const data = new DataTransfer(); data.setData('text', {text});
             document.body.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true }}))"
        ));
    };
    // The page jumps to the last move at once: it does not change again once the game is visible.
    browser.run(
        "window.drawn = []; const drew = () => drawn.push(document.querySelector('#tree [aria-current]').textContent);
         new MutationObserver(drew).observe(document.querySelector('#tree .rows'), { childList: true })",
    );
    paste("(;GM[4]SZ[15];B[hh];W[hg];B[ig])");
    browser.until(TREE, &json!("start 1 H8 2 H9 3 I9"));
    assert_eq!(browser.of("[...new Set(window.drawn)]"), json!(["3 I9"]));
    // The last request counts: a game that is still being read does not come back.
    browser.run(
        "window.held = []; window.fetched = window.fetch;
         window.fetch = (...asked) => new Promise((go) => held.push(() => go(fetched(...asked))));
         const form = document.getElementById('load');
         form.querySelector('textarea').value = 'H8 H9 I9 (G8)'; form.requestSubmit(); \
         form.querySelector('textarea').value = ''",
    );
    browser.until("held.length > 0", &json!(true));
    browser.run("window.fetch = fetched; document.getElementById('fresh').click()");
    browser.until(TREE, &json!("start"));
    // The answers come, and the page has time to follow them.
    browser.run(
        "held.forEach((go) => go());
         return (async () => { for (let n = 0; n < 10; n += 1) await new Promise(requestAnimationFrame) })()",
    );
    assert_eq!(browser.of(TREE), "start");
    paste("7/2xxo2/2xxoo1/1xxooo1/2xoo2/3o3/7 x 0 10");
    browser.until(
        "new URLSearchParams(location.hash.slice(1)).get('position')",
        &json!("7/2xxo2/2xxoo1/1xxooo1/2xoo2/3o3/7 x 0 10"),
    );
    // A file dropped on the page.
    browser.run(
        "const data = new DataTransfer(); data.items.add(new File(['H8 H9'], 'game.txt'));
         document.getElementById('analysis').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true \
         }))",
    );
    browser.until(TREE, &json!("start 1 H8 2 H9"));
    browser.click("[data-view=files]");
    browser.fill("#load textarea", "H8 H8");
    browser.click("#load button[type=submit]");
    browser.until("document.getElementById('problem').textContent.includes('move 2, H8')", &json!(true));
    assert_eq!(browser.of("document.querySelector('#load textarea').value"), "H8 H8", "what was typed stays");
    // Its legal part is kept.
    browser.until(TREE, &json!("start 1 H8"));
}

/// A board of domineering on which the first side wins and has a move that loses: its seed, and that move.
fn blunder(served: &ServedBoard) -> (u64, String) {
    for seed in 1..50 {
        let question = json!({ "game": "domineering", "parameters": { "rows": "4", "columns": "4" }, "seed": seed });
        let events = served.analysis(&question);
        let (_, values) = events.iter().rfind(|(name, _)| name == "values").unwrap();
        let losing = values["moves"].as_array().unwrap().iter().find(|one| one["winner"] == "second");
        if let (Value::String(winner), Some(losing)) = (&values["winner"], losing)
            && winner == "first"
        {
            let numbers: Vec<String> = losing["move"].as_array().unwrap().iter().map(ToString::to_string).collect();
            return (seed, numbers.join("."));
        }
    }
    panic!("no board has such a move");
}

#[test]
fn mistakes_are_marked_and_drawn() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(1280, false);
    let (seed, losing) = blunder(&table.served);
    table.open(&format!("/board/analysis#game=domineering&rows=4&columns=4&seed={seed}&moves={losing}"));
    let offered = "['retry', 'next-mistake'].map((id) => !document.getElementById(id).hidden)";
    assert_eq!(browser.of(offered), json!([false, false]), "no mistake is marked");
    browser.click("#review");
    browser.until("document.querySelectorAll('.graph circle.blunder').length", &json!(1));
    browser.until(offered, &json!([true, true]));
    browser.until("document.querySelectorAll('#tree .blunder').length", &json!(1));
    let marked = browser.of("document.querySelector('#tree .blunder').textContent");
    assert!(marked.as_str().unwrap().ends_with("??"), "{marked}");
    // The graph leads to its positions.
    browser.until("document.getElementById('review').textContent", &json!("Mark mistakes"));
    browser.run(
        "const { left, top } = document.querySelector('.graph').getBoundingClientRect(); \
        document.querySelector('.graph').dispatchEvent(new MouseEvent('click', { clientX: left + 4, clientY: top + 9, \
        bubbles: true }))",
    );
    browser.until("document.querySelector('#tree [aria-current]').textContent", &json!("start"));
    // What was better, each side's accuracy, and the link to the next mistake.
    browser.until("/accuracy \\d+ %, 1 blunder/.test(document.getElementById('report').textContent)", &json!(true));
    browser.until(
        "/: blunder\\. H’s winning chances fall from \\d+ % to \\d+ %\\. (The answer is .+\\. )?Better was \\d,\\d/\
         .test(document.querySelector('#mistakes li').textContent)",
        &json!(true),
    );
    // Its button leads there, where the status says the same.
    browser.click("#mistakes button");
    let status = "document.getElementById('status').textContent";
    browser.until(&format!("{status}.includes('Better was')"), &json!(true));
    browser.click("#first");
    browser.type_keys("m");
    browser.until("document.querySelector('#tree [aria-current]').textContent.endsWith('??')", &json!(true));
    // It is tried again: the engine shows nothing, and judges a move.
    browser.type_keys("r");
    browser.until(&format!("{status}.endsWith('was played here. Find a better move.')"), &json!(true));
    assert_eq!(browser.of("document.querySelectorAll('#found li').length"), 0);
    let best = browser.of("document.querySelector('#tree .blunder').title.match(/was (\\d,\\d)/)[1]");
    let question = json!({ "game": "domineering", "parameters": { "rows": "4", "columns": "4" }, "seed": seed });
    let position = table.served.ask("/api/v1/position", &question);
    let try_again = |judged: &str, words: &str| {
        table.make(&legal(&position, judged), false);
        browser.until(&format!("{status}.includes('{words}')"), &json!(true));
    };
    try_again(&losing.replace('.', " "), "% to 0 %. Try again");
    try_again(&best.as_str().unwrap().replace(',', " "), "the best move");
}

/// The choice of an engine in the browser and of its threads is kept, and a reload begins the search again.
#[test]
fn an_engine_in_the_browser_survives_a_reload() {
    let table = Table::new();
    let browser = &table.browser;
    browser.shape(360, false);
    table.open("/board/analysis#game=renju&moves=8.8/8.9/9.9");
    if browser.of("document.getElementById('engine-place') === null") == true {
        return;
    }
    let choose = |id: &str, value: &str| {
        browser.run(&format!(
            "const select = document.getElementById('{id}');
             select.value = '{value}';
             select.dispatchEvent(new Event('change'))"
        ));
    };
    let depth = "Number(/\\d+/.exec(document.getElementById('progress').textContent)?.[0] ?? 0)";
    choose("engine-place", "here");
    browser.until("document.getElementById('engine-note').textContent.includes('hread')", &json!(true));
    let several = browser
        .of("crossOriginIsolated && Boolean(JSON.parse(document.getElementById('engines').textContent).threads) \
                              && navigator.hardwareConcurrency > 1");
    assert_eq!(browser.of("!document.getElementById('with-threads').hidden"), several);
    if several == true {
        choose("threads", "2");
    }
    browser.until(&format!("{depth} >= 5"), &json!(true));
    assert_eq!(browser.run(super::AUDIT), json!([]));
    browser.run("window.before = true; location.reload()");
    browser.until(&format!("window.before === undefined && {depth} >= 5"), &json!(true));
    assert_eq!(browser.of("document.getElementById('engine-place').value"), "here");
    if several == true {
        assert_eq!(browser.of("document.getElementById('threads').value"), "2");
    }
    // Without an engine there is no search, and again with it.
    browser.click("#engine");
    browser.until(&format!("{depth} === 0"), &json!(true));
    browser.click("#engine");
    browser.until(&format!("{depth} >= 5"), &json!(true));
}
