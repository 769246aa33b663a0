//! Two people who play by link, each in a separate browser, across a restart of the site.

use serde_json::json;

use super::served::Served;
use super::{audit, folder, until_it_shows};
use crate::browser::Browser;

/// Plays on a place of the board, once it is the visitor's turn.
fn play(browser: &Browser, at: usize) {
    browser.until("document.title.startsWith('●')", &json!(true));
    let [x, y] = [0, 1].map(|axis| {
        let found = browser.run(&format!(
            "const svg = document.querySelector('#board svg');
             svg.scrollIntoView({{ block: 'center' }});
             const columns = document.querySelector('#board [role=row]').children.length;
             const {{ left, top, width }} = svg.getBoundingClientRect();
             const seen = svg.viewBox.baseVal;
             const scale = width / seen.width;
             return [left + (50 + 40 * ({at} % columns) - seen.x) * scale, top + (50 + 40 * Math.floor({at} / \
             columns) - seen.y) * scale].map(Math.round)"
        ));
        found[axis].as_i64().unwrap()
    });
    browser.click_at([x, y]);
}

/// Waits until this number of moves is listed.
fn until_moves(browser: &Browser, count: usize) {
    browser.until("document.querySelectorAll('#moves li').length", &json!(count));
}

#[test]
fn two_people_play_by_link() {
    let folder = folder();
    let site = Served::start(folder.path());
    let [host, guest, watcher] = [Browser::new(), Browser::new(), Browser::new()];
    host.shape(1280, false);
    guest.shape(360, true);
    host.visit(&site.address("/board/renju"));
    host.click("a[href^='/board/invite']");
    until_it_shows(&host, "You get a link for the other seat");
    assert_eq!(host.of("document.querySelector('[name=game]').value"), "renju");
    audit(&host);
    host.shape(1280, false);
    host.run(
        "document.querySelector('[name=side]').value = 'first'; document.querySelector('[name=clock]').value = '300+0'",
    );
    host.click("main form button.primary");
    until_it_shows(&host, "Send this link");
    // The address only allows watching.
    assert_eq!(host.of("location.hash"), "");
    let link = host.of("document.getElementById('invitation').value");
    let link = link.as_str().unwrap().to_owned();
    assert!(link.contains("#second="), "{link}");
    audit(&host);
    host.shape(1280, false);
    guest.visit(&link);
    until_it_shows(&guest, "White: a guest (you)");
    host.until("document.getElementById('invite').hidden", &json!(true));
    play(&host, 7 * 15 + 7);
    until_moves(&guest, 1);
    // A move out of turn is refused.
    host.until("document.title.startsWith('●')", &json!(false));
    play(&guest, 6 * 15 + 7);
    until_moves(&host, 2);
    watcher.visit(link.split_once('#').unwrap().0);
    until_it_shows(&watcher, "You are watching");
    until_moves(&watcher, 2);
    audit(&watcher);
    assert_eq!(watcher.of("document.getElementById('resign').hidden"), json!(true));
    play(&host, 6 * 15 + 8);
    for browser in [&guest, &watcher] {
        until_moves(browser, 3);
    }
    audit(&guest);
    guest.shape(360, true);
    // A restart at the same address loses nothing, and no one has to reload the page.
    let listen = site.host.clone();
    site.kill();
    let site = Served::start_at(folder.path(), &listen);
    play(&guest, 8 * 15 + 8);
    for browser in [&host, &watcher] {
        until_moves(browser, 4);
    }
    // An earlier position has a way back without keys.
    watcher.run("document.querySelector('#moves li button').click()");
    until_it_shows(&watcher, "After move 1 of 4.");
    watcher.click("#newest");
    watcher.until("document.getElementById('newest') === null", &json!(true));
    // A move is taken back if the other player agrees, and a draw is declined, all with keys.
    guest.type_keys("u");
    until_it_shows(&host, "White asks to take a move back.");
    until_it_shows(&guest, "Black has not answered yet.");
    audit(&host);
    host.shape(1280, false);
    host.type_keys("y");
    for browser in [&host, &guest, &watcher] {
        until_moves(browser, 3);
    }
    play(&guest, 8 * 15 + 8);
    until_moves(&host, 4);
    host.type_keys("d");
    until_it_shows(&guest, "Black offers a draw.");
    guest.type_keys("n");
    until_it_shows(&host, "White declines a draw.");
    guest.click("#resign");
    guest.click("#resign");
    for (browser, message) in
        [(&host, "you), win: White resigns"), (&guest, "wins: White resigns"), (&watcher, "wins: White resigns")]
    {
        until_it_shows(browser, message);
    }
    audit(&host);
    host.shape(1280, false);
    let record = host.of("document.getElementById('record').getAttribute('href')");
    let (status, text) = site.get(record.as_str().unwrap(), &[]);
    assert!(status == 200 && text.contains("\"termination\":\"resignation\""), "{text}");
    // Once more, with the seats swapped.
    guest.click("#again");
    until_it_shows(&host, "White wants to play again");
    let before = host.of("location.pathname");
    host.click("#again");
    for browser in [&host, &guest] {
        browser.until(
            &format!("location.pathname !== {before} && document.querySelectorAll('#board svg').length === 1"),
            &json!(true),
        );
    }
    play(&guest, 7 * 15 + 7);
    until_moves(&host, 1);
    until_it_shows(&host, "White: a guest (you)");
    watcher.until("document.getElementById('next').hidden", &json!(false));
}
