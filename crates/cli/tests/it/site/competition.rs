//! A competition from its making to its final, in a browser.

use serde_json::{Value, json};

use super::served::Served;
use super::{audit, folder, quick_bot, shows, sign_up, text, until_it_shows};
use crate::browser::Browser;

fn select(browser: &Browser, name: &str, value: &str) {
    browser.run(&format!("document.querySelector('[name={name}]').value = '{value}'"));
}

/// A user who follows an invitation, and submits the sample.
fn entrant(site: &Served, link: &str, name: &str) -> Browser {
    let browser = Browser::new();
    browser.shape(1280, false);
    let path = link.split(&site.host).nth(1).unwrap();
    sign_up(&browser, site, path, name);
    browser.click(".terms-box summary");
    shows(&browser, "by invitation: you are in");
    submit(&browser, site);
    until_it_shows(&browser, "it is on the ladder");
    browser
}

fn submit(browser: &Browser, site: &Served) {
    browser.visit(&site.address("/submit?contest=friday-six"));
    select(browser, "language", "PYTHON3");
    let quoted = Value::String(quick_bot("domineering.py"));
    browser.run(&format!("document.querySelector('textarea').value = {quoted}"));
    browser.click("main form button.primary");
}

/// The pages of a host, those of the competition at `page` among them.
fn audit_pages(host: &Browser, site: &Served, page: &str) {
    for path in [
        "/settings",
        "/rules",
        "/final",
        "/people",
        "/events",
        "/messages",
        "/today",
        "/unlikely",
        "/similarity",
        "/games",
    ] {
        let own = ["/settings", "/rules", "/final", "/people"].contains(&path);
        let path = if own { format!("{page}{path}") } else { site.address(&format!("/host{path}")) };
        host.visit(&path);
        audit(host);
    }
}

/// Begins a final, after its preview.
fn begin_final(host: &Browser, page: &str) {
    host.visit(&format!("{page}/final"));
    host.click("form[action$='/finals'] button");
    until_it_shows(host, "Begin this final?");
    shows(host, "2 programs · 4 games");
    audit(host);
    host.click("form[action$='/finals'] button.primary");
}

/// What is for a projector fits its window, and at the width of a tablet all columns of the people and of the ladder
/// are seen.
fn fits_projectors_and_tablets(host: &Browser, site: &Served, screen: &str, page: &str) {
    for path in [screen, "/tv", "/tv/wall"] {
        host.visit(&site.address(path));
        host.shape(1280, false);
        let fits = "document.documentElement.scrollHeight <= innerHeight || location.pathname";
        host.until(fits, &json!(true));
        let board = "document.querySelector('.board:not(:empty) svg')?.getBoundingClientRect().height > 250";
        assert!(path == screen || host.of(board) == json!(true), "{path}: a large board");
    }
    for path in [site.address("/ladder/friday-six"), format!("{page}/people")] {
        host.visit(&path);
        host.shape(768, false);
        let wide = "[...document.querySelectorAll('.people, .ladder')].map((table) => \
                    table.offsetWidth <= table.parentNode.clientWidth)";
        assert_eq!(host.of(wide), json!([true]), "{path}");
    }
}

/// Begins a weekly league on the overview; asks over the list of people, and takes no one out.
fn has_a_league(host: &Browser, site: &Served) {
    host.click("form[action$='/league'] button");
    until_it_shows(host, "End the weekly league");
    let people = host.of("document.querySelector('main a[href$=\"/people\"]').href");
    host.visit(&site.address("/ladder/friday-six/league"));
    shows(host, "Group 1");
    shows(host, "bob");
    audit(host);
    host.visit(people.as_str().unwrap());
    host.click("[popovertarget^=ask-remove]");
    host.until("document.querySelector('[popover]:popover-open button.danger')?.textContent", &json!("Take out"));
    audit(host);
    host.click("[popover]:popover-open [popovertargetaction=hide]");
    host.until("document.querySelector('[popover]:popover-open')", &Value::Null);
}

#[test]
fn a_competition_has_entrants_and_a_final() {
    let folder = folder();
    let site = Served::start(folder.path());
    let host = Browser::new();
    host.shape(1280, false);
    sign_up(&host, &site, site.link.as_ref().unwrap(), "host");
    host.visit(&site.address("/host/competitions"));
    audit(&host);
    host.click("main a[href$='game=domineering']");
    until_it_shows(&host, "A new competition of Domineering");
    audit(&host);
    host.fill("[name=title]", "Friday Six");
    host.fill("[name='parameter.rows']", "99");
    host.fill("[name=clock]", "2");
    select(&host, "entry", "invited");
    select(&host, "replays", "after");
    select(&host, "closes", "2100-01-01T00:00");
    host.click("main form button.primary");
    until_it_shows(&host, "rows is `99`; 1 to 8 expected");
    assert_eq!(host.of("document.querySelector('[name=title]').value"), "Friday Six");
    assert_eq!(host.of("document.querySelector('[aria-invalid]').name"), "parameter.rows");
    audit(&host);
    // The sample only knows boards of 8 rows.
    host.run("document.querySelector('[name=\"parameter.rows\"]').value = ''");
    host.fill("[name='parameter.largest']", "9");
    host.click("main form button.primary");
    until_it_shows(&host, "No one is in this competition yet");
    audit(&host);
    let page = host.of("location.pathname");
    let page = site.address(page.as_str().unwrap());
    host.click("main a[href$='/people']");
    until_it_shows(&host, "Names, a line each");
    host.fill("[name=note]", "class");
    host.click("form[action$='/invitations'] button");
    until_it_shows(&host, "shown this once");
    audit(&host);
    let link = host.of("document.querySelector('.secret').textContent");
    let link = link.as_str().unwrap();
    audit_pages(&host, &site, &page);
    let (ada, _bob) = (entrant(&site, link, "ada"), entrant(&site, link, "bob"));
    ada.visit(&site.address("/ladder/friday-six"));
    ada.click(".terms-box summary");
    for part in
        ["bot · by ada", "bot · by bob", "largest weight of a cell", "2 s a game", "open until 2100-01-01 00:00 UTC"]
    {
        shows(&ada, part);
    }
    audit(&ada);
    // Others do not see moves played before the end.
    let reader = Browser::new();
    let game = "document.querySelector('main tbody th a')?.pathname ?? null";
    let mut found = Value::Null;
    while found == Value::Null {
        reader.visit(&site.address("/games?contest=friday-six"));
        found = reader.of(game);
    }
    reader.visit(&site.address(found.as_str().unwrap()));
    until_it_shows(&reader, "shown after it closes");
    audit(&reader);
    begin_final(&host, &page);
    host.until("document.querySelector('main')?.innerText.includes('games played')", &json!(true));
    audit(&host);
    let address = host.of("location.pathname");
    let finals = "these are the final standings";
    for _ in 0..600 {
        if text(&host).contains(finals) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(200));
        host.visit(&site.address(address.as_str().unwrap()));
    }
    shows(&host, finals);
    shows(&host, "4 of 4 games played");
    audit(&host);
    let screen = format!("{}/screen", address.as_str().unwrap());
    for path in [&screen, "/finals", "/join", "/tv", "/tv/wall"] {
        host.visit(&site.address(path));
        audit(&host);
    }
    fits_projectors_and_tablets(&host, &site, &screen, &page);
    shows(&host, "ada");
    shows(&host, "playing 2");
    host.click("main a[href$='stage=playing']");
    until_it_shows(&host, "bot v1");
    audit(&host);
    host.visit(&page);
    shows(&host, "2 people");
    audit(&host);
    has_a_league(&host, &site);
    let (status, csv) = site.get(&format!("{}/standings.csv", address.as_str().unwrap()), &[]);
    assert_eq!((status, csv.lines().count()), (200, 3), "{csv}");
    host.visit(&page);
    host.click("details:has(form[action$='/close']) > summary");
    host.click("form[action$='/close'] button");
    until_it_shows(&host, "Open it again");
    submit(&ada, &site);
    until_it_shows(&ada, "This competition closed");
    assert_eq!(ada.of("document.querySelector('textarea').value.includes('def ')"), json!(true));
    ada.visit(&site.address("/ladder/friday-six"));
    shows(&ada, "Final of Friday Six");
}
