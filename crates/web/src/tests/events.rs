//! Events that matter when something was wrong.

use agon_site::clock::now;
use agon_site::secret;
use agon_site::store::{EventFilter, EventKind};
use axum::http::StatusCode;
use serde_json::Value;

use super::{TestSite, Who};

const PASSWORD: &str = "correct horse";

/// The kinds of events about an account of this name, or by it, the newest first.
fn kinds(site: &TestSite, name: &str) -> Vec<EventKind> {
    let filter = EventFilter { name: name.to_owned(), ..EventFilter::default() };
    site.site.writer().events(&filter, 99).unwrap().iter().map(|event| event.kind).collect()
}

#[tokio::test]
async fn what_was_done_to_an_account_is_noted() {
    let site = TestSite::new();
    let (_, host) = site.member("host", true);
    let form = [("name", "ada"), ("password", PASSWORD)];
    let ada = Who::Cookie(site.post("/signup", &Who::Guest, &form).await.cookie());
    let wrong = [("name", "ADA"), ("password", "wrong horse")];
    site.post("/signin", &Who::Guest, &wrong).await;
    let made = site.post("/me/tokens", &ada, &[("name", "laptop"), ("read", "yes")]).await;
    let token = made.text.split("/me/tokens/").nth(1).unwrap().split('/').next().unwrap();
    site.post(&format!("/me/tokens/{token}/delete"), &ada, &[]).await;
    site.get("/me/export", &ada).await;
    site.post("/me/password", &ada, &[("password", PASSWORD), ("new", "battery staple")]).await;
    let id = site.site.writer().account_by_name("ada").unwrap().unwrap().0.id;
    let act =
        async |what: &str, form: &[(&str, &str)]| site.post(&format!("/host/accounts/{id}/{what}"), &host, form).await;
    act("freeze", &[("yes", "yes")]).await;
    site.post("/signin", &Who::Guest, &[("name", "ada"), ("password", "battery staple")]).await;
    act("freeze", &[("yes", "no")]).await;
    let page = act("recover", &[]).await.text;
    let mut words = page.split("/recover/").filter_map(|rest| rest.get(..64));
    let word = words.find(|word| word.chars().all(|c| c.is_ascii_hexdigit())).unwrap();
    site.post(&format!("/recover/{word}"), &Who::Guest, &[("password", "a third one")]).await;
    act("delete", &[("name", "ada")]).await;
    let wanted = [
        EventKind::AccountDeleted,
        EventKind::PasswordChanged,
        EventKind::RecoveryMade,
        EventKind::AccountReleased,
        EventKind::SignInRefused,
        EventKind::AccountFrozen,
        EventKind::PasswordChanged,
        EventKind::Exported,
        EventKind::TokenRevoked,
        EventKind::TokenMade,
        EventKind::SignInRefused,
        EventKind::SignedIn,
        EventKind::SignedUp,
    ];
    assert_eq!(kinds(&site, "ada"), wanted);
    let events = site.site.writer().events(&EventFilter::default(), 99).unwrap();
    assert!(events.iter().all(|event| event.from == "127.0.0.1"), "{events:?}");
    let by_host = events.iter().filter(|event| event.by == "host").count();
    assert_eq!(by_host, 4, "frozen, released, a link, deleted: {events:?}");
    for secret in [PASSWORD, "wrong horse", "battery staple", word] {
        assert!(!format!("{events:?}").contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn what_concerns_the_whole_site_is_noted() {
    let site = TestSite::new();
    let (host_id, host) = site.member("host", true);
    site.post("/host/open", &host, &[("open", "no")]).await;
    site.post("/host/read-only", &host, &[("yes", "yes")]).await;
    site.post("/host/read-only", &host, &[("yes", "no")]).await;
    let invited = site.post("/host/invitations", &host, &[("note", "eve"), ("uses", "1"), ("host", "yes")]).await;
    let link = invited.text.split("/join/").nth(1).unwrap().split('<').next().unwrap().to_owned();
    site.post(&format!("/join/{link}"), &Who::Guest, &[("name", "eve"), ("password", PASSWORD)]).await;
    site.get("/host/export", &host).await;
    let all = site.site.writer().events(&EventFilter::default(), 99).unwrap();
    let found: Vec<(EventKind, &str)> = all.iter().map(|event| (event.kind, event.detail.text.as_str())).collect();
    let wanted = [
        (EventKind::Exported, "the whole site"),
        (EventKind::SignedIn, "signed up"),
        (EventKind::RoleChanged, "administrator, by an invitation"),
        (EventKind::SignedUp, "by an invitation"),
        (EventKind::InvitationMade, "for 1 administrators"),
        (EventKind::SettingChanged, "no longer read-only"),
        (EventKind::SettingChanged, "read-only"),
        (EventKind::SettingChanged, "sign-up by invitation only"),
    ];
    assert_eq!(found, wanted);
    // The same on the page, in the file and for programs.
    let page = site.get("/host/events?kind=role-changed", &host).await.text;
    assert!(page.contains("administrator, by an invitation") && !page.contains("the whole site"), "{page}");
    assert!(page.contains("value=\"role-changed\" selected"), "{page}");
    let file = site.get("/host/events.csv?kind=&name=EVE", &host).await;
    assert_eq!(file.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!((file.text.lines().count(), file.text.matches("\"eve\"").count()), (4, 3), "{}", file.text);
    let token = site.token_for(host_id, agon_site::store::TokenScopes::new([agon_site::store::TokenScope::Host]));
    let read = async |query: &str| -> Value {
        serde_json::from_str(&site.get(&format!("/api/v1/host/events{query}"), &token).await.text).unwrap()
    };
    let first = read("?limit=2").await;
    let last = first["events"][1]["id"].as_i64().unwrap();
    let rest = read(&format!("?before={last}")).await;
    assert_eq!(first["events"][0]["event"], "exported");
    assert_eq!(rest["events"].as_array().unwrap().len(), wanted.len() - 2);
    let unknown = site.get("/api/v1/host/events?event=none", &token).await;
    assert_eq!(unknown.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn what_was_typed_as_an_unknown_name_is_not_kept() {
    let site = TestSite::new();
    // People type passwords where the name belongs.
    site.post("/signin", &Who::Guest, &[("name", "my secret password"), ("password", "x")]).await;
    let all = site.site.writer().events(&EventFilter::default(), 99).unwrap();
    assert_eq!((all.len(), all[0].detail.text.as_str(), all[0].account), (1, "no such name", None));
    assert!(!format!("{all:?}").contains("my secret"), "{all:?}");
}

#[tokio::test]
async fn no_event_steers_a_page_or_a_spreadsheet() {
    let site = TestSite::new();
    let (_, host) = site.member("host", true);
    let id = site.site.writer().create_account("=1+1 <b>", &secret::hash(PASSWORD), false, now()).unwrap().unwrap();
    let origin = agon_site::store::Origin::request(None, "192.0.2.1");
    site.site.writer().note_event(EventKind::TokenMade, Some(id), &origin, "@x: <i>", now()).unwrap();
    let page = site.get("/host/events", &host).await.text;
    assert!(page.contains("=1+1 &lt;b&gt;") && page.contains("@x: &lt;i&gt;") && !page.contains("<i>"), "{page}");
    let file = site.get("/host/events.csv", &host).await.text;
    assert!(file.contains("\"'=1+1 <b>\"") && file.contains("\"'@x: <i>\""), "{file}");
}
