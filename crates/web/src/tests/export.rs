//! An export is opened again.

use std::collections::BTreeMap;
use std::io::Read as _;

use agon_referee::verdict::Verdict;
use agon_site::clock::now;
use agon_site::store::Recipients;
use axum::http::StatusCode;
use flate2::read::GzDecoder;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};

use super::pages::failed_record;
use super::{TestSite, Who, lost, request};

/// The files of an archive.
fn files(packed: &[u8]) -> BTreeMap<String, String> {
    let mut archive = tar::Archive::new(GzDecoder::new(packed));
    let read = |entry: std::io::Result<tar::Entry<'_, GzDecoder<&[u8]>>>| {
        let mut entry = entry.unwrap();
        let mut text = String::new();
        entry.read_to_string(&mut text).unwrap();
        (entry.path().unwrap().display().to_string(), text)
    };
    archive.entries().unwrap().map(read).collect()
}

pub(super) async fn download(site: &TestSite, path: &str, who: &Who) -> BTreeMap<String, String> {
    let answer = site.send(request("GET", path, who).header("accept-encoding", "gzip").body("".into()).unwrap()).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["content-type"], "application/gzip");
    assert_ne!(
        answer.headers().get("content-encoding").map(axum::http::HeaderValue::as_bytes),
        Some(&b"gzip"[..]),
        "packed once"
    );
    files(&answer.into_body().collect().await.unwrap().to_bytes())
}

fn rows(files: &BTreeMap<String, String>, path: &str) -> Vec<Value> {
    files[path].lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A site with two users, a team of the first one, a program of each of the three, and a game in which the users'
/// programs have written to their error streams.
fn played() -> (TestSite, Who, Who, Who) {
    let site = TestSite::new();
    let ((ada, ada_cookie), (bob, bob_cookie), (_, host)) =
        (site.member("ada", false), site.member("bob", false), site.member("host", true));
    site.token(ada);
    let limits = agon_site::store::TeamLimits { teams: 1, members: 2 };
    let team = site.site.writer().create_team("Stones", ada, limits, now()).unwrap().unwrap();
    let [(first, _), (second, _), _] =
        [site.program(ada, "one"), site.program(bob, "two"), site.program(team, "three")];
    for _ in 0..3 {
        site.rated([first, second], &lost(Verdict::Re, failed_record()));
    }
    (site, ada_cookie, bob_cookie, host)
}

#[tokio::test]
async fn all_that_a_site_has_is_in_its_export() {
    let (site, _, _, host) = played();
    let bob = site.site.writer().account_by_name("bob").unwrap().unwrap().0.id;
    let renju = site.site.competition_at("renju").unwrap().id;
    site.site.writer().set_groups(renju, &[(bob, "A반".to_owned())]).unwrap();
    let files = download(&site, "/host/export", &host).await;
    let same = download(&site, "/api/v1/host/export", &host).await;
    assert_eq!(same.keys().collect::<Vec<_>>(), files.keys().collect::<Vec<_>>());
    let counts = site.site.writer().counts().unwrap();
    let accounts = rows(&files, "accounts.jsonl");
    assert_eq!(accounts.iter().filter(|row| row["team"] == 0).count() as u64, counts.accounts);
    assert_eq!(
        rows(&files, "programs.jsonl").iter().filter(|row| row["builtin"].is_null()).count() as u64,
        counts.programs
    );
    let versions = rows(&files, "versions.jsonl");
    assert_eq!(versions.len() as u64, counts.versions);
    assert!(versions.iter().all(|row| files[row["source"].as_str().unwrap()] == "# the source"));
    let games = rows(&files, "games/00001.jsonl");
    assert_eq!(games.len() as u64, counts.games);
    assert!(
        games.iter().all(|row| files[row["record"].as_str().unwrap()].contains("my secret plan")),
        "the host sees all"
    );
    assert_eq!((rows(&files, "members.jsonl").len(), rows(&files, "contests.jsonl").len()), (1, 4));
    let ladder = &files["standings/renju.csv"];
    let winner = |row: &str| row.contains(",\"two\",\"bob\",15") && row.ends_with(",3,3,0,0,0,\"A반\"");
    assert!(ladder.lines().count() > 4 && ladder.lines().any(winner), "{ladder}");
    assert_eq!(rows(&files, "groups.jsonl"), [json!({ "contest": renju, "account": bob, "name": "A반" })]);
    let about: Value = serde_json::from_str(&files["export.json"]).unwrap();
    assert_eq!((&about["format"], &about["rows"]["games"]), (&1.into(), &3.into()));
    // Nothing that would let a reader sign in.
    for (path, text) in &files {
        assert!(
            ["no password", "argon2", "digest\"", "session"].iter().all(|word| !text.contains(word)),
            "{path}: {text}"
        );
    }
}

#[tokio::test]
async fn an_export_holds_what_belongs_to_its_account_and_nothing_else() {
    let (site, ada, bob, _) = played();
    let ada_id = site.site.writer().account_by_name("ada").unwrap().unwrap().0.id;
    let token = site.token(ada_id);
    let bob_id = site.site.writer().account_by_name("bob").unwrap().unwrap().0.id;
    let renju = site.site.competition_at("renju").unwrap().id;
    site.site.writer().set_groups(renju, &[(bob_id, "A".to_owned())]).unwrap();
    site.site.writer().send_message(Recipients::Account(ada_id), "for ada", 5).unwrap();
    for (path, who, names, sees, group, sent) in [
        ("/me/export", &ada, vec!["one", "three"], true, vec![], vec!["for ada"]),
        ("/api/v1/me/export", &token, vec!["one", "three"], true, vec![], vec!["for ada"]),
        ("/me/export", &bob, vec!["two"], false, vec!["A"], vec![]),
    ] {
        let files = download(&site, path, who).await;
        let programs = rows(&files, "programs.jsonl");
        assert_eq!(programs.iter().map(|row| row["name"].as_str().unwrap()).collect::<Vec<_>>(), names);
        assert_eq!(rows(&files, "versions.jsonl").len(), names.len());
        let messages = rows(&files, "messages.jsonl");
        assert_eq!(messages.iter().map(|row| row["text"].as_str().unwrap()).collect::<Vec<_>>(), sent);
        let groups = rows(&files, "groups.jsonl");
        assert_eq!(groups.iter().map(|row| row["name"].as_str().unwrap()).collect::<Vec<_>>(), group);
        let games = rows(&files, "games/00001.jsonl");
        assert_eq!(games.len(), 3);
        for game in games {
            let text = &files[game["record"].as_str().unwrap()];
            assert_eq!(text.contains("my secret plan"), sees, "an error stream is its author's");
            agon_referee::record::Record::read(text).unwrap();
        }
        assert!(!files.keys().any(|path| path.starts_with("standings/")) && files["announcements.jsonl"].is_empty());
    }
}

#[tokio::test]
async fn exports_are_limited() {
    let site = TestSite::new();
    let (_, ada) = site.member("ada", false);
    for _ in 0..4 {
        assert_eq!(
            site.send(request("GET", "/me/export", &ada).body("".into()).unwrap()).await.status(),
            StatusCode::OK
        );
    }
    let answer = site.get("/me/export", &ada).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(answer.text.contains("Too many exports"), "{}", answer.text);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_public_pages_become_files() {
    let site = TestSite::new();
    let (ada, _) = site.member("ada", false);
    let (program, _) = site.program(ada, "bot");
    let game = site.rated([program, site.builtin("random")], &lost(Verdict::Re, failed_record()));
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("pages");
    // A private competition is left out, unless it is named.
    site.change(|competition| competition.entry = agon_site::store::EntryRule::Private).await;
    let (from, to) = (site.site.options.store(), place.clone());
    let export = move || {
        let store = agon_site::store::SiteStore::read(&from).unwrap();
        let korean = agon_message::Locale::Korean;
        let without = to.with_extension("without");
        crate::export_static(&store, &without, korean, &[], &mut |_, _| {}).unwrap();
        assert!(without.join("index.html").exists() && !without.join("ladder/renju.html").exists());
        let unknown = crate::export_static(&store, &to, korean, &["chess".to_owned()], &mut |_, _| {}).unwrap_err();
        assert!(unknown.to_string().contains("`chess`; there is renju"), "{unknown}");
        let mut last = (0, 0);
        let pages = crate::export_static(&store, &to, korean, &["renju".to_owned()], &mut |at, of| last = (at, of));
        assert!(last.0 > 10 && last.0 <= last.1, "{last:?}");
        pages
    };
    let pages = tokio::task::spawn_blocking(export).await.unwrap().unwrap();
    assert!(pages > 10, "{pages} pages");
    let read = |name: &str| std::fs::read_to_string(place.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let page = read("ladder/renju.html");
    assert!(page.contains("<html lang=\"ko\">"), "{page}");
    assert!(page.contains(&format!("href=\"../program/{program}.html\"")) && !page.contains("<form"), "{page}");
    assert!(page.contains(&format!("href=\"../person/{ada}.html\"")), "{page}");
    assert!(read(&format!("person/{ada}.html")).contains("bot"));
    assert!(!page.contains("=\"/"), "no address of a server is left: {page}");
    assert!(!read(&format!("game/{game}.html")).contains("my secret plan"), "as a guest sees it");
    assert!(read(&format!("game/{game}.jsonl")).contains("\"renju\""));
    assert!(!place.join(".site").exists() && !place.join("host.html").exists() && !place.join("me.html").exists());
    // The boards, where this build has engines for the browser.
    let mut pages = vec!["index.html", "rules.html", "ladder/renju.html"];
    if agon_boards::engines::files().is_empty() {
        assert!(!place.join("board").exists());
    } else {
        assert!(read("index.html").contains("href=\"board/ko/index.html\""));
        assert!(read("board/ko/renju.html").contains("class=\"brand\" href=\"../../index.html\""));
        pages.extend(["board/ko/index.html", "board/ko/renju.html", "board/analysis.html"]);
    }
    // Every link of every page leads to a file.
    let mut links = 0;
    for name in pages {
        for part in read(name).split(" href=\"").skip(1) {
            let target = part.split(['"', '#']).next().unwrap();
            if !target.is_empty() && !target.contains("://") {
                let path = place.join(name).parent().unwrap().join(target);
                assert!(path.exists(), "{name}: {target}");
                links += 1;
            }
        }
    }
    assert!(links > 20, "{links} links");
}
