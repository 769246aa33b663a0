//! Teams: whose programs are their members'.

use agon_referee::verdict::Verdict;
use agon_site::clock::now;
use agon_site::store::{TokenScope, TokenScopes};
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::interface::{is_problem, read};
use super::{TestSite, Who, lost};
use crate::problem;

/// Creates a team through its form; returns its number.
async fn team_of(site: &TestSite, who: &Who, name: &str) -> i64 {
    let made = site.post("/teams", who, &[("name", name)]).await;
    assert_eq!(made.status, StatusCode::SEE_OTHER, "{}", made.text);
    made.header("location").strip_prefix("/team/").unwrap().parse().unwrap()
}

/// Has a member invite an account, and the account accept.
async fn join(site: &TestSite, team: i64, member: &Who, name: &str, who: &Who) {
    let asked = site.post(&format!("/team/{team}/members"), member, &[("name", name)]).await;
    assert_eq!(asked.status, StatusCode::SEE_OTHER, "{}", asked.text);
    let joined = site.post(&format!("/team/{team}/join"), who, &[]).await;
    assert_eq!(joined.status, StatusCode::SEE_OTHER, "{}", joined.text);
}

#[tokio::test]
async fn a_program_of_a_team_is_its_members() {
    let site = TestSite::new();
    let ((_, ada), (bob_id, bob), (_, eve)) =
        (site.member("ada", false), site.member("bob", false), site.member("eve", false));
    let team = team_of(&site, &ada, "Stones + Co").await;
    let page = site.get(&format!("/submit?team={team}"), &ada).await.text;
    assert!(page.contains("<option value=\"Stones + Co\" selected>team Stones + Co</option>"), "{page}");
    let fields =
        [("game", "renju"), ("name", "bot"), ("language", "PYTHON3"), ("source", "print(1)"), ("team", "Stones + Co")];
    let taken = site.submit(&ada, &fields, None).await;
    let path = taken.header("location").to_owned();
    let version: i64 = path.strip_prefix("/version/").unwrap().parse().unwrap();
    site.site.writer().take_submission().unwrap().unwrap();
    site.site.writer().settle_submission(version, Ok(()), None, now()).unwrap();
    let program = site.site.writer().version(version).unwrap().unwrap().program;
    let activate = format!("/program/{program}/activate");
    let sees = async |who: &Who| {
        let statuses = [
            site.get(&path, who).await.status,
            site.get(&format!("/api/v1/versions/{version}"), who).await.status,
            site.post(&activate, who, &[("number", "1")]).await.status,
        ];
        match statuses {
            [StatusCode::OK, StatusCode::OK, StatusCode::SEE_OTHER] => true,
            [StatusCode::NOT_FOUND, StatusCode::NOT_FOUND, StatusCode::FORBIDDEN] => false,
            _ => panic!("{statuses:?}"),
        }
    };
    assert!(sees(&ada).await && !sees(&bob).await);
    // An invited account is not yet in the team.
    site.post(&format!("/team/{team}/members"), &ada, &[("name", "bob")]).await;
    assert!(site.get("/", &bob).await.text.contains("asks you to join") && !sees(&bob).await);
    site.post(&format!("/team/{team}/join"), &bob, &[]).await;
    assert!(sees(&bob).await && !sees(&eve).await);
    let by_token = site.get(&format!("/api/v1/versions/{version}"), &site.token(bob_id)).await;
    assert_eq!(by_token.status, StatusCode::OK);
    assert!(!site.get("/", &bob).await.text.contains("asks you to join"));
    // Everybody sees whose it is.
    for (path, expected) in [
        (format!("/program/{program}"), format!("by <a href=\"/team/{team}\">Stones + Co</a>")),
        ("/ladder/renju".to_owned(), format!("by <a href=\"/team/{team}\">Stones + Co</a>")),
        (format!("/team/{team}"), format!("<a href=\"/program/{program}\">bot</a>")),
        (format!("/team/{team}"), "bob".to_owned()),
    ] {
        let text = site.get(&path, &Who::Guest).await.text;
        assert!(text.contains(&expected), "`{expected}` is not in {path}: {text}");
    }
    assert!(site.get("/ladder/renju", &bob).await.text.contains("<tr class=\"own\">"));
    assert!(!site.get("/ladder/renju", &eve).await.text.contains("<tr class=\"own\">"));
    // A former member is a stranger.
    assert_eq!(site.post(&format!("/team/{team}/leave"), &ada, &[]).await.status, StatusCode::SEE_OTHER);
    assert!(!sees(&ada).await && sees(&bob).await);
    let refused = site.post(&format!("/team/{team}/leave"), &bob, &[]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text.contains("You are the last member") && sees(&bob).await, "{}", refused.text);
}

#[tokio::test]
async fn what_may_be_submitted_is_counted_for_each_owner() {
    let site = TestSite::with(|options| options.submissions.daily = 1);
    let (id, ada) = site.member("ada", false);
    let token = site.token(id);
    team_of(&site, &ada, "Stones").await;
    let submit = async |source: &str, team: &str| {
        let body = serde_json::json!({
            "game": "renju", "name": "bot", "language": "PYTHON3", "source": source, "team": team,
        });
        let answer = site.json("/api/v1/submissions", &token, &body.to_string()).await;
        (answer.status == StatusCode::CREATED, answer.text)
    };
    assert!(submit("1", "").await.0);
    assert!(submit("2", "").await.1.contains("daily limit reached: 1 submissions"));
    assert!(submit("2", "stones").await.0, "names are compared without case");
    assert!(submit("3", "Stones").await.1.contains("daily limit reached: 1 submissions"));
    assert!(submit("3", "Pebbles").await.1.contains("you are not a member of team `Pebbles`"));
    let me = site.get("/me", &ada).await.text;
    assert!(me.contains(">Stones</a>"), "{me}");
}

#[tokio::test]
async fn the_member_who_has_been_longest_in_a_team_may_take_others_out_of_it() {
    let site = TestSite::new();
    let ((ada_id, ada), (bob_id, bob), (eve_id, eve), (_, host)) =
        (site.member("ada", false), site.member("bob", false), site.member("eve", false), site.member("host", true));
    let team = team_of(&site, &ada, "Stones").await;
    join(&site, team, &ada, "bob", &bob).await;
    let remove =
        async |who: &Who, other: i64| site.post(&format!("/team/{team}/members/{other}/remove"), who, &[]).await.status;
    assert_eq!(remove(&bob, ada_id).await, StatusCode::FORBIDDEN);
    let again = site.post(&format!("/team/{team}/members"), &bob, &[("name", "bob")]).await;
    assert!(
        again.text.contains("<code>bob</code> is already a member") && again.text.contains("value=\"bob\""),
        "{}",
        again.text
    );
    let unknown = site.post(&format!("/team/{team}/members"), &bob, &[("name", "zoe")]).await;
    assert!(unknown.text.contains("No account has this name."), "{}", unknown.text);
    site.post(&format!("/team/{team}/members"), &bob, &[("name", "eve")]).await;
    assert!(!site.get(&format!("/team/{team}"), &Who::Guest).await.text.contains("eve"), "whom they ask is theirs");
    assert_eq!(remove(&bob, eve_id).await, StatusCode::SEE_OTHER, "a question can be taken back by everybody");
    assert_eq!(site.post(&format!("/team/{team}/join"), &eve, &[]).await.status, StatusCode::FORBIDDEN);
    assert_eq!(remove(&ada, bob_id).await, StatusCode::SEE_OTHER);
    assert_eq!(
        site.post(&format!("/team/{team}/members"), &bob, &[("name", "eve")]).await.status,
        StatusCode::FORBIDDEN
    );
    join(&site, team, &ada, "eve", &eve).await;
    assert_eq!(remove(&host, ada_id).await, StatusCode::SEE_OTHER);
    assert!(site.get("/teams", &eve).await.text.contains(">Stones</a>"));
}

#[tokio::test]
async fn a_team_has_no_sign_in() {
    let site = TestSite::new();
    let (_, ada) = site.member("ada", false);
    let team = team_of(&site, &ada, "Stones").await;
    for password in ["", "x", "no password"] {
        let answer = site.post("/signin", &Who::Guest, &[("name", "Stones"), ("password", password)]).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(answer.text.contains("There is no such name with this password."), "{}", answer.text);
    }
    let taken = site.post("/signup", &Who::Guest, &[("name", "stones"), ("password", "correct horse")]).await;
    assert!(taken.text.contains("This name is taken"), "{}", taken.text);
    let odd = site.post("/teams", &ada, &[("name", "a<b>")]).await;
    assert_eq!(odd.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(odd.text.contains("value=\"a&lt;b&gt;\""), "{}", odd.text);
    // The host sees it among the accounts, and the host's actions on it take effect.
    let (_, host) = site.member("host", true);
    assert!(site.get("/host", &host).await.text.contains("team "));
    assert!(
        site.get(&format!("/host/accounts/{team}"), &host)
            .await
            .text
            .contains("The members of a frozen team cannot act for it")
    );
    site.post(&format!("/host/accounts/{team}/freeze"), &host, &[("yes", "yes")]).await;
    let answer = site.post(&format!("/team/{team}/members"), &ada, &[("name", "host")]).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn faults_of_a_team_are_shown_to_its_members() {
    let site = TestSite::new();
    let ((_, ada), (_, bob), (_, eve)) =
        (site.member("ada", false), site.member("bob", false), site.member("eve", false));
    let team = team_of(&site, &ada, "Stones").await;
    join(&site, team, &ada, "bob", &bob).await;
    let (program, _) = site.program(team, "bot");
    site.rated([program, site.builtin("random")], &lost(Verdict::Tle, String::new()));
    for (who, shown) in [(&ada, true), (&bob, true), (&eve, false)] {
        assert_eq!(site.get("/", who).await.text.contains("failed in 1 game within a day"), shown, "{who:?}");
    }
}

#[tokio::test]
async fn a_team_needs_no_browser() {
    let site = TestSite::new();
    let both = TokenScopes::new([TokenScope::Read, TokenScope::Team]);
    let ((ada_id, _), (bob_id, _)) = (site.member("ada", false), site.member("bob", false));
    let [ada, bob] = [ada_id, bob_id].map(|id| site.token_for(id, both));
    let made = site.json("/api/v1/teams", &ada, r#"{"name":" Stones "}"#).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let made = read(&made);
    assert_eq!((&made["name"], &made["members"][0]["name"]), (&json!("Stones"), &json!("ada")));
    let team = format!("/api/v1/teams/{}", made["id"]);
    let taken = site.json("/api/v1/teams", &bob, r#"{"name":"stones"}"#).await;
    is_problem(&taken, problem::INVALID_FIELD, "this name is taken", Some("name"));
    let odd = site.json("/api/v1/teams", &bob, r#"{"name":"<b>"}"#).await;
    is_problem(&odd, problem::INVALID_FIELD, "team name contains", Some("name"));
    let ask = async |who: &Who, name: &str| {
        site.json(&format!("{team}/members"), who, &json!({ "name": name }).to_string()).await
    };
    is_problem(&ask(&bob, "bob").await, problem::NOT_ALLOWED, "members of the team", None);
    is_problem(&ask(&ada, "zoe").await, problem::INVALID_FIELD, "no account has this name", Some("name"));
    assert_eq!(
        read(&ask(&ada, "bob").await)["members"][1],
        json!({ "account": bob_id, "name": "bob", "joined": null })
    );
    let seen = async |who: &Who| read(&site.get(&team, who).await)["members"].as_array().map_or(0, Vec::len);
    assert_eq!((seen(&ada).await, seen(&bob).await, seen(&Who::Guest).await), (2, 1, 1), "whom they ask is theirs");
    let own = read(&site.get("/api/v1/me/teams", &bob).await);
    assert_eq!((&own["teams"], &own["asking"][0]["name"]), (&json!([]), &json!("Stones")));
    // Members of a team see its sources, so a token to submit must not admit anyone.
    let submits = site.token(ada_id);
    is_problem(&ask(&submits, "bob").await, problem::MISSING_SCOPE, "`team`", None);
    let joined = read(&site.json(&format!("{team}/join"), &bob, "").await);
    assert!(joined["members"][1]["joined"].is_i64(), "{joined}");
    is_problem(&site.json(&format!("{team}/join"), &bob, "").await, problem::NOT_ALLOWED, "not invited you", None);
    let remove = async |who: &Who, id: i64| site.ask("DELETE", &format!("{team}/members/{id}"), who, "").await;
    is_problem(&remove(&bob, ada_id).await, problem::NOT_ALLOWED, "longest", None);
    site.program(made["id"].as_i64().unwrap(), "bot");
    assert_eq!(remove(&ada, bob_id).await.status, StatusCode::NO_CONTENT);
    is_problem(&site.json(&format!("{team}/leave"), &ada, "").await, problem::CONFLICT, "the last member", None);
    is_problem(
        &site.json(&format!("{team}/leave"), &bob, "").await,
        problem::NOT_ALLOWED,
        "not a member of this team",
        None,
    );
    let shown: Value = read(&site.get(&team, &Who::Guest).await);
    assert_eq!(shown["programs"][0]["name"], "bot");
    let host = site.token_for(site.member("host", true).0, TokenScopes::new([TokenScope::Host]));
    let account = read(&site.get(&format!("/api/v1/host/accounts/{ada_id}"), &host).await);
    assert_eq!(account["teams"][0]["name"], "Stones");
}
