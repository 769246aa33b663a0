//! What pages show, and what they do not.

use agon_catalog::Game;
use agon_referee::record::Record;
use agon_referee::verdict::Verdict;
use agon_site::builtins;
use axum::http::StatusCode;

use super::{TestSite, Who, lost};

#[tokio::test]
async fn names_are_words_and_nothing_else() {
    let site = TestSite::new();
    let (id, _) = site.member("o'neil & #1", false);
    let (program, _) = site.program(id, "<script>alert(1)</script>");
    for path in
        ["/ladder/renju".to_owned(), format!("/program/{program}"), "/search?q=%3Cscript".to_owned(), "/".to_owned()]
    {
        let text = site.get(&path, &Who::Guest).await.text;
        assert!(!text.contains("<script>alert"), "{path}");
    }
    let text = site.get(&format!("/program/{program}"), &Who::Guest).await.text;
    assert!(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && text.contains("o'neil &amp; #1"), "{text}");
}

/// Echoed text changes no direction and controls no terminal.
#[tokio::test]
async fn texts_that_are_echoed_do_not_steer() {
    let site = TestSite::new();
    let (_, ada) = site.member("ada", false);
    let steers = |text: &str| text.contains(agon_boards::text::is_unseen);
    let text = "%E2%80%AEabc%1B%5B31m%07%E2%81%A6%EF%BB%BF%E2%80%8B";
    for path in [
        format!("/search?q={text}"),
        format!("/ladder/renju?group={text}"),
        format!("/signin?next={text}"),
        format!("/join?code={text}"),
        format!("/board/invite?game={text}"),
        format!("/submit?competition={text}"),
        format!("/{text}"),
        format!("/api/v1/rules/{text}"),
        format!("/api/v1/search?q={text}"),
    ] {
        let answer = site.get(&path, &ada).await;
        assert!(!steers(&answer.text), "{path}: {:?}", answer.text);
    }
    let search = site.get(&format!("/search?q={text}"), &Who::Guest).await.text;
    assert!(search.contains("\\u202eabc\\u001b[31m\\u0007\\u2066\\ufeff\\u200b"), "{search}");
    // The restored input of a form, and the message about it.
    let typed = "a\u{202e}\u{7}b\u{200b}\u{feff}";
    let again =
        site.submit(&ada, &[("contest", typed), ("name", typed), ("language", typed), ("source", "x")], None).await;
    assert!(again.status.is_client_error() && !steers(&again.text), "{}", again.text);
    let refused = site.json("/api/v1/versions", &ada, &serde_json::json!({ typed: typed }).to_string()).await;
    assert!(!refused.status.is_success() && !steers(&refused.text), "{}", refused.text);
}

#[tokio::test]
async fn a_ladder_has_fixed_points_and_pages() {
    let site = TestSite::new();
    let text = site.get("/ladder/bacteria", &Who::Guest).await.text;
    assert!(text.contains("champion:10") && text.contains("champion:1<"), "{text}");
    let (id, _) = site.member("ada", false);
    site.program(id, "bot");
    let text = site.get("/ladder/renju", &Who::Guest).await.text;
    assert!(text.contains(">bot</a>") && text.contains(&format!("by <a href=\"/person/{id}\">ada</a>")), "{text}");
    let empty = site.get("/ladder/renju?from=5000", &Who::Guest).await;
    assert_eq!(empty.status, StatusCode::OK);
    let json = site.get("/api/v1/ladder/renju", &Who::Guest).await.text;
    let ladder: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(ladder["size"], builtins::builtins(&site.site.competition_at("renju").unwrap()).len() + 1);
    assert_eq!(ladder["programs"][0]["name"], "champion:10");
}

#[tokio::test]
async fn a_submission_is_taken_or_stays_on_the_form() {
    let site = TestSite::new();
    let (_, ada) = site.member("ada", false);
    let fields = [("game", "renju"), ("name", "bot"), ("language", "")];
    let taken = site.submit(&ada, &fields, Some(("bot.py", b"print(1)"))).await;
    assert_eq!(taken.status, StatusCode::SEE_OTHER, "{}", taken.text);
    let page = site.get(taken.header("location"), &ada).await.text;
    assert!(page.contains("next in the queue") && page.contains("print(1)"), "{page}");
    let check = async |file: Option<(&str, &[u8])>, source: &str, expected: &str| {
        let answer = site.submit(&ada, &[&fields[..], &[("source", source)]].concat(), file).await;
        let large = file.is_some_and(|(_, content)| content.len() > 1 << 20);
        let status = if large { StatusCode::PAYLOAD_TOO_LARGE } else { StatusCode::UNPROCESSABLE_ENTITY };
        assert_eq!(answer.status, status, "{expected}");
        assert_eq!(answer.text.matches("aria-invalid=\"true\"").count(), 1, "the field is marked: {}", answer.text);
        assert!(answer.text.contains(expected), "`{expected}` is not in: {}", answer.text);
        answer.text
    };
    check(None, "", "Source is empty").await;
    let kept = check(None, "print(\"<typed>\")", "does not show the language").await;
    assert!(kept.contains("print(&quot;&lt;typed&gt;&quot;)"), "{kept}");
    check(Some(("bot.py", b"\xff\xfe")), "", "not valid UTF-8 (byte 1)").await;
    check(Some(("bot.py", &vec![b'x'; (1 << 20) + 1])), "", "is 1025 KiB").await;
    check(Some(("bot.exe", b"print(1)")), "", "does not show the language").await;
}

#[tokio::test]
async fn what_was_typed_survives_signing_in() {
    let site = TestSite::new();
    let fields = [("game", "renju"), ("name", "bot"), ("language", "PYTHON3"), ("source", "print(\"kept\")")];
    let page = site.submit(&Who::Guest, &fields, None).await.text;
    assert!(page.contains("Sign in to submit your program") && page.contains("print(&quot;kept&quot;)"), "{page}");
    let form = [
        ("name", "ada"),
        ("password", "correct horse"),
        ("draft", "1"),
        ("game", "renju"),
        ("program", "bot"),
        ("language", "PYTHON3"),
        ("source", "print(\"kept\")"),
    ];
    let answer = site.post("/signup", &Who::Guest, &form).await;
    assert!(answer.cookie().starts_with("agon_session="));
    assert!(answer.text.contains("Submit a program") && answer.text.contains("print(&quot;kept&quot;)"));
    // One press is left, and the page says so.
    assert!(answer.text.contains("not sent yet: press Submit"), "{}", answer.text);
    assert!(answer.text.contains("<button class=\"primary\" autofocus>Submit</button>"), "{}", answer.text);
}

#[tokio::test]
async fn the_language_of_a_file_survives_signing_in() {
    let site = TestSite::new();
    let fields = [("game", "renju"), ("name", "bot"), ("language", "")];
    let page = site.submit(&Who::Guest, &fields, Some(("bot.py", b"print(1)"))).await.text;
    // As a browser sends the form's hidden fields.
    let mut form = vec![("name", "ada"), ("password", "correct horse"), ("source", "print(1)")];
    for field in ["draft", "contest", "program", "language", "file"] {
        let value = page.split(&format!("name=\"{field}\" value=\"")).nth(1).unwrap().split('"').next().unwrap();
        form.push((field, value));
    }
    let answer = site.post("/signup", &Who::Guest, &form).await;
    let who = Who::Cookie(answer.cookie());
    assert!(answer.text.contains("<option value=\"PYTHON3\" selected>"), "{}", answer.text);
    assert!(answer.text.contains("value=\"bot\"") && answer.text.contains("print(1)"), "{}", answer.text);
    let fields = [("contest", "renju"), ("name", "bot"), ("language", "PYTHON3"), ("source", "print(1)")];
    assert_eq!(site.submit(&who, &fields, None).await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn what_a_program_wrote_is_its_authors_alone() {
    let site = TestSite::new();
    let ((ada, author), (_, other), (_, host)) =
        (site.member("ada", false), site.member("bob", false), site.member("host", true));
    let (program, _) = site.program(ada, "bot");
    let opponent = site.builtin(builtins::weakest(Game::RENJU));
    let game = site.rated([program, opponent], &lost(Verdict::Re, failed_record()));
    for (who, sees) in [(&Who::Guest, false), (&other, false), (&author, true), (&host, true)] {
        for path in [format!("/game/{game}"), format!("/game/{game}/record")] {
            let answer = site.get(&path, who).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
            assert_eq!(answer.text.contains("my secret plan"), sees, "{path} {who:?}");
        }
        let text = site.get(&format!("/game/{game}/record"), who).await.text;
        let read = agon_referee::record::Record::read(&text).unwrap();
        assert_eq!(read.header.game, "renju");
    }
}

/// The record of a game whose first program failed at READY and wrote to its error stream.
pub(super) fn failed_record() -> String {
    record_of("sh -c 'echo my secret plan >&2; exit 3'")
}

/// The record of a game of this command against the weakest built-in player.
fn record_of(command: &str) -> String {
    use agon_arena::agents::{self, PreparedAgent};
    use agon_arena::game::Bout;
    use agon_catalog::Setup;
    use agon_referee::bout::Afterwards;
    use agon_referee::limits::GameLimits;

    agon_jail::choose(agon_jail::Level::None);
    let limits = GameLimits { ready_ms: 60_000, ..GameLimits::default() };
    let agent =
        |text: &str| PreparedAgent::prepare(Game::RENJU, agents::parse(Game::RENJU, text).unwrap(), &limits).unwrap();
    let (failing, random) = (agent(command), agent(builtins::weakest(Game::RENJU)));
    let mut bout = Bout::new(Game::RENJU, Setup::default(), limits).unwrap();
    let mut seats = bout.seats([&failing, &random], None).unwrap();
    let mut record = bout.play([&failing, &random], &mut seats, Afterwards::Exit, &mut ());
    // As the site writes it: the command is a path on this machine.
    record.header.agents[0].agent = "bot v1".to_owned();
    record.write()
}

/// Thinks aloud, moves, and ends before its second move.
const THINKING: &str = "sh -c 'read ready; echo OK; read turn; echo agon score=35 >&2; echo my next move >&2; \
                        echo MOVE 8 8; read opp; read turn; exit 3'";

#[tokio::test]
async fn what_a_program_thinks_is_its_authors() {
    let site = TestSite::new();
    let (account, ada) = site.member("ada", false);
    let (program, _) = site.program(account, "bot");
    let opponent = site.builtin(builtins::weakest(Game::RENJU));
    let game = site.rated([program, opponent], &lost(Verdict::Re, record_of(THINKING)));
    for (who, sees) in [(&ada, true), (&Who::Guest, false)] {
        let page = site.get(&format!("/game/{game}"), who).await.text;
        assert_eq!(page.contains("\"stderr\":\"my next move\""), sees, "{page}");
        assert_eq!(page.contains("\"eval\":"), sees, "{page}");
        assert!(page.contains("\"failing\":{\"ply\":2,\"side\":0,\"answer\":null,"), "{page}");
        let record = site.get(&format!("/game/{game}/record"), who).await.text;
        assert_eq!(record.contains("\"messages\":\"my next move\""), sees, "{record}");
    }
}

#[tokio::test]
async fn what_a_program_wrote_is_on_the_page_of_a_game_that_ended_well() {
    let site = TestSite::new();
    let (account, ada) = site.member("ada", false);
    let (_, host) = site.member("host", true);
    let (program, _) = site.program(account, "bot");
    let mut record = Record::read(&record_of(THINKING)).unwrap();
    let judged = &mut record.result.verdicts[0];
    (judged.verdict, judged.reason, judged.cause) = (Verdict::Ok, None, Vec::new());
    let opponent = site.builtin(builtins::weakest(Game::RENJU));
    let game = site.rated([program, opponent], &lost(Verdict::Ok, record.write()));
    for (who, sees) in [(&ada, true), (&host, true), (&Who::Guest, false)] {
        let page = site.get(&format!("/game/{game}"), who).await.text;
        assert_eq!(page.contains("Error stream of bot v1, its end"), sees, "{page}");
        // It opens at its end, and shows something without scripts.
        assert!(page.contains("\"opens\":2"), "{page}");
        let plain = page.split_once("<noscript>").unwrap().1.split_once("</noscript>").unwrap().0;
        assert!(plain.contains(&format!("/game/{game}/picture.png")) && plain.contains("<li>Black H8</li>"), "{plain}");
    }
}

#[tokio::test]
async fn the_page_of_an_error_knows_who_asks_and_what_there_is() {
    let site = TestSite::new();
    let (_, ada) = site.member("ada", false);
    for path in ["/game/x", "/nowhere", "/ladder/chess", "/ladder/renju?from=-1"] {
        let text = site.get(path, &Who::Guest).await.text;
        assert!(text.contains("href=\"/ladder/renju\"") && text.contains(">Sign in</a>"), "{path}: {text}");
        let text = site.get(path, &ada).await.text;
        assert!(text.contains(">ada</a>") && text.contains("Sign out"), "{path}: {text}");
    }
}

#[tokio::test]
async fn every_page_counts_the_notices_until_they_are_dismissed() {
    let site = TestSite::new();
    let ((ada, author), (_, other)) = (site.member("ada", false), site.member("bob", false));
    let (program, _) = site.program(ada, "bot");
    for _ in 0..3 {
        site.rated([program, site.builtin("random")], &lost(Verdict::Tle, failed_record()));
    }
    let badge = "<span class=\"badge\">3<span class=\"unseen\"> notices</span></span>";
    for path in ["/", "/rules", "/ladder/renju", "/nowhere", "/me"] {
        assert!(site.get(path, &author).await.text.contains(badge), "{path}");
        assert!(!site.get(path, &other).await.text.contains("badge"), "{path}");
    }
    assert!(site.get("/me", &author).await.text.contains("failed in 3 games within a day: out of time (TLE)"));
    assert_eq!(site.post("/me/notices/dismiss", &author, &[]).await.status, StatusCode::SEE_OTHER);
    for path in ["/", "/me"] {
        let text = site.get(path, &author).await.text;
        assert!(!text.contains("badge") && !text.contains("with TLE"), "{path}: {text}");
    }
}

#[tokio::test]
async fn the_memory_of_a_program_is_shown_with_each_game_of_its_author() {
    let site = TestSite::new();
    let ((ada, ada_cookie), (_, zoe)) = (site.member("ada", false), site.member("zoe", false));
    let mut record = agon_referee::record::Record::read(&record_of(THINKING)).unwrap();
    record.result.peak_mb = [12.5, 7.0];
    let text = record.write();
    let game = site.rated([site.program(ada, "bot").0, site.builtin("random")], &lost(Verdict::Ok, text));
    let page = async |who: &Who| site.get(&format!("/game/{game}"), who).await.text;
    let own = page(&ada_cookie).await;
    assert!(own.contains("Black used up to 12.5 MiB of memory") && !own.contains("7.0 MiB"), "{own}");
    for who in [&zoe, &Who::Guest] {
        assert!(!page(who).await.contains("of memory"));
    }
    site.post("/language", &ada_cookie, &[("language", "ko")]).await;
    assert!(page(&ada_cookie).await.contains("흑 최대 메모리 12.5 MiB"));
}
