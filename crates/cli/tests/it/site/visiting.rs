//! What a visitor's browser does by itself: what it follows, and what a form takes from a file.

use serde_json::json;

use super::served::Served;
use super::{audit, folder, quick_bot, sign_up, until_it_shows};
use crate::browser::Browser;

/// Chooses a file in the form of a submission.
fn choose(browser: &Browser, name: &str, source: &str) {
    let [quoted, source] = [name, source].map(|text| json!(text));
    browser.run(&format!(
        "const files = new DataTransfer();
         files.items.add(new File([{source}], {quoted}));
         const input = document.querySelector('[name=file]');
         input.files = files.files;
         input.dispatchEvent(new Event('change'))"
    ));
    browser.until("document.querySelector('textarea').value", &json!(source));
}

#[test]
fn a_program_is_named_after_its_file_unless_a_name_was_typed() {
    let folder = folder();
    let site = Served::start(folder.path());
    let browser = Browser::new();
    browser.visit(&site.address("/submit?game=renju"));
    let name = "document.querySelector('main form [name=name]').value";
    assert_eq!(browser.of(name), "bot");
    choose(&browser, "stone.v2.py", "print(1)");
    assert_eq!(browser.of(name), "stone.v2");
    choose(&browser, "wall.cpp", "int main() {}");
    assert_eq!(browser.of(name), "wall");
    browser.run("document.querySelector('main form [name=name]').value = ''");
    browser.fill("main form [name=name]", "Own name");
    choose(&browser, "other.py", "print(2)");
    assert_eq!(browser.of(name), "Own name");
}

/// Without an account the list is in the browser: the button, the list, the front page, and the limit.
#[test]
fn a_browser_follows_without_an_account() {
    let folder = folder();
    let site = Served::start(folder.path());
    let [ada, guest] = [Browser::new(), Browser::new()];
    sign_up(&ada, &site, "/signup", "ada");
    ada.visit(&site.address("/submit?game=bacteria"));
    choose(&ada, "amoeba.py", &quick_bot("bacteria.py"));
    ada.click("main form button.primary");
    until_it_shows(&ada, "it is on the ladder");
    guest.shape(1280, false);
    guest.visit(&site.address("/following"));
    until_it_shows(&guest, "Nothing yet");
    guest.visit(&site.address("/search?q=amoeba"));
    guest.click("main a[href^='/program/']");
    let button = "document.querySelector('[data-follow]')";
    let state = format!("[{button}?.textContent, {button}?.getAttribute('aria-pressed'), {button}?.hidden]");
    guest.until(&state, &json!(["Follow", "false", false]));
    guest.click("[data-follow]");
    guest.until(&state, &json!(["Following", "true", false]));
    audit(&guest);
    let program = guest.of("location.pathname");
    guest.click("[data-follow] + a");
    let listed = format!("document.querySelectorAll(`.news-list a[href='${{{program}}}']`).length");
    guest.until(&listed, &json!(1));
    audit(&guest);
    // Read aloud, what it does now is apart from what it has done.
    guest.visit(&site.address("/"));
    guest.until("document.querySelector('[data-following]')?.hidden", &json!(false));
    guest.until(&listed, &json!(1));
    assert_eq!(guest.of("document.querySelector('[data-following] h2').textContent"), "You follow");
    audit(&guest);
    guest.click(&format!(".news-list a[href={program}]"));
    guest.until(&state, &json!(["Following", "true", false]));
    guest.click("[data-follow]");
    guest.until(&state, &json!(["Follow", "false", false]));
    // A full list takes no more, and says so.
    guest.run(
        "const most = Number(document.querySelector('[data-follow]').dataset.most);
         const of = Array.from({ length: most }, (_, at) => `/program/${1000 + at}`);
         localStorage.setItem('agon-following', JSON.stringify({ of, seen: Date.now(), before: 0 }))",
    );
    guest.click("[data-follow]");
    guest.until(&format!("{button}.textContent.includes('already')"), &json!(true));
    assert_eq!(guest.of(&format!("{button}.getAttribute('aria-pressed')")), "false");
}
