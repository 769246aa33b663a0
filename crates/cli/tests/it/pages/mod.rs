//! The pages of `agon report`, `results` and `replay`, in a real browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use crate::browser::{Browser, Key};
use assert_cmd::Command;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Finds visible mistakes on a page.
const AUDIT: &str = include_str!("audit.js");

/// Gets ready, and fails with a message that would take over a careless page.
const FAILING: &str = r#"
import sys
for line in sys.stdin:
    if line.startswith("READY"):
        print("OK", flush=True)
    if line.startswith("TURN"):
        print("</script><script>window.taken = 1</script>\u202eevil "
              "<img src=x onerror='window.taken = 2'>", file=sys.stderr)
        print("MOVE </pre><b id=bold>9", flush=True)
"#;

/// A colony that begins well.
const RAISING: &str = r#"
import sys
if "BEGIN" in sys.stdin.readline():
    print("4 8 0")
else:
    raise ValueError("</pre><b id=bold>")
"#;

/// A name that would take over a careless page, and turn its text round.
const HOSTILE: &str = "</script><script>window.taken = 3</script>\u{202e}дурак";

/// All pages, created once.
struct Pages {
    _folder: TempDir,
    /// A tournament with failed games.
    report: PathBuf,
    /// The tables of the same.
    results: PathBuf,
    /// A game whose cells raise an exception in every action.
    cells: PathBuf,
    /// One game each of the four games.
    games: [(&'static str, PathBuf); 4],
}

static PAGES: LazyLock<Pages> = LazyLock::new(|| {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("failing.py"), FAILING).unwrap();
    let league = format!(
        "game = \"bacteria\"\ngames = 2\n[[agent]]\nagent = \"greedy\"\n[[agent]]\nagent = \"random\"\n[[agent]]\n\
         agent = {:?}\nname = \"{}\"\n",
        format!("python3 '{}'", at("failing.py").display()),
        HOSTILE.escape_unicode()
    );
    // Escapes of TOML have eight digits.
    let league = unicode(&league);
    fs::write(at("league.toml"), league).unwrap();
    let agon = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        command.args(arguments).current_dir(folder.path()).env("AGON_STATE", folder.path());
        let output = command.timeout(Duration::from_mins(1)).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    agon(&["tournament", "league.toml", "--db", "league.db"]);
    agon(&["report", "--db", "league.db", "--out", "report.html"]);
    fs::write(at("results.html"), agon(&["results", "--db", "league.db", "--format", "html"])).unwrap();
    let game = |game: &'static str, first: &str, second: &str| {
        let [record, page] = ["jsonl", "html"].map(|end| format!("{game}.{end}"));
        agon(&[
            "play", game, "--first", first, "--second", second, "--seed", "3", "--show", "none", "--record", &record,
        ]);
        agon(&["replay", &record, "--out", &page]);
        (game, at(&page))
    };
    let games = [
        game("bacteria", "greedy", "random"),
        game("domineering", "greedy", "random"),
        game("renju", "greedy", "random"),
        game("petri", "slime", "hungry"),
    ];
    fs::write(at("cells.py"), RAISING).unwrap();
    let first = format!("python3 '{}'", at("cells.py").display());
    let words = ["--first", &first, "--second", "hungry", "--turns", "3", "--show", "none", "--record", "cells.jsonl"];
    agon(&[&["play", "petri"][..], &words].concat());
    agon(&["replay", "cells.jsonl", "--out", "cells.html"]);
    Pages { report: at("report.html"), cells: at("cells.html"), results: at("results.html"), games, _folder: folder }
});

/// Rust's escapes of a text as those of TOML.
fn unicode(text: &str) -> String {
    let mut parts = text.split("\\u{");
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (digits, rest) = part.split_once('}').unwrap();
        all += &format!("\\U{digits:0>8}{rest}");
    }
    all
}

/// The page of a game.
fn page_of(game: &str) -> &'static Path {
    &PAGES.games.iter().find(|(name, _)| *name == game).unwrap().1
}

/// Which step is shown, of how many: the first words of the status.
const STATUS: &str = "document.querySelector('.game .status').textContent.match(/^(the start|\\d+ of)/)?.[0]";

#[test]
fn every_page_fits_and_can_be_read() {
    let browser = Browser::new();
    let mut found = Vec::new();
    let games = PAGES.games.iter().map(|(_, page)| (page.as_path(), "ply=7"));
    let pages = [(PAGES.results.as_path(), ""), (&PAGES.report, ""), (&PAGES.report, "game=1&ply=99")];
    for (page, at) in pages.into_iter().chain(games) {
        for (width, dark) in [(360, false), (360, true), (1280, false), (1280, true)] {
            browser.shape(width, dark);
            browser.open(page, at);
            let wrong = browser.run(AUDIT);
            let name = page.file_name().unwrap().display();
            found.extend(
                wrong.as_array().unwrap().iter().map(|wrong| format!("{name}#{at} {width} dark {dark}: {wrong}")),
            );
            let colour = browser.of("getComputedStyle(document.body).backgroundColor");
            assert_eq!(colour, if dark { "rgb(22, 24, 27)" } else { "rgb(245, 243, 238)" });
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_kind_of_mark_can_be_read() {
    let browser = Browser::new();
    let mut seen: Vec<String> = Vec::new();
    for (name, page) in &PAGES.games {
        for dark in [false, true] {
            browser.shape(1280, dark);
            browser.open(page, "");
            // In one script: a step through the driver takes many times as long as in the page.
            let walked = browser.run(&format!(
                "const [wrong, kinds] = [[], []];
                 for (let step = 0; step < 40; step += 1) {{
                     document.querySelector('button[title=on]').click();
                     wrong.push(...(() => {{ {AUDIT} }})());
                     kinds.push(...[...document.querySelectorAll('.mark')].map((mark) => mark.dataset.on));
                 }}
                 return [wrong, kinds]"
            ));
            assert_eq!(walked[0], json!([]), "{name}, dark {dark}");
            seen.extend(walked[1].as_array().unwrap().iter().map(|kind| kind.as_str().unwrap().to_owned()));
        }
    }
    for kind in ["placed", "vacated", "side0", "side1", "stone0", "stone1"] {
        assert!(seen.iter().any(|known| known == kind), "{kind} is not among {seen:?}");
    }
}

#[test]
fn the_keys_work_at_once_after_choosing_a_game() {
    let browser = Browser::new();
    browser.open(&PAGES.report, "");
    browser.click(".games a[href='#game=2']");
    browser.until("document.activeElement.id", &json!("game"));
    browser.until(STATUS, &json!("the start"));
    let last = browser.of("document.querySelectorAll('.moves li').length").as_u64().unwrap();
    assert!(last > 4, "{last}");
    let seen_text = |key: Key, wanted: String| {
        browser.type_keys(key);
        browser.until(STATUS, &json!(wanted));
    };
    let scrolled = browser.of("scrollY");
    seen_text(Key::Right, "1 of".into());
    seen_text(Key::Space, "2 of".into());
    seen_text(Key::Right, "3 of".into());
    seen_text(Key::Left, "2 of".into());
    seen_text(Key::End, format!("{last} of"));
    seen_text(Key::Space, format!("{last} of"));
    seen_text(Key::Home, "the start".into());
    assert_eq!(browser.of("scrollY"), scrolled, "the keys scroll the page, too");
    // The same after another choice, and from nowhere in particular.
    browser.click(".games a[href='#game=3']");
    browser.until("document.activeElement.id", &json!("game"));
    seen_text(Key::Space, "1 of".into());
    browser.run("document.activeElement.blur()");
    seen_text(Key::Right, "2 of".into());
    // Keys with a modifier are the browser's.
    let prevented = browser.run(
        "const event = new KeyboardEvent('keydown', { key: 'ArrowLeft', altKey: true, bubbles: true, cancelable: true \
            });
         document.getElementById('game').dispatchEvent(event);
         return event.defaultPrevented",
    );
    assert_eq!(prevented, false);
    assert_eq!(browser.of(STATUS), "2 of");
    // The page of one game needs no choice.
    browser.open(page_of("renju"), "");
    seen_text(Key::Space, "1 of".into());
}

#[test]
fn buttons_keep_their_size() {
    let browser = Browser::new();
    for width in [360, 1280] {
        browser.shape(width, false);
        for (name, page) in &PAGES.games {
            browser.open(page, "");
            let boxes = "[...document.querySelectorAll('.controls button')].map((button) => {
                const { x, y, width, height } = button.getBoundingClientRect();
                return [x, y + scrollY, width, height];
            })";
            let first = browser.of(boxes);
            assert_eq!(first.as_array().unwrap().len(), 5);
            for button in first.as_array().unwrap() {
                assert_eq!((&button[2], &button[3]), (&json!(44), &json!(44)), "{name} at {width}");
            }
            for step in ["on", "on", "end"] {
                browser.click(&format!("button[title={step}]"));
                assert_eq!(browser.of(boxes), first, "{name} at {width} after {step}");
            }
        }
    }
}

#[test]
fn a_failed_game_says_why() {
    let browser = Browser::new();
    browser.open(&PAGES.report, "");
    // The first defeat of the agent that fails leads to the end of one of its games.
    browser.run(
        "[...document.querySelectorAll('th[scope=row]')].findLast((th) => th.textContent.includes('taken') && \
                 th.closest('[aria-label=defeats]')).parentNode.querySelector('a').click()",
    );
    browser.until("document.activeElement.id", &json!("game"));
    let seen_text = browser.of("document.querySelector('.failure').innerText");
    let seen_text = seen_text.as_str().unwrap();
    for part in [
        "failed: RE",
        "answered MOVE </pre><b id=bold>9",
        "last lines (> to the agent, < from it)",
        "s > READY",
        "s < OK",
        "s < MOVE </pre><b id=bold>9",
        "end of its error stream",
        "</script><script>window.taken = 1</script>\\u{202e}evil <img src=x",
    ] {
        assert!(seen_text.contains(part), "`{part}` is not in: {seen_text}");
    }
    // The names, too, are only words.
    let all = browser.of("document.documentElement.innerText");
    assert!(all.as_str().unwrap().contains("</script><script>window.taken = 3</script>\\u{202e}дурак"), "{all}");
    assert!(!all.as_str().unwrap().contains('\u{202e}'), "{all}");
    let harmless = browser.of("[typeof window.taken, document.querySelectorAll('#bold, main img').length]");
    assert_eq!(harmless, json!(["undefined", 0]));
    // A failing cell loses nothing by that, but is shown anyway.
    browser.open(&PAGES.cells, "");
    let seen_text = browser.of("document.querySelector('.failure').innerText");
    let seen_text = seen_text.as_str().unwrap();
    for part in
        ["action 1, the cell on (", " alike", "rested: ", "exit code 1", "input", "answer", "ValueError: </pre>"]
    {
        assert!(seen_text.contains(part), "`{part}` is not in: {seen_text}");
    }
    // If no agent failed, nothing is reported.
    browser.open(page_of("bacteria"), "");
    assert_eq!(browser.of("document.querySelectorAll('.failure').length"), 0);
}

#[test]
fn a_game_plays_itself_until_it_is_gone_through_by_hand() {
    let browser = Browser::new();
    browser.open(page_of("domineering"), "");
    let [button, pace] = ["document.querySelector('[data-act=play]').title", "document.querySelector('.pace select')"];
    assert_eq!(browser.of(button), "play");
    browser.run(&format!("{pace}.value = '16'; {pace}.dispatchEvent(new Event('change'))"));
    browser.click("[data-act=play]");
    let at = "Number(document.querySelector('.game').dataset.shown)";
    browser.until(&format!("{at} > 2"), &json!(true));
    assert_eq!(browser.of(button), "pause");
    // A step back by hand stops it.
    browser.click("button[title=back]");
    assert_eq!(browser.of(button), "play");
    // It continues to the end, and restarts from there.
    browser.type_keys("p");
    let last = browser.of("document.querySelectorAll('.moves li').length");
    browser.until(at, &last);
    browser.until(button, &json!("play"));
    browser.type_keys("p");
    browser.until(&format!("{at} < {last}"), &json!(true));
    browser.type_keys("p");
    assert_eq!(browser.of(button), "play");
    // The pace is remembered where the browser can.
    assert_eq!(browser.of(&format!("{pace}.value")), "16");
}

#[test]
fn an_address_leads_to_a_ply_and_follows_it() {
    let browser = Browser::new();
    browser.open(&PAGES.report, "game=3&ply=2");
    assert_eq!(browser.of(STATUS), "2 of");
    assert_eq!(browser.of("document.querySelector('.games a[aria-current]').textContent"), "3");
    browser.type_keys(Key::Right);
    browser.until("location.hash", &json!("#game=3&ply=3"));
    browser.click(".moves li:first-child a");
    browser.until(STATUS, &json!("1 of"));
    assert_eq!(browser.of("location.hash"), "#game=3&ply=1");
    assert_eq!(browser.of("document.querySelector('.moves [aria-current=step]').hash"), "#game=3&ply=1");
    browser.run("history.back()");
    browser.until(STATUS, &json!("3 of"));
    // The move that is shown can be seen in the list.
    for (game, ply) in [("petri", "ply=40"), ("renju", "ply=40"), ("domineering", "ply=26")] {
        browser.shape(360, false);
        browser.open(page_of(game), ply);
        let seen = browser.run(
            "const now = document.querySelector('.moves .now').getBoundingClientRect();
             const list = document.querySelector('.moves').getBoundingClientRect();
             return now.top >= list.top && now.bottom <= list.bottom",
        );
        assert_eq!(seen, true, "{game}");
    }
    // A wrong address shows what there is: the first game, which failed, at its failure.
    browser.open(&PAGES.report, "game=99&ply=x");
    assert_eq!(browser.of(STATUS), "1 of");
    assert!(browser.of("document.querySelector('.game .status').textContent").as_str().unwrap().contains(". Here "));
    browser.open(page_of("renju"), "ply=4");
    assert_eq!(browser.of(STATUS), "4 of");
    browser.type_keys(Key::Left);
    browser.until("location.hash", &json!("#ply=3"));
}

#[test]
fn the_page_says_who_when_and_how() {
    let browser = Browser::new();
    let has = |expression: &str, parts: &[&str]| {
        let found = browser.of(expression);
        let found = found.as_str().unwrap();
        for part in parts {
            assert!(found.contains(part), "`{part}` is not in `{found}`");
        }
    };
    let [day, version] = ["20", concat!("Agon ", env!("CARGO_PKG_VERSION"))];
    browser.open(&PAGES.report, "");
    has("document.title", &["Round-robin tournament of Bacteria War: 3 agents, 20"]);
    has("document.querySelector('main').innerText", &["6 games", day, "10 s a game for each side", "seed 1", version]);
    has("document.querySelector('main').innerText", &["O moves first, X second"]);
    browser.open(page_of("renju"), "ply=1");
    has("document.title", &["Renju: greedy (Black) – random (White), 20"]);
    has("document.querySelector('.players').textContent", &["greedy Black", "random White 10.0 s"]);
    has(
        "document.querySelector('.facts').textContent",
        &["UTC", "10 s a game for each side, 1024 MiB", "seed 3", version],
    );
    // Black is black, and White is white: next to the names, in the list of moves, and on the board.
    let colours = |selector: &str, colour: &str| {
        browser.of(&format!(
            "[...document.querySelectorAll('{selector}')].slice(0, 2).map((at) => getComputedStyle(at).{colour})"
        ))
    };
    let both = json!(["rgb(34, 34, 34)", "rgb(255, 255, 255)"]);
    for dark in [false, true] {
        browser.shape(1280, dark);
        assert_eq!(colours(".players .chip", "backgroundColor"), both);
        assert_eq!(colours(".moves .chip", "backgroundColor"), both);
        browser.click("button[title=on]");
        assert_eq!(
            json!([colours(".board circle.stone0", "fill")[0], colours(".board circle.stone1", "fill")[0]]),
            both
        );
        browser.click("button[title=back]");
    }
}

#[test]
fn everything_has_a_name_and_its_turn() {
    let browser = Browser::new();
    let nothing = json!([]);
    let pages = PAGES.games.iter().map(|(_, page)| page.as_path()).chain([PAGES.report.as_path(), &PAGES.results]);
    for page in pages {
        browser.open(page, "");
        let check = |expression: &str| assert_eq!(browser.of(expression), nothing, "{}: {expression}", page.display());
        check("[...document.querySelectorAll('th:not([scope])')].map((th) => th.outerHTML)");
        check(
            "[...document.querySelectorAll('tbody tr')].filter((row) => !row.querySelector('th[scope=row]')).map((row) \
                => row.innerText)",
        );
        check(
            "[...document.querySelectorAll('[role=img], [role=region], section.game, input, button, ol')].filter((at) \
                => \
               !at.getAttribute('aria-label')).map((at) => at.outerHTML)",
        );
        check(
            "[...document.querySelectorAll('[id]')].map((at) => at.id).filter((id, at, all) => all.indexOf(id) !== at)",
        );
        // Nothing is fetched.
        check("performance.getEntriesByType('resource').map((entry) => entry.name)");
    }
    browser.open(page_of("renju"), "ply=2");
    let board = browser.of("document.querySelector('.board svg').getAttribute('aria-label')");
    assert!(
        board.as_str().unwrap().starts_with("board, 2 of ") && board.as_str().unwrap().contains("White "),
        "{board}"
    );
    let label = browser.of("document.getElementById('game').getAttribute('aria-label')");
    assert_eq!(label, "Black greedy – White random");
    // The order of the focus is that of the page: the game, the middle of its board, its buttons, the slider, the pace,
    // the move that is shown.
    let place = "document.activeElement.dataset.at || document.activeElement.title || document.activeElement.type || \
        document.activeElement.id || document.activeElement.hash";
    let mut order = vec![browser.of(place)];
    for _ in 0..9 {
        browser.type_keys(Key::Tab);
        order.push(browser.of(place));
    }
    let buttons = ["start", "back", "play", "on", "end", "range", "select-one"];
    let expected: Vec<&str> = ["game", "112"].into_iter().chain(buttons).chain(["#ply=2"]).collect();
    assert_eq!(Value::Array(order), json!(expected));
    // Every place of the board has its words, and the arrow keys go from one to the next without a step of the game.
    let words =
        |at: usize| browser.of(&format!("document.querySelector('[data-at=\"{at}\"]').getAttribute('aria-label')"));
    assert_eq!(words(112), "H8: Black");
    assert_eq!(words(0), "A15: empty");
    browser.run("document.querySelector('[data-at=\"112\"]').focus()");
    browser.type_keys(Key::Right);
    assert_eq!(browser.of("document.activeElement.dataset.at"), "113");
    assert_eq!(browser.of("document.querySelectorAll('.cursor rect').length"), 1);
    assert_eq!(browser.of(STATUS), "2 of");
}

#[test]
fn a_dish_counts_from_zero() {
    let browser = Browser::new();
    browser.open(page_of("petri"), "");
    let labels = browser.of("[...document.querySelectorAll('.labels text')].map((text) => text.textContent)");
    let labels: Vec<&str> = labels.as_array().unwrap().iter().map(|label| label.as_str().unwrap()).collect();
    assert_eq!(labels, ["0", "1", "2", "3", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
    browser.type_keys(Key::Right);
    let dish = "document.querySelectorAll('.board circle.side0, .board circle.side1').length";
    assert!(browser.of(dish).as_u64().unwrap() >= 2);
    assert!(browser.of("document.querySelector('.facts').textContent").as_str().unwrap().contains("2 s an action"));
    assert_eq!(browser.of("document.querySelectorAll('.gauge').length"), 2);
}
