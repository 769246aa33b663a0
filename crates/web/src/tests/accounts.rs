//! Signing up, in and out.

use agon_site::clock::now;
use agon_site::secret;
use agon_site::store::SiteInvitation;
use axum::http::StatusCode;

use super::{TestSite, Who, request};
use crate::failures::FREE_FAILURES;

const PASSWORD: &str = "correct horse";

#[tokio::test]
async fn a_visitor_signs_up_and_out_and_in_again() {
    let site = TestSite::new();
    let answer = site.post("/signup", &Who::Guest, &[("name", "ada"), ("password", PASSWORD)]).await;
    assert_eq!((answer.status, answer.header("location")), (StatusCode::SEE_OTHER, "/"), "{}", answer.text);
    let ada = Who::Cookie(answer.cookie());
    assert!(answer.header("set-cookie").contains("HttpOnly; SameSite=Lax"));
    assert!(site.get("/", &ada).await.text.contains(">ada</a>"));
    let out = site.post("/signout", &ada, &[]).await;
    assert!(out.header("set-cookie").contains("Max-Age=0"));
    assert!(!site.get("/", &ada).await.text.contains(">ada</a>"), "the cookie is worth nothing any more");
    let form = [("name", "ADA"), ("password", PASSWORD), ("next", "/submit?game=renju")];
    let answer = site.post("/signin", &Who::Guest, &form).await;
    assert_eq!(answer.header("location"), "/submit?game=renju");
    assert!(site.get("/me", &Who::Cookie(answer.cookie())).await.text.contains("Change the password"));
}

#[tokio::test]
async fn bad_input_stays_on_the_form_with_what_was_typed() {
    let site = TestSite::new();
    site.member("ada", false);
    let check = async |path: &str, name: &str, password: &str, expected: &str| {
        let answer = site.post(path, &Who::Guest, &[("name", name), ("password", password)]).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{name}");
        assert!(answer.text.contains(expected), "`{expected}` is not in: {}", answer.text);
        assert!(!answer.text.contains(PASSWORD), "no password comes back");
        assert!(answer.header("set-cookie").is_empty());
        answer
    };
    let answer = check("/signup", "a<b>", PASSWORD, "Name contains '&lt;'").await;
    assert!(answer.text.contains("value=\"a&lt;b&gt;\""), "{}", answer.text);
    check("/signup", "a\u{202e}b", PASSWORD, "Name contains").await;
    check("/signup", "", PASSWORD, "Name is missing.").await;
    check("/signup", "bob", "short", "use at least 8 characters").await;
    check("/signup", "Ada", PASSWORD, "This name is taken").await;
    // The answer does not reveal whether the account exists.
    let wrong = "There is no such name with this password.";
    let known = check("/signin", "ada", PASSWORD, wrong).await;
    let unknown = check("/signin", "eve", PASSWORD, wrong).await;
    assert_eq!(known.text.replace("ada", ""), unknown.text.replace("eve", ""));
}

#[tokio::test]
async fn guessing_passwords_is_held_up() {
    let site = TestSite::new();
    let form = [("name", "ada"), ("password", PASSWORD)];
    for _ in 0..FREE_FAILURES {
        assert_eq!(site.post("/signin", &Who::Guest, &form).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let answer = site.post("/signin", &Who::Guest, &form).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(answer.header("retry-after").parse::<u32>().unwrap() <= 2);
    assert!(answer.text.contains("Too many sign-in attempts"));
}

/// A site behind a proxy, and how an address signs in there.
async fn sign_in_from(site: &TestSite, address: &str, name: &str, password: &str) -> StatusCode {
    let form = format!("name={name}&password={password}");
    let request = request("POST", "/signin", &Who::Guest)
        .header("content-type", "application/x-www-form-urlencoded")
        .header("x-forwarded-for", address);
    site.answer(request.body(form.into()).unwrap()).await.status
}

#[tokio::test]
async fn no_one_keeps_another_one_out() {
    let site = TestSite::with(|options| options.behind_proxy = true);
    let hash = secret::hash("correcthorse");
    site.site.writer().create_account("ada", &hash, false, now()).unwrap().unwrap();
    for _ in 0..FREE_FAILURES {
        let wrong = sign_in_from(&site, "192.0.2.1", "ada", "wrong").await;
        assert_eq!(wrong, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let right = async |address| sign_in_from(&site, address, "ada", "correcthorse").await;
    assert_eq!(right("192.0.2.1").await, StatusCode::TOO_MANY_REQUESTS, "who has guessed must wait");
    assert_eq!(right("198.51.100.7").await, StatusCode::SEE_OTHER, "others need not");
}

#[tokio::test]
async fn spraying_one_password_over_many_names_meets_a_wall() {
    let site = TestSite::with(|options| options.behind_proxy = true);
    let mut refused = 0;
    for name in 0..142 {
        let status = sign_in_from(&site, "192.0.2.1", &format!("name{name}"), "password").await;
        refused += u32::from(status == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(refused >= 100, "{refused} of 142 were refused");
    let other = sign_in_from(&site, "192.0.2.2", "name1", "password").await;
    assert_eq!(other, StatusCode::UNPROCESSABLE_ENTITY, "others are not");
}

#[tokio::test]
async fn names_that_pass_for_others_are_not_taken() {
    let site = TestSite::new();
    let up = async |name: &str| {
        let form = [("name", name), ("password", "a good password"), ("next", "/")];
        site.post("/signup", &Who::Guest, &form).await.status
    };
    assert_eq!(up("Zoë").await, StatusCode::SEE_OTHER);
    let taken = ["Zoe\u{308}", "zoë", "\u{3164}", "Z\u{43e}ë", "Ｚｏｅ", "Zoë\u{200b}", "Z0ë"];
    for name in taken {
        assert_eq!(up(name).await, StatusCode::UNPROCESSABLE_ENTITY, "{name:?}");
    }
    assert_eq!(up("김철수 Kim").await, StatusCode::SEE_OTHER);
    // Either form of the letters signs in.
    let form = [("name", "Zoe\u{308}"), ("password", "a good password"), ("next", "/")];
    assert_eq!(site.post("/signin", &Who::Guest, &form).await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn who_has_forgotten_a_password_gets_a_link_from_the_host() {
    let site = TestSite::new();
    let ((_, host), (ada, member)) = (site.member("host", true), site.member("ada", false));
    let page = site.post(&format!("/host/accounts/{ada}/recover"), &host, &[]).await.text;
    let mut words = page.split("/recover/").filter_map(|rest| rest.get(..64));
    let word = words.find(|word| word.chars().all(|c| c.is_ascii_hexdigit())).expect("the link");
    let path = format!("/recover/{word}");
    assert!(site.get(&path, &Who::Guest).await.text.contains("For the account"));
    let set = async |password: &str| site.post(&path, &Who::Guest, &[("password", password)]).await;
    assert_eq!(set("password").await.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(set("a new password").await.header("location"), "/signin");
    assert_eq!(set("another one yet").await.status, StatusCode::NOT_FOUND, "once");
    assert_eq!(site.get("/me", &member).await.status, StatusCode::SEE_OTHER, "the session has ended");
    let form = [("name", "ada"), ("password", "a new password"), ("next", "/")];
    let signed_in = site.post("/signin", &Who::Guest, &form).await;
    assert_eq!(signed_in.status, StatusCode::SEE_OTHER);
    // Its sessions are listed, and each can be ended.
    let first = Who::Cookie(signed_in.cookie());
    let second = Who::Cookie(site.post("/signin", &Who::Guest, &form).await.cookie());
    let page = site.get("/me", &first).await.text;
    let end = page
        .split("action=\"")
        .find_map(|rest| rest.starts_with("/me/sessions/").then(|| rest.split('"').next().unwrap()));
    assert_eq!(site.post(end.expect("the other session"), &first, &[]).await.status, StatusCode::SEE_OTHER);
    assert_eq!(site.get("/me", &second).await.status, StatusCode::SEE_OTHER);
    assert_eq!(site.get("/me", &first).await.status, StatusCode::OK);
}

#[tokio::test]
async fn an_invitation_makes_an_account_where_the_site_is_closed() {
    let site = TestSite::new();
    let (word, other) = (secret::word(), secret::word());
    let invitation =
        SiteInvitation { id: 0, note: "ada".into(), host: true, uses: 1, expires: now() + 60, competition: None };
    site.site.writer().add_invitation(&secret::digest(&word), &invitation, now()).unwrap();
    site.site.writer().set_setting("sign_up_open", "no").unwrap();
    let form = [("name", "ada"), ("password", PASSWORD)];
    assert_eq!(site.post("/signup", &Who::Guest, &form).await.status, StatusCode::FORBIDDEN);
    assert_eq!(site.get(&format!("/join/{other}"), &Who::Guest).await.status, StatusCode::NOT_FOUND);
    assert!(site.get(&format!("/join/{word}"), &Who::Guest).await.text.contains("administrator"));
    let answer = site.post(&format!("/join/{word}"), &Who::Guest, &form).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert_eq!(site.get("/host", &Who::Cookie(answer.cookie())).await.status, StatusCode::OK);
    assert_eq!(site.get(&format!("/join/{word}"), &Who::Guest).await.status, StatusCode::NOT_FOUND, "used up");
}

#[tokio::test]
async fn a_new_password_ends_other_sessions() {
    let site = TestSite::new();
    let form = [("name", "ada"), ("password", PASSWORD)];
    let one = Who::Cookie(site.post("/signup", &Who::Guest, &form).await.cookie());
    let two = Who::Cookie(site.post("/signin", &Who::Guest, &form).await.cookie());
    let wrong = site.post("/me/password", &one, &[("password", "other one"), ("new", "battery staple")]).await;
    assert!(wrong.text.contains("The current password is wrong."));
    let done = site.post("/me/password", &one, &[("password", PASSWORD), ("new", "battery staple")]).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER);
    assert_eq!(site.get("/me", &one).await.status, StatusCode::OK);
    assert_eq!(site.get("/me", &two).await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn a_token_is_shown_once_and_makes_no_other() {
    let site = TestSite::new();
    let (_, ada) = site.member("ada", false);
    let none = site.post("/me/tokens", &ada, &[("name", "laptop")]).await;
    assert!(none.text.contains("Choose at least one scope."), "{}", none.text);
    let form = [("name", "laptop"), ("read", "yes"), ("host", "yes")];
    assert_eq!(site.post("/me/tokens", &ada, &form).await.status, StatusCode::FORBIDDEN, "she is no host");
    let answer = site.post("/me/tokens", &ada, &form[..2]).await;
    let word = answer.text.split("<code class=\"secret\">").nth(1).unwrap().split('<').next().unwrap().to_owned();
    assert!(!site.get("/me", &ada).await.text.contains(&word));
    let token = Who::Token(word);
    assert!(site.get("/api/v1/me", &token).await.text.contains("\"scopes\":[\"read\"]"));
    // Pages are for browsers.
    assert_eq!(site.get("/me", &token).await.status, StatusCode::SEE_OTHER);
    assert_eq!(site.post("/me/tokens", &token, &[("name", "more")]).await.status, StatusCode::FORBIDDEN);
    let more = site.json("/api/v1/me/tokens", &token, r#"{"name":"more"}"#).await;
    assert_eq!(more.status, StatusCode::FORBIDDEN);
    let id =
        site.get("/me", &ada).await.text.split("/me/tokens/").nth(1).unwrap().split('/').next().unwrap().to_owned();
    site.post(&format!("/me/tokens/{id}/delete"), &ada, &[]).await;
    let gone = site.get("/api/v1/me", &token).await;
    assert_eq!((gone.status, gone.header("www-authenticate")), (StatusCode::UNAUTHORIZED, "Bearer"));
    assert!(gone.text.contains("/api#unknown-token"), "{}", gone.text);
}

#[tokio::test]
async fn a_token_shows_its_last_use_and_expires() {
    let site = TestSite::new();
    let (id, ada) = site.member("ada", false);
    let page = site.post("/me/tokens", &ada, &[("name", "week"), ("read", "yes"), ("days", "7")]).await.text;
    assert!(page.contains("never used · expires <time datetime=\"20"), "{page}");
    let word = page.split("<code class=\"secret\">").nth(1).unwrap().split('<').next().unwrap().to_owned();
    assert_eq!(site.get("/api/v1/me", &Who::Token(word)).await.status, StatusCode::OK);
    let page = site.get("/me", &ada).await.text;
    assert!(page.contains("used now · expires <time datetime=\"20") && !page.contains("never used"), "{page}");
    let listed = site.get("/api/v1/me/tokens", &ada).await.text;
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let [used, expires] = ["used", "expires"].map(|field| listed["tokens"][0][field].as_i64().unwrap());
    assert!((now() - used) < 60 && (6..=7).contains(&((expires - used) / 86_400)), "{listed}");
    let late = secret::word();
    let scopes = agon_site::store::TokenScopes::default();
    let made = site.site.writer().add_token(id, "late", scopes, &secret::digest(&late), (1, Some(now())));
    made.unwrap();
    assert_eq!(site.get("/api/v1/me", &Who::Token(late)).await.status, StatusCode::UNAUTHORIZED);
    assert!(site.get("/me", &ada).await.text.contains(" · expired <time datetime=\"20"));
    let past = site.json("/api/v1/me/tokens", &ada, r#"{"name":"x","expires":5}"#).await;
    assert_eq!(past.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", past.text);
    let odd = site.post("/me/tokens", &ada, &[("name", "odd"), ("read", "yes"), ("days", "8000000000000")]).await;
    assert!(
        odd.text.contains("for how long the token counts") && !odd.text.contains("class=\"secret\""),
        "{}",
        odd.text
    );
}
