//! The look of pages: one set of colours, boards that everyone can see, pages that update themselves.

use std::time::Duration;

use agon_catalog::{Game, Setup};
use agon_queue::ratings::Trend;
use agon_referee::bout::Spectator as _;
use agon_referee::verdict::Verdict;
use agon_site::builtins;
use agon_site::feats::Feats;
use agon_site::ladder::LadderResults;
use agon_site::store::{BoutKind, EntryRule, PlayedBout, ReplayRule};
use axum::http::StatusCode;
use futures_util::StreamExt as _;

use super::pages::failed_record;
use super::{TestSite, Who, lost, request};
use crate::featured::position;

#[tokio::test]
async fn the_design_is_on_one_page() {
    let site = TestSite::new();
    let page = site.get("/design", &Who::Guest).await;
    assert_eq!(page.status, StatusCode::OK);
    for part in ["class=\"wordmark\"", "swatch s-link", "class=\"live-mark\"", "class=\"empty\"", "class=\"picture\""] {
        assert!(page.text.contains(part), "{part}");
    }
}

#[tokio::test]
async fn the_front_page_shows_the_last_game_and_then_the_one_being_played() {
    let site = TestSite::new();
    let (ada, _) = site.member("ada", false);
    let (program, _) = site.program(ada, "bot");
    let text = site.get("/", &Who::Guest).await.text;
    assert!(!text.contains("data-of="), "{text}");
    let opponent = site.builtin(builtins::weakest(Game::RENJU));
    let game = site.rated([program, opponent], &lost(Verdict::Re, failed_record()));
    let picture = site.get(&format!("/game/{game}/picture.png"), &Who::Guest).await;
    assert_eq!(picture.header("cache-control"), "public, max-age=86400", "it stays as it is, and everybody sees it");
    site.site.featured.forget();
    let page = site.get("/?last", &Who::Guest).await.text;
    assert!(page.contains(&format!("data-of=\"{game}\"")) && page.contains("Last game"), "{page}");
    // The board of a game in progress also appears without scripts.
    let id = site.begun(BoutKind::Ladder, [program, opponent]);
    let names = ["bot v1".to_owned(), "random".to_owned()];
    let mut show = site.site.queue.live.begin(id, Game::RENJU, names, Vec::new());
    let state = Game::RENJU.initial_state(&Setup::default()).unwrap();
    show.started(state.as_ref(), [Duration::from_secs(10); 2]);
    site.site.featured.forget();
    let page = site.get("/?live", &Who::Guest).await.text;
    assert!(page.contains(&format!("data-game=\"{id}\"")) && page.contains("class=\"live-mark\""), "{page}");
    assert!(page.contains("class=\"picture\"") && page.contains("the board as it stands"));
    assert_eq!(site.get("/watch", &Who::Guest).await.header("location"), format!("/game/{id}"));
    let picture = site.get(&format!("/game/{id}/picture.png"), &Who::Guest).await;
    assert_eq!((picture.header("content-type"), &picture.bytes[1..4]), ("image/png", &b"PNG"[..]));
    assert_eq!(picture.header("cache-control"), "no-store", "it changes");
    // A finished game is no longer chosen, though the choice would hold.
    site.site.queue.live.end(id, None);
    site.site.writer().abandon_bout(id).unwrap();
    let page = site.get("/?over", &Who::Guest).await.text;
    assert!(page.contains(&format!("data-of=\"{game}\"")), "{page}");
}

#[tokio::test]
async fn a_stream_brings_a_game_and_the_changes_of_its_page() {
    let site = TestSite::new();
    let (ada, _) = site.member("ada", false);
    let (program, _) = site.program(ada, "bot");
    let id = site.begun(BoutKind::Ladder, [program, site.builtin("random")]);
    let mut show = site.site.queue.live.begin(id, Game::RENJU, ["a".into(), "b".into()], Vec::new());
    let state = Game::RENJU.initial_state(&Setup::default()).unwrap();
    show.started(state.as_ref(), [Duration::from_secs(10); 2]);
    let path = format!("/changes?game={id}");
    let answer = site.send(request("GET", &path, &Who::Guest).body("".into()).unwrap()).await;
    assert_eq!(answer.headers()["content-type"], "text/event-stream");
    let mut stream = answer.into_body().into_data_stream();
    assert!(stream.next().await.unwrap().unwrap().starts_with(b"event: start"));
    site.site.queue.note_change();
    assert!(stream.next().await.unwrap().unwrap().starts_with(b"event: changed"));
    site.site.queue.live.end(id, Some(&serde_json::json!({ "result": "a draw" })));
    assert!(stream.next().await.unwrap().unwrap().starts_with(b"event: end"));
    site.site.stop();
    assert!(stream.next().await.is_none(), "the site stops");
}

#[tokio::test]
async fn a_game_can_be_shared_and_embedded() {
    let site = TestSite::new();
    let (ada, author) = site.member("ada", false);
    let (program, _) = site.program(ada, "bot");
    let seats = [program, site.builtin(builtins::weakest(Game::RENJU))];
    let [first, second] = [(); 2].map(|()| site.rated(seats, &lost(Verdict::Re, failed_record())));
    let page = site.get(&format!("/game/{first}?ply=1"), &Who::Guest).await.text;
    let image = format!("content=\"http://127.0.0.1:8080/game/{first}/card.png?ply=1\"");
    assert!(page.contains("property=\"og:image\"") && page.contains(&image), "{page}");
    assert!(
        page.contains("data-ply=\"1\"") && page.contains(&format!("href=\"/game/{second}\" rel=\"next\"")),
        "{page}"
    );
    // The picture of a link has the names and the result; the one of the board has not.
    let [card, board] = ["card", "picture"].map(|name| format!("/game/{first}/{name}.png?ply=1"));
    let (card, board) = (site.get(&card, &Who::Guest).await, site.get(&board, &Who::Guest).await);
    assert!(card.bytes.starts_with(b"\x89PNG") && board.bytes.starts_with(b"\x89PNG"), "{}", card.status);
    assert_ne!(card.bytes, board.bytes);
    let korean = site.get(&format!("/game/{first}/card.png?ply=1&lang=ko"), &Who::Guest).await;
    assert!(korean.bytes.starts_with(b"\x89PNG"));
    let frame = site.get(&format!("/game/{first}/embed"), &author).await;
    assert!(frame.header("content-security-policy").contains("frame-ancestors *"));
    assert!(frame.header("content-security-policy").contains("form-action 'none'"));
    assert_eq!(frame.header("x-frame-options"), "");
    // A signed-in user embeds what everyone may see.
    assert!(!frame.text.contains("my secret plan") && frame.text.contains("data-game=\"1\""), "{}", frame.text);
    for path in ["/".to_owned(), format!("/game/{first}")] {
        let answer = site.get(&path, &Who::Guest).await;
        assert!(answer.header("content-security-policy").contains("frame-ancestors 'none'"), "{path}");
        assert_eq!(answer.header("x-frame-options"), "DENY");
    }
    let record = site.get(&format!("/game/{first}/record"), &Who::Guest).await.text;
    assert!(position(&record, 0).is_some() && position("no record", 0).is_none());
}

#[tokio::test]
async fn a_link_to_a_page_has_a_picture_elsewhere() {
    let site = TestSite::new();
    let (_, host) = site.member("host", true);
    let form = [("note", "class"), ("uses", "3")];
    let made = site.post("/host/competitions/3/invitations", &host, &form).await.text;
    let word = made.split("/join/").nth(1).unwrap().split('<').next().unwrap();
    let open = site.post("/board/invite", &Who::Guest, &[("game", "renju"), ("side", "first")]).await;
    let game = open.header("location").split('#').next().unwrap().to_owned();
    for (path, picture) in [
        ("/".to_owned(), "/rules/bacteria/picture.png".to_owned()),
        ("/ladder/renju".to_owned(), "/rules/renju/picture.png".to_owned()),
        ("/rules/renju".to_owned(), "/rules/renju/picture.png".to_owned()),
        (format!("/join/{word}"), "/rules/renju/picture.png".to_owned()),
        (game.clone(), format!("{game}/picture.png")),
    ] {
        let page = site.get(&path, &Who::Guest).await.text;
        let image = format!("property=\"og:image\" content=\"http://127.0.0.1:8080{picture}\"");
        assert!(page.contains(&image), "{path}: {page}");
        let drawn = site.get(&picture, &Who::Guest).await;
        assert!(drawn.bytes.starts_with(b"\x89PNG"), "{picture}: {}", drawn.status);
        assert_eq!(drawn.header("cross-origin-resource-policy"), "cross-origin");
    }
    assert_eq!(site.get("/rules/chess/picture.png", &Who::Guest).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn moves_that_are_hidden_are_in_no_picture() {
    let site = TestSite::new();
    let (ada, _) = site.member("ada", false);
    let mut competition = site.site.competition_at("renju").unwrap();
    let (program, _) = site.program(ada, "bot");
    let game = site.rated([program, site.builtin("random")], &lost(Verdict::Re, failed_record()));
    (competition.replays, competition.entry) = (ReplayRule::After, EntryRule::Open);
    competition.closes = Some(agon_site::clock::now() + 1000);
    site.site.put_competition(Ok(competition)).await.unwrap();
    site.site.featured.forget();
    let picture = site.get(&format!("/game/{game}/picture.png"), &Who::Guest).await;
    assert_eq!(picture.status, StatusCode::FORBIDDEN);
    assert_eq!(site.get(&format!("/game/{game}/card.png"), &Who::Guest).await.status, StatusCode::FORBIDDEN);
    let frame = site.get(&format!("/game/{game}/embed"), &Who::Guest).await.text;
    assert!(!frame.contains("data-game") && frame.contains("after it closes"), "{frame}");
    assert!(!site.get("/?hidden", &Who::Guest).await.text.contains("data-of="));
}

#[tokio::test]
async fn a_ladder_is_filtered_and_counts_the_places_of_users() {
    let site = TestSite::new();
    let ((ada, own), (bob, _)) = (site.member("ada", false), site.member("bob", false));
    let ((program, _), (other, _)) = (site.program(ada, "lantern"), site.program(bob, "sextant"));
    site.rated([program, other], &lost(Verdict::Ok, failed_record()));
    let all = site.get("/ladder/renju", &own).await.text;
    let row = |text: &str, name: &str| text.find(&format!(">{name}</a>")).unwrap_or_else(|| panic!("{name}: {text}"));
    assert!(row(&all, "sextant") < row(&all, "lantern"), "{all}");
    // The best three have medals in their rows, and no podium that says the same above them.
    let medals = |text: &str| text.matches("class=\"medal place").count();
    assert!(medals(&all) == 2 && !all.contains("class=\"podium\""), "built-in players have no place: {all}");
    let mine = site.get("/ladder/renju?show=mine", &own).await.text;
    assert!(mine.contains(">lantern</a>") && !mine.contains(">sextant</a>"), "{mine}");
    assert!(mine.contains("class=\"medal place2\">2"), "the place among all users: {mine}");
    let python = site.get("/ladder/renju?language=PYTHON3", &Who::Guest).await.text;
    let rows = python.split("</table>").next().unwrap();
    assert!(rows.contains(">lantern</a>") && !rows.contains(">random</a>"));
    let java = site.get("/ladder/renju?language=JAVA", &Who::Guest).await.text;
    assert!(java.contains("No program on this ladder is written in Java"), "{java}");
    // Language and group are one form, and limit together.
    assert_eq!(all.matches("<form class=\"row\" action=\"/ladder/renju\"").count(), 1, "{all}");
    let neither = site.get("/ladder/renju?language=PYTHON3&group=A", &Who::Guest).await.text;
    assert!(!neither.contains(">lantern</a>"), "{neither}");
    // A filter that needs an account shows a guest all.
    assert!(site.get("/ladder/renju?show=mine", &Who::Guest).await.text.contains(">sextant</a>"));
}

#[tokio::test]
async fn a_ladder_says_what_stood_out_in_its_last_games() {
    let site = TestSite::new();
    let (ada, _) = site.member("ada", false);
    let (program, _) = site.program(ada, "lantern");
    let opponent = site.builtin("random");
    assert!(!site.get("/ladder/renju?0", &Who::Guest).await.text.contains("wins in a row"));
    // The second seat wins.
    let games: Vec<i64> = (0..4).map(|_| site.rated([opponent, program], &lost(Verdict::Ok, String::new()))).collect();
    site.site.queue.ratings.set_feats(3, Feats::read(&site.site.writer(), 3).unwrap());
    let page = site.get("/ladder/renju?4", &Who::Guest).await.text;
    assert!(page.contains("Most wins in a row") && page.contains("4 wins"), "{page}");
    // A streak has no one opponent.
    assert!(page.contains(&format!("<a href=\"/game/{}\">the last of these wins</a>", games[3])), "{page}");
}

#[tokio::test]
async fn the_front_page_shows_no_ladder_twice() {
    let site = TestSite::new();
    let (ada, bob) = (site.member("ada", false).0, site.member("bob", false).0);
    let ((program, _), (other, _)) = (site.program(ada, "lantern"), site.program(bob, "sextant"));
    let (_, host) = site.member("host", true);
    let cards = |front: &str| front.matches("class=\"card top\"").count();
    // A podium without rated programs would be empty.
    let front = site.get("/", &Who::Guest).await.text;
    assert!(!front.contains("class=\"podium\"") && cards(&front) == 1, "{front}");
    site.rated([program, other], &lost(Verdict::Ok, failed_record()));
    let front = site.get("/?rated", &Who::Guest).await.text;
    assert!(front.contains("class=\"podium\"") && cards(&front) == 0, "{front}");
    // Ladders without programs are a line, unless there is nothing else.
    assert!(front.contains("Still without programs:"), "{front}");
    let new = TestSite::new().get("/", &Who::Guest).await.text;
    assert!(cards(&new) == 4 && !new.contains("Still without programs:"), "{new}");
    for other in [1, 2, 4] {
        site.post(&format!("/host/competitions/{other}/close"), &host, &[]).await;
    }
    let front = site.get("/?renju", &Who::Guest).await.text;
    assert!(front.contains("class=\"podium\"") && cards(&front) == 0, "{front}");
}

#[tokio::test]
async fn rules_show_the_pictures_and_the_example_of_the_documents() {
    let site = TestSite::new();
    for game in Game::all().into_iter().filter(|game| !game.is_program()) {
        let page = site.get(&format!("/rules/{}", game.name()), &Who::Guest).await.text;
        for picture in game.illustrations.pictures {
            let path = format!("/rules/{}/pictures/{}.svg", game.name(), picture.name);
            assert!(page.contains(&format!("src=\"{path}?en\"")), "{path}: {page}");
            let korean = site.get(&format!("{path}?ko"), &Who::Guest).await.text;
            assert!(![" cells<", " points<", " energy<"].iter().any(|word| korean.contains(word)), "{korean}");
            let drawn = site.get(&path, &Who::Guest).await;
            assert_eq!(drawn.header("content-type"), "image/svg+xml; charset=utf-8");
            assert!(drawn.text.starts_with("<svg ") && drawn.header("cache-control") == "public, max-age=86400");
        }
        let lines = game.illustrations.example().unwrap();
        assert!(lines.lines().count() > 10 && page.contains(&lines.lines().next().unwrap().replace('>', "&gt;")));
        let korean = site.in_korean(&format!("/rules/{}", game.name()), &Who::Guest).await;
        let example = korean.split("경기의 모든 줄 보기").nth(1).unwrap().split("</pre>").next().unwrap();
        assert!(!example.contains("first") && !example.contains("from"), "{example}");
        // Every picture of the documents is one of them.
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules/pictures");
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        let all = files.filter(|name| name.starts_with(&format!("{}-", game.name()))).count();
        assert_eq!(game.illustrations.pictures.len(), all, "{}", game.name());
    }
    assert_eq!(site.get("/rules/renju/pictures/x.svg", &Who::Guest).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_page_has_one_rating_and_names_the_repeated_games() {
    let site = TestSite::new();
    let (ada, bob) = (site.member("ada", false).0, site.member("bob", false).0);
    let ((program, _), (other, _)) = (site.program(ada, "lantern"), site.program(bob, "sextant"));
    let played = |digest| PlayedBout { game_digest: Some(digest), ..lost(Verdict::Ok, failed_record()) };
    let first = site.rated([program, other], &played(1));
    let again = site.rated([program, other], &played(1));
    for digest in 2..9 {
        site.rated([other, program], &played(digest));
    }
    let competition = site.site.competition_at("renju").unwrap().id;
    let rated = site.site.look(|store| LadderResults::read(store, competition)).unwrap().rate();
    site.site.queue.ratings.set_together(competition, rated);
    let page = site.get(&format!("/program/{program}"), &Who::Guest).await.text;
    assert_eq!(page.matches(">Rating</abbr>").count(), 2, "of the program, and of its versions: {page}");
    assert!(page.contains(">Points</abbr>") && page.contains(">Repeated</abbr>"), "{page}");
    let json = |text: String| serde_json::from_str::<serde_json::Value>(&text).unwrap();
    let program = json(site.get(&format!("/api/v1/programs/{program}"), &Who::Guest).await.text);
    assert_eq!((&program["games"], &program["repeats"]), (&8.into(), &1.into()), "{program}");
    let rating = &program["all_games"];
    let number = |name: &str| rating[name].as_f64().unwrap();
    assert!(number("low") < number("value") && number("value") < number("high"), "{rating}");
    assert!(page.contains(&format!("{:.0}–{:.0}", number("low"), number("high"))), "{page}");
    let ladder = site.get("/ladder/renju", &Who::Guest).await.text;
    assert!(ladder.contains("1 game repeats an earlier one"), "{ladder}");
    let game = site.get(&format!("/game/{again}"), &Who::Guest).await.text;
    assert!(game.contains(&format!("href=\"/game/{first}\"")) && game.contains("not rated"), "{game}");
    let game = json(site.get(&format!("/api/v1/games/{again}"), &Who::Guest).await.text);
    assert_eq!(game["repeats"].as_i64(), Some(first), "{game}");
}

#[tokio::test]
async fn a_program_shows_each_version_and_why_it_loses() {
    let site = TestSite::new();
    let ((ada, own), (bob, rival)) = (site.member("ada", false), site.member("bob", false));
    let ((program, _), (other, _)) = (site.program(ada, "lantern"), site.program(bob, "sextant"));
    for _ in 0..10 {
        site.rated([program, other], &lost(Verdict::Tle, failed_record()));
    }
    let page = site.get(&format!("/program/{program}"), &own).await.text;
    assert!(page.contains("How lost games ended") && page.contains("its own failure: out of time"), "{page}");
    assert!(
        page.contains("class=\"heat0\"") && page.contains(">Rating</abbr>") && page.contains("Elo over the last 10")
    );
    assert!(!page.contains("Challenge it"), "it is one's own");
    let page = site.get(&format!("/program/{program}"), &rival).await.text;
    assert!(
        page.contains(&format!("href=\"/versus/{other}/{program}\"")) && page.contains("Challenge it with sextant")
    );
    let versus = site.get(&format!("/versus/{program}/{other}"), &own).await.text;
    assert!(versus.contains("10 rated games"), "{versus}");
}

#[tokio::test]
async fn a_person_has_a_page() {
    let site = TestSite::new();
    let ((ada, _), (bob, own)) = (site.member("ada", false), site.member("bob", false));
    let (program, _) = site.program(ada, "lantern");
    let page = site.get(&format!("/person/{ada}"), &Who::Guest).await;
    assert!(page.text.contains(&format!("href=\"/program/{program}\"")) && page.text.contains("0 rated games"));
    // A user who takes part in nothing is only visible to himself.
    assert_eq!(site.get(&format!("/person/{bob}"), &Who::Guest).await.status, StatusCode::NOT_FOUND);
    assert_eq!(site.get(&format!("/person/{bob}"), &own).await.status, StatusCode::OK);
    assert_eq!(site.get("/person/999", &Who::Guest).await.status, StatusCode::NOT_FOUND);
    let ladder = site.get("/ladder/renju", &Who::Guest).await.text;
    assert!(ladder.contains(&format!("href=\"/person/{ada}\"")), "{ladder}");
}

/// What a screen reader would find without a name, or the keyboard could not reach: in the sources, since no visitor
/// sees all of the pages.
#[test]
fn headers_have_words_and_texts_that_scroll_are_reached() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/pages");
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        for (at, line) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
            let empty = line.contains("scope=\"col\" { \"\" }") || line.contains("scope=\"col\" {}");
            assert!(!empty, "{}:{}: a header without words is a `td`", path.display(), at + 1);
            assert!(!line.contains("pre.card {"), "{}:{}: it scrolls: tabindex=\"0\"", path.display(), at + 1);
        }
    }
}

#[tokio::test]
async fn a_program_has_a_rival() {
    let site = TestSite::new();
    let own = site.member("ada", false).0;
    let (program, _) = site.program(own, "lantern");
    let [near, far] = ["sextant", "astrolabe"].map(|name| site.program(site.member(name, false).0, name).0);
    let lost = lost(Verdict::Ok, failed_record());
    for other in [far, near, near, near, site.builtin("random"), site.builtin("random"), site.builtin("random")] {
        site.rated([program, other], &lost);
    }
    let trends = [program, near, far].map(|id| (id, Trend::default()));
    site.site.queue.ratings.set_trends(site.competition("renju"), trends.into());
    let page = site.get(&format!("/program/{program}"), &Who::Guest).await.text;
    let rival = page.split(">Rival</abbr>").nth(1).unwrap().split("</div>").next().unwrap();
    assert!(rival.contains(&format!("/versus/{program}/{near}\">sextant</a> 0–0–3")), "{rival}");
    // Who has met only built-in players, or each program once, has none.
    let page = site.get(&format!("/program/{far}"), &Who::Guest).await.text;
    assert!(!page.contains(">Rival</abbr>"), "{page}");
}
