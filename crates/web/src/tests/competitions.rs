//! Competitions: created, entered, open and closed.

use std::collections::BTreeSet;

use agon_referee::agent::Language;
use agon_referee::record::Winner;
use agon_referee::verdict::Verdict;
use agon_site::builtins;
use agon_site::clock::now;
use agon_site::store::{
    BoutKind, Competition, CompetitionPhase, EntryRule, PlayedBout, ReplayRule, TokenScope, TokenScopes,
};
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::contract::operations;
use super::interface::{is_problem, read};
use super::pages::failed_record;
use super::{PageAnswer, TestSite, Who, lost};
use crate::privacy::{Named, named};
use crate::problem;
use crate::router::pages;

/// A valid form of a competition.
const GOOD: [(&str, &str); 9] = [
    ("game", "domineering"),
    ("title", "Friday <night>"),
    ("slug", "friday"),
    ("parameter.rows", "6"),
    ("clock", "5"),
    ("language", "PYTHON3"),
    ("entry", "open"),
    ("replays", "always"),
    ("description", "Bring <b>cake</b>."),
];

/// The form with other values in some fields.
fn form<'a>(others: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let kept = GOOD.into_iter().filter(|(name, _)| !others.iter().any(|(other, _)| name == other));
    kept.chain(others.iter().copied()).collect()
}

impl TestSite {
    /// Changes the competition of Renju.
    pub(crate) async fn change(&self, change: impl FnOnce(&mut Competition)) {
        let mut competition = self.site.competition_at("renju").unwrap();
        change(&mut competition);
        self.site.put_competition(Ok(competition)).await.unwrap();
    }
}

#[tokio::test]
async fn a_host_makes_changes_and_deletes_a_competition() {
    let site = TestSite::new();
    let (_, host) = site.member("host", true);
    assert!(site.get("/host/competitions", &host).await.text.contains("/host/competitions/new?game=petri"));
    assert!(site.get("/host/competitions/new?game=petri", &host).await.text.contains("for each action"));
    let made = site.post("/host/competitions", &host, &form(&[])).await;
    assert_eq!(made.status, StatusCode::SEE_OTHER, "{}", made.text);
    let path = made.header("location").to_owned();
    let page = site.get("/ladder/friday", &host).await.text;
    for part in ["Friday &lt;night&gt;", "Bring &lt;b&gt;cake", "rows of the board", "5 s a game", "Python 3", "random"]
    {
        assert!(page.contains(part), "`{part}` is not in: {page}");
    }
    assert!(site.get("/", &host).await.text.contains("href=\"/ladder/friday\""), "it stands in the navigation");
    let shown = site.get(&format!("{path}/rules"), &host).await.text;
    assert!(shown.contains("name=\"parameter.rows\" value=\"6\""), "{shown}");
    // A taken address, and any other mistake, come back with the input.
    let check = async |path: &str, others: &[(&str, &str)], expected: &str| {
        let answer = site.post(path, &host, &form(others)).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{expected}: {}", answer.text);
        assert!(answer.text.contains(expected), "`{expected}` is not in: {}", answer.text);
        assert!(answer.text.contains("Bring &lt;b&gt;cake"), "{}", answer.text);
    };
    check("/host/competitions", &[], "Another competition has this address.").await;
    check("/host/competitions", &[("slug", "x"), ("parameter.rows", "99")], "value=\"99\"").await;
    check(&path, &[("slug", "renju")], "Another competition has this address.").await;
    check(&path, &[("opens", "soon")], "Invalid time: <code>soon</code>").await;
    check("/host/competitions/3", &[("slug", "stones")], "own competition cannot be changed").await;
    let changed = site.post(&path, &host, &form(&[("title", "Saturday"), ("slug", "saturday")])).await;
    assert_eq!(changed.header("location"), format!("{path}/settings?saved=yes"));
    assert!(site.get(changed.header("location"), &host).await.text.contains("Saved."));
    assert_eq!(site.get("/ladder/friday", &host).await.status, StatusCode::PERMANENT_REDIRECT);
    assert!(site.get("/ladder/saturday", &host).await.text.contains("Saturday"));
    site.post(&format!("{path}/close"), &host, &[]).await;
    let competition = site.site.competition_at("saturday").unwrap();
    assert_eq!(competition.phase(now()), CompetitionPhase::Closed);
    assert!(site.get("/ladder/saturday", &host).await.text.contains("closed "));
    assert!(site.get("/", &host).await.text.contains("Saturday"), "it stands among the contests that have closed");
    let deleted = site.post(&format!("{path}/delete"), &host, &[]).await;
    assert_eq!(deleted.header("location"), "/host/competitions");
    assert_eq!(site.get("/ladder/saturday", &host).await.status, StatusCode::NOT_FOUND);
    assert_eq!(site.post("/host/competitions/3/delete", &host, &[]).await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_form_that_is_sent_twice_makes_one_competition_at_the_time_that_was_typed() {
    let site = TestSite::new();
    let (_, host) = site.member("host", true);
    let page = site.get("/host/competitions/new?game=domineering", &host).await.text;
    let word = page.split("name=\"form\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    // As scripts send it from Seoul, and as it is typed without them.
    for (slug, typed, sent) in
        [("seoul", "2096-11-23T12:00:00.000Z", word), ("utc", "2096-11-23T12:00", "another word")]
    {
        let fields = form(&[("slug", slug), ("closes", typed), ("form", sent)]);
        let first = site.post("/host/competitions", &host, &fields).await;
        let again = site.post("/host/competitions", &host, &fields).await;
        assert_eq!((first.status, again.status), (StatusCode::SEE_OTHER, StatusCode::SEE_OTHER), "{}", again.text);
        assert_eq!(first.header("location"), again.header("location"));
        let path = first.header("location").to_owned();
        for _ in 0..2 {
            assert_eq!(site.site.competition_at(slug).unwrap().closes, Some(4_004_510_400), "{typed}");
            let shown = site.get(&format!("{path}/settings"), &host).await.text;
            assert!(shown.contains("name=\"closes\" value=\"2096-11-23T12:00\""), "{shown}");
            // A change, made once or twice, gives the typed value.
            let changed = form(&[("slug", slug), ("closes", typed)]);
            assert_eq!(site.post(&path, &host, &changed).await.status, StatusCode::SEE_OTHER);
        }
    }
    // Mistakes elsewhere in the form leave the time unchanged.
    let wrong =
        site.post("/host/competitions", &host, &form(&[("slug", "!"), ("closes", "2096-11-23T21:00+09:00")])).await;
    assert!(wrong.text.contains("name=\"closes\" value=\"2096-11-23T12:00\""), "{}", wrong.text);
}

/// A version accepted just before the closing has no game yet: its starting rating is no place.
#[tokio::test]
async fn who_has_not_played_has_no_place_anywhere_and_those_who_are_level_share_one() {
    let site = TestSite::with(|options| options.workers = 1);
    let (host_id, host) = site.member("host", true);
    let token = site.token_for(host_id, TokenScopes::default());
    let programs = ["ada", "bob", "cem", "late"].map(|name| {
        let (account, _) = site.member(name, false);
        site.program(account, &format!("bot-{name}")).0
    });
    let mark = site.builtin("champion:1");
    let won = PlayedBout { winner: Winner::First, ..lost(Verdict::Ok, failed_record()) };
    site.rated([programs[0], mark], &won);
    for program in &programs[1..3] {
        site.rated([*program, mark], &lost(Verdict::Ok, failed_record()));
    }
    site.post("/host/competitions/3/close", &host, &[]).await;
    // Three rows of those who have played come first, whatever their ratings; then the one that has not.
    let json = read(&site.get("/api/v1/ladder/renju", &token).await);
    let rows: Vec<(&str, &Value)> = json["programs"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| !row["owner"].is_null())
        .map(|row| (row["name"].as_str().unwrap(), &row["place"]))
        .collect();
    let wanted = [("bot-ada", json!(1)), ("bot-bob", json!(2)), ("bot-cem", json!(2)), ("bot-late", Value::Null)];
    assert_eq!(rows, wanted.each_ref().map(|(name, place)| (*name, place)));
    assert_eq!(json["unrated"], 1);
    let places =
        async |at: usize| read(&site.get(&format!("/api/v1/programs/{}", programs[at]), &token).await)["place"].clone();
    assert_eq!([places(0).await, places(1).await, places(2).await, places(3).await], wanted.map(|(_, place)| place));
    let page = site.get("/ladder/renju", &Who::Guest).await.text;
    let medals: Vec<&str> =
        page.split("class=\"medal place").skip(1).map(|rest| rest.split(['>', '<']).nth(1).unwrap()).collect();
    assert_eq!(medals, ["1", "2", "2"]);
    assert!(page.contains("not rated"), "{page}");
    // It will still have its games.
    assert!(page.contains("goes on until every version that was accepted in time has had 30 games"), "{page}");
    // Days later the ladder has ended.
    site.change(|competition| competition.closes = Some(now() - 4 * 86_400)).await;
    let page = site.get("/ladder/renju?later", &Who::Guest).await.text;
    assert!(page.contains("One program has had no rated game and takes no place; a final would rank it."), "{page}");
    let archive = super::export::download(&site, "/host/export", &host).await;
    let text = &archive["standings/renju.csv"];
    for row in ["1,\"bot-ada\"", "2,\"bot-bob\"", "2,\"bot-cem\"", "\n,\"bot-late\"", "\n,\"champion:1\""] {
        assert!(text.contains(row), "`{row}` is not in: {text}");
    }
}

/// A level's rating is not on the scale of the points by which rows are sorted: it stands in no row.
#[tokio::test]
async fn levels_stand_below_a_ladder_and_between_none_of_its_rows() {
    let site = TestSite::new();
    let (ada, _) = site.member("ada", false);
    site.rated([site.program(ada, "bot").0, site.builtin("champion:1")], &lost(Verdict::Ok, failed_record()));
    let page = site.get("/ladder/renju", &Who::Guest).await.text;
    let (table, rest) = page.split_once("</table>").unwrap();
    assert!(table.contains(">bot</a>") && !table.contains(">champion:"), "{table}");
    let levels = rest.split("<ul class=\"levels\">").nth(1).unwrap().split("</ul>").next().unwrap();
    let ratings: Vec<i32> =
        levels.split("strong\">").skip(1).map(|rest| rest.split('<').next().unwrap().parse().unwrap()).collect();
    assert!(ratings.len() >= 10 && ratings.is_sorted_by(|one, other| one >= other), "{ratings:?}");
    // Without a program of a user there is no empty table.
    let page = site.get("/ladder/bacteria", &Who::Guest).await.text;
    assert!(page.contains("No programs yet.") && !page.contains("<table class=\"wide ladder"), "{page}");
}

#[tokio::test]
async fn levels_are_fixed_points_where_they_were_measured() {
    let site = TestSite::new();
    let (_, host) = site.member("host", true);
    let fixed = |id| {
        let ladder = site.site.writer().ladder(id, 0, 99).unwrap();
        (ladder.len(), ladder.iter().filter(|row| row.program.fixed).count())
    };
    site.post("/host/competitions", &host, &form(&[])).await;
    let competition = site.site.competition_at("friday").unwrap();
    let all = builtins::builtins(&competition).len();
    assert_eq!(fixed(competition.id), (all, 0), "a smaller board is another game");
    site.post("/host/competitions", &host, &form(&[("slug", "usual"), ("parameter.rows", "8")])).await;
    assert_eq!(fixed(site.competition("usual")), (all, 10));
}

#[tokio::test]
async fn a_competition_takes_submissions_while_it_is_open() {
    let site = TestSite::new();
    let (ada, cookie) = site.member("ada", false);
    let (program, _) = site.program(ada, "old");
    let submit = async |expected: &str| -> PageAnswer {
        let fields = [("contest", "renju"), ("name", "bot"), ("language", "PYTHON3"), ("source", "print('typed')")];
        let answer = site.submit(&cookie, &fields, None).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", answer.text);
        assert!(answer.text.contains(expected), "`{expected}` is not in: {}", answer.text);
        assert!(
            answer.text.contains("print('typed')") && answer.text.contains("value=\"renju\" selected"),
            "{}",
            answer.text
        );
        answer
    };
    site.change(|competition| competition.opens = Some(now() + 3 * 86_400 + 60)).await;
    assert!(submit("This competition opens").await.text.contains("in 3 days"));
    assert!(site.get("/ladder/renju", &cookie).await.text.contains("(in 3 days)"));
    site.change(|competition| (competition.opens, competition.closes) = (None, Some(now() - 7200))).await;
    submit("This competition closed").await;
    let page = site.get("/ladder/renju", &cookie).await.text;
    assert!(page.contains("(2 h ago)") && !page.contains("Submit a program"), "{page}");
    assert!(page.contains(&format!("/program/{program}")), "its ladder stays");
    site.change(|competition| (competition.closes, competition.languages) = (None, Some(vec![Language::C20]))).await;
    submit("This competition does not accept PYTHON3; it accepts C20").await;
    site.change(|competition| (competition.languages, competition.daily) = (None, Some(1))).await;
    submit("Daily limit reached: 1 submissions").await;
    let token = site.token(ada);
    let body = r#"{"contest":"renju","name":"b","language":"PYTHON3","source":"print(2)"}"#;
    let refused = site.json("/api/v1/submissions", &token, body).await;
    assert!(refused.text.contains("daily limit reached"), "{}", refused.text);
    let body = r#"{"game":"bacteria","name":"b","language":"PYTHON3","source":"print(2)"}"#;
    assert_eq!(site.json("/api/v1/submissions", &token, body).await.status, StatusCode::CREATED, "by the game's name");
}

#[tokio::test]
async fn an_invitation_lets_into_a_competition() {
    let site = TestSite::new();
    let (_, host) = site.member("host", true);
    site.change(|competition| competition.entry = EntryRule::Invited).await;
    let (_, ada) = site.member("ada", false);
    let fields = [("contest", "renju"), ("name", "bot"), ("language", "PYTHON3"), ("source", "print(1)")];
    let refused = site.submit(&ada, &fields, None).await;
    assert!(refused.text.contains("by invitation: open the link"), "{}", refused.text);
    let link = async || {
        let made = site.post("/host/competitions/3/invitations", &host, &[("note", "class"), ("uses", "2")]).await;
        let found = made.text.split("/join/").nth(1).unwrap().split('<').next().unwrap().to_owned();
        format!("/join/{found}")
    };
    let path = link().await;
    let empty = site.post("/host/competitions/3/invitations", &host, &[("note", " "), ("uses", "2")]).await;
    assert_eq!(empty.status, StatusCode::UNPROCESSABLE_ENTITY);
    let page = site.get(&path, &Who::Guest).await.text;
    assert!(
        page.contains("invited to the competition Renju") && page.contains(&format!("/signin?next={path}")),
        "{page}"
    );
    assert!(site.get(&path, &ada).await.text.contains("Enter as ada"));
    assert_eq!(site.post(&path, &ada, &[]).await.header("location"), "/ladder/renju");
    assert!(site.get("/ladder/renju", &ada).await.text.contains("you are in"));
    assert_eq!(site.submit(&ada, &fields, None).await.status, StatusCode::SEE_OTHER);
    // A visitor without an account is admitted by signing up.
    let form = [("name", "bob"), ("password", "correct horse"), ("next", "/ladder/renju")];
    let bob = Who::Cookie(site.post(&path, &Who::Guest, &form).await.cookie());
    assert_eq!(site.submit(&bob, &fields, None).await.status, StatusCode::SEE_OTHER);
    assert_eq!(site.get(&path, &Who::Guest).await.status, StatusCode::NOT_FOUND, "used up");
    assert!(site.get("/host/competitions/3", &host).await.text.contains("2 people"));
}

/// Before the end of a competition, and after it: what each visitor sees of a game between ada's and bob's programs.
#[tokio::test]
async fn moves_are_hidden_until_the_competition_closes() {
    let site = TestSite::new();
    let ((ada, author), (bob, opponent), (_, other), (_, host)) =
        (site.member("ada", false), site.member("bob", false), site.member("eve", false), site.member("host", true));
    let [first, second] = [site.program(ada, "one").0, site.program(bob, "two").0];
    let played = PlayedBout { plies: 9, reason: "five in a row".into(), ..lost(Verdict::Ok, failed_record()) };
    let (played, running) = (site.rated([first, second], &played), site.begun(BoutKind::Ladder, [first, second]));
    // A path, and the part of its answer that reveals moves.
    let routes = [
        (format!("/game/{played}"), "data-game"),
        (format!("/game/{played}/record"), "\"agents\""),
        (format!("/game/{played}/events"), "event: gone"),
        (format!("/game/{played}/evaluation"), "event: meaning"),
        (format!("/api/v1/games/{played}/record"), "\"agents\""),
        (format!("/game/{running}"), "data-events"),
        (format!("/game/{running}/events"), "event: gone"),
    ];
    let check = async |hidden: bool| {
        let everybody = [(&Who::Guest, false), (&other, false), (&author, true), (&opponent, true), (&host, true)];
        for (path, moves) in &routes {
            for (who, always) in everybody {
                let answer = site.get(path, who).await;
                let shown = always || !hidden;
                assert_eq!(answer.text.contains(moves), shown, "{path} {who:?} hidden {hidden}: {}", answer.text);
                if !shown {
                    assert!(answer.text.contains("shown after it closes"), "{path}: {}", answer.text);
                }
            }
        }
        // Results are seen by all, on every page that has them.
        for path in [format!("/game/{played}"), format!("/program/{first}"), format!("/api/v1/games/{played}")] {
            let answer = site.get(&path, &other).await;
            assert!(answer.text.contains("five in a row") || !hidden, "{path}: {}", answer.text);
        }
    };
    check(false).await;
    site.change(|competition| (competition.replays, competition.closes) = (ReplayRule::After, Some(now() + 3600)))
        .await;
    check(true).await;
    site.change(|competition| competition.opens = Some(now() + 60)).await;
    check(true).await;
    site.change(|competition| (competition.opens, competition.closes) = (None, Some(now()))).await;
    check(false).await;
}

#[tokio::test]
async fn a_competition_needs_no_browser() {
    let site = TestSite::new();
    let host = site.token_for(site.member("host", true).0, TokenScopes::new([TokenScope::Host]));
    let all = "/api/v1/host/contests";
    let wrong = async |body: Value, expected: &str, field: &str| {
        let answer = site.json(all, &host, &body.to_string()).await;
        is_problem(&answer, problem::INVALID_FIELD, expected, Some(field));
    };
    wrong(json!({}), "unknown game", "game").await;
    wrong(json!({ "game": "renju" }), "title must be one line", "title").await;
    wrong(json!({ "game": "renju", "title": "x", "clock_ms": 9 }), "10 to 86400000", "clock_ms").await;
    wrong(json!({ "game": "renju", "title": "x", "languages": ["COBOL"] }), "from the list", "languages").await;
    wrong(json!({ "game": "domineering", "title": "x", "parameters": { "rows": "9" } }), "1 to 8", "parameters.rows")
        .await;
    for parameters in [json!({ "rules": "freestyle" }), json!({ "opening-rule": "rif H8 H9 J9 swap G8 J7 G6 J7" })] {
        let settings = json!({ "game": "renju", "title": "x", "parameters": parameters });
        wrong(settings, "keep ALPHANO's rules", "parameters").await;
    }
    wrong(json!({ "game": "renju", "title": "x", "slug": "renju" }), "another competition", "slug").await;
    wrong(json!({ "game": "renju", "title": "x", "opens": 2, "closes": 1 }), "before opening time", "closes").await;
    let settings = json!({
        "game": "domineering", "title": "Friday Six", "parameters": { "rows": "6", "columns": "8" }, "clock_ms": 5000,
        "languages": ["PYTHON3"], "daily": 3, "closes": 4_000_000_000_i64, "replays": "after", "entry": "invited",
    });
    let made = site.json(all, &host, &settings.to_string()).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text);
    let made = read(&made);
    assert_eq!(
        (&made["slug"], &made["clock_ms"], &made["entry"]),
        (&json!("friday-six"), &json!(5000), &json!("invited"))
    );
    assert_eq!(made["parameters"], json!({ "rows": "6" }), "8 columns are the default");
    assert_eq!(read(&site.get("/api/v1/contests/friday-six", &Who::Guest).await), made);
    let one = format!("{all}/friday-six");
    let change = async |body: Value| site.ask("PATCH", &one, &host, &body.to_string()).await;
    let changed = read(
        &change(json!({ "title": "Friday", "clock_ms": null, "parameters": { "rows": null, "largest": "9" } })).await,
    );
    assert_eq!((&changed["title"], &changed["clock_ms"]), (&json!("Friday"), &json!(10_000)), "the site's clock");
    assert_eq!(changed["parameters"], json!({ "largest": "9" }));
    assert_eq!((&changed["daily"], &changed["slug"]), (&json!(3), &json!("friday-six")), "what is left out stays");
    is_problem(&change(json!({ "game": "renju" })).await, problem::INVALID_FIELD, "cannot be changed", Some("game"));
    is_problem(&change(json!({ "colour": 1 })).await, problem::INVALID_FIELD, "unknown field `colour`", None);
    is_problem(&change(json!({ "daily": -1 })).await, problem::INVALID_FIELD, "-1", None);
    let kept = read(&site.get(&one, &host).await);
    assert_eq!((&kept["settings"]["clock_ms"], &kept["settings"]["replays"]), (&Value::Null, &json!("after")));
    let closed = read(&site.json(&format!("{one}/close"), &host, "").await);
    assert_eq!(closed["phase"], "closed");
    assert_eq!(site.ask("DELETE", &one, &host, "").await.status, StatusCode::NO_CONTENT);
    is_problem(&site.get(&one, &host).await, problem::NOT_FOUND, "", None);
}

/// The addresses that belong to a private competition.
fn veiled_addresses([game, running]: [i64; 2], [one, other]: [i64; 2], version: i64, last: &str) -> Vec<String> {
    vec![
        "/ladder/veiled".to_owned(),
        "/rules/veiled".to_owned(),
        "/ladder/%76eiled".to_owned(),
        format!("/game/{game}"),
        format!("/game/{game}/record"),
        format!("/game/{game}/events"),
        format!("/game/{game}/steps"),
        format!("/game/{running}"),
        format!("/program/{one}"),
        format!("/versus/{one}/{other}"),
        format!("/version/{version}"),
        last.to_owned(),
        format!("{last}/standings.csv"),
        format!("{last}/pairings.csv"),
        format!("{last}/screen"),
        // A scheduled one, and a division of it.
        "/final/2".to_owned(),
        "/final/3/screen".to_owned(),
        "/ladder/veiled/league".to_owned(),
        "/api/v1/ladder/veiled/league".to_owned(),
        "/games?competition=veiled".to_owned(),
        "/api/v1/ladder/veiled".to_owned(),
        "/api/v1/contests/veiled".to_owned(),
        format!("/api/v1/programs/{one}"),
        format!("/api/v1/programs/{one}/opponents"),
        format!("/api/v1/programs/{one}/versus/{other}"),
        format!("/api/v1/games/{game}"),
        format!("/api/v1/games/{game}/record"),
        format!("/api/v1{}", last.replace("/final/", "/finals/")),
        format!("/api/v1/versions/{version}"),
    ]
}

#[tokio::test]
async fn a_guest_who_finds_nothing_is_asked_to_sign_in() {
    let site = TestSite::new();
    let (_, ada) = site.member("ada", false);
    // The same for what does not exist, and no way back to a form.
    for path in ["/ladder/secret?show=mine", "/program/999", "/nowhere", "/final/7"] {
        let page = site.get(path, &Who::Guest).await;
        let link = format!("<a href=\"/signin?next={}\">Sign in</a>", crate::error::query_escaped(path));
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{path}");
        assert!(page.text.contains(&link) && page.text.contains("if you were invited"), "{}", page.text);
        assert!(!site.get(path, &ada).await.text.contains("if you were invited"), "{path}");
    }
    assert!(!site.post("/nowhere", &Who::Guest, &[]).await.text.contains("if you were invited"));
}

/// The parts of a private competition: everything with its own address, and the lists that would include it.
#[tokio::test]
async fn a_private_competition_is_not_there_for_others() {
    let site = TestSite::new();
    let ((ada, author), (_, stranger), (_, host)) =
        (site.member("ada", false), site.member("eve", false), site.member("host", true));
    let ((one, version), (other, _)) = (site.program(ada, "veiled-one"), site.program(ada, "veiled-two"));
    let game = site.rated([one, site.builtin("random")], &lost(Verdict::Ok, failed_record()));
    let running = site.begun(BoutKind::Ladder, [one, other]);
    site.post(&format!("/program/{one}/follow"), &stranger, &[]).await;
    assert!(site.get("/following", &stranger).await.text.contains("veiled-one"));
    let form = [
        ("sure", "yes"),
        ("title", "Veiled final"),
        ("kind", "round-robin"),
        ("games", "2"),
        ("rounds", "1"),
        ("seed", "1"),
    ];
    let last = site.post("/host/competitions/3/finals", &host, &form).await.header("location").to_owned();
    assert_eq!(last, "/final/1");
    let begins = agon_boards::text::typed_time(now() + 9000);
    let later = [&form[..], &[("divisions", "2"), ("begins", &begins)]].concat();
    site.post("/host/competitions/3/finals", &host, &later).await;
    site.post("/host/competitions/3/league", &host, &[("yes", "yes")]).await;
    site.change(|competition| {
        (competition.entry, competition.title, competition.slug) =
            (EntryRule::Private, "Veiled league".into(), "veiled".into());
    })
    .await;
    let own = veiled_addresses([game, running], [one, other], version, &last);
    for path in &own {
        for who in [&Who::Guest, &stranger] {
            assert_eq!(site.get(path, who).await.status, StatusCode::NOT_FOUND, "{path} {who:?}");
        }
        for who in [&author, &host] {
            let answer = site.get(path, who).await;
            assert_eq!(answer.status, StatusCode::OK, "{path} {who:?}");
            // A cache between the site and its visitors gives it to no one else.
            assert!(["no-store", "no-cache"].contains(&answer.header("cache-control")), "{path} {:?}", answer.headers);
        }
    }
    let picture = site.get(&format!("/game/{game}/picture.png"), &author).await;
    assert_eq!((picture.status, picture.header("cache-control")), (StatusCode::OK, "no-store"));
    // Pictures and frames are for pages of others.
    for path in ["embed", "picture.png", "card.png", "evaluation"].map(|part| format!("/game/{game}/{part}")) {
        assert_eq!(site.get(&path, &Who::Guest).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    let lists = [
        "/".to_owned(),
        "/games".to_owned(),
        "/queue".to_owned(),
        "/search?q=veil".to_owned(),
        "/finals".to_owned(),
        "/rules".to_owned(),
        "/submit".to_owned(),
        "/watch".to_owned(),
        "/tv".to_owned(),
        "/ladder/bacteria".to_owned(),
        format!("/person/{ada}"),
        "/following".to_owned(),
        format!("/following?of=/program/{one},/person/{ada}"),
        // Its earlier address redirects those who may follow.
        "/ladder/renju".to_owned(),
        "/api/v1/contests".to_owned(),
        "/api/v1/games".to_owned(),
        format!("/api/v1/games?program={one}"),
        "/api/v1/games?running=true".to_owned(),
        "/api/v1/finals".to_owned(),
        "/api/v1/queue".to_owned(),
        "/api/v1/search?q=veil".to_owned(),
    ];
    for path in &lists {
        for who in [&Who::Guest, &stranger] {
            let answer = site.get(path, who).await;
            let text = answer.text.to_lowercase();
            assert!(!text.contains("veiled"), "{path} {who:?}: {text}");
            let led = answer.header("location");
            assert!(!led.contains("veiled") && !led.contains("/game/"), "{path} {who:?}: {led}");
        }
        let seen = site.get(path, &host).await;
        let empty = ["/watch", "/tv", "/ladder/bacteria"].contains(&path.as_str());
        let found = seen.text.to_lowercase() + seen.header("location");
        assert!(empty || found.contains("veiled"), "{path}: {}", seen.text);
    }
    let fields = [("contest", "veiled"), ("name", "bot"), ("language", "PYTHON3"), ("source", "print(1)")];
    let refused = site.submit(&stranger, &fields, None).await;
    assert!(refused.status == StatusCode::UNPROCESSABLE_ENTITY && !refused.text.contains("Veiled"), "{}", refused.text);
    // With its code, as a class types it, a user enters and sees it.
    let made = site.post("/host/competitions/3/invitations", &host, &[("note", "class"), ("uses", "2")]).await.text;
    let word = made.split("/join/").nth(1).unwrap().split('<').next().unwrap();
    assert_eq!(word.len(), 10, "{word}");
    let code = format!("{}-{}", &word[..5], &word[5..]).to_uppercase();
    assert!(made.to_uppercase().contains(&format!("<CODE>{code}</CODE>")), "{made}");
    let wrong = site.get("/join?code=00000-00000", &stranger).await;
    assert!(wrong.status == StatusCode::UNPROCESSABLE_ENTITY && wrong.text.contains("no such code"), "{}", wrong.text);
    assert_eq!(site.get(&format!("/join?code={code}"), &stranger).await.header("location"), format!("/join/{word}"));
    assert_eq!(site.post(&format!("/join/{word}"), &stranger, &[]).await.header("location"), "/ladder/veiled");
    assert!(site.get("/ladder/veiled", &stranger).await.text.contains("hidden from all others"));
    assert!(site.get("/submit", &stranger).await.text.contains("Veiled league"));
    assert_eq!(site.submit(&stranger, &fields, None).await.status, StatusCode::SEE_OTHER);
    assert_eq!(site.get("/ladder/veiled", &Who::Guest).await.status, StatusCode::NOT_FOUND);
}

/// A route with parameters is veiled, or names nothing of a competition: a new one must be one or the other.
#[test]
fn every_route_with_parameters_is_veiled_or_has_nothing_to_veil() {
    let all = pages().into_parts().1.into_iter().map(str::to_owned);
    let all = all.chain(operations().into_iter().map(|(_, path)| path));
    let beginning = |path: &str| path.trim_start_matches("/api/v1").split('/').nth(1).unwrap().to_owned();
    let open: BTreeSet<String> =
        all.filter(|path| path.contains('{') && named(path) == Named::Other).map(|path| beginning(&path)).collect();
    let wanted = [
        "announcements",
        "assets",
        "board",
        "host",
        "join",
        "me",
        "person",
        "puzzles",
        "recover",
        "team",
        "teams",
        "trial",
    ];
    assert_eq!(open.iter().map(String::as_str).collect::<Vec<_>>(), wanted);
}

#[tokio::test]
async fn addresses_from_before_competitions_had_their_name_lead_on() {
    let site = TestSite::new();
    let (_, host) = site.member("host", true);
    for (old, new) in [
        ("/host/contests", "/host/competitions"),
        ("/host/contests/new?game=renju", "/host/competitions/new?game=renju"),
        ("/host/contests/1/people", "/host/competitions/1/people"),
    ] {
        let answer = site.get(old, &host).await;
        assert_eq!((answer.status, answer.header("location")), (StatusCode::PERMANENT_REDIRECT, new));
    }
    for address in ["/submit?contest=renju", "/games?contest=renju", "/submit?competition=renju"] {
        assert_eq!(site.get(address, &host).await.status, StatusCode::OK, "{address}");
    }
}
