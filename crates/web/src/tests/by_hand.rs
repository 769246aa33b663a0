//! People who play against the programs of a site.

use agon_site::store::EntryRule;
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{PageAnswer, TestSite, Who};

/// Plays its moves in order, and reports its questions on its error stream.
const BOT: &str = "
import sys
moves = iter(['8 8', '9 9', '10 10'])
for line in sys.stdin:
    print(line.strip(), file=sys.stderr, flush=True)
    if line.startswith('READY'):
        print('OK', flush=True)
    elif line.startswith('TURN'):
        print('MOVE', next(moves), flush=True)
    elif line.startswith('FINISH'):
        break
";

/// The site, the author, the program, and another participant.
fn site() -> (TestSite, Who, i64, Who) {
    agon_jail::choose(agon_jail::Level::None);
    let site = TestSite::with(|options| options.workers = 1);
    let (account, ada) = site.member("ada", false);
    let program = site.program_of(account, "stones", BOT).0;
    let (_, other) = site.member("other", false);
    (site, ada, program, other)
}

async fn asked(site: &TestSite, who: &Who, question: &Value) -> PageAnswer {
    site.json("/board/agent", who, &question.to_string()).await
}

fn question(program: i64, moves: &[&str]) -> Value {
    json!({ "game": "renju", "engine": format!("agent:{program}"), "client": "a page", "moves": moves })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_play_against_programs_as_their_authors_allow() {
    let (site, ada, program, other) = site();
    let page = format!("/program/{program}");
    let board = format!("/board/renju?program={program}");
    let link = format!("href=\"{board}\"");
    // At first only its author.
    assert!(site.get(&page, &ada).await.text.contains(&link));
    let shown = site.get(&board, &ada).await.text;
    let chosen = format!("<option value=\"agent:{program}\" selected>stones");
    assert!(shown.contains(&chosen) && shown.contains(&format!("data-chosen=\"agent:{program}\"")), "{shown}");
    // The own programs are offered on every board of their game, and the opponent is the beginners' level.
    let shown = site.get("/board/renju", &ada).await.text;
    let offered = format!("<option value=\"agent:{program}\">stones");
    assert!(shown.contains(&offered) && !shown.contains("data-chosen"), "{shown}");
    assert!(!site.get("/board/bacteria", &ada).await.text.contains("agent:"));

    let first: Value = serde_json::from_str(&asked(&site, &ada, &question(program, &[])).await.text).unwrap();
    assert_eq!(first["move"], "8 8", "{first}");
    let answer = asked(&site, &ada, &question(program, &["8 8", "7 8"])).await;
    let second: Value = serde_json::from_str(&answer.text).unwrap();
    let stderr = second["stderr"].as_str().unwrap();
    assert!(second["move"] == "9 9" && stderr.starts_with("OPP 7 8") && !stderr.contains("READY"), "{second}");
    assert_eq!(site.site.boards.by_hand.count(), 1, "one process");

    for (who, status, why) in
        [(&Who::Guest, StatusCode::UNAUTHORIZED, "sign in to play"), (&other, StatusCode::NOT_FOUND, "no such program")]
    {
        let refused = asked(&site, who, &question(program, &[])).await;
        assert!(refused.status == status && refused.text.contains(why), "{}", refused.text);
        assert!(!site.get(&page, who).await.text.contains(&link));
        assert!(!site.get(&board, who).await.text.contains("agent:"));
    }

    // Its output stays its author's, whoever plays.
    let set = async |who, form: &[(&str, &str)]| site.post(&format!("{page}/by-hand"), who, form).await.status;
    assert_eq!(set(&other, &[("open", "yes")]).await, StatusCode::FORBIDDEN);
    assert_eq!(set(&ada, &[("open", "yes")]).await, StatusCode::SEE_OTHER);
    let answer: Value = serde_json::from_str(&asked(&site, &other, &question(program, &[])).await.text).unwrap();
    assert!(answer["move"] == "8 8" && answer["stderr"].is_null(), "{answer}");
    assert!(site.get(&page, &other).await.text.contains(&link));
    let chosen = format!("<option value=\"agent:{program}\" selected>stones (ada)");
    assert!(site.get(&board, &other).await.text.contains(&chosen));
    assert_eq!(asked(&site, &Who::Guest, &question(program, &[])).await.status, StatusCode::UNAUTHORIZED);
    let wrong = asked(&site, &other, &json!({ "game": "bacteria", "engine": format!("agent:{program}") })).await;
    assert!(wrong.status == StatusCode::BAD_REQUEST && wrong.text.contains("another game"), "{}", wrong.text);

    assert_eq!(set(&ada, &[]).await, StatusCode::SEE_OTHER);
    assert_eq!(asked(&site, &other, &question(program, &[])).await.status, StatusCode::NOT_FOUND);
    site.site.stop();
    assert_eq!(site.site.boards.by_hand.count(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_fails_loses_and_says_no_more_than_that() {
    let (site, ada, program, other) = site();
    site.post(&format!("/program/{program}/by-hand"), &ada, &[("open", "yes")]).await;
    // Its second move is another one, so it receives these as OPENING lines, and chooses an occupied point.
    let question = question(program, &["8 8", "7 8", "7 7", "6 6"]);
    for (who, shown) in [(&ada, true), (&other, false)] {
        let answer: Value = serde_json::from_str(&asked(&site, who, &question).await.text).unwrap();
        let fault = answer["fault"].as_str().unwrap_or_default();
        assert!(fault.starts_with("answered `MOVE ") && answer["opened"] == true, "{answer}");
        assert_eq!(answer["stderr"].is_string(), shown, "{answer}");
    }
}

#[tokio::test]
async fn a_site_that_plays_nothing_itself_offers_no_program() {
    let site = TestSite::new();
    let (account, ada) = site.member("ada", false);
    let program = site.program(account, "stones").0;
    let page = site.get(&format!("/program/{program}"), &ada).await.text;
    assert!(!page.contains("/by-hand") && !page.contains("/board/renju?"), "{page}");
    assert!(!site.get(&format!("/board/renju?program={program}"), &ada).await.text.contains("agent:"));
    assert_eq!(asked(&site, &ada, &question(program, &[])).await.status, StatusCode::CONFLICT);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_of_a_hidden_competition_does_not_exist_for_others() {
    let (site, ada, program, other) = site();
    site.post(&format!("/program/{program}/by-hand"), &ada, &[("open", "yes")]).await;
    assert_eq!(asked(&site, &other, &question(program, &[])).await.status, StatusCode::OK);
    site.change(|competition| competition.entry = EntryRule::Private).await;
    let refused = asked(&site, &other, &question(program, &[])).await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND, "{}", refused.text);
}
