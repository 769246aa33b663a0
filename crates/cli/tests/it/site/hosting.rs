//! A host's other work, in a browser: comparing sources, exporting everything, and making the site read-only.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use super::served::{Served, request};
use super::{agents, audit, folder, killed, shows, sign_up, until_it_shows};
use crate::browser::Browser;

/// A program with its own text; names and comments are another's.
const OWN: &str = "
def search(position, depth, low, high):
    if depth == 0 or position.over():
        return evaluate(position) - 2 * len(position.holes)
    for move in sorted(position.moves(), key=lambda move: -history[move]):
        value = -search(position.after(move), depth - 1, -high, -low)
        if value >= high:
            history[move] += depth * depth
            return value
        low = max(low, value)
    return low
";

fn submit(site: &Served, token: &str, source: &str) {
    let body = json!({ "contest": "renju", "name": "bot", "language": "PYTHON3", "source": source }).to_string();
    let head = [("authorization", &*format!("Bearer {token}")), ("content-type", "application/json")];
    let (status, text) = request(&site.host, "POST", "/api/v1/submissions", &body, &head);
    assert_eq!(status, 201, "{text}");
}

fn host_of(site: &Served) -> Browser {
    let host = Browser::new();
    host.shape(1280, false);
    sign_up(&host, site, site.link.as_ref().unwrap(), "host");
    host.visit(&site.address("/host"));
    host
}

#[test]
fn a_host_compares_all_sources() {
    let folder = folder();
    let site = Served::start_with(folder.path(), &["--workers", "0"]);
    let start = agents("renju/sample.py");
    let copied = OWN.replace("position", "p").replace("depth", "n").replace("history", "h");
    for (name, source) in [("ada", format!("{start}{OWN}")), ("bob", format!("{copied}{start}")), ("eve", start)] {
        submit(&site, &killed::token(folder.path(), name), &source);
    }
    let host = host_of(&site);
    host.click("a[href='/host/similarity']");
    until_it_shows(&host, "Nothing has been compared");
    audit(&host);
    host.click("form[action='/host/similarity'] button");
    until_it_shows(&host, "3 versions, compared");
    assert_eq!(
        host.of("document.querySelectorAll('tbody tr').length"),
        1,
        "who has the sample alone has copied noname"
    );
    for part in ["bot v1 by ada", "bot v1 by bob", "Renju"] {
        shows(&host, part);
    }
    audit(&host);
    host.click("tbody td a");
    until_it_shows(&host, "They share one part");
    assert_eq!(host.of("document.querySelector('#a1').textContent.includes('sorted(position.moves()')"), json!(true));
    assert_eq!(host.of("document.querySelector('#b1').textContent.includes('sorted(p.moves()')"), json!(true));
    host.click("#a1 a");
    assert_eq!(host.of("location.hash"), "#b1");
    audit(&host);
}

#[test]
fn a_host_takes_everything_away_and_a_user_his_own() {
    let folder = folder();
    let site = Served::start_with(folder.path(), &["--workers", "0"]);
    let host = host_of(&site);
    let user = Browser::new();
    user.shape(1280, false);
    sign_up(&user, &site, "/signup", "ada");
    user.visit(&site.address("/me"));
    audit(&user);
    for (browser, path, name) in
        [(&host, "/host/export", "agon-site.tar.gz"), (&user, "/me/export", "agon-my-programs.tar.gz")]
    {
        assert_eq!(browser.of(&format!("document.querySelector('a[href=\"{path}\"]').download")), name);
        // What a click would download.
        let taken = "const answer = await fetch(path); const bytes = new Uint8Array(await answer.arrayBuffer());
                     const text = await new Response(new Blob([bytes]).stream().pipeThrough(new \
                     DecompressionStream('gzip'))).text();
                     return [answer.status, answer.headers.get('content-disposition'), \
                     text.includes('\"name\":\"ada\"'), text.includes('\"name\":\"host\"')]";
        let found = browser.run(&format!("return (async (path) => {{ {taken} }})('{path}')"));
        let wanted = json!([200, format!("attachment; filename=\"{name}\""), true, path == "/host/export"]);
        assert_eq!(found, wanted);
    }
}

#[test]
fn a_host_makes_the_site_read_only_and_lets_it_go_on() {
    let folder = folder();
    let site = Served::start_with(folder.path(), &["--workers", "0"]);
    let host = host_of(&site);
    let user = Browser::new();
    user.shape(1280, false);
    sign_up(&user, &site, "/signup", "ada");
    host.click("form[action='/host/read-only'] summary");
    host.click("form[action='/host/read-only'] button");
    until_it_shows(&host, "The site is read-only: nothing is changed or played.");
    audit(&host);
    user.visit(&site.address("/submit?game=renju&sample=1"));
    shows(&user, "The site is read-only for a while");
    audit(&user);
    user.click("main form button.primary");
    until_it_shows(&user, "try again later.");
    assert_eq!(user.of("document.querySelector('.own').innerText.includes('ada')"), json!(true));
    audit(&user);
    host.click("form[action='/host/read-only'] button");
    until_it_shows(&host, "While the site is read-only");
    assert_eq!(host.of("document.querySelector('[role=status]')"), Value::Null);
    user.visit(&site.address("/submit?game=renju&sample=1"));
    user.click("main form button.primary");
    until_it_shows(&user, "next in the queue");
    audit(&user);
}

/// Rules that pass their check open a game at once; others are kept nowhere.
#[test]
fn a_host_uploads_rules() {
    let folder = folder();
    let heap = folder.path().join("heap");
    let made = Command::new(env!("CARGO_BIN_EXE_agon")).args(["game", "new", "heap", "python"]).arg(&heap).output();
    assert!(made.as_ref().is_ok_and(|made| made.status.success()), "{made:?}");
    let source = fs::read_to_string(heap.join("rules.py")).unwrap();
    let site = Served::start_with(folder.path(), &["--workers", "0"]);
    let host = host_of(&site);
    host.click("a[href='/host/games']");
    until_it_shows(&host, "Games of your own");
    audit(&host);
    let upload = |file: &str, source: &str, expected: &str| {
        for (field, value) in [("file", file), ("source", source)] {
            host.run(&format!("document.querySelector('main [name={field}]').value = {}", json!(value)));
        }
        host.click("form[action='/host/games'] button");
        until_it_shows(&host, expected);
    };
    upload("../heap.py", &source, "needs a plain name");
    upload("wrong.py", "print('nothing')", "do not pass their check");
    audit(&host);
    // A file that is dropped is read, and gives its name.
    let drop = "const file = new File(['# dropped'], 'dropped.py'); const data = new DataTransfer();
        data.items.add(file); const form = document.querySelector('[data-rules]');
        form.elements.file.value = '';
        form.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))";
    host.run(drop);
    host.until("document.querySelector('[name=source]').value", &json!("# dropped"));
    assert_eq!(host.of("document.querySelector('[name=file]').value"), "dropped.py");
    // The game is open at once, and its files can be taken home.
    upload("heap.py", &source, "the game is open: /ladder/heap");
    until_it_shows(&host, "6 random games");
    assert_eq!(site.get("/ladder/heap", &[]).0, 200);
    let page = site.get("/rules/heap", &[]).1;
    assert!(page.contains("agon check BOT --server http://") && !page.contains("agon new"), "{page}");
    assert_eq!(site.get("/rules/heap/files/rules.py", &[]), (200, source.clone()));
    assert_eq!(site.get("/rules/heap/files/site.db", &[]).0, 404);
    let play = |home: &str, words: &[&str]| {
        let home = folder.path().join(home);
        fs::create_dir_all(&home).unwrap();
        let mut agon = Command::new(env!("CARGO_BIN_EXE_agon"));
        agon.args(words).current_dir(&home).env("AGON_CACHE", home.join("cache")).env("AGON_JAIL", "none");
        agon.output().unwrap()
    };
    let server = site.address("");
    let words =
        ["play", "--server", &server, "--game", "heap", "--second", "random", "--show", "none", "--out", "a.jsonl"];
    let played = play("home", &words);
    assert!(played.status.success(), "{played:?}");
    let proved = play("home", &["replay", "a.jsonl", "--server", &server, "--show", "none"]);
    assert!(String::from_utf8_lossy(&proved.stdout).contains("proved"), "{proved:?}");
    let unknown = play("home", &["play", "--server", &server, "--game", "chess"]);
    let said = String::from_utf8_lossy(&unknown.stderr).into_owned();
    assert!(unknown.status.code() == Some(2) && said.contains("has no game `chess`"), "{said}");
    upload("heap.py", &source, "These rules are here already");
    // Another comment is another version, beside the first one.
    upload("heap.py", &format!("# another comment\n{source}"), "the game is open: /ladder/heap-2");
    let mut kept: Vec<_> =
        fs::read_dir(folder.path().join("site/rules")).unwrap().flatten().map(|entry| entry.file_name()).collect();
    kept.sort();
    assert_eq!(kept, ["heap-2.py", "heap.py", "versions"]);
    site.kill();
    let again = Served::start_with(folder.path(), &["--workers", "0"]);
    let (status, rules) = again.get("/rules", &[]);
    assert!(status == 200 && rules.contains("Heap"), "{rules}");
    assert_eq!([again.get("/ladder/heap", &[]).0, again.get("/ladder/heap-2", &[]).0], [200, 200]);
    again.kill();
    // The pages as files have the game, too.
    let mut export = Command::new(env!("CARGO_BIN_EXE_agon"));
    let (pages, data) = (folder.path().join("pages"), folder.path().join("site"));
    let out = export.args(["serve", "export", "--static"]).arg(&pages).arg("--data").arg(&data).output().unwrap();
    assert!(out.status.success() && out.stderr.is_empty(), "{out:?}");
    assert!(fs::read_to_string(pages.join("rules.html")).unwrap().contains("Heap"));
    assert_eq!(fs::read_to_string(pages.join("rules/heap/files/rules.py")).unwrap(), source);
}

/// Old games keep their rules when these change. Without the rules, pages say so, and nothing is tried over and over.
#[test]
fn versions_of_rules_live_side_by_side() {
    let folder = folder();
    let heap = folder.path().join("heap");
    let made = Command::new(env!("CARGO_BIN_EXE_agon")).args(["game", "new", "heap", "python"]).arg(&heap).output();
    assert!(made.as_ref().is_ok_and(|made| made.status.success()), "{made:?}");
    let given = ["--rules", heap.to_str().unwrap()];
    let site = Served::start_with(folder.path(), &given);
    let token = killed::token(folder.path(), "ada");
    let sample = fs::read_to_string(heap.join("sample.py")).unwrap();
    let submit = |site: &Served, contest: &str, source: &str| {
        let body = json!({ "contest": contest, "name": "bot", "language": "PYTHON3", "source": source }).to_string();
        let head = [("authorization", &*format!("Bearer {token}")), ("content-type", "application/json")];
        request(&site.host, "POST", "/api/v1/submissions", &body, &head)
    };
    let passed = |site: &Served, version: i64| {
        let begun = std::time::Instant::now();
        while site.json(&format!("/api/v1/versions/{version}"), &token)["state"] != "passed" {
            assert!(begun.elapsed().as_secs() < 120, "version {version} is not checked");
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    };
    assert!(site.get("/rules/heap", &[]).1.contains("agon new --server http://"));
    assert_eq!(site.get("/rules/heap/files/sample.py", &[]), (200, sample.clone()));
    assert_eq!(submit(&site, "heap", &sample).0, 201);
    passed(&site, 1);
    assert_eq!(site.get("/game/1", &[]).0, 200);
    site.kill();

    // Another comment: the old ladder goes on with its rules, the new ones have a ladder of their own.
    let rules = heap.join("rules.py");
    fs::write(&rules, format!("# another comment\n{}", fs::read_to_string(&rules).unwrap())).unwrap();
    let site = Served::start_with(folder.path(), &given);
    for path in ["/game/1", "/ladder/heap", "/ladder/heap-2", "/rules/heap", "/tv"] {
        assert_eq!(site.get(path, &[]).0, 200, "{path}");
    }
    assert_eq!(submit(&site, "heap", &format!("# again\n{sample}")).0, 201);
    passed(&site, 2);
    assert_eq!(submit(&site, "heap-2", &sample).0, 201);
    passed(&site, 3);
    site.kill();

    // Without any rules, nothing fails.
    fs::remove_dir_all(folder.path().join("site/rules")).unwrap();
    let site = Served::start(folder.path());
    for path in ["/", "/ladder/heap", "/rules/heap", "/tv", "/queue", "/games", "/program/1"] {
        assert_eq!(site.get(path, &[]).0, 200, "{path}");
    }
    let (status, page) = site.get("/game/1", &[]);
    assert!(status == 200 && page.contains("rules of this game are missing"), "{page}");
    let (status, refused) = submit(&site, "heap", &format!("# once more\n{sample}"));
    assert!(status >= 400 && refused.contains("rules of this game are missing"), "{status}: {refused}");
}
