//! What authors do with their programs: submit them as folders, withdraw, rename and delete them.

use agon_referee::verdict::Verdict;
use agon_site::store::EventFilter;
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::interface::{is_problem, read};
use super::pages::failed_record;
use super::{TestSite, Who, lost};
use crate::problem;

#[tokio::test]
async fn a_program_is_withdrawn_and_returns() {
    let site = TestSite::new();
    let ((ada_id, ada), (_, bob)) = (site.member("ada", false), site.member("bob", false));
    let (program, _) = site.program(ada_id, "bot");
    site.rated([program, site.builtin("random")], &lost(Verdict::Ok, String::new()));
    let path = format!("/program/{program}");
    let page = site.get(&path, &ada).await.text;
    assert!(page.contains("Manage this program") && page.contains("but not deleted"), "{page}");
    assert!(!page.contains(&format!("{path}/delete")), "{page}");
    for who in [&bob, &Who::Guest] {
        assert!(!site.get(&path, who).await.text.contains("Manage this program"));
    }
    let stands = async || {
        let ladder = read(&site.get("/api/v1/ladder/renju", &Who::Guest).await);
        ladder["programs"].as_array().unwrap().iter().any(|row| row["id"] == program)
    };
    assert!(stands().await);
    for (action, done) in [("withdraw", "withdrawn"), ("return", "returned")] {
        assert_eq!(site.post(&format!("{path}/{action}"), &bob, &[]).await.status, StatusCode::FORBIDDEN);
        let answer = site.post(&format!("{path}/{action}"), &ada, &[]).await;
        assert_eq!(answer.header("location"), format!("{path}?saved={done}"));
        let page = site.get(answer.header("location"), &ada).await.text;
        assert_eq!(page.contains("Return to the ladder"), done == "withdrawn", "{page}");
        assert!(page.contains("role=\"status\""), "{page}");
        assert_eq!(stands().await, done == "returned");
        // Everyone sees its games, and why it plays no more.
        let seen = site.get(&path, &Who::Guest).await.text;
        assert!(seen.contains("random") && seen.contains(">withdrawn<") == (done == "withdrawn"), "{seen}");
        assert_eq!(site.get("/me", &ada).await.text.contains("withdrawn"), done == "withdrawn");
    }
    let events = site.site.look(|store| store.events(&EventFilter::default(), 9)).unwrap();
    let kinds: Vec<&str> = events.iter().map(|event| event.kind.name()).collect();
    assert_eq!(&kinds[..2], ["program-returned", "program-withdrawn"]);
}

#[tokio::test]
async fn a_withdrawn_program_frees_its_place() {
    let site = TestSite::with(|options| options.submissions.programs = 1);
    let (ada_id, _) = site.member("ada", false);
    let token = site.token(ada_id);
    let (program, _) = site.program(ada_id, "bot");
    let source =
        json!({ "contest": "renju", "name": "stone", "language": "PYTHON3", "source": "print(1)" }).to_string();
    let refused = site.json("/api/v1/submissions", &token, &source).await;
    assert!(refused.text.contains("or withdraw one"), "{}", refused.text);
    let path = format!("/api/v1/programs/{program}");
    let change =
        async |on: bool| site.ask("PUT", &format!("{path}/withdrawn"), &token, &json!({ "on": on }).to_string()).await;
    let withdrawn = change(true).await;
    let answer: Value = serde_json::from_str(&withdrawn.text).unwrap();
    assert_eq!((&answer["withdrawn"], &answer["version"]), (&Value::Bool(true), &Value::Null));
    assert!(site.json("/api/v1/submissions", &token, &source).await.status.is_success());
    let full = change(false).await;
    is_problem(&full, problem::CONFLICT, "withdraw another one first", None);
    let active = site.ask("PUT", &format!("{path}/active"), &token, "{\"number\":1}").await;
    assert!(active.status == StatusCode::CONFLICT && active.text.contains("let it return first"), "{}", active.text);
}

#[tokio::test]
async fn a_program_is_renamed_and_deleted() {
    let site = TestSite::new();
    let ((ada_id, ada), (bob_id, _)) = (site.member("ada", false), site.member("bob", false));
    let (token, other) = (site.token(ada_id), site.token(bob_id));
    let (program, _) = site.program(ada_id, "bto");
    site.program(ada_id, "stone");
    let path = format!("/api/v1/programs/{program}");
    let rename = async |who: &Who, name: &str| {
        site.ask("PUT", &format!("{path}/name"), who, &json!({ "name": name }).to_string()).await
    };
    assert_eq!(rename(&other, "bot").await.status, StatusCode::FORBIDDEN);
    for (name, why) in [("Stone", "already have a program named `Stone`"), ("", "is missing"), ("a\u{7}", "contains")] {
        let refused = rename(&token, name).await;
        is_problem(&refused, problem::INVALID_FIELD, why, Some("name"));
    }
    assert_eq!(read(&rename(&token, " bot ").await)["name"], "bot");
    let page = site.post(&format!("/program/{program}/rename"), &ada, &[("name", "Bot")]).await;
    assert_eq!(page.header("location"), format!("/program/{program}?saved=renamed"));
    assert!(site.get(&format!("/program/{program}"), &ada).await.text.contains("<h1>Bot</h1>"));
    let refused = site.post(&format!("/program/{program}/rename"), &ada, &[("name", "stone")]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    // Without a game of the ladder it can be deleted, on its page or here.
    assert!(site.get(&format!("/program/{program}"), &ada).await.text.contains("/delete"));
    assert_eq!(site.ask("DELETE", &path, &other, "").await.status, StatusCode::FORBIDDEN);
    assert_eq!(site.ask("DELETE", &path, &token, "").await.status, StatusCode::NO_CONTENT);
    assert_eq!(site.get(&format!("/program/{program}"), &ada).await.status, StatusCode::NOT_FOUND);
    assert_eq!(site.ask("DELETE", &path, &token, "").await.status, StatusCode::NOT_FOUND);
    let (played, _) = site.program(ada_id, "played");
    let game = site.rated([played, site.builtin("random")], &lost(Verdict::Ok, failed_record()));
    // The board of an earlier game has the name of now, as its heading has.
    site.post(&format!("/program/{played}/rename"), &ada, &[("name", "paramecium")]).await;
    let page = site.get(&format!("/game/{game}"), &Who::Guest).await.text;
    assert!(page.contains("\"names\":[\"paramecium v1\",\"random\"]"), "{page}");
    let refused = site.ask("DELETE", &format!("/api/v1/programs/{played}"), &token, "").await;
    is_problem(&refused, problem::CONFLICT, "withdraw it instead", None);
    let (last, _) = site.program(ada_id, "last");
    let deleted = site.post(&format!("/program/{last}/delete"), &ada, &[]).await;
    assert_eq!(deleted.header("location"), "/me?saved=program-deleted");
    assert!(site.get("/me?saved=program-deleted", &ada).await.text.contains("Program deleted."));
}

/// A `.tar.gz` of these files.
fn tar_gz(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
    for (name, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, text.as_bytes()).unwrap();
    }
    archive.into_inner().unwrap().finish().unwrap()
}

#[tokio::test]
async fn a_folder_is_submitted_as_an_archive_or_by_its_files() {
    let site = TestSite::new();
    let ((ada_id, ada), (_, bob)) = (site.member("ada", false), site.member("bob", false));
    let fields = [("contest", "renju"), ("name", "bot"), ("language", ""), ("source", "")];
    let packed = tar_gz(&[("my_bot/main.py", "import board\nboard.play()\n"), ("my_bot/board.py", "<b>\n")]);
    let taken = site.submit(&ada, &fields, Some(("my_bot.tar.gz", &packed))).await;
    assert_eq!(taken.status, StatusCode::SEE_OTHER, "{}", taken.text);
    let page = site.get(taken.header("location"), &ada).await.text;
    assert!(page.contains("<h3>board.py</h3>") && page.contains("<h3>main.py</h3>"), "{page}");
    assert!(page.contains("id=\"F1L1\"") && page.contains("id=\"F2L2\"") && page.contains("&lt;b&gt;"), "{page}");
    assert_eq!(site.get(taken.header("location"), &bob).await.status, StatusCode::NOT_FOUND);
    let version: i64 = taken.header("location").rsplit('/').next().unwrap().parse().unwrap();
    // The same folder by its files is the same source, and is known by its language.
    let token = site.token(ada_id);
    let source = site.get(&format!("/api/v1/versions/{version}/source"), &ada).await.text;
    assert!(source.starts_with("agon-folder 1 my_bot\n--- board.py 4\n"), "{source}");
    site.site.writer().take_submission().unwrap().unwrap();
    site.site.writer().settle_submission(version, Ok(()), None, 9).unwrap();
    let body = json!({
        "contest": "renju", "name": "bot", "file": "my_bot",
        "files": { "main.py": "import board\nboard.play()\n", "board.py": "<b>\n" },
    });
    let same = site.json("/api/v1/submissions", &token, &body.to_string()).await;
    is_problem(&same, problem::CONFLICT, "identical to version 1", None);
    for (files, why) in [
        (json!({ "../main.py": "1" }), "invalid file name: `../main.py`"),
        (json!({ "a.py": "1", "b.py": "1" }), "no main file"),
        (json!({ "main.py": "1", "main.c": "1" }), "choose the language"),
        (json!({ "main.py": "\u{0}" }), "`main.py` is not a text file"),
    ] {
        let body = json!({ "contest": "renju", "name": "bot", "files": files });
        is_problem(
            &site.json("/api/v1/submissions", &token, &body.to_string()).await,
            problem::INVALID_FIELD,
            why,
            Some("files"),
        );
    }
    let both = json!({ "contest": "renju", "name": "bot", "source": "1", "files": { "main.py": "1" } });
    let refused = site.json("/api/v1/submissions", &token, &both.to_string()).await;
    is_problem(&refused, problem::INVALID_FIELD, "send one of them", Some("source"));
    // What is wrong with an archive is said above the form.
    let refused = site.submit(&ada, &fields, Some(("bot.zip", b"PK\x03\x04 and no more"))).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.text.contains("damaged or not a .zip or .tar.gz file"), "{}", refused.text);
}

#[tokio::test]
async fn the_files_of_a_folder_are_in_what_its_author_takes_home() {
    let site = TestSite::new();
    let (ada_id, ada) = site.member("ada", false);
    let source = "agon-folder 1 my_bot\n--- board.py 4\nx=1\n\n--- main.py 13\nimport board\n\n";
    let failed = site.settled(ada_id, "bot", source, Err("File \"main.py\", line 1".into())).1;
    let bundle = site.get(&format!("/version/{failed}/failure.tar.gz"), &ada).await;
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(&bundle.bytes[..]));
    let names: Vec<String> =
        archive.entries().unwrap().map(|entry| entry.unwrap().path().unwrap().display().to_string()).collect();
    for file in ["bot-v1/README.txt", "bot-v1/my_bot/board.py", "bot-v1/my_bot/main.py"] {
        assert!(names.iter().any(|name| name == file), "{names:?}");
    }
    // The message marks the line in the file that it names.
    let page = site.get(&format!("/version/{failed}"), &ada).await.text;
    assert!(page.contains("id=\"F2L1\" class=\"wrong\"") && !page.contains("id=\"F1L1\" class"), "{page}");
    let export = site.get("/me/export", &ada).await;
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(&export.bytes[..]));
    let names: Vec<String> =
        archive.entries().unwrap().map(|entry| entry.unwrap().path().unwrap().display().to_string()).collect();
    assert!(names.iter().any(|name| name.ends_with(&format!("sources/{failed}/main.py"))), "{names:?}");
}
