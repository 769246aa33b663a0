//! Codes of an app in addition to the password.

use agon_site::clock::now;
use agon_site::secret;
use agon_site::store::{EventFilter, EventKind, Origin, TokenScope, TokenScopes};
use agon_site::totp;
use axum::http::StatusCode;

use super::{PageAnswer, TestSite, Who};
use crate::pending::MAX_CODE_TRIES;

const PASSWORD: &str = "correct horse";

/// A site with a host who has signed in with a password.
async fn with_host() -> (TestSite, i64, Who) {
    let site = TestSite::new();
    let id = site.site.writer().create_account("host", &secret::hash(PASSWORD), true, now()).unwrap().unwrap();
    let host = Who::Cookie(sign_in(&site).await.cookie());
    (site, id, host)
}

async fn sign_in(site: &TestSite) -> PageAnswer {
    site.post("/signin", &Who::Guest, &[("name", "host"), ("password", PASSWORD), ("next", "/host")]).await
}

/// Signs in with a password, and then with a code.
async fn with_code(site: &TestSite, code: &str) -> PageAnswer {
    let asked = sign_in(site).await;
    assert_eq!((asked.status, asked.cookie().as_str()), (StatusCode::OK, ""), "there is no session yet");
    site.post("/signin/code", &Who::Guest, &[("word", word(&asked)), ("code", code), ("next", "/host")]).await
}

fn word(page: &PageAnswer) -> &str {
    page.text.split("name=\"word\" value=\"").nth(1).expect("a form for a code").split('"').next().unwrap()
}

/// The code of the host's app, this many steps from now.
fn code(site: &TestSite, id: i64, steps: i64) -> String {
    let set_up = site.site.writer().totp(id).unwrap().unwrap();
    totp::code(&set_up.secret, now() + 30 * steps).unwrap()
}

/// Sets up the app, and returns the code used for that and the recovery codes.
async fn set_up(site: &TestSite, id: i64, host: &Who) -> (String, Vec<String>) {
    assert!(site.get("/me", host).await.text.contains("Two-factor sign-in"));
    let refused = site.post("/me/totp", host, &[("password", "wrong horse")]).await;
    assert!(refused.text.contains("The current password is wrong."), "{}", refused.text);
    let shown = site.post("/me/totp", host, &[("password", PASSWORD)]).await;
    assert!(shown.text.contains("<svg ") && shown.text.contains("otpauth://totp/Agon%20127.0.0.1"), "{}", shown.text);
    let secret = shown.text.split("<code class=\"secret\">").nth(1).unwrap().split('<').next().unwrap().to_owned();
    assert!(!site.site.writer().has_totp(id).unwrap(), "a first code is wanted");
    let wrong = site.post("/me/totp/confirm", host, &[("code", "12345")]).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(wrong.text.contains(&secret), "the same secret stands there again");
    let first = code(site, id, 0);
    let done = site.post("/me/totp/confirm", host, &[("code", &first)]).await;
    assert_eq!(done.status, StatusCode::OK, "{}", done.text);
    let codes = done.text.split("<code class=\"secret\">").skip(1).map(|rest| rest.split('<').next().unwrap());
    (first, codes.map(str::to_owned).collect())
}

#[tokio::test]
async fn a_host_signs_in_with_a_code_that_counts_once() {
    let (site, id, host) = with_host().await;
    let (first, codes) = set_up(&site, id, &host).await;
    assert_eq!(codes.len(), totp::RECOVERY_CODES);
    let replayed = with_code(&site, &first).await;
    assert_eq!(replayed.status, StatusCode::UNPROCESSABLE_ENTITY, "the code that turned it on is used up");
    let next = code(&site, id, 1);
    let entered = with_code(&site, &next).await;
    assert_eq!((entered.status, entered.header("location")), (StatusCode::SEE_OTHER, "/host"), "{}", entered.text);
    assert_eq!(site.get("/host", &Who::Cookie(entered.cookie())).await.status, StatusCode::OK);
    let replayed = with_code(&site, &next).await;
    assert!(replayed.text.contains("each code counts once") && replayed.cookie().is_empty(), "{}", replayed.text);
    // Without the app.
    assert_eq!(with_code(&site, &codes[4]).await.status, StatusCode::SEE_OTHER);
    assert_eq!(with_code(&site, &codes[4]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    let page = site.get("/me", &host).await.text;
    assert!(page.contains("Recovery codes left: 9."), "{page}");
    let of = |kind| EventFilter { kind: Some(kind), ..EventFilter::default() };
    let signed_in = site.site.writer().events(&of(EventKind::SignedIn), 9).unwrap();
    let how: Vec<&str> = signed_in.iter().map(|event| event.detail.text.as_str()).collect();
    assert_eq!(how, ["with a recovery code, 9 left", "with a code of the app", ""]);
    let refused = site.site.writer().events(&of(EventKind::SignInRefused), 9).unwrap();
    assert!(refused.len() == 3 && refused.iter().all(|event| event.detail.text == "wrong code"), "{refused:?}");
}

#[tokio::test]
async fn a_sign_in_ends_with_the_password_that_it_began_with() {
    let (site, id, host) = with_host().await;
    set_up(&site, id, &host).await;
    let asked = sign_in(&site).await;
    site.post("/me/password", &host, &[("password", PASSWORD), ("new", "battery staple")]).await;
    let form = [("word", word(&asked)), ("code", &code(&site, id, 1)), ("next", "/host")];
    let answer = site.post("/signin/code", &Who::Guest, &form).await;
    assert!(answer.status == StatusCode::UNPROCESSABLE_ENTITY && answer.cookie().is_empty(), "{}", answer.text);
}

#[tokio::test]
async fn codes_are_not_guessed() {
    let (site, id, host) = with_host().await;
    set_up(&site, id, &host).await;
    let asked = sign_in(&site).await;
    let guess = async |page: &PageAnswer| {
        site.post("/signin/code", &Who::Guest, &[("word", word(page)), ("code", "000000")]).await
    };
    for _ in 0..MAX_CODE_TRIES {
        assert!(guess(&asked).await.text.contains("no code of your app"));
    }
    let over = guess(&asked).await;
    assert!(over.text.contains("Sign in again") && over.text.contains("name=\"password\""), "{}", over.text);
    // Nor with the password for each of a few.
    let mut wrong = MAX_CODE_TRIES + 1;
    let refused = loop {
        let answer = with_code(&site, "000000").await;
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            break answer;
        }
        wrong += 1;
        assert!(wrong <= 12, "guessing goes on");
    };
    assert!(refused.text.contains("Too many wrong two-factor codes"), "{}", refused.text);
    // An invented sign-in gets nothing to wait for.
    let none = site.post("/signin/code", &Who::Guest, &[("word", "x"), ("code", "000000")]).await;
    assert!(none.status == StatusCode::UNPROCESSABLE_ENTITY && none.cookie().is_empty());
    // The existing session continues.
    assert_eq!(site.get("/host", &host).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_host_turns_codes_off_with_password_and_code() {
    let (site, id, host) = with_host().await;
    let (_, codes) = set_up(&site, id, &host).await;
    let off = async |password: &str, code: &str| {
        site.post("/me/totp/remove", &host, &[("password", password), ("code", code)]).await.status
    };
    assert_eq!(off("wrong horse", &codes[0]).await, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(off(PASSWORD, "000000").await, StatusCode::UNPROCESSABLE_ENTITY);
    let again = site.post("/me/totp", &host, &[("password", PASSWORD)]).await;
    assert!(again.text.contains("turn it off first"), "{}", again.text);
    let renewed = site.post("/me/totp/codes", &host, &[("code", &codes[0])]).await;
    assert_eq!(renewed.text.matches("<code class=\"secret\">").count(), totp::RECOVERY_CODES, "{}", renewed.text);
    assert_eq!(off(PASSWORD, &codes[1]).await, StatusCode::UNPROCESSABLE_ENTITY, "the earlier ones count no longer");
    assert_eq!(off(PASSWORD, &code(&site, id, 1)).await, StatusCode::SEE_OTHER);
    assert_eq!(sign_in(&site).await.status, StatusCode::SEE_OTHER, "the password is enough");
}

#[tokio::test]
async fn a_site_can_ask_its_administrators_for_codes() {
    let site = TestSite::with(|options| options.require_totp = true);
    let (id, host) = site.member("host", true);
    let (_, ada) = site.member("ada", false);
    let token = site.token_for(id, TokenScopes::new([TokenScope::Host]));
    for path in ["/host", "/host/events.csv", "/host/export"] {
        let answer = site.get(path, &host).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{path}");
        assert!(answer.text.contains("turn it on on your own page"), "{}", answer.text);
    }
    assert_eq!(site.get("/api/v1/host/state", &token).await.status, StatusCode::FORBIDDEN);
    assert_eq!(site.get("/api/v1/host/state", &host).await.status, StatusCode::FORBIDDEN);
    assert_eq!(site.post("/host/open", &host, &[("open", "no")]).await.status, StatusCode::FORBIDDEN);
    let form = [("name", "all"), ("host", "yes")];
    assert_eq!(site.post("/me/tokens", &host, &form).await.status, StatusCode::FORBIDDEN);
    let page = site.get("/me", &host).await.text;
    assert!(page.contains("you are a user like others") && !page.contains("href=\"/host\""), "{page}");
    assert!(!site.get("/me", &ada).await.text.contains("Two-factor"), "users are asked for nothing");
    assert_eq!(site.get("/host", &ada).await.status, StatusCode::NOT_FOUND);
    {
        let mut store = site.site.writer();
        let secret = totp::begin(&mut store, id).unwrap();
        let first = totp::code(&secret, now()).unwrap();
        totp::confirm(&mut store, id, &first, &Origin::command_line(), now()).unwrap().unwrap();
    }
    for (path, who) in [("/host", &host), ("/api/v1/host/state", &token)] {
        assert_eq!(site.get(path, who).await.status, StatusCode::OK, "{path}");
    }
}
