//! A team from its making to its program on the ladder, in two browsers.

use serde_json::{Value, json};

use super::served::Served;
use super::{audit, folder, quick_bot, shows, sign_up, until_it_shows};
use crate::browser::Browser;

#[test]
fn two_people_share_a_program() {
    let folder = folder();
    let site = Served::start(folder.path());
    let [ada, bob] = [Browser::new(), Browser::new()];
    for (browser, name) in [(&ada, "ada"), (&bob, "bob")] {
        browser.shape(1280, false);
        sign_up(browser, &site, "/signup", name);
    }
    ada.click("a[href='/me']");
    ada.click("a[href='/teams']");
    until_it_shows(&ada, "You are not in a team yet.");
    ada.fill("main input[name=name]", "bob");
    ada.click("form[action='/teams'] button");
    until_it_shows(&ada, "this name is taken");
    assert_eq!(ada.of("document.querySelector('main input[name=name]').value"), "bob");
    audit(&ada);
    ada.run("document.querySelector('main input[name=name]').value = ''");
    ada.fill("main input[name=name]", "Stones");
    ada.click("form[action='/teams'] button");
    until_it_shows(&ada, "a team, made");
    let team = ada.of("location.pathname");
    let team = site.address(team.as_str().unwrap());
    ada.fill("main input[name=name]", "bob");
    ada.click("form[action$='/members'] button");
    until_it_shows(&ada, "asked, has not answered");
    audit(&ada);
    // An invited user sees it on every page, and answers on his own.
    bob.visit(&site.address("/rules"));
    assert_eq!(bob.of("document.querySelector('nav .badge').innerText.trim().split(/\\s/)[0]"), "1");
    audit(&bob);
    bob.click("nav a[href='/me']");
    until_it_shows(&bob, "The team Stones asks you to join.");
    audit(&bob);
    bob.click("form[action$='/join'] button");
    until_it_shows(&bob, "a team, made");
    shows(&bob, "bob");
    assert_eq!(bob.of("document.querySelector('nav .badge')"), Value::Null);
    bob.click("main a[href^='/submit?team=']");
    until_it_shows(&bob, "Submit a program");
    assert_eq!(bob.of("document.querySelector('[name=team]').value"), "Stones");
    audit(&bob);
    bob.run("document.querySelector('[name=contest]').value = 'domineering'");
    bob.run("document.querySelector('[name=language]').value = 'PYTHON3'");
    let quoted = Value::String(quick_bot("domineering.py"));
    bob.run(&format!("document.querySelector('textarea').value = {quoted}"));
    bob.click("main form button.primary");
    until_it_shows(&bob, "it is on the ladder");
    // One member's submission is the other's, too.
    let version = bob.of("location.href");
    ada.visit(version.as_str().unwrap());
    shows(&ada, "it is on the ladder");
    assert_eq!(ada.of("document.querySelector('ol.source').textContent.includes('def ')"), json!(true));
    ada.visit(&site.address("/ladder/domineering"));
    shows(&ada, "by Stones");
    ada.visit(&team);
    shows(&ada, "Domineering");
    audit(&ada);
    ada.click("form[action$='/leave'] button");
    until_it_shows(&ada, "You are not in a team yet.");
    ada.visit(version.as_str().unwrap());
    until_it_shows(&ada, "There is nothing here.");
    audit(&ada);
    // The last member of a team with programs stays.
    bob.visit(&team);
    bob.click("form[action$='/leave'] button");
    until_it_shows(&bob, "you are the last member");
    audit(&bob);
}
