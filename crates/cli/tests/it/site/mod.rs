//! `agon serve` as its users meet it: in a real browser, and killed.

mod before;
mod competition;
mod hosting;
mod killed;
mod recovery;
pub mod served;
mod shared;
mod shell;
mod soak;
mod teams;
mod visiting;

use std::fs;
use std::path::{Path, PathBuf};

use crate::agon::run::quick_bot;
use crate::browser::{Browser, Key};
use assert_cmd::Command;
use serde_json::{Value, json};
use served::Served;

/// Finds visible mistakes on a page.
const AUDIT: &str = include_str!("../pages/audit.js");

fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// Checks that the page fits and can be read, on a telephone and on a desk, by day and by night.
#[track_caller]
fn audit(browser: &Browser) {
    let here = browser.of("location.pathname");
    for (width, dark) in [(360, false), (360, true), (1280, false), (1280, true), (768, false)] {
        browser.shape(width, dark);
        assert_eq!(browser.run(AUDIT), json!([]), "{here} {width} dark {dark}");
    }
    let unnamed = "[...document.querySelectorAll('input:not([type=hidden]), select, textarea:not([hidden]), \
        button')].filter((at) => \
                     !at.labels?.length && !at.getAttribute('aria-label') && !at.textContent.trim()).map((at) => \
                     at.outerHTML)";
    assert_eq!(browser.of(unnamed), json!([]), "{here}");
    // Nothing is requested from any other host.
    let foreign = "performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => \
        !name.startsWith(location.origin))";
    assert_eq!(browser.of(foreign), json!([]), "{here}");
}

#[track_caller]
fn text(browser: &Browser) -> String {
    browser.of("document.querySelector('main').innerText").as_str().unwrap().to_owned()
}

/// A text without the differences between places where a message appears: its first letter, and the signs of quoted
/// code.
fn plain(text: &str) -> String {
    text.replace('`', "").to_lowercase()
}

#[track_caller]
fn shows(browser: &Browser, part: &str) {
    let found = text(browser);
    assert!(plain(&found).contains(&plain(part)), "`{part}` is not in: {found}");
}

/// Waits until the page shows a text.
#[track_caller]
fn until_it_shows(browser: &Browser, part: &str) {
    let quoted = json!(plain(part));
    let text = "document.querySelector('main')?.innerText.replaceAll('`', '').toLowerCase()";
    // What it shows instead says what is wrong.
    browser.until(&format!("{text}.includes({quoted}) || {text}"), &json!(true));
}

fn sign_up(browser: &Browser, site: &Served, path: &str, name: &str) {
    browser.visit(&site.address(path));
    browser.fill("main input[name=name]", name);
    browser.fill("main input[name=password]", "correct horse");
    browser.click("main form button");
    browser.until("document.querySelector('.own')?.innerText.includes('Sign out')", &json!(true));
}

/// A bot for renju that plays the same move twice.
const REPEATING: &str = r#"
import sys
for line in sys.stdin:
    if line.startswith("READY"):
        print("OK", flush=True)
    if line.startswith("TURN"):
        print("MOVE 8 8", flush=True)
"#;

#[test]
fn a_participants_first_day() {
    let folder = folder();
    let site = Served::start(folder.path());
    let browser = Browser::new();
    browser.shape(1280, false);
    browser.visit(&site.address("/"));
    shows(&browser, "Programs that play against each other");
    audit(&browser);
    for path in [
        "/signin",
        "/signup",
        "/submit",
        "/rules",
        "/rules/renju",
        "/games",
        "/queue",
        "/design",
        "/api",
        "/ladder/petri",
        "/search?q=x",
    ] {
        browser.visit(&site.address(path));
        audit(&browser);
    }
    sign_up(&browser, &site, "/signup", "ada");
    // From the rules to the ladder in three clicks, with nothing typed.
    browser.visit(&site.address("/rules/bacteria"));
    browser.click("a[href*='sample=PYTHON3']");
    browser.until("document.querySelector('textarea').value.includes('def choose')", &json!(true));
    audit(&browser);
    browser.click("main form button.primary");
    until_it_shows(&browser, "it is on the ladder");
    audit(&browser);
    // A version that does not compile is kept, and says why.
    browser.visit(&site.address("/submit?game=bacteria"));
    assert_eq!(browser.of("document.querySelector('[name=name]').value"), "bot");
    browser.run("document.querySelector('[name=language]').value = 'C20'");
    browser.fill("textarea", "int main( { }");
    browser.click("main form button.primary");
    until_it_shows(&browser, "has failed");
    shows(&browser, "C20 does not compile it");
    shows(&browser, "The version before plays on");
    audit(&browser);
    // The mistake in a form is above it, with the input.
    browser.visit(&site.address("/submit?game=renju"));
    browser.fill("textarea", "hello");
    browser.click("main form button.primary");
    until_it_shows(&browser, "does not show the language");
    assert_eq!(browser.of("document.querySelector('textarea').value"), "hello");
    audit(&browser);
    // One that fails in its check game: the page opens there, with what is next to the board.
    browser.visit(&site.address("/submit?game=renju"));
    browser.run("document.querySelector('[name=language]').value = 'PYTHON3'");
    browser.run(&format!("document.querySelector('textarea').value = {}", json!(REPEATING)));
    browser.click("main form button.primary");
    until_it_shows(&browser, "has failed");
    browser.click("main a[href^='/game/']");
    until_it_shows(&browser, "Here Black answered `MOVE 8 8` (H8)");
    // The colour of other rings on wood is another one.
    browser.shape(1280, false);
    let ring = "getComputedStyle(document.querySelector('.tone-failed circle')).stroke";
    assert_eq!(browser.of(ring), "rgb(140, 29, 18)");
    browser.until("document.querySelector('.curve-words')?.textContent.startsWith('after 2: ')", &json!(true));
    audit(&browser);
    watch(&browser, &site);
    browser.visit(&site.address("/me"));
    audit(&browser);
    browser.click(".own button");
    browser.until("document.querySelector('.own')?.innerText.includes('Sign in')", &json!(true));
}

/// A live game, then the same and others in full, by keys; the ladder and the program's page.
fn watch(browser: &Browser, site: &Served) {
    let games = "document.querySelectorAll('main .outcome').length";
    let mut known = 0;
    while known < 3 {
        browser.visit(&site.address("/games?game=bacteria"));
        known = browser.of(games).as_u64().unwrap();
    }
    audit(browser);
    browser
        .run("[...document.querySelectorAll('main table')].at(-1).querySelector('tbody tr:last-child th a').click()");
    browser.until("document.getElementById('game') !== null", &json!(true));
    browser.until("document.querySelectorAll('.moves li').length > 4", &json!(true));
    audit(browser);
    let status = "document.querySelector('.game .status').textContent.match(/^(the start|\\d+ of)/)?.[0]";
    // It opens at its end, with a button on the board that plays it from its start.
    let shown = "Number(document.querySelector('.game').dataset.shown)";
    let last = browser.of(shown);
    browser.click(".board .watch");
    browser.until(&format!("{shown} < {last} && document.querySelector('[data-act=play]').title"), &json!("pause"));
    assert_eq!(browser.of("document.querySelector('.watch')"), Value::Null);
    browser.run("document.getElementById('game').focus()");
    browser.type_keys(Key::Home);
    browser.until(status, &json!("the start"));
    browser.type_keys(Key::Right);
    browser.until(&format!("{status} !== 'the start'"), &json!(true));
    // The moves of its opening count.
    let first: u64 = browser.of(status).as_str().unwrap().trim_end_matches(" of").parse().unwrap();
    assert_eq!(browser.of("document.querySelector('.game .moves').start"), json!(first));
    for (key, wanted) in [(Key::Space, first + 1), (Key::Left, first)] {
        browser.type_keys(key);
        browser.until(status, &json!(format!("{wanted} of")));
    }
    let address = browser.of("location.href");
    browser.visit("about:blank");
    browser.visit(&format!("{}#ply=3", address.as_str().unwrap().split('#').next().unwrap()));
    browser.until(status, &json!(format!("{} of", first + 2)));
    browser.visit(&site.address("/ladder/bacteria"));
    shows(browser, "bot · by ada");
    audit(browser);
    browser.click("tr.own th a");
    until_it_shows(browser, "By opponent");
    audit(browser);
    browser.click("main a[href^='/versus/']");
    until_it_shows(browser, "rated game");
    audit(browser);
}

#[test]
fn a_live_game_is_followed_to_its_end() {
    let folder = folder();
    let site = Served::start(folder.path());
    let browser = Browser::new();
    sign_up(&browser, &site, "/signup", "ada");
    // Slow enough to be watched.
    let slow = quick_bot("renju.py")
        .replace("import sys", "import sys, time")
        .replace("        elif command == \"TURN\":", "        elif command == \"TURN\":\n            time.sleep(0.4)");
    assert!(slow.contains("time.sleep"));
    browser.visit(&site.address("/submit?game=renju"));
    browser.run("document.querySelector('[name=language]').value = 'PYTHON3'");
    let quoted = Value::String(slow);
    browser.run(&format!("document.querySelector('textarea').value = {quoted}"));
    browser.click("main form button.primary");
    until_it_shows(&browser, "Watch the check game");
    // In Korean the texts of a stream are said anew.
    browser.click(".languages [value=ko]");
    browser.until("document.documentElement.lang", &json!("ko"));
    let game = browser.of("document.querySelector('.links a[href^=\"/game/\"]').href");
    browser.visit(game.as_str().unwrap());
    browser.run("window.faults = []; addEventListener('error', (event) => window.faults.push(event.message))");
    browser.until("document.querySelectorAll('#live .moves li').length > 1", &json!(true));
    browser.until("/승|무승부/.test(document.querySelector('.result').textContent)", &json!(true));
    // Then nothing is live any more, the game can be played again, and there is a way to the next.
    browser.until("document.getElementById('over').hidden", &json!(false));
    let rest = "[document.querySelectorAll('.live-mark').length, document.querySelector('[data-act=play]').disabled,
                 document.querySelectorAll('.to-move').length, window.faults]";
    assert_eq!(browser.of(rest), json!([0, false, 0, []]));
    browser.click("[data-act=play]");
    browser.until("Number(document.querySelector('.game').dataset.shown) > 1", &json!(true));
    browser.run("navigator.share = (shared) => { window.shared = shared.url; return Promise.resolve(); }");
    browser.click("#share");
    assert_eq!(browser.of("window.shared === location.href"), json!(true));
    browser.click("#over [href='/watch']");
    // To a game that is being played, or to all games.
    browser.until("window.faults === undefined && /^.games?(.\\d+)?$/.test(location.pathname)", &json!(true));
    browser.visit(game.as_str().unwrap());
    browser.until("document.querySelectorAll('#game .moves li').length > 1", &json!(true));
    // One press shares the position that is shown; without means of the device, its address is copied.
    browser.run("delete navigator.share; navigator.clipboard.writeText = async (text) => (window.copied = text)");
    browser.click("button[title='처음']");
    browser.click("#share");
    browser.until("document.querySelector('.share-now [role=status]').textContent", &json!("링크를 복사했습니다."));
    assert_eq!(browser.of("window.copied === `${location.origin}${location.pathname}?ply=0`"), json!(true));
}

fn agents(file: &str) -> String {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../agents").join(file);
    fs::read_to_string(&path).unwrap()
}

#[test]
fn a_hosts_day() {
    let folder = folder();
    let site = Served::start(folder.path());
    let browser = Browser::new();
    sign_up(&browser, &site, site.link.as_ref().unwrap(), "host");
    browser.visit(&site.address("/host"));
    shows(&browser, "Anybody may sign up.");
    audit(&browser);
    browser.click("form[action='/host/open'] button");
    until_it_shows(&browser, "Only those who are invited may sign up.");
    browser.fill("[name=text]", "The final is on Friday");
    browser.click("form[action='/host/announcements'] button");
    until_it_shows(&browser, "The final is on Friday");
    browser.fill("[name=note]", "class 7b");
    browser.click("form[action='/host/invitations'] button");
    until_it_shows(&browser, "shown this once");
    let link = browser.of("document.querySelector('.secret').textContent");
    audit(&browser);
    browser.visit(&site.address("/host/unlikely"));
    shows(&browser, "There are none.");
    audit(&browser);
    browser.visit(&site.address("/host/events"));
    shows(&browser, "invitation created");
    audit(&browser);
    browser.run("document.querySelector('select').value = 'role-changed'");
    browser.click("main form button");
    // The page before has this row, too.
    browser.until("document.querySelectorAll('tbody tr').length", &json!(1));
    shows(&browser, "administrator, by an invitation");
    browser.visit(&site.address("/me"));
    browser.fill("form[action='/me/totp'] input", "correct horse");
    browser.click("form[action='/me/totp'] button");
    until_it_shows(&browser, "Scan this code");
    assert_eq!(browser.of("document.querySelector('main svg').getBoundingClientRect().width >= 200"), json!(true));
    audit(&browser);
    let guest = Browser::new();
    guest.visit(&site.address("/signup"));
    shows(&guest, "open by invitation");
    guest.visit(link.as_str().unwrap());
    shows(&guest, "You are invited.");
    guest.fill("main input[name=name]", "ada");
    guest.fill("main input[name=password]", "correct horse");
    guest.click("main form button");
    guest.until("document.querySelector('.own')?.innerText.includes('Sign out')", &json!(true));
    guest.visit(&site.address("/"));
    shows(&guest, "The final is on Friday");
    browser.visit(&site.address("/host"));
    browser.click("tbody tr:first-child a");
    until_it_shows(&browser, "A frozen account cannot sign in");
    audit(&browser);
    browser.click("form[action$='/freeze'] button");
    until_it_shows(&browser, "Let it go on");
    guest.visit(&site.address("/me"));
    until_it_shows(&guest, "Sign in");
    let used = site.get(link.as_str().unwrap().split(&site.host).nth(1).unwrap(), &[]);
    assert_eq!(used.0, 404, "a link for one account is used once");
    drop(site);
    let again = Served::start(folder.path());
    assert_eq!(again.link, None, "there is an administrator");
    let store = folder.path().join("backup.db");
    let rules = folder.path().join("site/rules");
    fs::create_dir_all(&rules).unwrap();
    fs::write(rules.join("tictactoe.py"), "the rules").unwrap();
    let mut backup = Command::new(env!("CARGO_BIN_EXE_agon"));
    backup.args(["serve", "backup", "--data"]).arg(folder.path().join("site")).arg(&store).assert().success();
    let copy = rusqlite::Connection::open(&store).unwrap();
    let names: i64 = copy.query_row("SELECT count(*) FROM account", [], |row| row.get(0)).unwrap();
    assert_eq!(names, 2);
    let kept = fs::read_to_string(folder.path().join("backup.db.rules/tictactoe.py"));
    assert_eq!(kept.unwrap(), "the rules");
    // A refused request leaves nothing.
    let taken = folder.path().join("taken.db");
    fs::write(&taken, "").unwrap();
    let mut again = Command::new(env!("CARGO_BIN_EXE_agon"));
    again.args(["serve", "backup", "--data"]).arg(folder.path().join("site")).arg(&taken).assert().code(2);
    assert!(!folder.path().join("taken.db.rules").exists());
}
