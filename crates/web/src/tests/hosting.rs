//! What a host does for a class, and what people do with their own accounts.

use agon_boards::text::typed_time;
use agon_referee::agent::Language;
use agon_referee::record::Winner;
use agon_referee::verdict::Verdict;
use agon_site::clock::now;
use agon_site::finals;
use agon_site::secret::in_halves;
use agon_site::store::{BoutKind, EntryRule, MAX_FAILURES, PlayedBout, SiteFinal, Submission, TokenScope, TokenScopes};
use axum::http::StatusCode;

use super::pages::failed_record;
use super::{TestSite, Who, lost};

#[tokio::test]
async fn a_list_of_names_becomes_accounts_that_set_their_passwords() {
    let site = TestSite::new();
    let (_, host) = site.member("host", true);
    let names = "이름,반\n김철수,1\nada,2\n";
    let page = site.post("/host/competitions/3/roster", &host, &[("names", names)]).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    let links: Vec<&str> = page.text.split("/recover/").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
    // Besides the wordmark.
    assert_eq!((links.len(), page.text.matches("<svg").count()), (2, 3), "{}", page.text);
    assert!(page.text.contains("김철수") && !page.text.contains("이름,"), "{}", page.text);
    // The slip says what it is for; the site listens on this machine alone, which the page says too.
    assert_eq!(page.text.matches("Renju<br>").count(), 2, "{}", page.text);
    assert!(page.text.contains("data-print") && page.text.contains("work on this machine only"), "{}", page.text);
    assert!(page.text.contains("<code>--listen 0.0.0.0:8080</code>"), "{}", page.text);
    // A code can be typed in place of the link.
    assert_eq!((links[0].len(), page.text.contains(&in_halves(links[0]))), (10, true), "{}", page.text);
    let typed = site.get(&format!("/join?code={}", in_halves(links[0]).to_uppercase()), &Who::Guest).await;
    assert_eq!(typed.header("location"), format!("/recover/{}", links[0]));
    // The account can do nothing until its owner has set a password, and then it is in the competition.
    let wrong = site.post("/signin", &Who::Guest, &[("name", "김철수"), ("password", "")]).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    let set = site.post(&format!("/recover/{}", links[0]), &Who::Guest, &[("password", "correct horse")]).await;
    assert_eq!((set.status, set.header("location")), (StatusCode::SEE_OTHER, "/ladder/renju"), "{}", set.text);
    let in_class = site.get("/me", &Who::Cookie(set.cookie())).await;
    assert!(in_class.status == StatusCode::OK && in_class.text.contains("김철수"), "signed in: {}", in_class.text);
    let signed = site.post("/signin", &Who::Guest, &[("name", "김철수"), ("password", "correct horse")]).await;
    assert_eq!(signed.status, StatusCode::SEE_OTHER);
    assert_eq!(site.site.writer().count_entrants(3).unwrap(), 2);
    // Either all are created or none.
    let before = site.site.writer().accounts().unwrap().len();
    let check = async |names: &str, expected: &str| {
        let answer = site.post("/host/competitions/3/roster", &host, &[("names", names)]).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{names}");
        assert!(answer.text.contains(expected), "`{expected}` is not in: {}", answer.text);
        assert_eq!(site.site.writer().accounts().unwrap().len(), before, "{names}");
    };
    check("new\nhost", "<code>host</code> is taken, looks like a taken name").await;
    check("new\nnew", "is in the list twice").await;
    check("new\na<b", "use letters, digits").await;
    check("", "1 to 200 names").await;
    check(&"x\n".repeat(201), "1 to 200 names").await;
    // One that is there gets another link, and the first one counts no longer.
    let again = site.post("/host/competitions/3/roster", &host, &[("names", "ada")]).await;
    assert_eq!(again.status, StatusCode::OK);
    assert!(!again.text.contains("already"), "ada has no password yet: {}", again.text);
    assert!(
        again
            .text
            .contains("1 account was listed before, without a password yet: ada. Their earlier slips no longer hold"),
        "{}",
        again.text
    );
    let used = site.get(&format!("/recover/{}", links[1]), &Who::Guest).await;
    assert_eq!(used.status, StatusCode::NOT_FOUND);
    assert!(used.text.contains("It can be used once") && used.text.contains("/signin"), "{}", used.text);
    let again = site.post("/host/competitions/3/roster", &host, &[("names", "김철수\neve")]).await;
    let counted = "1 new account. The links are shown this once: print this page. 1 account was there already, with a \
                   password: 김철수.";
    assert!(again.text.contains(counted), "{}", again.text);
    // The slip of a user with a password opens nothing.
    assert!(again.text.contains("has a password: sign in at"), "{}", again.text);
    assert_eq!(again.text.matches("/recover/").count(), 1, "eve's: {}", again.text);
    let signed = site.post("/signin", &Who::Guest, &[("name", "김철수"), ("password", "correct horse")]).await;
    assert_eq!(signed.status, StatusCode::SEE_OTHER, "the password stays");
}

#[tokio::test]
async fn a_person_has_the_score_of_the_ladder() {
    let site = TestSite::new();
    let (account, ada) = site.member("ada", false);
    let (program, _) = site.program(account, "bot");
    let opponent = site.builtin("random");
    let drawn = PlayedBout { winner: Winner::Draw, ..lost(Verdict::Ok, failed_record()) };
    site.rated([program, opponent], &drawn);
    for path in [format!("/person/{account}"), "/ladder/renju".to_owned()] {
        assert!(site.get(&path, &ada).await.text.contains("50 %"), "{path}");
    }
}

#[tokio::test]
async fn games_that_were_asked_for_are_acknowledged() {
    let site = TestSite::new();
    let (account, ada) = site.member("ada", false);
    let [one, other] = ["one", "other"].map(|name| site.program(account, name).0);
    let asked = site.post(&format!("/versus/{one}/{other}/ask"), &ada, &[("games", "2")]).await;
    let page = site.get(asked.header("location"), &ada).await.text;
    assert!(page.contains("Your games are in the queue"), "{page}");
}

#[tokio::test]
async fn a_closed_competition_opens_again() {
    let site = TestSite::new();
    let (_, host) = site.member("host", true);
    let page = site.get("/host/competitions/3", &host).await.text;
    assert!(page.contains("<details class=\"confirm\">") && !page.contains("/reopen"), "{page}");
    site.post("/host/competitions/3/close", &host, &[]).await;
    let page = site.get("/host/competitions/3", &host).await.text;
    assert!(page.contains("/host/competitions/3/reopen"), "{page}");
    site.post("/host/competitions/3/reopen", &host, &[]).await;
    assert_eq!(site.site.competition(3).unwrap().closes, None);
}

#[tokio::test]
async fn groups_filter_the_ladder_and_divide_a_final() {
    let site = TestSite::new();
    let (_, host) = site.member("host", true);
    let [ada, bob, eve, zoe] = ["ada", "bob", "eve", "zoe"].map(|name| {
        let (id, _) = site.member(name, false);
        site.program(id, &format!("{name}-bot"));
        id
    });
    site.program(ada, "ada-second");
    let path = "/host/competitions/3/people";
    let page = site.get(path, &host).await.text;
    assert!(page.contains("eve</a>") && page.contains(&format!("name=\"group-{zoe}\"")), "{page}");
    let name = |account: i64| format!("group-{account}");
    let [a, b, e, z] = [ada, bob, eve, zoe].map(name);
    let set = site.post(path, &host, &[(&a, " 1반 "), (&b, "1반"), (&e, "2반"), (&z, "")]).await;
    assert_eq!(set.header("location"), format!("{path}?saved=yes"), "{}", set.text);
    let long = site.post(path, &host, &[(&a, &"x".repeat(31))]).await;
    assert!(long.status == StatusCode::UNPROCESSABLE_ENTITY && long.text.contains("at most 30"), "{}", long.text);
    assert_eq!(site.post(path, &Who::Guest, &[(&a, "")]).await.status, StatusCode::SEE_OTHER, "not a host");
    let ladder = site.get("/ladder/renju?group=1%EB%B0%98", &Who::Guest).await.text;
    let table = ladder.split("data-part=\"ladder\"").nth(1).unwrap();
    let table = table.split("</section>").next().unwrap();
    for (bot, shown) in [("ada-bot", true), ("ada-second", true), ("bob-bot", true), ("eve-bot", false)] {
        assert_eq!(table.contains(bot), shown, "{bot} in: {table}");
    }
    assert!(ladder.contains("<option value=\"1반\" selected>"), "{ladder}");
    // Finals, each with the names of its programs, the last one first.
    let begin = async |more: &[(&str, &str)]| -> Vec<(String, Vec<String>)> {
        let known = site.site.writer().finals().unwrap().len();
        let plain =
            [("sure", "yes"), ("title", "F"), ("kind", "round-robin"), ("games", "2"), ("rounds", "1"), ("seed", "7")];
        let begun = site.post("/host/competitions/3/finals", &host, &[&plain[..], more].concat()).await;
        assert_eq!(begun.status, StatusCode::SEE_OTHER, "{}", begun.text);
        let mut all = site.site.writer().finals().unwrap();
        all.truncate(all.len() - known);
        let bots = |name: &str| name.split(' ').next().unwrap().to_owned();
        let of = |one: SiteFinal| (one.title, one.plan.agents.iter().map(|agent| bots(&agent.name)).collect());
        all.into_iter().map(of).collect()
    };
    let shown = |all: &[(String, Vec<String>)]| {
        all.iter().map(|(title, bots)| format!("{title}: {}", bots.join(" "))).collect::<Vec<_>>()
    };
    let all = begin(&[("divisions", "2"), ("one_each", "true")]).await;
    assert_eq!(shown(&all), ["F · 2: eve-bot zoe-bot", "F · 1: ada-bot bob-bot"]);
    let all = begin(&[("divisions", "groups"), ("champions", "1")]).await;
    let champion = site.site.writer().best_builtins(3, 1).unwrap()[0].name.clone();
    let wanted = [format!("F · 2반: eve-bot {champion}"), format!("F · 1반: ada-bot bob-bot ada-second {champion}")];
    assert_eq!(shown(&all), wanted);
    let path = format!("/final/{}", site.site.writer().finals().unwrap()[0].id);
    let page = site.get(&path, &host).await.text;
    assert_eq!(page.matches("name=\"agent\"").count(), 1, "a built-in player is not disqualified: {page}");
    let wrong =
        [("sure", "yes"), ("title", "F"), ("kind", "swiss"), ("games", "2"), ("rounds", "1"), ("divisions", "9")];
    let wrong = site.post("/host/competitions/3/finals", &host, &wrong).await;
    assert!(wrong.text.contains("<code>groups</code> or a number up to 8"), "{}", wrong.text);
    // The list of names has groups in its second column.
    site.post("/host/competitions/3/roster", &host, &[("names", "이름,반\n김철수,3반\n")]).await;
    assert_eq!(site.site.writer().groups(3).unwrap(), ["1반", "2반", "3반"]);
    // A participant sees which group is his.
    let (pia, herself) = site.member("pia", false);
    site.program(pia, "pia-bot");
    site.post("/host/competitions/3/people", &host, &[(&name(pia), "A+ #1")]).await;
    let own = site.get("/ladder/renju?group=A%2B%20%231", &herself).await.text;
    let link = "<a href=\"/ladder/renju?group=A%2B%20%231\" aria-current=\"page\">My group: A+ #1</a>";
    assert!(own.contains(link) && own.contains("pia-bot"), "{own}");
    assert!(!site.get("/ladder/renju", &Who::Guest).await.text.contains("My group"));
}

#[tokio::test]
async fn a_class_comes_from_a_file_and_its_links_go_to_paper_and_a_table() {
    let site = TestSite::new();
    let (_, host) = site.member("host", true);
    let path = "/host/competitions/3/roster/file";
    let rows: Vec<String> = (1..=30).map(|number| format!("\"pupil {number}\",A")).collect();
    let file = format!("\u{feff}name,group\r\n{}\r\n", rows.join("\r\n"));
    let page = site.send_file(path, &host, &[], Some(("file", "class.csv", file.as_bytes()))).await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text);
    // A slip for each, directly in the part of the page that is printed.
    let slips = page.text.split("<ul class=\"slips\">").nth(1).unwrap().split("</ul>").next().unwrap();
    assert_eq!((slips.matches("<li>").count(), slips.matches("<svg").count()), (30, 30));
    // The same as a file, which opens in a spreadsheet.
    let table =
        page.text.split("href=\"data:text/csv;charset=utf-8,%EF%BB%BF").nth(1).unwrap().split('"').next().unwrap();
    let first = slips.split("/recover/").nth(1).unwrap().split('<').next().unwrap();
    assert!(table.starts_with("name%2Clink%2Ccode%0D%0A%22pupil%201%22%2C%22http"), "{table}");
    assert!(table.contains(first) && table.matches("%0D%0A").count() == 31, "{table}");
    assert_eq!(site.site.writer().grouped(3).unwrap().len(), 30);
    // Excel in Korea: 이름,반 / 김철수,1 / 똠방각하,1 in CP949, whose third name is not in EUC-KR, and as UTF-16.
    let cp949 = b"\xc0\xcc\xb8\xa7,\xb9\xdd\r\n\xb1\xe8\xc3\xb6\xbc\xf6,1\r\n\x8cc\xb9\xe6\xb0\xa2\xc7\xcf,1\r\n";
    let utf_16: Vec<u8> = "\u{feff}김철수\t1\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (file, encoding, made) in [(&cp949[..], "CP949", "2 new accounts."), (&utf_16, "UTF-16", "0 new accounts.")] {
        let page = site.send_file(path, &host, &[], Some(("file", "class.csv", file))).await;
        assert_eq!(page.status, StatusCode::OK, "{}", page.text);
        for part in ["<strong>김철수</strong>", made, &format!("The file was read as {encoding}.")] {
            assert!(page.text.contains(part), "`{part}` is not in: {}", page.text);
        }
        assert_eq!(page.text.contains("똠방각하"), encoding == "CP949", "{}", page.text);
    }
    assert_eq!(site.site.writer().grouped(3).unwrap().len(), 32);
    // Neither a text of Western Europe nor a workbook.
    for file in [&b"Zo\xeb\r\n"[..], b"PK\x03\x04\0\0"] {
        let refused = site.send_file(path, &host, &[], Some(("file", "class.csv", file))).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(refused.text.contains("save it as “CSV UTF-8”"), "{}", refused.text);
    }
}

/// Thirty slips are two pages of A4: the rules for print say so in millimetres.
#[test]
fn fifteen_slips_fit_on_a_page_of_paper() {
    let css = include_str!("../../../boards/src/assets/site.css");
    let print = css.split("@page slips").nth(1).unwrap();
    let number = |before: &str| -> f64 {
        let rest = print.split(before).nth(1).unwrap();
        rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap()].parse().unwrap()
    };
    let (margin, columns, height) = (number("margin: "), number("repeat("), number("height: "));
    let rows = ((297.0 - 2.0 * margin) / height).floor();
    assert_eq!((columns, rows, columns * rows), (3.0, 5.0, 15.0));
    assert!(print.contains("size: A4") && print.contains("gap: 0"));
}

#[tokio::test]
async fn a_lost_slip_is_made_again_from_the_row_of_a_person() {
    let site = TestSite::new();
    let ((host_id, host), (outside, _)) = (site.member("host", true), site.member("eve", false));
    site.post("/host/competitions/3/roster", &host, &[("names", "ada")]).await;
    let people = site.get("/host/competitions/3/people", &host).await.text;
    let (_, rest) = people.split_once("action=\"/host/competitions/3/people/").unwrap();
    let ada: i64 = rest[..rest.find('"').unwrap()].parse().unwrap();
    assert!(people.contains("New link"), "{people}");
    let reissue =
        async |account: i64| site.post(&format!("/host/competitions/3/people/{account}/link"), &host, &[]).await;
    let slip = reissue(ada).await;
    assert_eq!(slip.status, StatusCode::OK, "{}", slip.text);
    let word = slip.text.split("/recover/").nth(1).unwrap().split('<').next().unwrap().to_owned();
    assert!(word.len() == 10 && slip.text.contains("A new link for ada"), "{}", slip.text);
    let second = reissue(ada).await.text;
    let used = site.get(&format!("/recover/{word}"), &Who::Guest).await;
    assert_eq!(used.status, StatusCode::NOT_FOUND, "only the last one holds");
    let word = second.split("/recover/").nth(1).unwrap().split('<').next().unwrap();
    let set = site.post(&format!("/recover/{word}"), &Who::Guest, &[("password", "correct horse")]).await;
    assert_eq!(set.status, StatusCode::SEE_OTHER);
    // It is asked first once there is a password.
    assert!(site.get("/host/competitions/3/people", &host).await.text.contains("all sessions and tokens end"));
    assert_eq!(reissue(outside).await.status, StatusCode::NOT_FOUND);
    site.program(host_id, "own");
    assert_eq!(reissue(host_id).await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_host_sees_who_was_here_and_who_is_idle() {
    let site = TestSite::new();
    let ((_, host), (ada, herself)) = (site.member("host", true), site.member("ada", false));
    let (program, _) = site.program(ada, "bot");
    site.get(&format!("/program/{program}"), &herself).await;
    assert!(site.site.look(|store| store.seen(ada)).unwrap().is_some_and(|seen| now() - seen < 60));
    let overview = async || site.get("/host/competitions/3", &host).await.text;
    assert!(!overview().await.contains("data-reached=\"idle\""));
    let (bob, _) = site.member("bob", false);
    let own = Submission { account: bob, competition: 3, name: "old", language: Language::Python3, source: "1" };
    let version = site.site.writer().submit(&own, &site.site.options.submissions, now() - 8 * 86_400).unwrap().unwrap();
    site.site.writer().take_submission().unwrap();
    site.site.writer().settle_submission(version, Ok(()), None, now()).unwrap();
    assert!(overview().await.contains("data-reached=\"idle\""));
    let people = site.get("/host/competitions/3/people?stage=idle", &host).await.text;
    assert!(people.contains("idle: nothing new for 7 days") && people.contains("Last seen"), "{people}");
}

#[tokio::test]
async fn rules_and_settings_are_saved_apart() {
    let site = TestSite::new();
    let (_, host) = site.member("host", true);
    let page = "/host/competitions/3";
    let known = || site.site.competition(3).unwrap();
    let rules = [("part", "rules"), ("clock", "2"), ("language", "PYTHON3"), ("openings", "0"), ("daily", "")];
    let saved = site.post(page, &host, &rules).await;
    assert_eq!(saved.header("location"), "/host/competitions/3/rules?saved=yes", "{}", saved.text);
    assert_eq!(
        (known().clock_ms, known().languages.map(|all| all.len()), known().title),
        (Some(2000), Some(1), "Renju".into())
    );
    let settings =
        [("part", "settings"), ("title", "Five"), ("slug", "renju"), ("entry", "open"), ("replays", "always")];
    let saved = site.post(page, &host, &settings).await;
    assert_eq!(saved.header("location"), "/host/competitions/3/settings?saved=yes", "{}", saved.text);
    assert_eq!(
        (known().clock_ms, known().languages.map(|all| all.len()), known().title),
        (Some(2000), Some(1), "Five".into())
    );
    let [rules, settings] = ["rules", "settings"].map(|tab| format!("{page}/{tab}"));
    let (rules, settings) = (site.get(&rules, &host).await.text, site.get(&settings, &host).await.text);
    assert!(rules.contains("name=\"clock\"") && !rules.contains("name=\"title\""), "{rules}");
    assert!(!settings.contains("name=\"clock\"") && settings.contains("name=\"title\""), "{settings}");
    let wrong = site.post(page, &host, &[("part", "rules"), ("clock", "never")]).await;
    assert!(
        wrong.status == StatusCode::UNPROCESSABLE_ENTITY && wrong.text.contains("name=\"clock\""),
        "{}",
        wrong.text
    );
}

#[tokio::test]
async fn a_person_is_taken_out_of_a_competition_and_let_in_again() {
    let site = TestSite::new();
    let ((_, host), (ada, herself)) = (site.member("host", true), site.member("ada", false));
    let (program, _) = site.program(ada, "bot");
    let page = "/host/competitions/3/people";
    let path = format!("{page}/{ada}");
    assert!(site.get(page, &host).await.text.contains("Its programs play no more"));
    let set =
        async |yes: &str| assert_eq!(site.post(&path, &host, &[("yes", yes)]).await.status, StatusCode::SEE_OTHER);
    set("yes").await;
    let shown = site.get(page, &host).await.text;
    assert!(shown.contains("taken out") && shown.contains("Let in again"), "{shown}");
    let is_barred = async || site.get(&format!("/program/{program}"), &Who::Guest).await.text.contains("disqualified");
    assert!(is_barred().await);
    // She finds it where she would look for the reason; others do not.
    let notice = "The host has removed you from Renju: you cannot submit there";
    for path in ["/me", &format!("/program/{program}"), "/ladder/renju"] {
        assert!(site.get(path, &herself).await.text.contains(notice), "{path}");
        assert!(!site.get(path, &host).await.text.contains(notice), "{path}");
    }
    assert!(!site.get("/ladder/petri", &herself).await.text.contains(notice));
    let draft = [("contest", "renju"), ("name", "new"), ("language", "PYTHON3"), ("source", "print(1)")];
    let refused = site.submit(&herself, &draft, None).await.text;
    assert!(refused.contains("The host has removed this account from the competition"), "{refused}");
    site.post("/host/messages", &host, &[("contest", "renju"), ("text", "For those who are in.")]).await;
    assert!(!site.get("/rules", &herself).await.text.contains("class=\"badge\""));
    set("no").await;
    assert!(!is_barred().await);
    assert!(!site.get("/me", &herself).await.text.contains(notice));
    let again = site.submit(&herself, &draft, None).await;
    assert_eq!(again.status, StatusCode::SEE_OTHER, "{}", again.text);
    // A list of names lets in whom it has.
    set("yes").await;
    site.post("/host/competitions/3/roster", &host, &[("names", "ada")]).await;
    assert!(!site.get(page, &host).await.text.contains("Let in again"));
    let events = site.get("/host/events", &host).await.text;
    for kind in ["removed from a competition", "readmitted to a competition"] {
        assert!(events.contains(kind), "{events}");
    }
}

#[tokio::test]
async fn a_message_is_counted_until_it_is_read() {
    let site = TestSite::new();
    let ((_, host), (ada, member), (_, other)) =
        (site.member("host", true), site.member("ada", false), site.member("bob", false));
    site.program(ada, "bot");
    let sent = site.post("/host/messages", &host, &[("contest", "renju"), ("text", "See https://a.example/.")]).await;
    assert_eq!(sent.status, StatusCode::SEE_OTHER, "{}", sent.text);
    assert!(site.get("/rules", &member).await.text.contains("<span class=\"badge\">1"));
    assert!(!site.get("/rules", &other).await.text.contains("badge"), "who has no program there");
    assert!(site.get("/host/messages", &host).await.text.contains("read by 0 of 1"));
    let page = site.get("/me/messages", &member).await.text;
    assert!(page.contains("href=\"https://a.example/\"") && page.contains("New"), "{page}");
    assert!(!site.get("/me/messages", &member).await.text.contains(">New<"), "it is read");
    assert!(site.get("/host/messages", &host).await.text.contains("read by 1 of 1"));
    for (form, expected) in [
        (&[("text", " ")][..], "1 to 2000 characters"),
        (&[("text", "x"), ("account", "noone")][..], "No account is named <code>noone</code>"),
        (&[("text", "x"), ("contest", "chess")][..], "No such competition"),
    ] {
        let answer = site.post("/host/messages", &host, form).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(answer.text.contains(expected), "{}", answer.text);
    }
}

#[tokio::test]
async fn an_account_deletes_itself() {
    let site = TestSite::new();
    let (host_id, _) = site.member("host", true);
    let form = [("name", "ada"), ("password", "correct horse")];
    let ada = Who::Cookie(site.post("/signup", &Who::Guest, &form).await.cookie());
    let refused = |answer: &super::PageAnswer, expected: &str| {
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(answer.text.contains(expected), "`{expected}` is not in: {}", answer.text);
    };
    refused(&site.post("/me/delete", &ada, &[("name", "ada"), ("password", "wrong")]).await, "password is wrong");
    refused(
        &site.post("/me/delete", &ada, &[("name", "eve"), ("password", "correct horse")]).await,
        "Names don't match",
    );
    let deleted = site.post("/me/delete", &ada, &form).await;
    assert_eq!(deleted.status, StatusCode::OK, "{}", deleted.text);
    assert!(deleted.text.contains("Your account is deleted") && deleted.header("set-cookie").contains("Max-Age=0"));
    assert_eq!(site.get("/me", &ada).await.status, StatusCode::SEE_OTHER, "it is a guest");
    // The last administrator stays.
    let origin = agon_site::store::Origin::request(Some(host_id), std::net::IpAddr::from([127, 0, 0, 1]));
    let refused = agon_site::accounts::delete_own(&mut site.site.writer(), host_id, "host", &origin);
    let Err(agon_site::error::Refusal::Forbidden(reason)) = refused else { panic!("{refused:?}") };
    assert_eq!(reason.key(), "account-error-last-administrator");
}

#[tokio::test]
async fn a_program_that_fails_again_and_again_rests_and_its_author_gets_a_message() {
    let site = TestSite::new();
    let (ada, author) = site.member("ada", false);
    let (program, _) = site.program(ada, "bot");
    let failed = lost(Verdict::Tle, failed_record());
    for _ in 0..MAX_FAILURES {
        site.rated([program, site.builtin("random")], &failed);
    }
    let page = site.get("/me", &author).await.text;
    assert!(page.contains("rests: it failed in 10 rated games"), "{page}");
    let (_, host) = site.member("host", true);
    assert!(site.get("/host/today", &host).await.text.contains("bot v1"));
    let woken = site.post(&format!("/program/{program}/activate"), &author, &[("number", "1")]).await;
    assert_eq!(woken.status, StatusCode::SEE_OTHER, "{}", woken.text);
    assert!(!site.get("/me", &author).await.text.contains("rests: it failed"));
}

#[tokio::test]
async fn the_form_opens_with_the_competition_that_the_person_is_in() {
    let site = TestSite::new();
    let (ada, member) = site.member("ada", false);
    let chosen = async || {
        let page = site.get("/submit", &member).await.text;
        let option = page.split("selected>").next().unwrap().rsplit("value=\"").next().unwrap().to_owned();
        option.split('"').next().unwrap().to_owned()
    };
    assert_eq!(chosen().await, "bacteria", "the first");
    site.program(ada, "bot");
    assert_eq!(chosen().await, "renju");
    assert!(
        site.get("/rules/renju", &member).await.text.contains("href=\"/submit?competition=renju&amp;sample=PYTHON3\"")
    );
    let page = site.get("/submit?competition=petri&sample=PYTHON3", &member).await.text;
    assert!(page.contains("<option value=\"petri\" selected>"), "{page}");
}

#[tokio::test]
async fn an_old_address_of_a_competition_leads_to_the_new_one() {
    let site = TestSite::new();
    let (_, host) = site.member("host", true);
    let form = |title: &'static str, slug: &'static str| {
        [("game", "renju"), ("title", title), ("slug", slug), ("entry", "open"), ("replays", "always")]
    };
    let made = site.post("/host/competitions", &host, &form("가을 대회 2026", "")).await;
    assert_eq!(made.status, StatusCode::SEE_OTHER, "{}", made.text);
    assert_eq!(site.get("/ladder/gaeul-daehoe-2026", &host).await.status, StatusCode::OK, "the title in Latin letters");
    site.post(made.header("location"), &host, &form("가을 대회 2026", "autumn")).await;
    for (old, new) in [("/ladder/gaeul-daehoe-2026", "/ladder/autumn"), ("/rules/gaeul-daehoe-2026", "/rules/autumn")] {
        let answer = site.get(old, &Who::Guest).await;
        assert_eq!((answer.status, answer.header("location")), (StatusCode::PERMANENT_REDIRECT, new));
        assert_eq!(site.get(new, &Who::Guest).await.status, StatusCode::OK);
    }
    // An address that another competition takes is that one's.
    site.post("/host/competitions", &host, &form("Another", "gaeul-daehoe-2026")).await;
    assert!(site.get("/ladder/gaeul-daehoe-2026", &Who::Guest).await.text.contains("Another"));
}

#[tokio::test]
async fn a_ladder_rests_until_its_host_lets_it_go_on() {
    let site = TestSite::new();
    let (_, host) = site.member("host", true);
    for (yes, paused) in [("yes", true), ("no", false), ("yes", true)] {
        let answer = site.post("/host/competitions/3/pause", &host, &[("yes", yes)]).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
        assert_eq!(
            (site.site.queue.competitions.is_paused(3), site.site.queue.competitions.is_paused(2)),
            (paused, false)
        );
    }
    assert!(site.get("/host/competitions/3", &host).await.text.contains("Let the ladder go on"));
    // The ladder says so to everybody.
    for (slug, paused) in [("renju", true), ("domineering", false)] {
        let page = site.get(&format!("/ladder/{slug}"), &Who::Guest).await.text;
        assert_eq!(page.contains("The host has paused this ladder"), paused, "{page}");
    }
    assert_eq!(site.site.writer().setting("paused_contests").unwrap().as_deref(), Some("3"), "after a restart, too");
}

#[tokio::test]
async fn the_rules_of_a_competition_are_its_own() {
    let site = TestSite::new();
    let (_, host) = site.member("host", true);
    let form = [
        ("game", "domineering"),
        ("title", "Small"),
        ("slug", "small"),
        ("parameter.rows", "6"),
        ("clock", "5"),
        ("language", "PYTHON3"),
        ("entry", "invited"),
        ("replays", "always"),
        ("daily", "3"),
        ("description", "See https://a.example"),
    ];
    site.post("/host/competitions", &host, &form).await;
    let page = site.get("/rules/small", &Who::Guest).await.text;
    for part in
        ["5000 ms", "3 of a person", "who has been invited", "rows of the board", "TURN 5000 5000", "READY FIRST"]
    {
        assert!(page.contains(part), "`{part}` is not in: {page}");
    }
    assert!(page.contains("href=\"https://a.example\""), "{page}");
    assert!(!page.contains("sample=RUST"), "only what it takes: {page}");
    assert!(site.get("/rules", &Who::Guest).await.text.contains("/rules/small"));
}

#[tokio::test]
async fn the_host_reads_a_version_and_has_it_checked_again() {
    let site = TestSite::new();
    let ((ada, _), (_, host), (_, other)) =
        (site.member("ada", false), site.member("host", true), site.member("bob", false));
    let version = site.failed_version(ada, "bot");
    let page = site.get(&format!("/version/{version}"), &host).await.text;
    assert!(page.contains("# the source") && page.contains("Check it again"), "{page}");
    assert!(page.contains("class=\"failed\"") && !page.contains("class=\"done\">Check game"), "{page}");
    assert_eq!(site.get(&format!("/version/{version}"), &other).await.status, StatusCode::NOT_FOUND);
    assert_eq!(site.post(&format!("/version/{version}/check"), &host, &[]).await.status, StatusCode::SEE_OTHER);
    let waiting = site.site.writer().check_queue().unwrap().oldest.unwrap();
    assert!(now() - waiting < 60, "it waits since it was asked for again");
    assert_eq!(site.site.writer().take_submission().unwrap().unwrap().id, version);
}

#[tokio::test]
async fn a_final_without_a_program_is_counted_anew() {
    let site = TestSite::new();
    let ((ada, _), (bob, _), (_, host)) =
        (site.member("ada", false), site.member("bob", false), site.member("host", true));
    let programs = [site.program(ada, "one").0, site.program(bob, "two").0];
    let form =
        [("sure", "yes"), ("title", "Friday"), ("kind", "round-robin"), ("games", "2"), ("rounds", "1"), ("seed", "1")];
    let begun = site.post("/host/competitions/3/finals", &host, &form).await;
    let path = begun.header("location").to_owned();
    let id: i64 = path.rsplit('/').next().unwrap().parse().unwrap();
    for (slot, seats) in [(0, programs), (1, [programs[1], programs[0]])] {
        let bout = site.begun(BoutKind::Final { id, slot }, seats);
        assert!(site.site.writer().end_bout(bout, &lost(Verdict::Ok, failed_record()), now()).unwrap());
    }
    let page = site.get(&path, &host).await.text;
    assert!(page.contains("class=\"cross\"") && page.contains("class=\"won\"") && page.contains("Ties: "), "{page}");
    for program in programs {
        assert!(page.contains(&format!("<a href=\"/program/{program}\">")), "the standings lead to programs: {page}");
    }
    let ladder = site.in_korean("/ladder/renju", &Who::Guest).await;
    assert!(ladder.contains("Friday") && !ladder.contains("running") && !ladder.contains("complete"), "{ladder}");
    // Two won games each way: the two are level. Tables that scroll are reached by the keyboard.
    assert_eq!(page.matches("<tr><td>1</td>").count(), 3, "two in the standings, one in the cross table: {page}");
    assert_eq!(page.matches("class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=").count(), 2, "{page}");
    let out = [("agent", "0"), ("out", "yes")];
    assert_eq!(site.post(&format!("{path}/out"), &host, &out).await.status, StatusCode::SEE_OTHER);
    let page = site.get(&path, &host).await.text;
    assert!(page.contains("disqualified: its games do not count") && page.contains("Let it back in"), "{page}");
    let json: serde_json::Value =
        serde_json::from_str(&site.get(&format!("/api/v1/finals/{id}"), &Who::Guest).await.text).unwrap();
    assert_eq!((json["standings"].as_array().unwrap().len(), json["disqualified"].as_array().unwrap().len()), (1, 1));
    let csv = site.get(&format!("{path}/standings.csv"), &Who::Guest).await;
    assert!(csv.bytes.starts_with("\u{feff}place,".as_bytes()), "a spreadsheet sees that it is UTF-8");
    let screen = site.get(&format!("{path}/screen"), &Who::Guest).await.text;
    assert!(screen.contains("data-again=\"5\"") && screen.contains("data-steps=\"/game/"), "{screen}");
    assert!(!screen.contains("podium"), "it goes on: {screen}");
    assert_eq!(
        site.post(&format!("{path}/out"), &host, &[("agent", "9"), ("out", "yes")]).await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn a_cross_table_has_all_games_of_a_pairing() {
    let site = TestSite::new();
    let ((ada, _), (bob, _), (_, host)) =
        (site.member("ada", false), site.member("bob", false), site.member("host", true));
    let programs = [site.program(ada, "one").0, site.program(bob, "two").0];
    let form =
        [("sure", "yes"), ("title", "Friday"), ("kind", "round-robin"), ("games", "8"), ("rounds", "1"), ("seed", "1")];
    let path = site.post("/host/competitions/3/finals", &host, &form).await.header("location").to_owned();
    let id: i64 = path.rsplit('/').next().unwrap().parse().unwrap();
    let mut swapped = programs;
    swapped.reverse();
    for slot in 0..8 {
        let seats = if slot % 2 == 0 { programs } else { swapped };
        let bout = site.begun(BoutKind::Final { id, slot }, seats);
        assert!(site.site.writer().end_bout(bout, &lost(Verdict::Ok, failed_record()), now()).unwrap());
    }
    let page = site.get(&path, &Who::Guest).await.text;
    let table = page.split("class=\"cross\"").nth(1).unwrap().split("</table>").next().unwrap();
    assert_eq!(table.matches("href=\"/game/").count(), 16, "{table}");
    let [one, two] = programs;
    let sum = format!("<a class=\"sum\" href=\"/versus/{one}/{two}\"><strong>4</strong>/8</a>");
    assert!(table.contains(&sum), "{table}");
    // While it goes on, the order is that of the share.
    assert!(page.contains("the share of points decides"), "{page}");
}

#[tokio::test]
async fn a_final_begins_by_itself_between_those_who_are_best_then() {
    let site = TestSite::new();
    let (_, host) = site.member("host", true);
    let hours = |count: i64| now() + count * 3600;
    let in_hours = |count: i64| typed_time(hours(count));
    let form = |begins: String| {
        let plain = [("title", "Friday"), ("kind", "round-robin"), ("games", "2"), ("rounds", "1"), ("seed", "1")];
        let mut form: Vec<(String, String)> =
            plain.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        form.extend([("sure".to_owned(), "yes".to_owned()), ("begins".to_owned(), begins)]);
        form
    };
    let post = async |begins: String| {
        let form = form(begins);
        let form: Vec<(&str, &str)> = form.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        site.post("/host/competitions/3/finals", &host, &form).await
    };
    for wrong in [in_hours(-1), in_hours(24 * 400), "soon".to_owned()] {
        let refused = post(wrong.clone()).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
        assert!(refused.text.contains("at a time to come"), "{wrong}: {}", refused.text);
        // Before the host is asked for confirmation, too.
        let form = form(wrong.clone());
        let form = form.iter().filter(|(name, _)| name != "sure");
        let form: Vec<(&str, &str)> = form.map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let refused = site.post("/host/competitions/3/finals", &host, &form).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
        assert!(refused.text.contains("at a time to come"), "{wrong}: {}", refused.text);
    }
    // Whoever goes back from the preview finds all that was entered.
    let mut typed = form(in_hours(3));
    typed.retain(|(name, _)| name != "sure" && name != "games");
    typed.extend([("games", "6"), ("one_each", "true"), ("sure", "no")].map(|(a, b)| (a.to_owned(), b.to_owned())));
    let typed: Vec<(&str, &str)> = typed.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let back = site.post("/host/competitions/3/finals", &host, &typed).await;
    assert_eq!(back.status, StatusCode::OK, "{}", back.text);
    let field = |name: &str| {
        let input = back.text.split("<input").find(|input| input.contains(&format!("name=\"{name}\""))).unwrap();
        input.split('>').next().unwrap().to_owned()
    };
    assert!(field("games").contains("value=\"6\"") && field("title").contains("value=\"Friday\""), "{}", back.text);
    assert!(field("one_each").contains("checked") && field("begins").contains(&in_hours(3)[..16]), "{}", back.text);
    // There are no programs yet; they may come. Times are typed without seconds: at a full minute it would be 3 h.
    let put_off = post(typed_time(hours(3) - 60)).await;
    assert_eq!(put_off.header("location"), "/host/competitions/3/final", "{}", put_off.text);
    // The desk leads to its pages, and has the form of another one apart, unless it is being filled in.
    let desk = site.get("/host/competitions/3/final", &host).await.text;
    for part in ["href=\"/final/1\"", "href=\"/final/1/screen\"", "<details><summary>Begin another final"] {
        assert!(desk.contains(part), "`{part}` is not in: {desk}");
    }
    let back = site.post("/host/competitions/3/finals", &host, &typed).await.text;
    assert!(back.contains("<details open><summary>Begin another final") && back.contains("value=\"6\""), "{back}");
    for path in ["/", "/ladder/renju"] {
        let page = site.get(path, &Who::Guest).await.text;
        let notice = page.split_once("Friday").map(|(_, rest)| &rest[..200]);
        assert!(page.contains(">in 2 h</span> (<time"), "{path}: {notice:?}");
        assert!(page.contains("href=\"/final/1\""), "{path}: the notice leads to the final");
    }
    // It has its pages from now on.
    assert!(site.get("/finals", &Who::Guest).await.text.contains("href=\"/final/1\""));
    for path in ["/final/1", "/final/1/screen"] {
        let page = site.get(path, &Who::Guest).await.text;
        assert!(page.contains("data-until=") && page.contains("Friday"), "{path}: {page}");
        assert!(page.contains("A final needs at least two programs"), "{path}: {page}");
    }
    assert!(!site.get("/final/1", &Who::Guest).await.text.contains("Change or cancel"));
    assert!(site.get("/final/1", &host).await.text.contains("Change or cancel"));
    let limits = site.site.options.limits;
    let begin = |at: i64| {
        let due = finals::begin_due(&mut site.site.writer(), limits, at).unwrap();
        site.site.queue.announce_change();
        due
    };
    assert_eq!((begin(hours(2)), site.site.writer().finals().unwrap().len()), (0, 0), "not yet");
    // There are no programs: the host sees why it did not begin, and no other page names it.
    assert_eq!((begin(hours(4)), begin(hours(4))), (1, 0), "once");
    let page = site.get("/host/competitions/3/final", &host).await.text;
    assert!(page.contains("it could not begin: a final needs at least two programs"), "{page}");
    let front = site.get("/", &host).await.text;
    assert!(!front.contains("Friday"), "{front}");
    let page = site.get("/final/1", &host).await.text;
    assert!(page.contains("it could not begin: a final needs") && !page.contains("data-until"), "{page}");
    // Once more, with programs of that moment.
    post(in_hours(3)).await;
    for name in ["ada", "bob"] {
        site.program(site.member(name, false).0, name);
    }
    for path in ["/final/1", "/final/1/screen"] {
        let page = site.get(path, &host).await.text;
        assert!(page.contains("2 programs would play now") && page.contains("ada v1 (ada)"), "{path}: {page}");
    }
    assert_eq!((begin(hours(4)), begin(hours(4))), (1, 0), "once");
    let begun = site.site.writer().finals().unwrap();
    assert_eq!((begun.len(), begun[0].plan.agents.len(), begun[0].title.as_str()), (1, 2, "Friday"));
    assert_eq!(begun[0].id, 1, "at the address that it has had");
    let page = site.get("/final/1", &host).await.text;
    assert!(page.contains("0 of 2 games played") && !page.contains("would play"), "{page}");
    let screen = site.get("/final/1/screen", &host).await.text;
    assert!(screen.contains("data-state=\"running\"") && screen.contains("first games are being prepared"), "{screen}");
    assert!(screen.contains("<strong>ada v1</strong>") && !screen.contains("class=\"board"), "{screen}");
    // One is cancelled.
    post(in_hours(3)).await;
    assert!(site.get("/host/competitions/3/final", &host).await.text.contains("Cancel it"));
    site.post("/host/competitions/3/finals/cancel", &host, &[]).await;
    assert_eq!(begin(hours(4)), 0);
    assert_eq!(site.get("/final/2", &host).await.status, StatusCode::NOT_FOUND);
    let korean = site.in_korean("/host/competitions/3/final", &host).await;
    assert!(korean.contains("시작 시각") && !korean.contains("Cancel it"), "{korean}");
}

/// Divisions have an address each, which stays; a final has a title that no other one has.
#[tokio::test]
async fn finals_and_their_divisions_have_addresses_and_titles() {
    let site = TestSite::new();
    let (_, host) = site.member("host", true);
    for name in ["ada", "bob", "eve", "zoe"] {
        site.program(site.member(name, false).0, name);
    }
    let begins = typed_time(now() + 3 * 3600);
    let plain = [("sure", "yes"), ("kind", "round-robin"), ("games", "2")];
    let divided = [&plain[..], &[("title", "Friday"), ("divisions", "2"), ("begins", &begins)]].concat();
    site.post("/host/competitions/3/finals", &host, &divided).await;
    let whole = site.get("/final/1", &Who::Guest).await.text;
    assert!(whole.contains("href=\"/final/2\">Friday · 2") && whole.contains("ada v1 (ada)"), "{whole}");
    for path in ["/final/2", "/final/2/screen"] {
        let page = site.get(path, &Who::Guest).await.text;
        assert!(page.contains("Friday · 2</") && page.contains("2 programs would play now"), "{path}: {page}");
    }
    let limits = site.site.options.limits;
    assert_eq!(finals::begin_due(&mut site.site.writer(), limits, now() + 4 * 3600).unwrap(), 1);
    let titles: Vec<_> = site.site.writer().finals().unwrap().into_iter().map(|one| (one.id, one.title)).collect();
    assert_eq!(titles, [(2, "Friday · 2".to_owned()), (1, "Friday · 1".to_owned())]);
    let offered = async || {
        let page = site.get("/host/competitions/3/final", &host).await.text;
        let field = page.split_once("name=\"title\"").unwrap().1.split_once("value=\"").unwrap().1;
        assert!(page.contains("name=\"one_each\" value=\"true\" checked"), "{page}");
        field.split('"').next().unwrap().to_owned()
    };
    let title = offered().await;
    for (divisions, number) in [("2", 2), ("", 3)] {
        let taken = offered().await;
        let form = [&plain[..], &[("title", taken.as_str()), ("divisions", divisions)]].concat();
        let begun = site.post("/host/competitions/3/finals", &host, &form).await;
        assert_eq!(begun.status, StatusCode::SEE_OTHER, "{}", begun.text);
        assert_eq!(offered().await, format!("{title} {number}"));
    }
}

#[tokio::test]
async fn a_weekly_league_has_groups_and_moves_programs() {
    let site = TestSite::new();
    let (host_id, host) = site.member("host", true);
    let programs: Vec<(Who, i64)> = (10..25)
        .map(|number| {
            let (account, who) = site.member(&format!("p{number}"), false);
            (who, site.program(account, "bot").0)
        })
        .collect();
    let league = "/ladder/renju/league";
    assert_eq!(site.get(league, &host).await.status, StatusCode::NOT_FOUND);
    let answer = site.post("/host/competitions/3/league", &host, &[("yes", "yes")]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert!(site.get("/ladder/renju", &Who::Guest).await.text.contains(&format!("href=\"{league}\"")));
    let read = async || {
        let answer = site.get("/api/v1/ladder/renju/league", &Who::Guest).await;
        serde_json::from_str::<serde_json::Value>(&answer.text).unwrap()
    };
    let table = read().await;
    let sizes: Vec<usize> = table["groups"].as_array().unwrap().iter().map(|of| of.as_array().unwrap().len()).collect();
    assert_eq!((sizes, &table["earlier"]), (vec![10, 5], &serde_json::Value::Null));
    let (begins, ends) = (table["begins"].as_i64().unwrap(), table["ends"].as_i64().unwrap());
    assert!((begins..ends).contains(&now()), "{table}");
    // The first of the lower group wins: it would move up, and the last of the upper one down.
    site.rated([programs[11].1, programs[10].1], &lost(Verdict::Ok, failed_record()));
    // A game between groups counts on the ladder only.
    site.rated([programs[0].1, programs[14].1], &lost(Verdict::Ok, failed_record()));
    let table = read().await;
    let [upper, lower] = [0, 1].map(|group: usize| table["groups"][group].as_array().unwrap());
    let row = |row: &serde_json::Value| {
        let moves = row["moves"].as_str().unwrap().to_owned();
        (row["program"].as_i64().unwrap(), row["games"].as_i64().unwrap(), row["points"].as_f64().unwrap(), moves)
    };
    assert_eq!(row(&lower[0]), (programs[10].1, 1, 1.0, "up".to_owned()));
    assert_eq!(row(&lower[2]), (programs[12].1, 0, 0.0, "stay".to_owned()), "it has not played");
    assert_eq!(row(&upper[9]), (programs[9].1, 0, 0.0, "down".to_owned()));
    let page = site.get(league, &programs[10].0).await.text;
    for part in ["Group 2</h2>", "bot: group 2, place 1", "<tr class=\"own\">", "aria-label=\"moves up\""] {
        assert!(page.contains(part), "`{part}` is not in: {page}");
    }
    let korean = site.in_korean(league, &programs[10].0).await;
    assert!(korean.contains("bot: 2조 1위") && korean.contains("주간 리그"), "{korean}");
    // It ends through the API; what was played stays.
    let token = site.token_for(host_id, TokenScopes::new([TokenScope::Host]));
    let ended = site.ask("PUT", "/api/v1/host/contests/renju/league", &token, r#"{"on":false}"#).await;
    assert_eq!(ended.status, StatusCode::NO_CONTENT, "{}", ended.text);
    assert!(!site.get("/ladder/renju", &host).await.text.contains(league));
    assert_eq!(site.get(league, &host).await.status, StatusCode::OK);
}

/// Obvious mistakes are refused before anything is run.
#[tokio::test]
async fn rules_need_a_plain_name_and_a_length() {
    let site = TestSite::new();
    let (_, host) = site.member("host", true);
    let check = async |file: &str, source: &str, expected: &str| {
        let answer = site.send_file("/host/games", &host, &[("file", file), ("source", source)], None).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{file}");
        assert!(answer.text.contains(expected), "{file}: `{expected}` is not in: {}", answer.text);
    };
    for file in ["", "x", "../x.py", ".x.py", "x.y.py", "x.txt", "x y.py", &format!("{}.py", "x".repeat(41))] {
        check(file, "print(1)", "needs a plain name").await;
    }
    check("x.py", " \n", "The rules are empty").await;
    let long = "x".repeat((256 << 10) + 1);
    check("x.py", &long, "more than 256 KiB").await;
    // A file has the same bounds, and its own name where none was typed.
    let chosen = async |typed: &str, name: &str, content: &str, expected: &str| {
        let fields = [("file", typed), ("source", "")];
        let answer = site.send_file("/host/games", &host, &fields, Some(("upload", name, content.as_bytes()))).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{name}");
        assert!(answer.text.contains(expected), "{name}: `{expected}` is not in: {}", answer.text);
    };
    chosen("", "x y.py", "print(1)", "needs a plain name").await;
    chosen("", "x.py", " \n", "The rules are empty").await;
    chosen("", "x.py", &long, "more than 256 KiB").await;
    chosen("x.txt", "x.py", "print(1)", "needs a plain name").await;
    assert!(!site.site.options.rules_folder().exists());
    // A file that is there stays as it is, and there is an end of them.
    let folder = site.site.options.rules_folder();
    std::fs::create_dir(&folder).unwrap();
    for number in 0..16 {
        std::fs::write(folder.join(format!("x{number}.py")), "kept").unwrap();
    }
    check("x3.py", "kept", "These rules are here already").await;
    check("y.py", "print(1)", "keeps 16 files").await;
    chosen("", "x3.py", "kept", "These rules are here already").await;
    assert_eq!(std::fs::read_to_string(folder.join("x3.py")).unwrap(), "kept");
}

#[tokio::test]
async fn a_failed_check_is_shown_until_it_is_dismissed() {
    let site = TestSite::new();
    let (ada_id, ada) = site.member("ada", false);
    let version = site.failed_version(ada_id, "bot");
    for path in ["/", "/me"] {
        let page = site.get(path, &ada).await.text;
        assert!(page.contains(&format!("The check of <a href=\"/version/{version}\">bot v1</a> failed.")), "{page}");
        assert!(page.contains("class=\"badge\""), "{page}");
    }
    let dismissed = site.post("/me/notices/dismiss", &ada, &[]).await;
    assert_eq!(dismissed.status, StatusCode::SEE_OTHER);
    assert!(!site.get("/", &ada).await.text.contains("The check of"));
}

#[tokio::test]
async fn members_see_their_own_competition_first() {
    let site = TestSite::new();
    let ((ada_id, ada), (_, bob)) = (site.member("ada", false), site.member("bob", false));
    let (program, _) = site.program(ada_id, "bot");
    let opponent = site.builtin("random");
    let game = site.rated([program, opponent], &lost(Verdict::Re, failed_record()));
    let front = site.get("/", &ada).await.text;
    assert!(front.contains("Your competitions") && front.contains("/submit?competition=renju"), "{front}");
    assert!(!site.get("/", &bob).await.text.contains("Your competitions"));
    assert!(front.contains(&format!("data-of=\"{game}\"")), "{front}");
    // A private one's games are featured to those inside alone.
    let mut own = site.site.competition_at("renju").unwrap();
    own.entry = EntryRule::Private;
    site.site.put_competition(Ok(own)).await.unwrap();
    site.site.featured.forget();
    assert!(site.get("/?1", &ada).await.text.contains(&format!("data-of=\"{game}\"")));
    for who in [&bob, &Who::Guest] {
        assert!(!site.get("/?2", who).await.text.contains("data-of="));
    }
    // The command for a token is for what she has entered.
    assert!(site.get("/me", &ada).await.text.contains("agon submit bot.py --game renju --server"));
}
